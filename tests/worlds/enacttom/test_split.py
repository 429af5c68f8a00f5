"""A pool of evolved tasks becomes a split of the benchmark, with a record of how it came about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.json_lines import to_json
from otherminds.run.evolve_report import open_pool
from otherminds.worlds.enacttom.evolve import TaskBreeder
from otherminds.worlds.enacttom.split import record_of, split_of, write_split
from otherminds.worlds.enacttom.tasks.read import SHIPPED, read_task
from otherminds.worlds.enacttom.tasks.suite import tasks_of
from otherminds.worlds.enacttom.tasks.write import task_text
from otherminds.worlds.enacttom.verify.certify import fault_of
from otherminds.worlds.enacttom.world import EnactToM
from tests.plugin import invoke

PANEL = ("greedy", "tracker:depth=1")
FIRST = ("placement-1", "able-2")
EVOLVED = ("placement-3", "lock-1", "message-1", "message-3", "trusted-2", "two_links-2")  # two are alike


def pool_of(out: Path, played: Mapping[str, float]) -> Path:
    """A pool of small tasks, with pass rates with held-out seeds for the evolved half; fresh ones are passed."""
    config: dict[str, Any] = {"world": "enacttom-v0", "settings": {}, "panel": PANEL, "seed": 3, "failures": 0.9}
    write_whole(out / "config.json", to_json({**config, "band": (0.0, 0.5), "runs": 3, "first": len(FIRST)}))
    breeder, steps, rates = TaskBreeder(EnactToM()), list[dict[str, Any]](), list[dict[str, Any]]()
    for part, tasks in (("first", FIRST), ("evolved", EVOLVED)):
        for number, task in enumerate(tasks, 1):
            name, generation = f"{part}-{number}", number if part == "evolved" else 0
            lineage: dict[str, Any] = {
                "parents": ["first-1"] * bool(generation),
                "operator": "fresh" if part == "first" else "cut",
            }
            lineage |= {"step": len(steps) + 1, "generation": generation, "pass_rate": 0.0, "panel": {}, "seed": 3}
            made = replace(SHIPPED[task], provenance={"skeleton": f"from {task}", "additions": [], "lineage": lineage})
            write_whole(out / part / f"{name}.yaml", task_text(replace(made, id=name)))
            steps.append({"step": len(steps) + 1, **lineage, "name": name, "key": breeder.key(made), "against": ""})
            rates += [
                {"mind": m, "item": name, "pass_rate": 1.0 if part == "first" else rate} for m, rate in played.items()
            ]
    write_whole(out / "steps.jsonl", "".join(to_json(row) + "\n" for row in steps))
    write_whole(out / "held_out.jsonl", "".join(to_json(row) + "\n" for row in rates))
    return out


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rates = {"greedy": 0.0, "tracker:depth=1": 0.5, "bounded": 0.25}
    return pool_of(tmp_path_factory.mktemp("pools") / "pool", rates)


def test_a_split_has_the_evolved_tasks_in_turns_of_depth_and_no_near_duplicates(pool: Path) -> None:
    split = split_of(open_pool(pool), "hard", 5)
    assert [task.id for task in split.tasks.values()] == [f"hard-00{number}" for number in range(1, 6)]
    assert [task.certificate["depth"] for task in split.tasks.values()] == [1, 2, 3, 1, 3]
    assert split.left_out == {"evolved-4": "a near-duplicate of evolved-3"}
    with pytest.raises(UserError, match="has 5 evolved tasks that differ from all others; expected 6: run its evolve"):
        split_of(open_pool(pool), "hard", 6)
    some = split_of(open_pool(pool), "hard", 2, [SHIPPED["placement-3"]])
    assert some.left_out["evolved-1"] == "a near-duplicate of placement-3"
    assert some.left_out["evolved-5"] == "the split already has 2 tasks"


def test_the_files_of_a_split_keep_certificates_and_lineage_and_replace_older_ones(pool: Path, tmp_path: Path) -> None:
    write_split(split_of(open_pool(pool), "hard", 5), tmp_path)
    write_split(split_of(open_pool(pool), "hard", 4), tmp_path)
    tasks = list(tasks_of(str(tmp_path)))
    assert [task.id for task in tasks] == ["hard-001", "hard-002", "hard-003", "hard-004"]
    assert [fault_of(task) for task in tasks] == [""] * 4
    assert tasks[0].provenance["split"] == "hard"
    assert tasks[0].provenance["lineage"]["parents"] == ["first-1"]
    with pytest.raises(UserError, match=r"has the file hard-001\.yaml, which is not of this split"):
        write_split(split_of(open_pool(pool), "standard", 1), tmp_path)
    assert read_task(tmp_path / "hard-001.yaml").id == "hard-001"


def test_the_record_says_what_evolution_achieved_by_depth_and_stage(pool: Path) -> None:
    record = json.loads(json.dumps(record_of(split_of(open_pool(pool), "hard", 5))))
    panel, *minds = record["success"]
    assert (panel["minds"], panel["first"]["value"], panel["evolved"]["value"]) == ("panel", 1.0, 0.25)
    assert [(row["minds"], row["in_panel"]) for row in minds] == [
        (PANEL[0], True),
        (PANEL[1], True),
        ("bounded", False),
    ]
    assert [record["by_depth"][depth][0]["evolved"]["items"] for depth in "123"] == [2, 2, 2]
    assert record["by_depth"]["2"][0]["first"] is None
    assert [stage["stage"] for stage in record["stages"]] == ["fresh", "1", "2", "3", "4 and later"]
    assert record["stages"][0]["depths"] == {"1": 2, "2": 0, "3": 0}
    assert record["stages"][-1]["success"]["value"] == 0.25
    item = record["items"][2]
    assert (item["name"], item["task"], item["depth"], item["operator"]) == ("evolved-1", "hard-001", 1, "cut")
    assert item["held_out"] == {"greedy": 0.0, "tracker:depth=1": 0.5, "bounded": 0.25}
    assert record["items"][0]["task"] is None, "fresh items are in no split"


def test_success_is_reported_only_where_the_whole_pool_was_played(tmp_path: Path) -> None:
    record = record_of(split_of(open_pool(pool_of(tmp_path, {"greedy": 0.0})), "hard", 5))
    assert "success" not in record
    assert record["stages"][0]["success"] is None


def test_a_pool_is_exported_by_a_command(pool: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherminds.worlds.enacttom.tasks.read.suites", list[str])  # which have these tasks already
    files, out = tmp_path / "files", tmp_path / "record.json"
    command = ("export", "enacttom", str(pool), "--name", "x", "--size", "3", "--files", str(files), "--out", str(out))
    record: dict[str, Any] = json.loads(invoke(*command, "--json", cwd=tmp_path))
    assert record == {k: v for k, v in json.loads(out.read_text("utf-8")).items() if k not in ("command", "version")}
    assert len(list(files.glob("x-*.yaml"))) == 3


def test_only_pools_are_opened(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="expected a pool that 'evolve' made"):
        open_pool(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UserError, match="is not the configuration of a pool"):
        open_pool(tmp_path)
