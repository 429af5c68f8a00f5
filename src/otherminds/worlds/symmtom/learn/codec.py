"""Packing of a turn into a row of the replay memory.

A row holds the state before a turn, the chosen actions, the collision coins, and the carries of the networks. The rules
rebuild the next state and the rewards, and ``observe`` the observations (``replay.py``). A million transitions
therefore take less than 300 MB and can be checkpointed; recurrent minds need 256 bytes more for each agent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from otherminds.worlds.symmtom.bits import unpack
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy
from otherminds.worlds.symmtom.types import MOVES, Action, Array, State

_WORD = np.arange(32, dtype=np.uint32)
_SETS = ("first_hand", "knowledge", "previous_knowledge", "earshot")  # fields of a state that are sets, in bits


class Turn(NamedTuple):
    """One decision of all agents and what led to it; worlds on the trailing axis."""

    state: State  # before the turn
    action: Action  # as chosen
    stored: Array  # float32 [agent, 5 + piece, world], the action as the critic sees it
    coins: Array  # uint32 [word, world]
    belief: Array  # [agent, entry, world], what the belief rule says before the turn: see ``BeliefPolicy.revise``
    next_belief: Any  # [agent, entry, world], and after it; nothing in a codec that reads on
    carry: Any  # what actors remember before the decision


class Bitfields:
    """A fixed layout of named fields, each with a number of values of a number of bits.

    Args:
        fields: for each name the number of values and the bits of each value (0: always zero, not stored).
    """

    def __init__(self, fields: Mapping[str, tuple[int, int]]) -> None:
        self.fields = dict(fields)
        self.num_words = -(-sum(size * bits for size, bits in fields.values()) // 32)

    def pack(self, values: Mapping[str, Array]) -> Array:
        """``uint32 [value, *worlds]`` of each field to ``uint32 [*worlds, word]``; bits beyond a field are lost."""
        parts = []
        for name, (size, bits) in self.fields.items():
            if not size * bits:  # not stored
                continue
            numbers = jnp.moveaxis(jnp.asarray(values[name], jnp.uint32), 0, -1)
            parts.append((numbers[..., None] >> _WORD[:bits] & 1).reshape((*numbers.shape[:-1], -1)))
        flags = jnp.concatenate(parts, axis=-1)
        padding = 32 * self.num_words - flags.shape[-1]
        flags = jnp.pad(flags, [(0, 0)] * (flags.ndim - 1) + [(0, padding)])
        words = flags.reshape((*flags.shape[:-1], -1, 32)) << _WORD
        return words.sum(axis=-1, dtype=jnp.uint32)

    def unpack(self, words: Array) -> dict[str, Array]:
        flags = (words[..., None] >> _WORD & 1).reshape((*words.shape[:-1], -1))
        values, start = {}, 0
        for name, (size, bits) in self.fields.items():
            part = flags[..., start : start + size * bits].reshape((*words.shape[:-1], size, bits))
            values[name] = jnp.moveaxis((part << _WORD[:bits]).sum(axis=-1, dtype=jnp.uint32), -1, 0)
            start += size * bits
        return values


@dataclass(frozen=True)
class Block:
    """An array of numbers packed into whole words."""

    name: str
    shape: tuple[int, ...]  # without worlds
    dtype: Any  # unsigned integers hold numbers between 0 and 1 in equal steps

    @property
    def num_words(self) -> int:
        size: int = np.dtype(self.dtype).itemsize
        return -(-math.prod(self.shape) * size // 4)

    def pack(self, values: Array) -> Array:
        """``float32 [*shape, world] -> uint32 [world, word]``."""
        flat = jnp.moveaxis(values, -1, 0).reshape((values.shape[-1], -1))
        if jnp.issubdtype(self.dtype, jnp.unsignedinteger):
            most = np.iinfo(self.dtype).max
            # Only what is certain is kept as certain: a belief of nearly one must not count as complete.
            flat = jnp.where(flat < 1, jnp.minimum(jnp.round(flat * most), most - 1), most)
        per_word = 4 // np.dtype(self.dtype).itemsize
        flat = jnp.pad(flat, ((0, 0), (0, per_word * self.num_words - flat.shape[1]))).astype(self.dtype)
        return jax.lax.bitcast_convert_type(flat.reshape((flat.shape[0], -1, per_word)), jnp.uint32)

    def unpack(self, words: Array) -> Array:
        flat = jax.lax.bitcast_convert_type(words, self.dtype).reshape((words.shape[0], -1))
        flat = flat[:, : math.prod(self.shape)].astype(jnp.float32)
        if jnp.issubdtype(self.dtype, jnp.unsignedinteger):
            flat = flat / np.iinfo(self.dtype).max
        return jnp.moveaxis(flat.reshape((-1, *self.shape)), 0, -1)


class Codec:
    """Packs turns of one kind of mind into rows of words, and back.

    Args:
        mind: the mind that plays the turns.
        reads_on: whether what a turn leaves behind, of beliefs and of what networks remember, is read from the row of
            the next turn. Rows then hold what the turn before left behind, even where an episode begins and readers
            must begin afresh. Beliefs that would take much room are always read on.
    """

    def __init__(self, mind: BeliefPolicy, reads_on: bool = False) -> None:
        p, n, c = mind.params, mind.params.num_agents, mind.params.num_pieces
        belief, carry, _ = jax.eval_shape(lambda: mind.example(1))
        is_certain = belief.dtype == jnp.uint32
        reads_on = reads_on or not is_certain or mind.belief.order == 2
        self._mind, self.reads_on = mind, reads_on
        side, turn = (p.width - 1).bit_length(), p.num_turns.bit_length()
        fields = {
            **dict.fromkeys(("x", "y", "base_x", "base_y"), (n, side)),
            "direction": (n, 3),
            "chosen_move": (n, 3 if p.directions == "intended" else 0),
            **dict.fromkeys(("first_hand", "knowledge", "previous_knowledge"), (n, c)),
            "utterance": (n, c.bit_length()),
            "earshot": (n, n),
            "uses_base": (n, 1),
            "correct_uses": (n, turn if p.competitive else 0),
            "last_reward": (n, 32 if p.show_last_reward else 0),
            "heard_turn": (n * c if p.decay else 0, turn),
            "turn": (1, turn),
            "move": (n, 3),
            "piece": (n, (c - 1).bit_length()),
            "coins": (p.num_coin_words, min(32, len(p.pairs))),
            "belief": (n * belief.shape[1] if is_certain else 0, c),
            "next_belief": (n * belief.shape[1] if is_certain and not reads_on else 0, c),
        }
        self._fields = Bitfields(fields)
        half, unit = np.uint16, np.uint8  # sixteen and eight bits for numbers between 0 and 1
        blocks = [Block("stored", (n, c), half)]
        if not is_certain:  # but for itself: what the agent knows is in the state
            blocks.append(Block("belief", (n, belief.shape[1] - c), unit))
        kept = unit if mind.kind == "estimating" else np.float16  # estimates lie between 0 and 1
        self._carry: Any = jax.tree.structure(carry)
        leaves = enumerate(jax.tree.leaves(carry))
        blocks += [Block(f"carry_{number}", leaf.shape[:-1], kept) for number, leaf in leaves]
        self._blocks = [block for block in blocks if block.num_words]

    @property
    def num_words(self) -> int:
        return self._fields.num_words + sum(block.num_words for block in self._blocks)

    def pack(self, turn: Turn) -> Array:
        """Turns of many worlds as rows, ``uint32 [world, word]``."""
        s, worlds = turn.state, turn.state.turn.shape
        values = {
            **{name: getattr(s, name) for name in State._fields},
            "direction": (s.direction_x > 0)
            + 2 * (s.direction_x < 0)
            + 3 * (s.direction_y > 0)
            + 4 * (s.direction_y < 0),
            # One plus the number of the only piece, 0 for none: the bit length, by counting the bits below.
            "utterance": jnp.where(s.utterance > 0, jax.lax.population_count(s.utterance - 1) + 1, np.uint32(0)),
            "last_reward": jax.lax.bitcast_convert_type(s.last_reward, jnp.uint32),
            "heard_turn": s.heard_turn.reshape((-1, *worlds)),
            "turn": s.turn[None],
            "move": turn.action.move,
            "piece": turn.action.piece,
            "coins": turn.coins,
        }
        wide = {"stored": turn.stored[:, 5:], "belief": turn.belief[:, self._mind.params.num_pieces :]}
        for name in ("belief",) if self.reads_on else ("belief", "next_belief"):
            values[name] = getattr(turn, name).reshape((-1, *worlds))
        wide |= {f"carry_{number}": leaf for number, leaf in enumerate(jax.tree.leaves(turn.carry))}
        words = [self._fields.pack(values), *(block.pack(wide[block.name]) for block in self._blocks)]
        return jnp.concatenate(words, axis=-1)

    def unpack(self, rows: Array) -> Turn:
        v, wide = self._read(rows)
        p, n, c, worlds = self._mind.params, self._mind.params.num_agents, self._mind.params.num_pieces, rows.shape[:1]
        whole = {name: values.astype(jnp.int32) for name, values in v.items()}
        steps = jnp.asarray(MOVES, jnp.int32)
        parts = {name: v[name] if name in _SETS else whole[name] for name in State._fields if name in v}
        parts |= {
            "direction_x": jnp.take(steps[:, 0], whole["direction"], mode="clip"),
            "direction_y": jnp.take(steps[:, 1], whole["direction"], mode="clip"),
            "utterance": jnp.where(v["utterance"] > 0, np.uint32(1) << (v["utterance"] - 1), np.uint32(0)),
            "uses_base": v["uses_base"] != 0,
            "last_reward": jax.lax.bitcast_convert_type(v["last_reward"], jnp.float32),
            "heard_turn": whole["heard_turn"].reshape((n, c if p.decay else 0, *worlds)),
            "turn": whole["turn"][0],
        }
        state, action = State(**parts), Action(whole["move"], whole["piece"])
        return Turn(
            state=state,
            action=action,
            # Hard moves and soft pieces, as the public trainer stores them (spec 9.1).
            stored=jnp.concatenate([jax.nn.one_hot(action.move, 5, axis=1), wide["stored"]], axis=1),
            coins=v["coins"],
            belief=self._belief(v, wide, state.knowledge),
            next_belief=() if self.reads_on else v["next_belief"].reshape((n, -1, *worlds)),
            carry=self._carries(wide),
        )

    def left(self, rows: Array, knowledge: Array) -> tuple[Array, Any]:
        """What the turn before left behind: what beliefs then said, and what actors remembered.

        Args:
            rows: of a codec that reads on.
            knowledge: what each agent knew after that turn, ``uint32 [agent, world]``.
        """
        v, wide = self._read(rows)
        return self._belief(v, wide, knowledge), self._carries(wide)

    def _belief(self, v: dict[str, Array], wide: dict[str, Array], knowledge: Array) -> Array:
        if "belief" not in wide:
            return v["belief"].reshape((len(knowledge), -1, *knowledge.shape[1:]))
        own = unpack(jnp, knowledge, self._mind.params.num_pieces)
        return jnp.concatenate([own.astype(jnp.float32), wide["belief"]], axis=1)

    def _read(self, rows: Array) -> tuple[dict[str, Array], dict[str, Array]]:
        wide, start = {}, self._fields.num_words
        for block in self._blocks:
            wide[block.name] = block.unpack(rows[:, start : start + block.num_words])
            start += block.num_words
        return self._fields.unpack(rows[:, : self._fields.num_words]), wide

    def _carries(self, wide: dict[str, Array]) -> Any:
        return jax.tree.unflatten(self._carry, [wide[f"carry_{i}"] for i in range(self._carry.num_leaves)])
