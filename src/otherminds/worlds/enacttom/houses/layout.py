"""Floor plans: rooms as rectangles on a grid of squares, around a hall or along a corridor.

A plan is drawn for given kinds of rooms and may turn out useless; ``sample`` draws until one has all its doors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.houses.catalogue import catalogue

Box = tuple[int, int, int, int]  # x, y, width, height
_ROUND = 0.5  # the chance that a house with a hall alone is built around it
_CORNER = 0.5  # the chance of a large room at the end of a corridor
_TURNED = 0.4  # the chance that a plan is turned by 90 degrees
_NEAR = 3  # the length of the smaller of two rooms in a wing
_ORDERS = 4  # the orders of a row that are tried
_LONGEST = 7  # the longest side of a room that is not a hub


def layout(draw: Draw, hubs: Sequence[str], inner: Sequence[str], outer: Sequence[str]) -> list[Box] | None:
    """Boxes for the rooms of a house by kind: hubs, then inner rooms, then those before an outer wall.

    Returns:
        A box for each room in this order, or ``None`` where the rooms drawn do not fit together.
    """
    is_round = list(hubs) == ["hall"] and 5 <= len(inner) <= 8 and draw.happens(_ROUND)
    boxes = _around(draw, inner) if is_round else _along(draw, hubs, inner)
    if boxes is None:
        return None
    for kind in outer:
        box = _before(draw, kind, [*hubs, *inner], boxes)
        if box is None:
            return None
        boxes.append(box)
    return _moved(draw, boxes)


def shared_wall(a: Box, b: Box) -> int:
    """The length of the wall that two rooms share; 0 if they do not touch."""
    for side, along in ((0, 1), (1, 0)):
        if a[side] + a[side + 2] == b[side] or b[side] + b[side + 2] == a[side]:
            return max(0, min(a[along] + a[along + 2], b[along] + b[along + 2]) - max(a[along], b[along]))
    return 0


def is_overlapping(a: Box, b: Box) -> bool:
    """Whether two boxes have a square in common."""
    return all(a[side] < b[side] + b[side + 2] and b[side] < a[side] + a[side + 2] for side in (0, 1))


def _along(draw: Draw, hubs: Sequence[str], inner: Sequence[str]) -> list[Box] | None:
    """Two rows of rooms with the hubs between them, and often a larger room at the end of the hubs."""
    kinds = catalogue().rooms
    order = list(range(len(inner)))
    draw.shuffle(order)
    large = [at for at in order if kinds[inner[at]].width >= 5]
    corner = large[0] if large and len(inner) >= 4 and draw.happens(_CORNER) else None
    widths = {at: kinds[inner[at]].width + draw.below(2) for at in order}
    rows: tuple[list[int], list[int]] = ([], [])
    lengths = [0, widths[corner] if corner is not None else 0]
    for at in order:
        if at != corner:
            side = 0 if lengths[0] <= lengths[1] else 1
            rows[side].append(at)
            lengths[side] += widths[at]
    if not all(rows):
        return None
    for row in rows:
        row[:] = _neighbourly(draw, row, inner)
    short = 0 if lengths[0] < lengths[1] else 1
    for _ in range(abs(lengths[0] - lengths[1])):
        # A large room is stretched sooner than a small one.
        at = min(rows[short], key=lambda room: ((widths[room] + 1) / kinds[inner[room]].width ** 2, room))
        widths[at] += 1
    if max(widths.values()) > _LONGEST + 1:
        return None
    above, thick, below = 4 + draw.below(2), 2 + (hubs[0] == "hall"), 4 + draw.below(2)
    boxes: dict[int, Box] = {}
    for row, top, deep in ((rows[0], 0, above), (rows[1], above + thick, below)):
        left = 0
        for at in row:
            boxes[at] = (left, top, widths[at], deep)
            left += widths[at]
    end = max(lengths)
    if corner is not None:
        end -= widths[corner]
        boxes[corner] = (end, above, widths[corner], thick + below)
    cut = end if len(hubs) == 1 else 4 + draw.below(max(1, end - 7))
    middle: list[Box] = [(0, above, cut, thick), (cut, above, end - cut, thick)]
    if len(hubs) == 2 and end - cut < 3:
        return None
    return [*middle[: len(hubs)], *(boxes[at] for at in range(len(inner)))]


def _neighbourly(draw: Draw, row: Sequence[int], inner: Sequence[str]) -> list[int]:
    """A row of rooms in a new order, in which more neighbours than by chance may have a door between them."""
    known, orders = catalogue(), [list(row) for _ in range(_ORDERS)]
    for order in orders:
        draw.shuffle(order)
    return max(orders, key=lambda order: sum(known.is_adjoining(inner[a], inner[b]) for a, b in pairwise(order)))


def _around(draw: Draw, inner: Sequence[str]) -> list[Box] | None:
    """Four wings around a hall, like the sails of a windmill; a wing is one room or two."""
    kinds = catalogue().rooms
    order = list(range(len(inner)))
    draw.shuffle(order)
    order.sort(key=lambda at: kinds[inner[at]].width)  # small rooms share a wing, large ones have their own
    wide, high = 5 + draw.below(2), 5  # of the hall
    left, top, right, bottom = (3 + draw.below(2) for _ in range(4))
    wings: list[Box] = [
        (0, 0, left + wide, top),
        (left + wide, 0, right, top + high),
        (left, top + high, wide + right, bottom),
        (0, top, left, high + bottom),
    ]
    doubled = draw.some(range(4), len(inner) - 4)
    boxes: dict[int, Box] = {}
    for at, (x, y, long, deep) in enumerate(wings):
        if at not in doubled:
            boxes[order.pop()] = (x, y, long, deep)
            continue
        # The smaller room is at the hall's end of the wing, and the larger one still touches the hall.
        small, large = order.pop(0), order.pop(0)
        if at % 2 == 0:
            split = _NEAR if at == 2 else long - _NEAR
            parts = [(x, y, split, deep), (x + split, y, long - split, deep)]
        else:
            split = _NEAR if at == 3 else deep - _NEAR
            parts = [(x, y, long, split), (x, y + split, long, deep - split)]
        boxes[small], boxes[large] = parts if at >= 2 else reversed(parts)
    hall: Box = (left, top, wide, high)
    narrow = [at for at, box in boxes.items() if kinds[inner[at]].width == 3 and max(box[2:]) > _LONGEST]
    return None if narrow else [hall, *(boxes[at] for at in range(len(inner)))]


def _before(draw: Draw, kind: str, kinds: Sequence[str], boxes: Sequence[Box]) -> Box | None:
    """A box before an outer wall of a room that the kind may adjoin."""
    hosts = [at for at, host in enumerate(kinds) if catalogue().is_adjoining(kind, host)]
    draw.shuffle(hosts)
    for at in hosts:
        x, y, wide, high = boxes[at]
        deep = 2 + draw.below(2)
        sides: list[Box] = [
            (x, y - deep, wide, deep),
            (x, y + high, wide, deep),
            (x - deep - 1, y, deep + 1, high),
            (x + wide, y, deep + 1, high),
        ]
        draw.shuffle(sides)
        for box in sides:
            if max(box[2:]) <= _LONGEST and not any(is_overlapping(box, other) for other in boxes):
                return box
    return None


def _moved(draw: Draw, boxes: Sequence[Box]) -> list[Box]:
    """The same plan mirrored or turned, with its upper left corner at the origin."""
    is_turned, flips = draw.happens(_TURNED), (draw.happens(0.5), draw.happens(0.5))
    moved = [(y, x, high, wide) if is_turned else (x, y, wide, high) for x, y, wide, high in boxes]
    low = [min(box[side] for box in moved) for side in (0, 1)]
    top = [max(box[side] + box[side + 2] for box in moved) for side in (0, 1)]

    def start(box: Box, side: int) -> int:
        return top[side] - box[side] - box[side + 2] if flips[side] else box[side] - low[side]

    return [(start(box, 0), start(box, 1), box[2], box[3]) for box in moved]
