"""Literal production: a speaker who prefers hints near the keyword (spec 9).

``S0(h|w) = exp(beta cos(h, w)) / Z(w)`` over the hint vocabulary, and never the keyword itself. Such a table is all
that the Bayesian minds know of language; minds with different lexica hear different things in the same hint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import CannotAnswer
from otherminds.core.world import Ask
from otherminds.worlds.decrypto.minds.embedding import Vocabulary, code_totals, vocabulary
from otherminds.worlds.decrypto.minds.scripted import ScriptedMind, check_seat
from otherminds.worlds.decrypto.observe import RoleView, eve_as_seen_by
from otherminds.worlds.decrypto.probes import Answer, whose_view
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import HIDDEN, Code, Hints, Rules
from otherminds.worlds.decrypto.words.lexicon import Array, Lexicon, keyword_bank

BETA = 20.0  # strength of a literal speaker's preference for near words; never tuned


class Production:
    """Literal production of one lexicon. Any of ``words`` could be a keyword, as far as Eve knows."""

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
    """The log posterior of every code, from log likelihoods ``[hint, digit]``; minus infinity for played codes."""
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


TOP = 5  # words of each digit that are recorded as thoughts


class KeywordBelief:
    """The posterior of each keyword, if Alice is a literal speaker, given past hints and words shown as keywords."""

    def __init__(
        self, literal: Production, hints_by_digit: Sequence[Sequence[str]], shown: Sequence[tuple[int, str]] = ()
    ) -> None:
        self.literal, self.shown = literal, {digit - 1: word for digit, word in shown}
        rows = []
        for hints in hints_by_digit:
            logs = sum((literal.log_row(hint) for hint in hints if hint != HIDDEN), np.zeros(len(literal.words)))
            total = log_sum(logs)
            # Hints that rule out every word, which takes a tiny vocabulary, are no evidence.
            rows.append(np.exp(logs - total) if np.isfinite(total) else np.full(len(logs), 1 / len(logs)))
        self.weights: Array = np.array(rows, np.float32)  # [digit, word]

    def log_chances(self, hints: Sequence[str]) -> Array:
        """The log likelihood of each hint for each digit, ``[hint, digit]``."""
        rows = np.exp(np.array([self.literal.log_row(hint) for hint in hints], np.float32))
        return self._with_shown(rows, lambda word: self.literal.log_chances(hints, [word])[:, 0])

    def log_chances_at(self, places: Array) -> Array:
        """The same for hints by their index in the vocabulary."""
        return self._with_shown(self.literal.table[places], lambda word: self.literal.log_given(word)[places])

    def _with_shown(self, rows: Array, row_of: Any) -> Array:
        # Not a matrix product: those wait for threads, which is slow on a busy machine.
        sums = np.einsum("hw,jw->hj", rows, self.weights).astype(np.float64)
        with np.errstate(divide="ignore"):
            logs: Array = np.log(sums)
        for slot, word in self.shown.items():
            logs[:, slot] = row_of(word)
        return logs

    def chance_of(self, keywords: Sequence[str]) -> Array:
        """The probability of each true keyword, ``[digit]``; 0 for a word outside the vocabulary."""
        chances = np.zeros(len(keywords))
        for slot, word in enumerate(keywords):
            if slot in self.shown:
                chances[slot] = float(self.shown[slot] == word)
            elif word in self.literal.index:
                chances[slot] = self.weights[slot, self.literal.index[word]]
        return chances

    def best(self, number: int = TOP) -> list[list[tuple[str, float]]]:
        """The likeliest words of each digit with their probabilities; ties go to the more frequent word."""
        best = []
        for slot, row in enumerate(self.weights):
            order = np.argsort(-row, kind="stable")[:number]
            words = [(self.literal.words[at], float(row[at])) for at in order.tolist()]
            best.append([(self.shown[slot], 1.0)] if slot in self.shown else words)
        return best


@dataclass
class BayesianGuesser(ScriptedMind):
    """Eve of the first order; as Bob, a literal listener.

    Asked what she thought before she was shown a keyword, or what another would think, she infers without it.
    """

    literal: Production  # the speaker that she takes Alice for
    name: str = "bayes"
    _belief: KeywordBelief | None = field(default=None, init=False, repr=False)  # at the last guess

    def act(self, view: RoleView) -> Code:
        self._belief = self.belief(view) if not view.keywords else None
        return _best(self.posterior(view, view.hints, self._belief), view.rules)

    def posterior(self, view: RoleView, hints: Hints, belief: KeywordBelief | None = None) -> Array:
        """The logarithm of the probability of each code."""
        if view.keywords:
            return code_logs(self.literal.log_chances(hints, view.keywords), view.rules, view.used)
        return code_logs((belief or self.belief(view)).log_chances(hints), view.rules, view.used)

    def belief(self, view: RoleView) -> KeywordBelief:
        """Her belief about the keywords, from past hints."""
        return KeywordBelief(self.literal, view.hints_by_digit, view.shown)

    def answer(self, ask: Ask) -> Answer:
        view, probe = ask.view.data, ask.probe
        assert probe is not None
        whose = whose_view(probe.kind)
        if probe.about == "keywords":
            if whose == "now" and (probe.shown or view.keywords):
                return tuple(probe.shown or view.keywords)
            seen = view if whose == "now" or view.role == "eve" else eve_as_seen_by(view)
            if whose in ("before", "other"):
                seen = seen._replace(shown=())  # neither of these has seen what Eve was shown since
            return tuple(words[0][0] for words in self.belief(seen).best(1))
        if not view.hints:
            raise CannotAnswer(f"a probe about a {probe.about} needs the hints of this turn")
        eve = view if view.role == "eve" else eve_as_seen_by(view)
        logs = self.posterior(view if probe.about == "guess" and whose != "eve" else eve, view.hints)
        if probe.about == "chance":
            return float(np.exp(logs.max()))
        return _best(logs, view.rules)

    def lexica(self) -> tuple[Lexicon, ...]:
        return (self.literal.meaning,)

    def thoughts(self, view: RoleView) -> dict[str, Any]:
        thoughts = super().thoughts(view)
        if self._belief is not None:
            rows = self._belief.best()
            thoughts["keywords"] = [[[word, round(chance, 4)] for word, chance in row] for row in rows]
        return thoughts


def _best(logs: Array, rules: Rules) -> Code:
    """The likeliest code; ties, up to rounding, go to the first."""
    return all_codes(rules)[int(np.argmax(np.round(logs, 5)))]


def bayes(seat: str, lexicon: str = "glove") -> BayesianGuesser:
    """A Bayesian Eve, or a literal Bob.

    Raises:
        UserError: if the seat is Alice's, or the lexicon does not exist.
    """
    check_seat("bayes", seat, "bob", "eve")
    literals = productions(lexicon)
    if len(literals) > 1:
        raise UserError(f"mind 'bayes' takes one lexicon; found {lexicon!r}")
    return BayesianGuesser(literals[0])
