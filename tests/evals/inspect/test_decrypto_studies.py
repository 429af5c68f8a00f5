"""Experiments and replays of Decrypto with language models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.model import ChatMessage

from otherminds.evals.inspect.decrypto import decrypto
from otherminds.evals.inspect.records import episodes_of
from tests.evals.inspect.models import scripted
from tests.evals.inspect.table import guess, played


def test_smarties_runs_with_a_language_model(tmp_path: Path) -> None:
    """It answers the same to all questions: whatever it says, it says before and after the reveal."""
    done, samples, _ = played(tmp_path, {"eve": scripted(guess)}, experiment="smarties", games=1)
    answers = samples[0].store["record"][2]["answers"]
    assert {one["name"] for one in answers} >= {"A", "B", "C"}
    assert all(one["answer"] == ["a", "b", "c", "d"] for one in answers)
    assert (done.metrics["strong RC"], done.metrics["strong FB"], done.metrics["weak RC"]) == (1.0, 1.0, 1.0)
    assert done.metrics["eve_answered"] == 1.0


def test_three_mountains_runs_with_a_language_model(tmp_path: Path) -> None:
    done, samples, _ = played(tmp_path, {"alice": scripted(guess)}, experiment="three_mountains", games=1)
    turns = samples[0].store["record"][1:-1]
    said = [list(turn["answers"][0]["answer"]) == turn["code"] for turn in turns]
    assert done.metrics["predicts the code"] == sum(said) / len(said)
    assert done.metrics["Brier"] == 0.25


def test_interventions_are_told_to_a_language_model_in_one_arm(tmp_path: Path) -> None:
    told: list[str] = []

    def alice(messages: list[ChatMessage]) -> str:
        told.append(messages[-1].text)
        return guess(messages)

    _, samples, _ = played(tmp_path, {"alice": scripted(alice)}, experiment="hide", games=1)
    assert {sample.id for sample in samples} == {"decrypto-3-untold", "decrypto-3-told"}
    blotted = [text for text in told if "was blotted out for Eve" in text]
    assert len(blotted) == 1
    assert all(sample.store["record"][4].get("interventions") for sample in samples)


def test_a_record_names_its_experiment_and_not_where_its_file_lies(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("about: x\ncast: {alice: glove, bob: glove, eve: glove}\nrules: {turns: 1}\n", "utf-8")
    _, _, log = played(tmp_path, {"eve": scripted(guess)}, games=1, experiment=str(mine))
    (episode,) = episodes_of(log)
    assert episode.notes["experiment"] == "mine"


def test_what_is_asked_for_goes_before_the_experiments_rules() -> None:
    usual, strict = decrypto(experiment="hide", games=1), decrypto(experiment="hide", games=1, hints="strict")
    rules = [(task.dataset[0].metadata or {})["rules"] for task in (usual, strict)]
    assert [(one["turns"], one["tokens"], one["hints"]) for one in rules] == [(4, 9, "report"), (4, 9, "strict")]


def test_stored_games_are_replayed_with_one_role_replaced(tmp_path: Path) -> None:
    codes = [[1, 2, 3], [2, 3, 4], [4, 3, 1]]
    turns = [{"code": code, "hints": ["x", "y", "z"], "bob": code, "eve": [4, 2, 1]} for code in codes]
    path = tmp_path / "people.json"
    path.write_text(json.dumps([{"keywords": ["river", "piano", "winter", "doctor"], "turns": turns}]), "utf-8")
    heard: list[str] = []

    def bob(messages: list[ChatMessage]) -> str:
        heard.append(messages[-1].text)
        return guess(messages)

    done, samples, _ = played(
        tmp_path, {"bob": scripted(bob)}, alice="recorded", eve="recorded", replay=str(path), games=1
    )
    assert [sample.id for sample in samples] == ["replay-game-1"]
    record = samples[0].store["record"]
    assert [turn["code"] for turn in record[1:-1]] == codes
    assert [turn["eve"] for turn in record[1:-1]] == [[4, 2, 1]] * 3
    assert record[0]["notes"]["replayed"] == "people.json"
    # The defect of the original: from the third turn on, its history has codes that were never played.
    assert "Codes so far: 1-2-3, 2-3-4" in heard[2]
    assert done.metrics["decoded"] == pytest.approx(1 / 3)
    assert done.metrics["won"] == 0.0
