"""F5, commit chains: each must act before the next, and acting is harmful unless the next one follows.

With one link the first must know that the actor knows: depth 2. With two links it must know that the one between knows
that: depth 3. That the actor knows can be known without that (a letter was delivered for all to see), so that only what
is said of the link between can settle it.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families import parts
from otherminds.worlds.enacttom.families.parts import Content


def one_link(draw: Draw, values: int = 2, is_witnessed: bool = True, is_heard: bool = False) -> Content:
    """Depth 2: a lever that is right only if the actor lights the right lamp, who may or may not know which.

    The actor itself can say that it knows, and then choose its words so that they tell which lamp; a witness cannot.
    """
    puller, actor, witness = draw.some(parts.PEOPLE, 3)
    west, east, window = draw.some(parts.ROOMS, 3)
    lamps = parts.labels(actor, parts.colours(draw, values))
    speaker = witness if is_witnessed else actor
    read = {"letter": "read"}
    return {
        "title": "The lever, the lamp and the witness" if is_witnessed else "The lever and the lamp",
        "category": "cooperative",
        "horizon": 3,
        "house": {
            "rooms": parts.rooms([west, east, *([window] if is_witnessed else [])]),
            "furniture": {**parts.switches(["lever"], west), **parts.switches(list(lamps.values()), east)},
        },
        "people": {
            puller: parts.stays(west, "toggle"),
            actor: parts.stays(east, "toggle", *([] if is_witnessed else ["tell"])),
            **({witness: parts.stays(window, "tell")} if is_witnessed else {}),
        },
        "secrets": {
            "right": {"values": list(lamps)},
            "letter": {"values": ["lost", "read"], "sort": "informational"},
        },
        "mechanics": [
            parts.memo(actor, "right", when=read),
            *([parts.memo(witness, "right", actor, when=read)] if is_witnessed else []),
            {"kind": "time_window", "furniture": list(lamps.values()), "turns": [3, 3]},
        ],
        "talk": {"channels": {speaker: [puller]}, "budgets": {speaker: 1}, "kinds": ["knows"]},
        **({"audible": ["powered(lever)"]} if is_heard else {}),
        "goal": {
            "and": [
                parts.if_then("powered(lever)", parts.lit("right", lamps)),
                parts.if_then("is(letter, read)", "powered(lever)"),
            ]
        },
        "wishes": [{"chain": [puller, actor], "about": "right", "when": read}],
    }


def two_links(draw: Draw, values: int = 2, heard: tuple[str, ...] = (), in_turn: bool = False) -> Content:
    """Depth 3: two levers and a lamp, each pulled in reliance on the next.

    Args:
        draw: for names.
        values: lamps.
        heard: which levers all hear: ``near``, ``far``.
        in_turn: the second lever is pulled a turn after the first, not in the same.
    """
    first, middle, actor = draw.some(parts.PEOPLE, 3)
    one, two, three = draw.some(parts.ROOMS, 3)
    lamps = parts.labels(actor, parts.colours(draw, values))
    near, far = f"{first}_lever", f"{middle}_lever"
    second = 3 if in_turn else 2  # when the second lever can be pulled
    audible = [f"powered({lever})" for name, lever in (("near", near), ("far", far)) if name in heard]
    return {
        "title": "Two levers and a lamp",
        "category": "cooperative",
        "horizon": second + 1,
        "house": {
            "rooms": parts.rooms([one, two, three]),
            "furniture": {
                **parts.switches([near], one),
                **parts.switches([far], two),
                **parts.switches(list(lamps.values()), three),
            },
        },
        "people": {
            first: parts.stays(one, "toggle"),
            middle: parts.stays(two, "toggle", "tell"),
            actor: parts.stays(three, "toggle"),
        },
        "secrets": {
            "right": {"values": list(lamps)},
            "letter": {"values": ["lost", "delivered", "witnessed"], "sort": "informational"},
        },
        "mechanics": [
            *(parts.memo(actor, "right", when={"letter": letter}) for letter in ("delivered", "witnessed")),
            *(parts.memo(first, "right", actor, when={"letter": letter}) for letter in ("delivered", "witnessed")),
            parts.memo(middle, "right", actor, when={"letter": "witnessed"}),
            {"kind": "time_window", "furniture": [near], "turns": [2, 2]},
            {"kind": "time_window", "furniture": [far], "turns": [second, second]},
            {"kind": "time_window", "furniture": list(lamps.values()), "turns": [second + 1, second + 1]},
        ],
        "talk": {"channels": {middle: [first]}, "budgets": {middle: 1}, "kinds": ["knows"]},
        **({"audible": audible} if audible else {}),
        "goal": {
            "and": [
                parts.if_then(f"powered({near})", f"powered({far})"),
                parts.if_then(f"powered({far})", parts.lit("right", lamps)),
                parts.if_then("is(letter, witnessed)", f"powered({near})"),
            ]
        },
        "wishes": [
            {"chain": chain, "about": "right", "when": {"letter": "witnessed"}}
            for chain in ([middle, actor], [first, middle, actor])
        ],
    }
