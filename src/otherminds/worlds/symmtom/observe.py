"""What each agent of SymmToM perceives: the only file in which partial observability lives, and so the one to review for leaks.

:func:`perceive` gives it as plain facts for beliefs and scripted players, :func:`observe` as the vector for learners (spec section 4).
Both show the turn just played. Nothing here draws on what an agent could not see or hear; the Oracle blocks, which do by design,
are added only when asked for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from otherminds.worlds.symmtom.bits import bit_of, contains, members, namespace, numbers
from otherminds.worlds.symmtom.rules import legal_moves, speakable
from otherminds.worlds.symmtom.types import Array, Params, State


class Percept(NamedTuple):
    """Facts as they appear to each observer; what an observer cannot see of a subject is 0.

    ``sees`` refers to the cells after the move. ``knows_earshot`` holds pairs whose range the observer saw or took part in.
    """

    x: Array  # int32 [observer, subject, *worlds]
    y: Array  # int32 [observer, subject, *worlds]
    base_x: Array  # int32 [observer, subject, *worlds]
    base_y: Array  # int32 [observer, subject, *worlds]
    direction_x: Array  # int32 [observer, subject, *worlds]
    direction_y: Array  # int32 [observer, subject, *worlds]
    first_hand: Array  # uint32 [observer, subject, *worlds], sets of pieces
    utterance: Array  # uint32 [observer, speaker, *worlds], one piece or none; own speech on the diagonal
    earshot: Array  # uint32 [observer, subject, *worlds], sets of agents the subject is known to have been in range of
    uses_base: Array  # uint32 [observer, *worlds], the set of agents seen to use their base
    sees: Array  # uint32 [observer, *worlds], the set of agents seen, itself included
    turn: Array  # int32 [*worlds]


def perceive(state: State, params: Params) -> Percept:
    """The facts each agent can perceive after a turn."""
    xp = namespace(state.x)
    n = params.num_agents
    itself = bit_of(xp, numbers(xp, state.x))
    everyone = xp.zeros_like(state.earshot) + ((1 << n) - 1)
    sees = everyone if params.vision is None else _within_sight(state, params)
    # Whoever was in earshot was in sight then, even if it has moved out of it since (only with hear_before_move).
    knows_of = sees | state.earshot | itself

    def seen(values: Array) -> Array:
        """``[subject, *worlds]`` to ``[observer, subject, *worlds]``, 0 where unseen."""
        rows = xp.broadcast_to(values, (n, *values.shape))
        return rows if params.vision is None else xp.where(_pairs(xp, sees, n), rows, xp.zeros_like(rows))

    audible = _pairs(xp, state.earshot | itself, n)
    speech = xp.broadcast_to(state.utterance, (n, *state.utterance.shape))
    ranges = xp.broadcast_to(state.earshot, (n, *state.earshot.shape)) & knows_of[:, None]
    pieces = xp.broadcast_to(state.first_hand, (n, *state.first_hand.shape))
    if params.private_first_hand:
        pieces = xp.where(_pairs(xp, xp.broadcast_to(itself, state.x.shape), n), pieces, xp.zeros_like(pieces))
    return Percept(
        x=seen(state.x),
        y=seen(state.y),
        base_x=seen(state.base_x),
        base_y=seen(state.base_y),
        direction_x=seen(state.direction_x),
        direction_y=seen(state.direction_y),
        first_hand=pieces,
        utterance=xp.where(audible, speech, xp.zeros_like(speech)),
        earshot=xp.where(_pairs(xp, knows_of, n), ranges, xp.zeros_like(ranges)),
        uses_base=sees & members(xp, [state.uses_base[j] for j in range(n)]),
        sees=sees,
        turn=state.turn,
    )


@lru_cache(maxsize=64)
def layout(params: Params) -> tuple[tuple[str, int], ...]:
    """The blocks of an observation vector in order, with their sizes."""
    n, c = params.num_agents, params.num_pieces
    is_absolute = params.positions == "absolute"
    blocks = (
        ("own_knowledge", c, params.oracle or params.show_own_knowledge),
        ("own_first_hand", c, True),
        ("own_direction", 2, True),
        ("other_directions", 2 * (n - 1), True),
        ("own_position", 2, is_absolute),
        ("other_positions", 2 * (n - 1), True),
        ("other_knowledge", c * (n - 1), params.oracle),
        ("other_first_hand", c * (n - 1), True),
        ("own_base", 2, True),
        ("other_bases", 2 * (n - 1), True),
        ("other_utterances", c * (n - 1), True),
        ("walls", 4, True),
        ("seen", n - 1, params.vision is not None),
        ("speakable", c, params.show_speakable),
        ("own_utterance", c, params.show_own_utterance),
        ("last_reward", 1, params.show_last_reward),
        ("turn", 1, params.show_turn),
    )
    return tuple((name, size) for name, size, is_shown in blocks if is_shown)


def observation_size(params: Params) -> int:
    """Entries of one agent's vector: c(2n-1) + 6n + 2 without extras."""
    return sum(size for _, size in layout(params))


