"""An episode in the making: interventions, probes, Alice's hints, probes, both guesses, and the reveal."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.mind import Briefing, Reply
from otherminds.core.seeds import child_seed
from otherminds.core.world import Ask, Outcome, Script, Session
from otherminds.worlds.decrypto.hints import hint_problems
from otherminds.worlds.decrypto.observe import View, view
from otherminds.worlds.decrypto.questions import Answer, Asked, Study, answer_form, guess_form, hints_form, no_answer
from otherminds.worlds.decrypto.record import note_of, official_end, turn_line, used_hints
from otherminds.worlds.decrypto.rules import ending, reveal, rewards
from otherminds.worlds.decrypto.telling import DecryptoView, rule_fields, rules_text
from otherminds.worlds.decrypto.types import ROLES, Game, Hints, Role, Rules, role_of

ATTEMPTS = 10  # as the original has (spec 2.3)
Seating = Mapping[Role, str]  # the seat that plays each role of a game
SEATING: Seating = {role: role for role in ROLES}
Steps = Generator[Sequence[Ask], Mapping[str, Reply], tuple[Game, dict[str, Any]]]


class DecryptoSession(Session):
    """One episode.

    Args:
        game: dealt.
        episode: its record, with no turn in it.
        study: asks questions and intervenes.
        repeat: tells apart several episodes of one game, in which minds draw differently.
    """

    attempts = ATTEMPTS

    def __init__(self, game: Game, episode: Episode, study: Study | None = None, repeat: int = 0) -> None:
        self.game, self.study, self.repeat, self.num_turns = game, study, repeat, game.rules.turns
        super().__init__(episode)

    def script(self) -> Script:
        found = ending(self.game)
        while found is None:
            if self.study:
                self.game = replace(self.game, interventions=tuple(self.study.interventions(self.game)))
            self.game, line = yield from turn_steps(self.game, SEATING, self.study)
            self.episode.turns.append(line)
            found = ending(self.game)
        end: dict[str, Any] = {"ending": found, "turns": len(self.game.turns)}
        if not self.game.rules.stops_at_interceptions:
            end["official"] = official_end(self.game)
        success, score = self.outcome()
        self.episode.end = {**end, "outcome": {"success": success, "score": dict(score)}}

    def briefing(self, seat: str) -> Briefing:
        return brief(self.episode.world, seat, ROLES, self.game.rules)

    def problem(self, ask: Ask, value: Any) -> str:
        return hints_problem(ask, value, self.game)

    def default(self, ask: Ask) -> Answer:
        return default_of(ask)

    def outcome(self) -> Outcome:
        found = ending(self.game)
        return Outcome(None if found is None else found == "survived", rewards(self.game))

    def truth(self) -> Game:
        return self.game

    def mind_seed(self, seat: str, name: str) -> int:
        return child_seed(self.episode.seed, f"decrypto/{seat}" + (f"/{self.repeat}" if self.repeat else ""))


def brief(world: str, seat: str, seats: tuple[str, ...], rules: Rules) -> Briefing:
    """What a seat is told before the first turn."""
    told = partial(rules_text, rules, role_of(seat) if seat else "alice")
    return Briefing(world, seat, seats, rules, told, partial(rule_fields, rules))


def default_of(ask: Ask) -> Answer:
    """What stands for an answer that never came; it is never right."""
    seen: View = ask.view.data
    if ask.probe is not None:
        return no_answer(ask.probe.about, seen.rules)
    return no_answer("hints" if seen.role == "alice" else "guess", seen.rules)


def hints_problem(ask: Ask, value: Any, game: Game) -> str:
    """Which rule Alice's hints break, in games that ask again then; empty if none."""
    if game.rules.hints != "strict" or ask.probe is not None or ask.view.data.role != "alice":
        return ""
    return "; ".join(hint_problems(value, game.keywords, used_hints(game)))


def turn_steps(game: Game, seating: Seating, study: Study | None = None) -> Steps:
    """The asks of one turn; returns the game after it, and the line of its record."""
    number, rules = len(game.turns) + 1, game.rules
    log = tuple(entry for turn in game.turns for entry in (turn.hints, turn))
    probes: list[dict[str, Any]] = []
    if study and (asked := study.before_hints(game)):
        probes += yield from _probed(asked, game, seating, None)
    alice, bob, eve = (f"{number}/{seating[role]}" for role in ROLES)
    first = view(game, "alice")
    given = (yield [Ask(alice, seating["alice"], number, DecryptoView(first, log), hints_form(rules))])[alice]
    hints: Hints = given.value
    if study and (asked := study.after_hints(game, hints)):
        probes += yield from _probed(asked, game, seating, hints)
    heard, form = (*log, hints), guess_form(rules)
    guesses = yield [
        Ask(bob, seating["bob"], number, DecryptoView(view(game, "bob", hints, first), heard), form),
        Ask(
            eve,
            seating["eve"],
            number,
            DecryptoView(view(game, "eve", hints, first), _log_of_eve(game, heard, hints)),
            form,
        ),
    ]
    replies = {"alice": given, "bob": guesses[bob], "eve": guesses[eve]}
    after = reveal(game, hints, replies["bob"].value, replies["eve"].value)
    return after, turn_line(game, after, replies, probes)


def _probed(
    asked: Sequence[Asked], game: Game, seating: Seating, hints: Hints | None
) -> Generator[Sequence[Ask], Mapping[str, Reply], list[dict[str, Any]]]:
    """Put probes independently of each other; returns their records."""
    number = len(game.turns) + 1
    asks = [
        Ask(
            f"{number}/{seating[one.role]}/{one.name}",
            seating[one.role],
            number,
            _probe_view(game, one, hints),
            answer_form(one.probe.about, game.rules),
            one.probe,
        )
        for one in asked
    ]
    replies = yield asks
    return [note_of(one, ask, replies[ask.id]) for one, ask in zip(asked, asks, strict=True)]


def _probe_view(game: Game, asked: Asked, hints: Hints | None) -> DecryptoView:
    seen = replace(view(game, asked.role, hints), hints=hints)  # Alice has given hers by then
    log = tuple(entry for turn in seen.past for entry in (turn.hints, turn))
    return DecryptoView(seen, log if hints is None else (*log, hints), asked.probe)


def _log_of_eve(game: Game, heard: tuple[Any, ...], hints: Hints) -> tuple[Any, ...]:
    """The same as everybody's, unless somebody intervened."""
    if not game.interventions:
        return heard
    return (*(entry for turn in view(game, "eve").past for entry in (turn.hints, turn)), hints)
