"""Which twins a family has and whose beliefs it is asked for, so that shallow rules gain little.

Every twin must differ from the base in a belief that is asked for and that the evidence settles; of those that do, the
one is taken with which the rules do worst (spec 15.3). Each family is chosen on its own, so that generation needs no
memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import compress

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.ambiguity import is_ambiguous, open_pairs
from otherminds.worlds.tomi.rules import History, chains
from otherminds.worlds.tomi.types import Announce, Chain, Exit, Move, Story

PER_ORDER = 2  # questions of each order
# What counts against a story: how often each rule is right. The last weighs a little more because the other two are
# often right together.
WEIGHTS = (0.31, 0.31, 0.38)


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


class Shortcuts:
    """The answers about one object of the rules without minds that gain most.

    In this order: reality, Algorithm 1, the place before the last move. The same rules as minds that read the text are
    in ``players/tomi/rules.py``; a test holds these to those.
    """

    __slots__ = ("_at_first_exit", "_at_last_exit", "before", "last")

    def __init__(self, story: Story, thing: int) -> None:
        self.before = self.last = self._at_first_exit = self._at_last_exit = -1
        for event in story.events:
            if type(event) is Exit:
                self._at_last_exit = self.last
                if self._at_first_exit < 0:
                    self._at_first_exit = self.last
            elif (type(event) is Move or type(event) is Announce) and event.object == thing:
                self.before, self.last = self.last, event.container

    def answers(self, chain: Chain) -> tuple[int, int, int]:
        """What each rule says of a chain's belief."""
        at_exit = self._at_last_exit if len(chain) == 1 else self._at_first_exit  # Algorithm 1 of the paper
        return self.last, at_exit if at_exit >= 0 else self.last, self.before


def asked(group: tuple[int, ...], order: int, draw: Draw) -> list[Chain]:
    """Chains to ask for: some of each order."""
    levels = [chains(group, depth) for depth in range(1, order + 1)]
    return [chain for level in levels for chain in (level if len(level) <= PER_ORDER else draw.some(level, PER_ORDER))]


def choose_twin(base: Told, candidates: Iterable[Told], chosen: Sequence[Chain]) -> Told | None:
    """The candidate with which shallow rules do worst; ``None`` if none differs from the base as a twin must."""
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
