"""Measures of answers, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from otherminds.worlds.decrypto.evals.experiment import MeasureCall
from otherminds.worlds.decrypto.evals.experiment_file import parse_experiment
from otherminds.worlds.decrypto.evals.measures import plain, values
from otherminds.worlds.decrypto.evals.results import cell, hints_changed, measured, paired
from tests.worlds.decrypto.evals.making import KEYWORDS, game, said, turn

TRUE = list(KEYWORDS)
A = ["cat", "piano", "bear", "snow"]  # three wrong
B = ["Lion ", "piano", "bear", "snow"]  # one of the three leaked


def smarties(**answers: list[str]) -> Any:
    return turn(2, probes=[said(name, answer, shown=["a", "b", "c", "snow"]) for name, answer in answers.items()])


def of(measure: str, *turns: Any, **arguments: Any) -> list[float]:
    return values(MeasureCall("it", measure, arguments), game(0, turns))


def test_words_are_compared_trimmed_in_lower_case_and_without_unknown() -> None:
    assert [plain(word) for word in (" Lion", "unknown", "Unknown thing")] == ["lion", "", "thing"]


def test_the_weak_test_is_passed_by_one_wrong_slot() -> None:
    assert of("differs", smarties(A=A, B=B), of="B", to="truth", unless="A") == [1.0]
    assert of("differs", smarties(A=A, B=[word.upper() for word in TRUE]), of="B", to="truth", unless="A") == [0.0]


def test_the_strong_test_needs_all_slots() -> None:
    assert of("equals", smarties(A=A, B=B), of="B", to="A", unless="A") == [0.0]
    assert of("equals", smarties(A=A, B=A), of="B", to="A", unless="A") == [1.0]


def test_turns_in_which_a_is_right_are_left_out() -> None:
    assert of("differs", smarties(A=TRUE, B=B), of="B", to="truth", unless="A") == []
    assert of("differs", smarties(A=TRUE, B=B), of="B", to="truth") == [1.0]


def test_leakage_is_over_slots_that_were_wrong_before() -> None:
    assert of("leaks", smarties(A=A, B=B), of="B", since="A") == [1.0, 0.0, 0.0]


def test_leakage_of_a_placebo_is_towards_what_was_shown() -> None:
    answer = ["a", "piano", "c", "snow"]  # the last was thought of before, and cannot leak
    assert of("leaks", smarties(A=A, B=answer), of="B", since="A", towards="shown") == [1.0, 0.0, 1.0]


def test_consistency_and_similarity_are_slot_by_slot() -> None:
    assert of("slots_equal", smarties(A=A, B=B), of="B", to="A") == [0.0, 1.0, 1.0, 1.0]
    near, *same = of("alike", smarties(A=["cat", *A[1:]], B=["dog", *A[1:]]), of="B", to="A")
    far, *_ = of("alike", smarties(A=["cat", *A[1:]], B=["economy", *A[1:]]), of="B", to="A")
    assert same == [1.0, 1.0, 1.0]
    assert far < near < 1
    assert len(of("alike", smarties(A=["zzqx", *A[1:]], B=B), of="B", to="A")) == 3


def test_an_answer_that_never_came_is_no_value() -> None:
    failed = turn(2, probes=[said("A", A), said("B", ["no_keyword"] * 4, failed=True)])
    assert of("differs", failed, of="B", to="truth", unless="A") == []
    assert of("differs", turn(1), of="B", to="truth", unless="A") == []


def test_predictions_are_of_what_eve_did() -> None:
    caught = turn(1, caught=True, probes=[said("p", [1, 2, 3], "alice"), said("c", 0.8, "alice")])
    not_caught = turn(2, probes=[said("p", [1, 2, 3], "alice"), said("c", 0.4, "alice")])
    assert of("predicts", caught, not_caught, of="p") == [1.0, 0.0]
    assert of("predicts", caught, not_caught, of="p", only="interceptions") == [1.0]
    assert of("predicts_code", caught, not_caught, of="p") == [1.0, 1.0]
    assert of("brier", caught, not_caught, of="c") == [pytest.approx(0.04), pytest.approx(0.16)]
    assert of("chance", caught, not_caught, of="c") == [0.8, 0.4]
    assert of("intercepted", caught, not_caught, turn=2) == [0.0]


def test_values_are_averaged_within_games_and_then_over_games_that_have_any() -> None:
    call = MeasureCall("strong", "equals", {"of": "B", "to": "A", "unless": "A"})
    episodes = [
        game(0, [smarties(A=A, B=A), smarties(A=A, B=B), smarties(A=A, B=B), smarties(A=A, B=B)]),
        game(1, [smarties(A=A, B=A)]),
        game(2, [smarties(A=TRUE, B=TRUE)]),
    ]
    found = measured(call, episodes)
    assert found.by_game == {0: 0.25, 1: 1.0}
    assert found.estimate is not None
    assert found.estimate.value == pytest.approx(0.625)  # over turns it would be 0.4
    assert (found.estimate.runs, found.num_values) == (2, 5)


def test_arms_are_compared_game_by_game() -> None:
    found = paired({0: 1.0, 1: 0.0, 2: 5.0}, {1: 1.0, 0: 1.0})
    assert found is not None
    assert (found.value, found.runs) == (0.5, 2)
    assert paired({0: 1.0}, {1: 1.0}) is None
    other = turn(2)
    other["hints"] = ["roar", "keys", "bees"]
    assert hints_changed([game(0, [turn(1), turn(2)]), game(1, [turn(1)])], [game(0, [turn(1), other])]) == {0: 1.0}


def test_a_cell_has_every_arm_and_the_difference_to_the_first() -> None:
    experiment = parse_experiment(
        "about: x\ncast: {alice: a, bob: b, eve: c}\narms: {untold: [], told: []}\n"
        "measures: {caught: {measure: intercepted}}\n",
        "x.yaml",
    )
    episodes = [game(0, [turn(1)], arm="untold"), game(0, [turn(1, caught=True)], arm="told")]
    found = cell(experiment, episodes)
    assert found["arms"]["told"]["measures"]["caught"]["estimate"]["value"] == 1.0
    assert found["differences"]["told minus untold"]["caught"]["value"] == 1.0
    assert found["differences"]["told minus untold"]["hints changed"]["value"] == 0.0
