"""Players that act without theory of mind: on what they know, guessing the rest, or anything at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from otherminds.core.seeds import Draw
from otherminds.players.enacttom.reporting import Reporter
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.messages import Message, forbids
from otherminds.worlds.enacttom.observe import Note, Percept
from otherminds.worlds.enacttom.probes import CANNOT_TELL, NO, YES, Probe, options
from otherminds.worlds.enacttom.rules import WAIT, Act
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.calibrate import calibrate
from otherminds.worlds.enacttom.verify.depth import DEEPEST


@dataclass
class Random:
    """Does anything, possible or not, and now and then says something that may be true."""

    name: str = "random"

    def begin(self, ground: Ground, agent: int, notes: tuple[Note, ...], first: Percept, seed: int) -> None:
        self._ground, self._agent, self._draw = ground, agent, Draw(seed, f"enacttom/random/{agent}")
        self._seed, self._turn = seed, 0
        self._budget = ground.task.talk.budgets.get(ground.task.names[agent], 0)

    def act(self, turn: int) -> Act:
        ground, task, self._turn = self._ground, self._ground.task, turn
        listeners = task.talk.channels.get(task.names[self._agent], ())
        if self._budget and listeners and task.secrets and self._draw.happens(0.25):
            secret = self._draw.pick(task.secrets)
            atom = ("value", secret.name, self._draw.pick(secret.values))
            message = Message(self._agent, (task.names.index(self._draw.pick(listeners)),), (atom,))
            if not forbids(task, self._agent, message, self._budget, turn):
                self._budget -= 1
                return message
        return self._draw.pick([WAIT, *ground.by_name[self._agent]])

    def perceive(self, own: Act, percept: Percept) -> None:
        """It does not care."""

    def report(self, probe: Probe) -> str:
        # Drawn anew for each question, so that being asked does not change what it does.
        draw = Draw(self._seed, f"enacttom/random/{self._agent}/{self._turn}/{probe}")
        return draw.pick(options(self._ground.task, probe))


@dataclass
class Greedy:
    """Supposes a world that fits what it knows, and that all know it too; then does its part of the shortest plan.

    It tells the first thing it knows to the first it can reach, and makes up its mind anew when it learns something.
    """

    name: str = "greedy"
    _known: dict[int, int] = field(default_factory=dict)  # secrets by number

    def begin(self, ground: Ground, agent: int, notes: tuple[Note, ...], first: Percept, seed: int) -> None:
        self._ground, self._agent, self._draw = ground, agent, Draw(seed, f"enacttom/greedy/{agent}")
        self._known, self._told, self._done = {}, False, 0
        for about, said in notes:
            for at, secret in enumerate(ground.task.secrets):
                if about == secret.name:
                    self._known[at] = secret.values.index(said)
        self._take_in(first)
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
                self._told = True
                return message
        plan = plan_for(self._ground, self._world)
        # What is behind its time is caught up with: it does the next thing of its part that it has not done.
        todo = [acts[self._agent] for acts in plan or () if acts[self._agent] != WAIT]
        return todo[self._done] if self._done < len(todo) else WAIT

    def perceive(self, own: Act, percept: Percept) -> None:
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


@dataclass
class Decoupled:
    """Says what a deep tracker says, and acts like the greedy: the gap between report and act at its widest (7)."""

    name: str = "decoupled"
    _acting: Greedy = field(default_factory=Greedy)
    _reporter: Reporter = field(default_factory=lambda: Reporter(DEEPEST))

    def begin(self, ground: Ground, agent: int, notes: tuple[Note, ...], first: Percept, seed: int) -> None:
        self._acting.begin(ground, agent, notes, first, seed)
        self._reporter.begin(ground, agent, notes, first)

    def act(self, turn: int) -> Act:
        return self._acting.act(turn)

    def perceive(self, own: Act, percept: Percept) -> None:
        self._acting.perceive(own, percept)
        self._reporter.follow(own, percept)

    def report(self, probe: Probe) -> str:
        return self._reporter.report(probe)


@lru_cache(maxsize=4096)
def plan_for(ground: Ground, world: World) -> tuple[tuple[Act, ...], ...] | None:
    """The shortest plan in a world whose secrets all know."""
    return calibrate(ground, world)
