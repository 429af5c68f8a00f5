"""Scores of answers to ToMi's questions, against numbers worked out by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.scores import Rate, clustered_error, read_predictions, score_answers
from tests.worlds.tomi.evals.trained_runs import BASKET, BOX, make_item, make_set, make_story, write_lines


def right(items: list[LabelledQuestion]) -> dict[str, str]:
    return {item.id: item.answer for item in items}


def test_right_answers_score_everything() -> None:
    items = make_set()
    scores = score_answers(items, right(items))
    assert scores.accuracy == Rate(1.0, 0.0, 16)
    assert scores.story_joint == Rate(1.0, 0.0, 4)
    assert scores.family_joint == Rate(1.0, 0.0, 2)
    assert scores.pair_joint == {"order": Rate(1.0, 0.0, 2)}
    assert scores.validity.value == 1.0
    assert scores.reality_bias is None


def test_one_wrong_answer_costs_its_story_its_pair_and_its_family() -> None:
    items = make_set()
    scores = score_answers(items, {**right(items), "f0-order-first": BOX})
    assert scores.accuracy.value == 15 / 16
    assert scores.story_joint.value == 3 / 4
    assert scores.family_joint.value == 1 / 2
    assert scores.pair_joint["order"].value == 1 / 2


def test_always_reality_passes_no_family_and_shows_its_bias() -> None:
    items = make_set()
    answers = {item.id: BOX if item.qtype == "memory" else BASKET for item in items}
    scores = score_answers(items, answers)
    assert scores.accuracy.value == 12 / 16  # wrong: both belief questions of each base story
    assert scores.story_joint.value == 1 / 2
    assert scores.family_joint.value == 0.0
    assert scores.pair_joint["order"].value == 0.0
    assert scores.reality_bias == Rate(1.0, 0.0, 4)


def test_wrong_answers_elsewhere_are_no_reality_bias() -> None:
    items = [replace(item, choices=(BOX, BASKET, "tin")) for item in make_story("s")]
    scores = score_answers(items, {**right(items), "s-first": "the tin", "s-second": BASKET})
    assert scores.reality_bias is not None
    assert scores.reality_bias.value == 1 / 2


def test_accuracy_comes_by_kind_order_and_both_readings_of_false_belief() -> None:
    items = make_set(1)
    scores = score_answers(items, {**right(items), "f0-base-first": BASKET, "f0-order-second": BOX})
    assert {name: rate.value for name, rate in scores.by_group.items()} == {
        "memory": 1.0,
        "reality": 1.0,
        "first order": 0.5,
        "second order": 0.5,
    }
    assert {name: rate.value for name, rate in scores.by_order.items()} == {"0": 1.0, "1": 0.5, "2": 0.5}
    assert {name: rate.value for name, rate in scores.false_vs_reality.items()} == {
        "first order, false belief": 0.0,
        "first order, true belief": 1.0,
        "second order, false belief": 1.0,
        "second order, true belief": 0.0,
    }
    assert {name: rate.value for name, rate in scores.false_attribution.items()} == {
        "first order, false belief": 0.0,
        "first order, true belief": 1.0,
        "second order, true belief": 0.5,
    }


def test_errors_are_clustered_by_family() -> None:
    """Two families of two: deviations of -1/4 ± … summed within each, by hand."""
    values, families = [1.0, 1.0, 0.0, 1.0], ["a", "a", "b", "b"]
    # mean 3/4; sums of deviations 1/2 and -1/2; variance 2 · (1/4 + 1/4) / 1, over n = 4
    assert clustered_error(values, families) == pytest.approx(sqrt(1.0) / 4)
    assert clustered_error([1.0, 0.0], ["a", "a"]) is None
    # with every value its own cluster it is the usual error of a mean
    assert clustered_error(values, list("abcd")) == pytest.approx(sqrt(0.1875 * 4 / 3 / 4))


def test_what_cannot_be_read_lowers_validity_and_is_no_belief() -> None:
    items = make_set(1)
    answers = {**right(items), "f0-base-first": "I would need more information", "f0-base-second": ""}
    scores = score_answers(items, answers)
    assert scores.validity.value == 6 / 8
    assert scores.accuracy.value == 6 / 8
    assert scores.accuracy_of_valid is not None
    assert scores.accuracy_of_valid.value == 1.0
    assert scores.reality_bias is None


def test_nothing_that_can_be_read_has_no_accuracy_of_valid() -> None:
    assert score_answers([make_item("a")], {"a": "?"}).accuracy_of_valid is None


def test_case_articles_and_underscores_do_not_matter() -> None:
    assert score_answers([make_item("a")], {"a": "The Red box."}).accuracy.value == 1.0


def test_missing_answers_are_counted_and_not_right() -> None:
    items = make_set(1)
    scores = score_answers(items, {"f0-base-memory": BOX})
    assert (scores.missing, scores.accuracy.value, scores.validity.value) == (7, 1 / 8, 1 / 8)


def test_ambiguous_questions_are_left_out_unless_asked_for() -> None:
    items = [make_item("a"), make_item("b", ambiguous=True)]
    scores = score_answers(items, {"a": BOX, "b": BASKET})
    assert (scores.accuracy.value, scores.left_out) == (1.0, 1)
    assert score_answers(items, {"a": BOX, "b": BASKET}, ambiguous=True).accuracy.value == 0.5
    with pytest.raises(UserError, match="all 1 questions are ambiguous"):
        score_answers(items[1:], {})


def test_each_object_has_its_own_reality() -> None:
    """Naming where another object really is, is no reality bias."""
    items = [
        *make_story("s"),
        make_item("plum", story_id="s", question="Where is the plum really?", qtype="reality", order=0, answer="tin"),
    ]
    items = [replace(item, choices=(BOX, BASKET, "tin")) for item in items]
    scores = score_answers(items, {**right(items), "s-first": "tin"})
    assert scores.reality_bias is not None
    assert scores.reality_bias.value == 0.0


def test_scores_are_plain_json() -> None:
    items = make_set()
    found = json.loads(json.dumps(score_answers(items, right(items)).to_json()))
    assert found["family_joint"] == {"value": 1.0, "stderr": 0.0, "count": 2}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (['{"id": "a"}'], "line 1: field 'answer' is missing"),
        (['{"id": "a", "answer": "x"}', "{"], "line 2: not JSON"),
        (['{"id": "a", "answer": "x"}', "", '{"id": "a", "answer": "y"}'], "line 3: a second answer .* line 1"),
        (['{"id": "aa", "answer": "x"}'], "line 1: there is no question 'aa'.*did you mean 'a'"),
        (['{"id": "a", "answer": 3}'], "line 1: answer is 3; expected text"),
        (["[]"], "line 1: field 'id' is missing"),
        ([], "holds no answer"),
    ],
)
def test_a_bad_line_of_predictions_is_named(tmp_path: Path, lines: list[str], message: str) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(UserError, match=message):
        read_predictions(path, [make_item("a")])


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read"):
        read_predictions(tmp_path / "none", [])
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="not a text file"):
        read_predictions(tmp_path / "binary", [])


def test_predictions_may_have_more_fields(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", [{"id": "a", "answer": "x", "model": "mine"}])
    assert read_predictions(path, [make_item("a")]) == {"a": "x"}
