"""The replay memory of MADDPG: a ring of rows, as ``codec.py`` packs them, and the transitions drawn from it.

Transitions are rebuilt from rows by the rules and by what minds are shown.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.learn.codec import Codec, StoredTurn
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import Array, Params, State


class ReplayBuffer(NamedTuple):
    """A ring of packed turns."""

    rows: StoredTurn  # [capacity, …] each
    count: Array  # int32, rows ever added

    @property
    def capacity(self) -> int:
        return int(self.rows.state.turn.shape[0])


def add(replay: ReplayBuffer, rows: StoredTurn) -> ReplayBuffer:
    """The memory with more rows, in the place of the oldest. Capacity must be a multiple of the rows added."""
    start = replay.count % replay.capacity
    ring = jax.tree.map(lambda kept, new: jax.lax.dynamic_update_slice_in_dim(kept, new, start, 0), replay.rows, rows)
    return ReplayBuffer(ring, replay.count + rows.state.turn.shape[0])


def joined(rows: StoredTurn) -> StoredTurn:
    """Rows of several turns, ``[turn, world, …]``, one after the other."""
    flat_rows: StoredTurn = jax.tree.map(lambda row: row.reshape((row.shape[0] * row.shape[1], *row.shape[2:])), rows)
    return flat_rows


def refuse_too_large(capacity: int, row_bytes: int) -> None:
    """Refuse a memory that this machine cannot hold."""
    needed = capacity * row_bytes
    if hasattr(os, "sysconf") and needed > (available := os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")):
        raise UserError(
            f"a memory of {capacity:,} turns takes {needed / 1e9:.1f} GB, but this machine has {available / 1e9:.1f}; "
            "choose a smaller capacity"
        )


class ActorCriticInputs(NamedTuple):
    """The inputs of actors and critics in a state."""

    inputs: Any  # of actors, [agent, …, batch]
    allowed: Any  # bool [agent, entry, batch], or nothing
    seen: Array  # float32 [agent·entry, batch], by critics


class Sample(NamedTuple):
    """Some transitions; the batch comes last."""

    before: ActorCriticInputs
    after: ActorCriticInputs
    carry: Any  # what actors remember before the decision, [agent, …, batch]
    next_carry: Any  # and after it; nothing if it is not kept
    stored: Array  # float32 [agent, entry, batch], actions
    rewards: Array  # float32 [agent, batch]


@dataclass(frozen=True)
class Sampler:
    """Draws transitions from a memory and rebuilds them."""

    codec: Codec
    mind: BeliefPolicy
    critic_view: Params
    worlds: int  # rows per turn: the next turn of a world is that many rows later

    @property
    def least(self) -> int:
        """The number of rows that a memory must hold before any can be drawn."""
        return self.worlds * (1 + self.codec.reads_on)

    def draw(self, replay: ReplayBuffer, key: Any, shape: tuple[int, ...]) -> Array:
        """Uniformly drawn rows that can be rebuilt, ``int32 shape``."""
        capacity = replay.capacity
        number = jnp.minimum(replay.count, capacity)
        if not self.codec.reads_on:
            return jax.random.randint(key, shape, 0, number)
        # Not the newest, whose next row is not written yet.
        age = jax.random.randint(key, shape, self.worlds, number)
        return (replay.count - 1 - age) % capacity

    def rebuild(self, replay: ReplayBuffer, index: Array) -> Sample:
        once = partial(_materialise_once, replay.count > 0)
        turn = once(self.codec.unpack, jax.tree.map(lambda kept: kept[index], replay.rows))
        state, outcome = once(rules.step, turn.state, turn.action, turn.coins, params=self.mind.params)
        belief, next_belief, next_carry = turn.belief, turn.next_belief, ()
        if self.codec.reads_on and belief.shape[1]:
            belief = jnp.where(turn.state.turn == 0, self.mind.supposes(self.mind.look(turn.state)), belief)
        if self.codec.reads_on:
            following = (index + self.worlds) % replay.capacity
            rows = jax.tree.map(lambda kept: kept[following], replay.rows)
            next_belief, next_carry = once(self.codec.left, rows, state.knowledge)
        return Sample(
            before=once(self._view, turn.state, belief),
            after=once(self._view, state, next_belief),
            # Nothing is remembered where an episode begins.
            carry=jax.tree.map(lambda leaf: jnp.where(turn.state.turn == 0, 0.0, leaf), turn.carry),
            next_carry=next_carry,
            stored=turn.stored,
            rewards=outcome.rewards,
        )

    def _view(self, state: State, claims: Array) -> ActorCriticInputs:
        sight = self.mind.look(state)
        return ActorCriticInputs(self.mind.inputs(sight, claims), sight.allowed, flat(observe(state, self.critic_view)))


def flat(values: Array) -> Array:
    """``[agent, entry, *worlds] -> [agent·entry, *worlds]``."""
    return values.reshape((-1, *values.shape[2:]))


def _materialise_once(is_true: Array, make: Callable[..., Any], *arguments: Any, **settings: Any) -> Any:
    """Return the result of ``make``, computed once.

    The compiler would otherwise repeat cheap steps in every product that reads them. It does not look through a
    condition.
    """
    make = partial(make, **settings)
    shapes = jax.eval_shape(make, *arguments)
    nothing = partial(jax.tree.map, lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), shapes)
    return jax.lax.cond(is_true, make, lambda *_: nothing(), *arguments)
