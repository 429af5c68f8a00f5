"""Teams put to tasks from the command line, and the published table."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds.cli.main import app
from otherminds.core.errors import UserError

pytest.importorskip("clingo")


def ask(*words: str | Path) -> Any:
    return CliRunner().invoke(app, list(map(str, words)), catch_exceptions=True)


def answer(*words: str | Path) -> Any:
    found = ask(*words, "--json")
    assert found.exit_code == 0, found.exception
    return json.loads(found.stdout)


def test_teams_are_put_to_a_task() -> None:
    report = answer("evaluate", "enacttom", "cup", "--team", "tracker:depth=0,tracker:depth=1,decoupled")
    found = {one["team"]: (one["sweep"]["value"], one["literal"]["value"]) for one in report["teams"]}
    assert found["tracker:depth=0"] == (0.0, 0.0)
    assert found["tracker:depth=1"][0] == 1.0
    assert found["decoupled"] == (0.0, 1.0)
    assert [one["guess_chance"] for one in report["teams"][0]["per_task"]] == [pytest.approx(1 / 9)]


def test_what_is_printed_has_everything() -> None:
    shown = ask("evaluate", "enacttom", "cup", "--team", "oracle,greedy", "--seed", "3").stdout
    for word in (
        "average",
        "@3",
        "^3",
        "sweep",
        "consistency",
        "knows*",
        "depth 1 (1)",
        "people 2",
        "guess",
        "by guessing",
    ):
        assert word in shown


def test_seats_can_be_mixed() -> None:
    report = answer("evaluate", "enacttom", "cup", "--team", "oracle", "--seats", "ben=random")
    assert report["teams"][0]["team"] == "oracle ben=random"
    assert report["teams"][0]["sweep"]["value"] == 0.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--team", "wizard"], "no player"),
        (["--team", ","], "no team"),
        (["--seats", "bob=oracle"], "no 'bob' to seat"),
        (["--seats", "ben"], "a person and a player"),
        (["--seats", "ben=wizard"], "no player"),
    ],
)
def test_who_cannot_play_is_named_before_anything_is_played(words: list[str], message: str) -> None:
    found = ask("evaluate", "enacttom", "cup", *words)
    assert isinstance(found.exception, UserError)
    assert message in str(found.exception)


def test_the_same_command_repeats_nothing_and_other_tasks_are_refused(tmp_path: Path) -> None:
    words = ("evaluate", "enacttom", "cup", "--team", "greedy,random", "--out", tmp_path)
    first = answer(*words)
    written = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert answer(*words) == first
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == written
    assert json.loads((tmp_path / "summary.json").read_text()) == first
    other = ask("evaluate", "enacttom", "cup", "--team", "random", "--out", tmp_path, "--seed", "1")
    assert "choose another folder" in str(other.exception)


@pytest.mark.slow
def test_a_killed_evaluation_goes_on(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    words = [sys.executable, "-m", "otherminds.cli.main", "evaluate", "enacttom", "cup", "--team", "greedy,random"]
    words += ["--runs", "100", "--json", "--out"]
    expected = subprocess.run([*words, str(whole)], capture_output=True, check=True, env=os.environ).stdout
    child = subprocess.Popen([*words, str(cut)], stdout=subprocess.DEVNULL, env=os.environ)
    deadline = time.monotonic() + 60
    while not list(cut.glob("*.jsonl")) and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert not (cut / "summary.json").exists()
    found = subprocess.run([*words, str(cut)], capture_output=True, check=True, env=os.environ).stdout
    assert found == expected


def test_the_published_table_has_ours_beside_it(tmp_path: Path) -> None:
    answer("evaluate", "enacttom", "cup", "--team", "oracle", "--out", tmp_path)
    rows = answer("table", "enacttom", "published", tmp_path)
    assert [row["source"] for row in rows] == ["published"] * 7 + ["ours"]
    assert rows[0]["standard functional"] == {"average": 39.2, "error": 4.5, "at3": 62.5, "all3": 12.5}
    assert rows[-1]["standard functional"] == {"average": 100.0, "error": 0.0, "at3": 100.0, "all3": 100.0}
    assert "Gemini-Pro" in ask("table", "enacttom").stdout
    assert "no table" in str(ask("table", "enacttom", "made-up").exception)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no runs" in str(ask("table", "enacttom", "published", empty).exception)
