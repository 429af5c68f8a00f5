"""Reads task files, YAML or JSON, and checks them. Errors name the field."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.core.files import read_text
from otherminds.core.form_fields import short
from otherminds.core.yaml_lines import line_of, read_lines
from otherminds.worlds.enacttom.formulas import holds, shared
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.mechanics import MANIPULATIONS, SETTINGS, listed
from otherminds.worlds.enacttom.messages import ATOMS
from otherminds.worlds.enacttom.tasks.check import check_task
from otherminds.worlds.enacttom.tasks.fields import (
    Reader,
    as_written,
    each,
    every,
    name,
    names,
    number,
    one_of,
    pair,
    reader_of,
    readers_of,
    record,
    text,
    window,
    wrong,
    yes_no,
)
from otherminds.worlds.enacttom.types import Mechanic, Note, Secret, Talk, Task, World, every_world

_SHIPPED = Path(__file__).parent / "files"  # a folder for each suite
SUFFIX = ".yaml"
A_TASK = "a task file in YAML or JSON; 'otherminds new task' writes one"
CLASSIC = "classic"  # the suite of small tasks
MOST_WORLDS = 24  # the most worlds of a task that can be certified (spec 3.7)
HOUSE = ("rooms", "doors", "furniture", "things")  # the fields of a task that its file puts under ``house``


class _Shipped(dict[str, Task]):
    """The tasks of the package by name, read on demand."""

    def __missing__(self, name: str) -> Task:
        self[name] = read_task(find_task(name))
        return self[name]


SHIPPED = _Shipped()


def suites() -> list[str]:
    """The names of the suites of the package."""
    return sorted(folder.name for folder in _SHIPPED.iterdir() if folder.is_dir())


def task_names(suite: str = CLASSIC) -> list[str]:
    """The names of the tasks of a suite of the package; none if there is no such suite."""
    return sorted(path.stem for path in _SHIPPED.glob(f"{suite}/*.yaml")) if suite in suites() else []


def is_shipped(task: str) -> bool:
    """Whether the package has a task of this name."""
    return any((_SHIPPED / suite / f"{task}.yaml").exists() for suite in suites())


def find_task(task: str | Path) -> Path:
    """The file of a task, by its path or by the name of a task of the package.

    A path has a suffix or a slash; anything else is a name. So no file or folder hides a task of the package.

    Raises:
        UserError: if the package has no such task.
    """
    path = Path(task)
    if path.suffix or len(path.parts) > 1 or any(sign in str(task) for sign in "/\\"):
        return path
    for suite in suites():
        if (shipped := _SHIPPED / suite / f"{task}.yaml").exists():
            return shipped
    known = [name for suite in suites() for name in task_names(suite)]
    raise UserError(
        f"there is no task {str(task)!r} (the name of a task file ends in .yaml){nearest(str(task), known)}"
    )


def read_task(path: str | Path) -> Task:
    """The task of a file.

    Raises:
        UserError: if the file cannot be read or is not a task; the message names the field.
    """
    path = Path(path)
    try:
        return parse_text(read_text(path, A_TASK), str(path), is_json=path.suffix == ".json")
    except RecursionError as error:
        raise UserError(f"{path} is nested too deeply to be a task") from error


def parse_text(written: str, source: str, *, is_json: bool = False, added: Mapping[str, Any] | None = None) -> Task:
    """The task of a text in YAML or JSON.

    Args:
        written: The text.
        source: Name of the text in errors.
        is_json: Whether it is JSON.
        added: Fields beside those of the text.

    Raises:
        UserError: if it is not a task; the message begins with the source, names the field and, in YAML, the line.
    """
    if is_json:
        return parse_task(_json(written, source), source)
    file = read_lines(written, source, "task")
    try:
        content = file.value()
        return parse_task({**content, **added} if added else content, source)
    except UserError as error:
        line = line_of(file, str(error).removeprefix(f"{source}: "))
        raise UserError(f"{error} (line {line})" if line else str(error)) from error


def _json(text: str, path: str) -> Any:
    """The content of a JSON file; a name that an object gives twice is refused."""

    def fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content = dict(pairs)
        if len(content) < len(pairs):
            twice = next(name for at, (name, _) in enumerate(pairs) if name in dict(pairs[:at]))
            raise UserError(f"{path}: {twice!r} is given twice in one object; remove one of them")
        return content

    try:
        return json.loads(text, object_pairs_hook=fields)
    except json.JSONDecodeError as error:
        raise UserError(f"{path}, line {error.lineno}: not valid JSON: {error.msg}") from error


def parse_task(content: Any, path: str = "task") -> Task:
    """A task from plain data.

    Raises:
        UserError: names the field that is wrong.
    """
    named = _readers_of_names(content, path)
    required, optional = readers_of(Task, named)
    inner, maybe = ({part: some.pop(part) for part in HOUSE if part in some} for some in (required, optional))
    required["house"] = lambda value, at: record(value, at, inner, maybe)
    optional["worlds"] = required.pop("worlds")  # all combinations by default
    fields = record(content, path, required, optional, ": ")
    if "worlds" not in fields or content["worlds"] is None:
        fields["worlds"] = _all_worlds(fields.get("secrets", ()), path)
    mechanics = fields.get("mechanics", ())
    memos = (_notes(**mechanic.fields) for mechanic in mechanics if mechanic.kind == "memo")  # these notes come last
    fields["notes"] = (*fields.get("notes", ()), *chain(*memos))
    talk = fields.setdefault("talk", Talk())
    for mechanic in mechanics:  # some limit messages
        talk.budgets.update(mechanic.fields.get("limits", {}))
        talk.channels.update({who: tuple(to) for who, to in mechanic.fields.get("channels", {}).items()})
    task = Task(**fields.pop("house"), **fields)
    check_task(task, path)
    _check_formulas(task, path)
    return task


def _check_formulas(task: Task, path: str) -> None:
    """Refuse a task whose mechanics, flags or goals refer to something that does not exist."""
    here = path
    try:
        house = ground(task)
        known = [variable.removeprefix("flag ") for variable in house.variables if variable.startswith("flag ")]
        for flag in task.never:
            if flag not in known:
                raise UserError(f"field 'never' lists flag {flag!r}, but no mechanic raises it{nearest(flag, known)}")
        here = f"{path}: goal"
        if not shared(house)[1]:
            raise UserError("it is empty; expected a literal or a formula")
        for who, goal in task.private.items():
            here = f"{path}: private.{who}"
            holds(house, goal, house.starts[task.worlds[0]])
    except (UserError, KeyError, ValueError) as error:
        problem = str(error)
        raise UserError(f"{here}: {problem if len(problem) <= 400 else f'{problem[:399]}…'}") from error
    except RecursionError as error:
        raise UserError(f"{here} is nested too deeply") from error


def _readers_of_names(content: Any, path: str) -> dict[str, Reader]:
    """The readers for the annotations in ``types``; most accept only names that the file defines."""

    def defined(*keys: str) -> list[str]:
        inner = content
        for key in keys:
            inner = inner.get(key) if isinstance(inner, Mapping) else None
        return list(map(str, inner)) if isinstance(inner, Mapping) else []

    raw = content.get("secrets") if isinstance(content, Mapping) else None
    secrets = reader_of(tuple[Secret, ...], {})(raw or {}, f"{path}: secrets")
    hidden = [secret.name for secret in secrets]
    fixed = [*defined("house", "furniture"), *defined("house", "doors")]
    named: dict[str, Reader] = {
        word: partial(_known, known=known)
        for word, known in {
            "room": defined("house", "rooms"),
            "person": defined("people"),
            "secret": hidden,
            "fixed": fixed,
            "trigger": [*fixed, *(f"${secret}" for secret in hidden)],
            "verb": MANIPULATIONS,
            "setting": tuple(SETTINGS),
            "kind of content": tuple(ATOMS),
        }.items()
    }
    values: dict[str, Reader] = {secret.name: partial(_known, known=secret.values) for secret in secrets}
    mechanics = _mechanics(named, when := partial(record, required={}, optional=values))
    note: dict[str, Reader] = {"to": partial(names, read=named["person"]), "about": named["secret"]}
    maybe: dict[str, Reader] = {"knower": partial(names, read=named["person"]), "when": when}
    return {
        **named,
        "two rooms": partial(pair, read=named["room"]),
        "place": _place,
        "chain": partial(_chain, person=named["person"]),
        "when": lambda value, at: when(value, at).items(),
        "worlds": partial(_worlds, values=values, secrets=secrets),
        "notes": lambda value, at: chain(*every(value, at, lambda entry, at: _notes(**record(entry, at, note, maybe)))),
        "mechanics": partial(every, read=partial(_mechanic, known=mechanics)),
    }


def _known(value: Any, path: str, known: Sequence[str]) -> Any:
    return one_of(name(value, path), path, known)


def _place(value: Any, path: str) -> str | tuple[str, ...]:
    """A place, or one for each value of a secret."""
    return every(value, path, text) if isinstance(value, list | tuple) else text(value, path)


def _chain(value: Any, path: str, person: Reader) -> list[str]:
    people = names(value, path, person)
    if not people or any(first == second for first, second in pairwise(people)):
        raise wrong(path, value, "people, nobody twice in a row")
    return people


def _worlds(value: Any, path: str, values: Mapping[str, Reader], secrets: Sequence[Secret]) -> tuple[World, ...]:
    """The worlds that are listed by the values of their secrets; ``None`` means all."""
    rows = every([] if value is None else value, path, lambda row, at: record(row, at, values))
    worlds = tuple(tuple(secret.values.index(row[secret.name]) for secret in secrets) for row in rows)
    if value is not None and (not 1 <= len(worlds) <= MOST_WORLDS or len(set(worlds)) < len(worlds)):
        raise UserError(f"{path}: there are {len(worlds)}; expected 1 to {MOST_WORLDS}, all different")
    return worlds


def _all_worlds(secrets: Sequence[Secret], path: str) -> tuple[World, ...]:
    """All combinations of values, counted before they are made."""
    if (count := math.prod(len(secret.values) for secret in secrets)) > MOST_WORLDS:
        raise UserError(f"{path}: worlds: there are {count}; expected 1 to {MOST_WORLDS}; list the possible ones")
    return every_world(secrets)


def _notes(to: Any, about: str, knower: Any = (), when: Mapping[str, str] | None = None) -> list[Note]:
    """A note for each of its readers."""
    return [Note(reader, about, tuple(listed(knower)), tuple((when or {}).items())) for reader in listed(to)]


def _mechanics(named: Mapping[str, Reader], when: Reader) -> dict[str, tuple[dict[str, Reader], dict[str, Reader]]]:
    """The fields that each kind of mechanic must have, and those that it may have."""
    person, secret, fixed, setting = (named[word] for word in ("person", "secret", "fixed", "setting"))
    people, rooms, verbs = (partial(names, read=named[word]) for word in ("person", "room", "verb"))
    readers, places = partial(as_written, read=person), partial(as_written, read=fixed)
    return {
        "room_restriction": ({"agents": people, "rooms": rooms}, {}),
        "limited_bandwidth": ({"limits": partial(each, read=number, key=person)}, {}),
        "restricted_communication": ({"channels": partial(each, read=people, key=person)}, {}),
        "remote_control": (
            {"trigger": named["trigger"], "when": setting, "target": fixed, "set": setting},
            {"delay": number},
        ),
        "state_mirroring": ({"between": partial(pair, read=fixed)}, {"one_way": yes_no}),
        "inverse_state": ({"furniture": fixed}, {}),
        "time_window": ({"turns": window}, {"furniture": places, "verbs": verbs}),
        "interlock": ({"furniture": places, "while": names}, {"verbs": verbs}),
        "commit": ({"furniture": fixed}, {"verbs": verbs, "raises": name, "when": as_written}),
        "memo": ({"about": secret, "to": readers}, {"when": when, "knower": readers}),
    }


def _mechanic(value: Any, path: str, known: Mapping[str, Any]) -> Mechanic:
    if not isinstance(value, Mapping):
        raise wrong(path, value, "a mechanic with its kind")
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in known:
        raise UserError(f"{path}: unknown kind {short(kind)}{nearest(str(kind), known)}")
    return Mechanic(kind, record({k: v for k, v in value.items() if k != "kind"}, path, *known[kind]))
