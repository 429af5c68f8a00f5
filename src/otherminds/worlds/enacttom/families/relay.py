"""F4, relays over one-way lines: a secret reaches who needs it through others. Through whom?

Handing on takes depth 1. Where the relay must know the other half it is depth 2, and where the relay must know that the
last knows it, depth 3.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families import parts
from otherminds.worlds.enacttom.families.parts import Content


def handed_on(draw: Draw, values: int = 3, relays: int = 1, is_noted: bool = False) -> Content:
    """Depth 1: the reader can reach one who can reach the next, who can reach the actor."""
    line = draw.some(parts.PEOPLE, relays + 2)
    reader, *between, actor = line
    study, hall, far, *offices = draw.some(parts.ROOMS, relays + 3)
    thing = draw.pick(parts.THINGS)
    names = [f"{colour}_table" for colour in draw.some(parts.COLOURS, values)]
    speakers = line[:-1]
    return {
        "title": f"Word of the {thing}",
        "category": "cooperative",
        "horizon": relays + 4,
        "house": {
            "rooms": parts.rooms([study, *offices, hall, far], 2),
            "doors": parts.doors((hall, far)),
            "furniture": {
                **({} if is_noted else {"board": {"kind": "sign", "room": study, "shows": "target"}}),
                "shelf": {"kind": "surface", "room": hall},
                **{name: {"kind": "surface", "room": far} for name in names},
            },
            "things": {thing: {"place": "on shelf"}},
        },
        "people": {
            reader: parts.stays(study, "tell"),
            **{who: parts.stays(office, "tell") for who, office in zip(between, offices, strict=True)},
            actor: parts.stays(hall, "navigate", "pick", "place"),
        },
        "secrets": {"target": {"values": names}},
        "mechanics": [
            {
                "kind": "restricted_communication",
                "channels": {who: [then] for who, then in zip(speakers, line[1:], strict=True)},
            },
            *([parts.memo(reader, "target")] if is_noted else []),
        ],
        "talk": {"budgets": dict.fromkeys(speakers, 1)},
        "goal": f"on({thing}, $target)",
        "wishes": [{"chain": [actor], "about": "target"}, {"chain": [between[-1], actor], "about": "target"}],
    }


def trusted(draw: Draw, values: int = 2, is_later: bool = False) -> Content:
    """Depth 3: whoever is told pulls a lever, which is right only if the last will do its part.

    The last may know the code or not. If it does, one of two relays knows that, and the teller was told if it is one.
    If ``is_later``, the last acts a turn after the relays.
    """
    teller, first, second, last = draw.some(parts.PEOPLE, 4)
    office, west, east, end = draw.some(parts.ROOMS, 4)
    wanted = parts.colours(draw, values)
    places = {first: west, second: east}
    levers = {who: parts.labels(who, wanted) for who in places}
    lamps = parts.labels(last, parts.NUMBERS[:2])
    every = [lever for many in levers.values() for lever in many.values()]
    return {
        "title": "Through whom?",
        "category": "cooperative",
        "horizon": 3 if is_later else 2,
        "house": {
            "rooms": parts.rooms([office, west, east, end], 2),
            "furniture": {
                **{lever: {"kind": "switch", "room": places[who]} for who in places for lever in levers[who].values()},
                **parts.switches(list(lamps.values()), end),
            },
        },
        "people": {
            teller: parts.stays(office, "tell"),
            **{who: parts.stays(room, "toggle") for who, room in places.items()},
            last: parts.stays(end, "toggle"),
        },
        "secrets": {
            "colour": {"values": wanted},
            "code": {"values": list(lamps)},
            "witness": {"values": ["nobody", first, second], "sort": "informational"},
        },
        "mechanics": [
            {"kind": "time_window", "furniture": list(lamps.values()), "turns": [3, 3]}
            if is_later
            else {"kind": "time_window", "turns": [2, 2]},
            parts.memo(teller, "colour"),
            *(parts.memo(last, "code", when={"witness": who}) for who in places),
            *(parts.memo(who, "code", last, when={"witness": who}) for who in places),
            *(parts.memo(teller, "code", last, when={"witness": w}) for w in places),
            parts.memo(teller, "code", second, last, when={"witness": second}),
        ],
        "talk": {"channels": {teller: [first, second]}, "budgets": {teller: 1}},
        "goal": {
            "and": [
                {
                    "and": [
                        *(parts.only_or_none("colour", levers[who]) for who in places),
                        parts.only_or_none("code", lamps),
                    ]
                },
                parts.if_then(
                    {"not": "is(witness, nobody)"}, {"or": [parts.lit("colour", levers[who]) for who in places]}
                ),
                {"or": [{"and": parts.none_of(every)}, parts.lit("code", lamps)]},
            ]
        },
        "wishes": [
            *({"chain": [teller, who], "about": "colour", "when": {"witness": who}} for who in places),
            {"chain": [teller, second, last], "about": "code", "when": {"witness": second}},
        ],
    }
