"""Stage scenarios: put cases on the board under symmetries of the board and permutations of seats.

A *trial* is one case in one staging. Trials are the worlds of a batch, so that a policy plays thousands at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import gcd
from typing import Any

import numpy as np

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.bits import numbers
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.record import start_of
from otherminds.worlds.symmtom.scenarios.types import Case, Scenario, Turn, any_holds
from otherminds.worlds.symmtom.types import MOVES, Action, Array, Params, State

SYMMETRIES = 8


@dataclass(frozen=True)
class Staging:
    """A symmetry of the board and an assignment of seats."""

    symmetry: int = 0  # bits: mirror x, mirror y, swap the axes (in this order)
    seats: tuple[int, ...] = ()  # [role]; empty for the order of the file

    def cell(self, x: Any, y: Any, width: int) -> tuple[Any, Any]:
        if self.symmetry & 1:
            x = width - 1 - x
        if self.symmetry & 2:
            y = width - 1 - y
        return (y, x) if self.symmetry & 4 else (x, y)

    def move(self, move: int) -> int:
        dx, dy = self.cell(*MOVES[move], 1)  # on a board of width 1, mirroring is a change of sign
        return MOVES.index((dx, dy))


def stagings(num_agents: int) -> list[Staging]:
    """All stagings, the one of the file first."""
    orders = list(permutations(range(num_agents)))
    return [Staging(symmetry, seats) for seats in orders for symmetry in range(SYMMETRIES)]


def spread_stagings(num_agents: int, number: int) -> list[Staging]:
    """A number of stagings, the one of the file first; all come once before any comes twice.

    A stride of about the golden section makes even the first few differ in symmetry and seats.
    """
    ways = stagings(num_agents)
    stride = next(s for s in range(int(0.618 * len(ways)), len(ways)) if gcd(s, len(ways)) == 1)
    return [ways[place * stride % len(ways)] for place in range(number)]


@dataclass(frozen=True)
class StagedTrials:
    """A batch of trials."""

    start: State  # [seat, trial]
    seats: Array  # int [role, trial], the seat of each role
    history: list[Action]  # [seat, trial] each
    script: list[Action]  # of the trial, [seat, trial] each; the last is repeated

    @property
    def tested(self) -> Array:
        """Whether a seat is that of role 0, ``bool [seat, trial]``."""
        return numbers(self.seats) == self.seats[0]

    def scripted(self, turn: int) -> Action:
        """The scripted action of a turn of the history (negative) or of the trial (from 0; not for the tested seat)."""
        return self.history[turn] if turn < 0 else self.script[min(turn, len(self.script) - 1)]

    def only(self) -> StagedTrials:
        """The only trial of a batch, without the axis of trials."""
        start, seats = State(*(np.asarray(a)[..., 0] for a in self.start)), self.seats[:, 0]
        history, script = (
            [Action(*(a[..., 0] for a in turn)) for turn in turns] for turns in (self.history, self.script)
        )
        return StagedTrials(start, seats, history, script)


def put_on(scenario: Scenario, trials: Sequence[tuple[Case, Staging]]) -> StagedTrials:
    """Put cases in stagings on the board, as one batch."""
    params, n = scenario.params, scenario.params.num_agents
    seats = np.asarray([staging.seats or range(n) for _, staging in trials]).T
    roles = np.argsort(seats, axis=0)  # [seat, trial]

    def seated(values: Any, dtype: Any = np.int32) -> Array:
        """``[trial][role]`` as ``[seat, trial]``."""
        return np.take_along_axis(np.asarray(values, dtype=dtype).T, roles, axis=0)

    def placed(cells: Sequence[Sequence[tuple[int, int]]]) -> tuple[Array, Array]:
        staged = [[s.cell(*cell, params.width) for cell in row] for row, (_, s) in zip(cells, trials, strict=True)]
        return tuple(seated([[cell[axis] for cell in row] for row in staged]) for axis in (0, 1))

    def turn(deeds: Sequence[Turn]) -> Action:
        moves = [[s.move(deed.move) for deed in row] for row, (_, s) in zip(deeds, trials, strict=True)]
        return Action(seated(moves), seated([[deed.piece for deed in row] for row in deeds]))

    hands = seated([[sum(1 << p for p in hand) for hand in scenario.hands]] * len(trials), np.uint32)
    x, y = placed([case.cells for case, _ in trials])
    base_x, base_y = placed([scenario.bases] * len(trials))
    length = min(len(case.history) for case, _ in trials)
    return StagedTrials(
        start=start_of(params, x, y, base_x, base_y, hands),
        seats=seats,
        history=[turn([case.history[t] for case, _ in trials]) for t in range(length)],
        script=[turn([scenario.deeds(t)] * len(trials)) for t in range(max(1, len(scenario.script)))],
    )


def verdict(scenario: Scenario, case: Case, state: State) -> Array:
    """The outcome in a state by role: 1 success, -1 failure, 0 undecided, ``int8 [*worlds]``.

    Where the conditions of both hold, it is success.
    """
    wins = np.asarray(any_holds(scenario.success(case), state, scenario.params))
    loses = np.asarray(any_holds(scenario.failure(case), state, scenario.params))
    return wins.astype(np.int8) - (loses & ~wins).astype(np.int8)


def by_role(state: State, seats: Array) -> State:
    """The state with roles in the place of seats, in the fields that conditions use."""
    names = ("x", "y", "base_x", "base_y", "knowledge", "previous_knowledge", "utterance")
    return state._replace(**{n: np.take_along_axis(np.asarray(getattr(state, n)), seats, axis=0) for n in names})


def play_turns(scenario: Scenario, state: State, turns: Iterable[Turn]) -> list[State]:
    """A state and those after each scripted turn, with roles as seats."""
    states = [state]
    for turn in turns:
        action = Action(*(np.asarray(choices, dtype=np.int32) for choices in zip(*turn, strict=True)))
        after, _ = rules.step(states[-1], action, no_coins(scenario.params), scenario.params)
        states.append(after)
    return states


def history_of(scenario: Scenario, case: Case) -> list[State]:
    """The states before the history and after each of its turns, with roles as seats."""
    start = put_on(scenario, [(case, Staging())]).only().start
    return play_turns(scenario, start, case.history)


def trial_state(scenario: Scenario, case: Case) -> State:
    """The state after the history, with roles as seats."""
    return history_of(scenario, case)[-1]


def shown(state: State, params: Params) -> dict[str, str]:
    """The percepts and reward of role 0 after a turn, by name, as text."""
    facts = {name: value for name, value in perceive(state, params)._asdict().items() if name != "turn"}
    return {name: str(np.asarray(value)[0].tolist()) for name, value in facts.items()} | {
        "reward": str(float(state.last_reward[0]))
    }


def no_coins(params: Params, worlds: tuple[int, ...] = ()) -> Array:
    """Coins of a turn that does not depend on them."""
    return np.zeros((params.num_coin_words, *worlds), dtype=np.uint32)
