"""A game as a picture, as plain text and as an HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.view.default_page import probe_table
from otherminds.view.page import Entry, Frame, Page, Panel, render
from otherminds.view.shapes import Circle, Label, Line, Rect, Scene, Shape, to_svg
from otherminds.worlds.decrypto.rules import ending, hints_by_digit, tokens
from otherminds.worlds.decrypto.types import ROLES, Game, dashed

PAPER, CARD, INK, QUIET, RULE = "#fdfdfc", "#ffffff", "#1c1f26", "#646b77", "#dcdfe4"
RIGHT, WRONG = "#007a5a", "#b3261e"
# Okabe and Ito's palette, which the colour-blind can distinguish; the digit is always written too.
DIGITS = ("#0072b2", "#d55e00", "#009e73", "#a34f83", "#8a6d00", "#3f7fa6", "#6b4fa0", "#555b66", "#7a3b12")
_CARD, _GAP, _LINE, _MARGIN = 148.0, 12.0, 19.0, 16.0
_HEAD = 46.0
_VERDICTS = {  # with whether it is good for Alice and Bob
    ("Bob", True): ("understood", True),
    ("Bob", False): ("misunderstood", False),
    ("Eve", True): ("intercepted", False),
    ("Eve", False): ("missed", True),
}
ENDINGS = {
    "survived": "Alice and Bob survive: they win",
    "intercept": "intercepted twice: Eve wins",
    "miscomm": "misunderstood twice: Eve wins",
    "both": "intercepted and misunderstood twice: Eve wins",
}


def game_scene(game: Game, *, keywords: bool = True) -> Scene:
    """The game after its last turn as a picture; without keywords, as Eve sees it."""
    slots = game.rules.keywords
    longest = max(2, max((sum(slot in t.code for t in game.turns) for slot in range(1, slots + 1)), default=0))
    deep = _HEAD + 10 + _LINE * longest
    width = 2 * _MARGIN + slots * _CARD + (slots - 1) * _GAP
    top = _MARGIN + deep + 22
    shapes: list[Shape] = []
    for slot in range(slots):
        shapes += _card(game, slot, _MARGIN + slot * (_CARD + _GAP), deep, keywords)
    if game.turns:
        shapes += _last_turn(game, top, width)
    foot = top + (34.0 * 3 + 10 if game.turns else 0)
    shapes += _tokens(game, foot + 8, width)
    return Scene(width, foot + 40, tuple(shapes), PAPER, _in_words(game, keywords))


def _card(game: Game, slot: int, x: float, deep: float, keywords: bool) -> Iterator[Shape]:
    y, colour = _MARGIN, DIGITS[slot]
    yield Rect(x, y, _CARD, deep, CARD, RULE, corner=8)
    yield Rect(x, y, _CARD, _HEAD - 12, colour, corner=8)
    yield Rect(x, y + 20, _CARD, _HEAD - 32, colour)
    word = game.keywords[slot] if keywords else "?"
    yield Label(x + 12, y + 17, str(slot + 1), 15, "#ffffff", is_bold=True)
    yield Label(x + _CARD / 2 + 6, y + 17, word, 15 if len(word) < 13 else 12, "#ffffff", "middle", is_bold=True)
    line = 0
    for number, turn in enumerate(game.turns, 1):
        if slot + 1 not in turn.code:
            continue
        at, is_new = y + _HEAD + _LINE * line, number == len(game.turns)
        hint = turn.hints[turn.code.index(slot + 1)]
        yield Label(x + 12, at, str(number), 11, QUIET)
        yield Label(x + 28, at, _short(hint, 15), 14, INK if is_new else QUIET, is_bold=is_new)
        line += 1


def _last_turn(game: Game, top: float, width: float) -> Iterator[Shape]:
    turn = game.turns[-1]
    yield Line(_MARGIN, top - 8, width - _MARGIN, top - 8, RULE)
    rows = (("code", turn.code, None), ("Bob", turn.bob, turn.is_decoded), ("Eve", turn.eve, turn.is_intercepted))
    cell = (width - 2 * _MARGIN - 230) / len(turn.code)
    for number, (name, code, is_right) in enumerate(rows):
        y = top + 12 + 34 * number
        yield Label(_MARGIN, y, f"Turn {len(game.turns)}: {name}" if name == "code" else name, 14, INK, is_bold=True)
        for place, digit in enumerate(code):
            x = _MARGIN + 120 + place * cell
            colour = DIGITS[digit - 1] if 1 <= digit <= game.rules.keywords else QUIET
            yield Circle(x, y, 12, colour, None)
            yield Label(x, y, str(digit or "–"), 13, "#ffffff", "middle", is_bold=True)
            if name == "code":
                yield Label(x + 19, y, _short(turn.hints[place], 16), 14, INK)
        if is_right is not None:
            verdict, is_good = _VERDICTS[name, is_right]
            yield Label(width - _MARGIN, y, verdict, 13, RIGHT if is_good else WRONG, "end", is_bold=True)


def _tokens(game: Game, y: float, width: float) -> Iterator[Shape]:
    x = _MARGIN
    missed, caught = tokens(game.turns)
    for name, number, colour in (("miscommunications", missed, WRONG), ("interceptions", caught, INK)):
        yield Label(x, y, name, 13, QUIET)
        x += 7.2 * len(name) + 8
        for token in range(max(game.rules.tokens, number)):
            yield Circle(x, y, 7, colour if token < number else None, colour, 1.5)
            x += 20
        x += 16
    how = ending(game)
    if how:
        yield Label(width - _MARGIN, y, ENDINGS[how], 13, INK, "end", is_bold=True)


def _short(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1] + "…"


def _in_words(game: Game, keywords: bool) -> str:
    if not game.turns:
        known = f"the keywords are {', '.join(game.keywords)}" if keywords else "the keywords are not shown"
        return f"Before the first turn; {known}."
    turn = game.turns[-1]
    return (
        f"After turn {len(game.turns)}: code {dashed(turn.code)} with hints {', '.join(turn.hints)}; Bob guessed "
        f"{dashed(turn.bob)}, Eve {dashed(turn.eve)}."
    )


def board(game: Game) -> str:
    """The game as plain text: the keywords with their hints, the last turn and the tokens."""
    lines = [f"turn {len(game.turns)} of {game.rules.turns}"]
    for digit, (word, hints) in enumerate(
        zip(game.keywords, hints_by_digit(game.turns, game.rules.keywords), strict=True), 1
    ):
        lines.append(f"  {digit} {word:<12} {', '.join(hints)}".rstrip())
    if game.turns:
        turn = game.turns[-1]
        bob, eve = ("right" if right else "wrong" for right in (turn.is_decoded, turn.is_intercepted))
        lines.append(
            f"  code {dashed(turn.code)} ({', '.join(turn.hints)}): Bob {dashed(turn.bob)} {bob}, "
            f"Eve {dashed(turn.eve)} {eve}"
        )
    missed, caught = tokens(game.turns)
    lines.append(f"  miscommunications {missed}, interceptions {caught}")
    how = ending(game)
    return "\n".join([*lines, *([f"  {ENDINGS[how]}"] if how else [])])


# The picture's colours on a dark page; those of digits stay.
_DARK = {PAPER: "#191c22", CARD: "#20242c", INK: "#e7e9ee", QUIET: "#9aa2af", RULE: "#333842"}

_LOOKS = {"team": "Alice and Bob (with keywords)", "eve": "Eve (without keywords)"}  # the page shows one board
_SWITCH = "".join(
    f'<label><input type="radio" name="look" value="{who}"{" checked" if who == "team" else ""}> {text}</label>'
    for who, text in _LOOKS.items()
)


def game_page(episode: Episode, states: Sequence[Game]) -> str:
    """The HTML text of a page about one recorded game and its states."""
    lines: list[Mapping[str, Any]] = [{}, *episode.turns]
    names: dict[str, str] = dict(zip(ROLES, episode.minds.values(), strict=True))
    is_asked = any("probes" in line for line in lines)
    frames = [
        Frame(
            board="".join(
                f'<div class="as-{who}">{to_svg(game_scene(game, keywords=who == "team"))}</div>' for who in _LOOKS
            ),
            label=f"turn {number} of {len(states) - 1}",
            log=tuple(_log(game, lines[number])),
            panels={
                "eve": _mind(game, lines[number]),
                "reasoning": _reasoning(lines[number], names),
                **({"questions": probe_table(lines[number])} if is_asked else {}),
            },
        )
        for number, game in enumerate(states)
    ]
    how, (missed, caught) = ending(states[-1]), tokens(states[-1].turns)
    counts = {"seed": episode.seed, "turns": len(states) - 1, "miscommunications": missed, "interceptions": caught}
    facts = {role.capitalize(): name for role, name in names.items()} | {n: str(value) for n, value in counts.items()}
    page = Page(
        title="Decrypto: " + (ENDINGS[how] if how else "an unfinished game"),
        subtitle="Alice gives Bob hints for a three-digit code. Eve hears the hints but does not know the keywords.",
        frames=frames,
        facts=facts,
        panels=(
            Panel("look", "Point of view", _SWITCH),
            Panel("eve", "What Eve thinks the keywords are"),
            Panel("reasoning", "Thoughts of each mind"),
            *([Panel("questions", "Probes")] if is_asked else []),
        ),
        package=__package__,
        dark=_DARK,
    )
    return render(page)


def _log(game: Game, line: Mapping[str, Any]) -> Iterator[Entry]:
    if not game.turns:
        yield Entry("The keywords are dealt. Alice sees the first code.")
        return
    turn = game.turns[-1]
    yield Entry(f"Alice had the code {dashed(turn.code)} and gave the hints {', '.join(turn.hints)}.")
    yield Entry(f"Bob guessed {dashed(turn.bob)}: {'right' if turn.is_decoded else 'wrong, a miscommunication'}.")
    yield Entry(f"Eve guessed {dashed(turn.eve)}: {'right, an interception' if turn.is_intercepted else 'wrong'}.")
    for problem in line.get("problems", ()):
        yield Entry(f"Against the rules: {problem}.")
    for role in line.get("failures", ()):
        yield Entry(f"{role.capitalize()} gave no readable answer in {line['attempts'][role]} attempts.")
    for change in line.get("interventions", ()):
        informed = f"; {', '.join(change['told'])} knew of it" if change["told"] else "; nobody knew of it"
        word = f" as {change['word']!r}" if change["word"] else ""
        yield Entry(
            f"Changed for Eve: {change['kind']} digit {change['digit']}, turn {change['turn']}{word}{informed}."
        )
    how = ending(game)
    if how:
        yield Entry(f"The game is over: {ENDINGS[how]}.")


def _mind(game: Game, line: Mapping[str, Any]) -> str:
    """Likely keywords for each digit, as bars; the true one is marked."""
    minds = line.get("thoughts", {}).get("eve", {}).get("keywords")
    if not minds:
        return '<p class="quiet">Nothing was recorded for this turn.</p>'
    return f'<div class="minds">{"".join(_slot(game, digit, mind) for digit, mind in enumerate(minds, 1))}</div>'


def _slot(game: Game, digit: int, mind: Sequence[Sequence[Any]]) -> str:
    truth = game.keywords[digit - 1]
    rows = "".join(
        f'<tr{" class=true" if word == truth else ""}><th scope="row">{escape(str(word))}</th>'
        f'<td><span style="width:{100 * float(chance):.1f}%;background:{DIGITS[digit - 1]}"></span></td>'
        f"<td>{100 * float(chance):.0f} %</td></tr>"
        for word, chance in mind
    )
    return f'<table><caption style="color:{DIGITS[digit - 1]}">digit {digit}</caption><tbody>{rows}</tbody></table>'


def _reasoning(line: Mapping[str, Any], names: Mapping[str, str]) -> str:
    parts = []
    for role in ROLES:
        thought = {key: value for key, value in line.get("thoughts", {}).get(role, {}).items() if key != "keywords"}
        reasoning = escape(str(thought.pop("reasoning", "")).strip())
        plain = {key: f"{value:.3g}" if isinstance(value, float) else str(value) for key, value in thought.items()}
        more = "".join(f"<dt>{escape(key)}</dt><dd>{escape(text)}</dd>" for key, text in plain.items())
        if reasoning or more:
            quote = f"<blockquote>{reasoning}</blockquote>" if reasoning else ""
            body = quote + (f"<dl>{more}</dl>" if more else "")
            parts.append(
                f"<details open><summary>{role.capitalize()} ({escape(names[role])})</summary>{body}</details>"
            )
    return "".join(parts) or '<p class="quiet">These minds recorded no thoughts.</p>'
