"""A stream of chance for each family of stories, the same on every platform and in any order of generation."""

from __future__ import annotations

import random  # noqa: TID251  # a named stream too; NumPy's costs ten times as much for single draws
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from otherminds.core.seeds import child_seed

T = TypeVar("T")


class Draw:
    """Draws from a named stream. Built on ``random()`` alone, the one method whose values Python promises to keep."""

    __slots__ = ("_uniform",)

    def __init__(self, seed: int, name: str) -> None:
        self._uniform = random.Random(child_seed(seed, name)).random

    def happens(self, probability: float) -> bool:
        """True that often."""
        return self._uniform() < probability

    def below(self, limit: int) -> int:
        """A whole number from 0 up to the limit, which is left out."""
        return int(self._uniform() * limit)

    def pick(self, choices: Sequence[T]) -> T:
        """One of them."""
        return choices[int(self._uniform() * len(choices))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put them into a random order."""
        for last in range(len(items) - 1, 0, -1):
            other = int(self._uniform() * (last + 1))
            items[last], items[other] = items[other], items[last]

    def some(self, choices: Sequence[T], number: int) -> list[T]:
        """That many different ones, in random order."""
        left = list(choices)
        for taken in range(number):
            other = taken + int(self._uniform() * (len(left) - taken))
            left[taken], left[other] = left[other], left[taken]
        return left[:number]
