"""What each agent of SymmToM perceives. Partial observability is implemented here: review this file for leaks.

:func:`perceive` gives plain facts for beliefs and scripted minds, :func:`observe` the vector for learners (spec section
4). Both show the turn just played. Only the Oracle blocks, which are off by default, reveal what an agent could not see
or hear.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from otherminds.worlds.symmtom.bits import bit_of, column, contains, members, namespace, numbers
from otherminds.worlds.symmtom.chance import draw_deal
from otherminds.worlds.symmtom.rules import deal, displacement, free_ways, speakable
from otherminds.worlds.symmtom.types import Array, Params, State


class Percept(NamedTuple):
    """Facts as they appear to each observer, 0 where the observer cannot see the subject.

    ``sees`` refers to the cells after the move; ``earshot`` holds the pairs that the observer saw or belonged to.
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


_SEEN = ("x", "y", "base_x", "base_y", "direction_x", "direction_y")
_OF_SUBJECTS = (*_SEEN, "first_hand", "utterance", "earshot")


def perceive(state: State, params: Params) -> Percept:
    """Return the facts that each agent can perceive after a turn."""
    xp, n = namespace(state.x), params.num_agents
    everyone = xp.zeros_like(state.earshot) + ((1 << n) - 1)
    return _appearance(
        Percept(
            state.x,
            state.y,
            state.base_x,
            state.base_y,
            *directions(state, params),
            first_hand=state.first_hand,
            utterance=state.utterance,
            earshot=state.earshot,
            uses_base=members(xp, [state.uses_base[j] for j in range(n)]),
            sees=everyone if params.vision is None else _within_sight(state, params),
            turn=state.turn,
        ),
        params,
    )


def perceive_within(sight: Percept, params: Params) -> Percept:
    """Return the percepts of each agent as far as each other agent can tell, for second-order beliefs.

    The first axis of the result is the agent that perceives. The agent that reasons about it comes before the trailing
    axes, as if its view were another world: ``[believer, subject, observer, *worlds]``. Beliefs updated by these
    percepts equal the ledger's along a chain of two agents. Apply the function again for the next order.
    """
    xp, n = namespace(sight.x), params.num_agents
    facts = sight._replace(**{name: xp.moveaxis(getattr(sight, name), 0, 1) for name in _OF_SUBJECTS})
    sees = sight.sees
    # An observer sees the cells of two agents, so it sees whether they see each other.
    if params.vision is not None:
        seen = contains(sight.sees[None], numbers(facts.x))
        near = _within_sight(facts, params)
        sees = near & members(xp, [seen & seen[j] for j in range(n)])
    turn = xp.broadcast_to(sight.turn, (n, *sight.turn.shape))
    return _appearance(facts._replace(sees=xp.broadcast_to(sees, facts.earshot.shape), turn=turn), params)


def _appearance(facts: Percept, params: Params) -> Percept:
    """How facts ``[subject, *worlds]`` appear to each agent, ``[observer, subject, *worlds]``.

    Of the facts, ``sees`` is the set of agents that each agent sees, and ``uses_base`` a set of agents, ``[*worlds]``.
    """
    xp, n = namespace(facts.x), params.num_agents
    itself = bit_of(xp, numbers(facts.x))
    # An agent in earshot was in sight then, even if it has moved out of it since (only with hear_before_move).
    knows_of = facts.sees | facts.earshot | itself

    def shown(values: Array, is_shown: Array | None) -> Array:
        rows = xp.broadcast_to(values, (n, *values.shape))
        return rows if is_shown is None else xp.where(is_shown, rows, xp.zeros_like(rows))

    is_seen = None if params.vision is None else _pairs(facts.sees)
    is_own = _pairs(xp.broadcast_to(itself, facts.x.shape)) if params.private_first_hand else None
    return Percept(
        **{name: shown(getattr(facts, name), is_seen) for name in _SEEN},
        first_hand=shown(facts.first_hand, is_own),
        utterance=shown(facts.utterance, _pairs(facts.earshot | itself)),
        earshot=shown(facts.earshot, _pairs(knows_of)) & knows_of[:, None],
        uses_base=facts.sees & facts.uses_base,
        sees=facts.sees,
        turn=facts.turn,
    )


