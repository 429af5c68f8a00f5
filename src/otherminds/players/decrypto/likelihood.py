"""A language model that is weighed, not asked: how likely it finds a hint after a keyword, or after past hints.

A small model cannot follow the rules of a game, but it knows which words go together. Bob takes the code under which
the hints are likeliest after their keywords; Eve the one under which they are likeliest after the past hints of their
digits. Nobody models anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from otherminds.players.decrypto.embedding import best_code
from otherminds.players.decrypto.seats import Guesser, check_seat
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.types import HIDDEN, Code

if TYPE_CHECKING:
    from otherminds.llm.likelihood import Weights

# What a hint is read after; ``benchmarks/decrypto_likelihood.py`` compares other wordings.
AFTER_KEYWORD = "Words related to {word}:"
AFTER_HINTS = "Synonyms: {words},"
AFTER_NOTHING = "Synonyms:"


class LikelihoodGuesser(Guesser):
    """Bob or Eve: the code that makes the hints likeliest, of those that were not played yet."""

    name = "likelihood"

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._scores: list[list[float]] = []  # of each hint for each digit, at the last guess

    def guess(self, view: View) -> Code:
        texts = (
            [AFTER_KEYWORD.format(word=word) for word in view.keywords]
            if view.keywords
            else list(map(after, view.hints_by_digit))
        )
        self._scores = [[self.weights.weigh(text, hint) for text in texts] for hint in view.hints]
        return best_code(np.array(self._scores), view.rules, view.used)

    def thoughts(self, view: View) -> dict[str, Any]:
        """The log-probability of each hint for each digit."""
        return {"scores": [[round(score, 2) for score in row] for row in self._scores]}


def after(hints: Sequence[str]) -> str:
    """The text that another hint for the same digit is read after."""
    read = ", ".join(hint for hint in hints if hint != HIDDEN)
    return AFTER_HINTS.format(words=read) if read else AFTER_NOTHING


def likelihood(seat: str, address: str = "") -> LikelihoodGuesser:
    """The mind of Bob or Eve.

    Args:
        seat: that it is to fill.
        address: of a llama.cpp server; the embedded model without one.

    Raises:
        UserError: if it is to be Alice, or the embedded model is needed and not installed.
    """
    from otherminds.llm.likelihood import weights_of

    check_seat("likelihood", seat, "bob", "eve")
    return LikelihoodGuesser(weights_of(address))
