"""Doors: which rooms of a floor plan are joined, what the doors are called, and which are closed, locked or one-way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.houses.catalogue import catalogue
from otherminds.worlds.enacttom.houses.layout import Box, shared_wall
from otherminds.worlds.enacttom.types import Door, Room

WALL = 2  # the least length of a wall with a door
_BEHIND = 0.4  # the chance that a room which could be entered from a hub is entered from another room instead
_SECOND = 0.5  # the chance of a door between two rooms that can both be entered already
_TOGETHER = ("kitchen", "dining_room")  # these always have a door between them
Pair = tuple[int, int]


def openings(draw: Draw, kinds: Sequence[str], boxes: Sequence[Box]) -> list[Pair] | None:
    """The pairs of rooms with a door, each in the order in which somebody who comes from the hub passes it.

    No room is crossed that is not meant to be. The doors that make the house connected come first.

    Returns:
        The pairs, or ``None`` if some room cannot be entered, or kitchen and dining room do not touch.
    """
    known = catalogue()
    sorts = [known.rooms[kind].sort for kind in kinds]
    hubs = [room for room, sort in enumerate(sorts) if sort == "hub"]
    beside: dict[int, list[int]] = {room: [] for room in range(len(kinds))}
    for first, second in combinations(beside, 2):
        if shared_wall(boxes[first], boxes[second]) >= WALL and known.is_adjoining(kinds[first], kinds[second]):
            beside[first].append(second)
            beside[second].append(first)
    through = [room for room, sort in enumerate(sorts) if sort == "through"]
    reached, doors = {hubs[0]}, list[Pair]()

    def enter(room: int, ways: Sequence[int]) -> None:
        if room not in reached and ways:
            doors.append((draw.pick(ways), room))
            reached.add(room)

    for hub in hubs[1:]:
        enter(hub, [near for near in beside[hub] if near in reached])
    order = [room for room in beside if room not in hubs]
    draw.shuffle(order)
    for room in order:
        is_behind = any(near in through for near in beside[room]) and draw.happens(_BEHIND)
        if not is_behind:
            enter(room, [near for near in beside[room] if near in hubs and near in reached])
    for _ in range(len(order)):
        for room in order:
            enter(room, [near for near in beside[room] if near in reached and near in through])
    for room in order:
        enter(room, [near for near in beside[room] if near in hubs])
    if len(reached) < len(kinds):
        return None
    for first, second in (*combinations(through, 2), *product(hubs, through)):
        if second in beside[first] and (first, second) not in doors and (second, first) not in doors:
            is_due = {kinds[first], kinds[second]} == set(_TOGETHER)
            if is_due or draw.happens(_SECOND):
                doors.append((first, second))
    joined = [{kinds[first], kinds[second]} for first, second in doors]
    return doors if set(_TOGETHER) - set(kinds) or set(_TOGETHER) in joined else None


def named_doors(draw: Draw, rooms: Sequence[Room], pairs: Sequence[Pair]) -> tuple[Door, ...]:
    """Open doors. Those that make the house connected are named after the room that they lead to."""
    looks = draw.some(catalogue().doors, len(pairs) - len(rooms) + 1)
    names = [f"{rooms[into].name}_door" for _, into in pairs[: len(rooms) - 1]] + [f"{look}_door" for look in looks]
    ends = [(rooms[first].name, rooms[second].name) for first, second in pairs]
    return tuple(Door(name, pair) for name, pair in zip(names, ends, strict=True))


def barred_doors(draw: Draw, doors: Sequence[Door], closed: int, locked: int, one_way: int) -> tuple[Door, ...] | None:
    """The same doors, of which some are closed, locked, or one-way.

    A one-way door never leads into a trap: all rooms can be reached from all others without it.

    Returns:
        The doors, or ``None`` if there are not enough.
    """
    order = list(range(len(doors)))
    draw.shuffle(order)
    one_way_doors: list[int] = []
    for number in order:
        others = [door for other, door in enumerate(doors) if other not in (*one_way_doors, number)]
        if len(one_way_doors) < one_way and _is_connected(others, doors):
            one_way_doors.append(number)
    two_way_doors = [number for number in order if number not in one_way_doors]
    if len(one_way_doors) < one_way or len(two_way_doors) < locked + closed:
        return None
    changed = list(doors)
    for number in one_way_doors:
        first, second = doors[number].rooms
        rooms = (first, second) if draw.happens(0.5) else (second, first)
        changed[number] = replace(doors[number], one_way=True, rooms=rooms)
    for number in two_way_doors[: locked + closed]:
        changed[number] = replace(doors[number], is_open=False, is_locked=number in two_way_doors[:locked])
    return tuple(changed)


def _is_connected(doors: Sequence[Door], of: Sequence[Door]) -> bool:
    """Whether some doors alone join all the rooms that all the doors join."""
    rooms = {room for door in of for room in door.rooms}
    reached = {next(iter(of)).rooms[0]}
    for _ in rooms:
        reached |= {room for door in doors if reached.intersection(door.rooms) for room in door.rooms}
    return reached == rooms
