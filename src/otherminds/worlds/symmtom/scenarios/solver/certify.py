"""The proof of a scenario: what its file claims, computed from the rules (spec section 12.1).

A certificate says for every case how many turns the best player needs, by how much the right choice is better than any
other, what minds of each order of belief would choose, and how often a random player passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.seeds import generator
from otherminds.worlds.symmtom import minds
from otherminds.worlds.symmtom.minds import MINDS, ORDERS
from otherminds.worlds.symmtom.observe import Percept, perceive
from otherminds.worlds.symmtom.rules import earshot
from otherminds.worlds.symmtom.scenarios.conditions import Condition
from otherminds.worlds.symmtom.scenarios.solver.graph import Graph, explore
from otherminds.worlds.symmtom.scenarios.solver.plans import DISCOUNTS, first_contact_values, walk
from otherminds.worlds.symmtom.scenarios.solver.telling import Teller
from otherminds.worlds.symmtom.scenarios.stage import deal_case, played_turn
from otherminds.worlds.symmtom.scenarios.types import Case, Deed, Scenario
from otherminds.worlds.symmtom.types import State

PATIENCE = 1.5  # a case is passed by success within so many times the best number of turns
_PARTICLES = 1024
_FAR = 1e6  # stands for what cannot be reached, where numbers are compared and written


def pass_limit(case: Case) -> int:
    """Turns within which success counts as passing, for the joint score of twins."""
    return int(PATIENCE * case.turns)


@dataclass(frozen=True)
class _Course:
    """A case after its history."""

    case: Case
    state: State  # [role]
    percepts: tuple[Any, ...]  # all that role 0 was shown, in plain numbers
    supposed: Mapping[str, list[tuple[tuple[int, ...], float]]]  # [mind]: what it holds possible, with weights


def certify(scenario: Scenario) -> dict[str, Any]:
    """The certificate, in plain values.

    Raises:
        UserError: if a claim of the file does not hold.
    """
    courses = [_follow(scenario, case) for case in scenario.cases]
    alike = [[other for other in courses if other.percepts == course.percepts] for course in courses]
    silent = _graph(scenario, courses, talk=False, turns=scenario.limit)
    found: dict[str, Any] = {}
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
        found[case.name] = {
            "turns": _short(turns),
            "random_success": _short(search.chance[-1][node]),
            "random_pass": _short(search.chance[limit][node]),
            **by_case.get(case.name, {}),
            **_goals(scenario, course.state),
        }
    _check(scenario, found)
    return found


def needed_order(scenario: Scenario, certificate: Mapping[str, Any]) -> str:
    """The least order of belief from which on all cases are passed.

    Raises:
        UserError: if there is none.
    """
    passes = {order: _all_right(scenario, certificate, order) for order in ORDERS}
    for place, order in enumerate(ORDERS):
        if all(passes[higher] for higher in ORDERS[place:]):
            return order
    raise UserError(f"{scenario.name}: no order of belief chooses right in all cases: {certificate}")


def is_paired(scenario: Scenario) -> bool:
    """Whether its cases are twins: they look different to the tested agent, and ask for different acts."""
    courses = [_follow(scenario, case, ()) for case in scenario.cases]
    return len(courses) > 1 and len({course.percepts for course in courses}) == len(courses)


def _is_right(scenario: Scenario, found: Mapping[str, Any], mind: str) -> bool:
    if len(scenario.choices) > 1:
        return _is_best(found["margins"][mind])
    return bool(found["believed_turns"][mind] <= found["turns"] + 1e-6)


def _is_best(margins: Sequence[float]) -> bool:
    """Better if sooner is better, and no worse if it makes no difference when."""
    return all(margin > 0 if discount < 1 else margin >= 0 for margin, discount in zip(margins, DISCOUNTS, strict=True))


def _all_right(scenario: Scenario, certificate: Mapping[str, Any], mind: str) -> bool:
    return all(_is_right(scenario, certificate[case.name], mind) for case in scenario.cases)


def _check(scenario: Scenario, found: Mapping[str, Any]) -> None:
    for case in scenario.cases:
        mine = found[case.name]
        if abs(mine["turns"] - case.turns) > 1e-3:
            raise UserError(
                f"{scenario.name}, case {case.name!r}: the file says {case.turns:g} turns, the search finds "
                f"{mine['turns']:g}"
            )
        if "margin" in mine and not _is_best(mine["margin"]):
            raise UserError(
                f"{scenario.name}, case {case.name!r}: {case.right!r} is not the best choice; its margin is "
                f"{mine['margin']} at discounts {DISCOUNTS}"
            )
    if not all("margins" in mine or "believed_turns" in mine for mine in found.values()):
        return
    if scenario.reproduction:
        place = MINDS.index(str(scenario.order))
        right = [_all_right(scenario, found, mind) for mind in MINDS]
        if not all(right[place:]) or right[place - 1]:
            raise UserError(f"{scenario.name}: order {scenario.order} is not what makes the difference: {found}")
    elif is_paired(scenario) and (order := needed_order(scenario, found)) != str(scenario.order):
        raise UserError(f"{scenario.name}: the file says order {scenario.order}, the solver finds {order}")


@dataclass(frozen=True)
class _Explored:
    graph: Graph
    true: Mapping[str, int]  # [case]: the node of the true state
    supposed: Mapping[tuple[str, str], dict[int, float]]  # nodes held possible, with weights


def _graph(scenario: Scenario, courses: Sequence[_Course], *, talk: bool, turns: int) -> _Explored:
    """One graph from the true states of all cases and from all that minds hold possible."""
    roots, places = [course.state for course in courses], []
    for course in courses:
        for mind, held in course.supposed.items():
            for knowledge, weight in held:
                places.append((course.case.name, mind, len(roots), weight))
                sets = np.asarray(knowledge, dtype=np.uint32)
                roots.append(course.state._replace(knowledge=sets, previous_knowledge=sets))
    graph = explore(scenario, State(*(np.stack(a, axis=-1) for a in zip(*roots, strict=True))), talk=talk, turns=turns)
    supposed: dict[tuple[str, str], dict[int, float]] = {}
    for name, mind, root, weight in places:
        nodes = supposed.setdefault((name, mind), {})
        node = int(graph.roots[root])
        nodes[node] = nodes.get(node, 0.0) + weight
    true = {course.case.name: int(graph.roots[i]) for i, course in enumerate(courses)}
    return _Explored(graph, true, supposed)


def _decisions(scenario: Scenario, courses: Sequence[_Course]) -> dict[str, dict[str, Any]]:
    """By how much each case's right choice is better, in truth and in the eyes of each order, for each discount."""
    horizons = [scenario.limit if scenario.horizon == "trial" else int(case.turns) + 1 for case in scenario.cases]
    talking = _graph(scenario, courses, talk=True, turns=max(horizons))
    decided = np.logical_or.reduce([talking.graph.holds(conditions) for conditions in scenario.choices.values()])
    found: dict[str, dict[str, Any]] = {}
    for course, horizon in zip(courses, horizons, strict=True):
        case = course.case
        values = {d: first_contact_values(talking.graph, dict(scenario.choices), horizon, d) for d in DISCOUNTS}

        def margins(weights: Mapping[int, float], values: Any = values, right: str = case.right) -> list[float]:
            nodes, shares = np.asarray(list(weights)), np.asarray(list(weights.values()))
            is_open = ~decided[nodes]
            if not is_open.any():
                return [0.0 for _ in DISCOUNTS]  # to this mind there is nothing left to choose
            nodes, shares = nodes[is_open], shares[is_open]
            worth = {
                d: {name: float(np.maximum(v[nodes], -_FAR) @ shares / shares.sum()) for name, v in by_name.items()}
                for d, by_name in values.items()
            }
            others = {d: max(v for name, v in w.items() if name != right) for d, w in worth.items()}
            return [_short(worth[d][right] - others[d]) for d in DISCOUNTS]

        found[case.name] = {
            "margin": margins({talking.true[case.name]: 1.0}),
            "margins": {mind: margins(talking.supposed[case.name, mind]) for mind in MINDS},
        }
    return found


