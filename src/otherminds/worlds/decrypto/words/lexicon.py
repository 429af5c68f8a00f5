"""Words: keywords, hint words, and lexica, in which words are unit vectors that are compared by cosine.

Minds with different lexica understand differently.
"""

from __future__ import annotations

import json
import math
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from otherminds.core.errors import UserError, nearest
from otherminds.core.files import read_text
from otherminds.core.seeds import generator
from otherminds.worlds.decrypto.types import HIDDEN, NO_HINT
from otherminds.worlds.decrypto.words.lookup import Beyond, encoded, heard, nothing, plainer

_FOLDER = Path(__file__).parent
NUM_HINTS = 4900


@cache
def keyword_bank(path: str | Path | None = None) -> tuple[str, ...]:
    """The 720 shipped keywords, or those of a file: one on each line, or JSON with one list or several.

    Raises:
        UserError: if the file cannot be read, or holds a word twice.
    """
    source = Path(path) if path else _FOLDER / "bank.json"
    text = read_text(source, "keywords")
    try:
        groups = json.loads(text) if source.suffix == ".json" else text.split("\n")
        lists = list(groups.values()) if isinstance(groups, dict) else [groups]
        if any(isinstance(some, str) for some in lists):
            raise TypeError  # its letters would be read as words
        words = tuple(word.strip().lower() for some in lists for word in some if word.strip())
    except (ValueError, AttributeError, TypeError) as error:
        raise UserError(
            f"{source} is not a keyword bank; expected one word per line, or JSON lists of words"
        ) from error
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
        raise UserError(f"the vocabulary has {number} hint words; expected 1 to {len(words)}")
    return words[:number]


Array = Any  # of NumPy, whose own types say no more
Neutral = Literal["nothing", "ones"]
SHIPPED = ("glove", "minilm", "moby")
# Left out of hints of several words: they would dominate the sum.
_LITTLE = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "with"))
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")  # letters and digits, with apostrophes inside
_HALF = 4  # letters of each half of a compound; with fewer, names fall apart into words


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words with unit vectors, and a way to look up others.

    Attributes:
        beyond: function that returns the vector of a word or text outside the table. With it, inflected forms and
            compounds are traced back to known words; without it, only the table is known.
        neutral: vector of an unknown text. ``nothing`` is similar to no word, so that a guess rests on the other
            hints. ``ones`` is a vector of ones, as in the original (spec 3), which is arbitrarily nearer to some words.
    """

    name: str
    words: tuple[str, ...]
    vectors: Array  # of the words, ``float32 [word, dimension]``, each of length 1
    beyond: Beyond | None = None
    neutral: Neutral = "nothing"

    @cached_property
    def index(self) -> dict[str, int]:
        """Row of each word in the table."""
        return {word: at for at, word in enumerate(self.words)}

    @cached_property
    def _neutral(self) -> Array:
        size = self.vectors.shape[1]
        return np.full(size, 1 / np.sqrt(size) if self.neutral == "ones" else 0, np.float32)

    def __contains__(self, text: str) -> bool:
        """Whether a word is in the table; :meth:`knows` also looks beyond it."""
        return text.lower() in self.index

    def knows(self, text: str) -> bool:
        """Whether any word of a text is known."""
        return text in self.index or bool(self._parts(text)[0])

    def unknown(self, texts: Sequence[str]) -> list[str]:
        """Unknown texts and unknown words of other texts, each once.

        Placeholders for hints that are hidden or were never given are left out.
        """
        unknown: list[str] = []
        for text in texts:
            if text not in self.index and text not in (HIDDEN, NO_HINT):
                vectors, missing = self._parts(text)
                unknown += missing if vectors else [text]
        return list(dict.fromkeys(unknown))

    def vector(self, text: str) -> Array:
        """The unit vector of a word; for several words, the direction of their sum.

        An unknown text has the vector that ``neutral`` describes.
        """
        at = self.index.get(text)
        if at is not None:
            return self.vectors[at]
        known, _ = self._parts(text)
        if not known:
            return self._neutral
        total: Array = np.sum(known, axis=0)
        return total / np.float32(np.linalg.norm(total) or 1)

    def _parts(self, text: str) -> tuple[list[Array], list[str]]:
        """The vectors of the known words of a text, and its unknown words."""
        if text in (HIDDEN, NO_HINT):
            return [], []
        text = text.lower().strip()
        whole = self._look_up(text)
        if whole is not None:
            return [whole], []
        words = _WORD.findall(text)
        words = [word for word in words if word not in _LITTLE] or words
        known: list[Array] = []
        missing: list[str] = []
        for word in words:
            vectors = self._word(word)
            known += vectors
            missing += [] if vectors else [word]
        return known, missing

    def _look_up(self, text: str) -> Array | None:
        at = self.index.get(text)
        if at is not None:
            return self.vectors[at]
        return self.beyond(text) if self.beyond else None

    def _word(self, word: str) -> list[Array]:
        """The vector of a word, of a plainer form of it, or of its two halves; empty if it is unknown."""
        for form in (word, *plainer(word)) if self.beyond else (word,):
            vector = self._look_up(form)
            if vector is not None:
                return [vector]
        if self.beyond:
            for cut in range(_HALF, len(word) - _HALF + 1):
                halves = word[:cut], word[cut:]
                if all(half in self.index for half in halves):
                    return [self.vectors[self.index[half]] for half in halves]
        return []

    def matrix(self, texts: Sequence[str]) -> Array:
        """The vectors of some texts, ``[text, dimension]``."""
        try:
            return self.vectors.take([self.index[text] for text in texts], axis=0)
        except KeyError:
            return np.stack([self.vector(text) for text in texts])

    def cosines(self, left: Sequence[str], right: Sequence[str]) -> Array:
        """The cosines of texts, ``[left, right]``."""
        return self.matrix(left) @ self.matrix(right).T

    def noisy(self, amount: float) -> Lexicon:
        """A noisy copy: each vector is turned towards a random one; 0 changes nothing, 1 gives both the same weight."""

        def turned(vectors: Array, stream: str) -> Array:
            noise = generator(0, stream).standard_normal(vectors.shape)
            noise /= np.linalg.norm(noise, axis=-1, keepdims=True)
            return unit(vectors + amount * noise)

        def beyond(text: str) -> Array | None:
            vector = self.beyond(text) if self.beyond else None
            return None if vector is None else turned(vector, f"decrypto/noise/{self.name}/{text}")

        table = turned(self.vectors, f"decrypto/noise/{self.name}")
        return replace(self, name=f"{self.name}~{amount:g}", vectors=table, beyond=beyond if self.beyond else None)


def unit(vectors: Array) -> Array:
    """Rows scaled to length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)


