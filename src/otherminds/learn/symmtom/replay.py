"""The replay memory of SymmToM learners: a ring of rows, as ``codec.py`` packs them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.types import Array


class Replay(NamedTuple):
    """A ring of packed records."""

    rows: Array  # uint32 [capacity, word]
    count: Array  # int32, records ever added


def add(replay: Replay, rows: Array) -> Replay:
    """The memory with more records, in the place of the oldest. Capacity must be a multiple of the rows added."""
    start = replay.count % replay.rows.shape[0]
    return Replay(jax.lax.dynamic_update_slice(replay.rows, rows, (start, 0)), replay.count + rows.shape[0])


def newest(replay: Replay, number: int) -> Array:
    """So many of the last records, or all, oldest first."""
    capacity = replay.rows.shape[0]
    size = min(number, capacity)
    return replay.rows[(replay.count - size + jnp.arange(size)) % capacity]


def refilled(shape: tuple[int, int], count: int, parts: Sequence[Any]) -> Replay:
    """A memory of some shape after ``count`` records, from the last ones of them, oldest first."""
    rows, end = np.zeros(shape, np.uint32), count - sum(map(len, parts))
    for part in parts:
        rows[(end + np.arange(len(part))) % len(rows)] = part
        end += len(part)
    return Replay(jnp.asarray(rows), jnp.int32(count))


def refuse_too_large(capacity: int, num_words: int) -> None:
    """Refuse a memory that this machine cannot hold.

    Raises:
        UserError: says how much it would take.
    """
    needed = 4 * capacity * num_words
    if hasattr(os, "sysconf") and needed > (there := os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")):
        raise UserError(
            f"a memory of {capacity:,} turns takes {needed / 1e9:.1f} GB, this machine has {there / 1e9:.1f}; "
            "choose a smaller capacity"
        )
