"""F1, information-gated placement: who can read where something belongs cannot go there, and the other way round.

The actor must know one secret: depth 1. What stands in the way differs: nothing, a lock that the reader's lever opens,
or a lid that only moves with the reader's.
"""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families import parts
from otherminds.worlds.enacttom.families.parts import Content


def placement(draw: Draw, gate: str = "none", values: int = 3, is_noted: bool = False) -> Content:
    """A task.

    Args:
        draw: for names.
        gate: what stands in the way.
        values: places where the thing may belong.
        is_noted: the reader was told before, instead of having to go and look.
    """
    reader, actor, _ = draw.some(parts.PEOPLE, 3)  # one more than needed: the shipped tasks were drawn so
    entry, study, hall, far = draw.some(parts.ROOMS, 4)
    thing, _ = draw.some(parts.THINGS, 2)
    names = [
        f"{colour}_{'box' if gate in ('lock', 'mirror') else 'table'}" for colour in draw.some(parts.COLOURS, values)
    ]
    furniture: Content = {
        **({} if is_noted else {"board": {"kind": "sign", "room": study, "shows": "target"}}),
        "shelf": {"kind": "surface", "room": hall},
    }
    content: Content = {
        "title": f"The {thing} and the note" if is_noted else f"The {thing} and the board",
        "category": "cooperative",
        "horizon": 5,
        "house": {
            "rooms": parts.rooms([entry, study, hall, far], 2),
            "doors": parts.doors((entry, study), (entry, hall), (hall, far)),
            "furniture": furniture,
            "things": {thing: {"place": "on shelf"}},
        },
        "people": {reader: {"room": entry}, actor: {"room": hall}},
        "secrets": {"target": {"values": names}},
        "mechanics": [
            {"kind": "room_restriction", "agents": [reader], "rooms": [far]},
            parts.memo(reader, "target")
            if is_noted
            else {"kind": "room_restriction", "agents": [actor], "rooms": [study]},
        ],
        "talk": {"channels": {reader: [actor]}, "budgets": {reader: 1}},
        "goal": f"on({thing}, $target)",
        "wishes": [{"chain": [actor], "about": "target"}, {"chain": [reader, actor], "about": "target"}],
    }
    if gate == "none":
        furniture |= {name: {"kind": "surface", "room": far} for name in names}
    elif gate == "lock":
        furniture |= {name: {"kind": "container", "room": far, "open": True} for name in names}
        content["goal"] = f"in({thing}, $target)"
        content["house"]["doors"][f"{hall}-{far}"]["locked"] = True
        furniture["lever"] = {"kind": "switch", "room": study}
        content["mechanics"] += [
            {"kind": "remote_control", "trigger": "lever", "when": "on", "target": f"{hall}-{far}", "set": setting}
            for setting in ("unlocked", "open")
        ]
        content["horizon"] = 7
    elif gate == "mirror":
        furniture |= {name: {"kind": "container", "room": far} for name in names}
        content["goal"] = f"in({thing}, $target)"
        content["people"][actor]["verbs"] = ["navigate", "pick", "place", "wait"]
        furniture |= {f"{name}_lid": {"kind": "container", "room": study} for name in names}
        content["mechanics"] += [{"kind": "state_mirroring", "between": [f"{name}_lid", name]} for name in names]
        content["horizon"] = 6
    return content
