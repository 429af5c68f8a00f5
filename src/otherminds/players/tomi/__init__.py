"""Answerers of ToMi's questions, by name. Importing this imports none of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from otherminds.core.registry import entries, find
from otherminds.worlds.tomi.items import Item

__all__ = ["READER", "RESULT", "Answerer", "Trainable", "answerer", "answerers"]

READER, RESULT = "reader.safetensors", "result.json"  # files that a finished run leaves


class Answerer(Protocol):
    """Answers questions. It may look at an item's story, question and choices, and its id for chance; at no more."""

    @property
    def name(self) -> str:
        """What tables call it."""
        ...

    def answers(self, items: Sequence[Item]) -> list[str]:
        """An answer to each."""
        ...


@runtime_checkable
class Trainable(Protocol):
    """Learns from answered questions first."""

    def fit(self, items: Sequence[Item]) -> Answerer:
        """The answerer that these questions and their answers make."""
        ...


def answerers() -> list[str]:
    """The names of all answerers."""
    return [entry.name for entry in entries("mind", "tomi")]


def answerer(name: str) -> Answerer:
    """A new answerer of that name.

    Raises:
        UserError: if there is none.
    """
    made: Answerer = find("mind", name, "tomi").load()()
    return made
