"""Inputs of symmetric networks, arranged so that symmetries of the world are symmetries of the arrays.

Other agents are in slots with the same features; pieces have the same facts; and the board is turned and mirrored until
the agent's base lies to the right and up, at least as far right as up (the *frame*). A network that treats slots and
pieces alike then learns from one situation what it would otherwise learn from hundreds. Everything follows from the
agent's own percepts and its belief.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from types import SimpleNamespace
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from otherminds.worlds.symmtom.bits import contains, count, own_of
from otherminds.worlds.symmtom.observe import Percept, other_agents
from otherminds.worlds.symmtom.rules import free_ways, speakable_from
from otherminds.worlds.symmtom.types import Array, Params

_NEAR = 3  # offsets up to here have separate features

# Indices of features that ``symmetric_network.py`` reads. Of the agent itself: the offset of its base. Of another: its
# offset, and the share of pieces that it could be taught.
BASE, OFFSET, TEACHES = (8, 9), (-38, -30), -5


class Frame(NamedTuple):
    """The orientation of the board for each agent, ``bool [agent, *worlds]`` each: mirrored first, then transposed."""

    flip_x: Array
    flip_y: Array
    swap: Array


class Situation(NamedTuple):
    """One decision of every agent, agents first, then worlds."""

    own: Array  # float32 [agent, *worlds, feature]
    other: Array  # float32 [agent, *worlds, slot, feature]
    own_facts: Array  # [agent, *worlds, kind]: sets (uint32), or [agent, *worlds, kind, piece] likelihoods
    other_facts: Array  # [agent, *worlds, slot, kind]: sets, or likelihoods with a last axis of pieces
    frame: Frame


def describe(
    percept: Percept,
    knew: Array,
    knows: Array,
    known: Array,
    params: Params,
    thoughts: Array | None = None,
    knows_place: bool = True,
    danger: Array | None = None,
) -> Situation:
    """The situation of every agent.

    Args:
        percept: percepts of all agents.
        knew: own knowledge before the turn, sets ``[agent, *worlds]``.
        knows: own knowledge now, sets ``[agent, *worlds]``.
        known: believed knowledge of the others, by slots: sets ``uint32 [agent, slot, *worlds]``, or probabilities
            ``float32 [agent, slot, piece, *worlds]``.
        params: parameters of the world.
        thoughts: believed beliefs of each other, about the observer first and then the rest: sets
            ``[agent, slot, n-1, *worlds]``.
        knows_place: whether to include the centre of the board and the number of turns left. The paper's vectors have
            neither; an agent that sees the whole board and counts turns knows both.
        danger: whether the next recharge of each other would win, ``float32 [agent, slot, *worlds]``.
    """
    n, w, c = params.num_agents, params.width, params.num_pieces
    x, y, base_x, base_y = (own_of(jnp, a) for a in (percept.x, percept.y, percept.base_x, percept.base_y))
    can_say = speakable_from(knows, knew, params)
    frame = _frame(base_x - x, base_y - y, x, y, w)
    ox, oy, obx, oby = (_others(a) for a in (percept.x, percept.y, percept.base_x, percept.base_y))
    went_x, went_y = (_others(a) for a in (percept.direction_x, percept.direction_y))
    said, first = _others(percept.utterance), _others(percept.first_hand)

    dx, dy = _turned(frame, ox - x[:, None], oy - y[:, None])
    home_x, home_y = _turned(frame, obx - ox, oby - oy)
    far_x, far_y = _turned(frame, obx - x[:, None], oby - y[:, None])
    went_x, went_y = _turned(frame, went_x, went_y)
    reach, home = jnp.maximum(jnp.abs(dx), jnp.abs(dy)), jnp.abs(home_x) + jnp.abs(home_y)
    near = [(jnp.abs(ox - ox[:, [s]]) <= 2) & (jnp.abs(oy - oy[:, [s]]) <= 2) for s in range(n - 1)]
    if params.vision is not None:
        is_seen = contains(percept.sees[:, None], np.asarray(other_agents(n), np.uint32)[(..., *(None,) * x[0].ndim)])
        near = [claim & is_seen[:, [s]] for s, claim in enumerate(near)]
    company = sum(claim.astype(jnp.int32) for claim in near)
    lacks, teaches, offers = exchanges(can_say, knows, known, params)
    other = [
        *_offsets(dx), *_offsets(dy), reach <= 1, reach <= 2, reach <= 3, reach / 4.0,
        (jnp.abs(dx) + jnp.abs(dy)) / 4.0,
        home_x / 4.0, home_y / 4.0, home == 0, home == 1, home == 2, home / 4.0, far_x / 4.0, far_y / 4.0,
        went_x, went_y, company, said != 0, *levels(lacks, c), *levels(teaches, c), *levels(offers, c),
    ]  # fmt: skip

    if danger is not None:
        other = [danger, *other]
    if params.vision is not None:
        other = [is_seen, *(jnp.where(is_seen, feature, 0) for feature in other)]
    bx, by = _turned(frame, base_x - x, base_y - y)
    centre_x, centre_y = _turned(frame, w - 1 - 2 * x, w - 1 - 2 * y)
    turns_left = jnp.broadcast_to(params.num_turns - percept.turn, x.shape)
    if not knows_place:
        centre_x, centre_y, turns_left = (jnp.zeros_like(a) for a in (centre_x, centre_y, turns_left))
    to_base = jnp.abs(bx) + jnp.abs(by)
    own = [
        *(bx == k for k in range(4)), *(by == k for k in range(4)), bx / 4.0, by / 4.0, to_base / 4.0,
        *_free_ways(frame, x, y, params), centre_x / 8.0, centre_y / 8.0,
        *levels(c - count(jnp, knows), c), *levels(c - count(jnp, can_say), c),
        turns_left / params.num_turns, jnp.minimum(turns_left, 10) / 10.0, turns_left == 1, turns_left <= to_base,
    ]  # fmt: skip
    own_facts = jnp.stack([own_of(jnp, percept.first_hand), knows, own_of(jnp, percept.utterance)], axis=-1)
    if known.dtype == jnp.uint32:
        # About the rest, what all of them are believed to know: one fact for any number of agents.
        second = [] if thoughts is None else [thoughts[:, :, 0]]
        if thoughts is not None and n > 2:
            second.append(reduce(and_, [thoughts[:, :, k] for k in range(1, n - 1)]))
        other_facts = jnp.stack([jnp.moveaxis(a, 1, -1) for a in (known, first, said, *second)], axis=-1)
    else:
        facts = [known, *(unpacked(jnp.moveaxis(a, 1, -1), c) for a in (first, said))]
        facts[0] = jnp.moveaxis(facts[0], (1, 2), (-2, -1))
        other_facts = jnp.stack([a.astype(jnp.float32) for a in facts], axis=-2)
        own_facts = unpacked(own_facts, c).astype(jnp.float32)
    return Situation(_real(own), jnp.moveaxis(_real(other), 1, -2), own_facts, other_facts, frame)


def exchanges(can_say: Array, knows: Array, known: Array, params: Params) -> tuple[Array, Array, Array]:
    """Numbers of pieces that each other lacks, could be taught, and could teach; expected numbers under uncertainty.

    ``[agent, slot, *worlds]`` each, from sets ``[agent, *worlds]`` and ``known`` (see :func:`describe`).
    """
    if known.dtype == jnp.uint32:
        lacks = params.num_pieces - count(jnp, known)
        return lacks, count(jnp, can_say[:, None] & ~known), count(jnp, known & ~knows[:, None])
    say, own = (
        jnp.moveaxis(unpacked(a[:, None], params.num_pieces), -1, 2).astype(jnp.float32) for a in (can_say, knows)
    )
    return (1 - known).sum(axis=2), (say * (1 - known)).sum(axis=2), (known * (1 - own)).sum(axis=2)


def levels(number: Array, most: int) -> list[Array]:
    """A number as features for 0, 1 and 2, interpolated in between, and as a share."""
    return [*(jnp.maximum(0.0, 1.0 - jnp.abs(number - k)) for k in range(3)), number / most]


def to_board(moves: Array, frame: Frame) -> Array:
    """Scores of moves in the agent's frame, ``[agent, *worlds, 5]``, as scores of moves on the board."""
    stay, first_ahead, first_back, second_ahead, second_back = (moves[..., k] for k in range(5))
    x_ahead, x_back = (jnp.where(frame.swap, b, a) for a, b in ((first_ahead, second_ahead), (first_back, second_back)))
    y_ahead, y_back = (jnp.where(frame.swap, a, b) for a, b in ((first_ahead, second_ahead), (first_back, second_back)))
    right, left = (jnp.where(frame.flip_x, b, a) for a, b in ((x_ahead, x_back), (x_back, x_ahead)))
    up, down = (jnp.where(frame.flip_y, b, a) for a, b in ((y_ahead, y_back), (y_back, y_ahead)))
    return jnp.stack([stay, right, left, up, down], axis=-1)


