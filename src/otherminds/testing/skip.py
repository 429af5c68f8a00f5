"""How a check says that it does not apply."""

from __future__ import annotations


class Skip(Exception):
    """A check does not apply; the message says why."""
