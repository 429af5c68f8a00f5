"""Houses drawn at random, with every kind of furniture and mechanic, for tests that must hold of any."""

from itertools import pairwise
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Act, Atom, Message
from otherminds.worlds.enacttom.rules import DONE, WAIT, State, possible
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.types import Task, World

PEOPLE = ("ann", "ben", "cleo")
ROOMS = ("hall", "kitchen", "attic")


def any_house(seed: int, horizon: int = 4) -> Task:
    """A task of a seed. What it is to bring about does not matter."""
    for attempt in range(100):
        try:
            return parse_task(_content(Draw(seed, f"enacttom/any/{attempt}"), f"any{seed}", horizon))
        except UserError as error:
            if "cycle" not in str(error):  # remote controls and mirrors may lead in one
                raise
    raise AssertionError("no house in a hundred attempts")


def any_act(ground: Ground, state: State, world: World, agent: int, draw: Draw, *, is_wild: bool = True) -> Act:
    """Something to do: often possible, sometimes not, now and then a message. A tame one is legal, and never done."""
    task = ground.task
    names = task.names
    if draw.happens(0.25):
        to = draw.pick([other for other in range(len(names)) if other != agent])
        secret = draw.pick(task.secrets)
        value = draw.pick(secret.values) if is_wild else task.value(world, secret.name)
        atoms: list[Atom] = [("value", secret.name, value), ("knows", draw.pick(names), secret.name)]
        if is_wild or (state.budgets[agent] and names[to] in task.talk.channels.get(names[agent], ())):
            return Message(agent, (to,), (draw.pick(atoms),))
    if is_wild and draw.happens(0.02):
        return DONE
    some: list[Act] = [*possible(ground, state, agent)]
    return draw.pick([WAIT, *ground.by_name[agent]]) if draw.happens(0.3) else draw.pick(some)


def _content(draw: Draw, name: str, horizon: int) -> dict[str, Any]:
    people = list(PEOPLE[: 2 + draw.below(2)])
    rooms = list(ROOMS[: 2 + draw.below(2)])
    doors = {f"{a}-{b}": _door(draw, a, b) for a, b in pairwise(rooms)}
    furniture: dict[str, Any] = {"table": {"kind": "surface", "room": draw.pick(rooms)}}
    for box in ("box", "chest"):
        states = {"open": draw.happens(0.5), "locked": draw.happens(0.15)}
        furniture[box] = {"kind": "container", "room": draw.pick(rooms), **states}
    for lamp in ("lamp", "lever"):
        furniture[lamp] = {"kind": "switch", "room": draw.pick(rooms), "on": draw.happens(0.3)}
    secrets: dict[str, Any] = {"which": {"values": ["lamp", "lever"]}}
    if draw.happens(0.5):
        furniture["board"] = {"kind": "sign", "room": draw.pick(rooms), "shows": "which"}
    places = ["on table", "in box", "in chest", f"floor {rooms[0]}", f"held {people[0]}"]
    things: dict[str, Any] = {"cup": {"place": draw.pick(places[:4])}}
    if draw.happens(0.5):
        things["pen"] = {"place": [draw.pick(places), draw.pick(places[:4])], "depends_on": "which"}
    return {
        "id": name, "title": "Any house", "category": "cooperative", "horizon": horizon,
        "house": {"rooms": {room: {} for room in rooms}, "doors": doors, "furniture": furniture, "things": things},
        "people": {one: {"room": draw.pick(rooms)} for one in people},
        "secrets": secrets,
        "notes": [{"to": draw.pick(people), "about": "which"}] if draw.happens(0.5) else [],
        "mechanics": _mechanics(draw, people, rooms, list(doors)),
        "talk": {
            "channels": {one: [other for other in people if other != one and draw.happens(0.7)] for one in people},
            "budgets": {one: draw.below(3) for one in people},
        },
        "audible": ["powered(lamp)", "on(cup, table)"] if draw.happens(0.5) else [],
        "goal": "powered($which)",
    }  # fmt: skip


def _door(draw: Draw, first: str, second: str) -> dict[str, Any]:
    states = {"open": draw.happens(0.7), "locked": draw.happens(0.1), "one_way": draw.happens(0.1)}
    return {"rooms": [first, second], **states}


def _mechanics(draw: Draw, people: list[str], rooms: list[str], doors: list[str]) -> list[dict[str, Any]]:
    fixed = ["box", "chest", "lamp", "lever", "table"]
    trigger = draw.pick([("$which", "on"), ("lamp", "off"), ("box", "open"), ("chest", "closed")])
    target, word = draw.pick([("box", "closed"), ("chest", "open"), ("lamp", "on"), (doors[0], "locked")])
    every: list[dict[str, Any]] = [
        {"kind": "remote_control", "trigger": trigger[0], "when": trigger[1], "target": target, "set": word,
         "delay": draw.below(3)},
        {"kind": "state_mirroring", "between": draw.pick([["box", "chest"], ["lamp", "lever"], ["chest", "lamp"]]),
         "one_way": draw.happens(0.5)},
        {"kind": "inverse_state", "furniture": draw.pick(["box", "chest", doors[0]])},
        {"kind": "time_window", "furniture": draw.some(fixed, 2), "turns": [1 + draw.below(2), 2 + draw.below(2)]},
        {"kind": "interlock", "furniture": draw.pick(fixed), "while": ["unpowered(lever)"]},
        {"kind": "commit", "furniture": draw.pick(fixed)},
        {"kind": "commit", "furniture": draw.pick(fixed), "raises": "alarm", "when": ["not powered($which)"]},
    ]  # fmt: skip
    chosen = [mechanic for mechanic in every if draw.happens(0.35)]
    if draw.happens(0.4):  # nobody begins there: people are put into rooms before
        chosen.append({"kind": "room_restriction", "agents": [draw.pick(people)], "rooms": [draw.pick(rooms)]})
    return chosen
