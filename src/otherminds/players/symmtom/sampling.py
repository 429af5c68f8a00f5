"""Actions from logits: the relaxed samples of MADDPG, exact samples, and the most likely action."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from otherminds.core.seeds import random_words
from otherminds.worlds.symmtom.types import Action, Array

BLOCKS = (slice(0, 5), slice(5, None))  # move, piece


def exponentials(key: Any, shape: tuple[int, ...], stream: str) -> Array:
    """Draws from the exponential distribution; their negative logarithms are Gumbel noise."""
    words = jnp.asarray(random_words(key, shape, stream))
    return -jnp.log(((words >> 9).astype(jnp.float32) + 0.5) * jnp.float32(2.0**-23))


def relax(logits: Array, noise: Array, axis: int = -1) -> Array:
    """Gumbel-softmax at temperature 1 of both blocks along an axis of 5 + pieces; the largest entry is an exact sample.

    ``softmax(logits + gumbel)`` is ``exp(logits) / exponential``, normalised.
    """
    parts = []
    for mine, its_noise in zip(_blocks(logits, axis), _blocks(noise, axis), strict=True):
        weight = jnp.exp(mine - mine.max(axis=axis, keepdims=True)) / its_noise
        parts.append(weight / weight.sum(axis=axis, keepdims=True))
    return jnp.concatenate(parts, axis=axis)


def choose(weights: Array, axis: int = -1) -> Action:
    """The largest entry of each block along an axis of 5 + pieces."""
    return Action(*(jnp.argmax(block, axis=axis).astype(jnp.int32) for block in _blocks(weights, axis)))


def _blocks(values: Array, axis: int) -> list[Array]:
    blocks: list[Array] = jnp.split(values, [BLOCKS[0].stop], axis=axis)
    return blocks
