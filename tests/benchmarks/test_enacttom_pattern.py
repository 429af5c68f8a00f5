"""The scripts that check the step pattern and the verifier's "unknown" notice what they are meant to notice."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("clingo")

from benchmarks import enacttom_reruns
from benchmarks.enacttom_pattern import exceptions, verdicts
from benchmarks.enacttom_reruns import rerun, run
from otherminds.core.json_lines import JsonLines, read_rows
from otherminds.worlds.enacttom.tasks.read import SHIPPED
from otherminds.worlds.enacttom.verify.certify import certify


def team(mind: str, **swept: bool) -> dict[str, Any]:
    """A mind that swept tasks, whose names end in their depths."""
    tasks = [{"task": task, "depth": int(task[-1]), "has_swept": has} for task, has in swept.items()]
    return {"team": mind, "per_task": tasks}


def test_a_task_with_a_wrong_label_is_an_exception_and_spoils_the_pattern() -> None:
    right = [team("tracker:depth=1", a1=True, b2=False), team("tracker:depth=2", a1=True, b2=True)]
    assert exceptions(right) == []
    assert all(row["is_met"] for row in verdicts(right))
    relabelled = [team("tracker:depth=1", a1=True, b1=False), team("tracker:depth=2", a1=True, b1=True)]
    assert exceptions(relabelled) == [{"task": "b1", "depth": 1, "mind": "tracker:depth=1"}]
    assert [row["is_met"] for row in verdicts(relabelled)] == [False, True]
    too_deep = [team("tracker:depth=1", a1=True, b2=True)]
    assert [(row["bar"], row["is_met"]) for row in verdicts(too_deep)] == [
        ("deep_enough", True),
        ("too_shallow", False),
    ]


def test_minds_without_theory_of_mind_must_fail_deep_tasks_only() -> None:
    (row,) = verdicts([team("greedy", a1=True, b2=True, c3=False)])
    assert (row["bar"], row["tasks"], row["swept"], row["is_met"]) == ("mindless", 2, 0.5, False)
    assert verdicts([team("selfish", a1=False, b2=True)]) == []


def test_unknown_is_false_only_while_there_is_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [rerun(SHIPPED["one_link-2"], number) for number in range(3)]
    assert not any(row["is_false"] or row["is_wrong"] for row in numbers)
    monkeypatch.setattr(enacttom_reruns, "HURRIED", 0.0)
    monkeypatch.setattr(enacttom_reruns, "certify", lambda task, **_: replace(certify(task), grade="unknown"))
    assert rerun(SHIPPED["one_link-2"], 0)["is_false"]
    monkeypatch.setattr(enacttom_reruns, "certify", lambda task, **_: replace(certify(task), depth=1))
    assert rerun(SHIPPED["one_link-2"], 0)["is_wrong"]


def test_reruns_resume_where_they_were_killed(tmp_path: Path) -> None:
    tasks = [SHIPPED["one_link-2"], SHIPPED["cup"]]
    for number in (1, 3):
        with closing(JsonLines(tmp_path / "reruns.jsonl")) as log:
            run(tasks, number, log)
    assert [(row["rerun"], row["task"]) for row in read_rows(tmp_path / "reruns.jsonl")] == [
        (0, "one_link-2"), (1, "cup"), (2, "one_link-2"),
    ]  # fmt: skip
