"""Small numbers packed into 32-bit words, so that a million transitions fit into memory and a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping

import jax.numpy as jnp
import numpy as np

from otherminds.worlds.symmtom.types import Array

_WORD = np.arange(32, dtype=np.uint32)


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
