"""Recorded minds beside the published table, and every measure of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.worlds.enacttom.tasks.read import find_task, read_task
from otherminds.worlds.enacttom.tasks.suite import enter
from tests.worlds.enacttom.evals.making import run_minds

pytest.importorskip("clingo")


def ask(*words: str | Path) -> Any:
    return CliRunner().invoke(make_app(), list(map(str, words)), catch_exceptions=True)


def answer(*words: str | Path) -> Any:
    found = ask(*words, "--json")
    assert found.exit_code == 0, found.exception
    return json.loads(found.stdout)


def record(folder: Path, *minds: str) -> None:
    for mind in minds:
        run_minds(enter(read_task(find_task("cup"))), mind, folder)


def test_recorded_minds_are_summed_up(tmp_path: Path) -> None:
    record(tmp_path, "tracker:depth=0", "tracker:depth=1", "decoupled")
    report = answer("table", "enacttom", "minds", tmp_path)
    found = {one["team"]: (one["sweep"]["value"], one["literal"]["value"]) for one in report["teams"]}
    assert found["tracker:depth=0"] == (0.0, 0.0)
    assert found["tracker:depth=1"][0] == 1.0
    assert found["decoupled"] == (0.0, 1.0)
    assert [one["guess_chance"] for one in report["teams"][0]["per_task"]] == [pytest.approx(1 / 9)]


def test_what_is_printed_has_everything(tmp_path: Path) -> None:
    record(tmp_path, "oracle", "greedy")
    shown = ask("table", "enacttom", "minds", tmp_path).stdout
    for word in ("average", "@3", "^3", "sweep", "consistency", "knows*", "depth 1 (1)", "people 2", "by guessing"):
        assert word in shown
    assert "needs records" in str(ask("table", "enacttom", "minds").exception)


def test_seats_can_be_mixed(tmp_path: Path) -> None:
    words = ("evaluate", "enacttom", "oracle", "--seat", "ben=random", "--set", "task=cup", "--suite", "task")
    answer(*words, "--out", tmp_path)
    (team,) = answer("table", "enacttom", "minds", tmp_path)["teams"]
    assert (team["team"], team["sweep"]["value"]) == ("oracle random", 0.0)


def test_the_published_table_has_ours_beside_it(tmp_path: Path) -> None:
    record(tmp_path, "oracle")
    rows = answer("table", "enacttom", "published", tmp_path)
    assert [row["source"] for row in rows] == ["published"] * 7 + ["ours"]
    assert rows[0]["standard functional"] == {"average": 39.2, "error": 4.5, "at3": 62.5, "all3": 12.5}
    assert rows[-1]["standard functional"] == {"average": 100.0, "error": 0.0, "at3": 100.0, "all3": 100.0}
    assert "Gemini-Pro" in ask("table", "enacttom").stdout
    assert "no table" in str(ask("table", "enacttom", "made-up").exception)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no episodes" in str(ask("table", "enacttom", "published", empty).exception)
