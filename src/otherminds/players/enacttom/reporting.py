"""How players answer questions in passing: by what they have perceived, to the depth they look (6.3)."""

from __future__ import annotations

from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.observe import Note, Percept
from otherminds.worlds.enacttom.probes import CANNOT_TELL, Probe, answer, depth
from otherminds.worlds.enacttom.rules import Act
from otherminds.worlds.enacttom.views import View


class Reporter:
    """Keeps a view of a run and answers what lies within a depth; of the rest it cannot tell."""

    def __init__(self, deep: int) -> None:
        self._deep = deep

    def begin(self, ground: Ground, agent: int, read: tuple[Note, ...], first: Percept) -> None:
        """See the beginning."""
        self._view = View.begin(ground, agent, read, first)

    def follow(self, own: Act, percept: Percept) -> None:
        """Take in a turn."""
        self._view.follow(own, percept)

    def report(self, probe: Probe) -> str:
        """The right answer as far as one looks."""
        return answer(self._view, probe) if depth(probe) <= self._deep else CANNOT_TELL
