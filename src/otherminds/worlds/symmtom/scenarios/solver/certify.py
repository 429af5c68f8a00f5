"""Prove the claims of a scenario from the rules (spec section 12.1).

For every case, a certificate has the number of turns of the best play, the margin of the right choice over any other,
the choices of minds of each order of belief, and how often a random mind passes. ``claims.py`` compares it with the
file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.seeds import generator
from otherminds.worlds.symmtom.beliefs import tom_orders
from otherminds.worlds.symmtom.beliefs.tom_orders import MINDS
from otherminds.worlds.symmtom.bits import pieces_of
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.rules import earshot
from otherminds.worlds.symmtom.scenarios.solver.claims import FAR, check_claims, rounded
from otherminds.worlds.symmtom.scenarios.solver.graph import Graph, check_covered, explore
from otherminds.worlds.symmtom.scenarios.solver.information_sets import Teller
from otherminds.worlds.symmtom.scenarios.solver.plans import DISCOUNTS, first_contact_values, looks_of, walk
from otherminds.worlds.symmtom.scenarios.staging import history_of, play_turns
from otherminds.worlds.symmtom.scenarios.types import Case, Condition, Deed, Scenario
from otherminds.worlds.symmtom.types import State

PATIENCE = 1.5  # a case is passed by success within this multiple of the best number of turns
_PARTICLES = 1024


def pass_limit(case: Case) -> int:
    """The most turns in which a success passes, for the joint score of twins."""
    return int(PATIENCE * case.turns)


def certify(scenario: Scenario) -> dict[str, Any]:
    """Return the certificate, in plain values."""
    check_covered(scenario)
    courses = [follow(scenario, case) for case in scenario.cases]
    looks = [looks_of(scenario, case) for case in scenario.cases]
    alike = [[c for c, theirs in zip(courses, looks, strict=True) if theirs == mine] for mine in looks]
    silent = _graph(scenario, courses, talk=False, turns=scenario.limit)
    proofs: dict[str, Any] = {}
    by_case = _decisions(scenario, courses) if len(scenario.choices) > 1 else _tellings(scenario, courses, silent)
    for course, group in zip(courses, alike, strict=True):
        case = course.case
        search = walk(silent.graph, scenario.success(case), scenario.failure(case), scenario.limit)
        node = silent.true[case.name]
        turns = float(search.shortest[node])
        if len(group) > 1:
            teller = Teller(silent.graph, scenario.success(case))
            turns = teller.best({silent.true[other.case.name]: other.case.weight for other in group})
        limit = min(pass_limit(case), scenario.limit)
        proofs[case.name] = {
            "turns": rounded(turns),
            "random_success": rounded(search.chance[-1][node]),
            "random_pass": rounded(search.chance[limit][node]),
            **by_case.get(case.name, {}),
            **goals_of(scenario, course.state),
        }
    check_claims(scenario, proofs)
    return proofs


@dataclass(frozen=True)
class CaseCourse:
    """A case after its history."""

    case: Case
    state: State  # [role]
    supposed: Mapping[str, list[tuple[tuple[int, ...], float]]]  # [mind]: what it considers possible, with weights


def follow(scenario: Scenario, case: Case) -> CaseCourse:
    """Play the history with minds of all orders in the tested seat."""
    params, states = scenario.params, history_of(scenario, case)
    sights = [perceive(state, params) for state in states]
    supposed = {}
    for name in MINDS:
        rule = tom_orders.rule_of(name, _PARTICLES)
        try:
            memory = tom_orders.begin(sights[0], params, rule)
            for number, (sight, state) in enumerate(zip(sights[1:], states[1:], strict=True)):
                rng = generator(0, f"certify/{number}")
                memory = tom_orders.update(memory, sight, params, rule, rng, state.last_reward)
        except UserError as error:
            scenario.refuse("switches", f"the order of belief that is needed cannot be proved: {error}")
        supposed[name] = _held(tom_orders.possible(memory, sights[-1], rule))
    return CaseCourse(case, states[-1], supposed)


def _held(possible: tom_orders.Possible) -> list[tuple[tuple[int, ...], float]]:
    """What role 0 considers possible, without repeats."""
    weights: defaultdict[tuple[int, ...], float] = defaultdict(float)
    for sets, weight in zip(possible.knowledge[:, 0].T.tolist(), possible.weight[0].tolist(), strict=True):
        weights[tuple(sets)] += weight
    total = sum(weights.values())
    return [(knowledge, weight / total) for knowledge, weight in weights.items() if weight > 1e-3 * total]


@dataclass(frozen=True)
class _Explored:
    graph: Graph
    true: Mapping[str, int]  # [case]: the node of the true state
    supposed: Mapping[tuple[str, str], dict[int, float]]  # nodes considered possible, with weights


def _graph(scenario: Scenario, courses: Sequence[CaseCourse], *, talk: bool, turns: int) -> _Explored:
    """One graph from the true states of all cases and from all states that minds consider possible."""
    roots, places = [course.state for course in courses], []
    for course in courses:
        for mind, possibilities in course.supposed.items():
            for knowledge, weight in possibilities:
                places.append((course.case.name, mind, len(roots), weight))
                sets = np.asarray(knowledge, dtype=np.uint32)
                roots.append(course.state._replace(knowledge=sets, previous_knowledge=sets))
    graph = explore(scenario, State(*(np.stack(a, axis=-1) for a in zip(*roots, strict=True))), talk=talk, turns=turns)
    supposed: defaultdict[tuple[str, str], dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for name, mind, root, weight in places:
        supposed[name, mind][int(graph.roots[root])] += weight
    true = {course.case.name: int(graph.roots[i]) for i, course in enumerate(courses)}
    return _Explored(graph, true, supposed)


def _decisions(scenario: Scenario, courses: Sequence[CaseCourse]) -> dict[str, dict[str, Any]]:
    """The margin of each case's right choice, in truth and by the belief of each order, for each discount."""
    horizons = [
        scenario.limit if scenario.horizon == "trial" else min(scenario.limit, int(case.turns) + 1)
        for case in scenario.cases
    ]
    talking = _graph(scenario, courses, talk=True, turns=max(horizons))
    decided = np.logical_or.reduce([talking.graph.holds(conditions) for conditions in scenario.choices.values()])
    proofs: dict[str, dict[str, Any]] = {}
    for course, horizon in zip(courses, horizons, strict=True):
        case = course.case
        values = {d: first_contact_values(talking.graph, dict(scenario.choices), horizon, d) for d in DISCOUNTS}

        def margins(weights: Mapping[int, float], values: Any = values, right: str = case.right) -> list[float]:
            nodes, shares = np.asarray(list(weights)), np.asarray(list(weights.values()))
            is_open = ~decided[nodes]
            if not is_open.any():
                return [0.0 for _ in DISCOUNTS]  # this mind believes that nothing is left to choose
            nodes, shares = nodes[is_open], shares[is_open]
            worth = {
                d: {name: float(np.maximum(v[nodes], -FAR) @ shares / shares.sum()) for name, v in by_name.items()}
                for d, by_name in values.items()
            }
            others = {d: max(v for name, v in w.items() if name != right) for d, w in worth.items()}
            return [rounded(worth[d][right] - others[d]) for d in DISCOUNTS]

        proofs[case.name] = {
            "margin": margins({talking.true[case.name]: 1.0}),
            "margins": {mind: margins(talking.supposed[case.name, mind]) for mind in MINDS},
        }
    return proofs


