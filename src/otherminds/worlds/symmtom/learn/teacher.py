"""The planner as a teacher: a distribution over moves and pieces, by their worth.

The planner breaks ties by the number of an agent or a move. A pupil cannot and need not learn that, so choices of equal
worth get equal shares, and choices of almost equal worth almost equal shares.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp

from otherminds.worlds.symmtom.minds.tour_values import BARELY, View, piece_worths, step_costs, tours
from otherminds.worlds.symmtom.types import MOVES, Array, Params


class Advice(NamedTuple):
    """Shares of all choices, which sum to 1."""

    move: Array  # float32 [agent, 5, *worlds]
    piece: Array  # float32 [agent, piece, *worlds]


def advise(view: View, params: Params, temperature: float) -> Advice:
    """The planner's advice to all agents; a difference in worth of a temperature reduces a share by a factor of e."""
    # An agent that gains nothing by moving stays, or goes home.
    goals = [goal._replace(worth=goal.worth - BARELY * (k > 0)) for k, goal in enumerate(tours(jnp, view, params))]
    shares = jax.nn.softmax(jnp.stack([goal.worth for goal in goals]) / temperature, axis=0)
    move: Array = 0.0
    for goal, share in zip(goals, shares, strict=True):
        cost = jnp.stack(step_costs(jnp, view.sight, goal, params), axis=1)
        is_best = (cost == cost.min(axis=1, keepdims=True)).astype(jnp.float32)
        move += share[:, None] * is_best / is_best.sum(axis=1, keepdims=True)
    stay = jnp.zeros(move[:, 0].shape, jnp.int32)
    worth = sum(move[:, k][:, None] * piece_worths(jnp, view, stay + k, params) for k in range(len(MOVES)))
    piece = jax.nn.softmax(jnp.where(view.can_say > 0.5, worth / temperature, -1e9), axis=1)
    return Advice(move, piece)
