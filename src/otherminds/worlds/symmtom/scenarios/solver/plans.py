"""What plans are worth: dynamic programming over the states that can come of a trial."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from otherminds.worlds.symmtom.scenarios.conditions import Condition
from otherminds.worlds.symmtom.scenarios.solver.graph import Graph, actions
from otherminds.worlds.symmtom.types import SILENT, Array

NEVER = float("-inf")
DISCOUNTS = (0.95, 1.0)


@dataclass(frozen=True)
class Walk:
    """What undirected search finds of the shortest success and of a random player."""

    shortest: Array  # float [node], turns to the nearest success; inf if there is none
    chance: Array  # float [turn, node], how probably a random player has succeeded after so many turns


def first_contact_values(
    graph: Graph, choices: dict[str, tuple[Condition, ...]], horizon: int, discount: float
) -> dict[str, Array]:
    """For each choice, the worth of the best plan that comes to it before any other, ``float [node]``.

    Plans are valued up to the horizon, also after the first contact; a choice that cannot be reached is worth
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
    """The worth of the best action; ``at_end`` is that of a state in which a competitive trial was won."""
    best = np.full(graph.follows.shape[1], NEVER)
    for follows, rewards, ends in zip(graph.follows, graph.rewards, graph.ends, strict=True):
        later = values[follows]
        if ends.any():
            later = np.where(ends, at_end[follows], later)
        np.maximum(best, rewards + discount * later, out=best)
    return best


def walk(graph: Graph, success: tuple[Condition, ...], failure: tuple[Condition, ...], limit: int) -> Walk:
    """The shortest way to success, and a random player's chances of it."""
    wins = graph.holds(success)
    loses = graph.holds(failure) & ~wins
    shortest = np.where(wins, 0.0, np.inf)
    chance = [wins.astype(float)]
    spoken = [index for index, (_, piece) in enumerate(actions(graph.params)) if piece != SILENT]
    for _ in range(limit):
        # Where somebody wins a competitive trial it is over, unless that turn decided it.
        later = np.where(graph.ends & ~wins[graph.follows], np.inf, shortest[graph.follows])
        nearest = later.min(axis=0) + 1
        shortest = np.where(wins, 0.0, np.where(loses, np.inf, nearest))
        hopes = np.where(graph.ends & ~wins[graph.follows], 0.0, chance[-1][graph.follows])
        reached = hopes[spoken].mean(axis=0)
        chance.append(np.where(wins, 1.0, np.where(loses, 0.0, reached)))
    return Walk(shortest, np.stack(chance))
