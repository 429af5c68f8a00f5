"""F6, stale belief: something is put away after the others have left, who go on taking it to be where they saw it.

One of them had overheard where it was to go. Whoever puts it away has one message, and must know who has not: depth 2.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families import parts
from otherminds.worlds.enacttom.families.parts import Content


def stale(draw: Draw, values: int = 2, says_so: bool = True, has_box: bool = False) -> Content:
    """A task.

    Args:
        draw: for names.
        values: places to put it.
        says_so: whoever overheard it can say so, and the mover knows it from nobody else; otherwise the mover was told
            where it belongs, and who overheard it.
        has_box: it is in a closed box at first, where nobody sees it.
    """
    mover, *others = draw.some(parts.PEOPLE, 3)
    hall, west, east = draw.some(parts.ROOMS, 3)
    thing = draw.pick(parts.THINGS)
    wanted = parts.colours(draw, values)
    tables = {colour: f"{colour}_table" for colour in wanted}
    box = "chest" if has_box else "shelf"
    homes = dict(zip(others, (west, east), strict=True))
    lamps = {who: parts.labels(who, tables.values()) for who in others}
    return {
        "title": f"Where is the {thing} now?",
        "category": "cooperative",
        "horizon": 5,
        "house": {
            "rooms": parts.rooms([west, hall, east]),
            "doors": parts.doors((west, hall), (hall, east)),
            "furniture": {
                box: {"kind": "container" if has_box else "surface", "room": hall},
                **{table: {"kind": "surface", "room": hall} for table in tables.values()},
                **{lamp: {"kind": "switch", "room": homes[who]} for who in others for lamp in lamps[who].values()},
            },
            "things": {thing: {"place": f"in {box}" if has_box else f"on {box}"}},
        },
        "people": {
            mover: parts.stays(hall, *(["open"] if has_box else []), "pick", "place", "tell"),
            **{who: parts.stays(hall, "navigate", "toggle", *(["tell"] if says_so else [])) for who in others},
        },
        "secrets": {
            "target": {"values": list(tables.values())},
            "listener": {"values": others, "sort": "informational"},
        },
        "mechanics": [
            *([] if says_so else [parts.memo(mover, "target")]),
            *(parts.memo(who, "target", when={"listener": who}) for who in others),
            *(parts.memo(mover, "target", who, when={"listener": who}) for who in others if not says_so),
            *(
                {"kind": "room_restriction", "agents": [who], "rooms": [homes[other]]}
                for who, other in (others, others[::-1])
            ),
            {"kind": "time_window", "furniture": list(tables.values()), "turns": [4, 4]},
        ],
        "talk": {
            "channels": {mover: others, **({who: [mover] for who in others} if says_so else {})},
            "budgets": {mover: 1, **(dict.fromkeys(others, 1) if says_so else {})},
        },
        "wishes": [{"chain": chain, "about": "target"} for who in others for chain in ([who], [mover, who])],
        "goal": {"and": [f"on({thing}, $target)", *(parts.only("target", lamps[who]) for who in others)]},
    }
