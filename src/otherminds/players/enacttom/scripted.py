"""Minds that act without theory of mind: on what they know, guessing the rest."""

from __future__ import annotations

from functools import lru_cache

from otherminds.core.seeds import Draw
from otherminds.minds.simple import DecoupledMind
from otherminds.players.enacttom.resident import Resident
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.messages import Act, Message, forbids
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes import CANNOT_TELL, NO, YES, Probe
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.session import Opening
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.depth import DEEPEST, calibrate


class Greedy(Resident):
    """Supposes a world that fits what it knows, and that all know it too; then does its part of the shortest plan.

    It tells the first thing it knows to the first it can reach, and makes up its mind anew when it learns something.
    """

    name = "greedy"

    def start(self, opening: Opening) -> None:
        self._ground, self._agent, self._draw = opening.ground, opening.agent, Draw(self._seed)
        self._known: dict[int, int] = {}  # secrets by number
        self._told, self._done = False, 0
        for about, said in opening.notes:
            for at, secret in enumerate(opening.ground.task.secrets):
                if about == secret.name:
                    self._known[at] = secret.values.index(said)
        self._take_in(opening.first)
        self._suppose()

    def act(self, turn: int) -> Act:
        task = self._ground.task
        listeners = task.talk.channels.get(task.names[self._agent], ())
        if not self._told and self._known and listeners:
            at, value = next(iter(self._known.items()))
            atom = ("value", task.secrets[at].name, task.secrets[at].values[value])
            message = Message(self._agent, (task.names.index(listeners[0]),), (atom,))
            budget = task.talk.budgets.get(task.names[self._agent], 0)
            if not forbids(task, self._agent, message, budget, turn):
                return message
        plan = plan_for(self._ground, self._world)
        # What is behind its time is caught up with: it does the next thing of its part that it has not done.
        todo = [acts[self._agent] for acts in plan or () if acts[self._agent] != WAIT]
        return todo[self._done] if self._done < len(todo) else WAIT

    def follow(self, own: Act, percept: Percept) -> None:
        self._told = self._told or isinstance(own, Message)
        if isinstance(own, str) and own != WAIT and not percept.refused:
            self._done += 1
        before = dict(self._known)
        self._take_in(percept)
        for message in percept.messages:
            for kind, *parts in message.atoms:
                if kind == "value":
                    at = self._ground.task.secret(parts[0])
                    self._known[at] = self._ground.task.secrets[at].values.index(parts[1])
        if self._known != before:
            self._suppose()

    def report(self, probe: Probe) -> str:
        """Its own values are right; what it knows it takes all others to know, and what it does not, nobody."""
        if probe.secret not in self._known:
            return NO if probe.kind == "knows" else CANNOT_TELL
        if probe.kind == "knows":
            return YES
        return self._ground.task.secrets[probe.secret].values[self._known[probe.secret]]

    def _take_in(self, percept: Percept) -> None:
        for variable, value in percept.seen:
            if variable < len(self._ground.task.secrets):  # secrets are the first variables
                self._known[variable] = value

    def _suppose(self) -> None:
        fits = [w for w in self._ground.task.worlds if all(w[at] == value for at, value in self._known.items())]
        self._world: World = self._draw.pick(fits or list(self._ground.task.worlds))


def decoupled() -> DecoupledMind:
    """Says what a deep tracker says, and acts as the greedy does: the widest gap between report and act (spec 7)."""
    from otherminds.players.enacttom.policies import tracker

    return DecoupledMind(Greedy(), tracker(DEEPEST))


@lru_cache(maxsize=4096)
def plan_for(ground: Ground, world: World) -> tuple[tuple[Act, ...], ...] | None:
    """The shortest plan in a world whose secrets all know."""
    return calibrate(ground, world)
