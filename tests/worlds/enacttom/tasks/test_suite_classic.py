"""The first set of tasks: as large, deep and mixed as promised, and its certificates hold."""

import pytest

pytest.importorskip("clingo")

from otherminds.worlds.enacttom import TASKS
from otherminds.worlds.enacttom.tasks.read import find_task, read_task
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import certify, recheck, stored_certificate


def shipped() -> list[Task]:
    names = [f"{kind}-{at + 1}" for kind, (number, _) in TASKS.items() for at in range(number)]
    return [read_task(find_task(name)) for name in names]


def test_the_first_set_is_as_large_deep_and_mixed_as_promised() -> None:
    tasks = shipped()
    assert len(tasks) >= 60
    proofs = [stored_certificate(task) for task in tasks]
    depths = [proof.depth for proof in proofs if proof]
    assert len(depths) == len(tasks)
    assert all(depths.count(depth) >= 15 for depth in (1, 2, 3))
    tight = [proof.depth for proof in proofs if proof and proof.is_tight]
    assert all(tight.count(depth) >= 8 for depth in (2, 3))
    families = [task.provenance["family"] for task in tasks]
    assert max(map(families.count, families)) <= len(tasks) / 4
    assert len(set(families)) == 7
    assert {task.category for task in tasks} == {"cooperative", "mixed"}
    assert all(len(task.provenance["judged"]) == 8 for task in tasks)
    used = {mechanic.kind for task in tasks for mechanic in task.mechanics}
    assert {"room_restriction", "restricted_communication", "remote_control", "state_mirroring"} <= used
    assert {"time_window", "memo"} <= used


@pytest.mark.slow
@pytest.mark.parametrize("task", shipped(), ids=lambda task: task.id)
def test_shipped_certificates_hold_with_another_seed_of_the_solver(task: Task) -> None:
    claimed = stored_certificate(task)
    assert claimed is not None
    assert recheck(task, claimed, certify(task, seed=7)) == ""
