"""One question with its story and everything known about it: what files hold (spec 16)."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.tomi.types import KINDS


@dataclass(frozen=True)
class Item:
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
    is_open: bool = True  # whether whoever enters a room sees into its containers

    @property
    def group(self) -> str:
        """The name of its kind in tables: memory, reality, first order, second order, …"""
        return order_name(self.order) if self.qtype == "belief" else self.qtype


def order_name(order: int) -> str:
    """First order, second order, and so on."""
    named = ("first", "second", "third", "fourth")
    return f"{named[order - 1] if order <= len(named) else f'{order}th'} order"


_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def dump_item(item: Item) -> str:
    """One line of JSON; that containers are open, as they mostly are, is not said."""
    return next(dump_items([item]))


def dump_items(items: Iterable[Item]) -> Iterator[str]:
    """A line of JSON for each. What the questions of a story have in common is put into words once."""
    shared: dict[str, tuple[object, str]] = {}  # by field, the value last met and its JSON
    for item in items:
        parts = []
        for name in _NAMES:
            value = getattr(item, name)
            if name == "is_open" and value:
                continue
            if name not in ("story", "events"):
                parts.append(f'"{name}":{_ENCODE(value)}')
                continue
            if name not in shared or shared[name][0] is not value:
                shared[name] = value, _ENCODE(value)
            parts.append(f'"{name}":{shared[name][1]}')
        yield "{" + ",".join(parts) + "}"


def read_items(path: str | Path) -> Iterator[Item]:
    """The items of a JSON-lines file.

    Raises:
        UserError: names the line that is none.
    """
    try:
        with Path(path).open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _read_item(line, f"{path}, line {number}")
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text file; expected JSON lines, one question a line") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error


def read_set(path: str | Path) -> list[Item]:
    """All items of a JSON-lines file, each once.

    Raises:
        UserError: names the line that is none, or the id that two of them have.
    """
    found: dict[str, Item] = {}
    for item in read_items(path):
        if item.id in found:
            raise UserError(f"{path}: two questions have the id {item.id!r}; give every question an id of its own")
        found[item.id] = item
    return list(found.values())


_NAMES = tuple(field.name for field in fields(Item))
_NEEDED = frozenset(_NAMES) - {"events", "beliefs", "is_open"}
_TEXTS = ("story", "choices", "chain")
_KINDS: dict[str, tuple[type, str]] = {
    "str": (str, "text"),
    "int": (int, "a whole number"),
    "bool": (bool, "true or false"),
}
_PLAIN = {field.name: _KINDS[str(field.type)] for field in fields(Item) if str(field.type) in _KINDS}


def _read_item(line: str, where: str) -> Item:
    """One line, every field of the kind that scores rely on: a wrong one would show as a wrong score, far from here."""
    try:
        found = json.loads(line)
    except ValueError as error:
        raise UserError(f"{where}: not JSON ({error}); expected one question a line") from None
    if not isinstance(found, dict) or _NEEDED - found.keys():
        missing = ", ".join(sorted(_NEEDED - found.keys())) if isinstance(found, dict) else "everything"
        raise UserError(f"{where}: {missing} missing; expected the fields of docs/worlds/tomi.md")
    for name, (kind, expected) in _PLAIN.items():
        if name in found and type(found[name]) is not kind:
            raise UserError(f"{where}: {name} is {found[name]!r}; expected {expected}")
    for name in _TEXTS:
        if not isinstance(found[name], list) or not all(isinstance(word, str) for word in found[name]):
            raise UserError(f"{where}: {name} is {found[name]!r}; expected a list of text")
    events, beliefs = found.get("events") or [], found.get("beliefs") or {}
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        raise UserError(f"{where}: events is {_short(events)}; expected a list of objects")
    if not isinstance(beliefs, dict) or not all(isinstance(box, str) for box in beliefs.values()):
        raise UserError(f"{where}: beliefs is {_short(beliefs)}; expected an object of text")
    if found["qtype"] not in KINDS:
        raise UserError(f"{where}: there is no qtype {found['qtype']!r}{nearest(found['qtype'], KINDS)}")
    if (found["order"] > 0) != (found["qtype"] == "belief") or found["order"] < 0:
        expected = "at least 1" if found["qtype"] == "belief" else "0"
        raise UserError(f"{where}: order is {found['order']} of a {found['qtype']} question; expected {expected}")
    lists = {name: tuple(found.get(name) or ()) for name in (*_TEXTS, "events")}
    return Item(**{name: found[name] for name in _NAMES if name in found} | lists)


def _short(value: object) -> str:
    return textwrap.shorten(repr(value), 60, placeholder=" …")


def by_story(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Neighbouring items of one story together."""
    group: list[Item] = []
    for item in items:
        if group and group[0].story_id != item.story_id:
            yield group
            group = []
        group.append(item)
    if group:
        yield group


_BETWEEN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")


@lru_cache(maxsize=1 << 14)
def normalise(text: str) -> str:
    """An answer without what does not matter: case, articles, underscores, full stops, and the order of a list."""
    listed = _BETWEEN.split(text.replace("_", " ").strip().strip(".!\"'`*").lower())
    return ", ".join(sorted(_bare(part) for part in listed if part))


def _bare(name: str) -> str:
    words = name.split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words)


def find_choice(given: str, choices: Iterable[str]) -> str | None:
    """The choice that an answer names, as one or as several (spec 15.4); ``None`` if it names none of them."""
    named = {normalise(choice): choice for choice in choices}
    word = normalise(given)
    if word in named:
        return named[word]
    alike = [choice for name, choice in named.items() if word in (f"{name}s", f"{name}es") or name == f"{word}s"]
    return alike[0] if len(alike) == 1 else None


def matches(given: str, item: Item) -> bool:
    """Whether an answer is the right one, word for word but for what does not matter."""
    return normalise(find_choice(given, item.choices) or given) == normalise(item.answer)


def is_valid(given: str, item: Item) -> bool:
    """Whether an answer is one of the choices, right or wrong."""
    return not item.choices or find_choice(given, item.choices) is not None
