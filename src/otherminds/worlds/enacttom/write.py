"""A task as plain data: what its file says, so that a record can carry it and another program can read it."""

from __future__ import annotations

from itertools import product
from typing import Any

from otherminds.worlds.enacttom.types import Door, Furniture, Note, Talk, Task, Thing, Wish


def task_content(task: Task, *, is_bare: bool = False) -> dict[str, Any]:
    """The content of a task's file; reading it gives the same task. A bare one has no certificate and no provenance."""
    found: dict[str, Any] = {
        "id": task.id,
        "title": task.title,
        "category": task.category,
        "horizon": task.horizon,
        "house": {
            "rooms": {room.name: {"box": list(room.box)} for room in task.rooms},
            "doors": {door.name: _door(door) for door in task.doors},
            "furniture": {one.name: _furniture(one) for one in task.furniture},
            "things": {thing.name: _thing(thing) for thing in task.things},
        },
        "people": {person.name: {"room": person.room, "verbs": list(person.verbs)} for person in task.people},
        "secrets": {one.name: {"values": list(one.values), "sort": one.sort} for one in task.secrets},
        "notes": [_note(note) for note in task.notes[: len(task.notes) - _memos(task)]],
        "mechanics": [{"kind": one.kind, **one.fields} for one in task.mechanics],
        "talk": _talk(task.talk),
        "goal": task.goal,
        "private": dict(task.private),
        "never": list(task.never),
        "wishes": [_wish(wish) for wish in task.wishes],
        "audible": list(task.audible),
        "certificate": {} if is_bare else dict(task.certificate),
        "provenance": {} if is_bare else dict(task.provenance),
    }
    if task.worlds != tuple(product(*(range(len(secret.values)) for secret in task.secrets))):
        found["worlds"] = [
            {secret.name: secret.values[at] for secret, at in zip(task.secrets, world, strict=True)}
            for world in task.worlds
        ]
    return {name: value for name, value in found.items() if value not in ({}, [])}


def _door(door: Door) -> dict[str, Any]:
    return {"rooms": list(door.rooms), "open": door.is_open, "locked": door.is_locked, "one_way": door.one_way}


def _furniture(one: Furniture) -> dict[str, Any]:
    states = {"open": one.is_open, "locked": one.is_locked, "on": one.is_on}
    shows = {"shows": one.shows} if one.shows else {}
    return {"kind": one.kind, "room": one.room, **{name: True for name, is_so in states.items() if is_so}, **shows}


def _thing(thing: Thing) -> dict[str, Any]:
    if thing.depends_on is None:
        return {"place": thing.place}
    return {"place": list(thing.places), "depends_on": thing.depends_on}


def _note(note: Note) -> dict[str, Any]:
    knower = {"knower": list(note.knower)} if note.knower else {}
    when = {"when": dict(note.when)} if note.when else {}
    return {"to": note.to, "about": note.about, **knower, **when}


def _wish(wish: Wish) -> dict[str, Any]:
    return {"chain": list(wish.chain), "about": wish.about, **({"when": dict(wish.when)} if wish.when else {})}


def _memos(task: Task) -> int:
    """Notes that a mechanic brings, which come last."""
    readers = [one.fields["to"] for one in task.mechanics if one.kind == "memo"]
    return sum(1 if isinstance(to, str) else len(to) for to in readers)


def _talk(talk: Talk) -> dict[str, Any]:
    return {
        "channels": {who: list(to) for who, to in talk.channels.items()},
        "budgets": dict(talk.budgets),
        "atoms": talk.atoms,
        "fanout": talk.fanout,
        "broadcast_cost": talk.broadcast_cost,
        "windows": {who: list(turns) for who, turns in talk.windows.items()},
        "kinds": list(talk.kinds),
    }
