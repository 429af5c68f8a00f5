"""The session of a SymmToM episode: all seats are asked together, coins decide collisions, every turn is recorded.

In a trial of a scenario, the history and the other seats are scripted. The tested seat watches the history and is asked
from its first free turn on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.mind import Briefing, Reply
from otherminds.core.seeds import child_seed
from otherminds.core.world import Ask, Outcome, Probe, Script, Session
from otherminds.worlds.symmtom import metrics, rules
from otherminds.worlds.symmtom.bits import pieces_of
from otherminds.worlds.symmtom.chance import draw_coins
from otherminds.worlds.symmtom.ledger import supported
from otherminds.worlds.symmtom.record import WORLD, end_line, turn_line
from otherminds.worlds.symmtom.scenarios.items import Trial
from otherminds.worlds.symmtom.seat_view import (
    KNOWS,
    QUIET,
    EpisodeCourse,
    SymmToMView,
    about_piece,
    act_form,
    chosen,
    knows_form,
    piece_of,
    seat_names,
)
from otherminds.worlds.symmtom.text import rule_fields, rules_in_words
from otherminds.worlds.symmtom.types import Action, Params, State

STAY = {"move": "stay", "piece": QUIET}


class SymmToMSession(Session):
    """One episode.

    Args:
        episode: the record, without turns.
        params: parameters of the world.
        state: the start.
        rng: generator of the coins.
        probe_turns: turns, counted from 0, before which every seat is asked who knows what.
        trial: the trial of a scenario, if it is one. It is probed when it begins, about the facts under test.
    """

    attempts = 2

    def __init__(
        self,
        episode: Episode,
        params: Params,
        state: State,
        rng: np.random.Generator,
        probe_turns: Sequence[int] = (),
        trial: Trial | None = None,
    ) -> None:
        self.params, self.trial = params, trial
        self.course = EpisodeCourse(params, state, trial.starts if trial else 0)
        self._rng, self._seats = rng, seat_names(params)
        self._rules = trial.params if trial else params
        self._tally = metrics.nothing(state)
        everyone, pieces = list(range(params.num_agents)), range(params.num_pieces)
        self._free = [trial.seats[0]] if trial else everyone
        self.scripted = trial.scripts() if trial else {}
        # By turn: the pieces that are asked about, and the agents that count in the answer.
        self._probes: dict[int, dict[int, list[int]]] = {t: dict.fromkeys(pieces, everyone) for t in probe_turns}
        if trial:
            self._probes = {trial.starts: trial.matters()}
        super().__init__(episode)

    def script(self) -> Script:
        while True:
            turn = len(self.course.actions)
            is_free = turn >= self.course.first_free
            probes = []
            if is_free and (asked := self._probed(turn)):
                answers = yield asked
                probes = [self._answered(ask, answers[ask.id]) for ask in asked]
            if self.trial:
                scripted = self.trial.staged.scripted(turn - self.trial.starts)
                action = Action(scripted.move.copy(), scripted.piece.copy())
            else:
                action = Action(*np.empty((2, self.params.num_agents), np.int32))
            if is_free:
                form = act_form(self.params)
                asks = [
                    Ask(f"{turn + 1}/{self._seats[i]}", self._seats[i], turn + 1, SymmToMView(self.course, i), form)
                    for i in self._free
                ]
                replies = yield asks
                for i, ask in zip(self._free, asks, strict=True):
                    action.move[i], action.piece[i] = chosen(replies[ask.id].value)
            outcome = self._play(action, probes)
            if self._is_over(bool(outcome.terminated | outcome.truncated)):
                break
        end, result = end_line(outcome, self._tally), self.outcome()
        if self.trial:
            end["trial"] = self.trial.verdict(self.truth())
        self.episode.end = {**end, "outcome": {"success": result.success, "score": dict(result.score)}}

    def briefing(self, seat: str) -> Briefing:
        agent = self._seats.index(seat) if seat in self._seats else 0
        facts = (self.params, agent, self._rules.num_turns, self.trial is not None)
        return Briefing(
            WORLD, seat, self._seats, self.params, partial(rules_in_words, *facts), partial(rule_fields, *facts)
        )

    def default(self, ask: Ask) -> Any:
        return STAY if ask.probe is None else None

    def outcome(self) -> Outcome:
        if self.trial is None:
            return Outcome(None, dict(zip(self._seats, self._tally.reward.tolist(), strict=True)))
        standing = self.trial.verdict(self.truth())
        is_passed = self.trial.is_passed(standing, len(self.course.actions) - self.trial.starts)
        return Outcome(standing == "success", {self._seats[self.trial.seats[0]]: float(is_passed)})

    def truth(self) -> State:
        return self.course.states[-1]

    def mind_seed(self, seat: str, name: str) -> int:
        """The seed of a seat, or of the name of a mind that fills several seats."""
        stream = f"seat/{self._seats.index(seat)}" if seat else f"policy/{name}"
        return child_seed(self.episode.seed, stream)

    def _play(self, action: Action, probes: list[dict[str, Any]]) -> rules.TurnResult:
        """Play a turn by the rules and record it with the probes before it."""
        before, coins = self.truth(), draw_coins(self._rng, self.params)
        state, outcome = rules.step(before, action, coins, self._rules)
        self._tally = metrics.add(self._tally, metrics.measure(before, action, state, outcome, self._rules))
        line = turn_line(action, coins, state, outcome)
        self.episode.turns.append({**line, "probes": probes} if probes else line)
        self.course.states.append(state)
        self.course.actions.append(action)
        return outcome

    def _is_over(self, has_ended: bool) -> bool:
        if self.trial is None:
            return has_ended
        is_trial = len(self.course.actions) > self.trial.starts
        return is_trial and (has_ended or self.trial.verdict(self.truth()) != "unfinished")

    def _probed(self, turn: int) -> list[Ask]:
        return [
            Ask(
                f"{turn + 1}/{self._seats[i]}/{KNOWS}-{piece}",
                self._seats[i],
                turn + 1,
                SymmToMView(self.course, i),
                knows_form(self.params),
                Probe(KNOWS, (), about_piece(piece), moment="before the turn"),
            )
            for i in self._free
            for piece in self._probes.get(turn, ())
        ]

    def _answered(self, ask: Ask, reply: Reply) -> dict[str, Any]:
        """The record of a probe. ``said`` is the whole answer, ``given`` the part that counts."""
        assert ask.probe is not None
        piece, said = piece_of(ask.probe.about), reply.value
        counts = self._probes[ask.turn - 1][piece]
        true = [str(i) for i, known in enumerate(self.truth().knowledge) if piece in pieces_of(known)]
        agent = self._seats.index(ask.seat)
        expected = true if self.trial else supported(self.params, self.course.states, agent, piece)
        likely = {} if reply.belief is None else {"likely": [round(share, 4) for share in reply.belief]}
        return self.probe_line(
            ask,
            given=None if said is None else [who for who in said if int(who) in counts],
            expected=[who for who in expected if int(who) in counts],
            true=true,
            said=None if said is None else list(said),
            **likely,
        )
