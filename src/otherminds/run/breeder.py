"""What a world must be able to do for its items to evolve; see :mod:`otherminds.run.evolve`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from otherminds.core.errors import UserError
from otherminds.core.registry import entries, split_version
from otherminds.core.seeds import Draw
from otherminds.core.world import Item, World

C = TypeVar("C")


class Refused(UserError):
    """A candidate that cannot be made, or is not fit for a pool. The message says why."""


class Breeder(Protocol[C]):
    """How a world makes, changes, checks and stores the items of a pool.

    What makes a candidate raises :class:`Refused` if it cannot, and draws from the given stream alone.
    """

    @property
    def operators(self) -> Sequence[str]:
        """The names of the changes that :meth:`mutate` can make."""

    @property
    def suffix(self) -> str:
        """The suffix of the files of items."""

    def fresh(self, draw: Draw) -> C:
        """A new item."""

    def mutate(self, parent: C, operator: str, draw: Draw) -> C:
        """An item with one thing changed."""

    def cross(self, first: C, second: C, draw: Draw) -> C:
        """An item with something of two others."""

    def niches(self, candidate: C) -> Mapping[str, float]:
        """The groups of similar items that a candidate belongs to, with the largest share of a pool for each."""
        return {}

    def check(self, candidate: C) -> C:
        """The candidate with the proofs that it needs to be played.

        Raises:
            Refused: if they cannot be found, or the item is clearly not worth keeping.
        """

    def confirm(self, candidate: C) -> C:
        """The candidate, with what only an item that is kept needs to have proved. This may take long.

        Raises:
            Refused: if the item is not worth keeping.
        """
        return candidate

    def key(self, candidate: C) -> str:
        """A text that near-duplicates share."""

    def items(self, candidate: C, run: int) -> Sequence[Item]:
        """What is played in a run of the item. Each episode counts as passed or failed."""

    def text(self, candidate: C, name: str, lineage: Mapping[str, Any]) -> str:
        """The content of its file, in the world's own format, with the lineage."""

    def read(self, path: Path) -> C:
        """The item of a file."""


def breeder_of(world: World) -> Breeder[Any]:
    """The breeder of a world.

    Raises:
        UserError: if it has none.
    """
    found = [entry for entry in entries("breeder", world.id) if entry.world]
    if not found:
        able = ", ".join(sorted(entry.name for entry in entries("breeder")))
        raise UserError(f"items of {split_version(world.id)[0]} cannot be evolved; expected one of {able}")
    made: Breeder[Any] = found[0].load()(world)
    return made
