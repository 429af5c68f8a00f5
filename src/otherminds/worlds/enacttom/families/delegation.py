"""F2, delegation: one message, and two who might act on it. Whom to tell?

At depth 1 what counts is who can act, which can be seen. At depth 2 it is who knows the other half already.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families import parts
from otherminds.worlds.enacttom.families.parts import Content


def able(draw: Draw, values: int = 3, helpers: int = 2) -> Content:
    """Depth 1: the parcel is with one of several people, and the teller sees with whom."""
    teller, *others = draw.some(parts.PEOPLE, helpers + 1)
    office, *wings = draw.some(parts.ROOMS, helpers + 1)
    thing = draw.pick(parts.THINGS)
    wanted = parts.colours(draw, values)
    trays = {wing: {colour: f"{wing}_{colour}" for colour in wanted} for wing in wings}
    return {
        "title": f"Who has the {thing}?",
        "category": "cooperative",
        "horizon": 3,
        "house": {
            "rooms": parts.rooms([office, *wings], 2),
            "furniture": {
                "monitor": {"kind": "sign", "room": office, "shows": "wing"},
                **{f"{wing}_desk": {"kind": "surface", "room": wing} for wing in wings},
                **{tray: {"kind": "surface", "room": wing} for wing, many in trays.items() for tray in many.values()},
            },
            "things": {thing: {"place": [f"on {wing}_desk" for wing in wings], "depends_on": "wing"}},
        },
        "people": {
            teller: parts.stays(office, "tell"),
            **{who: parts.stays(wing, "pick", "place") for who, wing in zip(others, wings, strict=True)},
        },
        "secrets": {"wing": {"values": wings}, "colour": {"values": wanted}},
        "mechanics": [parts.memo(teller, "colour")],
        "talk": {"channels": {teller: others}, "budgets": {teller: 1}},
        "goal": {
            "or": [
                {"and": [f"is(colour, {colour})", f"on({thing}, {tray})"]}
                for many in trays.values()
                for colour, tray in many.items()
            ]
        },
        "wishes": [
            {"chain": chain, "about": "colour", "when": {"wing": wing}}
            for who, wing in zip(others, wings, strict=True)
            for chain in ([who], [teller, who])
        ],
    }


def informed(draw: Draw, values: int = 2, is_noted: bool = True) -> Content:
    """Depth 2: acting takes two secrets, one of two people knows one of them, and the teller was told if it is one.

    It was told the other secret too, or, if not ``is_noted``, has a board before it.
    """
    teller, first, second = draw.some(parts.PEOPLE, 3)
    office, west, east = draw.some(parts.ROOMS, 3)
    wanted, numbers = parts.colours(draw, values), parts.NUMBERS[:2]
    places = {first: west, second: east}
    keys = {who: {(a, b): f"{who}_{a}_{b}" for a in wanted for b in numbers} for who in places}
    right = {who: [_pressed(keys[who], pair) for pair in keys[who]] for who in places}
    return {
        "title": "Who knows the code?",
        "category": "cooperative",
        "horizon": 2,
        "house": {
            "rooms": parts.rooms([west, office, east]),
            "furniture": {
                **({} if is_noted else {"board": {"kind": "sign", "room": office, "shows": "colour"}}),
                **{key: {"kind": "switch", "room": places[who]} for who in places for key in keys[who].values()},
            },
        },
        "people": {
            teller: parts.stays(office, "tell"),
            **{who: parts.stays(room, "toggle") for who, room in places.items()},
        },
        "secrets": {
            "colour": {"values": wanted},
            "code": {"values": list(numbers)},
            "reader": {"values": [first, second], "sort": "informational"},
        },
        "mechanics": [
            {"kind": "time_window", "turns": [2, 2]},
            *([parts.memo(teller, "colour")] if is_noted else []),
            *(parts.memo(who, "code", when={"reader": who}) for who in places),
            parts.memo(teller, "code", second, when={"reader": second}),
        ],
        "talk": {"channels": {teller: [first, second]}, "budgets": {teller: 1}},
        "goal": {
            "and": [
                {"and": [{"or": [*right[who], {"and": parts.none_of(list(keys[who].values()))}]} for who in places]},
                {"or": [case for who in places for case in right[who]]},
            ]
        },
        "wishes": [{"chain": [teller, who], "about": "colour", "when": {"reader": who}} for who in places],
    }


def _pressed(keys: dict[tuple[str, str], str], pair: tuple[str, str]) -> Content:
    """The key for a pair of secrets is pressed, where they are so, and no other."""
    others = [f"{'powered' if key == keys[pair] else 'unpowered'}({key})" for key in keys.values()]
    return {"and": [f"is(colour, {pair[0]})", f"is(code, {pair[1]})", *others]}