@cache
def lexicon(name: str) -> Lexicon:
    """A lexicon by name, such as ``glove`` or ``glove~0.5`` with noise, or from a file.

    A file is packed (``.npz``), in word2vec's binary format (``.bin``) or in GloVe's text format (``.txt``, ``.vec``).

    Raises:
        UserError: if it does not exist, or the file cannot be read.
    """
    base, _, noise = name.partition("~")
    if noise:
        try:
            amount = float(noise)
        except ValueError:
            amount = math.nan
        if not 0 <= amount < math.inf:
            raise UserError(
                f"the noise of lexicon {name!r} is {noise!r}; expected a number of at least 0, as in {base}~0.5"
            )
        return lexicon(base).noisy(amount)
    path = _FOLDER / f"{name}.npz" if name in SHIPPED else Path(name)
    if not path.is_file():
        raise UserError(f"there is no lexicon or file {name!r}{nearest(name, SHIPPED)}")
    words, vectors = read_vectors(path)
    beyond = {"glove": heard, "minilm": encoded, "moby": None}.get(name, nothing)
    # Moby lacks 4 keywords and 875 hint words; the published figures read these as the original does.
    return Lexicon(path.stem, tuple(words), unit(vectors), beyond, "ones" if name == "moby" else "nothing")


def read_vectors(path: Path) -> tuple[list[str], Array]:
    """Words in lower case and their vectors; the first of several spellings counts.

    Raises:
        UserError: if the file cannot be read in the format that its name says.
    """
    readers = {".npz": _packed, ".bin": _binary, ".txt": _text, ".vec": _text}
    if path.suffix not in readers:
        raise UserError(f"{path} has an unknown file type; expected a name that ends in {', '.join(readers)}")
    try:
        words, vectors = readers[path.suffix](path)
    except UserError:
        raise
    except (OSError, ValueError, KeyError, IndexError, zipfile.BadZipFile) as error:
        raise UserError(f"{path} cannot be read as word vectors: {error}") from error
    if not words or vectors.ndim != 2 or len(vectors) != len(words) or not vectors.shape[1]:
        raise UserError(
            f"{path} has {len(words)} words and vectors of shape {vectors.shape}; expected one for each word"
        )
    if not np.isfinite(vectors).all():
        raise UserError(f"{path} has vectors that are not finite; expected finite numbers")
    first: dict[str, int] = {}
    for at, word in enumerate(words):
        first.setdefault(str(word).lower(), at)
    return list(first), vectors[list(first.values())]


def _packed(path: Path) -> tuple[list[str], Array]:
    with np.load(path) as archive:
        return archive["words"].tolist(), archive["vectors"].astype(np.float32)


def _binary(path: Path) -> tuple[list[str], Array]:
    data = path.read_bytes()
    head, _, _ = data.partition(b"\n")
    number, size = map(int, head.split())
    at, words, rows = len(head) + 1, [], []
    for _ in range(number):
        end = data.index(b" ", at)
        words.append(data[at:end].decode("utf-8", "replace").strip())
        rows.append(np.frombuffer(data, "<f4", size, end + 1))
        at = end + 1 + 4 * size
    return words, np.array(rows)


def _text(path: Path) -> tuple[list[str], Array]:
    words, rows = [], []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            parts = line.rstrip().split(" ")
            if number == 1 and len(parts) == 2:
                continue  # word2vec's text format begins with its sizes
            words.append(parts[0])
            rows.append(np.array(parts[1:], dtype=np.float32))
            if len(rows[-1]) != len(rows[0]) or not len(rows[0]):
                raise UserError(
                    f"{path}, line {number}: {len(rows[-1])} numbers; expected {len(rows[0])}, as in the first line"
                )
    if not rows:
        raise UserError(f"{path} holds no vectors")
    return words, np.array(rows)
