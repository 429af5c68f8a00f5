"""Reads a task's public text back into a task, so that text and task can be compared (criterion 4 of the judge)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import shared
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.text.sentences import read_formula
from otherminds.worlds.enacttom.text.statements import FORMS, SAYING
from otherminds.worlds.enacttom.text.task_text import GOAL, NOBODY, NOTHING, RULES
from otherminds.worlds.enacttom.types import Mechanic, Room, Secret, Talk, Task, World, every_world

_LISTS = ("doors", "furniture", "things", "people", "notes", "mechanics", "never", "audible")


def understood(text: str) -> Task:
    """The task that a public text describes, as far as it is public; compare by :func:`meaning`.

    Raises:
        UserError: if a line states nothing about a task, or something is missing.
    """
    try:
        task = _understood(text)
        ground(task)  # its parts must fit together
        return task
    except (KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"the text does not describe a whole task: {error!r}") from error


def _understood(text: str) -> Task:
    parts: dict[str, list[Any]] = {}
    goal = []
    for line in text.splitlines():
        if re.match(r" *- ", line):
            goal.append(line)
        elif line in SAYING.values():
            parts.setdefault("kinds", []).append(line)
        elif line and not line.startswith("#") and line not in (*RULES, GOAL, NOBODY, NOTHING):
            part, value = _read_line(line)
            if part == "raises":
                before = parts["mechanics"].pop()
                if before.kind != "commit":
                    raise UserError(f"the line {line!r} does not follow the line that it refers to")
                part, value = "mechanics", Mechanic(before.kind, {**before.fields, **value})
            parts.setdefault(part, []).append(value)
    secrets, private, speaking = (parts.get(name, []) for name in ("secrets", "private", "talk"))
    lists: dict[str, Any] = {name: tuple(parts.get(name, ())) for name in _LISTS}
    for part, is_needed in {"horizon": True, "rooms": True, "message": speaking, "worlds": secrets}.items():
        if is_needed and part not in parts:
            raise UserError(f"the text says nothing of {part}")
    ((fanout, atoms),) = parts.get("message", [(1, 1)])
    return Task(
        id="",
        title="",
        category="mixed" if private else "cooperative",
        horizon=parts["horizon"][0],
        rooms=tuple(Room(name) for name in parts["rooms"][0]),
        secrets=tuple(secrets),
        worlds=_worlds(secrets, parts.get("worlds", [])),
        goal=read_formula(goal),
        talk=Talk(
            {name: listeners for name, listeners, _ in speaking},
            {name: budget for name, _, budget in speaking},
            atoms,
            fanout,
            "each" if "cost" in parts else "one",
            dict(parts.get("windows", [])),
            tuple(kind for kind, sentence in SAYING.items() if sentence in parts.get("kinds", ())),
        ),
        private=dict.fromkeys(private, ""),
        **lists,
    )


def meaning(task: Task) -> tuple[Any, ...]:
    """Everything public about a task, in a form that does not depend on how it is expressed."""
    house, talk, speakers = ground(task), task.talk, task.speakers
    return (
        (task.horizon, task.people, task.secrets, task.notes, [(part.name, part.kind) for part in task.furniture]),
        ([(door.name, door.rooms, door.one_way) for door in task.doors], list(map(task.barred, task.names))),
        (house.variables, house.domains, house.deeds, house.ticks, house.sights, house.starts),
        ([test for _, test in house.audible], shared(house), set(task.private)),
        {name: (talk.channels[name], talk.budgets[name], talk.windows.get(name)) for name in speakers},
        (talk.atoms, talk.fanout, talk.fanout > 1 and talk.broadcast_cost, set(talk.kinds)) if speakers else None,
    )


def _read_line(line: str) -> tuple[str, Any]:
    """The part of a task that a line describes, and what it adds to that part."""
    matches = [(name, fields) for name, form in FORMS.items() if (fields := form.read(line)) is not None]
    if len(matches) != 1:
        how = f"in several ways ({', '.join(name for name, _ in matches)})" if matches else "as nothing of a task"
        raise UserError(f"the line {line!r} can be read {how}")
    name, fields = matches[0]
    return FORMS[name].part, FORMS[name].make(**fields)


def _worlds(secrets: Sequence[Secret], listed: Sequence[Sequence[tuple[str, str]] | None]) -> tuple[World, ...]:
    """The listed worlds, or all combinations of values."""
    if not listed or listed == [None]:
        return every_world(secrets)
    worlds = [dict(world) for world in listed if world is not None]
    return tuple(tuple(secret.values.index(world[secret.name]) for secret in secrets) for world in worlds)
