"""The battery of theory-of-mind tests of SymmToM: a policy in the tested seat of every scenario (spec section 12.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np

from otherminds.core.mind import Believing, Policy
from otherminds.core.seeds import generator, jax_key
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.chance import draw_coins
from otherminds.worlds.symmtom.minds.rollout import PolicyKind, pick_engine, split_variables
from otherminds.worlds.symmtom.scenarios.items import matters
from otherminds.worlds.symmtom.scenarios.solver.certify import pass_limit
from otherminds.worlds.symmtom.scenarios.solver.plans import is_paired
from otherminds.worlds.symmtom.scenarios.staging import (
    StagedTrials,
    Staging,
    by_role,
    put_on,
    spread_stagings,
    trial_state,
    verdict,
)
from otherminds.worlds.symmtom.scenarios.types import Scenario
from otherminds.worlds.symmtom.types import Action, Array, Params, State

_FEW = 1000  # trials
_ONE_AT_A_TIME = Lock()  # threads that play the same policy share its program


@dataclass(frozen=True)
class Trials:
    """Outcomes of the trials of a scenario, ``[case, episode]`` each."""

    scenario: Scenario
    outcome: Array  # int, 1 success, -1 failure, 0 neither within the limit
    turns: Array  # int, until decided
    knew: Array | None  # bool, the belief at the start of the trial was right where it mattered
    as_written: Trials | None = None  # others in the layout of the file, neither turned nor permuted

    @property
    def passed(self) -> Array:
        """Success about as fast as can be, ``bool [case, episode]``."""
        limits = np.asarray([pass_limit(case) for case in self.scenario.cases])[:, None]
        return (self.outcome == 1) & (self.turns <= limits)


@dataclass(frozen=True)
class Score:
    """The scores of a policy's trials of a scenario; rates from 0 to 1."""

    scenario: str
    episodes: int  # of each case
    success: float
    failure: float
    unfinished: float
    ratso: float | None  # turns over the best number of turns, mean of the successful; none without success
    pair_joint: float | None  # all twins passed; none without twins
    by_case: dict[str, float]  # success
    literal: float | None  # its belief was right; none if it has none, or nothing could be known
    knew_and_passed: float | None = None
    passed_unknowing: float | None = None
    as_written: float | None = None  # success in the layout of the file, and the same two figures
    as_written_ratso: float | None = None
    as_written_joint: float | None = None