def observe(state: State, params: Params) -> Array:
    """The observation vector of every agent, ``float32 [agent, entry, *worlds]``; :func:`layout` names the entries."""
    xp = namespace(state.x)
    sight = perceive(state, params)
    displayed = state.knowledge if params.displayed_knowledge == "current" else state.previous_knowledge
    scale = _fractions(params.width - 1)
    ones, origin = xp.ones_like(state.x), xp.zeros_like(sight.x)

    def others(x: Array, y: Array, from_x: Array, from_y: Array) -> Array:
        """Offsets of the other agents (or their bases) from an origin, 0 where unseen."""
        dx, dy = _others(xp, x - from_x), _others(xp, y - from_y)
        offsets = _interleave(xp, _scaled(xp, dx, scale), _scaled(xp, dy, scale))
        return offsets

    def unseen_is_zero(values: Array) -> Array:
        if params.vision is None:
            return values
        flags = _others(xp, _pairs(xp, sight.sees, params.num_agents))
        return xp.where(xp.repeat(flags, 2, axis=1), values, xp.zeros_like(values))

    own_x, own_y = state.x[:, None], state.y[:, None]
    is_relative = params.positions == "relative"
    from_owner = params.other_bases == "owner"
    makers: dict[str, Any] = {
        "own_knowledge": lambda: _flags(xp, displayed[:, None], params),
        "own_first_hand": lambda: _flags(xp, state.first_hand[:, None], params),
        "own_direction": lambda: _real(xp, xp.stack([state.direction_x, state.direction_y], axis=1)),
        "other_directions": lambda: _interleave(
            xp, _real(xp, _others(xp, sight.direction_x)), _real(xp, _others(xp, sight.direction_y))
        ),
        "own_position": lambda: _scaled(xp, xp.stack([state.x, state.y], axis=1), scale),
        "other_positions": lambda: unseen_is_zero(
            others(sight.x, sight.y, own_x if is_relative else origin, own_y if is_relative else origin)
        ),
        "other_knowledge": lambda: _flags(xp, _others(xp, _to_all(xp, displayed)), params),
        "other_first_hand": lambda: _flags(xp, _others(xp, sight.first_hand), params),
        "own_base": lambda: _scaled(
            xp, xp.stack([state.base_x - state.x, state.base_y - state.y], axis=1), scale
        ),
        "other_bases": lambda: unseen_is_zero(
            others(sight.base_x, sight.base_y, sight.x if from_owner else own_x, sight.y if from_owner else own_y)
        ),
        "other_utterances": lambda: _flags(xp, _others(xp, sight.utterance), params),
        "walls": lambda: _real(xp, ~legal_moves(state, params))[:, [3, 4, 1, 2]],
        "seen": lambda: _real(xp, _others(xp, _pairs(xp, sight.sees, params.num_agents))),
        "speakable": lambda: _flags(xp, speakable(state, params)[:, None], params),
        "own_utterance": lambda: _flags(xp, state.utterance[:, None], params),
        "last_reward": lambda: state.last_reward[:, None],
        "turn": lambda: _scaled(xp, (ones * state.turn)[:, None], _fractions(params.num_turns)),
    }
    return xp.concat([makers[name]() for name, _ in layout(params)], axis=1)


@lru_cache(maxsize=64)
def _fractions(whole: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """``d / whole`` for d from -whole to whole. A table, since engines round divisions differently."""
    return (np.arange(-whole, whole + 1) / whole).astype(np.float32)


def _scaled(xp: Any, offsets: Array, table: np.ndarray[Any, np.dtype[np.float32]]) -> Array:
    index = xp.reshape(offsets + (len(table) - 1) // 2, (-1,))
    return xp.reshape(xp.take(xp.asarray(table), index, axis=0), offsets.shape)


def _within_sight(state: State, params: Params) -> Array:
    xp = namespace(state.x)
    x, y, v = state.x, state.y, params.vision
    return members(xp, [(xp.abs(x - x[j]) <= v) & (xp.abs(y - y[j]) <= v) for j in range(params.num_agents)])


def _pairs(xp: Any, sets: Array, num_agents: int) -> Array:
    """Sets of agents as claims, ``uint32 [observer, *worlds] -> bool [observer, subject, *worlds]``."""
    return xp.stack([contains(sets, j) for j in range(num_agents)], axis=1)


def _to_all(xp: Any, values: Array) -> Array:
    return xp.broadcast_to(values, (values.shape[0], *values.shape))


def _others(xp: Any, values: Array) -> Array:
    """``[observer, subject, *worlds]`` without the observer itself, the others in increasing order."""
    observer = numbers(xp, values[:, 0])
    slots = range(values.shape[1] - 1)
    return xp.stack([xp.where(observer > s, values[:, s], values[:, s + 1]) for s in slots], axis=1)


def _interleave(xp: Any, first: Array, second: Array) -> Array:
    """``[agent, slot, *worlds]`` twice to ``[agent, 2·slot, *worlds]``: x, y, x, y, …"""
    pairs = xp.stack([first, second], axis=2)
    return xp.reshape(pairs, (first.shape[0], -1, *first.shape[2:]))


def _flags(xp: Any, sets: Array, params: Params) -> Array:
    """Sets of pieces as 0/1 entries, ``uint32 [agent, slot, *worlds] -> float32 [agent, slot·piece, *worlds]``."""
    pieces = xp.reshape(xp.arange(params.num_pieces, dtype=xp.uint32), (1, 1, -1, *(1 for _ in sets.shape[2:])))
    flags = (sets[:, :, None] >> pieces) & 1
    return xp.reshape(_real(xp, flags), (sets.shape[0], -1, *sets.shape[2:]))


def _real(xp: Any, values: Array) -> Array:
    return xp.astype(values, xp.float32)
