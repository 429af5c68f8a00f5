"""F2, F3 and F6: one message, and several people who could use it. Who should get it?

*Delegation* (F2): at depth 1 the right person is the one who can act, which can be seen; at depth 2, the one who
already knows the other half. *Message* (F3): two need it, and one has read a note already: depth 2. *Stale belief*
(F6): a thing is put away after the others have left, and one of them overheard where: depth 2.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from tests.worlds.enacttom.families import parts
from tests.worlds.enacttom.families.parts import Content


def able(draw: Draw, values: int = 3, helpers: int = 2) -> Content:
    """Depth 1: one of several people has the parcel, and the teller sees who."""
    teller, *others = draw.some(parts.PEOPLE, helpers + 1)
    office, *wings = draw.some(parts.ROOMS, helpers + 1)
    thing = draw.pick(parts.THINGS)
    colours = draw.some(parts.COLOURS, values)
    trays = {wing: parts.labels(wing, colours) for wing in wings}
    homes = dict(zip(others, wings, strict=True))
    return parts.task(
        f"Who has the {thing}?",
        3,
        [office, *wings],
        columns=2,
        furniture={
            "monitor": {"kind": "sign", "room": office, "shows": "wing"},
            **{f"{wing}_desk": {"kind": "surface", "room": wing} for wing in wings},
            **parts.put_each("surface", trays, {wing: wing for wing in wings}),
        },
        things={thing: {"place": [f"on {wing}_desk" for wing in wings], "depends_on": "wing"}},
        people={
            teller: parts.stays(office, "tell"),
            **{name: parts.stays(wing, "pick", "place") for name, wing in homes.items()},
        },
        secrets={"wing": wings, "colour": colours},
        mechanics=[parts.memo(teller, "colour")],
        talk={"channels": {teller: others}, "budgets": {teller: 1}},
        goal={
            "or": [
                {"and": [f"is(colour, {colour})", f"on({thing}, {tray})"]}
                for mine in trays.values()
                for colour, tray in mine.items()
            ]
        },
        wishes=[
            wish
            for name, wing in homes.items()
            for wish in parts.wishes("colour", [name], [teller, name], when={"wing": wing})
        ],
    )


def informed(draw: Draw, values: int = 2, is_noted: bool = True) -> Content:
    """Depth 2: acting takes two secrets, and one of two people knows one of them.

    The teller knows the other secret, from a note or (unless ``is_noted``) from a board. Another note tells it if the
    second person is the one who knows.
    """
    teller, first, second = draw.some(parts.PEOPLE, 3)
    office, west, east = draw.some(parts.ROOMS, 3)
    colours, numbers = draw.some(parts.COLOURS, values), parts.NUMBERS[:2]
    homes = {first: west, second: east}
    keys = {name: {(a, b): f"{name}_{a}_{b}" for a in colours for b in numbers} for name in homes}
    right = {
        name: [{"and": [f"is(colour, {a})", f"is(code, {b})", *parts.alone(key, mine)]} for (a, b), key in mine.items()]
        for name, mine in keys.items()
    }
    return parts.task(
        "Who knows the code?",
        2,
        [west, office, east],
        furniture={
            **({} if is_noted else parts.board(office, "colour")),
            **parts.put_each("switch", keys, homes),
        },
        people={
            teller: parts.stays(office, "tell"),
            **{name: parts.stays(room, "toggle") for name, room in homes.items()},
        },
        secrets={"colour": colours, "code": numbers},
        informational={"reader": [first, second]},
        mechanics=[
            parts.window(2),
            *([parts.memo(teller, "colour")] if is_noted else []),
            *(parts.memo(name, "code", when={"reader": name}) for name in homes),
            parts.memo(teller, "code", second, when={"reader": second}),
        ],
        talk={"channels": {teller: [first, second]}, "budgets": {teller: 1}},
        goal={
            "and": [
                {"and": [{"or": [*right[name], parts.none_of(keys[name].values())]} for name in homes]},
                {"or": [case for name in homes for case in right[name]]},
            ]
        },
        wishes=[wish for name in homes for wish in parts.wishes("colour", [teller, name], when={"reader": name})],
    )


def message(draw: Draw, values: tuple[int, ...] = (2, 2), says_so: bool = True) -> Content:
    """Depth 2: each of several people needs a secret, and one of them has read a note already.

    Args:
        draw: source of names.
        values: number of values of each person's secret.
        says_so: whether the one who has read the note can say so; otherwise the teller has a note about it.
    """
    needy = len(values)
    teller, *others = draw.some(parts.PEOPLE, needy + 1)
    office, *places = draw.some(parts.ROOMS, needy + 1)
    homes = dict(zip(others, places, strict=True))
    colours = draw.some(parts.COLOURS, max(values))
    lamps = {name: parts.labels(name, colours[:number]) for name, number in zip(others, values, strict=True)}
    last = needy + (1 if says_so else 0)  # turn in which the lamps can be switched
    talk = _talk(teller, others, needy - 1, says_so)
    if says_so:
        talk["windows"] = {teller: [2, last - 1], **{name: [1, 1] for name in others}}
    return parts.task(
        "One has read it" if needy == 2 else "One of three has read it",
        last,
        [office, *places],
        columns=2,
        furniture=parts.put_each("switch", lamps, homes),
        people={
            teller: parts.stays(office, "tell"),
            **{name: parts.stays(homes[name], "toggle", *(["tell"] if says_so else [])) for name in others},
        },
        secrets={f"for_{name}": lamps[name] for name in others},
        informational={"reader": others},
        mechanics=[
            parts.window(last),
            *(parts.memo(teller, f"for_{name}") for name in others),
            *(parts.memo(name, f"for_{name}", when={"reader": name}) for name in others),
            *(parts.memo(teller, f"for_{name}", name, when={"reader": name}) for name in others if not says_so),
        ],
        talk=talk,
        goal={"and": [parts.only(f"for_{name}", lamps[name]) for name in others]},
        wishes=[wish for name in others for wish in parts.wishes(f"for_{name}", [name], [teller, name])],
    )


def stale(draw: Draw, values: int = 2, says_so: bool = True, has_box: bool = False) -> Content:
    """Depth 2: a thing is put away after the others have left, and one of them overheard where.

    Args:
        draw: source of names.
        values: number of places to put it.
        says_so: whether the one who overheard it can say so, and is the mover's only source; otherwise the mover has
            notes about where it belongs and who overheard it.
        has_box: whether it starts in a closed box, where nobody sees it.
    """
    mover, *others = draw.some(parts.PEOPLE, 3)
    hall, west, east = draw.some(parts.ROOMS, 3)
    thing = draw.pick(parts.THINGS)
    tables = [f"{colour}_table" for colour in draw.some(parts.COLOURS, values)]
    box, kind, place = ("chest", "container", "in") if has_box else ("shelf", "surface", "on")
    homes = dict(zip(others, (west, east), strict=True))
    lamps = {name: parts.labels(name, tables) for name in others}
    return parts.task(
        f"Where is the {thing} now?",
        5,
        [west, hall, east],
        doors=[(west, hall), (hall, east)],
        furniture={
            **parts.put(kind, [box], hall),
            **parts.put("surface", tables, hall),
            **parts.put_each("switch", lamps, homes),
        },
        things={thing: {"place": f"{place} {box}"}},
        people={
            mover: parts.stays(hall, *(["open"] if has_box else []), "pick", "place", "tell"),
            **{name: parts.stays(hall, "navigate", "toggle", *(["tell"] if says_so else [])) for name in others},
        },
        secrets={"target": tables},
        informational={"listener": others},
        mechanics=[
            *([] if says_so else [parts.memo(mover, "target")]),
            *(parts.memo(name, "target", when={"listener": name}) for name in others),
            *(parts.memo(mover, "target", name, when={"listener": name}) for name in others if not says_so),
            {"kind": "room_restriction", "agents": [others[0]], "rooms": [east]},
            {"kind": "room_restriction", "agents": [others[1]], "rooms": [west]},
            parts.window(4, tables),
        ],
        talk=_talk(mover, others, 1, says_so),
        goal={"and": [f"on({thing}, $target)", *(parts.only("target", lamps[name]) for name in others)]},
        wishes=[wish for name in others for wish in parts.wishes("target", [name], [mover, name])],
    )


def _talk(teller: str, others: list[str], messages: int, says_so: bool) -> Content:
    """The teller can reach all others, who can send it one message each if ``says_so``."""
    answering = others if says_so else []
    return {
        "channels": {teller: others, **{name: [teller] for name in answering}},
        "budgets": {teller: messages, **dict.fromkeys(answering, 1)},
    }
