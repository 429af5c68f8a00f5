"""What is wrong with a house: overlaps, doors without a wall, rooms out of reach, names, and misplaced things.

``sample`` and ``additions`` make houses without faults; this is the independent second opinion, for tests and for
houses that were changed by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from otherminds.worlds.enacttom.grounding import HOLDS
from otherminds.worlds.enacttom.houses.catalogue import catalogue
from otherminds.worlds.enacttom.houses.house import House
from otherminds.worlds.enacttom.types import Furniture

_WALL = 2  # the least length of a wall with a door


def faults(house: House) -> list[str]:
    """Everything that is wrong with a house, in words; an empty list if nothing is."""
    wrong_names = list(_names(house))
    if wrong_names:
        return wrong_names  # nothing else can be checked without kinds
    return [*_plan(house), *_doors(house), *_furniture(house), *_things(house)]


def _names(house: House) -> Iterator[str]:
    parts = [part.name for many in (house.rooms, house.doors, house.furniture, house.things) for part in many]
    for name, times in Counter(parts).items():
        if times > 1:
            yield f"{name} is the name of {times} parts"
        if not re.fullmatch("[a-z]+(_[a-z]+)*", name):
            yield f"{name!r} is not made of lower-case words"
    known, kinds = catalogue(), Counter[str]()
    rooms = {room.name for room in house.rooms}
    looks = {*known.doors, *rooms}
    for door in house.doors:
        for room in set(door.rooms) - rooms:
            yield f"{door.name} leads to {room}, which does not exist"
        if not door.name.endswith("_door") or door.name.removesuffix("_door") not in looks:
            yield f"{door.name} is named neither after a room nor by an adjective of doors"
    for name in (part.name for many in (house.rooms, house.furniture, house.things) for part in many):
        try:
            kinds[known.kind_of(name)] += 1
        except KeyError:
            yield f"{name} is not in the catalogue"
    for kind, times in kinds.items():
        if times > 1 and kind in parts:
            yield f"{kind} has no adjective, though there are {times}"


def _plan(house: House) -> Iterator[str]:
    for first, second in combinations(house.rooms, 2):
        if _squares(first.box) & _squares(second.box):
            yield f"{first.name} and {second.name} overlap"
    if not house.hubs:
        yield "there is no hall, corridor or landing"


def _squares(box: tuple[int, int, int, int] | None) -> set[tuple[int, int]]:
    x, y, width, height = box or (0, 0, 0, 0)
    return {(at, down) for at in range(x, x + width) for down in range(y, y + height)}


def _doors(house: House) -> Iterator[str]:
    known, boxes = catalogue(), {room.name: _squares(room.box) for room in house.rooms}
    for door in house.doors:
        first, second = door.rooms
        touching = [
            {square for square in boxes[first] if (square[0] + dx, square[1] + dy) in boxes[second]}
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        ]
        if max(map(len, touching)) < _WALL:
            yield f"{door.name} is not in a wall of {first} and {second}"
        if not known.is_adjoining(house.kind_of(first), house.kind_of(second)):
            yield f"{door.name} joins {first} and {second}, which do not adjoin in a house"
        if door.is_open and door.is_locked:
            yield f"{door.name} is open and locked"
    for room in house.rooms:
        sort = known.rooms[house.kind_of(room.name)].sort
        if sort in ("end", "outside") and len(house.doors_of(room.name)) != 1:
            yield f"{room.name} has {len(house.doors_of(room.name))} doors; nobody should cross it"
        for other_room in house.rooms:
            if not house.path(other_room.name, room.name):
                yield f"{room.name} cannot be reached from {other_room.name}"


def _furniture(house: House) -> Iterator[str]:
    rooms = {room.name for room in house.rooms}
    for part in house.furniture:
        kind = catalogue().furniture[house.kind_of(part.name)]
        if part.room not in rooms or house.kind_of(part.room) not in kind.rooms:
            yield f"{part.name} does not belong in {part.room}"
        if part.kind != kind.kind:
            yield f"{part.name} is a {part.kind}; expected a {kind.kind}"


def _things(house: House) -> Iterator[str]:
    furniture: dict[str, Furniture] = {part.name: part for part in house.furniture}
    for thing in house.things:
        how, _, name = thing.place.partition(" ")
        holder = furniture.get(name)
        if holder is None or HOLDS.get(holder.kind) != how:
            yield f"{thing.name} is {thing.place!r}, where nothing can be"
            continue
        place = (house.kind_of(name), house.kind_of(holder.room))
        if place not in catalogue().things[house.kind_of(thing.name)].kept:
            yield f"{thing.name} is not kept {thing.place} in {holder.room}"
