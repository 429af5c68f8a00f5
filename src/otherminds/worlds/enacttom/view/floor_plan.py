"""The floor plan of a house: rooms large enough for what can be in them, and the doors between them.

Rooms keep the boxes of the task. If a room has none, all rooms are put on a grid, neighbours beside each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from otherminds.view.layout import LETTER
from otherminds.worlds.enacttom.types import Door, Furniture, Person, Room, Task, Thing

LINE, HEAD, MARGIN = 25.0, 30.0, 10.0  # heights of a line and of the name of a room, and the space around
SMALL, PLAIN = 12.0, 13.5  # sizes of letters
ICON, CHIP = 30.0, 16.0  # space for a picture, and around the letters of a chip
_SQUARE = 45.0  # the least size of a square of the task's floor plan
_CELL = 4  # the size of a room on the grid
_GAP = 0.12  # the least share of the shorter wall that two rooms must have in common for a door
_LONGEST = 24  # the most letters of a name that are shown
Box = tuple[float, float, float, float]  # x, y, width, height


@dataclass(frozen=True)
class Doorway:
    """A door as drawn: a gap in the wall, or a line between rooms that do not touch."""

    door: Door
    start: tuple[float, float]
    end: tuple[float, float]
    is_gap: bool


@dataclass(frozen=True)
class FloorPlan:
    """A floor plan in pixels."""

    width: float
    height: float
    rooms: dict[str, Box]
    openings: tuple[Doorway, ...]


@lru_cache(maxsize=64)
def plan_of(task: Task) -> FloorPlan:
    """The floor plan of a task's house, the same for every state."""
    given = {room.name: room.box for room in task.rooms if room.box}
    boxes = given if len(given) == len(task.rooms) else _grid(task)
    across = _stretched(boxes, 0, {room.name: _width(task, room) for room in task.rooms})
    wide = {name: across[x + width] - across[x] for name, (x, _, width, _) in boxes.items()}
    down = _stretched(boxes, 1, {room.name: _height(task, room, wide[room.name]) for room in task.rooms})
    rooms = {
        name: (across[x], down[y], wide[name], down[y + height] - down[y]) for name, (x, y, _, height) in boxes.items()
    }
    width, height = (max(box[side] + box[side + 2] for box in rooms.values()) + MARGIN for side in (0, 1))
    return FloorPlan(width, height, rooms, tuple(_opening(door, rooms) for door in task.doors))


def _stretched(
    boxes: Mapping[str, tuple[int, int, int, int]], side: int, needs: Mapping[str, float]
) -> dict[int, float]:
    """Where each wall is drawn, by its place in the task: squares are stretched where a room needs more.

    Args:
        boxes: the rooms of the task.
        side: 0 for walls that run down, 1 for walls that run across.
        needs: the least width or height of each room.
    """
    walls = sorted({wall for box in boxes.values() for wall in (box[side], box[side] + box[side + 2])})
    lengths = {start: (end - start) * _SQUARE for start, end in pairwise(walls)}
    for name in sorted(boxes, key=lambda name: boxes[name][side + 2]):  # the smallest rooms have the least choice
        start, end = boxes[name][side], boxes[name][side] + boxes[name][side + 2]
        inside = [wall for wall in lengths if start <= wall < end]
        has = sum(lengths[wall] for wall in inside)
        if has < needs[name]:
            lengths.update({wall: lengths[wall] * needs[name] / has for wall in inside})
    return dict(zip(walls, accumulate(lengths.values(), initial=MARGIN), strict=True))


def short(name: str, letters: int = _LONGEST) -> str:
    """A name without underscores, cut if it is too long."""
    name = name.replace("_", " ")
    return name if len(name) <= letters else name[: letters - 1] + "…"


def width_of(text: str, size: float) -> float:
    """The approximate width of a text."""
    return len(text) * size * (LETTER + 0.03)


