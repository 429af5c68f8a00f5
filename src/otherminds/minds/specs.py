"""Names of minds with their options, such as ``rsa:lam=4`` or ``openai/gpt-5:method=notes``, taken apart."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from contextlib import suppress
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from otherminds.core.errors import UserError, either, nearest
from otherminds.core.registry import entries
from otherminds.core.world import World

CONTEXT = ("seat", "world")  # parameters that are not options: they are filled in for the mind


def split_spec(spec: str, world: World) -> tuple[str, str]:
    """The name of a mind and the text after it: options, or the argument of ``recorded:FILE``.

    Names of language models may contain colons, so only a last part with ``=`` counts as their options.
    """
    name, _, text = spec.partition(":")
    if any(entry.name == name for entry in entries("mind", world.id)):
        return name, text
    head, _, tail = spec.rpartition(":")
    return (head, tail) if head and "=" in tail else (spec, "")


def options_of(make: Callable[..., Any], text: str, spec: str) -> dict[str, Any]:
    """The options of a mind, converted to the types of its parameters.

    Raises:
        UserError: if there is no such option, or a value is not of its kind.
    """
    parameters = [name for name in inspect.signature(make).parameters if name not in CONTEXT]
    kinds = get_type_hints(make.__init__ if inspect.isclass(make) else make)
    if text and "=" not in text and parameters:
        return {parameters[0]: _value(parameters[0], text, kinds.get(parameters[0]), spec)}
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise UserError(f"option {part!r} of mind {_bare(spec)!r} has no value; write it as name=value")
        if name not in parameters:
            raise UserError(f"mind {_bare(spec)!r} has no option {name!r}{nearest(name, parameters)}")
        options[name] = _value(name, value, kinds.get(name), spec)
    return options


def _bare(spec: str) -> str:
    """A mind's name without its options."""
    head, _, tail = spec.rpartition(":")
    return head if head and "=" in tail else spec.partition(":")[0]


def _value(option: str, text: str, kind: Any, mind: str) -> Any:
    """The value that a text stands for, by the type of the option."""
    if isinstance(kind, UnionType):  # such as int | None
        kind = next((part for part in get_args(kind) if part is not NoneType), None)
    if kind in (int, float):
        with suppress(ValueError):
            if math.isfinite(number := kind(text)):
                return number
        expected = "a whole number" if kind is int else "a number"
    elif kind is bool or get_origin(kind) is Literal:
        allowed = {"true": True, "false": False} if kind is bool else {str(word): word for word in get_args(kind)}
        if text in allowed:
            return allowed[text]
        expected = either(allowed)
    else:
        return text
    raise UserError(f"option {option!r} of mind {_bare(mind)!r} is {text!r}; expected {expected}")