def _tellings(scenario: Scenario, courses: Sequence[_Course], silent: _Explored) -> dict[str, dict[str, Any]]:
    """How many turns each case takes those who plan by the belief of each order."""
    found: dict[str, dict[str, Any]] = {}
    for course in courses:
        success = scenario.success(course.case)
        if any(condition.verb == "near" for condition in success):
            continue  # not to be told anything: the shortest way is all there is
        teller, node = Teller(silent.graph, success), silent.true[course.case.name]
        turns = {m: _short(teller.misled(silent.supposed[course.case.name, m], node)) for m in MINDS}
        found[course.case.name] = {"believed_turns": turns}
    return found


def _goals(scenario: Scenario, state: State) -> dict[str, Any]:
    """For everyone whose script has it move, what meeting each other agent first is worth to it, for each discount.

    Raises:
        UserError: if its script leads it to another than the best: nobody could foresee that.
    """
    found: dict[str, Any] = {}
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
        horizon = 5 * scenario.params.width
        graph = explore(alone, State(*(a[..., None] for a in swapped)), talk=True, turns=horizon)
        values = [first_contact_values(graph, choices, horizon, discount) for discount in DISCOUNTS]
        worth = {name: [_short(v[name][graph.roots[0]]) for v in values] for name in choices}
        met = _first_met(scenario, state, role)
        if met and any(worth[met][d] < worth[name][d] for name in worth for d in range(len(DISCOUNTS))):
            raise UserError(
                f"{scenario.name}: the script leads {names[0]} to {met}, but meeting first is worth to it {worth}"
            )
        found[names[0]] = worth
    return {"goals": found} if found else {}


