"""F5, commit chains: each person must act before the next, and acting does harm unless the next one follows.

With one link, the first must know that the actor knows: depth 2. With two links, it must know that the person between
them knows this: depth 3. That the actor knows can be known without it (everybody saw a letter being delivered), so only
a message about the middle person's knowledge can settle it.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from tests.worlds.enacttom.families import parts
from tests.worlds.enacttom.families.parts import Content


def one_link(draw: Draw, values: int = 2, is_witnessed: bool = True, is_heard: bool = False) -> Content:
    """Depth 2: a lever that is right only if the actor, who may know which lamp is right, lights it.

    Without a witness, the actor itself says that it knows; its choice of words can then tell which lamp it is.
    """
    puller, actor, witness = draw.some(parts.PEOPLE, 3)
    west, east, window = draw.some(parts.ROOMS, 3)
    lamps = parts.labels(actor, draw.some(parts.COLOURS, values))
    read = {"letter": "read"}
    people = {puller: parts.stays(west, "toggle"), actor: parts.stays(east, "toggle")}
    if is_witnessed:
        speaker = witness
        people[witness] = parts.stays(window, "tell")
    else:
        speaker = actor
        people[actor] = parts.stays(east, "toggle", "tell")
    return parts.task(
        "The lever, the lamp and the witness" if is_witnessed else "The lever and the lamp",
        3,
        [west, east, window] if is_witnessed else [west, east],
        furniture={**parts.put("switch", ["lever"], west), **parts.put("switch", lamps.values(), east)},
        people=people,
        secrets={"right": lamps},
        informational={"letter": ["lost", "read"]},
        mechanics=[
            parts.memo(actor, "right", when=read),
            *([parts.memo(witness, "right", actor, when=read)] if is_witnessed else []),
            parts.window(3, lamps.values()),
        ],
        talk={"channels": {speaker: [puller]}, "budgets": {speaker: 1}, "kinds": ["knows"]},
        audible=["powered(lever)"] if is_heard else [],
        goal={
            "and": [
                parts.if_then("powered(lever)", parts.lit("right", lamps)),
                parts.if_then("is(letter, read)", "powered(lever)"),
            ]
        },
        wishes=parts.wishes("right", [puller, actor], when=read),
    )


def two_links(draw: Draw, values: int = 2, heard: tuple[str, ...] = (), in_turn: bool = False) -> Content:
    """Depth 3: two levers and a lamp, each pulled in reliance on the next.

    Args:
        draw: source of names.
        values: number of lamps.
        heard: levers that everybody hears: ``near``, ``far``.
        in_turn: whether the second lever is pulled a turn after the first instead of in the same turn.
    """
    first, middle, actor = draw.some(parts.PEOPLE, 3)
    rooms = draw.some(parts.ROOMS, 3)
    lamps = parts.labels(actor, draw.some(parts.COLOURS, values))
    near, far = f"{first}_lever", f"{middle}_lever"
    second = 3 if in_turn else 2  # turn in which the second lever can be pulled
    letters = [{"letter": "delivered"}, {"letter": "witnessed"}]
    return parts.task(
        "Two levers and a lamp",
        second + 1,
        rooms,
        furniture={
            **parts.put("switch", [near], rooms[0]),
            **parts.put("switch", [far], rooms[1]),
            **parts.put("switch", lamps.values(), rooms[2]),
        },
        people={
            first: parts.stays(rooms[0], "toggle"),
            middle: parts.stays(rooms[1], "toggle", "tell"),
            actor: parts.stays(rooms[2], "toggle"),
        },
        secrets={"right": lamps},
        informational={"letter": ["lost", "delivered", "witnessed"]},
        mechanics=[
            *(parts.memo(actor, "right", when=letter) for letter in letters),
            *(parts.memo(first, "right", actor, when=letter) for letter in letters),
            parts.memo(middle, "right", actor, when={"letter": "witnessed"}),
            parts.window(2, [near]),
            parts.window(second, [far]),
            parts.window(second + 1, lamps.values()),
        ],
        talk={"channels": {middle: [first]}, "budgets": {middle: 1}, "kinds": ["knows"]},
        audible=[f"powered({lever})" for name, lever in (("near", near), ("far", far)) if name in heard],
        goal={
            "and": [
                parts.if_then(f"powered({near})", f"powered({far})"),
                parts.if_then(f"powered({far})", parts.lit("right", lamps)),
                parts.if_then("is(letter, witnessed)", f"powered({near})"),
            ]
        },
        wishes=parts.wishes("right", [middle, actor], [first, middle, actor], when={"letter": "witnessed"}),
    )
