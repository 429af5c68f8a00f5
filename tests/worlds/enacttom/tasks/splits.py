"""The shipped splits, for tests of them."""

from __future__ import annotations

from functools import lru_cache

from otherminds.worlds.enacttom.tasks.read import SHIPPED, task_names
from otherminds.worlds.enacttom.tasks.statistics import Facts, facts
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import certify, recheck, stored_certificate
from otherminds.worlds.enacttom.verify.judge import Judge

SPLITS = tuple(name for name in ("standard", "hard") if task_names(name))
SECONDS = 300.0  # time limit of each query: proofs of whole houses take long on a busy machine


@lru_cache
def facts_of(split: str) -> tuple[Facts, ...]:
    """The facts of every task of a split."""
    return tuple(facts(SHIPPED[name]) for name in task_names(split))


def work(task: Task) -> int:
    """Roughly how much a proof has to compare."""
    return len(task.worlds) ** 2 * task.horizon * len(task.people)


def easiest(split: str, depth: int) -> str:
    """The task of a depth that is proved the fastest."""
    tasks = [SHIPPED[one["task"]] for one in facts_of(split) if one["depth"] == depth]
    return min(tasks, key=lambda task: (work(task), task.id)).id


def check_certificate(name: str) -> None:
    """Prove a task anew with another seed of the solver: its certificate must say the same."""
    task = SHIPPED[name]
    claimed = stored_certificate(task)
    assert claimed is not None
    assert recheck(task, claimed, certify(task, seconds=SECONDS, seed=7), SECONDS) == ""


def check_verdicts(name: str) -> None:
    """Judge a task anew: every criterion must be met, as its file says."""
    task = SHIPPED[name]
    proof = stored_certificate(task)
    assert proof is not None
    verdicts = list(Judge(task, proof, SECONDS).verdicts())
    assert [verdict.reason for verdict in verdicts if not verdict.is_met] == []
    assert [one["criterion"] for one in task.provenance["judged"]] == [verdict.criterion for verdict in verdicts]
