"""The base class of EnactToM's minds, which read their own log and answer from it alone (spec 6.3)."""

from __future__ import annotations

from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.world import Ask
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes.questions import Probe
from otherminds.worlds.enacttom.session import Opening, numbered


class Resident(BaseMind):
    """A mind that reads new entries of its log, then acts or answers. Subclasses implement four methods."""

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._seed, self._read = seed, -1  # entries of the log; -1 before the opening

    def reply(self, ask: Ask) -> Reply:
        if self._read < 0:
            self.start(ask.view.data)
            self._read = 0
        for own, percept in ask.view.log[self._read :]:
            self.follow(own, percept)
        self._read = len(ask.view.log)
        if ask.probe is None:
            return Reply(self.act(ask.turn))
        return Reply(self.report(numbered(ask.view.data, ask.probe)))

    def start(self, opening: Opening) -> None:
        """Read what is given before the first turn."""
        raise NotImplementedError

    def follow(self, own: Act, percept: Percept) -> None:
        """Read its own act of a turn and the percept that followed."""
        raise NotImplementedError

    def act(self, turn: int) -> Act:
        """The act of a turn, counted from 1. It must not change state: the act comes back in the log."""
        raise NotImplementedError

    def report(self, probe: Probe) -> str:
        """The answer to a probe, one of its options. It must not change state."""
        raise NotImplementedError
