"""Literal production: a speaker who prefers hints near the keyword (spec 9).

``S0(h|w) = exp(beta cos(h, w)) / Z(w)`` over the hint vocabulary, and never the keyword itself. Such a table is all
that the Bayesian minds know of language; minds with different lexica hear different things in the same hint.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

import numpy as np

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.minds.embedding import Vocabulary, code_totals, vocabulary
from otherminds.worlds.decrypto.types import Code, Rules
from otherminds.worlds.decrypto.words.bank import keyword_bank
from otherminds.worlds.decrypto.words.lexicon import Array

BETA = 20.0  # strength of a literal speaker's preference for near words; never tuned


class Production:
    """Literal production of one lexicon.

    Args:
        hints: vocabulary of hints.
        words: words that could be keywords, as far as Eve knows; all equally likely before the game.
        beta: strength of the preference for near words.
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
        table = self.hints.vectors @ self._vectors.T
        table *= self.beta
        np.exp(table, out=table)
        for word, at in self.index.items():
            if word in self.hints.index:
                table[self.hints.index[word], at] = 0
        totals = table.sum(axis=0)
        table /= totals
        return table, np.log(totals)

    @property
    def table(self) -> Array:
        """The probability of each hint for each word, ``float32 [hint, word]``."""
        return self._table[0]

    def log_row(self, hint: str) -> Array:
        """The logarithm of ``S0(hint|w)`` for every word; the same for all words if the hint is unknown."""
        if hint not in self._logs:
            at = self.hints.index.get(hint)
            if at is None:
                # A hint outside the vocabulary is read as one more word that could have been said.
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
        """The logarithm of ``S0(hint|keyword)``, ``[hint, keyword]``, for any words."""
        logs = np.zeros((len(hints), len(keywords)))
        for j, keyword in enumerate(keywords):
            row = self.log_given(keyword)
            for i, hint in enumerate(hints):
                at = self.hints.index.get(hint)
                if at is not None:
                    logs[i, j] = row[at]
                elif self.meaning.knows(hint):
                    logs[i, j] = self._outside(hint, keyword, row)
        return logs

    def _outside(self, hint: str, keyword: str, row: Array) -> float:
        if hint.lower() == keyword.lower():
            return -np.inf
        # log Z follows from any entry of the vocabulary.
        inside = int(np.argmax(row))
        log_total = self.beta * float(self.hints.similarities(keyword)[inside]) - float(row[inside])
        return self.beta * float(self.meaning.vector(hint) @ self.meaning.vector(keyword)) - log_total


@cache
def production(name: str) -> Production:
    """Literal production over the shipped hint words, by the name of a lexicon.

    Any hint word and any word of the shipped bank could be a keyword: keywords are not marked.
    """
    hints = vocabulary(name)
    return Production(hints, (*hints.words, *keyword_bank()))


def productions(names: str) -> tuple[Production, ...]:
    """Literal production of several lexica, whose names are joined by ``+``."""
    lexica = [name.strip() for name in str(names).split("+")]
    if not all(lexica):
        raise UserError(f"lexicon {names!r} has an empty name; join names with +, as in glove+moby")
    return tuple(production(name) for name in dict.fromkeys(lexica))


def code_logs(chances: Array, rules: Rules, used: Sequence[Code] = ()) -> Array:
    """The log posterior of every code, from log likelihoods of hints, ``[hint, digit]``; played codes have none."""
    logs = code_totals(np.asarray(chances, float), rules, used)
    total = log_sum(logs)
    if np.isneginf(total):  # nothing fits, as when every hint is a keyword: all codes that are left are equally likely
        logs = code_totals(np.zeros_like(chances), rules, used)
        total = log_sum(logs)
    return logs - total


def log_sum(values: Array) -> float:
    """The logarithm of the sum of numbers, from their logarithms."""
    top = float(np.max(values))
    return top if np.isneginf(top) else top + float(np.log(np.exp(values - top).sum()))
