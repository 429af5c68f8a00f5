"""Checks a whole task, after its fields were read one by one."""

from __future__ import annotations

from itertools import combinations

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.houses.layout import is_overlapping
from otherminds.worlds.enacttom.ledger import is_within
from otherminds.worlds.enacttom.types import Note, Task, World


def check_task(task: Task, path: str) -> None:
    """Refuse a task whose parts do not fit together, such as duplicate names or notes that are not true.

    Raises:
        UserError: names the field.
    """
    if not 2 <= len(task.people) <= 5:
        raise UserError(f"{path}: people: there are {len(task.people)}; expected 2 to 5")
    things = [part.name for many in (task.rooms, task.doors, task.furniture, task.things, task.people) for part in many]
    duplicates = sorted({name for name in things if things.count(name) > 1})
    if duplicates:
        raise UserError(f"{path}: {', '.join(duplicates)} is the name of several things; expected each name once")
    _check_plan(task, path)
    _check_notes(task, path)
    for who, listeners in task.talk.channels.items():
        if who in listeners:
            raise UserError(f"{path}: talk.channels.{who} names {who} itself; expected other people")
    if task.category == "mixed" and not task.private:
        raise UserError(
            f"{path}: category is 'mixed', but nobody has a private goal; add one, or make the task cooperative"
        )
    for thing in task.things:
        here = f"{path}: house.things.{thing.name}.place has {len(thing.places) or 'one'} places"
        if thing.places and not thing.depends_on:
            raise UserError(f"{here}; expected one, or the secret that it depends on in depends_on")
        if thing.depends_on and len(thing.places) != len(task.secrets[task.secret(thing.depends_on)].values):
            raise UserError(f"{here}; expected one for each value of {thing.depends_on!r}")
    for part in task.furniture:
        if (part.kind == "sign") != (part.shows is not None):
            here = f"{path}: house.furniture.{part.name}"
            wanted = "a sign needs the field 'shows', naming a secret"
            refused = f"only a sign can have the field 'shows'; remove it, or set kind: sign instead of {part.kind}"
            raise UserError(f"{here}: {wanted if part.kind == 'sign' else refused}")
    _check_hands(task, path)


def _check_plan(task: Task, path: str) -> None:
    """Refuse a floor plan in which rooms overlap."""
    for first, second in combinations(task.rooms, 2):
        if first.box and second.box and is_overlapping(first.box, second.box):
            raise UserError(
                f"{path}: house.rooms: the boxes of {first.name} and {second.name} overlap; move one, or leave them out"
            )


def _check_hands(task: Task, path: str) -> None:
    """Refuse a task in which a person holds two things at the start."""
    for world in task.worlds:
        carried: dict[str, str] = {}
        for thing in task.things:
            place = thing.places[world[task.secret(thing.depends_on)]] if thing.depends_on else thing.place
            if place.startswith("held ") and carried.setdefault(place, thing.name) != thing.name:
                raise UserError(
                    f"{path}: house.things: {carried[place]} and {thing.name} are both {place!r} at the start; "
                    f"one person holds one thing"
                )


def _check_notes(task: Task, path: str) -> None:
    """Refuse notes about others' knowledge that are not true: proofs rely on notes."""
    for at, note in enumerate(task.notes):
        for world in task.worlds:
            if task.applies(note, world) and not is_backed(task, note, world):
                who = " knows that ".join(note.knower)
                raise UserError(
                    f"{path}: notes[{at}] tells {note.to} that {who} knows {note.about!r}, which is false where "
                    f"{task.describe(world)}; tell {note.knower[-1]} first, or say when"
                )


def is_backed(task: Task, note: Note, world: World) -> bool:
    """Whether a note about others is true before the first turn: they read the value, or see it on a sign."""
    if not note.knower:
        return True
    first, *rest = note.knower
    here = next(person.room for person in task.people if person.name == first)
    if not rest and any(part.room == here and part.shows == note.about for part in task.furniture):
        return True
    return any(
        (other.to, other.about) == (first, note.about)
        and (other.knower == tuple(rest) or is_within(tuple(rest), other.knower))
        for other in task.notes
        if task.applies(other, world)
    )
