"""Writes a task as plain data, for files, records and other programs."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import yaml

from otherminds.worlds.enacttom.mechanics import listed
from otherminds.worlds.enacttom.tasks.read import HOUSE
from otherminds.worlds.enacttom.types import Furniture, Mechanic, Note, Room, Task, Thing, Wish, every_world

_SPARSE = (Room, Furniture, Note, Wish)  # parts whose empty fields are left out


def task_content(task: Task, *, is_bare: bool = False) -> dict[str, Any]:
    """The content of a task's file; reading it gives the same task. A bare one has no certificate and no provenance."""
    content: dict[str, Any] = {}
    for field in fields(task):
        value = plain(getattr(task, field.name))
        if field.name in HOUSE:
            content.setdefault("house", {})[field.name] = value or {}
        else:
            content[field.name] = value
    memos = sum(
        len(listed(mechanic.fields["to"])) for mechanic in task.mechanics if mechanic.kind == "memo"
    )  # the last notes
    content["notes"] = content["notes"][: len(task.notes) - memos]
    if is_bare:
        content["certificate"] = content["provenance"] = {}
    names = [secret.name for secret in task.secrets]
    content["worlds"] = (
        []
        if task.worlds == every_world(task.secrets)
        else [{name: task.value(world, name) for name in names} for world in task.worlds]
    )
    return {name: value for name, value in content.items() if value not in ({}, [])}


def plain(value: Any) -> Any:
    """A part of a task as plain data; parts with names are a mapping."""
    if isinstance(value, Thing):
        hidden = {"place": list(value.places), "depends_on": value.depends_on}
        return hidden if value.depends_on else {"place": value.place}
    if isinstance(value, Mechanic):
        return {"kind": value.kind, **value.fields}
    if is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in fields(value) if field.name != "name"}
        return {
            name.removeprefix("is_"): dict(part) if name == "when" else plain(part)
            for name, part in parts.items()
            if part or not isinstance(value, _SPARSE)
        }
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        if value and hasattr(value[0], "name"):
            return {part.name: plain(part) for part in value}
        return list(map(plain, value))
    return value


class Dumper(yaml.SafeDumper):
    """A dumper that repeats values in full instead of writing YAML aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def task_text(task: Task) -> str:
    """The YAML text of a task's file, with short values on one line."""
    return content_text(task_content(task))


def content_text(content: dict[str, Any]) -> str:
    """The YAML text of the content of a task's file, or of some of its fields."""
    return yaml.dump(content, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
