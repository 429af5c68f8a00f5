"""Small numbers side by side in 32-bit words: a million SymmToM transitions fit into memory and a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any

import jax.numpy as jnp
import numpy as np

Array = Any


class Bitfields:
    """A fixed layout of named fields, each a number of values of so many bits.

    Args:
        fields: for each name how many values it has and how many bits one needs (0: always zero, not stored).
    """

    def __init__(self, fields: Mapping[str, tuple[int, int]]) -> None:
        self.fields = dict(fields)
        used: list[int] = []  # bits taken of each word
        self._places: dict[str, list[tuple[int, int]]] = {}
        # Wide values first: small ones then fill the gaps.
        for name, (size, bits) in sorted(fields.items(), key=lambda item: -item[1][1]):
            places = []
            for _ in range(size if bits else 0):
                word = next((w for w, taken in enumerate(used) if taken + bits <= 32), len(used))
                if word == len(used):
                    used.append(0)
                places.append((word, used[word]))
                used[word] += bits
            self._places[name] = places
        self.num_words = len(used)

    def pack(self, values: Mapping[str, Array]) -> Array:
        """``uint32 [value, *worlds]`` of each field to ``uint32 [*worlds, word]``. Values must fit their bits."""
        words: list[list[Array]] = [[] for _ in range(self.num_words)]
        for name, places in self._places.items():
            for index, (word, shift) in enumerate(places):
                words[word].append(values[name][index].astype(jnp.uint32) << shift)
        return jnp.stack([reduce(or_, parts) for parts in words], axis=-1)

    def unpack(self, words: Array) -> dict[str, Array]:
        """The inverse of :meth:`pack`."""
        columns = jnp.moveaxis(words, -1, 0)
        found = {}
        for name, (size, bits) in self.fields.items():
            if not bits:
                found[name] = jnp.zeros((size, *columns.shape[1:]), jnp.uint32)
                continue
            mask = np.uint32((1 << bits) - 1)
            rows = [(columns[word] >> shift) & mask for word, shift in self._places[name]]
            found[name] = jnp.stack(rows) if rows else jnp.zeros((0, *columns.shape[1:]), jnp.uint32)
        return found
