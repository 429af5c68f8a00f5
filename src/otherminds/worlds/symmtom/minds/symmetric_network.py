"""Networks for SymmToM that treat all other agents alike and all pieces alike, in the agent's frame of the board.

Symmetries are built in instead of learned: what an agent learns about one piece, partner or corner applies to all. Such
policies learn in minutes what plain networks do not learn in hours.

The touring network chooses a goal (another agent, then a second one, or home), and then the move. It also gets features
of every two visits, by its own belief: the distances, how much there is to hear and to tell, and the probability of
complete knowledge afterwards. It learns the value of such tours; a move is as likely as its tours.
"""

from __future__ import annotations

from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp

from otherminds.worlds.symmtom.minds.features import BASE, OFFSET, TEACHES, Situation, to_board, unpacked
from otherminds.worlds.symmtom.types import Array

_REACH = 1  # hearing radius of the standard world
_SCALE = 4.0  # of lengths, as in situations


def dense(size: int, scale: float = 2**0.5) -> nn.Dense:
    """A layer with orthogonal weights, as usual for policy gradients."""
    return nn.Dense(size, kernel_init=nn.initializers.orthogonal(scale))


class Trunk(nn.Module):
    """A summary of the situation that does not depend on the order of the others, and a vector for each of them."""

    width: int
    other_width: int

    @nn.compact
    def __call__(self, own: Array, other: Array) -> tuple[Array, Array]:
        others = nn.relu(dense(self.other_width)(other) + dense(self.other_width, 0.5)(own)[..., None, :])
        pooled = jnp.concatenate([own, others.mean(-2), others.max(-2)], axis=-1)
        hidden = nn.relu(dense(self.width)(pooled))
        return nn.relu(dense(self.width)(hidden)), others


class Symmetric(nn.Module):
    """Logits of moves and pieces from a situation, whose features come last; otherwise as in ``networks.py``."""

    num_outputs: int
    width: int = 128
    other_width: int = 64
    piece_units: int = 4
    is_recurrent: bool = False
    knows_place: bool = True  # whether situations include place and turn: see ``features.py``

    def begin(self, num_agents: int, num_pieces: int, batch: tuple[int, ...]) -> Any:
        return jnp.zeros((self.width, *batch)) if self.is_recurrent else ()

    @nn.compact
    def __call__(self, carry: Any, inputs: Situation) -> tuple[Array, Any]:
        trunk, others = Trunk(self.width, self.other_width)(inputs.own, inputs.other)
        if self.is_recurrent:
            carry, trunk = nn.GRUCell(self.width)(jnp.moveaxis(carry, 0, -1), trunk)
            carry = jnp.moveaxis(carry, -1, 0)
        moves = to_board(dense(5, 0.01)(trunk), inputs.frame)
        score = Pieces(self.num_outputs - 5, self.piece_units, name="_Pieces_0")  # the name in stored actors
        pieces = score(trunk, others, inputs.own_facts, inputs.other_facts)
        return jnp.moveaxis(jnp.concatenate([moves, pieces], axis=-1), -1, 0), carry


class Pieces(nn.Module):
    """A score for each piece, by the same function for all, from beliefs about who knows it."""

    num_pieces: int
    units: int

    @nn.compact
    def __call__(self, trunk: Array, others: Array, own_facts: Array, other_facts: Array) -> Array:
        c, size = self.num_pieces, self.units
        is_certain = own_facts.dtype == jnp.uint32
        kinds, other_kinds = (f.shape[-1 if is_certain else -2] for f in (own_facts, other_facts))

        def fact(facts: Array, *place: int) -> Array:
            """Whether something holds of each piece, ``float32 […, piece, 1]``."""
            if not is_certain:
                return facts[(..., *place, slice(None))][..., None]
            bits = (facts[(..., *place)][..., None] >> jnp.arange(c, dtype=jnp.uint32)) & 1
            return bits.astype(jnp.float32)[..., None]

        # The weight of a fact depends on the situation: the trunk gives one for each hidden unit.
        own_weights = dense((kinds + 2) * size, 0.5)(trunk)
        other_weights = dense(other_kinds * size, 0.5)(others) + dense(other_kinds * size, 0.5)(trunk)[..., None, :]
        own_weights = own_weights.reshape((*own_weights.shape[:-1], kinds + 2, 1, size))
        other_weights = other_weights.reshape((*other_weights.shape[:-1], other_kinds, 1, size))
        # The number of a piece has no meaning, but lets agents with equal knowledge say different pieces.
        number = jnp.arange(c, dtype=jnp.float32)[:, None] / c
        hidden = own_weights[..., kinds, :, :] + own_weights[..., kinds + 1, :, :] * number
        for kind in range(kinds):
            hidden += own_weights[..., kind, :, :] * fact(own_facts, kind)
        for slot in range(others.shape[-2]):
            for kind in range(other_kinds):
                hidden += other_weights[..., slot, kind, :, :] * fact(other_facts, slot, kind)
        straight, bent = (self.param(name, nn.initializers.normal(0.1), (size,)) for name in ("straight", "bent"))
        return hidden @ straight + nn.relu(hidden) @ bent


