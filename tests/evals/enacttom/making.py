"""Small episodes made by hand: minds that do what they are told, and answer what they are told."""

from dataclasses import dataclass, field
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.mind import BaseMind, Reply
from otherminds.core.world import Ask
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.probes import CANNOT_TELL
from otherminds.worlds.enacttom.rules import WAIT, Act
from otherminds.worlds.enacttom.session import numbered
from otherminds.worlds.enacttom.types import Task, World
from tests.worlds.enacttom.playing import play

ANN, BEN, CLEO = 0, 1, 2


@dataclass
class Told(BaseMind):
    """Does one act after the other, and then waits; answers by what is asked."""

    acts: list[Act]
    answers: dict[tuple[Any, ...], str] = field(default_factory=dict)  # by kind, chain and secret
    otherwise: str = CANNOT_TELL
    name: str = "told"

    def reply(self, ask: Ask) -> Reply:
        if ask.probe is None:
            return Reply(self.acts[ask.turn - 1] if ask.turn <= len(self.acts) else WAIT)
        probe = numbered(ask.view.data, ask.probe)
        return Reply(self.answers.get((probe.kind, probe.chain, probe.secret), self.otherwise))


def played(task: Task, world: World, *seats: Told | list[Act]) -> Episode:
    """An episode of what each is told to do; who is not named waits."""
    people = [seat if isinstance(seat, Told) else Told(seat) for seat in seats]
    people += [Told([]) for _ in range(len(task.people) - len(people))]
    return play(task, world, people, probes=True)


def says(sender: int, to: int, *atom: str) -> Message:
    return Message(sender, (to,), (atom,))


def placing(table: str, wait: int = 0) -> list[Act]:
    """What Ben does to put the cup somewhere."""
    return ["pick(cup)", "navigate(kitchen)", *[WAIT] * wait, f"place(cup, on, {table})"]
