"""A shortest play to a choice, to show it and to compare with."""

from __future__ import annotations

from math import ceil

import numpy as np

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.scenarios.solver.graph import actions, explore
from otherminds.worlds.symmtom.scenarios.solver.plans import walk
from otherminds.worlds.symmtom.scenarios.stage import trial_state
from otherminds.worlds.symmtom.scenarios.types import Case, Deed, Scenario
from otherminds.worlds.symmtom.types import State


def shortest_play(scenario: Scenario, case: Case, choice: str | None = None) -> tuple[Deed, ...]:
    """What role 0 does on a shortest way to a choice, by default the right one, past no other.

    It speaks only where it has to.

    Raises:
        UserError: if the choice cannot be reached within the trial.
    """
    wanted = scenario.choices[choice or case.right]
    others = tuple(c for conditions in scenario.choices.values() if conditions is not wanted for c in conditions)
    root = State(*(np.asarray(a)[..., None] for a in trial_state(scenario, case)))
    turns = min(ceil(case.turns), scenario.limit)
    while True:
        graph = explore(scenario, root, talk=False, turns=turns)
        shortest = walk(graph, wanted, others, turns).shortest
        node = int(graph.roots[0])
        if shortest[node] < np.inf:
            break
        if turns == scenario.limit:
            raise UserError(f"{scenario.name}, case {case.name!r}: {choice or case.right!r} cannot be reached")
        turns = min(2 * turns, scenario.limit)
    play: list[Deed] = []
    options = [Deed(*action) for action in actions(scenario.params)]
    while shortest[node] > 0:
        follows = graph.follows[:, node]
        good = [a for a in range(len(options)) if shortest[follows[a]] == shortest[node] - 1]
        best = min(good, key=lambda a: options[a])  # silence is the least of pieces
        play.append(options[best])
        node = int(follows[best])
    return tuple(play)
