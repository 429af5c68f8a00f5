"""A language model that is weighed as Bob or Eve: which code makes the hints likeliest? Nobody models anybody."""

from __future__ import annotations

from otherminds.llm.likelihood import LikelihoodMind, weights_of
from otherminds.players.decrypto.seats import check_seat


def likelihood(seat: str, address: str = "") -> LikelihoodMind:
    """The mind of Bob or Eve.

    Args:
        seat: that it is to fill.
        address: of a llama.cpp server; the embedded model without one.

    Raises:
        UserError: if it is to be Alice, or the embedded model is needed and not installed.
    """
    check_seat("likelihood", seat, "bob", "eve")
    return LikelihoodMind(weights_of(address))
