"""Plans for telling an agent what it lacks, by an agent that may not know what that is.

A plan is made for an *information set*: weighted states that look alike so far. The reward of a turn and the positions
after it distinguish some of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from otherminds.worlds.symmtom.scenarios.solver.graph import Graph
from otherminds.worlds.symmtom.scenarios.types import Condition
from otherminds.worlds.symmtom.types import Array

DEPTH = 3  # turns of lookahead
_TIE = 0.1  # plans whose expected turns differ by less count as equal, since weights are estimates
Weights = tuple[tuple[int, float], ...]  # of nodes, in order; they sum to 1


class Teller:
    """Plans for role 0 in a graph in which the others do not talk."""

    def __init__(self, graph: Graph, success: tuple[Condition, ...]) -> None:
        self._graph = graph
        self._wins = graph.holds(success)
        self._places = np.concatenate([graph.states.x, graph.states.y])
        self.turns = cache(self._turns)

    def best(self, weights: Mapping[int, float]) -> float:
        """Expected turns of the best plan for an information set; ``inf`` beyond the lookahead."""
        return self._deepened(_normal(weights))[0]

    def misled(self, believed: Mapping[int, float], truth: int) -> float:
        """Expected turns in the true state when planning by a belief; equally good plans are equally likely."""
        return self._misled(_normal(believed), truth, DEPTH)

    def _deepened(self, weights: Weights) -> tuple[float, int]:
        """Expected turns of the best plan of the least depth that surely succeeds, and that depth."""
        for depth in range(1, DEPTH + 1):
            if (turns := self.turns(weights, depth)) < np.inf:
                return turns, depth
        return np.inf, DEPTH

    def _turns(self, weights: Weights, depth: int) -> float:
        return min(self._by_action(weights, depth).values())

    def _by_action(self, weights: Weights, depth: int) -> dict[int, float]:
        """Expected turns by action; actions with equal results are listed once."""
        if depth == 0:
            return {0: np.inf}
        nodes, shares = (np.asarray(column) for column in zip(*weights, strict=True))
        results = np.concatenate([self._graph.follows[:, nodes], self._graph.rewards[:, nodes]], axis=1)
        costs = {}
        for action in np.unique(results, axis=0, return_index=True)[1].tolist():
            after = self._graph.follows[action, nodes]
            open_ = ~self._wins[after]
            cost = 1.0
            _, group = np.unique(self._look(action, nodes, after), axis=0, return_inverse=True)
            for part in (np.flatnonzero((group == g) & open_) for g in np.unique(group[open_])):
                share = float(shares[part].sum())
                if cost < np.inf:
                    cost += share * self.turns(_normal(_joined(after[part], shares[part])), depth - 1)
            costs[action] = cost
        return costs

    def _misled(self, weights: Weights, truth: int, depth: int) -> float:
        if depth == 0:
            return np.inf
        ahead = self._deepened(weights)[1]
        options = self._by_action(weights, ahead)
        nodes, shares = (np.asarray(column) for column in zip(*weights, strict=True))
        results = []
        if min(options.values()) == np.inf:
            return np.inf
        for action in [a for a, cost in options.items() if cost <= min(options.values()) + _TIE]:
            then = int(self._graph.follows[action, truth])
            if self._wins[then]:
                results.append(1.0)
                continue
            after = self._graph.follows[action, nodes]
            seen = self._look(action, np.asarray([truth]), np.asarray([then]))[0]
            fits = (self._look(action, nodes, after) == seen).all(axis=1) & ~self._wins[after]
            # If everything it considered possible is refuted, it is assumed to learn the truth.
            rest = _joined(after[fits], shares[fits]) if fits.any() else {then: 1.0}
            results.append(1.0 + self._misled(_normal(rest), then, depth - 1))
        return float(np.mean(results))

    def _look(self, action: int, nodes: Array, after: Array) -> Array:
        """What role 0 sees of a turn, ``[node, fact]``."""
        return np.concatenate([self._graph.rewards[action, nodes][:, None], self._places[:, after].T], axis=1)


def _joined(nodes: Array, shares: Array) -> dict[int, float]:
    weights: dict[int, float] = {}
    for node, share in zip(nodes.tolist(), shares.tolist(), strict=True):
        weights[node] = weights.get(node, 0.0) + share
    return weights


def _normal(weights: Mapping[int, float]) -> Weights:
    total = sum(weights.values())
    return tuple((node, round(weights[node] / total, 9)) for node in sorted(weights))
