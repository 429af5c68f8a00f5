"""Control agents say what they are made to say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.minds.controls import NOTHING, keyword_beliefs, keyword_guess
from otherminds.worlds.decrypto.observe import RoleView, view
from otherminds.worlds.decrypto.rules import reveal
from otherminds.worlds.decrypto.types import Game, Intervention
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.minds.asking import asked, named, seated

SHOWN = ("lion", "piano", "honey", "winter")
BEFORE = {"whose": "before", "shown": SHOWN}
NOW: dict[str, Any] = {}


def after_two_turns() -> Game:
    game = Decrypto().deal(3)
    game = replace(game, keywords=("lion", "piano", "honey", "winter"), codes=((1, 2, 3), (1, 2, 4), *game.codes[2:]))
    game = reveal(game, ("tiger", "violin", "bees"), (1, 2, 3), (4, 3, 2))
    return reveal(game, ("elephant", "guitar", "snow"), (1, 2, 4), (4, 3, 2))


def seen() -> RoleView:
    return view(after_two_turns(), "eve")


def said(spec: str, question: dict[str, Any], seed: int = 0) -> tuple[str, ...]:
    found = asked(seated(named(spec, "eve"), seed=seed), seen(), "keywords", **question)
    assert isinstance(found, tuple)
    return found


@pytest.mark.parametrize("base", ["embedding", "bayes"])
def test_the_ceiling_answers_as_if_nothing_had_been_shown(base: str) -> None:
    assert said(f"simulating:base={base}", BEFORE) == said(f"simulating:base={base}", NOW)
    assert said(f"simulating:base={base}", NOW) != SHOWN


def test_the_floor_says_what_it_is_shown_be_it_wrong() -> None:
    assert said("reality-biased", BEFORE) == SHOWN
    assert said("reality-biased", {**BEFORE, "shown": ("a", "b", "c", "d")}) == ("a", "b", "c", "d")
    assert said("reality-biased", NOW) == said("simulating", NOW)


def test_leaks_come_at_their_rate_and_are_independent() -> None:
    thought, shown = said("simulating", NOW), ("lion", "anchor", "honey", "winter")
    assert not any(a == b for a, b in zip(thought, shown, strict=True))  # or a thought would be taken for a leak
    answers = [said("leaky:q=0.3", {**BEFORE, "shown": shown}, seed) for seed in range(400)]
    leaked = [[a == b for a, b in zip(one, shown, strict=True)] for one in answers]
    assert all(word in pair for one in answers for word, *pair in zip(one, thought, shown, strict=True))
    rate = sum(map(sum, leaked)) / 1600
    assert abs(rate - 0.3) < 4 * (0.3 * 0.7 / 1600) ** 0.5
    both = sum(one[0] and one[1] for one in leaked) / 400
    assert abs(both - 0.09) < 4 * (0.09 * 0.91 / 400) ** 0.5


def test_asked_twice_the_resampling_eve_says_something_else_and_the_others_do_not() -> None:
    for spec, is_steady in (("resampling", False), ("simulating", True)):
        eve = seated(named(spec, "eve"), seed=1)
        answers = {asked(eve, seen(), "keywords", name=f"A{number}") for number in range(10)}
        assert (len(answers) == 1) == is_steady


def test_the_same_seed_gives_the_same_answers_and_another_seed_others() -> None:
    assert said("resampling", NOW, 1) == said("resampling", NOW, 1)
    assert len({said("resampling", NOW, seed) for seed in range(10)}) > 1


def test_answers_leave_no_trace_in_play() -> None:
    bothered, quiet = (seated(named("leaky", "eve"), seed=4) for _ in range(2))
    hints = seen()._replace(hints=("cub", "organ", "wax"))
    found = []
    for eve, times in ((bothered, 5), (quiet, 0)):
        for _ in range(times):
            asked(eve, seen(), "keywords", **BEFORE)
        found.append([eve.act(hints) for _ in range(8)])
    assert found[0] == found[1]


@pytest.mark.parametrize("base", ["embedding", "bayes"])
def test_keywords_are_thought_of_by_their_hints_alone(base: str) -> None:
    guess = keyword_guess(base, "glove")
    beliefs = keyword_beliefs(guess, seen())
    assert all(0 < sum(chance for _, chance in words) < 1.001 for words in beliefs)
    assert all(words[0][1] == max(chance for _, chance in words) for words in beliefs)
    assert "tiger" not in dict(beliefs[0])
    first = view(Decrypto().deal(0), "eve")
    assert [words[0][0] for words in keyword_beliefs(guess, first)] == [NOTHING] * 4


def test_a_hidden_hint_is_not_thought_of_and_a_shown_keyword_is_believed() -> None:
    game = after_two_turns()
    hidden = replace(game, interventions=(Intervention("hide", 2, 4), Intervention("reveal", 2, 1, "lion")))
    for base in ("embedding", "bayes"):
        beliefs = keyword_beliefs(keyword_guess(base, "glove"), view(hidden, "eve"))
        assert beliefs[3] == [(NOTHING, 1.0)]
        assert beliefs[0] == [("lion", 1.0)]


def test_the_egocentric_alice_predicts_the_code_and_the_simulating_one_eve() -> None:
    game = after_two_turns()
    mine = view(game, "alice")
    hints = ("cub", "organ", "wax")
    found = {}
    for spec in ("egocentric", "simulating", "simulating:eve=bayes"):
        alice = seated(named(spec, "alice"), "alice", game.rules)
        found[spec] = asked(alice, mine, "guess", "eve", hints=hints)
        chance = asked(alice, mine, "chance", "eve", hints=hints)
        assert chance == float(found[spec] == mine.code)
    assert found["egocentric"] == mine.code
    for spec, name in (("glove", "simulating"), ("bayes", "simulating:eve=bayes")):
        eve = seated(named(spec, "eve"), rules=game.rules)
        assert found[name] == eve.act(view(game, "eve", hints))


def test_a_mind_within_has_options_of_its_own() -> None:
    alice = named(
        "simulating:acts=embedding:lexicon=glove;k=3,eve=embedding:lexicon=moby;remembers_codes=true", "alice"
    )
    assert alice.acts.k == 3
    assert alice.eve.remembers_codes


@pytest.mark.parametrize(
    ("spec", "seat", "why"),
    [
        ("leaky:q=2", "eve", "option 'q' of mind 'leaky' is 2; expected a probability"),
        ("leaky", "alice", "cannot play alice; it can only play eve"),
        ("egocentric", "eve", "cannot play eve; it can only play alice"),
        ("simulating", "bob", "cannot play bob; it can only play alice or eve"),
        ("simulating:eve=glove", "eve", "apply only to Alice"),
        ("simulating:base=bayes", "alice", "applies only to Eve"),
        ("leaky:base=magic", "eve", "option 'base' of mind 'leaky' is 'magic'"),
        ("egocentric:acts=random", "alice", "cannot choose a control's acts"),
    ],
)
def test_what_cannot_be_is_refused(spec: str, seat: str, why: str) -> None:
    with pytest.raises(UserError, match=why):
        named(spec, seat)
