"""What an Eve thinks the keywords are: words with their chances for each digit, from the hints she has seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np

from otherminds.core.errors import UserError
from otherminds.players.decrypto.bayes import KeywordBelief
from otherminds.players.decrypto.embedding import Vocabulary, vocabulary
from otherminds.players.decrypto.production import Production, production
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.types import HIDDEN

Likely = list[tuple[str, float]]  # words with their chances, likeliest first; the rest is unlikely
NUM_WORDS = 50  # that are kept for a digit
SHARPNESS = 20.0  # of belief in near words; that of literal speakers (spec 9)
_MOST_KEPT = 1000  # slots whose words are remembered: several questions are asked about each
NOTHING = "unknown"  # for a digit without a hint; comparison leaves the word out (spec 7)


class KeywordMind:
    """Thinks of keywords for each digit by itself, and remembers what it made of the same hints before.

    Args:
        words_for: the probable words of a digit by its hints, of which there is at least one.
    """

    def __init__(self, words_for: Callable[[tuple[str, ...]], Likely]) -> None:
        self._words_for = lru_cache(_MOST_KEPT)(words_for)

    def beliefs(self, view: View) -> list[Likely]:
        """Probable words for each digit, by what Eve sees."""
        found = []
        shown = dict(view.shown)
        for digit, hints in enumerate(view.hints_by_digit, 1):
            read = tuple(hint for hint in hints if hint != HIDDEN)
            if digit in shown:
                found.append([(shown[digit], 1.0)])
            else:
                found.append(self._words_for(read) if read else [(NOTHING, 1.0)])
        return found


def near_words(words: Vocabulary, hints: tuple[str, ...]) -> Likely:
    """Words near the mean of a digit's hints: no more than the embedding Eve knows.

    She can think of the words of the hint vocabulary, since nobody shows her the bank.
    """
    mean = words.meaning.matrix(hints).mean(axis=0)
    if not mean.any():  # all of them are unknown words
        return [(NOTHING, 1.0)]
    nearness = np.einsum("ij,j->i", words.vectors, mean)
    nearness[[at for hint in hints if (at := words.index.get(hint)) is not None]] = -np.inf  # never its own keyword
    best = np.argsort(-nearness, kind="stable")[:NUM_WORDS]
    weights = np.exp(SHARPNESS * (nearness[best] - nearness[best[0]]))
    return [(words.words[at], float(chance)) for at, chance in zip(best, weights / weights.sum(), strict=True)]


def likely_words(literal: Production, hints: tuple[str, ...]) -> Likely:
    """All that follows from a digit's hints, if Alice hints as a literal speaker does (spec 9)."""
    return KeywordBelief(literal, [hints]).best(NUM_WORDS)[0]


def keyword_mind(base: str, lexicon: str) -> KeywordMind:
    """A mind by name: ``embedding`` or ``bayes``.

    Raises:
        UserError: if there is none.
    """
    if base == "embedding":
        return KeywordMind(partial(near_words, vocabulary(lexicon)))
    if base == "bayes":
        return KeywordMind(partial(likely_words, production(lexicon)))
    raise UserError(f"there is no base {base!r} of beliefs about keywords; expected embedding or bayes")
