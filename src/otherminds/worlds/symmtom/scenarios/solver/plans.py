"""The values of plans and the shortest play, by dynamic programming over the states of a trial."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from otherminds.worlds.symmtom.scenarios.solver.graph import Graph, actions, explore
from otherminds.worlds.symmtom.scenarios.staging import history_of, shown, trial_state
from otherminds.worlds.symmtom.scenarios.types import Case, Condition, Deed, Scenario
from otherminds.worlds.symmtom.types import SILENT, Array, State

NEVER = float("-inf")
DISCOUNTS = (0.95, 1.0)


class Walk(NamedTuple):
    """The shortest success and a random mind's chance of success, by exhaustive search."""

    shortest: Array  # float [node], turns to the nearest success; inf if there is none
    chance: Array  # float [turn, node], probability that a random mind has succeeded by a turn


def first_contact_values(
    graph: Graph, choices: dict[str, tuple[Condition, ...]], horizon: int, discount: float
) -> dict[str, Array]:
    """For each choice, the value of the best plan that reaches it before any other, ``float [node]``.

    Plans are valued up to the horizon, also after the first contact. A choice that cannot be reached has the value
    ``-inf``.
    """
    meets = {name: graph.holds(conditions) for name, conditions in choices.items()}
    anything = np.logical_or.reduce(list(meets.values()))
    nothing = np.zeros(len(anything))
    free = nothing  # the best plan for what is left of the trial
    bound = {name: np.full(len(anything), NEVER) for name in choices}
    for _ in range(horizon):
        then = {name: np.where(meets[name], free, np.where(anything, NEVER, bound[name])) for name in choices}
        bound = {name: _backed_up(graph, then[name], discount, np.where(meets[name], 0.0, NEVER)) for name in choices}
        free = _backed_up(graph, free, discount, nothing)
    return bound


def _backed_up(graph: Graph, values: Array, discount: float, at_end: Array) -> Array:
    """The value of the best action; ``at_end`` is the value of a state in which a competitive episode was won."""
    best = np.full(graph.follows.shape[1], NEVER)
    for follows, rewards, ends in zip(graph.follows, graph.rewards, graph.ends, strict=True):
        later = values[follows]
        if ends.any():
            later = np.where(ends, at_end[follows], later)
        np.maximum(best, rewards + discount * later, out=best)
    return best


def walk(graph: Graph, success: tuple[Condition, ...], failure: tuple[Condition, ...], limit: int) -> Walk:
    """The shortest path to success, and a random mind's chance of success."""
    wins = graph.holds(success)
    loses = graph.holds(failure) & ~wins
    shortest = np.where(wins, 0.0, np.inf)
    chance = [wins.astype(float)]
    spoken = [index for index, (_, piece) in enumerate(actions(graph.params)) if piece != SILENT]
    for _ in range(limit):
        # A win ends a competitive episode, unless the same turn decided the trial.
        later = np.where(graph.ends & ~wins[graph.follows], np.inf, shortest[graph.follows])
        nearest = later.min(axis=0) + 1
        shortest = np.where(wins, 0.0, np.where(loses, np.inf, nearest))
        hopes = np.where(graph.ends & ~wins[graph.follows], 0.0, chance[-1][graph.follows])
        reached = hopes[spoken].mean(axis=0)
        chance.append(np.where(wins, 1.0, np.where(loses, 0.0, reached)))
    return Walk(shortest, np.stack(chance))


def shortest_play(scenario: Scenario, case: Case, choice: str | None = None) -> tuple[Deed, ...]:
    """The deeds of role 0 on a shortest path to a choice, by default the right one, that reaches no other.

    Role 0 speaks only if it has to.
    """
    graph, shortest = _ways(scenario, case, choice or case.right)
    node, play = int(graph.roots[0]), []
    while shortest[node] > 0:
        deed, node = min(_steps(graph, shortest, node))  # silence is the least of pieces
        play.append(deed)
    return tuple(play)


def first_acts(scenario: Scenario, case: Case) -> frozenset[Deed]:
    """All acts with which a shortest success can begin."""
    graph, shortest = _ways(scenario, case, case.right)
    return frozenset(deed for deed, _ in _steps(graph, shortest, int(graph.roots[0])))


def looks_of(scenario: Scenario, case: Case) -> tuple[tuple[str, ...], ...]:
    """Everything the tested agent is shown up to the trial, by turn. Equal for cases it cannot distinguish."""
    return tuple(tuple(shown(state, scenario.params).values()) for state in history_of(scenario, case))


def is_paired(scenario: Scenario) -> bool:
    """Whether its cases are twins: they look different to the tested agent, and no act is best in all of them."""
    looks = {looks_of(scenario, case) for case in scenario.cases}
    return 1 < len(looks) == len(scenario.cases) and not asks_the_same(scenario)


def asks_the_same(scenario: Scenario) -> bool:
    """Whether one choice is right in all cases and, if it is the only one, can begin with the same act in all."""
    if len({case.right for case in scenario.cases}) > 1:
        return False
    return len(scenario.choices) > 1 or bool(
        frozenset.intersection(*(first_acts(scenario, case) for case in scenario.cases))
    )


def _steps(graph: Graph, shortest: Array, node: int) -> list[tuple[Deed, int]]:
    """The next acts on shortest paths, and the node that each leads to."""
    options = zip(actions(graph.params), graph.follows[:, node].tolist(), strict=True)
    return [(Deed(*action), after) for action, after in options if shortest[after] == shortest[node] - 1]


def _ways(scenario: Scenario, case: Case, choice: str) -> tuple[Graph, Array]:
    """The graph from the start of a trial, and the distance of each node from a choice."""
    wanted = scenario.choices[choice]
    others = tuple(c for conditions in scenario.choices.values() if conditions is not wanted for c in conditions)
    root = State(*(np.asarray(a)[..., None] for a in trial_state(scenario, case)))
    turns = min(ceil(case.turns), scenario.limit)
    while True:
        graph = explore(scenario, root, talk=False, turns=turns)
        shortest = walk(graph, wanted, others, turns).shortest
        if shortest[graph.roots[0]] < np.inf:
            return graph, shortest
        if turns == scenario.limit:
            scenario.refuse(
                f"{case.name}.right",
                f"case {case.name!r}: {choice!r} cannot be reached in the {scenario.limit} turns of the "
                f"trial, whatever {scenario.agents[0]} does",
            )
        turns = min(2 * turns, scenario.limit)
