"""Task files: YAML or JSON, checked when they are read, with errors that name the field."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.check import check_task
from otherminds.worlds.enacttom.fields import (
    cut,
    each,
    fields,
    items,
    mapping,
    name,
    names,
    number,
    numbers,
    one_of,
    text,
    window,
    word,
    wrong,
    yes_no,
)  # fmt: skip
from otherminds.worlds.enacttom.goals import holds, shared
from otherminds.worlds.enacttom.messages import ATOMS
from otherminds.worlds.enacttom.read_mechanic import read_mechanic
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
)  # fmt: skip

T = TypeVar("T")
_SHIPPED = Path(__file__).parent / "tasks"
MOST_WORLDS = 24  # of a task that can be certified (spec 3.7)
_REQUIRED = ("id", "title", "category", "horizon", "house", "people", "goal")
_OPTIONAL = ("secrets", "worlds", "notes", "mechanics", "talk", "private", "never", "wishes", "audible")
_ADDED = ("certificate", "provenance")  # by the verifier and the generator


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
    given = fields(content, where, _REQUIRED, (*_OPTIONAL, *_ADDED))
    house = fields(given["house"], f"{where}: house", ("rooms", "furniture"), ("doors", "things"))
    mechanics = tuple(read_mechanic(one, at) for at, one in items(given.get("mechanics", []), f"{where}: mechanics"))
    secrets = _many(given.get("secrets", {}), f"{where}: secrets", _secret)
    task = Task(
        id=word(given["id"], f"{where}: id"),
        title=text(given["title"], f"{where}: title"),
        category=one_of(given["category"], CATEGORIES, f"{where}: category"),
        horizon=number(given["horizon"], f"{where}: horizon", 1),
        rooms=_many(house["rooms"], f"{where}: house.rooms", _room),
        doors=_many(house.get("doors", {}), f"{where}: house.doors", _door),
        furniture=_many(house["furniture"], f"{where}: house.furniture", _furniture),
        things=_many(house.get("things", {}), f"{where}: house.things", _thing),
        people=_many(given["people"], f"{where}: people", _person),
        secrets=secrets,
        worlds=_worlds(given.get("worlds"), secrets, where),
        notes=_notes(given.get("notes", []), mechanics, where),
        mechanics=mechanics,
        talk=_talk(given.get("talk", {}), mechanics, f"{where}: talk"),
        goal=given["goal"],
        private=dict(mapping(given.get("private", {}), f"{where}: private")),
        never=tuple(names(given.get("never", []), f"{where}: never")),
        wishes=tuple(_wish(one, at) for at, one in items(given.get("wishes", []), f"{where}: wishes")),
        audible=tuple(names(given.get("audible", []), f"{where}: audible")),
        certificate=_added(given, "certificate", where),
        provenance=_added(given, "provenance", where),
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
        raise UserError(f"{here}: {cut(str(error), 400)}") from error
    except RecursionError as error:
        raise UserError(f"{here} is nested too deep") from error


def _added(given: Mapping[str, Any], field: str, where: str) -> dict[str, Any]:
    content = given.get(field, {})
    if not isinstance(content, Mapping):
        raise wrong(f"{where}: {field}", content, "fields; take it out, the verifier and the generator write it")
    return dict(content)


def _many(content: Any, where: str, read: Callable[[str, Any, str], T]) -> tuple[T, ...]:
    return tuple(read(called, one, f"{where}.{called}") for called, one in mapping(content, where))


def _flags(given: Mapping[str, Any], where: str, **defaults: bool) -> list[bool]:
    return [yes_no(given.get(field, default), f"{where}.{field}") for field, default in defaults.items()]


def _room(called: str, one: Any, where: str) -> Room:
    box = fields(one, where, (), ("box",)).get("box", (0, 0, 4, 4))
    is_box = isinstance(box, list | tuple) and len(box) == 4 and all(type(side) is int for side in box)
    if not is_box or min(box[2:]) < 1:
        raise wrong(f"{where}.box", box, "x, y, width and height in whole numbers")
    return Room(called, (box[0], box[1], box[2], box[3]))


def _door(called: str, one: Any, where: str) -> Door:
    given = fields(one, where, ("rooms",), ("open", "locked", "one_way"))
    rooms = names(given["rooms"], f"{where}.rooms")
    if len(rooms) != 2 or rooms[0] == rooms[1]:
        raise wrong(f"{where}.rooms", given["rooms"], "two rooms")
    is_locked, one_way = _flags(given, where, locked=False, one_way=False)
    (is_open,) = _flags(given, where, open=not is_locked)
    return Door(called, (rooms[0], rooms[1]), is_open, is_locked, one_way)


def _furniture(called: str, one: Any, where: str) -> Furniture:
    given = fields(one, where, ("kind", "room"), ("open", "locked", "on", "shows"))
    kind = one_of(given["kind"], KINDS, f"{where}.kind")
    if (kind == "sign") != ("shows" in given):
        raise UserError(f"{where}: a sign, and nothing else, shows a secret; found kind {kind!r}")
    shows = name(given["shows"], f"{where}.shows") if "shows" in given else None
    is_open, is_locked, is_on = _flags(given, where, open=False, locked=False, on=False)
    return Furniture(called, kind, name(given["room"], f"{where}.room"), is_open, is_locked, is_on, shows)


def _thing(called: str, one: Any, where: str) -> Thing:
    given = fields(one, where, ("place",), ("depends_on",))
    if "depends_on" not in given:
        return Thing(called, text(given["place"], f"{where}.place"))
    secret = name(given["depends_on"], f"{where}.depends_on")
    places = [text(place, at) for at, place in items(given["place"], f"{where}.place")]
    if not places:
        raise wrong(f"{where}.place", given["place"], f"a place for each value of {secret!r}")
    return Thing(called, places[0], secret, tuple(places))


def _person(called: str, one: Any, where: str) -> Person:
    given = fields(one, where, ("room",), ("verbs",))
    verbs = names(given.get("verbs", list(VERBS)), f"{where}.verbs")
    return Person(
        called, name(given["room"], f"{where}.room"), tuple(one_of(verb, VERBS, f"{where}.verbs") for verb in verbs)
    )


def _secret(called: str, one: Any, where: str) -> Secret:
    given = fields(one, where, ("values",), ("sort",))
    values = tuple(name(value, at) for at, value in items(given["values"], f"{where}.values"))
    if len(values) < 2 or len(set(values)) < len(values):
        raise wrong(f"{where}.values", list(values), "two or more, all different")
    return Secret(
        called, values, one_of(given.get("sort", "objective"), ("objective", "informational"), f"{where}.sort")
    )


def _all_worlds(secrets: Sequence[Secret], where: str) -> tuple[World, ...]:
    """All combinations of values; they are counted before they are made."""
    if (count := math.prod(len(secret.values) for secret in secrets)) > MOST_WORLDS:
        raise UserError(f"{where}: worlds: there are {count}; expected 1 to {MOST_WORLDS}; list those that there are")
    return tuple(itertools.product(*(range(len(secret.values)) for secret in secrets)))


def _worlds(listed: Any, secrets: Sequence[Secret], where: str) -> tuple[World, ...]:
    """Those that are listed by the values of their secrets; all if there is no list."""
    if listed is None:
        return _all_worlds(secrets, where)
    found = []
    for here, one in items(listed, f"{where}: worlds"):
        given = fields(one, here, tuple(secret.name for secret in secrets))
        values = {field: name(value, f"{here}.{field}") for field, value in given.items()}
        for secret in secrets:
            one_of(values[secret.name], secret.values, f"{here}.{secret.name}")
        found.append(tuple(secret.values.index(values[secret.name]) for secret in secrets))
    if not 1 <= len(found) <= MOST_WORLDS or len(set(found)) < len(found):
        raise UserError(f"{where}: worlds: there are {len(found)}; expected 1 to {MOST_WORLDS}, all different")
    return tuple(found)


def _notes(listed: Any, mechanics: Sequence[Mechanic], where: str) -> tuple[Note, ...]:
    """Notes of their own, and memos, which are notes by another name."""
    memos = [(f"{where}: mechanics[{at}]", one.fields) for at, one in enumerate(mechanics) if one.kind == "memo"]
    found = []
    for here, one in [*items(listed, f"{where}: notes"), *memos]:
        given = fields(one, here, ("to", "about"), ("knower", "when"))
        chain = tuple(names(given.get("knower", []), f"{here}.knower"))
        about, when = name(given["about"], f"{here}.about"), _when(given, here)
        found += [Note(reader, about, chain, when) for reader in names(given["to"], f"{here}.to")]
    return tuple(found)


def _when(given: Mapping[str, Any], where: str) -> tuple[tuple[str, str], ...]:
    return tuple(each(given.get("when", {}), f"{where}.when", name).items())


def _talk(content: Any, mechanics: Sequence[Mechanic], where: str) -> Talk:
    """How people may talk; two mechanics say the same in other words."""
    known = ("channels", "budgets", "atoms", "fanout", "broadcast_cost", "windows", "kinds")
    given = fields(content, where, (), known)
    channels = each(given.get("channels", {}), f"{where}.channels", names)
    budgets = numbers(given.get("budgets", {}), f"{where}.budgets")
    for one in mechanics:
        if one.kind == "limited_bandwidth":
            budgets.update(one.fields["limits"])
        elif one.kind == "restricted_communication":
            channels.update(one.fields["channels"])
    kinds = names(given.get("kinds", list(Talk().kinds)), f"{where}.kinds")
    return Talk(
        channels={who: tuple(to) for who, to in channels.items()},
        budgets=budgets,
        atoms=number(given.get("atoms", 1), f"{where}.atoms", 1),
        fanout=number(given.get("fanout", 1), f"{where}.fanout", 1),
        broadcast_cost=one_of(given.get("broadcast_cost", "one"), ("one", "each"), f"{where}.broadcast_cost"),
        windows=each(given.get("windows", {}), f"{where}.windows", window),
        kinds=tuple(one_of(kind, ATOMS, f"{where}.kinds") for kind in kinds),
    )


def _wish(one: Any, where: str) -> Wish:
    given = fields(one, where, ("chain", "about"), ("when",))
    chain = tuple(names(given["chain"], f"{where}.chain"))
    if not chain or any(first == second for first, second in itertools.pairwise(chain)):
        raise wrong(f"{where}.chain", given["chain"], "people, none of them twice in a row")
    return Wish(chain, name(given["about"], f"{where}.about"), _when(given, where))
