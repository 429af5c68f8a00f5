"""F4, relays over one-way lines: a secret reaches who needs it through others. Through whom?

Handing on takes depth 1. Where the relay must know the other half it is depth 2, and where the relay must know that the
last knows it, depth 3.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families.parts import (
    COLOURS,
    PEOPLE,
    ROOMS,
    THINGS,
    Content,
    colours,
    doors,
    if_then,
    labels,
    lit,
    none_of,
    only_or_none,
    rooms,
    stays,
    switches,
)


def handed_on(draw: Draw, values: int | None = None) -> Content:
    """Depth 1: the reader can reach one who can reach the actor."""
    reader, relay, actor = draw.some(PEOPLE, 3)
    study, office, hall, far = draw.some(ROOMS, 4)
    thing = draw.pick(THINGS)
    names = [f"{colour}_table" for colour in draw.some(COLOURS, values or draw.pick((3, 4)))]
    return {
        "title": f"Word of the {thing}",
        "category": "cooperative",
        "horizon": 5,
        "house": {
            "rooms": rooms([study, office, hall, far], 2),
            "doors": doors((hall, far)),
            "furniture": {
                "board": {"kind": "sign", "room": study, "shows": "target"},
                "shelf": {"kind": "surface", "room": hall},
                **{name: {"kind": "surface", "room": far} for name in names},
            },
            "things": {thing: {"place": "on shelf"}},
        },
        "people": {reader: stays(study, "tell"), relay: stays(office, "tell"), actor: {"room": hall}},
        "secrets": {"target": {"values": names}},
        "mechanics": [{"kind": "restricted_communication", "channels": {reader: [relay], relay: [actor]}}],
        "talk": {"budgets": {reader: 1, relay: 1}},
        "goal": f"on({thing}, $target)",
    }


def trusted(draw: Draw, values: int | None = None) -> Content:
    """Depth 3: whoever is told pulls a lever, which is right only if the last will do its part.

    The last may know the code or not. If it does, one of two relays knows that, and the teller was told which.
    """
    teller, first, second, last = draw.some(PEOPLE, 4)
    office, west, east, end = draw.some(ROOMS, 4)
    wanted = colours(draw, values or 2)
    codes = ("one", "two")
    places = {first: west, second: east}
    levers = {who: labels(who, wanted) for who in places}
    lamps = labels(last, codes)
    every = [lever for many in levers.values() for lever in many.values()]
    return {
        "title": "Through whom?",
        "category": "cooperative",
        "horizon": 2,
        "house": {
            "rooms": rooms([office, west, east, end], 2),
            "furniture": {
                **{lever: {"kind": "switch", "room": places[who]} for who in places for lever in levers[who].values()},
                **switches(list(lamps.values()), end),
            },
        },
        "people": {
            teller: stays(office, "tell"),
            **{who: stays(room, "toggle") for who, room in places.items()},
            last: stays(end, "toggle"),
        },
        "secrets": {
            "colour": {"values": wanted},
            "code": {"values": list(codes)},
            "witness": {"values": ["nobody", first, second], "sort": "informational"},
        },
        "mechanics": [
            {"kind": "time_window", "turns": [2, 2]},
            {"kind": "memo", "to": teller, "about": "colour"},
            *({"kind": "memo", "to": last, "about": "code", "when": {"witness": who}} for who in places),
            *({"kind": "memo", "to": who, "about": "code", "knower": last, "when": {"witness": who}} for who in places),
            *(
                {"kind": "memo", "to": teller, "about": "code", "knower": [who, last], "when": {"witness": who}}
                for who in places
            ),
        ],
        "talk": {"channels": {teller: [first, second]}, "budgets": {teller: 1}},
        "goal": {
            "and": [
                *(only_or_none("colour", levers[who]) for who in places),
                only_or_none("code", lamps),
                if_then({"not": "is(witness, nobody)"}, {"or": [lit("colour", levers[who]) for who in places]}),
                {"or": [{"and": none_of(every)}, lit("code", lamps)]},
            ]
        },
    }
