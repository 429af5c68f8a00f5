"""What an Eve thinks the keywords are: words with their chances for each digit, from the hints she has seen."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from otherminds.core.errors import UserError
from otherminds.players.decrypto.bayes import KeywordBelief
from otherminds.players.decrypto.embedding import Vocabulary, vocabulary
from otherminds.players.decrypto.production import Production, production
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.types import HIDDEN

Beliefs = list[list[tuple[str, float]]]  # of each digit, likeliest first; the rest is unlikely
NUM_WORDS = 50  # that are kept for a digit
SHARPNESS = 20.0  # of belief in near words; that of literal speakers (spec 9)
_MOST_KEPT = 1000  # slots whose words are remembered: several questions are asked about each
NOTHING = "unknown"  # for a digit without a hint; comparison leaves the word out (spec 7)


class KeywordMind(Protocol):
    """Thinks of keywords."""

    def beliefs(self, view: View) -> Beliefs:
        """Probable words for each digit, by what Eve sees."""


class _Slots:
    """A mind that looks at each digit by itself, and remembers what it made of the same hints before."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], list[tuple[str, float]]] = {}

    def beliefs(self, view: View) -> Beliefs:
        shown = dict(view.shown)
        return [
            [(shown[digit], 1.0)] if digit in shown else self._slot(tuple(hint for hint in hints if hint != HIDDEN))
            for digit, hints in enumerate(view.hints_by_digit, 1)
        ]

    def _slot(self, hints: tuple[str, ...]) -> list[tuple[str, float]]:
        if not hints:
            return [(NOTHING, 1.0)]
        if hints not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[hints] = self._words(hints)
        return self._kept[hints]

    def _words(self, hints: tuple[str, ...]) -> list[tuple[str, float]]:
        raise NotImplementedError


class NearestWords(_Slots):
    """Words near the mean of a digit's hints: no more than the embedding Eve knows.

    Args:
        words: that she can think of; the hint vocabulary, since nobody shows her the bank.
        sharpness: how much likelier a nearer word is.
    """

    def __init__(self, words: Vocabulary, sharpness: float = SHARPNESS) -> None:
        super().__init__()
        self.words, self.sharpness = words, sharpness

    def _words(self, hints: tuple[str, ...]) -> list[tuple[str, float]]:
        mean = self.words.meaning.matrix(hints).mean(axis=0)
        if not mean.any():  # all of them are unknown words
            return [(NOTHING, 1.0)]
        nearness = np.einsum("ij,j->i", self.words.vectors, mean)
        known = [at for hint in hints if (at := self.words.index.get(hint)) is not None]
        nearness[known] = -np.inf  # a hint is never its keyword
        best = np.argsort(-nearness, kind="stable")[:NUM_WORDS]
        weights = np.exp(self.sharpness * (nearness[best] - nearness[best[0]]))
        chances = weights / weights.sum()
        return [(self.words.words[at], float(chance)) for at, chance in zip(best, chances, strict=True)]


class Bayesian(_Slots):
    """All that follows from a digit's hints, if Alice hints as a literal speaker does (spec 9)."""

    def __init__(self, literal: Production) -> None:
        super().__init__()
        self.literal = literal

    def _words(self, hints: tuple[str, ...]) -> list[tuple[str, float]]:
        return KeywordBelief(self.literal, [hints]).best(NUM_WORDS)[0]


def keyword_mind(base: str, lexicon: str) -> KeywordMind:
    """A mind by name: ``embedding`` or ``bayes``.

    Raises:
        UserError: if there is none.
    """
    if base == "embedding":
        return NearestWords(vocabulary(lexicon))
    if base == "bayes":
        return Bayesian(production(lexicon))
    raise UserError(f"there is no base {base!r} of beliefs about keywords; expected embedding or bayes")
