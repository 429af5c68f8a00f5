"""Cases for readers of EnactToM's failures keep the labels to themselves, and kappas are those worked out by hand."""

import json
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from benchmarks import enacttom_cases, enacttom_labels
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.evals.failures import LABELS


def run(monkeypatch: pytest.MonkeyPatch, *options: str | Path) -> None:
    monkeypatch.setattr(sys, "argv", ["enacttom_labels", *map(str, options)])
    enacttom_labels.main()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    run(monkeypatch, "sample", "--out", tmp_path / "cases", "--number", "2", "--tasks", "cup", "mixed_1-1")
    return tmp_path / "cases"


def test_cases_tell_the_episode_and_neither_labels_nor_minds(folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
    assert [row["case"] for row in rows] == ["case-01", "case-02"]
    for row in rows:
        text = (folder / f"{row['case']}.txt").read_text()
        assert "Turn 1:\n" in text
        assert "- FAILS: " in text
        hidden = [*LABELS, *(mind.partition(":")[0] for mind in row["minds"].values())]
        assert not any(word in text for word in hidden)


def test_the_guide_defines_every_label_in_the_words_of_the_specification(folder: Path) -> None:
    guide = (folder / "guide.txt").read_text()
    spec = enacttom_cases.SPEC.read_text().splitlines()
    for label in LABELS:
        (definition,) = [line for line in spec if line.startswith(f"| {label} | ")]
        assert definition in guide


def test_a_sample_has_every_label_of_its_pool_and_none_in_more_than_half() -> None:
    pool = list(islice(enacttom_labels.failed(0, ["cup", "mixed_1-1"]), 80))
    cases = enacttom_labels.chosen(pool, 10)
    times = Counter(label for found in cases for label in found.labels)
    assert len({id(found) for found in cases}) == 10
    assert times.keys() == {label for found in pool for label in found.labels}
    assert max(times.values()) <= 5


def test_a_sample_is_not_overwritten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, "sample", "--out", folder)


def readings(*labels: str) -> dict[str, list[str]]:
    """One reading of ten cases: ``g`` for guess, ``d`` for deadlock."""
    names = {"g": "guess", "d": "deadlock"}
    return {f"case-{at:02}": [names[one] for one in given if one in names] for at, given in enumerate(labels, 1)}


RULES = readings("g", "g", "g", "g", "g", "-", "-", "-", "-", "-")
FIRST = readings("g", "g", "g", "g", "-", "-", "-", "-", "-", "g")
SECOND = readings("g", "g", "g", "g", "gd", "-", "-", "-", "-", "-")


def test_kappas_are_those_worked_out_by_hand() -> None:
    """Of ten cases with even odds, eight alike make 0.6, and chance alone makes 0."""
    found = enacttom_labels.compare(RULES, FIRST, SECOND)
    guess = found["labels"]["guess"]
    assert guess["counts"] == {"rules": 5, "reading 1": 5, "reading 2": 5}
    assert guess["between readings"] == pytest.approx(0.6)
    assert guess["reading 1 and rules"] == pytest.approx(0.6)
    assert guess["reading 2 and rules"] == pytest.approx(1)
    assert (guess["agreed"], guess["both readings and rules"]) == (8, pytest.approx(1))
    assert found["labels"]["deadlock"]["between readings"] == pytest.approx(0)
    assert found["labels"]["spiral"]["between readings"] is None  # nobody gives it


def test_rare_labels_do_not_count_in_the_mean() -> None:
    found = enacttom_labels.compare(RULES, FIRST, SECOND)
    assert found["mean"]["between readings"] == pytest.approx(0.6)


def test_disagreements_say_who_gives_the_label() -> None:
    assert enacttom_labels.compare(RULES, FIRST, SECOND)["disagreements"] == {
        "case-05": {"deadlock": ["reading 2"], "guess": ["rules", "reading 2"]},
        "case-10": {"guess": ["reading 1"]},
    }


def test_comparing_prints_and_records(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, record = folder / "reading.json", folder / "record.json"
    reading.write_text(json.dumps({"case-01": ["guess"], "case-02": []}))
    run(monkeypatch, "compare", folder, reading, reading, "--record", record)
    assert "| guess | " in capsys.readouterr().out
    found = json.loads(record.read_text())
    assert found["cases"] == 2
    assert found["labels"]["guess"]["between readings"] == 1


def test_relabelled_cases_are_those_of_the_sample(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels on file may be of earlier rules; played again, the cases get those of the present ones."""
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
    assert [list(enacttom_labels.relabelled(row)) for row in rows] == [row["labels"] for row in rows]
    old = [{**row, "labels": ["spiral"]} for row in rows]
    (folder / "cases.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in old))
    reading, record = folder / "reading.json", folder / "record.json"
    reading.write_text(json.dumps({row["case"]: row["labels"] for row in rows}))
    run(monkeypatch, "compare", folder, reading, reading, "--relabel", "--record", record)
    assert json.loads(record.read_text())["disagreements"] == {}


def test_a_case_that_is_played_in_another_world_is_refused(folder: Path) -> None:
    row = json.loads((folder / "cases.jsonl").read_text().splitlines()[0])
    with pytest.raises(UserError, match="case-01 now has the world"):
        enacttom_labels.relabelled({**row, "world": [-1]})


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"case-01": ["guess"]}, "case-02"),
        ({"case-01": ["gues"], "case-02": []}, "'gues', which is not known"),
        (["guess"], "something else"),
    ],
)
def test_a_faulty_reading_is_refused(
    content: Any, problem: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reading = folder / "reading.json"
    reading.write_text(json.dumps(content))
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, "compare", folder, reading, reading)
    assert problem in capsys.readouterr().err