def _grid(task: Task) -> dict[str, tuple[int, int, int, int]]:
    """Boxes on a grid of two or three columns, with rooms that share a door close to each other."""
    across = 2 if len(task.rooms) <= 4 else 3
    free = [(x, y) for y in range(len(task.rooms)) for x in range(across)]
    beside: dict[str, list[str]] = {room.name: [] for room in task.rooms}
    for door in task.doors:
        beside[door.rooms[0]].append(door.rooms[1])
        beside[door.rooms[1]].append(door.rooms[0])
    placed: dict[str, tuple[int, int]] = {}
    waiting = [room.name for room in task.rooms]
    while waiting:
        # The next room is one with a neighbour on the grid; the first room begins.
        name = next((room for room in waiting if any(other in placed for other in beside[room])), waiting[0])
        waiting.remove(name)
        near = [placed[other] for other in beside[name] if other in placed]
        spot = min(free, key=lambda cell: (sum(abs(cell[0] - x) + abs(cell[1] - y) for x, y in near), cell[1], cell[0]))
        free.remove(spot)
        placed[name] = spot
    return {name: (x * _CELL, y * _CELL, _CELL, _CELL) for name, (x, y) in placed.items()}


def chip_width(name: str) -> float:
    """The width of a thing as drawn."""
    return width_of(short(name), SMALL) + CHIP - 4


def flow(widths: Iterable[float], start: float, left: float, right: float) -> list[tuple[float, int]]:
    """The place of each of several chips, and the number of its line: the first line begins further to the right."""
    places, x, line = list[tuple[float, int]](), start, 0
    for width in widths:
        if x + width > right and x > left:
            x, line = left, line + 1
        places.append((x, line))
        x += width + 4
    return places


def _width(task: Task, room: Room) -> float:
    """The width that a room needs for what can be in it, one thing beside another at most."""
    longest = max((chip_width(thing.name) + 10 for thing in task.things), default=0.0)
    lines = [width_of(short(room.name), PLAIN) + 24]
    for part in task.furniture:
        if part.room == room.name:
            lines.append(_label(task, part) + (longest if part.kind in ("surface", "container") else 0))
    for person in _visitors(task, room):
        lines.append(ICON + width_of(short(person.name), PLAIN) + 44 + longest)
    return max(230.0, max(lines) + 2 * MARGIN)


def _height(task: Task, room: Room, width: float) -> float:
    """The height that a room of some width needs for its furniture with the things of the start, and for people."""
    lines = bool(task.things) + len(_visitors(task, room))
    for part in task.furniture:
        if part.room == room.name:
            here = [chip_width(thing.name) for thing in task.things if _begins_at(thing, part.name)]
            lines += 1 + max((line for _, line in flow(here, _label(task, part), ICON, width - 2 * MARGIN)), default=0)
    return max(110.0, HEAD + LINE * lines + 12)


def _visitors(task: Task, room: Room) -> list[Person]:
    return [person for person in task.people if room.name not in task.barred(person.name)]


def _begins_at(thing: Thing, furniture: str) -> bool:
    """Whether a thing is on or in a piece of furniture at the start, in some world."""
    return any(place.partition(" ")[2] == furniture for place in thing.places or (thing.place,))


def _label(task: Task, part: Furniture) -> float:
    """The width of a piece of furniture as drawn, with what is written beside it."""
    return ICON + width_of(short(part.name), PLAIN) + _aside(task, part)


def _aside(task: Task, part: Furniture) -> float:
    """The width of what is written beside a piece of furniture: its state, or what it shows."""
    if part.shows:
        return 14 + max(width_of(short(value), SMALL) for value in task.secrets[task.secret(part.shows)].values)
    return 76.0 if part.kind == "container" else 34.0 if part.kind == "switch" else 0.0


def _opening(door: Door, rooms: dict[str, Box]) -> Doorway:
    a, b = (rooms[name] for name in door.rooms)
    for side, along in ((0, 1), (1, 0)):  # walls that run down, then walls that run across
        low, high = max(a[along], b[along]), min(a[along] + a[along + 2], b[along] + b[along + 2])
        for edge, other in ((a[side] + a[side + 2], b[side]), (a[side], b[side] + b[side + 2])):
            if abs(edge - other) < 1 and high - low > _GAP * min(a[along + 2], b[along + 2]):
                middle, half = (low + high) / 2, min(24.0, (high - low) / 3)
                start, end = ((edge, at) if side == 0 else (at, edge) for at in (middle - half, middle + half))
                return Doorway(door, start, end, True)
    start, end = ((x + width / 2, y + height / 2) for x, y, width, height in (a, b))
    return Doorway(door, start, end, False)
