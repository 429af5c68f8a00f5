"""What shallow rules would answer, from the events: the generator keeps their success down.

The same rules as players that read the text are in ``players/tomi/rules.py``; a test holds these to those.
"""

from __future__ import annotations

from otherminds.worlds.tomi.types import Announce, Exit, Move, Story

# What counts against a story: how often each rule is right. Reality, Algorithm 1 and the place before the last move are
# those that gain most; the last weighs a little more because the other two are often right together.
WEIGHTS = (0.31, 0.0, 0.31, 0.0, 0.38)


class Shortcuts:
    """The answers about one object of rules that do without minds.

    In this order: reality, the beginning, Algorithm 1, exits, the place before the last move.
    """

    __slots__ = ("_at_exit", "_at_first_exit", "_at_last_exit", "before", "first", "last")

    def __init__(self, story: Story, thing: int) -> None:
        self.first = self.before = self.last = self._at_first_exit = self._at_last_exit = -1
        # When each first left, and where it was.
        self._at_exit: list[tuple[int, int] | None] = [None] * story.num_agents
        for time, event in enumerate(story.events):
            if type(event) is Exit:
                if self.last >= 0:
                    self._at_last_exit = self.last
                    if self._at_first_exit < 0:
                        self._at_first_exit = self.last
                    if self._at_exit[event.agent] is None:
                        self._at_exit[event.agent] = time, self.last
            elif (type(event) is Move or type(event) is Announce) and event.object == thing:
                self.before, self.last = self.last, event.container
                if self.first < 0:
                    self.first = self.last

    def answers(self, chain: tuple[int, ...]) -> tuple[int, int, int, int, int]:
        """What each rule says of a chain's belief."""
        at_exit = self._at_last_exit if len(chain) == 1 else self._at_first_exit  # Algorithm 1 of the paper
        left = [gone for agent in chain if (gone := self._at_exit[agent]) is not None]
        at_first = min(left)[1] if left else self.last
        return self.last, self.first, at_exit if at_exit >= 0 else self.last, at_first, self.before
