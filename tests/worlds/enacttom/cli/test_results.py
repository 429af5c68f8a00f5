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
    assert rows[-1]["other functional"] == {"average": 100.0, "error": 0.0, "at3": 100.0, "all3": 100.0}
    assert "Gemini-Pro" in ask("table", "enacttom").stdout
    assert "no table" in str(ask("table", "enacttom", "made-up").exception)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no episodes" in str(ask("table", "enacttom", "published", empty).exception)


def edited(folder: Path, old: str, new: str) -> Path:
    path, text = folder / "mine.yaml", find_task("cup").read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "doubt"),
    [
        ("horizon: 5", "horizon: 2", "it is unsolvable: "),
        ("goal: on(cup, $target)", "goal: on(cup, shelf)", "it is trivial: the goal holds in every world"),
        ("horizon: 5", "horizon: 6", "it was changed after it was certified; it was proved again"),
        ("depth_any: 1", "depth_any: 0", "its certificate was edited; it was proved again"),
    ],
)
def test_results_in_tasks_without_a_sound_proof_are_marked(tmp_path: Path, old: str, new: str, doubt: str) -> None:
    words = ("evaluate", "enacttom", "random", "--set", f"task={edited(tmp_path, old, new)}", "--suite", "task")
    assert answer(*words, "--out", tmp_path / "out")["doubts"]["cup"].startswith(doubt)
    shown = ask(*words)
    assert f"WARNING: results in cup may be meaningless: {doubt}" in shown.stderr
    assert f"WARNING: results in cup may be meaningless: {doubt}" in shown.stdout
    (team,) = answer("table", "enacttom", "minds", tmp_path / "out")["teams"]
    assert team["per_task"][0]["doubt"].startswith(doubt)
    assert (
        f"WARNING: results in cup may be meaningless: {doubt}"
        in ask("table", "enacttom", "minds", tmp_path / "out").stdout
    )


def test_episodes_by_seed_in_an_unproved_task_are_marked(tmp_path: Path) -> None:
    mine = edited(tmp_path, "horizon: 5", "horizon: 6")
    words = ("play", "enacttom", "--mind", "random", "--set", f"task={mine}", "--out", tmp_path / "played.jsonl")
    doubt = "it was changed after it was certified; nothing is proved about it"
    assert answer(*words)[0]["doubt"].startswith(doubt)
    assert f"results in cup may be meaningless: {doubt}" in ask(*words).stdout
    found = answer("evaluate", "enacttom", "random", "--set", f"task={mine}", "--episodes", "2")
    assert found["doubts"]["cup"].startswith(doubt)


def test_a_proved_task_raises_no_doubts(tmp_path: Path) -> None:
    words = ("evaluate", "enacttom", "random", "--set", "task=cup", "--suite", "task", "--out", tmp_path)
    found = answer(*words)
    assert found["doubts"] == {}
    (result,) = found["rows"][0]["per_task"]
    assert (result["task"], result["depth"], result["missing"], len(result["failures"])) == ("cup", 1, 0, 3)
    assert json.loads((tmp_path / "summary.json").read_text())["rows"][0]["per_task"] == [result]
    assert "WARNING" not in ask(*words).output


def test_missing_runs_count_as_failures_and_are_marked(tmp_path: Path) -> None:
    record(tmp_path, "oracle", "greedy")
    path = tmp_path / "oracle.jsonl"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    starts = [at for at, line in enumerate(lines) if '"start"' in line]
    path.write_text("".join(lines[: starts[2] + 2]), "utf-8")  # the third episode is cut short
    teams = {team["team"]: team for team in answer("table", "enacttom", "minds", tmp_path)["teams"]}
    found = teams["oracle"]["published"]["functional"]
    assert (found["at3"], found["all3"], found["missing"], found["tasks"]) == (1.0, 0.0, 1, 1)
    assert found["average"] == pytest.approx(2 / 3)
    assert found["error"] == pytest.approx((2 / 9 / 3) ** 0.5)
    assert teams["oracle"]["per_task"][0]["missing"] == 1
    assert teams["oracle"]["functional"]["value"] == 1.0  # of the runs that ended
    assert teams["greedy"]["published"]["functional"]["missing"] == 0
    shown = ask("table", "enacttom", "minds", tmp_path).stdout
    assert "missing runs count as failures" in shown
    rows = answer("table", "enacttom", "published", tmp_path)
    assert {row["model"]: row.get("missing") for row in rows[-2:]} == {"oracle": 1, "greedy": 0}
    assert "oracle*" in ask("table", "enacttom", "published", tmp_path).stdout


def test_a_task_that_only_others_have_played_is_missing(tmp_path: Path) -> None:
    record(tmp_path, "oracle", "random")
    run_minds(enter(read_task(find_task("one_link-3"))), "oracle", tmp_path)
    teams = {team["team"]: team for team in answer("table", "enacttom", "minds", tmp_path)["teams"]}
    assert [task["missing"] for task in teams["random"]["per_task"]] == [0, 3]
    assert teams["random"]["published"]["functional"]["tasks"] == 2


def test_few_tasks_have_a_number_instead_of_an_interval(tmp_path: Path) -> None:
    record(tmp_path, "oracle")
    (team,) = answer("table", "enacttom", "minds", tmp_path)["teams"]
    assert (team["functional"]["low"], team["functional"]["high"], team["functional"]["tasks"]) == (None, None, 1)
    shown = ask("table", "enacttom", "minds", tmp_path).stdout
    assert "n = 1" in shown
    assert "…" not in shown
