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
    hubs = [at for at, sort in enumerate(sorts) if sort == "hub"]
    beside: dict[int, list[int]] = {at: [] for at in range(len(kinds))}
    for one, other in combinations(beside, 2):
        if shared_wall(boxes[one], boxes[other]) >= WALL and known.is_adjoining(kinds[one], kinds[other]):
            beside[one].append(other)
            beside[other].append(one)
    through = [at for at, sort in enumerate(sorts) if sort == "through"]
    reached, doors = {hubs[0]}, list[Pair]()

    def enter(room: int, ways: Sequence[int]) -> None:
        if room not in reached and ways:
            doors.append((draw.pick(ways), room))
            reached.add(room)

    for hub in hubs[1:]:
        enter(hub, [other for other in beside[hub] if other in reached])
    order = [at for at in beside if at not in hubs]
    draw.shuffle(order)
    for room in order:
        is_behind = any(other in through for other in beside[room]) and draw.happens(_BEHIND)
        if not is_behind:
            enter(room, [other for other in beside[room] if other in hubs and other in reached])
    for _ in range(len(order)):
        for room in order:
            enter(room, [other for other in beside[room] if other in reached and other in through])
    for room in order:
        enter(room, [other for other in beside[room] if other in hubs])
    if len(reached) < len(kinds):
        return None
    for one, other in (*combinations(through, 2), *product(hubs, through)):
        if other in beside[one] and (one, other) not in doors and (other, one) not in doors:
            is_due = {kinds[one], kinds[other]} == set(_TOGETHER)
            if is_due or draw.happens(_SECOND):
                doors.append((one, other))
    joined = [{kinds[one], kinds[other]} for one, other in doors]
    return doors if set(_TOGETHER) - set(kinds) or set(_TOGETHER) in joined else None


def named_doors(draw: Draw, rooms: Sequence[Room], pairs: Sequence[Pair]) -> tuple[Door, ...]:
    """Open doors. Those that make the house connected are named after the room that they lead to."""
    looks = draw.some(catalogue().doors, len(pairs) - len(rooms) + 1)
    names = [f"{rooms[into].name}_door" for _, into in pairs[: len(rooms) - 1]] + [f"{look}_door" for look in looks]
    ends = [(rooms[one].name, rooms[other].name) for one, other in pairs]
    return tuple(Door(name, both) for name, both in zip(names, ends, strict=True))


def barred_doors(draw: Draw, doors: Sequence[Door], closed: int, locked: int, one_way: int) -> tuple[Door, ...] | None:
    """The same doors, of which some are closed, locked, or one-way.

    A one-way door never leads into a trap: all rooms can be reached from all others without it.

    Returns:
        The doors, or ``None`` if there are not enough.
    """
    order = list(range(len(doors)))
    draw.shuffle(order)
    ways: list[int] = []
    for at in order:
        if len(ways) < one_way and _is_connected([door for n, door in enumerate(doors) if n not in (*ways, at)], doors):
            ways.append(at)
    rest = [at for at in order if at not in ways]
    if len(ways) < one_way or len(rest) < locked + closed:
        return None
    changed = list(doors)
    for at in ways:
        first, second = doors[at].rooms
        changed[at] = replace(doors[at], one_way=True, rooms=(first, second) if draw.happens(0.5) else (second, first))
    for at in rest[: locked + closed]:
        changed[at] = replace(doors[at], is_open=False, is_locked=at in rest[:locked])
    return tuple(changed)


def _is_connected(doors: Sequence[Door], of: Sequence[Door]) -> bool:
    """Whether some doors alone join all the rooms that all the doors join."""
    rooms = {room for door in of for room in door.rooms}
    reached = {next(iter(of)).rooms[0]}
    for _ in rooms:
        reached |= {room for door in doors if reached.intersection(door.rooms) for room in door.rooms}
    return reached == rooms