def _frame(dx: Array, dy: Array, x: Array, y: Array, width: int) -> Frame:
    """The frame in which the base is right and up; if it is on the same line, the larger part of the board is."""
    flip_x = (dx < 0) | ((dx == 0) & (2 * x > width - 1))
    flip_y = (dy < 0) | ((dy == 0) & (2 * y > width - 1))
    return Frame(flip_x, flip_y, jnp.abs(dy) > jnp.abs(dx))


def _turned(frame: Frame, dx: Array, dy: Array) -> tuple[Array, Array]:
    """Offsets on the board, ``[agent, …, *worlds]``, in the agent's frame."""
    spread = (slice(None),) + (None,) * (dx.ndim - frame.swap.ndim)
    dx, dy = jnp.where(frame.flip_x[spread], -dx, dx), jnp.where(frame.flip_y[spread], -dy, dy)
    return jnp.where(frame.swap[spread], dy, dx), jnp.where(frame.swap[spread], dx, dy)


def _free_ways(frame: Frame, x: Array, y: Array, params: Params) -> list[Array]:
    """Whether the cells ahead and behind along both axes of the frame are free of walls."""
    right, left, up, down = free_ways(SimpleNamespace(x=x, y=y), params)
    x_ahead, x_back = jnp.where(frame.flip_x, left, right), jnp.where(frame.flip_x, right, left)
    y_ahead, y_back = jnp.where(frame.flip_y, down, up), jnp.where(frame.flip_y, up, down)
    pairs = ((x_ahead, y_ahead), (x_back, y_back), (y_ahead, x_ahead), (y_back, x_back))
    return [jnp.where(frame.swap, b, a) for a, b in pairs]


def _offsets(offset: Array) -> list[Array]:
    return [*(offset == d for d in range(-_NEAR, _NEAR + 1)), offset / 4.0]


def _others(pairs: Array) -> Array:
    """``[observer, subject, *worlds]`` to ``[observer, slot, *worlds]``."""
    n = pairs.shape[0]
    return jnp.stack([jnp.stack([pairs[i, j] for j in range(n) if j != i]) for i in range(n)])


def _real(values: list[Array]) -> Array:
    return jnp.stack([v.astype(jnp.float32) for v in values], axis=-1)


def unpacked(sets: Array, num_pieces: int) -> Array:
    """``uint32 […] -> bool […, piece]``."""
    return (sets[..., None] >> jnp.arange(num_pieces, dtype=jnp.uint32)) & 1 != 0
