"""Fields of plain data: each is read as what it must be, or refused with its name and what was found there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from otherminds.core.errors import UserError, nearest
from otherminds.core.fields import short

T = TypeVar("T")
Reader = Callable[[Any, str], Any]  # of a value, and where it stands
_QUOTE = "; YAML takes yes, no, on and off for true and false: quote the word"


def wrong(where: str, value: Any, expected: str) -> UserError:
    """The error for what is not as expected."""
    return UserError(f"{where} is {short(value)}; expected {expected}{_QUOTE if isinstance(value, bool) else ''}")


def record(
    content: Any,
    where: str,
    required: Mapping[str, Reader],
    optional: Mapping[str, Reader] | None = None,
    dot: str = ".",
) -> dict[str, Any]:
    """A mapping with these fields and no others, each read as what it must be; what is not given is not there."""
    readers = {**required, **(optional or {})}
    if not isinstance(content, Mapping):
        raise wrong(where, content, f"fields {', '.join(readers)}")
    for field in content:
        if isinstance(field, bool) or field not in readers:
            hint = _QUOTE if isinstance(field, bool) else nearest(str(field), readers)
            raise UserError(f"{where}: field {short(field)} is not known{hint}")
    for field in required:
        if field not in content:
            raise UserError(f"{where}: field {field!r} is missing")
    return {field: readers[field](value, f"{where}{dot}{field}") for field, value in content.items()}


def each(value: Any, where: str, read: Callable[[Any, str], T]) -> dict[str, T]:
    """Names, each with something of one kind; nothing at all is said of a name by an empty mapping."""
    if not isinstance(value, Mapping):
        raise wrong(where, value, "names with what is theirs")
    return {
        name(key, f"{where}: a name"): read({} if one is None else one, f"{where}.{key}") for key, one in value.items()
    }


def items(content: Any, where: str) -> list[tuple[str, Any]]:
    """The items of a list, each with where it is."""
    if not isinstance(content, Sequence) or isinstance(content, str | bytes):
        raise wrong(where, content, "a list")
    return [(f"{where}[{at}]", one) for at, one in enumerate(content)]


def every(content: Any, where: str, read: Callable[[Any, str], T]) -> tuple[T, ...]:
    """The items of a list, each read."""
    return tuple(read(one, here) for here, one in items(content, where))


def anything(value: Any, where: str) -> Any:  # noqa: ARG001
    """Whatever it is."""
    return value


def text(value: Any, where: str) -> str:
    """Some text."""
    if not isinstance(value, str) or not value.strip():
        raise wrong(where, value, "some text")
    return value.strip()


def word(value: Any, where: str) -> str:
    """A word that can be the name of a file."""
    if not re.fullmatch(r"\w[\w.-]*", text(value, where)):
        raise wrong(where, value, "a word of letters, digits, '_', '-' and '.'")
    return text(value, where)


def name(value: Any, where: str) -> str:
    """A name; a number is one too."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise wrong(where, value, "a name")
    return value


def names(value: Any, where: str) -> list[str]:
    """A list of names; a single one stands for a list of one."""
    if isinstance(value, str):
        return [name(value, where)]
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise wrong(where, value, "a list of names")
    return [name(one, f"{where}[{at}]") for at, one in enumerate(value)]


def pair(value: Any, where: str) -> list[str]:
    """Two different names."""
    both = names(value, where)
    if len(both) != 2 or both[0] == both[1]:
        raise wrong(where, value, "two names")
    return both


def number(value: Any, where: str, least: int = 0) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise wrong(where, value, f"a whole number of at least {least}")
    return value


def yes_no(value: Any, where: str) -> bool:
    """Whether something is so."""
    if not isinstance(value, bool):
        raise wrong(where, value, "true or false")
    return value


def one_of(value: Any, where: str, known: Iterable[str]) -> Any:
    """One of some words."""
    choices = list(known)
    if isinstance(value, bool):
        raise wrong(where, value, f"one of {', '.join(choices)}")
    if not isinstance(value, str) or value not in choices:
        raise UserError(f"{where} is {short(value)}{nearest(str(value), choices)}")
    return value


def window(value: Any, where: str) -> list[int]:
    """The first and the last turn."""
    is_pair = isinstance(value, list | tuple) and len(value) == 2 and all(type(turn) is int for turn in value)
    if not is_pair or not 1 <= value[0] <= value[1]:
        raise wrong(where, value, "the first and the last turn, counted from 1")
    return list(value)
