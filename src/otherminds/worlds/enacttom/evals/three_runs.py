"""The published account of success: three runs for each task, and a run that is missing has failed (spec 1.14, 6.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from otherminds.worlds.enacttom.evals.measures import pass_all, pass_at
from otherminds.worlds.enacttom.evals.replayed import Story
from otherminds.worlds.enacttom.tasks.suite import TRIES

if TYPE_CHECKING:
    from otherminds.worlds.enacttom.evals.scores import TaskRuns


class ThreeRuns(NamedTuple):
    """Success over three runs for each task.

    Attributes:
        average: share of runs that succeed.
        error: binomial standard error of the average, as published.
        at3: share of tasks with at least one success.
        all3: share of tasks with three successes.
        tasks: number of tasks.
        missing: number of runs that are missing and count as failures.
    """

    average: float
    error: float
    at3: float
    all3: float
    tasks: int
    missing: int


def first_three(task: TaskRuns) -> list[Story | None]:
    """The first three runs of a task, by their numbers in the record; ``None`` for one that is missing."""
    numbered = {int(run.episode.notes.get("run", at)): run for at, run in enumerate(task.runs)}
    return [numbered.get(number) for number in range(TRIES)]


def three_runs(tasks: Sequence[TaskRuns], is_passed: Callable[[Story], bool | None]) -> ThreeRuns | None:
    """The published account; ``None`` if no run has a verdict, such as answers where nobody was asked."""
    found = [[is_passed(run) if run else None for run in first_three(task)] for task in tasks]
    if not any(verdict is not None for verdicts in found for verdict in verdicts):
        return None
    successes = [sum(map(bool, verdicts)) for verdicts in found]
    runs = TRIES * len(tasks)
    average = sum(successes) / runs
    at3, all3 = (sum(passed(count, TRIES) for count in successes) / len(tasks) for passed in (pass_at, pass_all))
    missing = sum(verdict is None for verdicts in found for verdict in verdicts)
    return ThreeRuns(average, sqrt(average * (1 - average) / runs), at3, all3, len(tasks), missing)


def as_published(tasks: Sequence[TaskRuns]) -> dict[str, Any]:
    """Functional and literal success by the published account, as plain data."""
    accounts = {
        "functional": three_runs(tasks, lambda run: run.is_success),
        "literal": three_runs(tasks, lambda run: run.is_literal),
    }
    return {name: account._asdict() if account else None for name, account in accounts.items()}
