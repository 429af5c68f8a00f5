"""Readers of plain data: each takes a value and its path, and returns what it stands for or says what is wrong with it.

:func:`reader_of` makes a reader from a type, so that the dataclasses of a task describe its file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache, partial
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from otherminds.core.errors import UserError, nearest
from otherminds.core.form_fields import short

T = TypeVar("T")
Reader = Callable[[Any, str], Any]  # of a value and its path in the file
_QUOTE = "; YAML reads yes, no, on and off as true and false: quote the word"


def wrong(path: str, value: Any, expected: str) -> UserError:
    """The error for a value that is not as expected."""
    return UserError(f"{path} is {short(value)}; expected {expected}{_QUOTE if isinstance(value, bool) else ''}")


def reader_of(hint: Any, named: Mapping[str, Reader]) -> Reader:
    """The reader for values of a type.

    A tuple of dataclasses is a mapping from names to the other fields where they have a ``name``, else a list.

    Args:
        hint: a type; if it is annotated with a function, that is its reader, and if with a word, the one of that word.
        named: readers by word.
    """
    origin, inner = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        return lambda value, path: hint(**record(value, path, *readers_of(hint, named)))  # type: ignore[operator]
    if origin is Annotated:
        read: Reader = named[inner[1]] if isinstance(inner[1], str) else inner[1]
        return (lambda value, path: tuple(read(value, path))) if get_origin(inner[0]) is tuple else read
    if origin is Literal:
        return partial(one_of, known=inner)
    if origin in (Union, UnionType):
        return reader_of(inner[0], named)
    if origin is dict:
        return partial(each, read=reader_of(inner[1], named), key=reader_of(inner[0], named))
    if origin is tuple and not is_dataclass(inner[0]):
        return lambda value, path: tuple(names(value, path, reader_of(inner[0], named)))
    if origin is tuple and "name" not in _hints(inner[0]):
        return partial(every, read=reader_of(inner[0], named))
    if origin is tuple:
        make, required, optional = getattr(inner[0], "from_file", inner[0]), *readers_of(inner[0], named)
        return lambda value, path: tuple(
            make(name=called, **part)
            for called, part in each(value, path, lambda content, at: record(content, at, required, optional)).items()
        )
    plain: dict[Any, Reader] = {bool: yes_no, int: number, str: name}
    return plain.get(hint, anything)


@lru_cache(maxsize=64)
def _hints(part: Any) -> dict[str, Any]:
    return get_type_hints(part, include_extras=True)


def readers_of(part: Any, named: Mapping[str, Reader]) -> tuple[dict[str, Reader], dict[str, Reader]]:
    """The readers of the fields of a dataclass but its name: those that must be given, and those that may be."""
    required, optional = dict[str, Reader](), dict[str, Reader]()
    for field in fields(part):
        if field.name != "name" and field.metadata.get("in_file", True):
            is_required = field.default is MISSING and field.default_factory is MISSING
            (required if is_required else optional)[field.name] = reader_of(_hints(part)[field.name], named)
    return required, optional


def record(
    content: Any,
    path: str,
    required: Mapping[str, Reader],
    optional: Mapping[str, Reader] | None = None,
    dot: str = ".",
) -> dict[str, Any]:
    """The fields of a mapping by name, each read; those not given are left out. Files say ``open`` for ``is_open``."""
    readers = {field.removeprefix("is_"): (field, read) for field, read in {**required, **(optional or {})}.items()}
    if not isinstance(content, Mapping):
        raise wrong(path, content, f"fields {', '.join(readers)}")
    for field in content:
        if isinstance(field, bool) or field not in readers:
            hint = _QUOTE if isinstance(field, bool) else nearest(str(field), readers)
            raise UserError(f"{path}: unknown field {short(field)}{hint}")
    for field in required:
        if field not in content:
            raise UserError(f"{path}: field {field!r} is missing")
    return {readers[word][0]: readers[word][1](value, f"{path}{dot}{word}") for word, value in content.items()}


def anything(value: Any, path: str) -> Any:  # noqa: ARG001
    """Any value."""
    return value


def text(value: Any, path: str) -> str:
    """Text that is not blank, on one line."""
    if not isinstance(value, str) or not value.strip().isprintable() or not value.strip():
        raise wrong(path, value, "some text on one line")
    return value.strip()


def word(value: Any, path: str) -> str:
    """A word that can be the name of a file."""
    if not re.fullmatch(r"\w[\w.-]*", text(value, path)):
        raise wrong(path, value, "a word of letters, digits, '_', '-' and '.'")
    return text(value, path)


def name(value: Any, path: str) -> str:
    """A name on one line, which may be a number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.isprintable() or not value.strip():
        raise wrong(path, value, "a name on one line")
    return value


