"""Cases after their histories: what minds of all orders then hold possible, and which cases are twins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from otherminds.core.errors import UserError
from otherminds.core.seeds import generator
from otherminds.worlds.symmtom import minds
from otherminds.worlds.symmtom.minds import MINDS
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.scenarios.solver.plans import first_acts
from otherminds.worlds.symmtom.scenarios.stage import history_of, shown
from otherminds.worlds.symmtom.scenarios.types import Case, Scenario
from otherminds.worlds.symmtom.types import State

_PARTICLES = 1024


@dataclass(frozen=True)
class Course:
    """A case after its history."""

    case: Case
    state: State  # [role]
    supposed: Mapping[str, list[tuple[tuple[int, ...], float]]]  # [mind]: what it holds possible, with weights


def follow(scenario: Scenario, case: Case) -> Course:
    """Play the history, with minds of all orders in the tested seat.

    Raises:
        UserError: if a mind does not cover the world; the message names the line of its switches.
    """
    params, states = scenario.params, history_of(scenario, case)
    sights = [perceive(state, params) for state in states]
    supposed = {}
    for name in MINDS:
        rule = minds.rule_of(name, _PARTICLES)
        try:
            memory = minds.begin(sights[0], params, rule)
            for number, (sight, state) in enumerate(zip(sights[1:], states[1:], strict=True)):
                rng = generator(0, f"certify/{number}")
                memory = minds.update(memory, sight, params, rule, rng, state.last_reward)
        except UserError as error:
            scenario.refuse("switches", f"it cannot be proved which order of belief is needed: {error}")
        supposed[name] = _held(minds.possible(memory, sights[-1], rule))
    return Course(case, states[-1], supposed)


def looks_of(scenario: Scenario, case: Case) -> tuple[tuple[str, ...], ...]:
    """All that the tested agent is shown up to the trial, turn by turn. Equal for cases that it cannot tell apart."""
    return tuple(tuple(shown(state, scenario.params).values()) for state in history_of(scenario, case))


def is_paired(scenario: Scenario) -> bool:
    """Whether its cases are twins: they look different to the tested agent, and no one act is best in all of them."""
    looks = {looks_of(scenario, case) for case in scenario.cases}
    return 1 < len(looks) == len(scenario.cases) and not asks_the_same(scenario)


def asks_the_same(scenario: Scenario) -> bool:
    """Whether one choice is right in all cases and, where it is the only one, can be begun in all by the same act."""
    if len({case.right for case in scenario.cases}) > 1:
        return False
    return len(scenario.choices) > 1 or bool(
        frozenset.intersection(*(first_acts(scenario, case) for case in scenario.cases))
    )


def _held(possible: minds.Possible) -> list[tuple[tuple[int, ...], float]]:
    """What role 0 holds possible, each once."""
    found: dict[tuple[int, ...], float] = {}
    for sets, weight in zip(possible.knowledge[:, 0].T.tolist(), possible.weight[0].tolist(), strict=True):
        found[tuple(sets)] = found.get(tuple(sets), 0.0) + weight
    total = sum(found.values())
    return [(knowledge, weight / total) for knowledge, weight in found.items() if weight > 1e-3 * total]
