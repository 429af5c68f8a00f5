"""Sentences that can be written and read back: each has several phrasings with named gaps, used both ways.

The texts of tasks are made of these, so that a text can be checked to mean what the task says (spec 8, the fourth
criterion of the judge).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from otherminds.core.errors import UserError
from otherminds.core.seeds import child_seed
from otherminds.worlds.enacttom.text.names import Lexicon, lexicon
from otherminds.worlds.enacttom.types import Task

NUMBERS = (*("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),)


class Voice:
    """The phrasings of one text: which of several is used depends on the task and a seed, and on nothing else.

    Args:
        task: the task.
        seed: another seed gives other phrasings.
    """

    def __init__(self, task: Task, seed: int = 0) -> None:
        parts = (task.people, task.rooms, task.furniture, task.things, task.secrets)
        self._stream = f"enacttom/text/{','.join(part.name for many in parts for part in many)}"
        self._seed, self.words, self.task = seed, lexicon(task), task

    def pick(self, kind: str, options: Sequence[str]) -> str:
        """One of the phrasings of a kind of sentence."""
        return options[child_seed(self._seed, f"{self._stream}/{kind}") % len(options)]


class Gap(NamedTuple):
    """A kind of gap in a sentence: how to write and read its value, given what things are called."""

    write: Callable[[Any, Lexicon], str]
    read: Callable[[str, Lexicon], Any]
    pattern: str = ".+"


def _number(words: str, _: Lexicon) -> int:
    if words.lower() in NUMBERS:
        return NUMBERS.index(words.lower())
    if words.isdigit():
        return int(words)
    raise UserError(f"{words!r} is not a number")


def number_words(number: int) -> str:
    """A small number as a word."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _turns(words: str, _: Lexicon) -> tuple[int, int]:
    match = re.fullmatch(r"turns? (\d+)(?: to (\d+))?", words)
    if not match:
        raise UserError(f"{words!r} is not a range of turns")
    return int(match[1]), int(match[2] or match[1])


def _turns_words(turns: Sequence[int], _: Lexicon) -> str:
    first, last = turns
    return f"turn {first}" if first == last else f"turns {first} to {last}"


def _many(word: str) -> Gap:
    return Gap(
        lambda names, words: words.listed(names, word),
        lambda text, words: words.names_in(text, word),
    )


GAPS: dict[str | None, Gap] = {
    None: Gap(lambda name, words: words.phrase(name), lambda text, words: words.name(text)),
    "all": _many("and"),
    "any": _many("or"),
    "number": Gap(lambda number, _: number_words(number), _number, r"\w+"),
    "turns": Gap(_turns_words, _turns),
    "text": Gap(lambda text, _: text, lambda text, _: text),
}


@dataclass(frozen=True)
class SentencePattern:
    """A kind of sentence.

    Attributes:
        kind: its name.
        texts: its phrasings, with ``{gap}`` for a name and ``{gap:kind}`` for another kind of ``GAPS``.
        make: a function from the values of the gaps to what the sentence adds to a task.
    """

    kind: str
    texts: tuple[str, ...]
    make: Callable[..., Any] = dict

    def write(self, voice: Voice, **fields: Any) -> str:
        """The sentence with its gaps filled."""
        return self.filled(voice.pick(self.kind, self.texts), voice.words, **fields)

    def filled(self, text: str, words: Lexicon, **fields: Any) -> str:
        """One phrasing with its gaps filled, as a sentence."""
        return sentence(re.sub(r"\{(\w+)(?::(\w+))?\}", lambda gap: GAPS[gap[2]].write(fields[gap[1]], words), text))

    def read(self, line: str, words: Lexicon) -> dict[str, Any] | None:
        """The values of the gaps of a sentence; ``None`` if it is not of this form."""
        for pieces in self._pieces:
            fields = _read(line, pieces, words)
            if fields is not None:
                return fields
        return None

    @cached_property
    def _pieces(self) -> list[list[str]]:
        """For each phrasing, what stands before the first gap, then each gap, its kind, and what follows it."""
        return [re.split(r"\{(\w+)(?::(\w+))?\}", text) for text in self.texts]


def _read(line: str, pieces: Sequence[str | None], words: Lexicon) -> dict[str, Any] | None:
    """The gaps of the rest of a sentence. A gap ends where what follows it stands, and where it can be read."""
    start, *rest = pieces
    if not line.lower().startswith((start or "").lower()):
        return None
    line = line[len(start or "") :]
    if not rest:
        return {} if not line else None
    name, kind, end, *more = rest
    gap, after = GAPS[kind], (end or "").lower()
    at = line.lower().find(after) if more else len(line) - len(after)
    while at > 0:
        try:
            value = gap.read(line[:at], words) if re.fullmatch(gap.pattern, line[:at]) else None
        except UserError:
            value = None
        if value is not None and (further := _read(line[at:], [end, *more], words)) is not None:
            return {str(name): value, **further}
        at = line.lower().find(after, at + 1) if more else -1
    return None


def sentence(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]
