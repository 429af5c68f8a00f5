"""From logits to actions: the relaxed samples of MADDPG, plain samples, and the most likely action."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from otherminds.core.seeds import random_words
from otherminds.worlds.symmtom.types import Action, Array

BLOCKS = (slice(0, 5), slice(5, None))  # move, piece


def exponentials(key: Any, shape: tuple[int, ...], stream: str) -> Array:
    """Draws from the exponential distribution: minus their logarithms are Gumbel noise."""
    words = jnp.asarray(random_words(key, shape, stream))
    return -jnp.log(((words >> 9).astype(jnp.float32) + 0.5) * jnp.float32(2.0**-23))


def relax(logits: Array, noise: Array) -> Array:
    """Gumbel-softmax at temperature 1, block by block, ``[…, 5 + piece]``; the largest entry is an exact sample.

    ``softmax(logits + gumbel)`` is ``exp(logits) / exponential``, normalised.
    """
    parts = []
    for block in BLOCKS:
        mine = logits[..., block]
        weight = jnp.exp(mine - mine.max(axis=-1, keepdims=True)) / noise[..., block]
        parts.append(weight / weight.sum(axis=-1, keepdims=True))
    return jnp.concatenate(parts, axis=-1)


def choose(weights: Array) -> Action:
    """The largest entry of each block, from ``[agent, *worlds, 5 + piece]``."""
    return Action(*(jnp.argmax(weights[..., block], axis=-1).astype(jnp.int32) for block in BLOCKS))
