"""F2, delegation: one message, and two who might act on it. Whom to tell?

At depth 1 what counts is who can act, which can be seen. At depth 2 it is who knows the other half already.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families.parts import PEOPLE, ROOMS, THINGS, Content, colours, none_of, rooms, stays


def able(draw: Draw, values: int | None = None) -> Content:
    """Depth 1: the parcel is with one of two people, and the teller sees with whom."""
    teller, first, second = draw.some(PEOPLE, 3)
    office, west, east = draw.some(ROOMS, 3)
    thing = draw.pick(THINGS)
    wanted = colours(draw, values or draw.pick((2, 3)))
    trays = {room: {colour: f"{room}_{colour}" for colour in wanted} for room in (west, east)}
    return {
        "title": f"Who has the {thing}?",
        "category": "cooperative",
        "horizon": 3,
        "house": {
            "rooms": rooms([west, office, east]),
            "furniture": {
                "monitor": {"kind": "sign", "room": office, "shows": "wing"},
                **{f"{room}_desk": {"kind": "surface", "room": room} for room in (west, east)},
                **{tray: {"kind": "surface", "room": room} for room, many in trays.items() for tray in many.values()},
            },
            "things": {thing: {"place": [f"on {room}_desk" for room in (west, east)], "depends_on": "wing"}},
        },
        "people": {
            teller: stays(office, "tell"),
            first: stays(west, "pick", "place"),
            second: stays(east, "pick", "place"),
        },
        "secrets": {"wing": {"values": [west, east]}, "colour": {"values": wanted}},
        "mechanics": [{"kind": "memo", "to": teller, "about": "colour"}],
        "talk": {"channels": {teller: [first, second]}, "budgets": {teller: 1}},
        "goal": {
            "or": [
                {"and": [f"is(colour, {colour})", f"on({thing}, {tray})"]}
                for many in trays.values()
                for colour, tray in many.items()
            ]
        },
    }


def informed(draw: Draw, values: int | None = None) -> Content:
    """Depth 2: acting takes two secrets, one of two people knows one of them, and the teller was told who."""
    teller, first, second = draw.some(PEOPLE, 3)
    office, west, east = draw.some(ROOMS, 3)
    wanted, codes = colours(draw, values or draw.pick((2, 3))), ("one", "two")
    places = {first: west, second: east}
    keys = {who: {(a, b): f"{who}_{a}_{b}" for a in wanted for b in codes} for who in places}
    right = {who: [_pressed(keys[who], pair) for pair in keys[who]] for who in places}
    return {
        "title": "Who knows the code?",
        "category": "cooperative",
        "horizon": 2,
        "house": {
            "rooms": rooms([west, office, east]),
            "furniture": {
                key: {"kind": "switch", "room": room} for who, room in places.items() for key in keys[who].values()
            },
        },
        "people": {teller: stays(office, "tell"), **{who: stays(room, "toggle") for who, room in places.items()}},
        "secrets": {
            "colour": {"values": wanted},
            "code": {"values": list(codes)},
            "reader": {"values": [first, second], "sort": "informational"},
        },
        "mechanics": [
            {"kind": "time_window", "turns": [2, 2]},
            {"kind": "memo", "to": teller, "about": "colour"},
            *({"kind": "memo", "to": who, "about": "code", "when": {"reader": who}} for who in places),
            *({"kind": "memo", "to": teller, "about": "code", "knower": w, "when": {"reader": w}} for w in places),
        ],
        "talk": {"channels": {teller: [first, second]}, "budgets": {teller: 1}},
        "goal": {
            "and": [
                *({"or": [*right[who], {"and": none_of(list(keys[who].values()))}]} for who in places),
                {"or": [case for who in places for case in right[who]]},
            ]
        },
    }


def _pressed(keys: dict[tuple[str, str], str], pair: tuple[str, str]) -> Content:
    """The key for a pair of secrets is pressed, where they are so, and no other."""
    others = [f"{'powered' if key == keys[pair] else 'unpowered'}({key})" for key in keys.values()]
    return {"and": [f"is(colour, {pair[0]})", f"is(code, {pair[1]})", *others]}
