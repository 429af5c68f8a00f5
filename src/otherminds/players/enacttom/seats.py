"""What players of the household do: perceive, and act."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.observe import Note, Percept
from otherminds.worlds.enacttom.probes import Probe
from otherminds.worlds.enacttom.rules import Act


@runtime_checkable
class Seat(Protocol):
    """One person of a house. It gets what that person perceives, and the task, whose worlds all know."""

    @property
    def name(self) -> str:
        """What records call it."""

    def begin(self, ground: Ground, agent: int, notes: tuple[Note, ...], first: Percept, seed: int) -> None:
        """Take a seat in a new run: which person one is, what it reads, and what it sees before the first turn."""

    def act(self, turn: int) -> Act:
        """What to do in a turn, counted from 1."""

    def perceive(self, own: Act, percept: Percept) -> None:
        """Take in what came of a turn."""

    def report(self, probe: Probe) -> str:
        """The answer to a question in passing, one of its options; empty if none can be read. It changes nothing."""
