"""One episode: each turn has interventions, probes, Alice's hints, more probes, both guesses, and the reveal."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.form import Form
from otherminds.core.mind import Briefing, Reply
from otherminds.core.seeds import child_seed
from otherminds.core.world import Ask, Outcome, Probe, Script, Session
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.probes import Answer, Study, When, answer_form, guess_form, hints_form, no_answer
from otherminds.worlds.decrypto.record import Seating, official_end, turn_line, used_hints
from otherminds.worlds.decrypto.rules import ending, hint_problems, reveal, rewards
from otherminds.worlds.decrypto.text import DecryptoView, rule_fields, rules_text
from otherminds.worlds.decrypto.types import ROLES, Game, Hints, Role, Rules, role_of

SEATING: Seating = {role: role for role in ROLES}
Turn = Generator[Sequence[Ask], Mapping[str, Reply], tuple[Game, dict[str, Any]]]
Probes = Generator[Sequence[Ask], Mapping[str, Reply], list[dict[str, Any]]]


class GameSession(Session):
    """The course of a turn and the briefing of seats, shared by games and duels. Minds draw anew in each repeat."""

    attempts = 10  # as the original has (spec 2.3)

    def __init__(self, rules: Rules, episode: Episode, seats: tuple[str, ...], repeat: int) -> None:
        self.rules, self.seats, self.repeat, self.num_turns = rules, seats, repeat, rules.turns
        self._hints_form, self._guess_form = hints_form(rules), guess_form(rules)
        super().__init__(episode)

    def briefing(self, seat: str) -> Briefing:
        return brief(self.episode.world, seat, self.seats, self.rules)

    def problem(self, ask: Ask, value: Any) -> str:
        """The rules that Alice's hints break, if the game checks hints strictly."""
        seen = ask.view.data
        if self.rules.hints != "strict" or ask.probe is not None or seen.role != "alice":
            return ""
        return "; ".join(hint_problems(value, seen.keywords, used_hints(seen.past)))

    def default(self, ask: Ask) -> Answer:
        act = "hints" if ask.view.data.role == "alice" else "guess"
        return no_answer(ask.probe.about if ask.probe else act, self.rules)

    def mind_seed(self, seat: str, name: str) -> int:
        return child_seed(self.episode.seed, f"decrypto/{seat}" + (f"/{self.repeat}" if self.repeat else ""))

    def turn(self, game: Game, seating: Seating, study: Study | None = None) -> Turn:
        """The asks of one turn. Returns the game after it, and its line of the record."""
        probes = (yield from self._probed(study, "before hints", game, seating)) if study else []
        ask = _ask(game, "alice", seating, self._hints_form)
        alice = (yield [ask])[ask.id]
        hints: Hints = alice.value
        if study:
            probes += yield from self._probed(study, "after hints", game, seating, hints)
        asks = [_ask(game, role, seating, self._guess_form, hints) for role in ("bob", "eve")]
        replies = yield asks
        bob, eve = (replies[ask.id] for ask in asks)
        after = reveal(game, hints, bob.value, eve.value)
        return after, turn_line(game, after, {"alice": alice, "bob": bob, "eve": eve}, probes)

    def _probed(self, study: Study, when: When, game: Game, seating: Seating, hints: Hints = ()) -> Probes:
        """Ask the probes of a moment independently of each other.

        Returns their records, without the expected answers: those are known at the end of the turn.
        """
        probes = study.probes(game, when)
        if not probes:
            return []
        asks = [
            _ask(game, role, seating, answer_form(probe.about, game.rules), hints, probe, f"/{name}")
            for name, role, probe in probes
        ]
        replies = yield asks
        lines = []
        for (name, _, probe), ask in zip(probes, asks, strict=True):
            reply = replies[ask.id]
            answer = list(reply.value) if isinstance(reply.value, tuple) else reply.value
            line = self.probe_line(ask, answer, None, name=name, attempts=reply.attempts, failed=reply.is_default)
            optional = {"shown": probe.shown, "complaints": reply.complaints}
            lines.append({**line, **{key: list(value) for key, value in optional.items() if value}})
        return lines


class DecryptoSession(GameSession):
    """One episode of a game, with the probes and interventions of a study."""

    def __init__(self, game: Game, episode: Episode, study: Study | None = None, repeat: int = 0) -> None:
        self.game, self.study = game, study
        super().__init__(game.rules, episode, ROLES, repeat)

    def script(self) -> Script:
        while (how := ending(self.game)) is None:
            changes = self.study.interventions(self.game) if self.study else ()
            changed = replace(self.game, interventions=changes)
            self.game, line = yield from self.turn(changed, SEATING, self.study)
            self.episode.turns.append(line)
        end: dict[str, Any] = {"ending": how, "turns": len(self.game.turns)}
        if not self.rules.stops_at_interceptions:
            end["official"] = official_end(self.game)
        success, score = self.outcome()
        self.episode.end = {**end, "outcome": {"success": success, "score": dict(score)}}

    def outcome(self) -> Outcome:
        score = rewards(self.game)
        return Outcome(score["alice"] > 0 if score["alice"] else None, score)

    def truth(self) -> Game:
        return self.game


def _ask(
    game: Game, role: Role, seating: Seating, form: Form, hints: Hints = (), probe: Probe | None = None, name: str = ""
) -> Ask:
    number, seat = len(game.turns) + 1, seating[role]
    return Ask(f"{number}/{seat}{name}", seat, number, DecryptoView(view(game, role, hints), probe), form, probe)


@cache
def brief(world: str, seat: str, seats: tuple[str, ...], rules: Rules) -> Briefing:
    """The briefing of a seat before the first turn."""
    text = partial(rules_text, rules, role_of(seat) if seat else "alice")
    return Briefing(world, seat, seats, rules, text, partial(rule_fields, rules))
