"""A task as plain data: what its file says, so that a record can carry it and another program can read it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import yaml

from otherminds.worlds.enacttom.mechanics import listed
from otherminds.worlds.enacttom.read import STATES
from otherminds.worlds.enacttom.types import Task, Thing, every_world

_WORDS = {attribute: word for word, attribute in STATES.items()}


def task_content(task: Task, *, is_bare: bool = False) -> dict[str, Any]:
    """The content of a task's file; reading it gives the same task. A bare one has no certificate and no provenance."""
    memos = sum(len(listed(one.fields["to"])) for one in task.mechanics if one.kind == "memo")  # which come last
    found: dict[str, Any] = {
        "id": task.id,
        "title": task.title,
        "category": task.category,
        "horizon": task.horizon,
        "house": {
            "rooms": {room.name: _content(room) for room in task.rooms},
            "doors": {door.name: _content(door) for door in task.doors},
            "furniture": {one.name: _content(one, is_sparse=True) for one in task.furniture},
            "things": {thing.name: _thing(thing) for thing in task.things},
        },
        "people": {person.name: _content(person) for person in task.people},
        "secrets": {secret.name: _content(secret) for secret in task.secrets},
        "notes": [_content(note, is_sparse=True) for note in task.notes[: len(task.notes) - memos]],
        "mechanics": [{"kind": one.kind, **one.fields} for one in task.mechanics],
        "talk": _content(task.talk),
        "goal": task.goal,
        "private": dict(task.private),
        "never": list(task.never),
        "wishes": [_content(wish, is_sparse=True) for wish in task.wishes],
        "audible": list(task.audible),
        "certificate": {} if is_bare else dict(task.certificate),
        "provenance": {} if is_bare else dict(task.provenance),
    }
    if task.worlds != every_world(task.secrets):
        found["worlds"] = [
            {secret.name: task.value(world, secret.name) for secret in task.secrets} for world in task.worlds
        ]
    return {name: value for name, value in found.items() if value not in ({}, [])}


def _content(part: Any, is_sparse: bool = False) -> dict[str, Any]:
    """The fields of a part of a task but its name; if it is sparse, without those that say nothing."""
    values = {field.name: getattr(part, field.name) for field in fields(part) if field.name != "name"}
    return {
        _WORDS.get(name, name): dict(value) if name == "when" else _plain(value)
        for name, value in values.items()
        if value or not is_sparse
    }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _thing(thing: Thing) -> dict[str, Any]:
    if thing.depends_on is None:
        return {"place": thing.place}
    return {"place": list(thing.places), "depends_on": thing.depends_on}


class _Dumper(yaml.SafeDumper):
    """Says everything in full where it belongs: what a person reads should not refer elsewhere."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def task_text(task: Task) -> str:
    """A task's file: fields on lines of their own, what is within them in a row where that is short."""
    return yaml.dump(
        task_content(task), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None
    )