def _first_met(scenario: Scenario, state: State, role: int) -> str | None:
    """Whom a scripted agent comes near first if role 0 stays where it is."""
    for number in range(5 * scenario.params.width):
        state = played_turn(scenario, state, (Deed(), *scenario.deeds(number)[1:]))
        near = earshot(state.x, state.y, scenario.params)[role]
        for other, name in enumerate(scenario.agents):
            if int(near) >> other & 1:
                return name
    return None


def _follow(scenario: Scenario, case: Case, names: Sequence[str] = MINDS) -> _Course:
    """Play the history, with minds of all orders in the tested seat."""
    params, state = scenario.params, deal_case(scenario, case)
    rules_of = {name: minds.rule_of(name, _PARTICLES) for name in names}
    sight = perceive(state, params)
    memories = {name: minds.begin(sight, params, rule) for name, rule in rules_of.items()}
    percepts = [_shown(sight, state)]
    for number, turn in enumerate(case.history):
        state = played_turn(scenario, state, turn)
        sight = perceive(state, params)
        percepts.append(_shown(sight, state))
        for name, rule in rules_of.items():
            rng = generator(0, f"certify/{number}")
            memories[name] = minds.update(memories[name], sight, params, rule, rng, state.last_reward)
    supposed = {name: _held(minds.possible(memories[name], sight, rule)) for name, rule in rules_of.items()}
    return _Course(case, state, tuple(percepts), supposed)


def _shown(sight: Percept, state: State) -> tuple[Any, ...]:
    facts = [np.asarray(value)[0].tolist() for name, value in sight._asdict().items() if name != "turn"]
    return (repr(facts), float(state.last_reward[0]))


def _held(possible: minds.Possible) -> list[tuple[tuple[int, ...], float]]:
    """What role 0 holds possible, each once."""
    found: dict[tuple[int, ...], float] = {}
    for sets, weight in zip(possible.knowledge[:, 0].T.tolist(), possible.weight[0].tolist(), strict=True):
        found[tuple(sets)] = found.get(tuple(sets), 0.0) + weight
    total = sum(found.values())
    return [(knowledge, weight / total) for knowledge, weight in found.items() if weight > 1e-3 * total]


def _short(value: Any) -> float:
    return float(f"{max(-_FAR, min(_FAR, float(value))):.5g}")
