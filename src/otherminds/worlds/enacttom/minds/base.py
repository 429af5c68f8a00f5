"""The base class of EnactToM's minds, which read their own log and answer from it alone (spec 6.3)."""

from __future__ import annotations

from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.world import Ask
from otherminds.worlds.enacttom.messages import Act, Message, cost, forbids
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes.questions import ProbeQuestion
from otherminds.worlds.enacttom.session import Opening, numbered


class Resident(BaseMind):
    """A mind that reads new entries of its log, then acts or answers. Subclasses implement four methods."""

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._seed, self._read = seed, -1  # entries of the log; -1 before the opening

    def reply(self, ask: Ask) -> Reply:
        if self._read < 0:
            opening: Opening = ask.view.data
            task = opening.ground.task
            self._ground, self._agent = opening.ground, opening.agent
            self._budget = task.talk.budgets.get(task.names[opening.agent], 0)  # messages that it can still send
            self.start(opening)
            self._read = 0
        for own, percept in ask.view.log[self._read :]:
            if isinstance(own, Message) and not percept.refused:
                self._budget -= cost(self._ground.task, own)
            self.follow(own, percept)
        self._read = len(ask.view.log)
        if ask.probe is None:
            return Reply(self.act(ask.turn))
        return Reply(self.report(numbered(ask.view.data, ask.probe)))

    def value_message(self, listener: int, secret: int, value: int) -> Message:
        """A message that tells one person the value of a secret."""
        about = self._ground.task.secrets[secret]
        return Message(self._agent, (listener,), (("value", about.name, about.values[value]),))

    def can_send(self, message: Message, turn: int) -> bool:
        """Whether a message would not be refused in a turn."""
        return not forbids(self._ground.task, self._agent, message, self._budget, turn)

    def start(self, opening: Opening) -> None:
        """Read what is given before the first turn."""
        raise NotImplementedError

    def follow(self, own: Act, percept: Percept) -> None:
        """Read its own act of a turn and the percept that followed."""
        raise NotImplementedError

    def act(self, turn: int) -> Act:
        """The act of a turn, counted from 1. It must not change state: the act comes back in the log."""
        raise NotImplementedError

    def report(self, probe: ProbeQuestion) -> str:
        """The answer to a probe, one of its options. It must not change state."""
        raise NotImplementedError
