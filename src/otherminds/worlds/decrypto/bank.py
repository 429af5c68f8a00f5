"""Keywords that games are dealt from, with their kinds, and the vocabulary of hints."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from otherminds.core.errors import UserError

_FOLDER = Path(__file__).parent / "words"
NUM_HINTS = 4900


@dataclass(frozen=True)
class Bank:
    """Keywords and their kinds, concrete or abstract; ``kinds`` is empty if they are unknown."""

    words: tuple[str, ...]
    kinds: dict[str, str]

    def of(self, kind: str) -> tuple[str, ...]:
        """The keywords of a kind: concrete, abstract or all."""
        if kind == "all":
            return self.words
        words = tuple(word for word in self.words if self.kinds.get(word) == kind)
        if not words:
            known = ", ".join(["all", *sorted(set(self.kinds.values()))])
            raise UserError(f"the bank has no {kind!r} keywords; expected one of {known}")
        return words


@cache
def keyword_bank(path: str | Path | None = None) -> Bank:
    """The 720 shipped keywords, or those of a file: one on each line, or JSON with a list for each kind.

    Raises:
        UserError: if the file cannot be read, or holds a word twice.
    """
    source = Path(path) if path else _FOLDER / "bank.json"
    try:
        text = source.read_text(encoding="utf-8")
        groups = json.loads(text) if source.suffix == ".json" else {"": text.split("\n")}
        if isinstance(groups, list):
            groups = {"": groups}
        if any(isinstance(words, str) for words in groups.values()):
            raise TypeError  # its letters would be read as words
        pairs = [(word.strip().lower(), kind) for kind, words in groups.items() for word in words if word.strip()]
    except OSError as error:
        raise UserError(f"cannot read the keywords of {source}: {error.strerror}") from error
    except (ValueError, AttributeError, TypeError) as error:
        raise UserError(f"{source} is not a bank; expected a word on each line, or JSON lists by kind") from error
    words = tuple(word for word, _ in pairs)
    twice = sorted({word for word in words if words.count(word) > 1})
    if twice:
        raise UserError(f"{source} has {', '.join(twice[:5])} more than once; keywords must differ")
    return Bank(words, {word: kind for word, kind in pairs if kind})


@cache
def hint_words(number: int = NUM_HINTS) -> tuple[str, ...]:
    """The most frequent hint words, most frequent first.

    Raises:
        UserError: if there are not that many.
    """
    words = tuple((_FOLDER / "hints.txt").read_text(encoding="utf-8").split())
    if not 1 <= number <= len(words):
        raise UserError(f"vocabulary of {number} hint words; expected 1 to {len(words)}")
    return words[:number]
