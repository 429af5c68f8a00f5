"""What minds of a house share: each works from its own log, entry by entry, and answers by that alone (spec 6.3)."""

from __future__ import annotations

from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.world import Ask, View
from otherminds.worlds.enacttom import views
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes import CANNOT_TELL, Probe, answer, depth
from otherminds.worlds.enacttom.session import Opening, numbered


class Resident(BaseMind):
    """Takes in what is new in its log, and then acts or answers. Derive from it and write the four methods."""

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._seed, self._read = seed, -1  # entries of the log; the opening is not read yet

    def reply(self, ask: Ask) -> Reply:
        self._catch_up(ask.view)
        if ask.probe is None:
            return Reply(self.act(ask.turn))
        return Reply(self.report(numbered(ask.view.data, ask.probe)))

    def start(self, opening: Opening) -> None:
        """Take in what it is given before the first turn."""
        raise NotImplementedError

    def follow(self, own: Act, percept: Percept) -> None:
        """Take in what it did in a turn, and what came of it."""
        raise NotImplementedError

    def act(self, turn: int) -> Act:
        """What to do in a turn, counted from 1. It changes nothing: what is done comes back in the log."""
        raise NotImplementedError

    def report(self, probe: Probe) -> str:
        """The answer to a probe, one of its options. It changes nothing."""
        raise NotImplementedError

    def _catch_up(self, view: View) -> None:
        if self._read < 0:
            self.start(view.data)
            self._read = 0
        for own, percept in view.log[self._read :]:
            self.follow(own, percept)
        self._read = len(view.log)


def report_to_depth(view: views.View, probe: Probe, deep: int) -> str:
    """The right answer by what somebody has perceived, as far as it looks; beyond that it cannot tell."""
    return answer(view, probe) if depth(probe) <= deep else CANNOT_TELL
