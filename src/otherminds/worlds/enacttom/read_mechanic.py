"""Mechanics of a task's file: what each field of theirs must be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.enacttom.fields import (
    each,
    fields,
    name,
    names,
    number,
    numbers,
    one_of,
    shown,
    window,
    wrong,
    yes_no,
)
from otherminds.worlds.enacttom.mechanics import FIELDS, SETTINGS
from otherminds.worlds.enacttom.types import Mechanic


def _as_given(value: Any, where: str) -> Any:
    """A name or several, left as they are: a proof is of the task as it was written."""
    names(value, where)
    return value


def _setting(value: Any, where: str) -> Any:
    return one_of(value, SETTINGS, where)


def _pair(value: Any, where: str) -> list[str]:
    found = names(value, where)
    if len(found) != 2 or found[0] == found[1]:
        raise wrong(where, value, "two names")
    return found


def _turns(value: Any, where: str) -> list[int]:
    return list(window(value, where))


# How each field of a mechanic is read; what some kinds mean by a field is theirs alone.
_FIELDS: dict[str, Callable[[Any, str], Any]] = {
    "agents": names, "rooms": names, "limits": numbers, "channels": lambda value, where: each(value, where, names),
    "trigger": name, "target": name, "set": _setting, "delay": lambda value, where: number(value, where, 0),
    "between": _pair, "one_way": yes_no, "furniture": _as_given, "turns": _turns, "while": names, "verbs": names,
    "raises": name, "when": _as_given, "about": name, "to": _as_given, "knower": _as_given,
}  # fmt: skip
_THEIRS: dict[tuple[str, str], Callable[[Any, str], Any]] = {
    ("remote_control", "when"): _setting, ("memo", "when"): lambda value, where: each(value, where, name),
    ("inverse_state", "furniture"): name, ("commit", "furniture"): name,
}  # fmt: skip


def read_mechanic(one: Any, where: str) -> Mechanic:
    """A mechanic from plain data.

    Raises:
        UserError: names the field that is wrong.
    """
    if not isinstance(one, Mapping):
        raise wrong(where, one, "a mechanic with its kind")
    kind = one.get("kind")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise UserError(f"{where}: kind {shown(kind)} is not known{nearest(str(kind), FIELDS)}")
    given = fields({k: v for k, v in one.items() if k != "kind"}, where, *FIELDS[kind])
    return Mechanic(
        kind,
        {k: _THEIRS.get((kind, k), _FIELDS[k])(value, f"{where}.{k}") for k, value in given.items()},
    )
