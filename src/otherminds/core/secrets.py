"""Redaction of keys and other secrets in records, logs and messages."""

from __future__ import annotations

import os
import re
from typing import Any

# Whole parts of a name: KEYMAP and MONKEY name no secrets.
_SECRET = re.compile(r"(?:^|_)(?:API)?(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)", re.IGNORECASE)
_SHORTEST, _LONGEST_WORD = 8, 20  # letters of a secret, and of a word
HIDDEN = "[hidden]"


def secrets(*others: str | None) -> list[str]:
    """The values of environment variables whose names say that they are secret, and others, longest first."""
    named = [value for name, value in os.environ.items() if _SECRET.search(name)]
    return sorted({value for value in (*named, *others) if value and _is_secret(value)}, key=len, reverse=True)


def _is_secret(value: str) -> bool:
    """Whether a value can be a key: a plain word in such a variable may appear anywhere in a record."""
    return len(value) >= _SHORTEST and not (value.isalpha() and value.islower() and len(value) < _LONGEST_WORD)


def redact(value: Any, known: list[str] | None = None) -> Any:
    """The same value with every secret in its texts replaced by ``[hidden]``."""
    hidden = secrets() if known is None else known
    if not hidden:
        return value
    if isinstance(value, dict):
        return {name: redact(part, hidden) for name, part in value.items()}
    if isinstance(value, list | tuple):
        parts = [redact(part, hidden) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if not isinstance(value, str):
        text = str(value)
        return redact(text, hidden) if any(secret in text for secret in hidden) else value
    for secret in hidden:
        value = value.replace(secret, HIDDEN)
    return value
