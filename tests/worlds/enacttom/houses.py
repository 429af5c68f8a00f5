"""Tasks for tests: the worked examples, small enough to think through."""

from typing import Any

from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.types import Task


def fetch(values: int = 3, horizon: int = 5, budget: int = 1, **changes: Any) -> Task:
    """Ann can read which table the cup belongs on, but cannot go there. Ben can go there, but cannot read it."""
    tables = [f"table{number}" for number in range(1, values + 1)]
    content: dict[str, Any] = {
        "id": "fetch",
        "title": "The cup",
        "category": "cooperative",
        "horizon": horizon,
        "house": {
            "rooms": {"porch": {}, "study": {}, "hall": {}, "kitchen": {}},
            "doors": {
                "d1": {"rooms": ["porch", "study"]},
                "d2": {"rooms": ["porch", "hall"]},
                "d3": {"rooms": ["hall", "kitchen"]},
            },
            "furniture": {
                "board": {"kind": "sign", "room": "study", "shows": "target"},
                "shelf": {"kind": "surface", "room": "hall"},
                **{table: {"kind": "surface", "room": "kitchen"} for table in tables},
            },
            "things": {"cup": {"place": "on shelf"}},
        },
        "people": {"ann": {"room": "porch"}, "ben": {"room": "hall"}},
        "secrets": {"target": {"values": tables}},
        "mechanics": [
            {"kind": "room_restriction", "agents": ["ann"], "rooms": ["kitchen"]},
            {"kind": "room_restriction", "agents": ["ben"], "rooms": ["study"]},
            {"kind": "limited_bandwidth", "limits": {"ann": budget}},
            {"kind": "restricted_communication", "channels": {"ann": ["ben"]}},
        ],
        "goal": "on(cup, $target)",
    }
    return parse_task({**content, **changes})


def memo(values: int = 2, acknowledge: bool = True, **changes: Any) -> Task:
    """Ann knows Ben's lamp and Cleo's, and may tell one of them; the other has read a note, and may say so before.

    Turn 1 is for acknowledging, turn 2 for telling, turn 3 for switching.
    """
    rooms = {"ben": "left", "cleo": "right"}
    lamps = {who: [f"{who}{number}" for number in range(1, values + 1)] for who in rooms}
    content: dict[str, Any] = {
        "id": "memo",
        "title": "One message",
        "category": "cooperative",
        "horizon": 3,
        "house": {
            "rooms": {"left": {}, "middle": {}, "right": {}},
            "furniture": {lamp: {"kind": "switch", "room": rooms[who]} for who, many in lamps.items() for lamp in many},
        },
        "people": {
            "ann": {"room": "middle", "verbs": ["tell", "wait"]},
            "ben": {"room": "left", "verbs": ["toggle", "tell", "wait"]},
            "cleo": {"room": "right", "verbs": ["toggle", "tell", "wait"]},
        },
        "secrets": {
            "for_ben": {"values": lamps["ben"]},
            "for_cleo": {"values": lamps["cleo"]},
            "reader": {"values": ["ben", "cleo"], "sort": "informational"},
        },
        "notes": [
            {"to": "ann", "about": "for_ben"},
            {"to": "ann", "about": "for_cleo"},
            {"to": "ben", "about": "for_ben", "when": {"reader": "ben"}},
            {"to": "cleo", "about": "for_cleo", "when": {"reader": "cleo"}},
        ],
        "mechanics": [
            {"kind": "time_window", "turns": [3, 3]},
            *({"kind": "commit", "furniture": lamp} for many in lamps.values() for lamp in many),
        ],
        "talk": {
            "channels": {"ann": ["ben", "cleo"], "ben": ["ann"], "cleo": ["ann"]},
            "budgets": {"ann": 1, "ben": int(acknowledge), "cleo": int(acknowledge)},
            "windows": {"ann": [2, 2], "ben": [1, 1], "cleo": [1, 1]},
            "kinds": ["value", "knows"],
        },
        "goal": {"and": [_only("for_ben", lamps["ben"]), _only("for_cleo", lamps["cleo"])]},
    }
    return parse_task({**content, **changes})


def _only(secret: str, lamps: list[str]) -> dict[str, Any]:
    """The lamp that the secret names is on, and no other."""
    cases = [
        {
            "and": [
                f"is({secret}, {right})",
                *(f"{'powered' if lamp == right else 'unpowered'}({lamp})" for lamp in lamps),
            ]
        }
        for right in lamps
    ]
    return {"or": cases}


