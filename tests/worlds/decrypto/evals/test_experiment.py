"""What an experiment asks and changes in a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.evals.experiment_file import find_experiment, parse_experiment
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.rules import reveal
from otherminds.worlds.decrypto.types import HIDDEN, Game, Rules
from otherminds.worlds.decrypto.world import Decrypto

CAST = "about: x\ncast: {alice: glove, bob: glove, eve: glove}\n"


def dealt(turns: int = 0) -> Game:
    found = Decrypto().deal(5)
    for number in range(turns):
        hints = tuple(f"h{number}{letter}" for letter in "abc")
        found = reveal(found, hints, found.codes[number], (1, 1, 1))
    return found


def test_smarties_asks_from_the_second_turn_on_and_shows_only_past_hints() -> None:
    study = find_experiment("smarties").study("", 5)
    assert study.probes(dealt(0), "before hints") == []
    asked = {one.name: one for one in study.probes(dealt(1), "before hints")}
    assert list(asked) == ["A", "B", "C", "A2", "BP", "CP"]
    assert {one.role for one in asked.values()} == {"eve"}
    kinds = [asked[name].probe.kind for name in asked]
    assert kinds == [f"keywords_{whose}" for whose in ("now", "before", "other")] * 2
    assert asked["A"].probe.shown is None
    assert asked["B"].probe.shown == asked["C"].probe.shown == dealt().keywords
    assert study.probes(dealt(1), "after hints") == []


def placebo_of(seed: int, bank: tuple[str, ...] = ()) -> tuple[str, ...] | None:
    asked = find_experiment("smarties").study("", seed, bank).probes(dealt(1), "before hints")
    shown: tuple[str, ...] | None = {one.name: one.probe.shown for one in asked}["BP"]
    return shown


def test_a_placebo_is_wrong_in_every_slot_and_the_same_throughout_a_game() -> None:
    study = find_experiment("smarties").study("", 5)
    shown = [{one.name: one.probe.shown for one in study.probes(dealt(n), "before hints")}["BP"] for n in (1, 2)]
    assert shown[0] == shown[1]
    assert shown[0] is not None
    assert not set(shown[0]) & set(dealt().keywords)
    few = (*dealt().keywords, "a", "b", "c", "d")  # so that a true one would soon be drawn
    assert set(placebo_of(5, few) or ()) == set("abcd")
    assert placebo_of(6) != shown[0]


def test_three_mountains_asks_alice_with_the_hints_she_gave() -> None:
    study = find_experiment("three_mountains").study("", 5)
    assert study.probes(dealt(0), "before hints") == []
    asked = study.probes(dealt(0), "after hints")
    assert [(one.role, one.probe.kind, one.probe.chain) for one in asked] == [
        ("alice", "guess_eve", ("eve",)),
        ("alice", "chance_eve", ("eve",)),
    ]


@pytest.mark.parametrize("arm", ["told", "untold"])
def test_hiding_blots_out_all_hints_of_a_digit_of_the_coming_code_from_then_on(arm: str) -> None:
    study = find_experiment("hide").study(arm, 5)
    assert study.interventions(dealt(2)) == ()
    game = dealt(3)
    digit = game.codes[3][0]
    before = view(game, "eve").hints_by_digit[digit - 1]
    changed = replace(game, interventions=tuple(study.interventions(game)))
    assert before
    assert view(changed, "eve").hints_by_digit[digit - 1] == (HIDDEN,) * len(before)
    assert bool(view(changed, "alice").notices) == (arm == "told")
    later = dealt(4)
    assert study.interventions(later) == study.interventions(game)


def test_a_falsified_hint_is_another_word_and_both_arms_show_the_same() -> None:
    game = dealt(3)
    told, untold = (find_experiment("falsify").study(arm, 5).interventions(game) for arm in ("told", "untold"))
    given = {hint for turn in game.turns for hint in turn.hints} | set(game.keywords)
    assert told
    assert [one.word for one in told] == [one.word for one in untold]
    assert not {one.word for one in told} & given


def test_a_keyword_is_revealed_or_a_wrong_one() -> None:
    game = dealt(3)
    digit = game.codes[3][0]
    (one,) = find_experiment("reveal").study("told", 5).interventions(game)
    assert (one.digit, one.word, one.told) == (digit, game.keywords[digit - 1], ("alice",))
    text = CAST + "arms: {x: [{kind: reveal, before turn: 2, digit: 3, word: placebo}]}\n"
    (wrong,) = parse_experiment(text, "x.yaml").study("", 5).interventions(dealt(1))
    assert wrong.word not in game.keywords
    assert wrong.turn == 1
    assert wrong.told == ()


def test_bad_names_and_small_banks_are_refused() -> None:
    with pytest.raises(UserError, match="no arm 'tolt'; did you mean 'told'"):
        find_experiment("hide").study("tolt", 5)
    tiny = find_experiment("smarties").study("", 0, ("a", "b", "c", "d", "e"))
    small = Game(Rules(), 0, ("a", "b", "c", "d"), dealt().codes)
    with pytest.raises(UserError, match="a placebo needs 4"):
        tiny.probes(replace(small, turns=dealt(1).turns), "before hints")