@lru_cache(maxsize=64)
def layout(params: Params) -> tuple[tuple[str, int], ...]:
    """The blocks of an observation vector in order, with their sizes."""
    start = deal(draw_deal(np.random.default_rng(0), params), params)
    return tuple((name, block.shape[1]) for name, block in _blocks(start, params).items())


def observation_size(params: Params) -> int:
    """Number of entries of one agent's vector: c(2n-1) + 6n + 2 without optional blocks."""
    return sum(size for _, size in layout(params))


def observe(state: State, params: Params) -> Array:
    """The observation vector of every agent, ``float32 [agent, entry, *worlds]``; :func:`layout` names the entries."""
    return namespace(state.x).concat(list(_blocks(state, params).values()), axis=1)


def _blocks(state: State, params: Params) -> dict[str, Array]:
    """The blocks of the observation vector, ``float32 [agent, entry, *worlds]`` each."""
    xp, n, worlds = namespace(state.x), params.num_agents, state.turn.shape
    blocks: dict[str, Array] = {}

    def show(name: str, entries: Array) -> None:
        blocks[name] = xp.reshape(entries.astype(xp.float32), (n, -1, *worlds))

    def show_sets(name: str, sets: Array) -> None:
        show(name, flags(xp, sets, params))

    def show_offsets(name: str, offsets: Array) -> None:
        show(name, _scaled(xp, offsets, params.width - 1))

    right, left, up, down = free_ways(state, params)
    places = _other_places(xp, state, params)
    if params.oracle or params.show_own_knowledge:
        show_sets("own_knowledge", displayed_knowledge(state, params)[:, None])
    show_sets("own_first_hand", state.first_hand[:, None])
    show("own_direction", xp.stack(directions(state, params), axis=1))
    show("other_directions", places[:, :, 0:2])
    if params.positions == "absolute":
        show_offsets("own_position", xp.stack([state.x, state.y], axis=1))
    show_offsets("other_positions", places[:, :, 2:4])
    if params.oracle:
        show_sets("other_knowledge", others(xp, displayed_knowledge(state, params)))
    public = xp.zeros_like(state.first_hand) if params.private_first_hand else state.first_hand
    show_sets("other_first_hand", others(xp, public))
    show_offsets("own_base", xp.stack([state.base_x - state.x, state.base_y - state.y], axis=1))
    show_offsets("other_bases", places[:, :, 4:6])
    show_sets("other_utterances", _other_speech(xp, state))
    show("walls", ~xp.stack([up, down, right, left], axis=1))
    if params.vision is not None:
        show("seen", _seen_others(state, params))
    if params.show_speakable:
        show_sets("speakable", speakable(state, params)[:, None])
    if params.show_own_utterance:
        show_sets("own_utterance", state.utterance[:, None])
    if params.show_last_reward:
        show("last_reward", state.last_reward)
    if params.show_turn:
        show("turn", _scaled(xp, state.turn + xp.zeros_like(state.x), params.num_turns))
    return blocks


def directions(state: State, params: Params) -> tuple[Array, Array]:
    """Visible directions of agents along x and y, ``int32 [agent, *worlds]`` each (spec section 13, row 19)."""
    if params.directions == "intended":
        return displacement(namespace(state.x), state.chosen_move)
    return state.direction_x, state.direction_y


def displayed_knowledge(state: State, params: Params) -> Array:
    """The knowledge that Oracle blocks show, ``uint32 [agent, *worlds]`` (spec section 13, row 21)."""
    return state.knowledge if params.displayed_knowledge == "current" else state.previous_knowledge


