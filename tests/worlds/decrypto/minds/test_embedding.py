"""Minds of Decrypto by name and with options; the embedding baseline."""

from dataclasses import replace

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.minds.embedding import EmbeddingAlice, EmbeddingGuesser, Vocabulary, mean_hints
from otherminds.worlds.decrypto.minds.rsa import RSAAlice
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.types import Game, Intervention, Rules, Turn
from otherminds.worlds.decrypto.words.lexicon import Lexicon, lexicon, unit
from tests.worlds.decrypto.minds.asking import named, seated


def test_a_lexicon_alone_is_the_baseline_with_it() -> None:
    assert named("moby", "bob").meaning.name == "moby"
    assert named("embedding:lexicon=glove~0.5", "bob").meaning.name == "glove~0.5"
    alice = named("embedding:lexicon=glove,k=60,vocabulary_size=3000", "alice")
    assert alice.k == 60
    assert alice.name == "embedding:lexicon=glove,k=60,vocabulary_size=3000"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("golve", "did you mean 'glove'"),
        ("glove:kk=3", "no option 'kk'; did you mean 'k'"),
        ("rsa:lam=4,mu", "no value"),
        ("embedding:k=abc", "expected a whole number"),
        ("embedding:k=1.5", "expected a whole number"),
        ("rsa:lam=nan", "expected a number"),
        ("rsa:lexicon=5", "no lexicon"),
        ("embedding:remembers_codes=5", "expected true or false"),
        ("egocentric:acts=3", "no mind '3'"),
        ("glove:k=0", "at least 1"),
        ("uniform", "cannot play alice"),
        ("embedding:lexicon=none", "no lexicon"),
    ],
)
def test_a_mind_that_cannot_be_had_is_named(spec: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        named(spec, "alice")


def test_there_are_three_seats() -> None:
    with pytest.raises(UserError, match="no seat 'carol'"):
        named("glove", "carol")


def test_options_are_read_as_what_they_take() -> None:
    alice = named("embedding:k=8", "alice")
    assert isinstance(alice, EmbeddingAlice)
    assert alice.k == 8
    rsa = named("rsa:lam=4", "alice")
    assert isinstance(rsa, RSAAlice)
    assert rsa.aims.lam == 4.0
    bob = named("embedding:remembers_codes=true", "bob")
    assert isinstance(bob, EmbeddingGuesser)
    assert bob.remembers_codes


def test_an_embedding_eve_makes_nothing_of_a_hint_that_she_could_not_read() -> None:
    """A blot is no word: it must not count as one that the lexicon does not know."""
    hinted = Turn((1, 2, 3), ("boat", "piano", "snow"), (1, 2, 3), (1, 2, 3))
    game = Game(Rules(), 0, ("river", "music", "winter", "doctor"), ((1, 2, 3), (2, 1, 4)), (hinted,))
    blots = tuple(Intervention("hide", 1, digit) for digit in (1, 2))
    means = mean_hints(lexicon("glove"), view(replace(game, interventions=blots), "eve", ("a", "b", "c")))
    assert not means[0].any()
    assert not means[1].any()
    assert means[2].any()


def test_alice_looks_at_one_word_more_each_time_a_keyword_is_hinted_at() -> None:
    """With k = 1 she says the nearest word, then the next nearest, and never has to fall back (spec 3)."""
    angles = {"sun": 0, "near": 5, "middle": 10, "far": 15, "moon": 90, "dark": 95}
    rows = np.array([[np.cos(np.radians(angle)), np.sin(np.radians(angle))] for angle in angles.values()])
    words = Vocabulary(Lexicon("tiny", tuple(angles), unit(rows)), ("far", "near", "dark", "middle"))
    rules = Rules(keywords=2, length=1, turns=2)
    alice = EmbeddingAlice(words, k=1)
    seated(alice, "alice", rules)
    seen = view(Game(rules, 0, ("sun", "moon"), ((1,), (2,))), "alice")
    assert [alice.act(seen) for _ in range(3)] == [("near",), ("middle",), ("far",)]
    assert alice.fallbacks == 0
