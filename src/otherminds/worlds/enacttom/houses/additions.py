"""Adds furniture and things to a house, with names that tell them apart. A new house is returned each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import get_args

from otherminds.core.errors import UserError, nearest
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounding import HOLDS
from otherminds.worlds.enacttom.houses.catalogue import catalogue
from otherminds.worlds.enacttom.houses.house import House
from otherminds.worlds.enacttom.types import Furniture, Kind, Thing

MOST_THINGS = 4  # on or in one piece of furniture
_RARE = 0.8  # the share of things of which the house has the fewest so far
_SWITCHED_ON = 0.3  # the share of switches that are on at the start


def free_names(house: House, kind: str) -> list[str]:
    """The names that a further piece of furniture or thing of a kind could have.

    They are of one sort, such as colours, and of the sort that the house already has for this kind.
    """
    taken = house.names
    groups = [(names, [name for name in names if name not in taken]) for names in catalogue().names(kind)]
    begun = [free for names, free in groups if len(free) < len(names)]
    return next((free for free in [*begun, *(free for _, free in groups)] if free), [])


def add_furniture(house: House, draw: Draw, room: str, kind: str, number: int = 1) -> tuple[House, list[str]]:
    """Furniture for a room, all of one kind of the catalogue, so that only an adjective tells the pieces apart.

    Args:
        house: the house.
        draw: source of the names.
        room: the room.
        kind: ``surface``, ``container``, ``switch``, ``fixture``, or a kind of the catalogue such as ``floor_lamp``.
        number: of pieces.

    Returns:
        The new house, and the names of the new pieces.

    Raises:
        UserError: if no such furniture belongs in the room, or there are not enough names for it.
    """
    known, here = catalogue(), house.kind_of(room)
    fitting = known.furniture_for(here)
    if kind in known.furniture:
        if kind not in fitting:
            raise UserError(f"a {kind} does not belong in a {here}{nearest(kind, fitting)}")
        kinds = [kind]
    elif kind in get_args(Kind):
        kinds = [name for name in fitting if known.furniture[name].kind == kind]
    else:
        raise UserError(f"unknown furniture {kind!r}{nearest(kind, [*get_args(Kind), *known.furniture])}")
    names = {name: free for name in kinds if len(free := free_names(house, name)) >= number}
    if not names:
        raise UserError(f"there are not enough names for {number} more of kind {kind} in {room}; ask for fewer")
    chosen = draw.pick(list(names))
    new = draw.some(names[chosen], number)
    return replace(house, furniture=(*house.furniture, *(_piece(name, chosen, room, draw) for name in new))), new


def _piece(name: str, kind: str, room: str, draw: Draw) -> Furniture:
    made = catalogue().furniture[kind]
    is_on = made.kind == "switch" and draw.happens(_SWITCHED_ON)
    return Furniture(name, made.kind, room, is_open=made.is_open, is_on=is_on)


def add_things(
    house: House, draw: Draw, number: int = 1, *, at: Iterable[str] | None = None, kind: str = ""
) -> tuple[House, list[str]]:
    """Things where such things are kept.

    Args:
        house: the house.
        draw: source of the things.
        number: of things.
        at: the furniture that may hold them. [default: all, up to four things each]
        kind: the kind of all these things, such as ``mug``. [default: any that is kept there]

    Returns:
        The new house, and the names of the new things.

    Raises:
        UserError: if the house has too few places.
    """
    known = catalogue()
    if kind and kind not in known.things:
        raise UserError(f"unknown thing {kind!r}{nearest(kind, known.things)}")
    allowed = None if at is None else set(at)
    holders = [part for part in house.furniture if part.kind in HOLDS and (allowed is None or part.name in allowed)]
    room_for = {part.name: MOST_THINGS - len(house.things_at(part.name)) for part in holders}
    fitting = {
        part.name: [
            name for name in known.things_for(known.kind_of(part.name), known.kind_of(part.room)) if kind in ("", name)
        ]
        for part in holders
    }
    new: list[str] = []
    while len(new) < number:
        # First choose the place and then the thing, so that things are spread over the house.
        open_to = [part for part in holders if room_for[part.name] > 0 and fitting[part.name]]
        if not open_to:
            raise UserError(
                f"there is room for only {len(new)} of {number} more {kind or 'thing'}s; ask for fewer, or add "
                "furniture first"
            )
        part = draw.pick(open_to)
        chosen = draw.pick(_rare(house, fitting[part.name]) if draw.happens(_RARE) else fitting[part.name])
        names = free_names(house, chosen)
        if not names:
            for kinds in fitting.values():
                kinds[:] = [name for name in kinds if name != chosen]
            continue
        name = draw.pick(names)
        house = replace(house, things=(*house.things, Thing(name, f"{HOLDS[part.kind]} {part.name}")))
        room_for[part.name] -= 1
        new.append(name)
    return house, new


def _rare(house: House, kinds: Sequence[str]) -> list[str]:
    """Those kinds of things of which a house has the fewest."""
    has = Counter(catalogue().kind_of(thing.name) for thing in house.things)
    return [kind for kind in kinds if has[kind] == min(has[other] for other in kinds)]
