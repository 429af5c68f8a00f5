"""F4, relays over one-way lines: a secret reaches the person who needs it through others. Through whom?

Passing it on takes depth 1. It takes depth 3 if the relay must know that the last person knows the other half.
"""

from __future__ import annotations

from itertools import pairwise

from otherminds.core.seeds import Draw
from tests.worlds.enacttom.families import parts
from tests.worlds.enacttom.families.parts import Content


def handed_on(draw: Draw, values: int = 3, relays: int = 1, is_noted: bool = False) -> Content:
    """Depth 1: the reader reaches the first relay, each relay the next, and the last relay the actor."""
    line = draw.some(parts.PEOPLE, relays + 2)
    reader, *between, actor = line
    study, hall, far, *offices = draw.some(parts.ROOMS, relays + 3)
    thing = draw.pick(parts.THINGS)
    names = [f"{colour}_table" for colour in draw.some(parts.COLOURS, values)]
    lines = {sender: [listener] for sender, listener in pairwise(line)}
    return parts.task(
        f"Word of the {thing}",
        relays + 4,
        [study, *offices, hall, far],
        columns=2,
        doors=[(hall, far)],
        furniture={
            **({} if is_noted else parts.board(study, "target")),
            **parts.put("surface", ["shelf"], hall),
            **parts.put("surface", names, far),
        },
        things={thing: {"place": "on shelf"}},
        people={
            reader: parts.stays(study, "tell"),
            **{name: parts.stays(office, "tell") for name, office in zip(between, offices, strict=True)},
            actor: parts.stays(hall, "navigate", "pick", "place"),
        },
        secrets={"target": names},
        mechanics=[
            {"kind": "restricted_communication", "channels": lines},
            *([parts.memo(reader, "target")] if is_noted else []),
        ],
        talk={"budgets": dict.fromkeys(lines, 1)},
        goal=f"on({thing}, $target)",
        wishes=parts.wishes("target", [actor], [between[-1], actor]),
    )


def trusted(draw: Draw, values: int = 2, is_later: bool = False) -> Content:
    """Depth 3: the person who is told pulls a lever, which is right only if the last person plays its part.

    The last person may know the code. If so, one of two relays knows that it does, and the teller has a note if this is
    the second. If ``is_later``, the last person acts a turn after the relays.
    """
    teller, first, second, last = draw.some(parts.PEOPLE, 4)
    office, west, east, end = draw.some(parts.ROOMS, 4)
    colours = draw.some(parts.COLOURS, values)
    homes = {first: west, second: east}
    levers = {name: parts.labels(name, colours) for name in homes}
    lamps = parts.labels(last, parts.NUMBERS[:2])
    all_levers = [lever for mine in levers.values() for lever in mine.values()]
    return parts.task(
        "Through whom?",
        3 if is_later else 2,
        [office, west, east, end],
        columns=2,
        furniture={**parts.put_each("switch", levers, homes), **parts.put("switch", lamps.values(), end)},
        people={
            teller: parts.stays(office, "tell"),
            **{name: parts.stays(room, "toggle") for name, room in homes.items()},
            last: parts.stays(end, "toggle"),
        },
        secrets={"colour": colours, "code": lamps},
        informational={"witness": ["nobody", first, second]},
        mechanics=[
            parts.window(3, lamps.values()) if is_later else parts.window(2),
            parts.memo(teller, "colour"),
            *(parts.memo(last, "code", when={"witness": name}) for name in homes),
            *(parts.memo(name, "code", last, when={"witness": name}) for name in homes),
            *(parts.memo(teller, "code", last, when={"witness": name}) for name in homes),
            parts.memo(teller, "code", second, last, when={"witness": second}),
        ],
        talk={"channels": {teller: [first, second]}, "budgets": {teller: 1}},
        goal={
            "and": [
                {
                    "and": [
                        *(parts.only_or_none("colour", levers[name]) for name in homes),
                        parts.only_or_none("code", lamps),
                    ]
                },
                parts.if_then(
                    {"not": "is(witness, nobody)"}, {"or": [parts.lit("colour", levers[name]) for name in homes]}
                ),
                {"or": [parts.none_of(all_levers), parts.lit("code", lamps)]},
            ]
        },
        wishes=[
            *(wish for name in homes for wish in parts.wishes("colour", [teller, name], when={"witness": name})),
            *parts.wishes("code", [teller, second, last], when={"witness": second}),
        ],
    )
