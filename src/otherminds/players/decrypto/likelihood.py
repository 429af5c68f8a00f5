"""A language model that is weighed, not asked: how likely it finds a hint after a keyword, or after past hints.

A small model cannot follow the rules of a game, but it knows which words go together. Bob takes the code under which
the hints are likeliest after their keywords; Eve the one under which they are likeliest after the past hints of their
digits; Alice says what is likely after her keyword and less so after the others. Nobody models anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing
from otherminds.core.seeds import Draw
from otherminds.players.decrypto.embedding import best_code
from otherminds.players.decrypto.seats import Guesser, Hinter
from otherminds.worlds.decrypto.bank import hint_words
from otherminds.worlds.decrypto.hints import hint_problems
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.types import HIDDEN, Code, Hints, role_of

# What a hint is read after; ``benchmarks/decrypto_likelihood.py`` compares other wordings.
AFTER_KEYWORD = "Words related to {word}:"
AFTER_HINTS = "Synonyms: {words},"
AFTER_NOTHING = "Synonyms:"
CANDIDATES = 400  # most likely next words that Alice looks at


class Weights(Protocol):
    """What a language model can tell without being asked."""

    def weigh(self, text: str, word: str) -> float:
        """The log-probability of a word after a text."""

    def likely(self, text: str, number: int) -> Sequence[str]:
        """The likeliest words after a text, likeliest first; fewer than asked for, as not everything is a word."""


@dataclass
class LikelihoodGuesser(Guesser):
    """Bob or Eve: the code that makes the hints likeliest, of those that were not played yet."""

    weights: Weights
    name: str = "likelihood"
    _scores: list[list[float]] = field(default_factory=list)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._scores = []

    def guess(self, view: View) -> Code:
        texts = [after_keyword(word) for word in view.keywords] if view.keywords else list(map(after, _past(view)))
        self._scores = [[self.weights.weigh(text, hint) for text in texts] for hint in view.hints or ()]
        return best_code(np.array(self._scores), view.rules, view.used)

    def thoughts(self) -> dict[str, Any]:
        """The log-probability of each hint for each digit."""
        return {"scores": [[round(score, 2) for score in row] for row in self._scores]}


@dataclass
class LikelihoodAlice(Hinter):
    """Alice: the likeliest word after a keyword that is less likely after each of the others."""

    weights: Weights
    name: str = "likelihood"
    candidates: int = CANDIDATES
    vocabulary: frozenset[str] = field(default_factory=lambda: frozenset(hint_words()))

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._draw = Draw(seed)

    def hint(self, view: View) -> Hints:
        words = view.keywords or ()
        used = [hint for turn in view.past for hint in turn.hints]
        found: list[str] = []
        for digit in view.code or ():
            found.append(self._hint(words, digit - 1, [*used, *found]))
        return tuple(found)

    def _hint(self, words: Sequence[str], place: int, used: Sequence[str]) -> str:
        texts = [after_keyword(word) for word in words]
        free = [
            word
            for word in self.weights.likely(texts[place], self.candidates)
            if word in self.vocabulary and not hint_problems([word], words, used)
        ]
        for word in free:
            own = self.weights.weigh(texts[place], word)
            if all(self.weights.weigh(text, word) < own for at, text in enumerate(texts) if at != place):
                return word
        if free:
            return free[0]
        left = sorted(word for word in self.vocabulary if not hint_problems([word], words, used))
        return self._draw.pick(left)


def after_keyword(word: str) -> str:
    """The text that hints for a keyword are read after."""
    return AFTER_KEYWORD.format(word=word)


def after(hints: Sequence[str]) -> str:
    """The text that another hint for the same digit is read after."""
    return AFTER_HINTS.format(words=", ".join(hints)) if hints else AFTER_NOTHING


def _past(view: View) -> list[list[str]]:
    return [[hint for hint in hints if hint != HIDDEN] for hints in view.hints_by_digit]


def likelihood(seat: str, address: str = "", candidates: int = CANDIDATES) -> LikelihoodAlice | LikelihoodGuesser:
    """The mind in any seat.

    Args:
        seat: that it is to fill.
        address: of a llama.cpp server; the embedded model without one.
        candidates: most likely next words that Alice looks at.

    Raises:
        UserError: if there are no candidates, or the embedded model is needed and not installed.
    """
    from otherminds.llm.likelihood import weights_of

    if candidates < 1:
        raise UserError(f"candidates is {candidates}; expected at least 1")
    weights = weights_of(address)
    return LikelihoodAlice(weights, candidates=candidates) if role_of(seat) == "alice" else LikelihoodGuesser(weights)
