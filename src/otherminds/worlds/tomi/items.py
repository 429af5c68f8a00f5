"""One question with its story and everything known about it: what files hold and every answerer is given (spec 16)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError


@dataclass(frozen=True)
class Item:
    """A question. Answerers may look at ``story``, ``question`` and ``choices`` alone; the rest is for scoring."""

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

    @property
    def group(self) -> str:
        """The name of its kind in tables: memory, reality, first order, second order, …"""
        if self.qtype != "belief":
            return self.qtype
        return f"{('first', 'second', 'third', 'fourth')[self.order - 1]} order"


def dump_item(item: Item) -> str:
    """One line of JSON."""
    return json.dumps(asdict(item), ensure_ascii=False, separators=(",", ":"))


def read_items(path: str | Path) -> Iterator[Item]:
    """The items of a JSON-lines file.

    Raises:
        UserError: names the line that is none.
    """
    known = {field.name for field in fields(Item)}
    needed = {field.name for field in fields(Item)} - {"events", "beliefs"}
    try:
        with Path(path).open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                where = f"{path}, line {number}"
                try:
                    found = json.loads(line)
                except ValueError as error:
                    raise UserError(f"{where}: not JSON ({error}); expected one question a line") from None
                if not isinstance(found, dict) or needed - found.keys():
                    missing = ", ".join(sorted(needed - found.keys())) if isinstance(found, dict) else "everything"
                    raise UserError(f"{where}: {missing} missing; expected the fields of docs/worlds/tomi.md")
                for name in ("story", "choices", "chain", "events"):
                    found[name] = tuple(found.get(name, ()))
                yield Item(**{name: value for name, value in found.items() if name in known})
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text file; expected JSON lines, one question a line") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error


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


def normalise(text: str) -> str:
    """An answer without what does not matter: case, articles, underscores, full stops, and the order of a list."""
    words = text.replace("_", " ").strip().strip(".!\"'`*").lower().split()
    if words and words[0] in ("the", "a", "an"):
        words = words[1:]
    listed = " ".join(words)
    return (
        ", ".join(sorted(part.strip() for part in listed.replace(" and ", ", ").split(",")))
        if "," in listed
        else listed
    )


def matches(given: str, item: Item) -> bool:
    """Whether an answer is the right one, word for word but for what does not matter."""
    return normalise(given) == normalise(item.answer)


def is_valid(given: str, item: Item) -> bool:
    """Whether an answer is one of the choices, right or wrong."""
    return not item.choices or normalise(given) in {normalise(choice) for choice in item.choices}