class Touring(nn.Module):
    """Logits of moves and pieces from a situation, whose features come last; otherwise as in ``networks.py``."""

    num_outputs: int
    width: int = 64
    other_width: int = 48
    piece_units: int = 8
    is_wary: bool = False  # whether the first feature of others is ``danger``: see ``features.py``
    knows_place: bool = True  # whether situations include place and turn: see ``features.py``

    def begin(self, num_agents: int, num_pieces: int, batch: tuple[int, ...]) -> Any:
        return ()

    @nn.compact
    def __call__(self, carry: Any, inputs: Situation) -> tuple[Array, Any]:
        own, other, slots = inputs.own, inputs.other, inputs.other.shape[-2]
        others = nn.relu(dense(self.other_width)(other) + dense(self.other_width, 0.5)(own)[..., None, :])
        crowd = jnp.concatenate([own, others.mean(-2), others.max(-2)], axis=-1)

        visits = visits_of(inputs, self.num_outputs - 5, self.is_wary)
        # The gain of a visit is discounted by its delay; sums alone approximate such products badly.
        gain = dense(self.width)(visits) * jnp.exp(-nn.relu(dense(self.width, 0.5)(visits)))
        tour = nn.relu(dense(self.width)(jnp.concatenate([gain, nn.relu(dense(self.width)(visits))], axis=-1)))
        value = dense(1, 0.1)(jnp.concatenate([gain, tour], axis=-1))[..., 0]
        worth = jax.nn.logsumexp(value, axis=-1)  # […, slot], whatever comes second
        home = nn.relu(dense(self.other_width)(crowd))
        goals = jax.nn.log_softmax(jnp.concatenate([worth, dense(1, 0.1)(home)], axis=-1))

        way = nn.relu(dense(self.other_width)(others) + dense(self.other_width)(crowd)[..., None, :])
        ways = jnp.concatenate([dense(5, 0.1)(way), dense(5, 0.1)(home)[..., None, :]], axis=-2)
        moves = jax.nn.logsumexp(goals[..., None] + jax.nn.log_softmax(ways), axis=-2)

        toward = (jnp.exp(goals)[..., :slots, None] * others).sum(-2)
        trunk = nn.relu(dense(self.width)(jnp.concatenate([crowd, toward, jnp.exp(moves)], axis=-1)))
        pieces = Pieces(self.num_outputs - 5, self.piece_units)(trunk, others, inputs.own_facts, inputs.other_facts)
        logits = jnp.concatenate([to_board(moves, inputs.frame), pieces], axis=-1)
        return jnp.moveaxis(logits, -1, 0), carry


def visits_of(inputs: Situation, num_pieces: int, is_wary: bool = False) -> Array:
    """Features of every visit and the next one, ``float32 […, slot, next slot, feature]``.

    A pair of visits to the same agent stands for one visit.
    """
    mine = _likely(inputs.own_facts, num_pieces)[..., None, 1, :]  # […, 1, piece], what it knows itself
    theirs = _likely(inputs.other_facts, num_pieces)[..., 0, :]  # […, slot, piece], what others are thought to know
    offset = _SCALE * inputs.other[..., jnp.asarray(OFFSET)]  # […, slot, axis]
    base = _SCALE * inputs.own[..., None, jnp.asarray(BASE)]
    step = _toward(offset)
    far, back = _length(step), _length(base - step)
    both = jnp.maximum(mine, theirs)
    first = [
        far, back, (theirs * (1 - mine)).sum(-1), inputs.other[..., TEACHES] * num_pieces,
        (mine * (1 - theirs)).sum(-1), both.prod(-1), jnp.broadcast_to(mine.prod(-1), far.shape),
    ]  # fmt: skip
    if is_wary:
        danger = inputs.other[..., 0]
        first += [danger, danger * both.prod(-1)]
    on = _toward(offset[..., None, :, :] - step[..., :, None, :])  # […, slot, next slot, axis]
    place = step[..., :, None, :] + on
    then, before = theirs[..., None, :, :], both[..., :, None, :]
    second = [
        _length(on), _length(base[..., None, :] - place), (then * (1 - before)).sum(-1), (before * (1 - then)).sum(-1),
        jnp.maximum(before, then).prod(-1),
    ]  # fmt: skip
    slots = theirs.shape[-2]
    is_two = 1.0 - jnp.eye(slots)
    second = [jnp.broadcast_to(value * is_two, on.shape[:-1]) for value in (*second, jnp.ones(()))]
    return jnp.stack([*(jnp.broadcast_to(value[..., None], on.shape[:-1]) for value in first), *second], axis=-1)


def _toward(gap: Array) -> Array:
    """The offset along each axis into hearing range."""
    return jnp.sign(gap) * jnp.maximum(jnp.abs(gap) - _REACH, 0)


def _length(way: Array) -> Array:
    """The number of turns for an offset, at least one, scaled."""
    return jnp.maximum(jnp.abs(way).sum(-1), 1.0) / _SCALE


def _likely(facts: Array, num_pieces: int) -> Array:
    """Facts about pieces as numbers, ``[…, kind, piece]``."""
    return unpacked(facts, num_pieces).astype(jnp.float32) if facts.dtype == jnp.uint32 else facts
