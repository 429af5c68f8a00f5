"""A flat to try rules in."""

from typing import Any

from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.rules import State, begin, step
from otherminds.worlds.enacttom.tasks.read import parse_task


def flat(**changes: Any) -> Ground:
    """Two people in a kitchen with a fridge, a box, a lamp and a cup; a cellar behind a closed door."""
    content: dict[str, Any] = {
        "id": "flat",
        "title": "A flat",
        "category": "cooperative",
        "horizon": 8,
        "house": {
            "rooms": {"kitchen": {}, "hall": {}, "cellar": {}},
            "doors": {"arch": {"rooms": ["kitchen", "hall"]}, "hatch": {"rooms": ["hall", "cellar"], "open": False}},
            "furniture": {
                "fridge": {"kind": "container", "room": "kitchen"},
                "box": {"kind": "container", "room": "hall"},
                "lamp": {"kind": "switch", "room": "kitchen"},
                "table": {"kind": "surface", "room": "kitchen"},
                "shelf": {"kind": "surface", "room": "kitchen"},
            },
            "things": {"cup": {"place": "on table"}, "egg": {"place": "in fridge"}},
        },
        "people": {"ann": {"room": "kitchen"}, "ben": {"room": "kitchen"}},
        "talk": {"channels": {"ann": ["ben"], "ben": ["ann"]}, "budgets": {"ann": 1, "ben": 2}},
        "goal": "in(cup, fridge)",
    }
    return ground(parse_task({**content, **changes}))


def run(house: Ground, *turns: tuple[Act, ...], world: tuple[int, ...] = ()) -> State:
    """The house after some turns, all of which must have been possible."""
    state = begin(house, world)
    for acts in turns:
        state, outcome = step(house, state, acts)
        assert outcome.refused == ("",) * len(acts)
    return state


def value(house: Ground, state: State, variable: str) -> str:
    at = house.index[variable]
    return house.domains[at][state.values[at]]
