"""Named random streams: every consumer draws from its own stream, so that adding one does not shift the others.

There are two kinds of generator, and they pick the engine: a ``numpy.random.Generator`` (NumPy) or a key of
``jax.random`` (JAX). :class:`Draw` serves worlds that are made one by one, in plain Python.
"""

from __future__ import annotations

import hashlib
import math
import random  # noqa: TID251  # this is where named streams are made
from collections.abc import MutableSequence, Sequence
from typing import Any, TypeVar

import numpy as np

from otherminds.core.errors import UserError

T = TypeVar("T")


def child_seed(seed: int, name: str) -> int:
    """A seed for the consumer of that name, such as ``"env/3"``, derived from the root seed."""
    digest = hashlib.blake2b(f"{seed}/{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


def generator(seed: int, name: str) -> np.random.Generator:
    """A NumPy generator for the consumer of that name."""
    return np.random.Generator(np.random.PCG64(child_seed(seed, name)))


def jax_key(seed: int, name: str) -> Any:
    """A JAX key for the consumer of that name."""
    import jax

    return jax.random.key(child_seed(seed, name) & 0xFFFFFFFF)


def random_words(key: Any, shape: tuple[int, ...], stream: str) -> Any:
    """Uniform ``uint32`` words; under one key, every stream is another sequence.

    A NumPy generator simply advances. A JAX key is hashed with a counter: unlike ``jax.random.bits`` this fuses into
    whatever uses the words, which makes a compiled step more than twice as fast
    (benchmarks/symmtom_speed.py).
    """
    if isinstance(key, np.random.Generator):
        return np.frombuffer(key.bytes(4 * math.prod(shape)), dtype="<u4").reshape(shape)
    if not hasattr(key, "dtype"):
        raise UserError(f"{key!r} is not a generator; expected numpy.random.default_rng(seed) or jax.random.key(seed)")
    import jax
    import jax.numpy as jnp

    words = jax.random.key_data(key) if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else key
    salt = np.uint32(child_seed(0, stream) & 0xFFFFFFFF)
    counter = jnp.arange(math.prod(shape), dtype=jnp.uint32).reshape(shape)
    rounds = jnp.stack([_mix(words[0] ^ salt), _mix(words[-1] + salt)])
    # A loop, because compilers do not fuse through one: the words are made once, not again wherever they are used.
    return jax.lax.fori_loop(0, 2, lambda i, word: _mix(word + rounds[i]), counter)


def _mix(word: Any) -> Any:
    """A bijection of 32-bit words in which every input bit flips every output bit about half the time."""
    word = (word ^ (word >> 16)) * np.uint32(0x7FEB352D)
    word = (word ^ (word >> 15)) * np.uint32(0x846CA68B)
    return word ^ (word >> 16)


class Draw:
    """Single draws from a named stream, ten times as fast as NumPy's.

    Built on ``random()`` alone, the one method whose values Python promises to keep.
    """

    __slots__ = ("_uniform",)

    def __init__(self, seed: int, name: str = "") -> None:
        # Without a name, the seed is that of the stream itself, as a mind is given its own.
        self._uniform = random.Random(child_seed(seed, name) if name else seed).random

    def happens(self, probability: float) -> bool:
        """True with that probability."""
        return self._uniform() < probability

    def below(self, limit: int) -> int:
        """A whole number from 0 up to, but not including, the limit."""
        return int(self._uniform() * limit)

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[int(self._uniform() * len(choices))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle the items in place."""
        for last in range(len(items) - 1, 0, -1):
            other = int(self._uniform() * (last + 1))
            items[last], items[other] = items[other], items[last]

    def some(self, choices: Sequence[T], number: int) -> list[T]:
        """The given number of different choices, in random order."""
        left, uniform = list(choices), self._uniform
        size = len(left)
        for taken in range(number):
            other = taken + int(uniform() * (size - taken))
            left[taken], left[other] = left[other], left[taken]
        return left[:number]
