"""The kinds of rooms, furniture and things, where each belongs, and how two of a kind are told apart by name.

A kind with *looks* is always named with an adjective (``blue_mug``), so that a second one needs no renaming. A kind
without looks occurs at most once in a house (``fridge``). Rooms have an adjective only where there are two of a kind.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import chain
from typing import Any, Literal

from otherminds.worlds.enacttom.types import Kind

Sort = Literal["hub", "through", "end", "outside"]


@dataclass(frozen=True)
class RoomKind:
    """A kind of room.

    Attributes:
        sort: ``hub`` (hall, corridor), ``through`` (may be crossed), ``end`` (has one door), or ``outside`` (stands
            before an outer wall, has one door).
        weight: how often it is drawn.
        width: the usual length of its wall, in squares of the floor plan.
        adjoins: the kinds to which it may have a door.
        most: the most of this kind in a house.
        looks: the adjectives that tell two of the kind apart.
    """

    sort: Sort
    weight: int
    adjoins: frozenset[str]
    width: int = 3
    most: int = 1
    looks: tuple[str, ...] = ()


@dataclass(frozen=True)
class FurnitureKind:
    """A kind of furniture: the rooms it belongs in, those it is never missing from, and whether it is usually open."""

    kind: Kind
    rooms: frozenset[str]
    always: frozenset[str] = frozenset()
    is_open: bool = False
    looks: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class ThingKind:
    """A kind of thing, with the kinds of furniture and room where it is kept: ``("fridge", "kitchen")``."""

    kept: frozenset[tuple[str, str]]
    looks: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Catalogue:
    """Everything that a house can have, by the name of its kind."""

    rooms: Mapping[str, RoomKind]
    furniture: Mapping[str, FurnitureKind]
    things: Mapping[str, ThingKind]
    doors: tuple[str, ...]  # adjectives for doors that are not named after a room
    people: tuple[str, ...]

    def kind_of(self, name: str) -> str:
        """The kind of a room, a piece of furniture or a thing, by its name.

        Raises:
            KeyError: if the name is not made from the words of the catalogue.
        """
        return self._kinds[name]

    @cached_property
    def _kinds(self) -> dict[str, str]:
        """The kind of every name that a house can have."""
        kinds = {f"{word}_{name}": name for name, room in self.rooms.items() for word in room.looks}
        kinds.update({name: name for name in self.rooms})
        for kind in chain(self.furniture, self.things):
            kinds.update({name: kind for names in self.names(kind) for name in names})
        return kinds

    def always_in(self, room: str) -> list[str]:
        """The kinds of furniture that a kind of room is never without."""
        return [name for name, kind in self.furniture.items() if room in kind.always]

    def furniture_for(self, room: str, kind: Kind | None = None) -> list[str]:
        """The kinds of furniture that belong in a kind of room."""
        return [name for name, piece in self.furniture.items() if room in piece.rooms and kind in (None, piece.kind)]

    def things_for(self, furniture: str, room: str) -> list[str]:
        """The kinds of things that are kept on or in a kind of furniture in a kind of room."""
        return [name for name, thing in self.things.items() if (furniture, room) in thing.kept]

    def names(self, kind: str) -> Iterator[list[str]]:
        """All names for a kind of furniture or thing, in groups that contrast well, such as colours."""
        looks = (self.furniture[kind] if kind in self.furniture else self.things[kind]).looks
        if not looks:
            yield [kind]
        for words in looks:
            yield [f"{word}_{kind}" for word in words]

    def is_adjoining(self, first: str, second: str) -> bool:
        """Whether a door between two kinds of rooms is plausible."""
        return second in self.rooms[first].adjoins or first in self.rooms[second].adjoins


@cache
def catalogue() -> Catalogue:
    """The catalogue of the package."""
    content: dict[str, Any] = json.loads(files(__package__).joinpath("catalogue.json").read_text(encoding="utf-8"))
    words: dict[str, list[str]] = content["looks"]
    rooms = {
        name: RoomKind(**{**row, "adjoins": frozenset(row["adjoins"]), "looks": _joined(words, row)})
        for name, row in content["rooms"].items()
    }
    furniture = {
        name: FurnitureKind(
            row["kind"],
            frozenset(row.get("rooms", rooms)),
            frozenset(row.get("always", ())),
            row.get("open", False),
            _looks(words, row),
        )
        for name, row in content["furniture"].items()
    }

    def kept(places: Sequence[str]) -> Iterator[tuple[str, str]]:
        for place in places:
            room, _, piece = place.rpartition("/")  # "pantry/shelf", or "fridge" wherever there is one
            yield from ((piece, kind) for kind in ([room] if room else furniture[piece].rooms))

    things = {
        name: ThingKind(frozenset(kept([*row.get("on", ()), *row.get("in", ())])), _looks(words, row))
        for name, row in content["things"].items()
    }
    return Catalogue(rooms, furniture, things, tuple(words["door"]), tuple(content["people"]))


def _looks(words: Mapping[str, list[str]], row: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(words[family]) for family in row.get("looks", ()))


def _joined(words: Mapping[str, list[str]], row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(chain.from_iterable(_looks(words, row)))