def _other_places(xp: Any, state: State, params: Params) -> Array:
    """Direction, position and base of the others, ``int32 [observer, slot, 6, *worlds]``, all 0 for an unseen agent."""
    own_x, own_y = state.x[:, None], state.y[:, None]
    x, y, base_x, base_y = (others(xp, a) for a in (state.x, state.y, state.base_x, state.base_y))
    zero = xp.zeros_like(x)
    from_x, from_y = (own_x, own_y) if params.positions == "relative" else (zero, zero)
    base_from_x, base_from_y = (x, y) if params.other_bases == "owner" else (own_x, own_y)
    quantities = (
        *(others(xp, direction) for direction in directions(state, params)),
        x - from_x,
        y - from_y,
        base_x - base_from_x,
        base_y - base_from_y,
    )
    places = xp.stack(quantities, axis=2)
    if params.vision is None:
        return places
    return xp.where(_seen_others(state, params)[:, :, None], places, xp.zeros_like(places))


def _seen_others(state: State, params: Params) -> Array:
    return contains(_within_sight(state, params)[:, None], _other_numbers(state))


def _other_speech(xp: Any, state: State) -> Array:
    """Utterances of the others that each observer was in range of, ``uint32 [observer, slot, *worlds]``."""
    speech = others(xp, state.utterance)
    is_heard = contains(state.earshot[:, None], _other_numbers(state))
    return xp.where(is_heard, speech, xp.zeros_like(speech))


@lru_cache(maxsize=64)
def _fractions(whole: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """``d / whole`` for d from -whole to whole: a table, since the engines round divisions differently."""
    return (np.arange(-whole, whole + 1) / whole).astype(np.float32)


def _scaled(xp: Any, offsets: Array, whole: int) -> Array:
    # Clipped for turns played after the end; clipping also spares JAX a slower check (benchmarks/symmtom_speed.py).
    return xp.take(xp.asarray(_fractions(whole)), offsets + whole, axis=0, mode="clip")


def _within_sight(state: State | Percept, params: Params) -> Array:
    xp = namespace(state.x)
    x, y, v = state.x, state.y, params.vision
    return members(xp, [(xp.abs(x - x[j]) <= v) & (xp.abs(y - y[j]) <= v) for j in range(params.num_agents)])


def _pairs(sets: Array) -> Array:
    """Sets of agents as pairs, ``uint32 [observer, *worlds] -> bool [observer, subject, *worlds]``."""
    return contains(sets[:, None], numbers(sets)[None])


def others(xp: Any, values: Array) -> Array:
    """The values of the others for each observer, in increasing order: ``[subject, …] -> [observer, slot, …]``."""
    if isinstance(values, np.ndarray):
        return values[other_agents(values.shape[0])]
    # Selection compiles to faster code than indexing.
    observer = numbers(values)
    slots = range(values.shape[0] - 1)
    return xp.stack([xp.where(observer > s, values[s], values[s + 1]) for s in slots], axis=1)


def _other_numbers(state: State) -> Any:
    """The number of the agent in each slot, ``uint32 [observer, slot, 1, …]``."""
    slots = other_agents(state.x.shape[0]).astype(np.uint32)
    return slots.reshape((*slots.shape, *(1 for _ in state.turn.shape)))


@lru_cache(maxsize=16)
def other_agents(num_agents: int) -> Any:
    """The agents other than each one, ``int [observer, slot]``."""
    return np.asarray([[j for j in range(num_agents) if j != i] for i in range(num_agents)])


def flags(xp: Any, sets: Array, params: Params) -> Array:
    """Sets of pieces as 0/1 entries, ``uint32 [agent, slot, *worlds] -> float32 [agent, slot·piece, *worlds]``."""
    n, size, *worlds = sets.shape
    pieces = column(params.num_pieces, 1 + len(worlds))
    entries = ((sets[:, :, None] >> pieces) & 1).astype(xp.float32)
    return xp.reshape(entries, (n, size * params.num_pieces, *worlds))