def perform(
    scenario: Scenario,
    policy: Policy,
    episodes: int = 1000,
    seed: int = 0,
    engine: str | None = None,
) -> Trials:
    """Play every case in all stagings in turn, and a fifth as often as it is written.

    A single case is played twice as often. So all batches are alike, and a policy is compiled once for a setting.
    """
    turned = episodes * max(1, 2 // len(scenario.cases))
    ways = [*spread_stagings(scenario.params.num_agents, turned), *[Staging()] * -(-turned // 5)]
    staged = put_on(scenario, [(case, way) for case in scenario.cases for way in ways])
    params, size = scenario.params, (len(scenario.cases), len(ways))
    rng = generator(seed, f"scenario/{scenario.name}")
    if engine is None and staged.seats.shape[1] < _FEW and split_variables(policy)[1] is None:
        engine = "numpy"  # over before anything would be compiled
    seated = Seated(policy, params, pick_engine(engine), rng)
    seated.begin(staged.start)
    outcome, turns, knew = np.zeros(size, dtype=np.int8), np.zeros(size, dtype=np.int32), None
    is_over = np.zeros(size, dtype=bool)

    state = staged.start
    for turn in range(-len(staged.history), scenario.limit):
        chosen, action = seated.act(state), staged.scripted(turn)
        if turn == 0:
            knew = _knew(scenario, staged, seated.believes(state), size)
        if turn >= 0:
            action = Action(*(np.where(staged.tested, a, b) for a, b in zip(chosen, action, strict=True)))
        state, result = rules.step(state, action, draw_coins(rng, params, state.turn.shape), params)
        if turn < 0:
            continue
        is_open = (outcome == 0) & ~is_over
        roles = by_role(state, staged.seats)
        for row, case in enumerate(scenario.cases):
            mine = slice(row * len(ways), (row + 1) * len(ways))
            now = verdict(scenario, case, type(roles)(*(a[..., mine] for a in roles)))
            outcome[row] = np.where(is_open[row], now, outcome[row])
        turns = np.where(is_open, turn + 1, turns)
        is_over |= result.terminated.reshape(size)  # an agent won a competitive episode
        if ((outcome != 0) | is_over).all():
            break

    def part(which: slice, rest: Trials | None) -> Trials:
        known = None if knew is None else knew[:, which]
        return Trials(scenario, outcome[:, which], turns[:, which], known, rest)

    return part(slice(turned), part(slice(turned, None), None))


class Seated:
    """A policy at work in a batch of worlds, on NumPy or compiled."""

    def __init__(self, policy: Policy, params: Params, engine: str, rng: np.random.Generator) -> None:
        kind, self._weights = split_variables(policy)
        self._rng, self._has_belief, self._is_compiled = rng, isinstance(policy, Believing), engine == "jax"
        self._memory: Any = None
        with _ONE_AT_A_TIME:
            self._begin, self._act, self._believes = (_compiled if self._is_compiled else _program)(kind, params)

    def begin(self, state: State) -> None:
        self._memory = self._begin(self._weights, state)

    def act(self, state: State) -> Action:
        chance: Any = jax_key(int(self._rng.integers(1 << 31)), "act") if self._is_compiled else self._rng
        action, self._memory = self._act(self._weights, self._memory, state, chance)
        return Action(*map(np.asarray, action))

    def believes(self, state: State) -> Array | None:
        """What the policy says of everyone's knowledge, after it has acted; see ``Planner.believes``."""
        return self._believes(self._weights, self._memory, state) if self._has_belief else None


def _program(kind: PolicyKind, params: Params) -> tuple[Any, Any, Any]:
    """How a policy begins, acts and believes, given its weights: agents that differ in weights are one program."""

    def begin(weights: Any, state: State) -> Any:
        policy = kind.filled(weights)
        return policy.begin(policy.look(state, params), params)

    def act(weights: Any, memory: Any, state: State, chance: Any) -> Any:
        policy = kind.filled(weights)
        return policy.act(memory, policy.look(state, params), params, chance)

    def believes(weights: Any, memory: Any, state: State) -> Any:
        policy = kind.filled(weights)
        return policy.believes(memory, policy.look(state, params), params)

    return begin, act, believes


@lru_cache(maxsize=64)
def _compiled(kind: PolicyKind, params: Params) -> tuple[Any, ...]:
    import jax

    return tuple(map(jax.jit, _program(kind, params)))


def score(trials: Trials) -> Score:
    """Return the scores of trials; cases count by their weight."""
    scenario, outcome = trials.scenario, trials.outcome
    weights = np.asarray([case.weight for case in scenario.cases])
    weights = weights / weights.sum()

    def share(claims: Array) -> float:
        return float(weights @ claims.mean(axis=1))

    best = np.asarray([case.turns for case in scenario.cases])[:, None]
    won = (outcome == 1) * weights[:, None]
    knew, passed = trials.knew, trials.passed
    written = score(trials.as_written) if trials.as_written else None
    return Score(
        scenario=scenario.name,
        episodes=outcome.shape[1],
        success=share(outcome == 1),
        failure=share(outcome == -1),
        unfinished=share(outcome == 0),
        ratso=float((won * trials.turns / best).sum() / won.sum()) if won.any() else None,
        pair_joint=float(passed.all(axis=0).mean()) if is_paired(scenario) else None,
        by_case={case.name: float((outcome[row] == 1).mean()) for row, case in enumerate(scenario.cases)},
        literal=None if knew is None else share(knew),
        knew_and_passed=None if knew is None else share(knew & passed),
        passed_unknowing=None if knew is None else share(~knew & passed),
        as_written=None if written is None else written.success,
        as_written_ratso=None if written is None else written.ratso,
        as_written_joint=None if written is None else written.pair_joint,
    )


def _knew(scenario: Scenario, staged: StagedTrials, likely: Any, size: tuple[int, int]) -> Array | None:
    """Whether the tested agent's belief was right in all that mattered, ``bool [case, episode]``."""
    facts = matters(scenario)
    if likely is None or not facts:
        return None
    likely = np.asarray(likely)
    trial = np.arange(likely.shape[-1])
    cases = trial // size[1]
    truths = np.asarray([trial_state(scenario, case).knowledge for case in scenario.cases])
    right = np.ones(len(trial), dtype=bool)
    for role, piece in facts:
        thought = likely[staged.seats[0], staged.seats[role], piece, trial] > 0.5
        right &= thought == (truths[cases, role] >> piece & 1 != 0)
    return right.reshape(size)
