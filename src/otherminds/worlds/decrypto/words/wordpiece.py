"""Splits text into the word pieces that BERT-like encoders read: lower case, no accents, longest piece first."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_LONGEST = 100  # letters of a word; longer ones are not looked at
_START, _END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"


@dataclass(frozen=True, eq=False)
class WordPieces:
    """A vocabulary of pieces, with their numbers; those inside a word begin with ``##``."""

    numbers: dict[str, int]

    def encode(self, text: str) -> list[int]:
        """The numbers of a text's pieces, between the marks of its start and its end."""
        pieces = [piece for word in _words(text) for piece in self.pieces(word)]
        return [self.numbers[piece] for piece in (_START, *pieces, _END)]

    def can_read(self, text: str) -> bool:
        """Whether there is a letter or digit in it, and a piece for everything."""
        words = list(_words(text))
        return any(map(str.isalnum, words)) and all(UNKNOWN not in self.pieces(word) for word in words)

    def pieces(self, word: str) -> list[str]:
        """The longest piece that the word begins with, then of what is left; one that is unknown if nothing fits."""
        found: list[str] = []
        start = 0
        while start < len(word) <= _LONGEST:
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self.numbers), None)
            if end is None:
                return [UNKNOWN]
            found.append(mark + word[start:end])
            start = end
        return found or [UNKNOWN]


@cache
def word_pieces(path: Path) -> WordPieces:
    """A vocabulary from a file with a piece a line."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return WordPieces({piece: number for number, piece in enumerate(lines) if piece})


def _words(text: str) -> Iterator[str]:
    """Runs of letters and digits; every other sign by itself."""
    signs = [sign for sign in unicodedata.normalize("NFD", text.lower()) if not _is_dropped(sign)]
    yield from "".join(f" {sign} " if _is_alone(sign) else sign for sign in signs).split()


def _is_dropped(sign: str) -> bool:
    """Whether a sign is not read at all: accents, and what cannot be seen."""
    return unicodedata.category(sign) in ("Mn", "Cf") or sign == "\ufffd"


def _is_alone(sign: str) -> bool:
    """Whether a sign is a word by itself: punctuation, ASCII symbols, and Chinese characters."""
    is_symbol = sign.isascii() and sign.isprintable() and not sign.isalnum() and sign != " "
    return is_symbol or unicodedata.category(sign).startswith("P") or "\u4e00" <= sign <= "\u9fff"
