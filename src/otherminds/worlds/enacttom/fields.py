"""Fields of plain data: each is read as what it must be, or refused with its name and what was found there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from otherminds.core.errors import UserError, nearest

T = TypeVar("T")
_LONGEST = 80  # letters of what was found that an error repeats
_QUOTE = "; YAML takes yes, no, on and off for true and false: quote the word"


def wrong(where: str, value: Any, expected: str) -> UserError:
    """The error for what is not as expected."""
    return UserError(f"{where} is {shown(value)}; expected {expected}")


def shown(value: Any) -> str:
    """What was found, cut where it is long."""
    return cut(repr(value), _LONGEST)


def cut(said: str, longest: int) -> str:
    """No more than so many letters of it."""
    return said if len(said) <= longest else f"{said[: longest - 1]}…"


def fields(content: Any, where: str, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    """A mapping with these fields and no others."""
    if not isinstance(content, Mapping):
        raise wrong(where, content, f"fields {', '.join((*required, *optional))}")
    known = (*required, *optional)
    for field in content:
        if isinstance(field, bool):
            raise UserError(f"{where}: field {field!r} is not known{_QUOTE}")
        if field not in known:
            raise UserError(f"{where}: field {shown(field)} is not known{nearest(str(field), known)}")
    for field in required:
        if field not in content:
            raise UserError(f"{where}: field {field!r} is missing")
    return dict(content)


def mapping(content: Any, where: str) -> list[tuple[str, Any]]:
    """Names with what they are; nothing at all is said of a name by an empty mapping."""
    if not isinstance(content, Mapping):
        raise wrong(where, content, "names with what they are")
    return [(name(key, f"{where}: a name"), {} if one is None else one) for key, one in content.items()]


def items(content: Any, where: str) -> list[tuple[str, Any]]:
    """The items of a list, each with where it is."""
    if not _is_list(content):
        raise wrong(where, content, "a list")
    return [(f"{where}[{at}]", one) for at, one in enumerate(content)]


def text(value: Any, where: str) -> str:
    """Some text."""
    if not isinstance(value, str) or not value.strip():
        raise wrong(where, value, f"some text{_QUOTE if isinstance(value, bool) else ''}")
    return value.strip()


def word(value: Any, where: str) -> str:
    """A word that can be the name of a file."""
    found = text(value, where)
    if not re.fullmatch(r"\w[\w.-]*", found):
        raise wrong(where, value, "a word of letters, digits, '_', '-' and '.'")
    return found


def name(value: Any, where: str) -> str:
    """A name; a number is one too."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise wrong(where, value, f"a name{_QUOTE if isinstance(value, bool) else ''}")
    return value


def names(value: Any, where: str) -> list[str]:
    """A list of names; a single one stands for a list of one."""
    if isinstance(value, str):
        return [name(value, where)]
    if not _is_list(value):
        raise wrong(where, value, f"a list of names{_QUOTE if isinstance(value, bool) else ''}")
    return [name(one, f"{where}[{at}]") for at, one in enumerate(value)]


def number(value: Any, where: str, least: int) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise wrong(where, value, f"a whole number of at least {least}")
    return value


def yes_no(value: Any, where: str) -> bool:
    """Whether something is so."""
    if not isinstance(value, bool):
        raise wrong(where, value, "true or false")
    return value


def one_of(value: Any, known: Iterable[str], where: str) -> Any:
    """One of some words."""
    choices = list(known)
    if isinstance(value, bool):
        raise wrong(where, value, f"one of {', '.join(choices)}{_QUOTE}")
    if not isinstance(value, str) or value not in choices:
        raise UserError(f"{where} is {shown(value)}{nearest(str(value), choices)}")
    return value


def window(value: Any, where: str) -> tuple[int, int]:
    """The first and the last turn."""
    is_pair = _is_list(value) and len(value) == 2 and all(type(turn) is int for turn in value)
    if not is_pair or not 1 <= value[0] <= value[1]:
        raise wrong(where, value, "the first and the last turn, counted from 1")
    return value[0], value[1]


def each(value: Any, where: str, read: Callable[[Any, str], T]) -> dict[str, T]:
    """Names, each with something of one kind."""
    if not isinstance(value, Mapping):
        raise wrong(where, value, "names with what is theirs")
    return {name(key, f"{where}: a name"): read(one, f"{where}.{key}") for key, one in value.items()}


def numbers(value: Any, where: str) -> dict[str, int]:
    """Names, each with a whole number."""
    return each(value, where, lambda one, here: number(one, here, 0))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
