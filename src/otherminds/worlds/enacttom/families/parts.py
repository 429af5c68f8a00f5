"""What families build tasks from: names, floor plans, and goals that come up again and again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from otherminds.core.seeds import Draw

Content = dict[str, Any]  # a task as its file has it, without what is found out later

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
_WIDTH, _HEIGHT = 5, 4


def rooms(names: Sequence[str], columns: int = 3) -> Content:
    """Rooms on a floor plan, row by row."""
    return {
        name: {"box": [_WIDTH * (at % columns), _HEIGHT * (at // columns), _WIDTH, _HEIGHT]}
        for at, name in enumerate(names)
    }


def doors(*pairs: tuple[str, str]) -> Content:
    """Doors between rooms, each called after both."""
    return {f"{a}-{b}": {"rooms": [a, b]} for a, b in pairs}


def switches(names: Sequence[str], room: str) -> Content:
    """Switches in a room."""
    return {name: {"kind": "switch", "room": room} for name in names}


def stays(room: str, *verbs: str) -> Content:
    """One who stays where it is and can do this much."""
    return {"room": room, "verbs": [*verbs, "wait"]}


def memo(to: str, about: str, *knower: str, when: Mapping[str, str] | None = None) -> Content:
    """One is told a secret before the first turn, or that others know it; in some worlds only, if ``when`` says so."""
    chain = {"knower": knower[0] if len(knower) == 1 else list(knower)} if knower else {}
    return {"kind": "memo", "to": to, "about": about, **chain, **({"when": dict(when)} if when else {})}


def none_of(switches: Sequence[str]) -> list[str]:
    """All of them are off."""
    return [f"unpowered({one})" for one in switches]


def only(secret: str, switches: Mapping[str, str]) -> Content:
    """Of these switches, by the values that they stand for, the one that a secret names is on, and no other."""
    return {
        "or": [
            {
                "and": [
                    f"is({secret}, {value})",
                    *(f"{'powered' if other == right else 'unpowered'}({other})" for other in switches.values()),
                ]
            }
            for value, right in switches.items()
        ]
    }


def only_or_none(secret: str, switches: Mapping[str, str]) -> Content:
    """The same, or all of them are off: whoever does not know leaves them alone."""
    return {"or": [*only(secret, switches)["or"], {"and": none_of(list(switches.values()))}]}


def lit(secret: str, switches: Mapping[str, str]) -> Content:
    """The switch that a secret names is on."""
    return {"or": [{"and": [f"is({secret}, {value})", f"powered({one})"]} for value, one in switches.items()]}


def if_then(condition: Any, then: Any) -> Content:
    """The second must hold where the first does."""
    return {"or": [{"not": condition}, then]}


def labels(owner: str, values: Iterable[str]) -> dict[str, str]:
    """A switch of somebody's for each value."""
    return {value: f"{owner}_{value}" for value in values}


def colours(draw: Draw, number: int) -> list[str]:
    """That many different ones."""
    return draw.some(COLOURS, number)
