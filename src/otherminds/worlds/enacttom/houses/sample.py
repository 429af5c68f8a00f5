"""Draws houses and people by seed."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.houses.additions import add_furniture, add_things, free_names
from otherminds.worlds.enacttom.houses.catalogue import catalogue
from otherminds.worlds.enacttom.houses.doors import barred_doors, named_doors, openings
from otherminds.worlds.enacttom.houses.house import House
from otherminds.worlds.enacttom.houses.layout import Box, layout
from otherminds.worlds.enacttom.types import Room

ROOMS, FURNITURE, THINGS, PEOPLE = (5, 10), (12, 30), (10, 40), (2, 5)  # the fewest and the most
_CORE = ("kitchen", "bedroom")  # every house has these, and a room to wash in
_LIVING = 0.8  # the share of houses with a living room
_WASHING = ("bathroom", "bathroom", "washroom")
_TWO_HUBS = 8  # from this many rooms on, a house may have two hubs
_OUTSIDE = 2  # the most greenhouses, sunrooms and the like
_CLOSED = 0.3  # the share of doors that are closed, if no number is given
_PROGRAMMES, _PLANS = 50, 60  # how often kinds of rooms are drawn, and floor plans for them, until all doors fit


def sample_house(
    draw: Draw,
    *,
    rooms: int | None = None,
    furniture: int | None = None,
    things: int | None = None,
    closed: int | None = None,
    locked: int = 0,
    one_way: int = 0,
) -> House:
    """A house; the same draw gives the same house.

    Args:
        draw: source of everything.
        rooms: number of rooms, 5 to 10. [default: drawn]
        furniture: number of pieces of furniture, 12 to 30. [default: drawn, more in larger houses]
        things: number of things, 10 to 40. [default: drawn]
        closed: number of doors that are closed and can be opened. [default: about a third]
        locked: number of doors that are locked.
        one_way: number of doors that lead one way only. There is always another way back.

    Raises:
        UserError: if a number is outside its range, or no house was found with so many locked or one-way doors.
    """
    number = _number(draw, "rooms", rooms, ROOMS)
    house = _empty(draw, number, closed, locked, one_way)
    usual = (max(FURNITURE[0], 2 * number), min(FURNITURE[1], 4 * number))
    pieces = _number(draw, "furniture", furniture, FURNITURE, usual)
    few = (THINGS[0], min(THINGS[1], 2 * pieces))
    house = _furnished(house, draw, pieces)
    return add_things(house, draw, _number(draw, "things", things, THINGS, few))[0]


def sample_people(draw: Draw, number: int | None = None) -> list[str]:
    """Names of 2 to 5 people, no two with the same initial.

    Raises:
        UserError: if the number is outside its range.
    """
    left = list(catalogue().people)
    names: list[str] = []
    for _ in range(_number(draw, "people", number, PEOPLE)):
        names.append(draw.pick(left))
        left = [name for name in left if name[0] != names[-1][0]]
    return names


def _number(
    draw: Draw, what: str, given: int | None, limits: tuple[int, int], usual: tuple[int, int] | None = None
) -> int:
    if given is None:
        low, high = usual or limits
        return low + draw.below(high - low + 1)
    if not limits[0] <= given <= limits[1]:
        raise UserError(f"a house cannot have {given} {what}; expected {limits[0]} to {limits[1]}")
    return given


def _empty(draw: Draw, number: int, closed: int | None, locked: int, one_way: int) -> House:
    """A house without furniture."""
    for count, what in ((closed or 0, "closed"), (locked, "locked"), (one_way, "one-way")):
        if count < 0:
            raise UserError(f"a house cannot have {count} {what} doors; expected 0 or more")
    for attempt in range(_PROGRAMMES * _PLANS):
        if attempt % _PLANS == 0:
            hubs, inner, outer = _kinds(draw, number)
            kinds = [*hubs, *inner, *outer]
        boxes = layout(draw, hubs, inner, outer)
        pairs = None if boxes is None else openings(draw, kinds, boxes)
        if boxes is None or pairs is None:
            continue
        rooms = _named_rooms(draw, kinds, boxes)
        some = sum(draw.happens(_CLOSED) for _ in range(len(pairs) - locked - one_way)) if closed is None else closed
        doors = barred_doors(draw, named_doors(draw, rooms, pairs), some, locked, one_way)
        if doors is not None:
            return House(rooms, doors)
    wanted = ((closed, "closed"), (locked, "locked"), (one_way, "one-way"))
    asked = [f"{count} {what}" for count, what in wanted if count]
    limits = f" with {' and '.join(asked)} doors; ask for fewer such doors or for more rooms" if asked else ""
    raise UserError(f"found no house of {number} rooms{limits}")


def _kinds(draw: Draw, number: int) -> tuple[list[str], list[str], list[str]]:
    """Kinds of rooms: hubs, inner rooms, and rooms before an outer wall. Each can adjoin another of them."""
    known = catalogue().rooms
    weights = {name: kind.weight for name, kind in known.items() if kind.sort == "hub"}
    hubs = [_weighted(draw, {name: weight for name, weight in weights.items() if name != "landing"})]
    if number >= _TWO_HUBS and draw.happens(0.5):
        hubs.append(_weighted(draw, {name: weight for name, weight in weights.items() if name not in hubs}))
    kinds = [*hubs, *_CORE, draw.pick(_WASHING), *(["living_room"] if draw.happens(_LIVING) else [])]
    while len(kinds) < number:
        outside = sum(known[kind].sort == "outside" for kind in kinds)
        choices = {
            name: kind.weight
            for name, kind in known.items()
            if kind.sort != "hub"
            and kinds.count(name) < kind.most
            and kind.adjoins.intersection(kinds)
            and (kind.sort != "outside" or outside < _OUTSIDE)
        }
        kinds.append(_weighted(draw, choices))
    inner = [kind for kind in kinds[len(hubs) :] if known[kind].sort != "outside"]
    return hubs, inner, [kind for kind in kinds if known[kind].sort == "outside"]


def _weighted(draw: Draw, weights: dict[str, int]) -> str:
    return draw.pick([name for name, weight in weights.items() for _ in range(weight)])


def _named_rooms(draw: Draw, kinds: Sequence[str], boxes: Sequence[Box]) -> tuple[Room, ...]:
    looks = {kind: draw.some(catalogue().rooms[kind].looks, kinds.count(kind)) for kind in dict.fromkeys(kinds)
             if kinds.count(kind) > 1}  # fmt: skip
    names = [f"{looks[kind].pop()}_{kind}" if kind in looks else kind for kind in kinds]
    return tuple(Room(name, box) for name, box in zip(names, boxes, strict=True))


def _furnished(house: House, draw: Draw, pieces: int) -> House:
    """The house with furniture: first what a room is never without, then more where there is space."""
    known = catalogue()
    due = [(room.name, kind) for room in house.rooms for kind in known.always_in(house.kind_of(room.name))]
    draw.shuffle(due)
    firsts = {room: (room, kind) for room, kind in due}.values()  # one for each room, so that none stays empty
    for room, kind in [*firsts, *(pair for pair in due if pair not in firsts)]:
        if len(house.furniture) < pieces and free_names(house, kind):
            house, _ = add_furniture(house, draw, room, kind)
    while len(house.furniture) < pieces:
        space = {}
        for empty in house.rooms:
            _, _, width, height = empty.box or (0, 0, 0, 0)
            space[empty.name] = width * height / (1 + len(house.furniture_in(empty.name)))
        for hub in house.hubs:
            space[hub] /= 3  # people walk there
        wide = sorted(space, key=lambda name: (-space[name], name))
        room = wide[draw.below(3)]
        here = [known.kind_of(name) for name in house.furniture_in(room)]
        fitting = [kind for kind in known.furniture_for(known.kind_of(room)) if free_names(house, kind)]
        new = [kind for kind in fitting if kind not in here] or fitting
        house, _ = add_furniture(house, draw, room, draw.pick(new))
    order = {room.name: at for at, room in enumerate(house.rooms)}
    return House(house.rooms, house.doors, tuple(sorted(house.furniture, key=lambda part: order[part.room])))
