"""Errors for the user to fix, and suggestions of the nearest name."""

from __future__ import annotations

import math
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import Any

_SHOWN = 24  # names listed in an error
_LIKE = 0.65  # how alike a suggestion must be; lower, --size would be suggested for --alice


class UserError(ValueError):
    """Bad input. The message says what was found, what was expected and what to do; no traceback is shown for it."""


class MissingExtra(UserError, ImportError):
    """An optional part is not installed. The message names the extra that provides it."""


def need(module: str, why: str, extra: str) -> Any:
    """The module of an optional part.

    Raises:
        MissingExtra: if it is not installed; the message begins with ``why``.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtra(f"{why}; install otherminds[{extra}]") from error


def nearest(name: str, known: Iterable[str]) -> str:
    """A suffix for an error message: the known name most like the one given, or that it begins; otherwise all names."""
    choices = list(known)
    match = get_close_matches(name, choices, n=1, cutoff=_LIKE)
    match = match or [choice for choice in choices if name and choice.startswith(name)]
    if match:
        return f"; did you mean {match[0]!r}?"
    more = f" and {len(choices) - _SHOWN} more" if len(choices) > _SHOWN + 1 else ""
    if len(choices) == 1:
        return f"; expected {choices[0]}"
    return f"; expected one of {', '.join(choices[:_SHOWN] if more else choices)}{more}" if choices else ""


def either(words: Iterable[object]) -> str:
    """``a, b or c``."""
    *first, last = map(str, words)
    return f"{', '.join(first)} or {last}" if first else last


def check_like(name: str, value: Any, default: Any) -> None:
    """Refuse a setting that is not of the same type as its default: a switch, a whole number, or a number.

    Whole numbers must be positive, unless the default is 0; no number is negative.

    Raises:
        UserError: if the value does not fit; the message begins with ``name``, the name of the setting.
    """
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if isinstance(default, bool):
        is_right, expected = isinstance(value, bool), "true or false"
    elif isinstance(default, int):
        least = min(default, 1)
        is_right = is_whole and value >= least
        expected = f"a whole number of at least {least}{f', such as {default}' if default else ''}"
    else:
        is_number = is_whole or (isinstance(value, float) and math.isfinite(value))
        is_right, expected = is_number and value >= 0, f"a number of at least 0, such as {default}"
    if not is_right:
        raise UserError(f"{name} is {value!r}; expected {expected}")
