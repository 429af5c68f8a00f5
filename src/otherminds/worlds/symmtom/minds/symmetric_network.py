"""A network for SymmToM that treats all other agents alike and all pieces alike, in the agent's frame of the board.

Symmetries are built in instead of learned: what an agent learns about one piece, partner or corner applies to all. Such
policies learn in minutes what plain networks do not learn in hours.
"""

from __future__ import annotations

from typing import Any

import flax.linen as nn
import jax.numpy as jnp

from otherminds.worlds.symmtom.minds.features import Situation, to_board
from otherminds.worlds.symmtom.types import Array


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
