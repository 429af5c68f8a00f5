"""What hints are worth, by what Eve really sees."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.evals.experiment_file import find_experiment, parse_experiment
from otherminds.worlds.decrypto.evals.measures import worth_of
from otherminds.worlds.decrypto.evals.play_experiment import run
from otherminds.worlds.decrypto.evals.results import cell
from tests.worlds.decrypto.evals.making import game

CODES = [[1, 2, 3], [1, 2, 4], [2, 3, 1], [1, 4, 2], [3, 4, 1], [4, 3, 2], [2, 4, 1], [3, 1, 2]]
HIDE = {"kind": "hide", "turn": 1, "digit": 1, "word": "", "told": ["alice"]}


def record(*hints: list[str], changes: list[dict[str, object]] | None = None):  # type: ignore[no-untyped-def]
    turns = []
    for number, (code, words) in enumerate(zip(CODES, hints, strict=False), 1):
        wrong = [4, 3, 1] if code != [4, 3, 1] else [1, 2, 3]
        made = {"interventions": changes} if changes and number == len(hints) else {}
        line = {"turn": number, "code": code, "hints": words, "bob": code, "eve": wrong}
        turns.append({**line, "attempts": {"alice": 1, "bob": 1, "eve": 1}, "failures": [], **made})
    found = game(0, turns, None)
    found.start["codes"], found.config["hints"] = CODES, "off"
    return found


FIRST = ["tiger", "violin", "bees"]


def test_clear_hints_are_read_by_bob_and_hints_like_the_past_by_eve_too() -> None:
    near = worth_of(record(FIRST, ["lions", "pianist", "summer"]), 2)
    assert near["decode"] > 0.8
    assert near["intercept"] > 0.15
    assert near["value"] == pytest.approx(math.log(near["decode"]) + math.log(1 - near["intercept"]))
    unclear = worth_of(record(FIRST, ["economy", "theory", "policy"]), 2)
    assert unclear["decode"] < 0.5
    first = worth_of(record(FIRST), 1)
    assert first["intercept"] == pytest.approx(1 / 24)  # nothing is known yet


def test_what_is_hidden_from_eve_is_of_no_use_to_her() -> None:
    hints = [FIRST, ["lions", "pianist", "summer"]]
    assert worth_of(record(*hints, changes=[HIDE]), 2)["intercept"] < worth_of(record(*hints), 2)["intercept"]
    assert worth_of(record(*hints, changes=[HIDE]), 2)["decode"] == worth_of(record(*hints), 2)["decode"]


@pytest.mark.parametrize("change", ["hide", "falsify", "reveal"])
def test_an_alice_without_a_model_of_eve_changes_nothing_and_one_with_it_gains(change: str, tmp_path: Path) -> None:
    experiment = find_experiment(change)
    casts = experiment.casts(roles={"alice": ("glove", "rsa")})
    plain, aware = run(experiment, casts, tmp_path, games=5, seeds=(0,)).values()
    floor = cell(experiment, plain)["differences"]["told minus untold"]
    assert all(row["value"] == 0 for row in floor.values())
    gain = cell(experiment, aware)["differences"]["told minus untold"]
    assert gain["hints changed"]["value"] > 0.3
    assert gain["value"]["value"] > 0
    assert gain["Eve's chance"]["value"] < 0


def test_both_arms_are_alike_until_the_change(tmp_path: Path) -> None:
    experiment = find_experiment("hide")
    (episodes,) = run(experiment, experiment.casts(), tmp_path, games=3, seeds=(0,)).values()
    assert list(run(experiment, experiment.casts(), tmp_path, games=3, seeds=(0,)).values()) == [episodes]
    for untold, told in zip(episodes[::2], episodes[1::2], strict=True):
        assert untold.seed == told.seed
        assert untold.turns[:3] == told.turns[:3]
        assert [one["told"] for one in untold.turns[3]["interventions"]] != [
            one["told"] for one in told.turns[3]["interventions"]
        ]


def test_only_the_turn_that_counts_is_measured() -> None:
    text = "about: x\ncast: {alice: a, bob: b, eve: c}\nmeasures: {it: {measure: worth, of: intercept, turn: 1}}\n"
    episode = record(FIRST, ["lions", "pianist", "summer"])
    episode.end = {"ending": "survived", "turns": 2}
    with pytest.raises(UserError, match="has no reply to 3/alice"):  # the record is checked before it is judged
        cell(parse_experiment(text, "x.yaml"), [episode])
    episode.config["turns"] = 2
    found = cell(parse_experiment(text, "x.yaml"), [episode])["arms"][""]["measures"]["it"]
    assert (found["values"], found["estimate"]["value"]) == (1, pytest.approx(1 / 24))
