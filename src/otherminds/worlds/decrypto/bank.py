"""The words of a game: keywords to be dealt, with their kind, and a vocabulary to hint with."""

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
    """Keywords, and whether each is concrete; ``kinds`` is empty if that is not known."""

    words: tuple[str, ...]
    kinds: dict[str, str]

    def of(self, kind: str) -> tuple[str, ...]:
        """The keywords of a kind: concrete, abstract or all."""
        if kind == "all":
            return self.words
        found = tuple(word for word in self.words if self.kinds.get(word) == kind)
        if not found:
            raise UserError(
                f"the bank has no {kind!r} keywords; expected all, {', '.join(sorted(set(self.kinds.values())))}"
            )
        return found


@cache
def keyword_bank(path: str | Path | None = None) -> Bank:
    """Our 720 keywords, or those of a file: one a line, or JSON with a list for each kind.

    Raises:
        UserError: if the file cannot be read, or a word is there twice.
    """
    source = Path(path) if path else _FOLDER / "bank.json"
    try:
        text = source.read_text(encoding="utf-8")
        groups = json.loads(text) if source.suffix == ".json" else {"": text.split("\n")}
        if isinstance(groups, list):
            groups = {"": groups}
        if any(isinstance(words, str) for words in groups.values()):
            raise TypeError  # its letters would be taken for words
        pairs = [(word.strip().lower(), kind) for kind, words in groups.items() for word in words if word.strip()]
    except OSError as error:
        raise UserError(f"cannot read the keywords of {source}: {error.strerror}") from error
    except (ValueError, AttributeError, TypeError) as error:
        raise UserError(f"{source} is not a bank; expected a word a line, or JSON lists of words by kind") from error
    words = tuple(word for word, _ in pairs)
    twice = sorted({word for word in words if words.count(word) > 1})
    if twice:
        raise UserError(f"{source} has {', '.join(twice[:5])} more than once; keywords must differ")
    return Bank(words, {word: kind for word, kind in pairs if kind})


@cache
def hint_words(number: int = NUM_HINTS) -> tuple[str, ...]:
    """Our most frequent hint words, in that order.

    Raises:
        UserError: if there are not that many.
    """
    found = tuple((_FOLDER / "hints.txt").read_text(encoding="utf-8").split())
    if not 1 <= number <= len(found):
        raise UserError(f"{number} hints were asked for; hints.txt has {len(found)}")
    return found[:number]
