"""What words mean to a player: unit vectors, compared by cosine. Lexica differ, and so do those who use them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.core.errors import UserError, nearest

Array = np.ndarray[Any, Any]
_FOLDER = Path(__file__).parent / "words"
SHIPPED = ("glove", "minilm", "moby")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words with unit vectors.

    Attributes:
        name: what tables call it.
        words: in any order.
        vectors: ``float32 [word, dimension]``.
    """

    name: str
    words: tuple[str, ...]
    vectors: Array

    @cached_property
    def index(self) -> dict[str, int]:
        """Where each word is."""
        return {word: at for at, word in enumerate(self.words)}

    @cached_property
    def _unknown(self) -> Array:
        """All ones, as the original has for words it does not know (spec 3)."""
        size = self.vectors.shape[1]
        return np.full(size, 1 / np.sqrt(size), np.float32)

    def __contains__(self, text: str) -> bool:
        return text.lower() in self.index

    def vector(self, text: str) -> Array:
        """The unit vector of a word; for several words, the direction of their sum."""
        at = self.index.get(text)
        if at is not None:
            return self.vectors[at]  # type: ignore[no-any-return]
        words = text.lower().replace("-", " ").split()
        known = [self.vectors[self.index[word]] for word in words if word in self.index]
        if not known:
            return self._unknown
        total: Array = np.sum(known, axis=0)
        return total / np.float32(np.linalg.norm(total) or 1)

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

    def restricted(self, words: Sequence[str]) -> Lexicon:
        """The same with those of the words that it has."""
        kept = tuple(word for word in words if word in self.index)
        return Lexicon(self.name, kept, self.vectors[[self.index[word] for word in kept]])

    def noisy(self, amount: float, seed: int = 0) -> Lexicon:
        """A relative of it: each vector turned towards a random one; 0 changes nothing, 1 leaves half of each."""
        from otherminds.core.seeds import generator

        noise = generator(seed, f"decrypto/noise/{self.name}").standard_normal(self.vectors.shape)
        noise /= np.linalg.norm(noise, axis=1, keepdims=True)
        return Lexicon(f"{self.name}~{amount:g}", self.words, unit(self.vectors + amount * noise))


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
        return _packed(_FOLDER / f"{name}.npz", name)
    path = Path(name)
    if not path.is_file():
        hint = nearest(name, SHIPPED)
        raise UserError(f"there is no lexicon and no file {name!r}{hint}")
    from otherminds.worlds.decrypto.words.read import read_vectors

    words, vectors = read_vectors(path)
    return Lexicon(path.stem, tuple(words), unit(vectors))


def _packed(path: Path, name: str) -> Lexicon:
    with np.load(path) as found:
        return Lexicon(name, tuple(found["words"].tolist()), unit(found["vectors"].astype(np.float32)))
