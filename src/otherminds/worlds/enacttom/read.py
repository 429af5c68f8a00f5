"""Task files: YAML or JSON, checked when they are read, with errors that name the field."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.check import check_task, check_window
from otherminds.worlds.enacttom.goals import shared
from otherminds.worlds.enacttom.mechanics import FIELDS, SETTINGS
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
)  # fmt: skip

_SHIPPED = Path(__file__).parent / "tasks"
MOST_WORLDS = 24  # of a task that can be certified (3.7)
_REQUIRED = ("id", "title", "category", "horizon", "house", "people", "goal")
_OPTIONAL = ("secrets", "worlds", "notes", "mechanics", "talk", "private", "never", "wishes", "audible")
_ADDED = ("certificate", "provenance")  # by the verifier and the generator


def task_names() -> list[str]:
    """The tasks that come with the package."""
    return sorted(path.stem for path in _SHIPPED.glob("*.yaml"))


def find_task(name: str | Path) -> Path:
    """The file of a task, by its path or by the name of one that comes with the package.

    Raises:
        UserError: if there is none.
    """
    path = Path(name)
    if path.suffix or path.exists():
        return path
    shipped = _SHIPPED / f"{name}.yaml"
    if not shipped.exists():
        raise UserError(f"there is no task {str(name)!r}{nearest(str(name), task_names())}")
    return shipped


def read_task(path: str | Path) -> Task:
    """The task of a file.

    Raises:
        UserError: if it cannot be read, or is not a task; the message names the field.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, yaml.YAMLError) as error:
        raise UserError(f"{path} is neither YAML nor JSON: {' '.join(str(error).split())}") from error
    return parse_task(content, str(path))


def parse_task(content: Any, where: str = "task") -> Task:
    """A task from plain data.

    Raises:
        UserError: names the field that is wrong.
    """
    fields = _fields(content, where, _REQUIRED, (*_OPTIONAL, *_ADDED))
    house = _fields(fields["house"], f"{where}: house", ("rooms", "furniture"), ("doors", "things"))
    secrets = tuple(_secret(name, one, where) for name, one in _mapping(fields.get("secrets", {}), f"{where}: secrets"))
    task = Task(
        id=_text(fields["id"], f"{where}: id"),
        title=_text(fields["title"], f"{where}: title"),
        category=_one_of(fields["category"], CATEGORIES, f"{where}: category"),
        horizon=_number(fields["horizon"], f"{where}: horizon", 1),
        rooms=tuple(_room(name, one, where) for name, one in _mapping(house["rooms"], f"{where}: house.rooms")),
        doors=tuple(_door(name, one, where) for name, one in _mapping(house.get("doors", {}), f"{where}: house.doors")),
        furniture=tuple(
            _furniture(name, one, where) for name, one in _mapping(house["furniture"], f"{where}: house.furniture")
        ),
        things=tuple(
            _thing(name, one, where) for name, one in _mapping(house.get("things", {}), f"{where}: house.things")
        ),
        people=tuple(_person(name, one, where) for name, one in _mapping(fields["people"], f"{where}: people")),
        secrets=secrets,
        worlds=_worlds(fields.get("worlds"), secrets, where),
        notes=_notes(fields.get("notes", []), fields.get("mechanics", []), where),
        mechanics=tuple(
            _mechanic(one, f"{where}: mechanics[{at}]") for at, one in enumerate(fields.get("mechanics", []))
        ),
        talk=_talk(fields.get("talk", {}), fields.get("mechanics", []), where),
        goal=fields["goal"],
        private=dict(_mapping(fields.get("private", {}), f"{where}: private")),
        never=tuple(fields.get("never", ())),
        wishes=tuple(_wish(one, f"{where}: wishes[{at}]") for at, one in enumerate(fields.get("wishes", []))),
        audible=tuple(fields.get("audible", ())),
        certificate=dict(fields.get("certificate", {})),
        provenance=dict(fields.get("provenance", {})),
    )
    check_task(task, where)
    try:
        shared(ground(task))  # whatever it speaks of must be there
    except (UserError, KeyError, ValueError) as error:
        raise UserError(f"{where}: {error}") from error
    return task


