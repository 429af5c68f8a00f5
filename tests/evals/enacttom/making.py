"""Small runs made by hand: players that do what they are told, and answer what they are told."""

from dataclasses import dataclass, field
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.players.enacttom.match import play
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.probes import CANNOT_TELL, Probe
from otherminds.worlds.enacttom.rules import WAIT, Act
from otherminds.worlds.enacttom.types import Task, World

ANN, BEN, CLEO = 0, 1, 2


@dataclass
class Told:
    """Does one act after the other, and then waits; answers by what is asked."""

    acts: list[Act]
    answers: dict[tuple[Any, ...], str] = field(default_factory=dict)  # by kind, chain and secret
    otherwise: str = CANNOT_TELL
    name: str = "told"

    def begin(self, *_: Any) -> None:
        """It needs to know nothing."""

    def act(self, turn: int) -> Act:
        return self.acts[turn - 1] if turn <= len(self.acts) else WAIT

    def perceive(self, *_: Any) -> None:
        """It does not care."""

    def report(self, probe: Probe) -> str:
        return self.answers.get((probe.kind, probe.chain, probe.secret), self.otherwise)


def played(task: Task, world: World, *seats: Told | list[Act]) -> Episode:
    """A run of what each is told to do; who is not named waits."""
    people = [seat if isinstance(seat, Told) else Told(seat) for seat in seats]
    people += [Told([]) for _ in range(len(task.people) - len(people))]
    return play(ground(task), world, people, has_probes=True)[1]


def says(sender: int, to: int, *atom: str) -> Message:
    return Message(sender, (to,), (atom,))


def placing(table: str, wait: int = 0) -> list[Act]:
    """What Ben does to put the cup somewhere."""
    return ["pick(cup)", "navigate(kitchen)", *[WAIT] * wait, f"place(cup, on, {table})"]
