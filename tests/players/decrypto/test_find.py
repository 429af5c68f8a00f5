"""Players by name: what options take is checked before anybody plays."""

from __future__ import annotations

import pytest

from otherminds.core.errors import UserError
from otherminds.players.decrypto.embedding import EmbeddingAlice, EmbeddingGuesser
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.rsa import RSAAlice


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("embedding:k=abc", "expected a whole number"),
        ("embedding:k=1.5", "expected a whole number"),
        ("embedding:vocabulary_size=many", "expected a whole number"),
        ("rsa:lam=abc", "'lam' of player 'rsa' is 'abc'; expected a number"),
        ("rsa:lam=nan", "expected a number"),
        ("rsa:mu=inf", "expected a number"),
        ("rsa:lexicon=5", "no lexicon"),
        ("embedding:checks=5", "expected true or false"),
        ("embedding:assigns=5", "expected global or greedy"),
        ("egocentric:player=3", "no player '3'"),
    ],
)
def test_an_option_that_is_not_what_it_takes_is_refused(spec: str, complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        find_seat(spec, "alice")


def test_options_are_read_as_what_they_take() -> None:
    alice = find_seat("embedding:k=8,checks=false", "alice")
    assert isinstance(alice, EmbeddingAlice)
    assert (alice.k, alice.checks) == (8, False)
    rsa = find_seat("rsa:lam=4", "alice")
    assert isinstance(rsa, RSAAlice)
    assert rsa.aims.lam == 4.0
    bob = find_seat("embedding:assigns=greedy", "bob")
    assert isinstance(bob, EmbeddingGuesser)
    assert bob.assigns == "greedy"
