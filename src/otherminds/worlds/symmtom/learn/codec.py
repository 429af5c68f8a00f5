"""Packing of turns into rows of the replay memory.

A row holds the state before a turn, the chosen actions, the collision coins, and the carries of the networks, each
number in as few bytes as it needs. The rules rebuild the next state and the rewards, and ``observe`` the observations
(``replay.py``). A million transitions therefore take at most 330 MB; recurrent minds need 256 bytes more for each
agent.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.bits import unpack
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy
from otherminds.worlds.symmtom.types import Action, Array, State


class StoredTurn(NamedTuple):
    """One decision of all agents and what led to it; worlds on the trailing axis, in packed rows on the first."""

    state: State  # before the turn
    action: Action  # as chosen
    stored: Array  # float32 [agent, 5 + piece, world], the action as the critic sees it
    coins: Array  # uint32 [word, world]
    belief: Array  # [agent, entry, world], what the belief rule says before the turn: see ``BeliefPolicy.revise``
    next_belief: Any  # [agent, entry, world], and after it; nothing in a codec that reads on
    carry: Any  # what actors remember before the decision


class Codec:
    """Packs turns of one kind of mind into rows, and back.

    Args:
        mind: the mind that plays the turns.
        reads_on: whether what a turn leaves behind, of beliefs and of what networks remember, is read from the row of
            the next turn. Rows then hold what the turn before left behind, even where an episode begins and readers
            must begin afresh. Beliefs that would take much room are always read on.
    """

    def __init__(self, mind: BeliefPolicy, reads_on: bool = False) -> None:
        p = mind.params
        turn = jax.eval_shape(lambda: _example(mind))
        self._mind, self._is_certain = mind, turn.belief.dtype == jnp.uint32
        self.reads_on = reads_on or not self._is_certain or mind.belief.order == 2
        is_intended = p.directions == "intended"
        uses = {"chosen_move": is_intended, "correct_uses": p.competitive, "last_reward": p.show_last_reward}
        self._unused = [name for name, is_used in uses.items() if not is_used]
        num_members = (p.num_pieces, p.num_agents, min(32, len(p.pairs)))
        pieces, agents, coins = (np.min_scalar_type((1 << number) - 1) for number in num_members)
        small, half, unit = np.dtype(np.int8), np.dtype(np.uint16), np.dtype(np.uint8)
        kinds = {
            **dict.fromkeys(State._fields, small),
            **dict.fromkeys(("first_hand", "knowledge", "previous_knowledge", "utterance"), pieces),
            **dict.fromkeys(("correct_uses", "heard_turn", "turn"), np.min_scalar_type(p.num_turns)),
            "earshot": agents,
            "uses_base": np.dtype(bool),
            "last_reward": np.dtype(np.float32),
        }
        belief = pieces if self._is_certain else unit
        kept = unit if mind.kind == "estimating" else np.dtype(np.float16)  # estimates lie between 0 and 1
        self._kinds = StoredTurn(
            state=State(**kinds),
            action=Action(small, small),
            stored=half,
            coins=coins,
            belief=belief,
            next_belief=() if self.reads_on else belief,
            carry=jax.tree.map(lambda _: kept, turn.carry),
        )
        self._types = jax.tree.map(lambda leaf: leaf.dtype, jax.eval_shape(self._kept, turn))
        self.row = jax.eval_shape(lambda: jax.tree.map(lambda rows: rows[0], self.pack(_example(mind))))

    @property
    def num_bytes(self) -> int:
        """The size of a row."""
        return sum(leaf.dtype.itemsize * math.prod(leaf.shape) for leaf in jax.tree.leaves(self.row))

    def pack(self, turn: StoredTurn) -> StoredTurn:
        """Turns of many worlds as rows."""
        rows: StoredTurn = jax.tree.map(_packed, self._kept(turn), self._kinds)
        return rows

    def unpack(self, rows: StoredTurn) -> StoredTurn:
        turn: StoredTurn = jax.tree.map(_unpacked, rows, self._types)
        state, action = turn.state, turn.action
        missing = {name: jnp.zeros(state.x.shape, getattr(self._types.state, name)) for name in self._unused}
        return turn._replace(
            state=state._replace(**missing),
            # Hard moves and soft pieces, as the public trainer stores them (spec 9.1).
            stored=jnp.concatenate([jax.nn.one_hot(action.move, 5, axis=1), turn.stored], axis=1),
            belief=self._believed(turn.belief, state.knowledge),
        )

    def left(self, rows: StoredTurn, knowledge: Array) -> tuple[Array, Any]:
        """What the turn before left behind: what beliefs then said, and what actors remembered.

        Args:
            rows: of a codec that reads on.
            knowledge: what each agent knew after that turn, ``uint32 [agent, world]``.
        """
        belief, carry = jax.tree.map(_unpacked, (rows.belief, rows.carry), (self._types.belief, self._types.carry))
        return self._believed(belief, knowledge), carry

    def _kept(self, turn: StoredTurn) -> StoredTurn:
        """What of a turn must be stored."""
        own = 0 if self._is_certain else self._mind.params.num_pieces  # likelihoods: what it knows is in the state
        return turn._replace(
            state=turn.state._replace(**{name: getattr(turn.state, name)[:0] for name in self._unused}),
            stored=turn.stored[:, 5:],
            belief=turn.belief[:, own:],
            next_belief=() if self.reads_on else turn.next_belief,
        )

    def _believed(self, stored: Array, knowledge: Array) -> Array:
        if self._is_certain:
            return stored
        own = unpack(jnp, knowledge, self._mind.params.num_pieces)
        return jnp.concatenate([own.astype(jnp.float32), stored], axis=1)


def _example(mind: BeliefPolicy) -> StoredTurn:
    """A turn of one world."""
    key, params = jax.random.key(0), mind.params
    state = rules.deal(draw_deal(key, params, (1,)), params)
    said, carry, _ = mind.example(1)
    stored = jnp.zeros((params.num_agents, mind.num_outputs, 1))
    return StoredTurn(state, Action(state.x, state.x), stored, draw_coins(key, params, (1,)), said, said, carry)


def _packed(values: Array, kind: Any) -> Array:
    """Numbers as another type, worlds first; unsigned integers hold numbers between 0 and 1 in equal steps."""
    values = jnp.asarray(values)
    if jnp.issubdtype(values.dtype, jnp.floating) and jnp.issubdtype(kind, jnp.unsignedinteger):
        most = np.iinfo(kind).max
        # Only what is certain is kept as certain: a belief of nearly one must not count as complete.
        values = jnp.where(values < 1, jnp.minimum(jnp.round(values * most), most - 1), most)
    return jnp.moveaxis(values, -1, 0).astype(kind)


def _unpacked(values: Array, kind: Any) -> Array:
    """The inverse."""
    numbers = jnp.moveaxis(values, 0, -1).astype(kind)
    is_fraction = jnp.issubdtype(kind, jnp.floating) and jnp.issubdtype(values.dtype, jnp.unsignedinteger)
    return numbers / np.iinfo(values.dtype).max if is_fraction else numbers
