"""Items: questions with their story and labels, as files and records hold them (spec 16)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.core.files import unreadable
from otherminds.core.form_fields import short
from otherminds.worlds.tomi.types import KINDS


@dataclass(frozen=True)
class LabelledQuestion:
    """A question. Minds may look at ``story``, ``question`` and ``choices`` alone; the rest is for scoring."""

    id: str
    story_id: str
    family_id: str  # equals story_id where there are no twins
    variant: str  # base, order, agent or room
    split: str
    preset: str
    seed: int
    version: str  # of the generator, or the name of the file it was read from
    story: tuple[str, ...]
    question: str
    answer: str
    choices: tuple[str, ...]
    qtype: str  # memory, reality, belief, …
    order: int
    chain: tuple[str, ...]
    false_vs_reality: bool  # the answer differs from reality: the original's "tom"
    false_attribution: bool  # the first of the chain misjudges the rest
    ambiguous: bool
    story_order: int  # the true type: 0 true belief, 1 false belief, 2 second-order false belief, …
    original_type: str  # as the original would call it; empty where it has no name
    n_agents: int
    n_moves: int
    n_statements: int
    events: tuple[dict[str, Any], ...] = ()  # typed, with witnesses; the same in all items of a story
    beliefs: dict[str, str] | None = None  # every chain up to the asked order, names joined by ">"
    is_open: bool = True  # whether people who enter a room see into its containers

    @property
    def group(self) -> str:
        """The name of its kind in tables: memory, reality, first order, second order, …"""
        return order_name(self.order) if self.qtype == "belief" else self.qtype


def order_name(order: int) -> str:
    """First order, second order, and so on."""
    named = ("first", "second", "third", "fourth")
    return f"{named[order - 1] if order <= len(named) else f'{order}th'} order"


def by_story(items: Iterable[LabelledQuestion]) -> Iterator[list[LabelledQuestion]]:
    """Neighbouring items of one story together."""
    return (list(story) for _, story in groupby(items, attrgetter("story_id")))


_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_NAMES = tuple(field.name for field in fields(LabelledQuestion))


def dump_items(items: Iterable[LabelledQuestion]) -> Iterator[str]:
    """A line of JSON for each item; ``is_open`` is left out where it is true, as it usually is."""
    encoded: dict[str, tuple[object, str]] = {}  # fields that the questions of a story share are encoded once
    for item in items:
        parts = []
        for name, value in vars(item).items():
            if name == "is_open" and value:
                continue
            if name not in encoded or encoded[name][0] is not value:
                encoded[name] = value, _ENCODE(value)
            parts.append(f'"{name}":{encoded[name][1]}')
        yield "{" + ",".join(parts) + "}\n"


def json_lines(path: str | Path, expected: str) -> Iterator[tuple[str, Any]]:
    """The values of a JSON-lines file, each with the file and line that it is from."""
    try:
        with Path(path).open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                place = f"{path}, line {number}"
                try:
                    if line.strip():
                        yield place, json.loads(line)
                except json.JSONDecodeError as error:
                    raise UserError(f"{place}: not JSON ({error}); expected {expected}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text file; expected JSON lines: {expected}") from None
    except OSError as error:
        raise unreadable(path, error) from error


def read_items(path: str | Path) -> Iterator[LabelledQuestion]:
    """The items of a JSON-lines file."""
    for place, value in json_lines(path, "one question per line"):
        yield _read_item(value, place)


def read_set(path: str | Path) -> list[LabelledQuestion]:
    """All items of a JSON-lines file; a repeated id is refused, since its question would count twice."""
    items: dict[str, LabelledQuestion] = {}
    for item in read_items(path):
        if item.id in items:
            raise UserError(f"{path}: two questions have the id {item.id!r}; give every question its own id")
        items[item.id] = item
    return list(items.values())


def _all_are(kind: type, values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {  # by the type of a field
    "str": (lambda value: isinstance(value, str), "text"),
    "int": (lambda value: type(value) is int, "a whole number"),
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    "tuple[str, ...]": (lambda value: _all_are(str, value), "a list of text"),
    "tuple[dict[str, Any], ...]": (lambda value: value is None or _all_are(dict, value), "a list of objects"),
    "dict[str, str] | None": (
        lambda value: value is None or (isinstance(value, dict) and _all_are(str, list(value.values()))),
        "an object of text",
    ),
}
_NEEDED = frozenset(_NAMES) - {"events", "beliefs", "is_open"}
_LISTS = ("story", "choices", "chain", "events")


def _missing(record: Any) -> str:
    """What a line of JSON lacks that an item must have."""
    if not isinstance(record, dict):
        return f"found {short(record)}; expected an object"
    missing = sorted(_NEEDED - record.keys())
    return (
        f"the field {missing[0]} is missing"
        if len(missing) == 1
        else (f"{len(missing)} fields are missing: {', '.join(missing)}")
    )


def _read_item(record: Any, place: str) -> LabelledQuestion:
    """An item from a line of JSON, with every field checked: a bad one would show up later as a wrong score."""
    if not isinstance(record, dict) or _NEEDED - record.keys():
        raise UserError(f"{place}: {_missing(record)}; see docs/worlds/tomi.md for the format")
    for field in fields(LabelledQuestion):
        fits, expected = _KINDS[str(field.type)]
        if field.name in record and not fits(record[field.name]):
            raise UserError(f"{place}: {field.name} is {short(record[field.name])}; expected {expected}")
    if record["qtype"] not in KINDS:
        raise UserError(f"{place}: there is no qtype {record['qtype']!r}{nearest(record['qtype'], KINDS)}")
    if (record["order"] > 0) != (record["qtype"] == "belief") or record["order"] < 0:
        expected = "at least 1" if record["qtype"] == "belief" else "0"
        raise UserError(f"{place}: order is {record['order']} in a {record['qtype']} question; expected {expected}")
    return LabelledQuestion(**{name: _typed(name, record[name]) for name in _NAMES if name in record})


def _typed(name: str, value: Any) -> Any:
    return tuple(value or ()) if name in _LISTS else value


_OF_QUESTION = (  # in the records of episodes; other fields are stored once for the story
    *("id", "question", "answer", "choices", "qtype", "order", "chain"),
    *("false_vs_reality", "false_attribution", "ambiguous", "story_order"),
)
_OF_STORY = tuple(name for name in _NAMES if name not in (*_OF_QUESTION, "events", "beliefs"))


def start_of(items: Sequence[LabelledQuestion]) -> dict[str, Any]:
    """The questions of a story, as the first line of a record has them, without what follows from the story."""
    return {**_plain(items[0], _OF_STORY), "questions": [_plain(item, _OF_QUESTION) for item in items]}


def _plain(item: LabelledQuestion, names: Sequence[str]) -> dict[str, Any]:
    values = ((name, getattr(item, name)) for name in names)
    return {name: list(value) if name in _LISTS else value for name, value in values}


def items_of(start: Mapping[str, Any]) -> tuple[LabelledQuestion, ...]:
    """The items that :func:`start_of` was given, without events and beliefs."""
    try:
        shared = {name: _typed(name, start[name]) for name in _OF_STORY}
        return tuple(
            LabelledQuestion(**shared, **{name: _typed(name, question[name]) for name in _OF_QUESTION})
            for question in start["questions"]
        )
    except (KeyError, TypeError) as error:
        raise UserError(f"the record does not hold a story of ToMi: {error} is missing or of another kind") from None


_BETWEEN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")


@lru_cache(maxsize=1 << 14)
def normalise(text: str) -> str:
    """An answer in normal form: without case, articles, underscores and final punctuation, lists sorted."""
    listed = _BETWEEN.split(text.replace("_", " ").strip().strip(".!\"'`*").lower())
    return ", ".join(sorted(_bare(part) for part in listed if part))


def _bare(name: str) -> str:
    words = name.split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words)


def find_choice(answer: str, choices: Iterable[str]) -> str | None:
    """The choice that an answer names, in the singular or plural (spec 15.4); ``None`` if it names none."""
    named = {normalise(choice): choice for choice in choices}
    word = normalise(answer)
    if word in named:
        return named[word]
    alike = [choice for name, choice in named.items() if word in (f"{name}s", f"{name}es") or name == f"{word}s"]
    return alike[0] if len(alike) == 1 else None


def matches(answer: str, item: LabelledQuestion) -> bool:
    """Whether an answer is right after normalisation."""
    return normalise(find_choice(answer, item.choices) or answer) == normalise(item.answer)


def is_valid(answer: str, item: LabelledQuestion) -> bool:
    """Whether an answer is one of the choices, right or wrong."""
    return not item.choices or find_choice(answer, item.choices) is not None
