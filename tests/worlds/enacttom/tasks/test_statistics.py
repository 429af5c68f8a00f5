"""Statistics of tasks count what the tasks have."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.tasks.read import SHIPPED
from otherminds.worlds.enacttom.tasks.statistics import facts, statistics
from tests.plugin import invoke


def test_the_facts_of_a_task_are_those_of_its_file_and_its_certificate() -> None:
    found = facts(SHIPPED["lock-1"])
    assert (found["depth"], found["tight"], found["mixed"]) == (1, True, False)
    assert (found["rooms"], found["people"], found["messages"], found["budgets"]) == (4, 2, 1, [1])
    assert found["mechanics"] == ["remote_control", "room_restriction"]
    assert (found["goal_things"], found["moves"], found["carries"]) == (1, True, True)
    still = facts(SHIPPED["one_link-1"])
    assert (still["moves"], still["carries"], still["goal_things"]) == (False, False, 0)
    assert facts(SHIPPED["mixed_1-1"])["mixed"]
    changed = replace(SHIPPED["lock-1"], horizon=20)
    with pytest.raises(UserError, match="'lock-1' has no valid certificate"):
        facts(changed)


def test_copies_have_one_skeleton_and_what_evolved_names_its_own() -> None:
    alike, other = facts(SHIPPED["message-1"]), facts(SHIPPED["message-3"])
    assert alike["skeleton"] == other["skeleton"] == alike["mechanism"]
    lineage = {"operator": "cut", "generation": 3}
    about = {"skeleton": "gated-note-in-none", "additions": ["rumour"], "lineage": lineage}
    evolved = facts(replace(SHIPPED["message-1"], provenance=about))
    assert (evolved["skeleton"], evolved["mechanism"]) == ("gated-note-in-none", alike["mechanism"])
    found = statistics([alike, other, evolved])
    assert (found["tasks"], found["skeletons"], found["mechanisms"]) == (3, 2, 1)
    assert found["counts"]["generation"] == {"3": 1}
    assert found["counts"]["additions"] == {"rumour": 1}
    assert found["tight_by_depth"] == {"2": 3}
    assert found["numbers"]["rooms"] == {"median": 3.0, "low": 3, "high": 3}


def test_suites_and_folders_stand_side_by_side_in_a_table(tmp_path: Path) -> None:
    folder, out = tmp_path / "mine", tmp_path / "statistics.json"
    folder.mkdir()
    for name in ("cup", "lock-1"):
        invoke("new", "task", str(folder / f"{name}.yaml"), "--like", name, cwd=tmp_path)
        invoke("verify", str(folder / f"{name}.yaml"), "--write", cwd=tmp_path)
    shown = invoke("table", "enacttom", "statistics", "mine", "classic", "--out", str(out), cwd=tmp_path)
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in shown.splitlines() if "│" in line]
    assert ["tasks", "2", "62"] in rows
    depths = [row for row in rows if row[0].startswith("depth ")]
    assert depths == [["depth 1", "2", "23"], ["depth 2", "0", "22"], ["depth 3", "0", "17"]]
    suites = json.loads(out.read_text("utf-8"))["suites"]
    assert (suites["classic"]["tasks"], suites["mine"]["tasks"]) == (62, 2)
    assert suites["classic"]["counts"]["depth"] == {"1": 23, "2": 22, "3": 17}
    assert [one["task"] for one in suites["mine"]["per_task"]] == ["cup", "lock-1"]
    assert suites["mine"]["counts"]["mechanics"]["room_restriction"] == 2
