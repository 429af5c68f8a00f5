"""How a literal speaker hints: words near a keyword are likelier than others (spec 9).

``S0(h|w) = exp(beta cos(h, w)) / Z(w)`` over the hint vocabulary, and never the keyword itself. All that the Bayesian
players know of language is in such a table; players with different lexica hear different things in the same hint.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

import numpy as np

from otherminds.core.errors import UserError
from otherminds.players.decrypto.embedding import Vocabulary, code_totals, vocabulary
from otherminds.worlds.decrypto.bank import keyword_bank
from otherminds.worlds.decrypto.lexicon import Array
from otherminds.worlds.decrypto.types import Code, Rules

BETA = 20.0  # how strongly a literal speaker prefers near words; never tuned


class Production:
    """Literal production of one lexicon.

    Args:
        hints: the vocabulary that is hinted with.
        words: what could be a keyword, for all that Eve knows; each equally likely before the game.
        beta: how strongly near words are preferred.
    """

    def __init__(self, hints: Vocabulary, words: Sequence[str], beta: float = BETA) -> None:
        self.hints, self.beta, self.meaning = hints, beta, hints.meaning
        self.words = tuple(word for word in dict.fromkeys(words) if word in self.meaning)
        self.index = {word: at for at, word in enumerate(self.words)}
        self._vectors = self.meaning.matrix(self.words)
        self._logs: dict[str, Array] = {}
        self._given: dict[str, Array] = {}

    @cached_property
    def _table(self) -> tuple[Array, Array]:
        """``S0`` as ``[hint, word]``, and ``log Z`` of each word."""
        found = self.hints.vectors @ self._vectors.T
        found *= self.beta
        np.exp(found, out=found)
        for word, at in self.index.items():
            if word in self.hints.index:
                found[self.hints.index[word], at] = 0
        totals = found.sum(axis=0)
        found /= totals
        return found, np.log(totals)

    @property
    def table(self) -> Array:
        """How likely each hint is for each word, ``float32 [hint, word]``."""
        return self._table[0]

    def log_row(self, hint: str) -> Array:
        """The logarithm of ``S0(hint|w)`` for every word; the same for all if the lexicon can make nothing of it."""
        if hint not in self._logs:
            at = self.hints.index.get(hint)
            if at is None:
                # A hint from outside the vocabulary is heard as one more word that could have been said.
                row = self.beta * np.einsum("ij,j->i", self._vectors, self.meaning.vector(hint)) - self._table[1]
                row = row if self.meaning.knows(hint) else np.zeros_like(row)
                if hint.lower() in self.index:
                    row[self.index[hint.lower()]] = -np.inf
            else:
                with np.errstate(divide="ignore"):
                    row = np.log(self.table[at])
            self._logs[hint] = row
        return self._logs[hint]

    def log_given(self, keyword: str) -> Array:
        """The logarithm of ``S0(h|keyword)`` for every hint of the vocabulary."""
        if keyword not in self._given:
            row = self.beta * self.hints.similarities(keyword)
            row = np.where(np.arange(len(row)) == self.hints.index.get(keyword.lower(), -1), -np.inf, row)
            self._given[keyword] = row - log_sum(row)
        return self._given[keyword]

    def log_chances(self, hints: Sequence[str], keywords: Sequence[str]) -> Array:
        """The logarithm of ``S0(hint|keyword)``, ``[hint, keyword]``, for words of any kind."""
        found = np.zeros((len(hints), len(keywords)))
        for j, keyword in enumerate(keywords):
            given = self.log_given(keyword)
            for i, hint in enumerate(hints):
                at = self.hints.index.get(hint)
                if at is not None:
                    found[i, j] = given[at]
                elif self.meaning.knows(hint):
                    found[i, j] = self._outside(hint, keyword, given)
        return found

    def _outside(self, hint: str, keyword: str, given: Array) -> float:
        if hint.lower() == keyword.lower():
            return -np.inf
        # log Z is what the vocabulary's own entries were divided by.
        inside = int(np.argmax(given))
        log_total = self.beta * float(self.hints.similarities(keyword)[inside]) - float(given[inside])
        return self.beta * float(self.meaning.vector(hint) @ self.meaning.vector(keyword)) - log_total


@cache
def production(name: str) -> Production:
    """Literal production over our hint words, by a lexicon's name.

    What could be a keyword is any hint word, or any word of our bank: a vocabulary in which keywords are not marked.
    """
    hints = vocabulary(name)
    return Production(hints, (*hints.words, *keyword_bank().words))


def productions(names: str) -> tuple[Production, ...]:
    """The same for several lexica, joined by ``+``."""
    found = [name.strip() for name in str(names).split("+")]
    if not all(found):
        raise UserError(f"lexica {names!r} have an empty name; join them with +, as in glove+moby")
    return tuple(production(name) for name in dict.fromkeys(found))


def code_logs(chances: Array, rules: Rules, used: Sequence[Code] = ()) -> Array:
    """The logarithm of the posterior of every code, from those of hints, ``[hint, digit]``; played codes have none."""
    found = code_totals(np.asarray(chances, float), rules, used)
    total = log_sum(found)
    if np.isneginf(total):  # nothing fits, as when every hint is a keyword: all that is left is as likely
        found = code_totals(np.zeros_like(chances), rules, used)
        total = log_sum(found)
    return found - total


def log_sum(values: Array) -> float:
    """The logarithm of a sum, from logarithms."""
    top = float(np.max(values))
    return top if np.isneginf(top) else top + float(np.log(np.exp(values - top).sum()))
