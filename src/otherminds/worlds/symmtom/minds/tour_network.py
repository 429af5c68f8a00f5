"""A network for SymmToM that chooses a goal (another agent, then a second one, or home), and then the move.

Like ``symmetric_network.py`` it treats other agents alike and pieces alike, in the agent's frame of the board. It also
gets features of every two visits, by its own belief: the distances, how much there is to hear and to tell, and the
probability of complete knowledge afterwards. It learns the value of such tours; a move is as likely as its tours.
"""

from __future__ import annotations

from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp

from otherminds.worlds.symmtom.minds.features import BASE, OFFSET, TEACHES, Situation, to_board, unpacked
from otherminds.worlds.symmtom.minds.symmetric_network import Pieces, dense
from otherminds.worlds.symmtom.types import Array

_REACH = 1  # hearing radius of the standard world
_SCALE = 4.0  # of lengths, as in situations


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
