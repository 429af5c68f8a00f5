"""Sets of pieces or agents as bits of a ``uint32``, and a few other operations missing from the array API."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from operator import or_
from types import ModuleType
from typing import Any

import numpy as np

from otherminds.worlds.symmtom.types import Array


def namespace(array: Array) -> Any:
    """The array API module of an array, such as ``numpy`` or ``jax.numpy``."""
    xp: ModuleType = array.__array_namespace__()
    return xp


def bit_of(xp: Any, index: Array) -> Array:
    """The set with one member; the empty set for an index outside 0 to 31. ``int32 -> uint32``."""
    shift = (index & 31).astype(xp.uint32)
    return xp.where((index >= 0) & (index < 32), xp.ones_like(shift) << shift, xp.zeros_like(shift))


def contains(sets: Array, index: Array | int) -> Array:
    """Whether each set contains an index, ``bool`` of the broadcast shape."""
    return (sets >> index) & 1 != 0


def members(xp: Any, claims: list[Array]) -> Array:
    """The set of indices whose claim holds: a list of ``bool`` arrays to one ``uint32`` array of their shape."""
    return reduce(or_, [claim.astype(xp.uint32) << j for j, claim in enumerate(claims)])


def numbers(like: Array) -> Any:
    """0, 1, 2, … along the first axis, ``uint32``, shaped to broadcast with an array."""
    return column(like.shape[0], len(like.shape))


@lru_cache(maxsize=256)
def column(size: int, num_axes: int) -> Any:
    """0, 1, 2, … along the first of ``num_axes`` axes, ``uint32``."""
    return np.arange(size, dtype=np.uint32).reshape((-1, *(1,) * (num_axes - 1)))


def unpack(xp: Any, sets: Array, num_pieces: int) -> Array:
    """Membership of each piece, on a new second axis: ``uint32 [a, *rest] -> bool [a, piece, *rest]``."""
    return xp.stack([contains(sets, p) for p in range(num_pieces)], axis=1)


def own_of(xp: Any, pairs: Array) -> Array:
    """The diagonal, what concerns each observer itself: ``[observer, subject, …] -> [observer, …]``."""
    return xp.stack([pairs[i, i] for i in range(pairs.shape[0])])


def pack(xp: Any, belongs: Array) -> Array:
    """The inverse of :func:`unpack`: ``bool [a, piece, *rest] -> uint32 [a, *rest]``."""
    return members(xp, [belongs[:, p] for p in range(belongs.shape[1])])


def pieces_of(mask: Any) -> list[int]:
    """The members of one set, in increasing order."""
    number = int(mask)
    return [piece for piece in range(number.bit_length()) if number >> piece & 1]


def first_piece(mask: Any) -> int | None:
    """The lowest member of a set, such as the piece that was said; ``None`` for the empty set."""
    return (int(mask) & -int(mask)).bit_length() - 1 if mask else None


def count(xp: Any, sets: Array) -> Array:
    """Number of members of each set, ``uint32 -> int32``, by adding neighbouring fields of 1, 2, 4 and 8 bits."""
    pairs = (sets & 0x55555555) + ((sets >> 1) & 0x55555555)
    nibbles = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    octets = (nibbles & 0x0F0F0F0F) + ((nibbles >> 4) & 0x0F0F0F0F)
    total = (octets & 0xFF) + ((octets >> 8) & 0xFF) + ((octets >> 16) & 0xFF) + ((octets >> 24) & 0xFF)
    return total.astype(xp.int32)


def repeat(body: Callable[[Array], Array], times: int, value: Array) -> Array:
    """Apply a function several times. On JAX it is a compiled loop, which computes its values once and keeps them."""
    is_large = value.size >= 64  # a loop costs more than it saves on a few numbers
    if is_large and type(value).__module__.partition(".")[0] in ("jax", "jaxlib"):
        import jax

        return jax.lax.fori_loop(0, times, lambda _, v: body(v), value)
    for _ in range(times):
        value = body(value)
    return value