def each(value: Any, path: str, read: Callable[[Any, str], T], key: Reader = name) -> dict[str, T]:
    """A mapping from names; a name without a value has an empty mapping."""
    if not isinstance(value, Mapping):
        raise wrong(path, value, "names with values")
    return {
        key(called, f"{path}: a name"): read({} if content is None else content, f"{path}.{called}")
        for called, content in value.items()
    }


def items(content: Any, path: str, expected: str = "a list") -> list[tuple[str, Any]]:
    """The items of a list, each with its path."""
    if not isinstance(content, Sequence) or isinstance(content, str | bytes):
        raise wrong(path, content, expected)
    return [(f"{path}[{at}]", item) for at, item in enumerate(content)]


def every(content: Any, path: str, read: Callable[[Any, str], T]) -> tuple[T, ...]:
    """The items of a list, each read by ``read``."""
    return tuple(read(item, item_path) for item_path, item in items(content, path))


def names(value: Any, path: str, read: Reader = name) -> list[str]:
    """A list of names; a single name is read as a list of one."""
    if isinstance(value, str):
        return [read(value, path)]
    return [read(item, item_path) for item_path, item in items(value, path, "a list of names")]


def as_written(value: Any, path: str, read: Reader = name) -> Any:
    """A name or several, left as they are: a proof is of the task as it was written."""
    names(value, path, read)
    return value


def pair(value: Any, path: str, read: Reader = name) -> list[str]:
    """Two different names."""
    both = names(value, path, read)
    if len(both) != 2 or both[0] == both[1]:
        raise wrong(path, value, "two names")
    return both


def distinct(value: Any, path: str) -> tuple[str, ...]:
    """A list of two or more names, all different."""
    values = every(value, path, name)
    if len(values) < 2 or len(set(values)) < len(values):
        raise wrong(path, list(values), "two or more, all different")
    return values


def number(value: Any, path: str, least: int = 0) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise wrong(path, value, f"a whole number of at least {least}")
    return value


count = partial(number, least=1)


def numbers(value: Any, path: str, expected: str, is_right: Callable[..., bool]) -> list[int]:
    """A list of whole numbers that fit together."""
    is_list = isinstance(value, list | tuple) and all(type(number) is int for number in value)
    if not is_list or not is_right(*value):
        raise wrong(path, value, expected)
    return list(value)


def window(value: Any, path: str) -> list[int]:
    """The first and the last turn."""
    expected = "the first and the last turn, counted from 1"
    return numbers(value, path, expected, lambda *turns: len(turns) == 2 and 1 <= turns[0] <= turns[1])


def box(value: Any, path: str) -> list[int]:
    """A place on the floor plan."""
    expected = "x, y, width and height in whole numbers"
    return numbers(value, path, expected, lambda *sides: len(sides) == 4 and min(sides[2:]) >= 1)


def yes_no(value: Any, path: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise wrong(path, value, "true or false")
    return value


def one_of(value: Any, path: str, known: Iterable[str]) -> Any:
    """One of the known words."""
    choices = list(known)
    if isinstance(value, bool):
        raise wrong(path, value, f"one of {', '.join(choices)}")
    if not isinstance(value, str) or value not in choices:
        raise UserError(f"{path} is {short(value)}{nearest(str(value), choices)}")
    return value


def generated(value: Any, path: str) -> dict[str, Any]:
    """Fields that the verifier or the generator has added."""
    if not isinstance(value, Mapping):
        raise wrong(path, value, "fields; remove it: the verifier and the generator write it")
    return dict(value)
