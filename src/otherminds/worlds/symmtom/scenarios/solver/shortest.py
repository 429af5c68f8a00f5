"""A shortest play to a choice, to show it and to compare with."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from otherminds.worlds.symmtom.scenarios.solver.graph import Graph, actions, explore
from otherminds.worlds.symmtom.scenarios.solver.plans import walk
from otherminds.worlds.symmtom.scenarios.stage import trial_state
from otherminds.worlds.symmtom.scenarios.types import Case, Deed, Scenario
from otherminds.worlds.symmtom.types import Array, State


class _Ways(NamedTuple):
    """All ways from the start of a trial to a choice."""

    graph: Graph
    shortest: Array  # float [node]
    options: list[Deed]  # [action]

    def good(self, node: int) -> list[int]:
        """The actions with which a shortest way goes on."""
        follows = self.graph.follows[:, node]
        return [a for a in range(len(self.options)) if self.shortest[follows[a]] == self.shortest[node] - 1]


def shortest_play(scenario: Scenario, case: Case, choice: str | None = None) -> tuple[Deed, ...]:
    """What role 0 does on a shortest way to a choice, by default the right one, past no other.

    It speaks only where it has to.

    Raises:
        UserError: if the choice cannot be reached within the trial.
    """
    ways = _ways(scenario, case, choice)
    node, play = int(ways.graph.roots[0]), []
    while ways.shortest[node] > 0:
        best = min(ways.good(node), key=lambda a: ways.options[a])  # silence is the least of pieces
        play.append(ways.options[best])
        node = int(ways.graph.follows[best, node])
    return tuple(play)


def first_acts(scenario: Scenario, case: Case) -> frozenset[Deed]:
    """All acts with which a shortest success can begin.

    Raises:
        UserError: if there is no success within the trial.
    """
    ways = _ways(scenario, case, None)
    return frozenset(ways.options[a] for a in ways.good(int(ways.graph.roots[0])))


def _ways(scenario: Scenario, case: Case, choice: str | None) -> _Ways:
    wanted = scenario.choices[choice or case.right]
    others = tuple(c for conditions in scenario.choices.values() if conditions is not wanted for c in conditions)
    root = State(*(np.asarray(a)[..., None] for a in trial_state(scenario, case)))
    turns = min(ceil(case.turns), scenario.limit)
    while True:
        graph = explore(scenario, root, talk=False, turns=turns)
        shortest = walk(graph, wanted, others, turns).shortest
        if shortest[graph.roots[0]] < np.inf:
            return _Ways(graph, shortest, [Deed(*action) for action in actions(scenario.params)])
        if turns == scenario.limit:
            scenario.refuse(
                f"{case.name}.right",
                f"case {case.name!r}: {choice or case.right!r} cannot be reached in the {scenario.limit} turns of the "
                f"trial, whatever {scenario.agents[0]} does",
            )
        turns = min(2 * turns, scenario.limit)
