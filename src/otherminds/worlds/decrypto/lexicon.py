"""What words mean to a player: unit vectors, compared by cosine. Lexica differ, and so do those who use them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.decrypto.types import HIDDEN, NO_HINT
from otherminds.worlds.decrypto.words.beyond import Beyond, encoded, heard, nothing, plainer

Array = np.ndarray[Any, Any]
Neutral = Literal["nothing", "ones"]
_FOLDER = Path(__file__).parent / "words"
SHIPPED = ("glove", "minilm", "moby")
# Left out of hints of several words: the sum would say more about them than about the rest.
_LITTLE = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "with"))
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")  # letters and digits, with apostrophes inside
_HALF = 4  # letters of each half of a compound; with fewer, names fall apart into words


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words with unit vectors, and a way to look up others.

    Attributes:
        name: what tables call it.
        words: in any order.
        vectors: ``float32 [word, dimension]``.
        beyond: gives the vector of a word or text that is not in the table. With it, inflected forms and compounds are
            traced back to words that are known; without it the table is all that is known.
        neutral: what an unknown text is compared as. ``nothing``: like no word at all, so that a guess rests on the
            other hints. ``ones``: a vector of ones, as in the original (spec 3), which is nearer to some words than to
            others for no reason.
    """

    name: str
    words: tuple[str, ...]
    vectors: Array
    beyond: Beyond | None = None
    neutral: Neutral = "nothing"

    @cached_property
    def index(self) -> dict[str, int]:
        """Where each word of the table is."""
        return {word: at for at, word in enumerate(self.words)}

    @cached_property
    def _neutral(self) -> Array:
        size = self.vectors.shape[1]
        return np.full(size, 1 / np.sqrt(size) if self.neutral == "ones" else 0, np.float32)

    def __contains__(self, text: str) -> bool:
        """Whether a word is in the table; for all that can be looked up see :meth:`knows`."""
        return text.lower() in self.index

    def knows(self, text: str) -> bool:
        """Whether it can make anything of a text."""
        return text in self.index or bool(self._parts(text)[0])

    def unknown(self, texts: Sequence[str]) -> list[str]:
        """What it cannot place, each once: texts of which it knows no word, and the unknown words of others.

        What stands for a hint that is hidden or was never given is not a word, and is left out.
        """
        found: list[str] = []
        for text in texts:
            if text not in self.index and text not in (HIDDEN, NO_HINT):
                vectors, missing = self._parts(text)
                found += missing if vectors else [text]
        return list(dict.fromkeys(found))

    def vector(self, text: str) -> Array:
        """The unit vector of a word; for several words, the direction of their sum.

        Of a text that is not known, see ``neutral``; :meth:`unknown` tells.
        """
        at = self.index.get(text)
        if at is not None:
            return self.vectors[at]  # type: ignore[no-any-return]
        known, _ = self._parts(text)
        if not known:
            return self._neutral
        total: Array = np.sum(known, axis=0)
        return total / np.float32(np.linalg.norm(total) or 1)

    def _parts(self, text: str) -> tuple[list[Array], list[str]]:
        """The vectors that a text is made of, and its words that have none."""
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
            found = self._word(word)
            known += found
            missing += [] if found else [word]
        return known, missing

    def _look_up(self, text: str) -> Array | None:
        at = self.index.get(text)
        if at is not None:
            return self.vectors[at]  # type: ignore[no-any-return]
        return self.beyond(text) if self.beyond else None

    def _word(self, word: str) -> list[Array]:
        """The vector of a word, of a plainer form of it, or those of its halves; none if it is not known."""
        for form in (word, *plainer(word)) if self.beyond else (word,):
            found = self._look_up(form)
            if found is not None:
                return [found]
        if self.beyond:
            for cut in range(_HALF, len(word) - _HALF + 1):
                halves = word[:cut], word[cut:]
                if all(half in self.index for half in halves):
                    return [self.vectors[self.index[half]] for half in halves]
        return []

    def matrix(self, texts: Sequence[str]) -> Array:
        """The vectors of some words, ``[word, dimension]``."""
        known = [at for text in texts if (at := self.index.get(text)) is not None]
        if len(known) == len(texts):
            found: Array = self.vectors[known]
            return found
        return np.stack([self.vector(text) for text in texts])

    def cosines(self, left: Sequence[str], right: Sequence[str]) -> Array:
        """How alike words are, ``[left, right]``."""
        found: Array = self.matrix(left) @ self.matrix(right).T
        return found

    def noisy(self, amount: float) -> Lexicon:
        """A relative of it: each vector turned towards a random one; 0 changes nothing, 1 leaves half of each."""
        from otherminds.core.seeds import generator

        def turned(vectors: Array, stream: str) -> Array:
            noise = generator(0, stream).standard_normal(vectors.shape)
            noise /= np.linalg.norm(noise, axis=-1, keepdims=True)
            return unit(vectors + amount * noise)

        def beyond(text: str) -> Array | None:
            found = self.beyond(text) if self.beyond else None
            return None if found is None else turned(found, f"decrypto/noise/{self.name}/{text}")

        table = turned(self.vectors, f"decrypto/noise/{self.name}")
        return replace(self, name=f"{self.name}~{amount:g}", vectors=table, beyond=beyond if self.beyond else None)


def unit(vectors: Array) -> Array:
    """Each row brought to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)


@cache
def lexicon(name: str) -> Lexicon:
    """A lexicon by name, such as ``glove``, ``glove~0.5`` with noise, or the path of a file of one's own.

    A file is ours (``.npz``), word2vec's (``.bin``) or GloVe's text (``.txt``, ``.vec``).

    Raises:
        UserError: if there is none, or the file cannot be read as one.
    """
    base, _, noise = name.partition("~")
    if noise:
        try:
            amount = float(noise)
        except ValueError:
            amount = math.nan
        if not 0 <= amount < math.inf:
            raise UserError(f"the noise {noise!r} of lexicon {name!r} is not a number from 0 on; try {base}~0.5")
        return lexicon(base).noisy(amount)
    if name in SHIPPED:
        return _shipped(name)
    path = Path(name)
    if not path.is_file():
        hint = nearest(name, SHIPPED)
        raise UserError(f"there is no lexicon and no file {name!r}{hint}")
    from otherminds.worlds.decrypto.words.read import read_vectors

    words, vectors = read_vectors(path)
    return Lexicon(path.stem, tuple(words), unit(vectors), nothing)


def _shipped(name: str) -> Lexicon:
    with np.load(_FOLDER / f"{name}.npz") as found:
        words, vectors = tuple(found["words"].tolist()), unit(found["vectors"].astype(np.float32))
    if name == "moby":
        # A mind that knows a thesaurus and nothing else. It lacks 4 keywords and 875 hint words, and the published
        # figures rest on the original's reading of these.
        return Lexicon(name, words, vectors, neutral="ones")
    return Lexicon(name, words, vectors, heard if name == "glove" else encoded)
