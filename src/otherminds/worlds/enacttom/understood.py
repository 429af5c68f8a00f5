"""Reads a task's public text back into a task, so that text and task can be compared (criterion 4 of the judge)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.mechanics import listed
from otherminds.worlds.enacttom.sentences import from_words, in_words, read_formula
from otherminds.worlds.enacttom.statements import FORMS, SAYING
from otherminds.worlds.enacttom.texts import GOAL, NOBODY, NOTHING, RULES, SETTLED
from otherminds.worlds.enacttom.types import Formula, Furniture, Mechanic, Room, Secret, Talk, Task, World, every_world

_DEFAULTS: dict[str, dict[str, Any]] = {"remote_control": {"delay": 0}, "state_mirroring": {"one_way": False}}
_LISTS = ("doors", "furniture", "things", "people", "notes", "mechanics", "never", "audible")


def understood(text: str) -> Task:
    """The task that a public text describes, as far as it is public; compare with :func:`public_part`.

    Raises:
        UserError: if a line of it says nothing that a task could be, or something is missing.
    """
    try:
        return _understood(text)
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
            part, one = _read_line(line)
            if part == "raises":
                before = parts["mechanics"].pop()
                if before.kind != "commit":
                    raise UserError(f"the line {line!r} does not follow what it is about")
                part, one = "mechanics", Mechanic(before.kind, {**before.fields, **one})
            parts.setdefault(part, []).append(one)
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


def public_part(task: Task) -> Task:
    """A task without what is private or of no effect, and with one way of saying each thing."""
    can = task.speakers
    talk = task.talk
    said = Talk(
        {name: tuple(talk.channels[name]) for name in can},
        {name: talk.budgets[name] for name in can},
        talk.atoms if can else 1,
        talk.fanout if can else 1,
        talk.broadcast_cost if can and talk.fanout > 1 else "one",
        {name: turns for name, turns in talk.windows.items() if name in can},
        tuple(kind for kind in SAYING if kind in talk.kinds) if can else (),
    )
    limits = [
        Mechanic("room_restriction", {"agents": [name], "rooms": rooms})
        for name in task.names
        if (rooms := task.barred(name))
    ]
    moving = ground(task).index
    return replace(
        task,
        id="",
        title="",
        category="mixed" if task.private else "cooperative",
        rooms=tuple(Room(room.name) for room in task.rooms),
        doors=tuple(one if f"open {one.name}" in moving else replace(one, is_open=True) for one in task.doors),
        furniture=tuple(_as_kind(one) for one in task.furniture),
        worlds=tuple(sorted(task.worlds)),
        goal=_plain(task.goal),
        mechanics=(*limits, *(_as_said(one) for one in task.mechanics if one.kind not in SETTLED)),
        talk=said,
        private=dict.fromkeys((name for name in task.names if name in task.private), ""),
        wishes=(),
        audible=tuple(_same(label) for label in task.audible),
        certificate={},
        provenance={},
    )


def _as_kind(one: Furniture) -> Furniture:
    """Without states that its kind does not have."""
    opens, switches = one.kind == "container", one.kind == "switch"
    return replace(one, is_open=one.is_open and opens, is_locked=one.is_locked and opens, is_on=one.is_on and switches)


def _same(literal: str) -> str:
    """A literal, spaced as it is read back."""
    return from_words(in_words(literal))


def _plain(formula: Formula) -> Formula:
    if isinstance(formula, str):
        return _same(formula)
    ((kind, parts),) = formula.items()
    return {kind: _plain(parts) if kind == "not" else [_plain(part) for part in parts]}


def _as_said(mechanic: Mechanic) -> Mechanic:
    """A mechanic in the one form that it is read back in."""
    kind, fields = mechanic.kind, {**_DEFAULTS.get(mechanic.kind, {}), **mechanic.fields}
    if kind in ("time_window", "interlock") and "furniture" in fields:
        fields["furniture"] = listed(fields["furniture"])
    for name in {"interlock": ["while"], "commit": ["when"]}.get(kind, []):
        if literals := listed(fields.pop(name, ())):
            fields[name] = [_same(literal) for literal in literals]
    return Mechanic(kind, fields)


def _read_line(line: str) -> tuple[str, Any]:
    """Which part of a task a line belongs to, and what it adds to it."""
    matches = [(name, fields) for name, form in FORMS.items() if (fields := form.read(line)) is not None]
    if len(matches) != 1:
        how = f"in several ways ({', '.join(name for name, _ in matches)})" if matches else "as nothing of a task"
        raise UserError(f"the line {line!r} can be read {how}")
    name, fields = matches[0]
    return FORMS[name].part, FORMS[name].make(**fields)


def _worlds(secrets: Sequence[Secret], listed: Sequence[Sequence[tuple[str, str]] | None]) -> tuple[World, ...]:
    """All combinations, or those that are listed."""
    if not listed or listed == [None]:
        return every_world(secrets)
    worlds = [dict(world) for world in listed if world is not None]
    return tuple(tuple(secret.values.index(world[secret.name]) for secret in secrets) for world in worlds)
