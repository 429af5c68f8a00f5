"""Which twins a family has and whose beliefs it is asked for, so that shallow rules gain little.

Every twin must differ from the base in a belief that is asked for and that the evidence settles; of those that do, the
one is taken with which the rules do worst (spec 15.3). Each family is chosen on its own, so that generation needs no
memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import compress, permutations

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.ambiguity import is_ambiguous, open_pairs
from otherminds.worlds.tomi.answers import is_false
from otherminds.worlds.tomi.rules import History
from otherminds.worlds.tomi.shortcuts import WEIGHTS, Shortcuts
from otherminds.worlds.tomi.types import Story

Chain = tuple[int, ...]
PER_ORDER = 2  # questions of each order


class Told:
    """One member, with what choosing needs to know of it."""

    def __init__(self, story: Story, history: History) -> None:
        self.story, self.history = story, history

    @cached_property
    def doubts(self) -> list[list[int]]:
        """What the evidence leaves open, see :mod:`ambiguity`."""
        return open_pairs(self.story)

    def belief(self, chain: Chain) -> int | None:
        """What the chain supports about the object asked about."""
        return self.history.beliefs.belief(chain, 0)

    def is_open(self, chain: Chain) -> bool:
        """Whether the evidence leaves it open."""
        return len(chain) > 1 and is_ambiguous(self.doubts, chain, 0)

    def gains(self, chains: Sequence[Chain], answers: Sequence[int | None]) -> list[float]:
        """How much shallow rules gain by each chain: from 0, if all are wrong, to 1."""
        guesses = Shortcuts(self.story, 0).answers
        return [
            sum(compress(WEIGHTS, (guess == right for guess in guesses(chain))))
            for chain, right in zip(chains, answers, strict=True)
        ]


@cache
def chains(group: tuple[int, ...], order: int) -> tuple[tuple[Chain, ...], ...]:
    """The chains of each order among some people."""
    return tuple(tuple(permutations(group, depth)) for depth in range(1, order + 1))


def asked(group: tuple[int, ...], order: int, draw: Draw) -> list[Chain]:
    """Chains to ask for: some of each order."""
    levels = chains(group, order)
    return [chain for level in levels for chain in (level if len(level) <= PER_ORDER else draw.some(level, PER_ORDER))]


def order_among(group: tuple[int, ...], order: int, history: History) -> int:
    """The least depth at which one of the group is wrong; 0 if none is."""
    for depth, level in enumerate(chains(group, order), 1):
        if any(is_false(chain, 0, history) for chain in level):
            return depth
    return 0


def choose_twin(base: Told, candidates: Iterable[Told], chosen: Sequence[Chain]) -> Told | None:
    """The candidate with which shallow rules do worst; ``None`` if none differs from the base as a twin must.

    Args:
        base: the story to tell it from.
        candidates: stories that may be twins.
        chosen: the chains asked for.
    """
    answers = [base.belief(chain) for chain in chosen]
    best, least = None, 2.0
    for twin in candidates:
        others = [twin.belief(chain) for chain in chosen]
        if others == answers or None in others:
            continue
        gains = twin.gains(chosen, others)
        # What is open only has to be known of a twin that would be taken.
        if sum(gains) / len(gains) >= least:
            continue
        settled = [not twin.is_open(chain) for chain in chosen]
        gain = sum(compress(gains, settled)) / sum(settled)
        if gain < least and any(
            is_settled and one != other and not base.is_open(chain)
            for chain, one, other, is_settled in zip(chosen, answers, others, settled, strict=True)
        ):
            best, least = twin, gain
    return best