def _tellings(scenario: Scenario, courses: Sequence[CaseCourse], silent: _Explored) -> dict[str, dict[str, Any]]:
    """The number of turns of plans by the belief of each order, for each case."""
    proofs: dict[str, dict[str, Any]] = {}
    for course in courses:
        success = scenario.success(course.case)
        if any(condition.verb == "near" for condition in success):
            continue  # nothing has to be told, so the shortest path is enough
        teller, node = Teller(silent.graph, success), silent.true[course.case.name]
        turns = {m: rounded(teller.misled(silent.supposed[course.case.name, m], node)) for m in MINDS}
        proofs[course.case.name] = {"believed_turns": turns}
    return proofs


def goals_of(scenario: Scenario, state: State) -> dict[str, Any]:
    """For each agent that moves by script, the value of meeting each other agent first, for each discount.

    A script that leads an agent to another one than the best is refused, since it could not be predicted.
    """
    worths: dict[str, Any] = {}
    for role in range(1, len(scenario.agents)):
        if all(turn[role].move == 0 for turn in scenario.script):
            continue
        order = [role, *(other for other in range(len(scenario.agents)) if other != role)]
        names = [scenario.agents[other] for other in order]
        choices: dict[str, tuple[Condition, ...]] = {
            name: (Condition(0, "near", (place,)),) for place, name in enumerate(names) if place
        }
        alone = replace(scenario, agents=tuple(names), choices=choices, script=())
        swapped = State(*(a if name == "turn" else a[order] for name, a in state._asdict().items()))
        horizon = scenario.params.num_turns
        graph = explore(alone, State(*(a[..., None] for a in swapped)), talk=True, turns=horizon)
        values = [first_contact_values(graph, choices, horizon, discount) for discount in DISCOUNTS]
        worth = {name: [rounded(v[name][graph.roots[0]]) for v in values] for name in choices}
        met = _first_met(scenario, state, role)
        if met and any(worth[met][d] < worth[name][d] for name in worth for d in range(len(DISCOUNTS))):
            scenario.refuse(
                "trial", f"the script leads {names[0]} to {met}, which is not the best agent to meet first: {worth}"
            )
        worths[names[0]] = worth
    return {"goals": worths} if worths else {}


def _first_met(scenario: Scenario, state: State, role: int) -> str | None:
    """The agent that a scripted agent meets first if role 0 stays where it is."""
    turns = [(Deed(), *scenario.deeds(number)[1:]) for number in range(scenario.params.num_turns)]
    for after in play_turns(scenario, state, turns)[1:]:
        if near := pieces_of(earshot(after.x, after.y, scenario.params)[role]):
            return scenario.agents[near[0]]
    return None
