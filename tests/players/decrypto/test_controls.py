"""Control agents say what they are made to say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from otherminds.core.errors import UserError
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.keywords import NOTHING, find_mind
from otherminds.worlds.decrypto.observe import View, view
from otherminds.worlds.decrypto.questions import Question
from otherminds.worlds.decrypto.rules import reveal
from otherminds.worlds.decrypto.types import Game, Intervention, Rules
from otherminds.worlds.decrypto.world import Decrypto

BEFORE = Question("keywords", "before", ("lion", "piano", "honey", "winter"))
NOW = Question("keywords")


def after_two_turns() -> Game:
    game = Decrypto().deal(3)
    game = replace(game, keywords=("lion", "piano", "honey", "winter"), codes=((1, 2, 3), (1, 2, 4), *game.codes[2:]))
    game = reveal(game, ("tiger", "violin", "bees"), (1, 2, 3), (4, 3, 2))
    return reveal(game, ("elephant", "guitar", "snow"), (1, 2, 4), (4, 3, 2))


def seen() -> View:
    return view(after_two_turns(), "eve")


def said(spec: str, question: Question, seed: int = 0, seen_by: View | None = None) -> tuple[str, ...]:
    eve = find_seat(spec, "eve")
    eve.begin("eve", Rules(), seed)
    found = eve.answer(seen_by or seen(), question)  # type: ignore[attr-defined]
    assert isinstance(found, tuple)
    return found


@pytest.mark.parametrize("base", ["embedding", "bayes"])
def test_the_ceiling_answers_as_if_nothing_had_been_shown(base: str) -> None:
    assert said(f"simulating:base={base}", BEFORE) == said(f"simulating:base={base}", NOW)
    assert said(f"simulating:base={base}", NOW) != BEFORE.shown


def test_the_floor_says_what_it_is_shown_be_it_wrong() -> None:
    assert said("reality-biased", BEFORE) == BEFORE.shown
    assert said("reality-biased", replace(BEFORE, shown=("a", "b", "c", "d"))) == ("a", "b", "c", "d")
    assert said("reality-biased", NOW) == said("simulating", NOW)


def test_leaks_come_at_their_rate_and_are_independent() -> None:
    thought, shown = said("simulating", NOW), ("lion", "anchor", "honey", "winter")
    assert not any(a == b for a, b in zip(thought, shown, strict=True))  # or a thought would be taken for a leak
    answers = [said("leaky:q=0.3", replace(BEFORE, shown=shown), seed) for seed in range(400)]
    leaked = [[a == b for a, b in zip(one, shown, strict=True)] for one in answers]
    assert all(word in pair for one in answers for word, *pair in zip(one, thought, shown, strict=True))
    rate = sum(map(sum, leaked)) / 1600
    assert abs(rate - 0.3) < 4 * (0.3 * 0.7 / 1600) ** 0.5
    both = sum(one[0] and one[1] for one in leaked) / 400
    assert abs(both - 0.09) < 4 * (0.09 * 0.91 / 400) ** 0.5


def test_asked_twice_the_resampling_eve_says_something_else_and_the_others_do_not() -> None:
    for spec, is_steady in (("resampling", False), ("simulating", True)):
        eve = find_seat(spec, "eve")
        eve.begin("eve", Rules(), 1)
        answers = {eve.answer(seen(), NOW) for _ in range(10)}  # type: ignore[attr-defined]
        assert (len(answers) == 1) == is_steady


def test_the_same_seed_gives_the_same_answers_and_another_seed_others() -> None:
    assert said("resampling", NOW, 1) == said("resampling", NOW, 1)
    assert len({said("resampling", NOW, seed) for seed in range(10)}) > 1


def test_answers_leave_no_trace_in_play() -> None:
    asked, quiet = find_seat("leaky:player=uniform", "eve"), find_seat("leaky:player=uniform", "eve")
    hints = replace(seen(), hints=("cub", "organ", "wax"))
    for eve in (asked, quiet):
        eve.begin("eve", Rules(), 4)
    found = []
    for eve, times in ((asked, 5), (quiet, 0)):
        for _ in range(times):
            eve.answer(seen(), BEFORE)  # type: ignore[attr-defined]
        found.append([eve.guess(hints) for _ in range(8)])
    assert found[0] == found[1]


@pytest.mark.parametrize("base", ["embedding", "bayes"])
def test_keywords_are_thought_of_by_their_hints_alone(base: str) -> None:
    mind = find_mind(base, "glove")
    beliefs = mind.beliefs(seen())
    assert all(0 < sum(chance for _, chance in words) < 1.001 for words in beliefs)
    assert all(words[0][1] == max(chance for _, chance in words) for words in beliefs)
    assert "tiger" not in dict(beliefs[0])
    first = view(Decrypto().deal(0), "eve")
    assert [words[0][0] for words in mind.beliefs(first)] == [NOTHING] * 4


def test_a_hidden_hint_is_not_thought_of_and_a_shown_keyword_is_believed() -> None:
    game = after_two_turns()
    hidden = replace(game, interventions=(Intervention("hide", 2, 4), Intervention("reveal", 2, 1, "lion")))
    for base in ("embedding", "bayes"):
        beliefs = find_mind(base, "glove").beliefs(view(hidden, "eve"))
        assert beliefs[3] == [(NOTHING, 1.0)]
        assert beliefs[0] == [("lion", 1.0)]


def test_the_egocentric_alice_predicts_the_code_and_the_simulating_one_eve() -> None:
    game = after_two_turns()
    mine = view(game, "alice")
    hints = ("cub", "organ", "wax")
    question = Question("guess", "eve", hints=hints)
    found = {}
    for spec in ("egocentric", "simulating", "simulating:eve=bayes"):
        alice = find_seat(spec, "alice")
        alice.begin("alice", game.rules, 0)
        found[spec] = alice.answer(mine, question)  # type: ignore[attr-defined]
        chance = alice.answer(mine, replace(question, about="chance"))  # type: ignore[attr-defined]
        assert chance == float(found[spec] == mine.code)
    assert found["egocentric"] == mine.code
    for spec, name in (("glove", "simulating"), ("bayes", "simulating:eve=bayes")):
        eve = find_seat(spec, "eve")
        eve.begin("eve", game.rules, 0)
        assert found[name] == eve.guess(view(game, "eve", hints))


def test_a_player_within_has_options_of_its_own() -> None:
    alice = find_seat(
        "simulating:player=embedding:lexicon=glove;k=3,eve=embedding:lexicon=moby;remembers_codes=true", "alice"
    )
    assert alice.player.k == 3  # type: ignore[attr-defined]
    assert alice.eve.remembers_codes  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "role", "why"),
    [
        ("leaky:q=2", "eve", "q is 2; expected a probability"),
        ("leaky", "alice", "made to be eve; it cannot be alice"),
        ("egocentric", "eve", "made to be alice; it cannot be eve"),
        ("simulating", "bob", "made to be eve"),
        ("simulating:eve=glove", "eve", "is for an Alice"),
        ("simulating:base=bayes", "alice", "has no base"),
        ("leaky:base=magic", "eve", "no base 'magic'"),
    ],
)
def test_what_cannot_be_is_refused(spec: str, role: str, why: str) -> None:
    with pytest.raises(UserError, match=why):
        find_seat(spec, role)  # type: ignore[arg-type]