def chain(values: int = 3, horizon: int = 1, **changes: Any) -> Task:
    """Whoever acts relies on the next: Ann on Ben, and Ben on Cleo, who must know which lamp is right.

    What they know is one of four: nobody anything; Cleo the lamp; Ben that too; Ann that too. Ann is told whenever Cleo
    knows, which is not enough. Only where all know must all act. Nobody sees the others.
    """
    lamps = [f"lamp{number}" for number in range(1, values + 1)]
    rooms = {"ann": "one", "ben": "two", "cleo": "three"}
    content: dict[str, Any] = {
        "id": "chain",
        "title": "One after the other",
        "category": "cooperative",
        "horizon": horizon,
        "house": {
            "rooms": {"one": {}, "two": {}, "three": {}},
            "furniture": {
                "lever_a": {"kind": "switch", "room": rooms["ann"]},
                "lever_b": {"kind": "switch", "room": rooms["ben"]},
                **{lamp: {"kind": "switch", "room": rooms["cleo"]} for lamp in lamps},
            },
        },
        "people": {name: {"room": room, "verbs": ["toggle", "wait"]} for name, room in rooms.items()},
        "secrets": {
            "right": {"values": lamps},
            "known": {"values": ["none", "cleo", "ben", "ann"], "sort": "informational"},
        },
        "notes": [
            *({"to": "cleo", "about": "right", "when": {"known": who}} for who in ("cleo", "ben", "ann")),
            *({"to": "ben", "about": "right", "knower": "cleo", "when": {"known": who}} for who in ("ben", "ann")),
            *(
                {"to": "ann", "about": "right", "knower": "cleo", "when": {"known": who}}
                for who in ("cleo", "ben", "ann")
            ),
            {"to": "ann", "about": "right", "knower": ["ben", "cleo"], "when": {"known": "ann"}},
        ],
        "mechanics": [
            *({"kind": "commit", "furniture": name} for name in ("lever_a", "lever_b", *lamps)),
        ],
        "goal": {
            "and": [
                {"or": ["unpowered(lever_a)", "powered(lever_b)"]},
                {"or": ["unpowered(lever_b)", "powered($right)"]},
                *({"or": [f"unpowered({lamp})", f"is(right, {lamp})"]} for lamp in lamps),
                {"or": [{"not": "is(known, ann)"}, "powered(lever_a)"]},
            ]
        },
    }
    return parse_task({**content, **changes})


def letter(values: int = 2, windows: bool = True, audible: bool = True, **changes: Any) -> Task:
    """The chain in a fixed order: Ann's lever is stuck once Ben's is pulled, and Ben's once a lamp is lit.

    All hear Ann's lever. With windows both levers must be pulled in the first turn, so that Ben hears it too late.
    Three things may or may not have happened: Cleo got a letter, Ben saw her read it, and Ann heard that he did.
    """
    lamps = [f"lamp{number}" for number in range(1, values + 1)]
    seen = {"letter": "yes", "seen": "yes"}
    yes_no = {"values": ["no", "yes"], "sort": "informational"}
    content: dict[str, Any] = {
        "id": "letter",
        "title": "The letter",
        "category": "cooperative",
        "horizon": 3,
        "house": {
            "rooms": {"one": {}, "two": {}, "three": {}},
            "furniture": {
                "lever_a": {"kind": "switch", "room": "one"},
                "lever_b": {"kind": "switch", "room": "two"},
                **{lamp: {"kind": "switch", "room": "three"} for lamp in lamps},
            },
        },
        "people": {
            name: {"room": room, "verbs": ["toggle", "wait"]}
            for name, room in (("ann", "one"), ("ben", "two"), ("cleo", "three"))
        },
        "secrets": {"right": {"values": lamps}, "letter": yes_no, "seen": yes_no, "heard": yes_no},
        "notes": [
            {"to": "cleo", "about": "right", "when": {"letter": "yes"}},
            {"to": "ben", "about": "right", "knower": "cleo", "when": seen},
            {"to": "ann", "about": "right", "knower": "cleo", "when": {"letter": "yes"}},
            {"to": "ann", "about": "right", "knower": ["ben", "cleo"], "when": {**seen, "heard": "yes"}},
        ],
        "mechanics": [
            *({"kind": "commit", "furniture": name} for name in ("lever_a", "lever_b", *lamps)),
            {"kind": "interlock", "furniture": "lever_a", "while": ["unpowered(lever_b)"]},
            {"kind": "interlock", "furniture": "lever_b", "while": [f"unpowered({lamp})" for lamp in lamps]},
            *(
                {"kind": "time_window", "furniture": names, "turns": turns}
                for names, turns in ((["lever_a", "lever_b"], [1, 1]), (lamps, [2, 3]))
                if windows
            ),
        ],
        "audible": ["powered(lever_a)"] if audible else [],
        "goal": {
            "and": [
                {"or": ["unpowered(lever_a)", "powered(lever_b)"]},
                {"or": ["unpowered(lever_b)", "powered($right)"]},
                *({"or": [f"unpowered({lamp})", f"is(right, {lamp})"]} for lamp in lamps),
                {"or": [*({"not": f"is({name}, yes)"} for name in ("letter", "seen", "heard")), "powered(lever_a)"]},
            ]
        },
    }
    return parse_task({**content, **changes})
