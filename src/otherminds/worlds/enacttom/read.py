"""Task files: YAML or JSON, checked when they are read, with errors that name the field."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import yaml

from otherminds.core.errors import UserError, nearest
from otherminds.core.fields import short
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.check import check_task
from otherminds.worlds.enacttom.fields import (
    Reader,
    anything,
    each,
    every,
    name,
    names,
    number,
    one_of,
    pair,
    record,
    text,
    window,
    word,
    wrong,
    yes_no,
)
from otherminds.worlds.enacttom.formulas import holds, shared
from otherminds.worlds.enacttom.mechanics import SETTINGS, listed
from otherminds.worlds.enacttom.messages import ATOMS
from otherminds.worlds.enacttom.types import (
    CATEGORIES,
    KINDS,
    VERBS,
    Door,
    Furniture,
    Mechanic,
    Note,
    Person,
    Room,
    Secret,
    Talk,
    Task,
    Thing,
    Wish,
    World,
    every_world,
)

T = TypeVar("T")
_SHIPPED = Path(__file__).parent / "tasks"
MOST_WORLDS = 24  # of a task that can be certified (spec 3.7)
STATES = {"open": "is_open", "locked": "is_locked", "on": "is_on"}  # words of files, and what the types call them
_FLAGS: dict[str, Reader] = dict.fromkeys(STATES, yes_no)


class _Shipped(dict[str, Task]):
    """The tasks that come with the package by name, read when they are asked for."""

    def __missing__(self, name: str) -> Task:
        self[name] = read_task(find_task(name))
        return self[name]


SHIPPED = _Shipped()


def task_names() -> list[str]:
    """The tasks that come with the package."""
    return sorted(path.stem for path in _SHIPPED.glob("*.yaml"))


def find_task(task: str | Path) -> Path:
    """The file of a task, by its path or by the name of one that comes with the package.

    A path has a suffix or a slash; whatever has neither is a name, so that no file or folder that happens to be called
    so takes the place of a task of the package.

    Raises:
        UserError: if there is none.
    """
    path = Path(task)
    if path.suffix or len(path.parts) > 1 or any(sign in str(task) for sign in "/\\"):
        return path
    shipped = _SHIPPED / f"{task}.yaml"
    if not shipped.exists():
        raise UserError(
            f"there is no task {str(task)!r}{nearest(str(task), task_names())}; a file is named with its suffix"
        )
    return shipped


def read_task(path: str | Path) -> Task:
    """The task of a file.

    Raises:
        UserError: if it cannot be read, or is not a task; the message names the field.
    """
    path = Path(path)
    try:
        written = path.read_text(encoding="utf-8")
        content = json.loads(written) if path.suffix == ".json" else yaml.safe_load(written)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, yaml.YAMLError) as error:
        raise UserError(f"{path} is neither YAML nor JSON: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise UserError(f"{path} is nested too deep to be a task") from error
    return parse_task(content, str(path))


def parse_task(content: Any, where: str = "task") -> Task:
    """A task from plain data.

    Raises:
        UserError: names the field that is wrong.
    """
    given = record(content, where, _REQUIRED, _OPTIONAL, ": ")
    house, mechanics, secrets = given.pop("house"), given.pop("mechanics", ()), given.pop("secrets", ())
    memos = (_notes(**one.fields) for one in mechanics if one.kind == "memo")  # notes by another name, which come last
    task = Task(
        rooms=house["rooms"],
        doors=house.get("doors", ()),
        furniture=house["furniture"],
        things=house.get("things", ()),
        secrets=secrets,
        worlds=_worlds(given.pop("worlds", None), secrets, where),
        notes=tuple(itertools.chain(*given.pop("notes", ()), *memos)),
        mechanics=mechanics,
        talk=_limited(given.pop("talk", Talk()), mechanics),
        **given,
    )
    check_task(task, where)
    _check_formulas(task, where)
    return task


def _check_formulas(task: Task, where: str) -> None:
    """Whatever the task and its goals speak of must be there."""
    here = where
    try:
        house = ground(task)
        known = [variable.removeprefix("flag ") for variable in house.variables if variable.startswith("flag ")]
        for flag in task.never:
            if flag not in known:
                raise UserError(f"never names {flag!r}, which nothing raises{nearest(flag, known)}")
        here = f"{where}: goal"
        if not shared(house)[1]:
            raise UserError("there is nothing in it; expected something to bring about")
        for who, goal in task.private.items():
            here = f"{where}: private.{who}"
            holds(house, goal, house.starts[task.worlds[0]])
    except (UserError, KeyError, ValueError) as error:
        problem = str(error)
        raise UserError(f"{here}: {problem if len(problem) <= 400 else f'{problem[:399]}…'}") from error
    except RecursionError as error:
        raise UserError(f"{here} is nested too deep") from error


def _parts(make: Callable[..., T], required: Mapping[str, Reader], optional: Mapping[str, Reader]) -> Reader:
    """A reader of names, each with its fields, that makes something of each."""

    def read(value: Any, where: str) -> tuple[T, ...]:
        parts = each(value, where, lambda part, here: record(part, here, required, optional))
        return tuple(make(called, **given) for called, given in parts.items())

    return read


def _box(value: Any, where: str) -> tuple[int, ...]:
    is_box = isinstance(value, list | tuple) and len(value) == 4 and all(type(side) is int for side in value)
    if not is_box or min(value[2:]) < 1:
        raise wrong(where, value, "x, y, width and height in whole numbers")
    return tuple(value)


def _door(called: str, rooms: list[str], locked: bool = False, one_way: bool = False, **given: bool) -> Door:
    return Door(called, (rooms[0], rooms[1]), given.get("open", not locked), locked, one_way)


def _furniture(called: str, **given: Any) -> Furniture:
    return Furniture(called, **{STATES.get(field, field): value for field, value in given.items()})


def _place(value: Any, where: str) -> str | tuple[str, ...]:
    """A place, or one for each value of a secret."""
    return every(value, where, text) if isinstance(value, list | tuple) else text(value, where)


def _thing(called: str, place: str | tuple[str, ...], depends_on: str | None = None) -> Thing:
    if isinstance(place, str):
        return Thing(called, place, depends_on)
    return Thing(called, place[0] if place else "", depends_on, place)


def _some(value: Any, where: str, known: Iterable[str]) -> tuple[str, ...]:
    """Some of the known words."""
    return tuple(one_of(word, where, known) for word in names(value, where))


def _values(value: Any, where: str) -> tuple[str, ...]:
    values = every(value, where, name)
    if len(values) < 2 or len(set(values)) < len(values):
        raise wrong(where, list(values), "two or more, all different")
    return values


def _worlds(listed: Any, secrets: Sequence[Secret], where: str) -> tuple[World, ...]:
    """Those that are listed by the values of their secrets; all if there is no list, counted before they are made."""
    if listed is None:
        if (count := math.prod(len(secret.values) for secret in secrets)) > MOST_WORLDS:
            raise UserError(
                f"{where}: worlds: there are {count}; expected 1 to {MOST_WORLDS}; list those that there are"
            )
        return every_world(secrets)
    readers = {secret.name: partial(_number_of, known=secret.values) for secret in secrets}
    rows = every(listed, f"{where}: worlds", lambda one, here: record(one, here, readers))
    worlds = tuple(tuple(row[secret.name] for secret in secrets) for row in rows)
    if not 1 <= len(worlds) <= MOST_WORLDS or len(set(worlds)) < len(worlds):
        raise UserError(f"{where}: worlds: there are {len(worlds)}; expected 1 to {MOST_WORLDS}, all different")
    return worlds


def _number_of(value: Any, where: str, known: Sequence[str]) -> int:
    """Which of the known values it is."""
    return known.index(one_of(name(value, where), where, known))


def _notes(to: Any, about: str, knower: Any = (), when: Mapping[str, str] | None = None) -> list[Note]:
    """A note for each of its readers."""
    return [Note(reader, about, tuple(listed(knower)), tuple((when or {}).items())) for reader in listed(to)]


def _limited(talk: Talk, mechanics: Sequence[Mechanic]) -> Talk:
    """How people may talk, where mechanics say it in other words."""
    channels, budgets = dict(talk.channels), dict(talk.budgets)
    for one in mechanics:
        budgets |= one.fields.get("limits", {})
        channels |= {who: tuple(to) for who, to in one.fields.get("channels", {}).items()}
    return replace(talk, channels=channels, budgets=budgets)


def _chain(value: Any, where: str) -> tuple[str, ...]:
    chain = tuple(names(value, where))
    if not chain or any(first == second for first, second in itertools.pairwise(chain)):
        raise wrong(where, value, "people, none of them twice in a row")
    return chain


def _wish(one: Any, where: str) -> Wish:
    given = record(one, where, {"chain": _chain, "about": name}, {"when": _when})
    return Wish(given["chain"], given["about"], tuple(given.get("when", {}).items()))


def _added(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise wrong(where, value, "fields; take it out, the verifier and the generator write it")
    return dict(value)


def _as_given(value: Any, where: str) -> Any:
    """A name or several, left as they are: a proof is of the task as it was written."""
    names(value, where)
    return value


def _mechanic(one: Any, where: str) -> Mechanic:
    if not isinstance(one, Mapping):
        raise wrong(where, one, "a mechanic with its kind")
    kind = one.get("kind")
    if not isinstance(kind, str) or kind not in _MECHANICS:
        raise UserError(f"{where}: kind {short(kind)} is not known{nearest(str(kind), _MECHANICS)}")
    return Mechanic(kind, record({k: v for k, v in one.items() if k != "kind"}, where, *_MECHANICS[kind]))


_when = partial(each, read=name)
_setting = partial(one_of, known=SETTINGS)
_count = partial(number, least=1)
# What each kind of mechanic must and may say.
_MECHANICS: dict[str, tuple[dict[str, Reader], dict[str, Reader]]] = {
    "room_restriction": ({"agents": names, "rooms": names}, {}),
    "limited_bandwidth": ({"limits": partial(each, read=number)}, {}),
    "restricted_communication": ({"channels": partial(each, read=names)}, {}),
    "remote_control": ({"trigger": name, "when": _setting, "target": name, "set": _setting}, {"delay": number}),
    "state_mirroring": ({"between": pair}, {"one_way": yes_no}),
    "inverse_state": ({"furniture": name}, {}),
    "time_window": ({"turns": window}, {"furniture": _as_given, "verbs": names}),
    "interlock": ({"furniture": _as_given, "while": names}, {"verbs": names}),
    "commit": ({"furniture": name}, {"verbs": names, "raises": name, "when": _as_given}),
    "memo": ({"about": name, "to": _as_given}, {"when": _when, "knower": _as_given}),
}
_NOTE: tuple[dict[str, Reader], dict[str, Reader]] = ({"to": names, "about": name}, {"knower": names, "when": _when})
_TALK: dict[str, Reader] = {
    "channels": partial(each, read=lambda value, where: tuple(names(value, where))),
    "budgets": partial(each, read=number),
    "atoms": _count,
    "fanout": _count,
    "broadcast_cost": partial(one_of, known=("one", "each")),
    "windows": partial(each, read=lambda value, where: tuple(window(value, where))),
    "kinds": partial(_some, known=ATOMS),
}
_HOUSE: tuple[dict[str, Reader], dict[str, Reader]] = (
    {
        "rooms": _parts(Room, {}, {"box": _box}),
        "furniture": _parts(
            _furniture, {"kind": partial(one_of, known=KINDS), "room": name}, {**_FLAGS, "shows": name}
        ),
    },
    {
        "doors": _parts(_door, {"rooms": pair}, {"open": yes_no, "locked": yes_no, "one_way": yes_no}),
        "things": _parts(_thing, {"place": _place}, {"depends_on": name}),
    },
)
_REQUIRED: dict[str, Reader] = {
    "id": word,
    "title": text,
    "category": partial(one_of, known=CATEGORIES),
    "horizon": _count,
    "house": lambda value, where: record(value, where, *_HOUSE),
    "people": _parts(Person, {"room": name}, {"verbs": partial(_some, known=VERBS)}),
    "goal": anything,
}
_OPTIONAL: dict[str, Reader] = {
    "secrets": _parts(Secret, {"values": _values}, {"sort": partial(one_of, known=("objective", "informational"))}),
    "worlds": anything,
    "notes": partial(every, read=lambda one, where: _notes(**record(one, where, *_NOTE))),
    "mechanics": partial(every, read=_mechanic),
    "talk": lambda value, where: Talk(**record(value, where, {}, _TALK)),
    "private": partial(each, read=anything),
    "never": lambda value, where: tuple(names(value, where)),
    "wishes": partial(every, read=_wish),
    "audible": lambda value, where: tuple(names(value, where)),
    "certificate": _added,  # by the verifier
    "provenance": _added,  # by the generator
}
