"""Keywords that games are dealt from, and the vocabulary of hints."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from otherminds.core.errors import UserError

_FOLDER = Path(__file__).parent
NUM_HINTS = 4900


@cache
def keyword_bank(path: str | Path | None = None) -> tuple[str, ...]:
    """The 720 shipped keywords, or those of a file: one on each line, or JSON with one list or several.

    Raises:
        UserError: if the file cannot be read, or holds a word twice.
    """
    source = Path(path) if path else _FOLDER / "bank.json"
    try:
        text = source.read_text(encoding="utf-8")
        groups = json.loads(text) if source.suffix == ".json" else text.split("\n")
        lists = list(groups.values()) if isinstance(groups, dict) else [groups]
        if any(isinstance(some, str) for some in lists):
            raise TypeError  # its letters would be read as words
        words = tuple(word.strip().lower() for some in lists for word in some if word.strip())
    except OSError as error:
        raise UserError(f"cannot read the keywords of {source}: {error.strerror}") from error
    except (ValueError, AttributeError, TypeError) as error:
        raise UserError(f"{source} is not a bank; expected a word on each line, or JSON lists of words") from error
    twice = sorted({word for word in words if words.count(word) > 1})
    if twice:
        raise UserError(f"{source} has {', '.join(twice[:5])} more than once; keywords must differ")
    return words


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
