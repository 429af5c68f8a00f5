"""F1, information-gated placement: who can read where something belongs cannot go there, and the other way round.

The actor must know one secret: depth 1. What stands in the way differs: nothing, a lock that the reader's lever opens,
a lid that only moves with the reader's, or knowledge that is split between two readers.
"""

from __future__ import annotations

from typing import Any

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.families.parts import COLOURS, PEOPLE, ROOMS, THINGS, Content, doors, rooms


def placement(draw: Draw, gate: str = "none", values: int = 3, is_noted: bool = False) -> Content:
    """A task.

    Args:
        draw: for names.
        gate: what stands in the way.
        values: places where the thing may belong.
        is_noted: the reader was told before, instead of having to go and look.
    """
    reader, actor, second = draw.some(PEOPLE, 3)
    entry, study, hall, far = draw.some(ROOMS, 4)
    thing, other = draw.some(THINGS, 2)
    names = [f"{colour}_{'box' if gate in ('lock', 'mirror') else 'table'}" for colour in draw.some(COLOURS, values)]
    furniture: Content = {
        **({} if is_noted else {"board": {"kind": "sign", "room": study, "shows": "target"}}),
        "shelf": {"kind": "surface", "room": hall},
    }
    content: Content = {
        "title": f"The {thing} and the note" if is_noted else f"The {thing} and the board",
        "category": "cooperative",
        "horizon": 5,
        "house": {
            "rooms": rooms([entry, study, hall, far], 2),
            "doors": doors((entry, study), (entry, hall), (hall, far)),
            "furniture": furniture,
            "things": {thing: {"place": "on shelf"}},
        },
        "people": {reader: {"room": entry}, actor: {"room": hall}},
        "secrets": {"target": {"values": names}},
        "mechanics": [
            # Who lacks the other half could do nothing there anyway, and where there is no board nothing is to be seen.
            *([] if gate == "halves" else [{"kind": "room_restriction", "agents": [reader], "rooms": [far]}]),
            {"kind": "memo", "to": reader, "about": "target"}
            if is_noted
            else {"kind": "room_restriction", "agents": [actor], "rooms": [study]},
        ],
        "talk": {"channels": {reader: [actor]}, "budgets": {reader: 1}},
        "goal": f"on({thing}, $target)",
        "wishes": [{"chain": [actor], "about": "target"}, {"chain": [reader, actor], "about": "target"}],
    }
    if gate in ("none", "halves"):
        furniture |= {name: {"kind": "surface", "room": far} for name in names}
    if gate == "halves":
        _halve(content, second, actor, thing, other, entry)
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


def _halve(content: dict[str, Any], second: str, actor: str, thing: str, other: str, entry: str) -> None:
    """Which thing it is about is known to another, who is told of it by a note."""
    content["title"] = f"The {thing} or the {other}"
    content["house"]["things"][other] = {"place": "on shelf"}
    content["secrets"]["item"] = {"values": [thing, other]}
    content["goal"] = "on($item, $target)"
    content["people"][second] = {"room": entry, "verbs": ["tell", "wait"]}
    content["mechanics"].append({"kind": "memo", "to": second, "about": "item"})
    content["talk"]["channels"][second] = [actor]
    content["talk"]["budgets"][second] = 1
    content["wishes"].append({"chain": [actor], "about": "item"})
