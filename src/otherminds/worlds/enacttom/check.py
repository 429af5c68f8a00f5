"""What must hold of a task as a whole, once its fields are read."""

from __future__ import annotations

from otherminds.core.errors import UserError, nearest
from otherminds.core.fields import short
from otherminds.worlds.enacttom.labels import is_within
from otherminds.worlds.enacttom.mechanics import MANIPULATIONS, listed
from otherminds.worlds.enacttom.types import Note, Task, Wish, World


def check_task(task: Task, where: str) -> None:
    """Refuse a task that names what is not there, calls two things the same, or has notes that are not true.

    Raises:
        UserError: names the field.
    """
    rooms, people, secrets = ([one.name for one in many] for many in (task.rooms, task.people, task.secrets))
    if not 2 <= len(people) <= 4:
        raise UserError(f"{where}: people: there are {len(people)}; expected 2 to 4")
    things = [one.name for many in (task.rooms, task.doors, task.furniture, task.things, task.people) for one in many]
    twice = sorted({name for name in things if things.count(name) > 1})
    if twice:
        raise UserError(f"{where}: {', '.join(twice)} is the name of several things; names must differ")
    for what, used, known in (
        ("people", [(person.name, person.room) for person in task.people], rooms),
        ("house.furniture", [(one.name, one.room) for one in task.furniture], rooms),
        ("house.doors", [(door.name, room) for door in task.doors for room in door.rooms], rooms),
        ("house.furniture", [(one.name, one.shows) for one in task.furniture if one.shows], secrets),
        ("house.things", [(one.name, one.depends_on) for one in task.things if one.depends_on], secrets),
        ("notes", [(note.to, note.to) for note in task.notes], people),
        ("notes", [(note.to, name) for note in task.notes for name in note.knower], people),
        (
            "notes",
            [(note.to, name) for note in task.notes for name in (note.about, *(s for s, _ in note.when))],
            secrets,
        ),
        ("talk.channels", [(a, b) for a, to in task.talk.channels.items() for b in (a, *to)], people),
        ("talk.budgets", [(name, name) for name in task.talk.budgets], people),
        ("talk.windows", [(name, name) for name in task.talk.windows], people),
        ("private", [(name, name) for name in task.private], people),
        ("wishes", [(wish.about, name) for wish in task.wishes for name in wish.chain], people),
        ("wishes", [(wish.about, name) for wish in task.wishes for name in (wish.about, *dict(wish.when))], secrets),
    ):
        for name, named in used:
            if named not in known:
                raise UserError(
                    f"{where}: {what}.{name} names {short(named)}, which there is not{nearest(str(named), known)}"
                )
    _check_values(task, where)
    _check_mechanics(task, where, people, rooms, secrets)
    _check_notes(task, where)
    for thing in task.things:
        here = f"{where}: house.things.{thing.name}.place has {len(thing.places) or 'one'} places"
        if thing.places and not thing.depends_on:
            raise UserError(f"{here}; expected one, or the secret that it depends on in depends_on")
        if thing.depends_on and len(thing.places) != len(task.secrets[task.secret(thing.depends_on)].values):
            raise UserError(f"{here}; expected one for each value of {thing.depends_on!r}")
    for one in task.furniture:
        if (one.kind == "sign") != (one.shows is not None):
            here = f"{where}: house.furniture.{one.name}"
            raise UserError(f"{here}: a sign, and nothing else, shows a secret; found kind {one.kind!r}")
    _check_hands(task, where)


def _check_values(task: Task, where: str) -> None:
    """A condition on a value that a secret never has would never hold, and nobody would notice."""
    conditions: tuple[Note | Wish, ...] = (*task.notes, *task.wishes)
    for one in conditions:
        what = "notes" if isinstance(one, Note) else "wishes"
        for secret, value in one.when:
            known = task.secrets[task.secret(secret)].values
            if value not in known:
                here = f"{where}: {what}.{one.about}.when.{secret}"
                raise UserError(f"{here} is {short(value)}, which it never is{nearest(value, known)}")


def _check_hands(task: Task, where: str) -> None:
    """Nobody can carry two things, at the start no more than later."""
    for world in task.worlds:
        held: dict[str, str] = {}
        for thing in task.things:
            place = thing.places[world[task.secret(thing.depends_on)]] if thing.depends_on else thing.place
            if place.startswith("held ") and held.setdefault(place, thing.name) != thing.name:
                raise UserError(
                    f"{where}: house.things: {held[place]} and {thing.name} are both {place!r} at the start; "
                    f"one person holds one thing"
                )


def _check_mechanics(task: Task, where: str, people: list[str], rooms: list[str], secrets: list[str]) -> None:
    """A mechanic that names what is not there would do nothing, and nobody would notice."""
    fixed = [one.name for many in (task.doors, task.furniture) for one in many]
    known = {
        "agents": people,
        "rooms": rooms,
        "furniture": fixed,
        "between": fixed,
        "target": fixed,
        "trigger": [*fixed, *(f"${secret}" for secret in secrets)],
        "verbs": list(MANIPULATIONS),
    }
    for at, mechanic in enumerate(task.mechanics):
        for field, names in known.items():
            for name in listed(mechanic.fields.get(field, [])):
                if name not in names:
                    raise UserError(f"{where}: mechanics[{at}].{field} names {short(name)}{nearest(str(name), names)}")


def _check_notes(task: Task, where: str) -> None:
    """Who is told that others know something is told the truth: proofs take notes for granted."""
    for at, note in enumerate(task.notes):
        for world in task.worlds:
            if task.applies(note, world) and not is_backed(task, note, world):
                who = " knows that ".join(note.knower)
                raise UserError(
                    f"{where}: notes[{at}] tells {note.to} that {who} knows {note.about!r}, which is not so where "
                    f"{task.describe(world)}; tell {note.knower[-1]} first, or say when"
                )


def is_backed(task: Task, note: Note, world: World) -> bool:
    """Whether what a note says of others is so in a world before the first turn: they read it, or see it on a sign."""
    if not note.knower:
        return True
    first, *rest = note.knower
    here = next(person.room for person in task.people if person.name == first)
    if not rest and any(one.room == here and one.shows == note.about for one in task.furniture):
        return True
    return any(
        (other.to, other.about) == (first, note.about)
        and (other.knower == tuple(rest) or is_within(tuple(rest), other.knower))
        for other in task.notes
        if task.applies(other, world)
    )
