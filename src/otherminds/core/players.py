"""Who acts: the protocols that every world's players follow.

A *player* fills one seat, one decision at a time: a person, a language model, a planner. A *policy* is a pure
function for all seats of many worlds at once, on NumPy or JAX: scripted and learned agents. A world's match runner
seats both kinds at one table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np


@dataclass(frozen=True)
class Glimpse:
    """All that one seat is given for one decision. Nothing in it goes beyond what the seat may perceive."""

    seat: int
    turn: int
    observation: Any  # what ``observe`` gives this seat
    action_mask: Any
    text: str  # the same observation in words
    board: str  # and as a plain picture, for a terminal


@runtime_checkable
class Player(Protocol):
    """Fills one seat."""

    @property
    def name(self) -> str:
        """What records call it."""

    def begin(self, seat: int, params: Any, rng: np.random.Generator) -> None:
        """Take a seat at a new episode."""

    def act(self, glimpse: Glimpse) -> Any:
        """Choose an action of the world."""

    def end(self, score: float) -> None:
        """Learn the own score after the last turn."""


@runtime_checkable
class Believing(Protocol):
    """Can be asked what it believes, apart from what it does."""

    def believes(self, memory: Any, sight: Any, params: Any) -> Any:
        """How probable each fact is to each seat after ``sight``, given the memory after acting on it.

        ``None`` if it holds nothing that can be read.
        """


@runtime_checkable
class Policy(Protocol):
    """Acts for all seats at once. Pure: everything it remembers is in its memory."""

    @property
    def name(self) -> str:
        """What records and tables call it."""

    @property
    def sees_truth(self) -> bool:
        """Whether it is shown what agents really know: a reference, not a contender."""

    def __hash__(self) -> int:
        """Compiled rollouts are kept by policy."""

    def look(self, state: Any, params: Any) -> Any:
        """What it takes in of a state: only what the world's ``observe`` shows to its seats."""

    def begin(self, sight: Any, params: Any) -> Any:
        """The memory before the first turn."""

    def act(self, memory: Any, sight: Any, params: Any, key: Any) -> tuple[Any, Any]:
        """An action for every seat, and the new memory; ``sight`` is what it saw of the turn just played."""
