"""Building blocks of families: names, floor plans, and goals that recur."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Content = dict[str, Any]  # a task as in its file, without certificate and provenance

PEOPLE = (
    *("ada", "ben", "cleo", "dan", "eli", "fay", "gus", "hana", "ivo", "june", "kim", "leo"),
    *("mia", "noor", "otto", "pia", "quinn", "rosa", "sam", "tess", "uma", "vik", "wren", "zoe"),
)
ROOMS = (
    *("kitchen", "study", "hall", "porch", "attic", "cellar", "pantry", "library", "workshop", "garage"),
    *("nursery", "parlour", "laundry", "greenhouse", "studio", "larder"),
)
THINGS = ("cup", "book", "vase", "lamp", "basket", "kettle", "radio", "parcel", "clock", "candle", "bowl", "globe")
COLOURS = ("red", "blue", "green", "white", "yellow", "black")
NUMBERS = ("one", "two", "three", "four")
_WIDTH, _HEIGHT = 5, 4  # of a room


def task(
    title: str,
    horizon: int,
    rooms: Sequence[str],
    *,
    columns: int = 3,
    doors: Iterable[tuple[str, str]] = (),
    secrets: Mapping[str, Iterable[str]],
    informational: Mapping[str, Iterable[str]] | None = None,
    furniture: Content,
    things: Content | None = None,
    **fields: Any,
) -> Content:
    """The content of a cooperative task.

    Args:
        title: of the task.
        horizon: turns.
        rooms: placed on the floor plan row by row.
        columns: rooms in a row.
        doors: pairs of rooms; each door is named after both.
        secrets: values of each secret about the house.
        informational: values of each secret about who was told what.
        furniture: of the house.
        things: of the house.
        fields: the other fields of the task's file.
    """
    boxes = [[_WIDTH * (at % columns), _HEIGHT * (at // columns), _WIDTH, _HEIGHT] for at in range(len(rooms))]
    sorts = {"objective": secrets, "informational": informational or {}}
    return {
        "title": title,
        "category": "cooperative",
        "horizon": horizon,
        "house": {
            "rooms": {name: {"box": box} for name, box in zip(rooms, boxes, strict=True)},
            "doors": {f"{a}-{b}": {"rooms": [a, b]} for a, b in doors},
            "furniture": furniture,
            "things": things or {},
        },
        "secrets": {
            name: {"values": list(values), "sort": sort}
            for sort, many in sorts.items()
            for name, values in many.items()
        },
        **fields,
    }


def put(kind: str, names: Iterable[str], room: str) -> Content:
    """Furniture of one kind in a room."""
    return {name: {"kind": kind, "room": room} for name in names}


def put_each(kind: str, names: Mapping[str, Mapping[Any, str]], rooms: Mapping[str, str]) -> Content:
    """Furniture of one kind in several rooms, by owner."""
    return {name: {"kind": kind, "room": rooms[owner]} for owner, mine in names.items() for name in mine.values()}


def board(room: str, secret: str) -> Content:
    """A sign that shows a secret."""
    return {"board": {"kind": "sign", "room": room, "shows": secret}}


def stays(room: str, *verbs: str) -> Content:
    """A person in a room who has only these verbs and can wait."""
    return {"room": room, "verbs": [*verbs, "wait"]}


def memo(to: str, about: str, *knower: str, when: Mapping[str, str] | None = None) -> Content:
    """A note before the first turn: a secret, or that others know it; only in worlds where ``when`` holds."""
    chain = {"knower": knower[0] if len(knower) == 1 else list(knower)} if knower else {}
    return {"kind": "memo", "to": to, "about": about, **chain, **({"when": dict(when)} if when else {})}


def window(turn: int, furniture: Iterable[str] = ()) -> Content:
    """Furniture can be used in one turn only; without names, all of it."""
    names = list(furniture)
    return {"kind": "time_window", **({"furniture": names} if names else {}), "turns": [turn, turn]}


def none_of(switches: Iterable[str]) -> Content:
    """All of them are off."""
    return {"and": [f"unpowered({name})" for name in switches]}


def only(secret: str, switches: Mapping[str, str]) -> Content:
    """Of these switches, by the values that they stand for, the one that a secret names is on and no other."""
    return {"or": [{"and": [f"is({secret}, {value})", *alone(name, switches)]} for value, name in switches.items()]}


def alone(switch: str, switches: Mapping[Any, str]) -> list[str]:
    """Of these switches, one is on and no other."""
    return [f"{'powered' if name == switch else 'unpowered'}({name})" for name in switches.values()]


def only_or_none(secret: str, switches: Mapping[str, str]) -> Content:
    """Only the switch that a secret names is on, or all are off."""
    return {"or": [*only(secret, switches)["or"], none_of(switches.values())]}


def lit(secret: str, switches: Mapping[str, str]) -> Content:
    """The switch that a secret names is on."""
    return {"or": [{"and": [f"is({secret}, {value})", f"powered({name})"]} for value, name in switches.items()]}


def if_then(condition: Any, then: Any) -> Content:
    """An implication."""
    return {"or": [{"not": condition}, then]}


def labels(owner: str, values: Iterable[str]) -> dict[str, str]:
    """The name of a switch of an owner for each value."""
    return {value: f"{owner}_{value}" for value in values}


def wishes(about: str, *chains: Sequence[str], when: Mapping[str, str] | None = None) -> list[Content]:
    """K-goals: each chain is to know a secret; only in worlds where ``when`` holds."""
    return [{"chain": list(chain), "about": about, **({"when": dict(when)} if when else {})} for chain in chains]