def _fields(content: Any, where: str, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    if not isinstance(content, Mapping):
        raise UserError(f"{where} is {content!r}; expected fields {', '.join(required)}")
    for name in content:
        if name not in (*required, *optional):
            raise UserError(f"{where}: field {name!r} is not known{nearest(str(name), (*required, *optional))}")
    for name in required:
        if name not in content:
            raise UserError(f"{where}: field {name!r} is missing")
    return dict(content)


def _mapping(content: Any, where: str) -> Iterable[tuple[str, Any]]:
    if not isinstance(content, Mapping):
        raise UserError(f"{where} is {content!r}; expected names with what they are")
    return [(str(name), {} if one is None else one) for name, one in content.items()]


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UserError(f"{where} is {value!r}; expected some text")
    return value.strip()


def _number(value: Any, where: str, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UserError(f"{where} is {value!r}; expected a whole number of at least {least}")
    return value


def _one_of(value: Any, known: Sequence[str], where: str) -> Any:
    if value not in known:
        raise UserError(f"{where} is {value!r}{nearest(str(value), known)}")
    return value


def _room(name: str, one: Any, where: str) -> Room:
    fields = _fields(one, f"{where}: house.rooms.{name}", (), ("box",))
    box = fields.get("box", (0, 0, 4, 4))
    if len(box) != 4:
        raise UserError(f"{where}: house.rooms.{name}.box is {box}; expected x, y, width and height")
    x, y, width, height = box
    return Room(name, (x, y, width, height))


def _door(name: str, one: Any, where: str) -> Door:
    here = f"{where}: house.doors.{name}"
    fields = _fields(one, here, ("rooms",), ("open", "locked", "one_way"))
    if len(fields["rooms"]) != 2:
        raise UserError(f"{here}.rooms is {fields['rooms']!r}; expected two rooms")
    first, second = fields["rooms"]
    is_locked = bool(fields.get("locked", False))
    return Door(
        name, (first, second), bool(fields.get("open", not is_locked)), is_locked, bool(fields.get("one_way", False))
    )


def _furniture(name: str, one: Any, where: str) -> Furniture:
    here = f"{where}: house.furniture.{name}"
    fields = _fields(one, here, ("kind", "room"), ("open", "locked", "on", "shows"))
    kind = _one_of(fields["kind"], KINDS, f"{here}.kind")
    if (kind == "sign") != ("shows" in fields):
        raise UserError(f"{here}: a sign, and nothing else, shows a secret; found kind {kind!r}")
    is_open, is_locked, is_on = (bool(fields.get(word, False)) for word in ("open", "locked", "on"))
    return Furniture(name, kind, str(fields["room"]), is_open, is_locked, is_on, fields.get("shows"))


def _thing(name: str, one: Any, where: str) -> Thing:
    here = f"{where}: house.things.{name}"
    fields = _fields(one, here, ("place",), ("depends_on",))
    if "depends_on" not in fields:
        return Thing(name, _text(fields["place"], f"{here}.place"))
    places = fields["place"]
    if not isinstance(places, Sequence) or isinstance(places, str):
        raise UserError(f"{here}.place is {places!r}; expected a place for each value of {fields['depends_on']!r}")
    return Thing(name, str(places[0]), fields["depends_on"], tuple(map(str, places)))


def _person(name: str, one: Any, where: str) -> Person:
    fields = _fields(one, f"{where}: people.{name}", ("room",), ("verbs",))
    verbs = tuple(_one_of(verb, VERBS, f"{where}: people.{name}.verbs") for verb in fields.get("verbs", VERBS))
    return Person(name, str(fields["room"]), verbs)


def _secret(name: str, one: Any, where: str) -> Secret:
    here = f"{where}: secrets.{name}"
    fields = _fields(one, here, ("values",), ("sort",))
    values = tuple(map(str, fields["values"]))
    if len(values) < 2 or len(set(values)) < len(values):
        raise UserError(f"{here}.values is {list(values)}; expected two or more, all different")
    return Secret(
        name, values, _one_of(fields.get("sort", "objective"), ("objective", "informational"), f"{here}.sort")
    )


def _worlds(listed: Any, secrets: Sequence[Secret], where: str) -> tuple[World, ...]:
    """All combinations, or those that are listed by the values of their secrets."""
    if listed is None:
        found = [tuple(world) for world in itertools.product(*(range(len(secret.values)) for secret in secrets))]
    else:
        found = []
        for at, one in enumerate(listed):
            fields = _fields(one, f"{where}: worlds[{at}]", tuple(secret.name for secret in secrets))
            for secret in secrets:
                _one_of(str(fields[secret.name]), secret.values, f"{where}: worlds[{at}].{secret.name}")
            found.append(tuple(secret.values.index(str(fields[secret.name])) for secret in secrets))
    if not 1 <= len(found) <= MOST_WORLDS or len(set(found)) < len(found):
        raise UserError(f"{where}: worlds: there are {len(found)}; expected 1 to {MOST_WORLDS}, all different")
    return tuple(found)


def _notes(listed: Any, mechanics: Any, where: str) -> tuple[Note, ...]:
    """Notes of their own, and memos, which are notes by another name."""
    memos = [{k: v for k, v in one.items() if k != "kind"} for one in mechanics if one.get("kind") == "memo"]
    found = []
    for at, one in enumerate([*listed, *memos]):
        here = f"{where}: notes[{at}]"
        fields = _fields(one, here, ("to", "about"), ("knower", "when"))
        readers = [fields["to"]] if isinstance(fields["to"], str) else fields["to"]
        when = tuple((str(k), str(v)) for k, v in _mapping(fields.get("when", {}), f"{here}.when"))
        knower = fields.get("knower", ())
        chain = (knower,) if isinstance(knower, str) else tuple(map(str, knower))
        found += [Note(str(reader), str(fields["about"]), chain, when) for reader in readers]
    return tuple(found)


def _mechanic(one: Any, where: str) -> Mechanic:
    if not isinstance(one, Mapping) or one.get("kind") not in FIELDS:
        kind = one.get("kind") if isinstance(one, Mapping) else one
        raise UserError(f"{where}: kind {kind!r} is not known{nearest(str(kind), FIELDS)}")
    required, optional = FIELDS[one["kind"]]
    fields = _fields({k: v for k, v in one.items() if k != "kind"}, where, required, optional)
    if one["kind"] == "remote_control":
        for name in ("when", "set"):
            _one_of(fields[name], tuple(SETTINGS), f"{where}.{name}")
    return Mechanic(one["kind"], fields)


def _talk(content: Any, mechanics: Any, where: str) -> Talk:
    """How people may talk; two mechanics say the same in other words."""
    here = f"{where}: talk"
    known = ("channels", "budgets", "atoms", "fanout", "broadcast_cost", "windows", "kinds")
    fields = _fields(content, here, (), known)
    channels, budgets = dict(fields.get("channels", {})), dict(fields.get("budgets", {}))
    for one in mechanics:
        if one.get("kind") == "limited_bandwidth":
            budgets.update(one.get("limits", {}))
        elif one.get("kind") == "restricted_communication":
            channels.update(one.get("channels", {}))
    return Talk(
        channels={str(who): tuple(to) for who, to in channels.items()},
        budgets={str(who): _number(number, f"{here}.budgets.{who}", 0) for who, number in budgets.items()},
        atoms=_number(fields.get("atoms", 1), f"{here}.atoms", 1),
        fanout=_number(fields.get("fanout", 1), f"{here}.fanout", 1),
        broadcast_cost=_one_of(fields.get("broadcast_cost", "one"), ("one", "each"), f"{here}.broadcast_cost"),
        windows={
            str(who): check_window(turns, f"{here}.windows.{who}") for who, turns in fields.get("windows", {}).items()
        },
        kinds=tuple(_one_of(kind, tuple(ATOMS), f"{here}.kinds") for kind in fields.get("kinds", Talk().kinds)),
    )


def _wish(one: Any, where: str) -> Wish:
    fields = _fields(one, where, ("chain", "about"), ("when",))
    when = tuple((str(k), str(v)) for k, v in _mapping(fields.get("when", {}), f"{where}.when"))
    return Wish(tuple(map(str, fields["chain"])), str(fields["about"]), when)
