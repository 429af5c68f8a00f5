"""F1, information-gated placement: the person who can read where a thing belongs cannot go there, and vice versa.

The actor must know one secret: depth 1. The obstacle varies: nothing, a lock that the reader's lever opens, or a lid
that only moves with the reader's.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from tests.worlds.enacttom.families import parts
from tests.worlds.enacttom.families.parts import Content


def placement(draw: Draw, gate: str = "none", values: int = 3, is_noted: bool = False) -> Content:
    """A placement task.

    Args:
        draw: source of names.
        gate: obstacle: ``none``, ``lock`` or ``mirror``.
        values: number of places where the thing may belong.
        is_noted: whether the reader has a note instead of having to look at the board.
    """
    reader, actor, _ = draw.some(parts.PEOPLE, 3)  # one more than needed: the shipped tasks were drawn so
    entry, study, hall, far = draw.some(parts.ROOMS, 4)
    thing, _ = draw.some(parts.THINGS, 2)
    names = [f"{colour}_{'table' if gate == 'none' else 'box'}" for colour in draw.some(parts.COLOURS, values)]
    source = parts.memo(reader, "target") if is_noted else _barred(actor, study)
    content = parts.task(
        f"The {thing} and the {'note' if is_noted else 'board'}",
        5,
        [entry, study, hall, far],
        columns=2,
        doors=[(entry, study), (entry, hall), (hall, far)],
        furniture={} if is_noted else parts.board(study, "target"),
        things={thing: {"place": "on shelf"}},
        people={reader: {"room": entry}, actor: {"room": hall}},
        secrets={"target": names},
        mechanics=[_barred(reader, far), source],
        talk={"channels": {reader: [actor]}, "budgets": {reader: 1}},
        goal=f"{'on' if gate == 'none' else 'in'}({thing}, $target)",
        wishes=parts.wishes("target", [actor], [reader, actor]),
    )
    furniture = content["house"]["furniture"]
    furniture |= parts.put("surface", ["shelf"], hall)
    furniture |= parts.put("surface" if gate == "none" else "container", names, far)
    if gate == "lock":
        for name in names:
            furniture[name]["open"] = True
        door = f"{hall}-{far}"
        content["house"]["doors"][door]["locked"] = True
        furniture |= parts.put("switch", ["lever"], study)
        content["mechanics"] += [
            {"kind": "remote_control", "trigger": "lever", "when": "on", "target": door, "set": setting}
            for setting in ("unlocked", "open")
        ]
        content["horizon"] = 7
    elif gate == "mirror":
        content["people"][actor]["verbs"] = ["navigate", "pick", "place", "wait"]
        furniture |= parts.put("container", [f"{name}_lid" for name in names], study)
        content["mechanics"] += [{"kind": "state_mirroring", "between": [f"{name}_lid", name]} for name in names]
        content["horizon"] = 6
    return content


def _barred(person: str, room: str) -> Content:
    return {"kind": "room_restriction", "agents": [person], "rooms": [room]}
