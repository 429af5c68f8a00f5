"""A game as an HTML page: the board, guesses, tokens, the thoughts of each mind, and Eve's belief about keywords."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.view.default_page import probe_table
from otherminds.view.page import Entry, Frame, Page, Panel, render
from otherminds.view.shapes import to_svg
from otherminds.worlds.decrypto.draw import CARD, DIGITS, ENDINGS, INK, PAPER, QUIET, RULE, game_scene
from otherminds.worlds.decrypto.record import play_again
from otherminds.worlds.decrypto.rules import ending, tokens
from otherminds.worlds.decrypto.types import ROLES, Game, dashed

# The picture's colours on a dark page; those of digits stay.
_DARK = {PAPER: "#191c22", CARD: "#20242c", INK: "#e7e9ee", QUIET: "#9aa2af", RULE: "#333842"}

_SWITCH = "".join(
    f'<label><input type="radio" name="look" value="{value}"{checked}> {text}</label>'
    for value, checked, text in (
        ("team", " checked", "Alice and Bob, who know the keywords"),
        ("eve", "", "Eve, who does not"),
    )
)


def game_page(episode: Episode) -> str:
    """The HTML text of a page about one recorded game.

    Raises:
        UserError: if the record is not that of a game.
    """
    states = play_again(episode).states
    lines: list[Mapping[str, Any]] = [{}, *episode.turns]
    names: dict[str, str] = dict(zip(ROLES, episode.minds.values(), strict=False))
    is_asked = any("probes" in line for line in lines)
    frames = [
        Frame(
            board=_boards(game),
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
    last = states[-1]
    how = ending(last)
    missed, caught = tokens(last.turns)
    facts = {
        **{role.capitalize(): names.get(role, "") for role in ROLES},
        "seed": str(episode.seed),
        "turns": str(len(last.turns)),
        "miscommunications": str(missed),
        "interceptions": str(caught),
    }
    page = Page(
        title="Decrypto: " + (ENDINGS[how] if how else "an unfinished game"),
        subtitle="Alice hints a code of three digits to Bob; Eve hears the hints and does not know the keywords.",
        frames=frames,
        facts=facts,
        panels=(
            Panel("look", "Look as", _SWITCH),
            Panel("eve", "What Eve thinks the keywords are"),
            Panel("reasoning", "What each mind said to itself"),
            *([Panel("questions", "Probes")] if is_asked else []),
        ),
        package=__package__,
        dark=_DARK,
    )
    return render(page)


def _boards(game: Game) -> str:
    """The board with keywords, and as Eve sees it; the page shows one of them."""
    open_, closed = (to_svg(game_scene(game, keywords=shown)) for shown in (True, False))
    return f'<div class="as-team">{open_}</div><div class="as-eve">{closed}</div>'


def _log(game: Game, line: Mapping[str, Any]) -> Iterator[Entry]:
    if not game.turns:
        yield Entry("The keywords are dealt. Alice sees the first code.")
        return
    turn = game.turns[-1]
    yield Entry(f"Alice was to say {dashed(turn.code)} and said: {', '.join(turn.hints)}.")
    yield Entry(f"Bob guessed {dashed(turn.bob)}: {'right' if turn.is_decoded else 'wrong, a miscommunication'}.")
    yield Entry(f"Eve guessed {dashed(turn.eve)}: {'right, an interception' if turn.is_intercepted else 'wrong'}.")
    for problem in line.get("problems", ()):
        yield Entry(f"Against the rules: {problem}.")
    for role in line.get("failures", ()):
        yield Entry(f"{role.capitalize()} gave no answer that could be read in {line['attempts'][role]} attempts.")
    for change in line.get("interventions", ()):
        informed = f"; told: {', '.join(change['told'])}" if change["told"] else "; nobody was told"
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
                f"<details open><summary>{role.capitalize()} ({escape(names.get(role, ''))})</summary>{body}</details>"
            )
    return "".join(parts) or '<p class="quiet">These minds recorded no thoughts.</p>'
