"""Statistics that summarize scores of episodes by task (spec 6.2, 6.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import comb, sqrt
from typing import Any, NamedTuple

from otherminds.core.summary import mean
from otherminds.results.statistics import ratio, wilson
from otherminds.worlds.enacttom.evals.episode_analysis import EpisodeAnalysis, is_right
from otherminds.worlds.enacttom.formulas import is_reached
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.probes.questions import CANNOT_TELL
from otherminds.worlds.enacttom.rules import begin, step
from otherminds.worlds.enacttom.tasks.suite import TRIES
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.plans import calibrate

REPEATS = 10_000  # resamples of tasks
LEAST_TASKS = 5  # an interval over fewer tasks would say nothing


def pass_at(successes: int, runs: int) -> float:
    """The estimated chance that at least one of three episodes succeeds."""
    return 1 - comb(runs - successes, TRIES) / comb(runs, TRIES)


def pass_all(successes: int, runs: int) -> float:
    """The estimated chance that all of three episodes succeed, as published; the code has ``(c/n)^k`` (spec 1.14)."""
    return comb(successes, TRIES) / comb(runs, TRIES)


def first_three(runs: Sequence[EpisodeAnalysis]) -> list[EpisodeAnalysis | None]:
    """The first three runs of a task, by their numbers in the record; ``None`` for one that is missing."""
    numbered = {int(run.episode.notes.get("run", at)): run for at, run in enumerate(runs)}
    return [numbered.get(number) for number in range(TRIES)]


def as_published(tasks: Iterable[Sequence[EpisodeAnalysis]]) -> dict[str, dict[str, Any] | None]:
    """Functional and literal success of runs, given by task, as plain data.

    As in the paper, each task has three runs, and a run that is missing has failed (spec 1.14, 6.2). For each success,
    the ``average`` share of runs with its binomial standard ``error``, the shares of tasks with one success or more
    (``at3``) and with three (``all3``), the number of ``tasks``, and that of ``missing`` runs. ``None`` if no run has a
    verdict, such as answers where nobody was asked.
    """
    every = [first_three(runs) for runs in tasks]
    return {
        "functional": _account([[run.is_success if run else None for run in runs] for runs in every]),
        "literal": _account([[run.is_literal if run else None for run in runs] for runs in every]),
    }


def _account(verdicts: Sequence[Sequence[bool | None]]) -> dict[str, Any] | None:
    """The account of the verdicts on each task's runs."""
    missing, runs = sum(verdict is None for three in verdicts for verdict in three), TRIES * len(verdicts)
    if missing == runs:
        return None
    successes = [sum(map(bool, three)) for three in verdicts]
    average = sum(successes) / runs
    return {
        "average": average,
        "error": sqrt(average * (1 - average) / runs),
        "at3": mean(pass_at(count, TRIES) for count in successes),
        "all3": mean(pass_all(count, TRIES) for count in successes),
        "tasks": len(verdicts),
        "missing": missing,
    }


class Share(NamedTuple):
    """A share of cases with its interval.

    Attributes:
        value: from 0 to 1.
        cases: number of cases, such as episodes.
        tasks: number of tasks that they belong to.
        error: binomial standard error, as published; too small where cases of one task are correlated (W20).
        low: lower end of the bootstrap interval over tasks; of Wilson's interval where all cases are equal; ``None``
            for fewer than five tasks.
        high: upper end.
    """

    value: float
    cases: int
    tasks: int
    error: float
    low: float | None
    high: float | None


def share(groups: Iterable[Sequence[float]]) -> Share | None:
    """The mean over all cases, given by task; ``None`` if there are none."""
    tasks = [list(map(float, cases)) for cases in groups if len(cases)]
    if not tasks:
        return None
    sums, counts = [sum(cases) for cases in tasks], [len(cases) for cases in tasks]
    value, total = sum(sums) / sum(counts), sum(counts)
    error = sqrt(value * (1 - value) / total)
    if len(tasks) < LEAST_TASKS:
        return Share(value, total, len(tasks), error, None, None)
    interval = ratio(sums, counts, REPEATS)
    low, high = wilson(value, len(tasks))
    if interval.low is not None and interval.high is not None and interval.low < interval.high:
        low, high = interval.low, interval.high
    return Share(value, total, len(tasks), error, low, high)


def balanced_accuracy(probes: Iterable[Mapping[str, Any]]) -> float | None:
    """Accuracy averaged over expected answers, scaled so that chance is 0 and all right is 1 (spec 6.3).

    Constant and random answers score 0 on average. Avoiding an answer that is never right gains nothing. ``None`` if
    only one answer is ever right.
    """
    groups: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for probe in probes:
        groups[_place(probe, probe["expected"])].append(probe)
    if len(groups) < 2:
        return None
    accuracies = []
    for group in groups.values():
        chance = mean(1 / sum(_place(probe, option) in groups for option in probe["options"]) for probe in group) or 0
        if chance < 1:
            accuracies.append((sum(map(is_right, group)) / len(group) - chance) / (1 - chance))
    return mean(accuracies)


def _place(probe: Mapping[str, Any], answer: str) -> str:
    """An answer by its place among the options, so that probes about different secrets can be pooled."""
    return CANNOT_TELL if answer == CANNOT_TELL else str(probe["options"].index(answer))


@lru_cache(maxsize=512)
def guess_chance(task: Task, worlds: tuple[World, ...]) -> float:
    """The chance to sweep these worlds by drawing a world for each episode and doing what is right there."""
    house, chance = ground(task), 1.0
    plans = [calibrate(house, world) for world in task.worlds]
    for world in worlds:
        hits = 0
        for plan in plans:
            state = begin(house, world)
            for acts in plan or ():
                state, _ = step(house, state, acts)
            hits += plan is not None and is_reached(house, state.values)
        chance *= hits / len(plans)
    return chance
