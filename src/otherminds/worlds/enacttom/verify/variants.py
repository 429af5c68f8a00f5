"""A task with one thing less: what the judge compares it with (spec 8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from otherminds.worlds.enacttom.check import is_backed
from otherminds.worlds.enacttom.types import Note, Talk, Task, World


def without_person(task: Task, name: str) -> Task:
    """One of them does nothing and says nothing."""
    people = tuple(replace(one, verbs=("wait",)) if one.name == name else one for one in task.people)
    return replace(task, people=people, talk=replace(task.talk, budgets={**task.talk.budgets, name: 0}))


def without_messages(task: Task) -> Task:
    """Nobody says anything."""
    return replace(task, talk=replace(task.talk, budgets={}))


def without_note(task: Task, note: Note) -> Task:
    """One is never told this before the first turn, whatever the world, and nobody that it was."""
    left = replace(task, notes=tuple(one for one in task.notes if sentence(one) != sentence(note)))
    while True:
        true = tuple(one for one in left.notes if all(_is_true(left, one, world) for world in left.worlds))
        if true == left.notes:
            return left
        left = replace(left, notes=true)


def sentence(note: Note) -> tuple[str, str, tuple[str, ...]]:
    """Who is told what; the worlds in which that is so are listed one by one."""
    return note.to, note.about, note.knower


def _is_true(task: Task, note: Note, world: World) -> bool:
    return not task.applies(note, world) or is_backed(task, note, world)


def without_sign(task: Task, name: str) -> Task:
    """A sign shows nothing."""
    blank = tuple(replace(one, kind="fixture", shows=None) if one.name == name else one for one in task.furniture)
    return replace(task, furniture=blank)


def without_part(task: Task, parts: list[Any], at: int) -> Task:
    """The goal asks for one thing less."""
    return replace(task, goal={"and": [part for number, part in enumerate(parts) if number != at]})


def without_mechanic(task: Task, at: int) -> Task:
    """A rule of the house does not hold: who was limited in what it says is free, who was barred may go anywhere."""
    mechanic = task.mechanics[at]
    others = tuple(one for number, one in enumerate(task.mechanics) if number != at)
    talk: Talk = task.talk
    if mechanic.kind == "limited_bandwidth":
        talk = replace(talk, budgets={**talk.budgets, **dict.fromkeys(mechanic.fields["limits"], task.horizon)})
    elif mechanic.kind == "restricted_communication":
        everyone = {who: tuple(other for other in task.names if other != who) for who in task.names}
        talk = replace(talk, channels=everyone)
    return replace(task, mechanics=others, talk=talk)


def with_goal(task: Task, *formulas: Any) -> Task:
    """All of these are asked for instead."""
    return replace(task, goal={"and": list(formulas)}, private={})
