"""Bob or Eve by the likelihoods of a language model: the guess is the code that makes the hints likeliest."""

from __future__ import annotations

from otherminds.llm.likelihood import LikelihoodMind, weights_of
from otherminds.worlds.decrypto.minds.scripted import check_seat


def likelihood(seat: str, address: str = "") -> LikelihoodMind:
    """The mind of Bob or Eve.

    Args:
        seat: bob or eve.
        address: address of a llama.cpp server; the embedded model by default.

    Raises:
        UserError: if the seat is Alice's, or the embedded model is needed and not installed.
    """
    check_seat("likelihood", seat, "bob", "eve")
    return LikelihoodMind(weights_of(address))
