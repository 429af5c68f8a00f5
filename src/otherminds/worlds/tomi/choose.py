"""Whose beliefs a family is asked for, so that no shallow rule gains.

The people asked about are chosen for all members of a family together: every twin must differ from the base in a belief
of theirs that the evidence settles, and each rule should be right about as often as a guess among the containers (spec
15.3). Each family is chosen on its own, so that generation needs no memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import combinations, permutations

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.ambiguity import is_ambiguous, open_pairs
from otherminds.worlds.tomi.answers import is_false
from otherminds.worlds.tomi.rules import History
from otherminds.worlds.tomi.shortcuts import NUM_RULES, Shortcuts
from otherminds.worlds.tomi.types import Story

Chain = tuple[int, ...]
PER_ORDER = 2  # questions of each order


class Told:
    """One member, with what choosing needs to know of it."""

    def __init__(self, story: Story, history: History) -> None:
        self.story, self.history = story, history
        self._beliefs: dict[Chain, int | None] = {}  # a base is compared to dozens of possible twins

    @cached_property
    def doubts(self) -> list[list[int]]:
        """What the evidence leaves open, see :mod:`ambiguity`."""
        return open_pairs(self.story)

    @cached_property
    def shortcuts(self) -> Shortcuts:
        """What shallow rules would answer."""
        return Shortcuts(self.story, 0)

    def belief(self, chain: Chain) -> int | None:
        """What the chain supports about the object asked about."""
        if chain not in self._beliefs:
            self._beliefs[chain] = self.history.beliefs.belief(chain, 0)
        return self._beliefs[chain]

    def is_open(self, chain: Chain) -> bool:
        """Whether the evidence leaves it open."""
        return is_ambiguous(self.doubts, chain, 0)


@cache
def groups(agents: int, order: int) -> tuple[tuple[int, ...], ...]:
    """The people that could be asked about together: two, or as many as the deepest question names."""
    return tuple(combinations(range(agents), max(2, order)))


@cache
def chains(group: tuple[int, ...], order: int) -> tuple[tuple[Chain, ...], ...]:
    """The chains of each order among some people."""
    return tuple(tuple(permutations(group, depth)) for depth in range(1, order + 1))


def order_among(group: tuple[int, ...], order: int, history: History) -> int:
    """The least depth at which one of the group is wrong; 0 if none is, -1 if there is anything none can say."""
    found = 0
    for depth, level in enumerate(chains(group, order), 1):
        for chain in level:
            if history.beliefs.belief(chain, 0) is None:
                return -1
            if not found and is_false(chain, 0, history):
                found = depth
    return found


def tells_apart(group: tuple[int, ...], order: int, base: Told, twin: Told) -> bool:
    """Whether a settled belief among a group differs between two stories, and none is missing."""
    is_different = False
    for level in chains(group, order):
        for chain in level:
            other = twin.belief(chain)
            if other is None:
                return False
            if not is_different and other != base.belief(chain):
                is_different = not base.is_open(chain) and not twin.is_open(chain)
    return is_different


def questions(group: tuple[int, ...], order: int, members: Sequence[Told], draw: Draw) -> tuple[float, list[Chain]]:
    """Chains to ask among a group, and how far the rules' successes are from guessing."""
    num_candidates = sum(home == members[0].story.homes[0] for home in members[0].story.homes)
    chosen: list[Chain] = []
    apart = 0
    everyone = (1 << len(members) - 1) - 1
    for level in reversed(chains(group, order)):
        picked = list(level) if len(level) <= PER_ORDER else draw.some(level, PER_ORDER)
        chosen = picked + chosen
    for chain in chosen:
        apart |= _apart(chain, members)
    if apart != everyone:
        return float("inf"), []
    right = [0] * NUM_RULES
    for member in members:
        for chain in chosen:
            answer = member.belief(chain)
            for rule, guess in enumerate(member.shortcuts.answers(chain)):
                right[rule] += guess == answer
    total = len(members) * len(chosen)
    return max(count / total - 1 / num_candidates for count in right), chosen


def _apart(chain: Chain, members: Sequence[Told]) -> int:
    base = members[0]
    if base.is_open(chain):
        return 0
    answer = base.belief(chain)
    return sum(
        1 << twin
        for twin, member in enumerate(members[1:])
        if member.belief(chain) != answer and not member.is_open(chain)
    )
