"""The fields of a form: a choice, several choices, words, a number."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from operator import is_
from typing import TYPE_CHECKING, Any

from otherminds.core.errors import nearest

if TYPE_CHECKING:
    from otherminds.core.seeds import Draw

_SLOTS = "abcdefghijklmnopqrstuvwxyz"
_FEW = 500  # options of an enumeration that every provider takes
LONGEST = 200  # characters of a text; longer ones would fill the context of the model that reads them


class Unreadable(ValueError):
    """A reply that does not fit its form. The message says what was found and what was expected."""


class Reading(ABC):
    """Accepts values, or says what is wrong with them."""

    @abstractmethod
    def take(self, value: Any) -> Any:
        """The value in canonical form.

        Raises:
            Unreadable: says what was found and what was expected.
        """

    def check(self, value: Any) -> str:
        """What is wrong with a value; empty if nothing is."""
        try:
            self.take(value)
        except Unreadable as problem:
            return str(problem)
        return ""


class Field(Reading):
    """One part of a reply."""

    name: str

    def read(self, text: str) -> Any:
        """The value that a text stands for; raises :class:`Unreadable`."""
        return self.take(text)

    @abstractmethod
    def expected(self) -> str:
        """The expected values in words, for complaints and for people."""

    def placeholder(self, is_structured: bool) -> Any:
        """The placeholder that an example shows for the value."""
        return f"<{self.name}>"

    @abstractmethod
    def json_schema(self) -> dict[str, Any]:
        """The schema of its value."""

    @abstractmethod
    def sample(self, draw: Draw) -> Any:
        """A random value."""

    def has_slots(self, parts: Mapping[str, Any]) -> bool:
        """Whether these are the names of its parts in structured output."""
        return False

    def _refuse(self, value: Any, hint: str = "") -> Unreadable:
        return Unreadable(f"{self.name} is {short(value)}; expected {self.expected()}{hint}")


@dataclass(frozen=True)
class Choice(Field):
    """One of several options, strings or whole numbers."""

    name: str
    options: tuple[Any, ...]

    def take(self, value: Any) -> Any:
        if not isinstance(value, (str, int)) or isinstance(value, bool):  # a union takes longer to check
            raise self._refuse(value)
        if value in self._known:
            return self._known[value]
        plain = str(value).strip().strip(" .\"'").casefold()
        if plain in self._known:
            return self._known[plain]
        raise self._refuse(value, "" if len(self.options) <= 12 else nearest(str(value), map(str, self.options)))

    def expected(self) -> str:
        shown = list(map(str, self.options))
        return f"one of {', '.join(shown)}" if len(shown) <= 12 else f"one of {len(shown)} options"

    def json_schema(self) -> dict[str, Any]:
        kind = "integer" if all(isinstance(option, int) for option in self.options) else "string"
        return {"type": kind, "enum": list(self.options)}

    def sample(self, draw: Draw) -> Any:
        return draw.pick(self.options)

    @cached_property
    def _known(self) -> dict[Any, Any]:
        """Every spelling that is taken for an option."""
        spelled = {str(option).casefold(): option for option in self.options}
        return {**spelled, **{option: option for option in self.options}}


@dataclass(frozen=True)
class Several(Field):
    """A list of options.

    Attributes:
        name: Name of the list.
        options: Strings or whole numbers that it may contain.
        least: Smallest number of entries.
        most: Largest number of entries; the number of options by default.
        is_set: Whether order does not matter and no option may appear twice.
        is_distinct: Whether no option may appear twice.
    """

    name: str
    options: tuple[Any, ...]
    least: int = 0
    most: int | None = None
    is_set: bool = False
    is_distinct: bool = True

    def take(self, value: Any) -> tuple[Any, ...]:
        if type(value) is not tuple:  # what scripted minds give; the other kinds take longer to tell
            if isinstance(value, str):
                value = self._parts(value)
            if isinstance(value, Mapping) and self.has_slots(value):
                value = [value[slot] for slot in _SLOTS[: len(value)]]
            if not isinstance(value, Sequence | set | frozenset):
                raise self._refuse(value)
        take = self._one.take
        parts = tuple([take(part) for part in value])
        if not self.least <= len(parts) <= self._most:
            raise self._refuse(value)
        if (self.is_set or self.is_distinct) and len(set(parts)) < len(parts):
            raise Unreadable(f"{self.name} is {short(value)}; expected each option at most once")
        if self.is_set:
            return tuple(sorted(parts, key=self.options.index))
        return _same(value, parts)

    def _parts(self, text: str) -> list[str]:
        plain = text.strip().strip("[](){}.\"'")
        if not plain or plain.casefold() in ("nobody", "none", "nothing", "no one", "-"):
            return []
        labels = list(map(str, self.options))
        if any(" " in label or "-" in label for label in labels):
            return re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", plain)
        parts = re.split(r"[\s,;-]+(?:and\s+)?", plain)
        return list(plain) if len(parts) == 1 and all(len(label) == 1 for label in labels) else parts

    def has_slots(self, parts: Mapping[str, Any]) -> bool:
        return self.least == self._most > 0 and set(parts) == set(_SLOTS[: self.least])

    def expected(self) -> str:
        few = len(self.options) <= 12
        options = ", ".join(map(str, self.options)) if few else f"{len(self.options)} options"
        if self.least == self._most:
            return f"{self.least} of {options}"
        return f"{self.least} to {self._most} of {options}"

    def placeholder(self, is_structured: bool) -> Any:
        if self.least != self._most:
            return [f"<{self.name}>"]
        if is_structured and not self._listed:
            return {slot: f"<{self.name} {slot}>" for slot in _SLOTS[: self.least]}
        is_numbers = all(isinstance(option, int) for option in self.options)
        return "-".join("d" * self.least) if is_numbers else [f"<{self.name}>"]

    def json_schema(self) -> dict[str, Any]:
        if self._listed:
            return {"type": "string", "enum": list(self._listed)}
        entry = self._one.json_schema()
        if self.least != self._most:
            return {"type": "array", "items": entry}
        return _slotted(entry, _SLOTS[: self.least])  # schemas of some providers cannot count

    def sample(self, draw: Draw) -> tuple[Any, ...]:
        number = self.least + draw.below(self._most - self.least + 1)
        if self.is_set or self.is_distinct:
            return self.take(draw.some(self.options, number))
        return tuple(draw.pick(self.options) for _ in range(number))

    @cached_property
    def _listed(self) -> tuple[str, ...]:
        """Every list of distinct numbers as text, where there are few: a schema cannot say that they differ."""
        is_plain = self.is_distinct and not self.is_set and all(isinstance(option, int) for option in self.options)
        if not is_plain or self.least != self._most or math.perm(len(self.options), self.least) > _FEW:
            return ()
        return tuple("-".join(map(str, some)) for some in permutations(self.options, self.least))

    @property
    def _most(self) -> int:
        return len(self.options) if self.most is None else self.most

    @cached_property
    def _one(self) -> Choice:
        return Choice(self.name, self.options)


@dataclass(frozen=True)
class Words(Field):
    """Free text: one text, or a fixed number of them.

    Attributes:
        name: Name of the text.
        number: Number of texts; ``None`` for a single one, whose value is a string.
        longest: Largest number of characters in each.
        least: Smallest number of characters in each.
        keeps_lines: Whether line breaks and spaces stay as they are; otherwise each run of them becomes one space.
        suggestions: Function that returns texts for a random mind to say and for a page to offer.
        pattern: Regular expression that structured output enforces for each text.
        slots: Names of the texts in structured output.
    """

    name: str
    number: int | None = None
    longest: int = LONGEST
    suggestions: Callable[[], Sequence[str]] | None = None
    slots: str = _SLOTS
    pattern: str = ""
    least: int = 1
    keeps_lines: bool = False

    def take(self, value: Any) -> str | tuple[str, ...]:
        if self.number is None:
            return self._text(value)
        if type(value) is not tuple:
            if isinstance(value, Mapping) and self.has_slots(value):
                value = [value[slot] for slot in self.slots[: self.number]]
            if isinstance(value, str) or not isinstance(value, Sequence):
                raise self._refuse(value)
        if len(value) != self.number:
            raise self._refuse(value)
        return _same(value, tuple([self._text(part) for part in value]))

    def read(self, text: str) -> str | tuple[str, ...]:
        if self.number is None:
            return self._text(text)
        parts = [part for part in re.split(r"\s*[,;]\s*", text.strip().strip("[]()")) if part]
        return self.take([part.strip("\"'") for part in parts])

    def has_slots(self, parts: Mapping[str, Any]) -> bool:
        return self.number is not None and set(parts) == set(self.slots[: self.number])

    def expected(self) -> str:
        return "a text" if self.number is None else f"{self.number} texts, none of them empty"

    def placeholder(self, is_structured: bool) -> Any:
        if self.number is None:
            return super().placeholder(is_structured)
        singular = self.name.removesuffix("s")
        named = {slot: f"<{singular} {slot}>" for slot in self.slots[: self.number]}
        return named if is_structured else list(named.values())

    def json_schema(self) -> dict[str, Any]:
        word = {"type": "string", "pattern": self.pattern} if self.pattern else {"type": "string"}
        return word if self.number is None else _slotted(word, self.slots[: self.number])

    def sample(self, draw: Draw) -> str | tuple[str, ...]:
        choices = self.suggestions() if self.suggestions else ("yes", "no", "perhaps", "always", "never")
        if self.number is None:
            return str(draw.pick(choices))
        return tuple(draw.pick(choices) for _ in range(self.number))

    def _text(self, value: Any) -> str:
        if not isinstance(value, str):
            raise self._refuse(value)
        # A line break would tear the messages that most texts are put into.
        text = value if self.keeps_lines else " ".join(value.split())
        if not self.least <= len(text) <= self.longest:
            raise Unreadable(f"{self.name} has {len(text)} characters; expected {self.least} to {self.longest}")
        return value if value == text else text


@dataclass(frozen=True)
class Number(Field):
    """A number within a range that includes both ends."""

    name: str
    low: float = 0.0
    high: float = 1.0
    is_whole: bool = False

    def take(self, value: Any) -> float:
        if isinstance(value, str):
            with suppress(ValueError):
                value = float(value.strip().rstrip("."))
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not is_number or not self.low <= value <= self.high or (self.is_whole and value != int(value)):
            raise self._refuse(value)
        return int(value) if self.is_whole else float(value)

    def expected(self) -> str:
        return f"a {'whole ' if self.is_whole else ''}number from {self.low:g} to {self.high:g}"

    def placeholder(self, is_structured: bool) -> Any:
        return f"<{self.expected()}>"

    def json_schema(self) -> dict[str, Any]:
        kind = "integer" if self.is_whole else "number"
        return {"type": kind, "minimum": self.low, "maximum": self.high}

    def sample(self, draw: Draw) -> float:
        if self.is_whole:
            return int(self.low) + draw.below(int(self.high) - int(self.low) + 1)
        return self.low + draw.below(1_000_001) / 1e6 * (self.high - self.low)


def _same(value: Any, parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """The value itself if it is a tuple and no part changed, so that an identity check suffices to compare them."""
    return value if type(value) is tuple and all(map(is_, value, parts)) else parts


def _slotted(schema: dict[str, Any], slots: Sequence[str]) -> dict[str, Any]:
    named = dict.fromkeys(slots, schema)
    return {"type": "object", "properties": named, "required": list(named), "additionalProperties": False}


def short(value: Any) -> str:
    """A value for a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
