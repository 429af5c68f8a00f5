"""Words that a mind cannot place are in its record, and do not sway its guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from otherminds.worlds.decrypto.minds.controls import NOTHING, keyword_beliefs, keyword_guess
from otherminds.worlds.decrypto.minds.scripted import ScriptedMind
from otherminds.worlds.decrypto.observe import RoleView, view
from otherminds.worlds.decrypto.rules import all_codes, reveal
from otherminds.worlds.decrypto.types import Game, Hints, Rules
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.minds.asking import minds, named, seated
from tests.worlds.decrypto.minds.asking import played as played_to_the_end

KEYWORDS = ("lion", "piano", "honey", "winter")
STRANGE = "qwxzv"


class Saying(ScriptedMind):
    """Says the hints for the digits that she is given, be they words or not."""

    name = "saying"

    def __init__(self, hints: Sequence[str]) -> None:
        self.hints = hints

    def act(self, view: RoleView) -> Hints:
        return tuple(self.hints[digit - 1] for digit in view.code)


def dealt(keywords: tuple[str, ...] = KEYWORDS) -> Game:
    return replace(Decrypto(hints="off").deal(3), keywords=keywords)


def played(bob: str, eve: str, hints: Sequence[str], keywords: tuple[str, ...] = KEYWORDS) -> list[dict[str, Any]]:
    _, record = played_to_the_end(dealt(keywords), minds(alice=Saying(hints), bob=bob, eve=eve))
    return [turn.get("thoughts", {}) for turn in record.turns]


@pytest.mark.parametrize(
    ("bob", "eve"), [("glove", "glove"), ("bayes", "bayes"), ("rsa", "bayes"), ("rsa:order=1", "glove")]
)
def test_the_record_of_a_game_has_what_its_minds_could_not_place(bob: str, eve: str) -> None:
    for thoughts in played(bob, eve, [STRANGE] * 4):
        assert thoughts["bob"]["unknown"] == thoughts["eve"]["unknown"] == [STRANGE]
    for thoughts in played(bob, eve, ["pizza", "violins", "jar of jam", "snowman"]):
        assert not any("unknown" in one for one in thoughts.values())


@pytest.mark.parametrize("alice", ["glove", "rsa"])
def test_alice_tells_of_keywords_that_mean_nothing_to_her(alice: str) -> None:
    _, record = played_to_the_end(dealt((STRANGE, "piano", "honey", "winter")), minds(alice=alice))
    for turn in record.turns:
        assert turn["thoughts"]["alice"]["unknown"] == turn["thoughts"]["bob"]["unknown"] == [STRANGE]
        assert "eve" not in turn["thoughts"]  # she has not seen it


@pytest.mark.parametrize("bob", ["glove", "bayes"])
def test_the_other_hints_decide_where_one_is_unknown(bob: str) -> None:
    hints = {1: "tiger", 2: "guitar", 3: "sugar", 4: "snow"}
    mind = seated(named(bob, "bob"), "bob")
    for code in all_codes(Rules()):
        said = tuple(hints[digit] for digit in code)
        assert mind.act(view(dealt(), "bob", said)) == code
        guess = mind.act(view(dealt(), "bob", (said[0], STRANGE, said[2])))
        assert (guess[0], guess[2]) == (code[0], code[2])


def test_eve_learns_nothing_from_unknown_words() -> None:
    game = reveal(dealt(), (STRANGE,) * 3, (1, 2, 3), (1, 2, 3))
    guess = keyword_guess("embedding", "glove")
    assert keyword_beliefs(guess, view(game, "eve")) == [[(NOTHING, 1.0)]] * 4
    eve = seated(named("glove", "eve"))
    assert eve.act(view(game, "eve", ("tiger", "violin", "snow"))) == (1, 2, 3)  # as if nothing had been said
