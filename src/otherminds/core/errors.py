"""Errors that are the user's to mend, and the suggestions that help."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(ValueError):
    """Bad input. The message says what was found, what was expected and what to do; no traceback is shown for it."""


class MissingExtra(UserError, ImportError):
    """An optional part is not installed. The message names the extra that brings it."""


def nearest(name: str, known: Iterable[str]) -> str:
    """A suffix for an error message: the known name most like the one given, or all of them if none is close."""
    choices = list(known)
    match = get_close_matches(name, choices, n=1, cutoff=0.5)
    if match:
        return f"; did you mean {match[0]!r}?"
    return f"; known: {', '.join(choices)}" if choices else ""
