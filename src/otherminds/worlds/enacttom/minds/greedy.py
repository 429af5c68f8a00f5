"""Minds without theory of mind: they act on what they know and guess the rest."""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.minds.baselines import DecoupledMind
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.minds.base import Resident
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes.questions import CANNOT_TELL, NO, YES, ProbeQuestion
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.session import Opening
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.plans import calibrate


class Greedy(Resident):
    """Assumes a world that fits what it knows and that everybody knows it, and does its part of the shortest plan.

    It sends the first value that it knows to the first person that it can reach. It assumes a world anew whenever it
    learns something.
    """

    name = "greedy"

    def start(self, opening: Opening) -> None:
        self._draw = Draw(self._seed)
        self._known: dict[int, int] = {}  # secrets by number
        self._told, self._done = False, 0
        secrets = {secret.name for secret in opening.ground.task.secrets}
        for about, value in opening.notes:
            if about in secrets:
                self._learn(about, value)
        self._look(opening.first)
        self._suppose()

    def act(self, turn: int) -> Act:
        task = self._ground.task
        listeners = task.talk.channels.get(task.names[self._agent], ())
        if not self._told and self._known and listeners:
            message = self.value_message(task.names.index(listeners[0]), *next(iter(self._known.items())))
            if self.can_send(message, turn):
                return message
        # Behind schedule, it does the next act of its part that it has not done.
        plan = calibrate(self._ground, self._world) or ()
        todo = [acts[self._agent] for acts in plan if acts[self._agent] != WAIT]
        return todo[self._done] if self._done < len(todo) else WAIT

    def follow(self, own: Act, percept: Percept) -> None:
        self._told = self._told or isinstance(own, Message)
        if isinstance(own, str) and own != WAIT and not percept.refused:
            self._done += 1
        before = dict(self._known)
        self._look(percept)
        for message in percept.messages:
            for kind, *parts in message.atoms:
                if kind == "value":
                    self._learn(*parts)
        if self._known != before:
            self._suppose()

    def report(self, probe: ProbeQuestion) -> str:
        """The values that it knows. It assumes that others know exactly what it knows."""
        if probe.secret not in self._known:
            return NO if probe.kind == "knows" else CANNOT_TELL
        if probe.kind == "knows":
            return YES
        return self._ground.task.secrets[probe.secret].values[self._known[probe.secret]]

    def _learn(self, name: str, value: str) -> None:
        at = self._ground.task.secret(name)
        self._known[at] = self._ground.task.secrets[at].values.index(value)

    def _look(self, percept: Percept) -> None:
        for variable, value in percept.seen:
            if variable < len(self._ground.task.secrets):  # secrets are the first variables
                self._known[variable] = value

    def _suppose(self) -> None:
        fits = [w for w in self._ground.task.worlds if all(w[at] == value for at, value in self._known.items())]
        self._world: World = self._draw.pick(fits or list(self._ground.task.worlds))


def decoupled() -> DecoupledMind:
    """Answers like the deepest tracker and acts like the greedy mind: the widest act-report gap (spec 7)."""
    from otherminds.worlds.enacttom.minds.tracker import DEEPEST, Tracker

    return DecoupledMind(Greedy(), Tracker(DEEPEST))
