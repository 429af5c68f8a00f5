"""A house, and what can be asked of it: rooms by their place in the house, and furniture that is still free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.enacttom.grounding import HOLDS
from otherminds.worlds.enacttom.houses.catalogue import catalogue
from otherminds.worlds.enacttom.tasks.write import content_text, plain
from otherminds.worlds.enacttom.types import Door, Furniture, Kind, Room, Thing


@dataclass(frozen=True)
class House:
    """Rooms, doors, furniture and things, without people. All names are unique and made from the catalogue's words."""

    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    furniture: tuple[Furniture, ...] = ()
    things: tuple[Thing, ...] = ()

    @property
    def names(self) -> set[str]:
        """All names that are taken."""
        return {part.name for many in (self.rooms, self.doors, self.furniture, self.things) for part in many}

    def kind_of(self, name: str) -> str:
        """The kind of a room, a piece of furniture or a thing in the catalogue, such as ``mug`` for ``blue_mug``."""
        if name not in self.names:
            raise UserError(f"there is no {name!r} in this house{nearest(name, sorted(self.names))}")
        return catalogue().kind_of(name)

    def rooms_of(self, *kinds: str) -> list[str]:
        """The rooms of some kinds; without kinds, all rooms."""
        return [room.name for room in self.rooms if not kinds or self.kind_of(room.name) in kinds]

    def doors_of(self, room: str) -> list[Door]:
        """The doors of a room."""
        return [door for door in self.doors if room in door.rooms]

    def beside(self, room: str) -> list[str]:
        """The rooms behind the doors of a room, whichever way these lead."""
        return [other for door in self.doors_of(room) for other in door.rooms if other != room]

    @property
    def dead_ends(self) -> list[str]:
        """The rooms with one door."""
        return [room.name for room in self.rooms if len(self.doors_of(room.name)) == 1]

    @property
    def hubs(self) -> list[str]:
        """Halls, corridors and landings."""
        return [room.name for room in self.rooms if catalogue().rooms[self.kind_of(room.name)].sort == "hub"]

    def path(self, start: str, end: str, around: Sequence[str] = ()) -> list[str]:
        """The rooms of a shortest way from one room to another, with both; empty if there is none.

        Args:
            start: the first room.
            end: the last room.
            around: rooms that the way must not enter.
        """
        ways = [[start]]
        seen = {start, *around}
        for way in ways:
            if way[-1] == end:
                return way
            for door in self.doors_of(way[-1]):
                first, second = door.rooms
                to = second if way[-1] == first else first
                if to not in seen and not (door.one_way and to == first):
                    seen.add(to)
                    ways.append([*way, to])
        return []

    def furniture_in(self, room: str, kind: Kind | None = None) -> list[str]:
        """The furniture of a room, or only one kind of it (``surface``, ``container``, ``switch``, ``fixture``)."""
        return [part.name for part in self.furniture if part.room == room and kind in (None, part.kind)]

    def free(self, room: str, kind: Kind | None = None) -> list[str]:
        """The empty surfaces and containers of a room, or only one of the two kinds."""
        holders = [part for part in self.furniture if part.room == room and part.kind in HOLDS]
        return [part.name for part in holders if kind in (None, part.kind) and not self.things_at(part.name)]

    def things_at(self, furniture: str) -> list[str]:
        """The things on or in a piece of furniture."""
        return [thing.name for thing in self.things if thing.place.split(" ", 1)[1] == furniture]

    def with_door(self, name: str, **changes: Any) -> House:
        """The house with a door that is changed: ``is_open``, ``is_locked`` or ``one_way``."""
        if name not in (door.name for door in self.doors):
            raise UserError(f"there is no door {name!r}{nearest(name, [door.name for door in self.doors])}")
        changed = (replace(door, **changes) if door.name == name else door for door in self.doors)
        return replace(self, doors=tuple(changed))

    def without(self, *names: str) -> House:
        """The house without some pieces of furniture and what they hold, or without some things."""
        gone = {*names, *(thing for name in names for thing in self.things_at(name))}
        return replace(
            self,
            furniture=tuple(part for part in self.furniture if part.name not in gone),
            things=tuple(thing for thing in self.things if thing.name not in gone),
        )

    def content(self) -> dict[str, Any]:
        """The house as in the file of a task, under ``house``."""
        parts = {"rooms": self.rooms, "doors": self.doors, "furniture": self.furniture, "things": self.things}
        return {field: plain(many) or {} for field, many in parts.items()}

    def text(self) -> str:
        """The house in YAML, as in the file of a task."""
        return content_text({"house": self.content()})
