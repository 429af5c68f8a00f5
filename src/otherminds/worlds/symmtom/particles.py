"""Weights of possible worlds: shares, and copies of the weighty ones. For ``bayes.py``.

All sums are of whole numbers, so that every engine finds the same shares and makes the same copies.
"""

from __future__ import annotations

from typing import Any

from otherminds.worlds.symmtom.bits import column, namespace
from otherminds.worlds.symmtom.types import Array

MOST = 1024  # particles; more would leave too few bits of a word for each weight


def scaled(weight: Array) -> Array:
    """Weights ``float32 [observer, particle, *worlds]`` relative to the largest; all alike should every one be 0."""
    xp = namespace(weight)
    largest = xp.max(weight, axis=1, keepdims=True)
    return xp.where(largest > 0, weight / xp.where(largest > 0, largest, 1.0), 1.0)


def shares(weight: Array, claims: list[Array]) -> Array:
    """The share of the weight of which each claim holds.

    Args:
        weight: at most 1, ``float32 [observer, particle, *worlds]``.
        claims: ``bool [subject, observer, particle, *worlds]`` each.

    Returns:
        ``float32 [observer, subject, claim, *worlds]``, exactly 0 or 1 where all agree.
    """
    xp = namespace(weight)
    whole = _whole(xp, weight, 32 - weight.shape[1].bit_length())
    total = xp.sum(whole, axis=1, dtype=xp.uint32)
    parts = [xp.sum(xp.where(claim, whole, xp.zeros_like(whole)), axis=2, dtype=xp.uint32) for claim in claims]
    by_claim = xp.moveaxis(xp.stack(parts, axis=1), 2, 0)  # [subject, claim, observer, …] to [observer, subject, …]
    return by_claim.astype(xp.float32) / total[:, None, None].astype(xp.float32)


def copies(weight: Array, words: Array) -> tuple[Array, Array]:
    """Which particle each place is to hold next, and the weights after that.

    Where few particles carry most of the weight, they are copied in its proportion (systematic resampling when the
    effective number is below half); elsewhere everything stays in its place.

    Args:
        weight: at most 1, ``float32 [observer, particle, *worlds]``; a power of two of particles.
        words: random, ``uint32 [observer, *worlds]``.

    Returns:
        ``int32`` and ``float32``, both ``[observer, particle, *worlds]``.
    """
    xp = namespace(weight)
    num = weight.shape[1]
    place = column(num, len(weight.shape) - 1)
    whole = _whole(xp, weight, 33 - 2 * num.bit_length())
    total = xp.sum(whole, axis=1, keepdims=True, dtype=xp.uint32)
    # Weights are laid end to end on a line; the particle under each of evenly spaced marks is copied.
    line, mark = xp.cumulative_sum(whole, axis=1, dtype=xp.uint32) * num, place * total + words[:, None] % total
    chosen = xp.zeros_like(mark, dtype=xp.int32)
    for bit in reversed(range(num.bit_length() - 1)):  # binary search, for all marks at once
        is_past = xp.take_along_axis(line, chosen + ((1 << bit) - 1), axis=1) <= mark
        chosen = chosen + is_past.astype(xp.int32) * (1 << bit)

    rough = _whole(xp, weight, 10)
    once = xp.sum(rough, axis=1, keepdims=True, dtype=xp.uint32).astype(xp.float32)
    twice = xp.sum(rough * rough, axis=1, keepdims=True, dtype=xp.uint32).astype(xp.float32)
    is_lopsided = once * once * 2 < twice * num
    source = xp.where(is_lopsided, chosen, place.astype("int32"))
    return source, xp.where(is_lopsided, xp.ones_like(weight), weight)


def _whole(xp: Any, weight: Array, num_bits: int) -> Array:
    return (weight * float(1 << num_bits)).astype(xp.uint32)
