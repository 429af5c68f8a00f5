"""Scores of a team of minds over tasks, with intervals clustered by task, and by groups of tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.summary import mean
from otherminds.worlds.enacttom.evals.episode_analysis import EpisodeAnalysis, analyse, is_right
from otherminds.worlds.enacttom.evals.failures import LABELS, failures
from otherminds.worlds.enacttom.evals.measures import (
    Share,
    as_published,
    balanced_accuracy,
    first_three,
    guess_chance,
    pass_all,
    pass_at,
    share,
)
from otherminds.worlds.enacttom.record import check_header, task_of
from otherminds.worlds.enacttom.tasks.suite import OTHER, TRIES, Entry
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.certify import Certificate


@dataclass(frozen=True)
class TaskRuns:
    """The episodes of a team in one task."""

    entry: Entry
    runs: tuple[EpisodeAnalysis, ...]
    tries: int = TRIES

    @property
    def headline(self) -> tuple[EpisodeAnalysis, ...]:
        """The episodes that count in averages, one for each try; the others only complete the sweep."""
        return self.runs[: self.tries]

    @cached_property
    def failures(self) -> list[tuple[str, ...]]:
        """The labels of each of these."""
        return list(map(failures, self.headline))

    @property
    def has_swept(self) -> bool | None:
        """Whether every contrast world was solved at its first episode; ``None`` if one was not played."""
        first: dict[World, bool] = {}
        for run in self.runs:
            first.setdefault(run.world, run.is_success)
        outcomes = [first.get(world) for world in self.entry.worlds]
        return None if None in outcomes else all(outcomes)


def shares(tasks: Sequence[TaskRuns]) -> dict[str, Share | None]:
    """All shares of a team (spec 6.2-6.4); ``None`` where no task has cases, such as private goals."""
    literal = [[run.is_literal for run in task.headline if run.is_literal is not None] for task in tasks]
    private = [[is_so for run in task.headline for is_so in run.private.values()] for task in tasks]
    unharmed = [[is_so and run.is_success for run in task.headline for is_so in run.private.values()] for task in tasks]
    return {
        "functional": _of(tasks, lambda run: [run.is_success]),
        **_tries("functional", [[run.is_success for run in task.headline] for task in tasks]),
        "sweep": share([[task.has_swept] for task in tasks if task.has_swept is not None]),
        "epistemic": _of(tasks, lambda run: [mean(run.wishes)] if run.wishes else []),
        "literal": share(literal),
        **_tries("literal", literal),
        "original": _of(tasks, lambda run: [mean(run.original)] if run.original else []),
        "private": share(private),
        "private_undamaged": share(unharmed),
        "conditional_gap": _of(tasks, lambda run: [run.is_said_rightly] if run.is_said_rightly is not None else []),
        "consistency": _of(tasks, lambda run: run.is_consistent),
    }


def _of(tasks: Sequence[TaskRuns], cases: Callable[[EpisodeAnalysis], Sequence[float | None]]) -> Share | None:
    return share([[float(case or 0) for run in task.headline for case in cases(run)] for task in tasks])


def _tries(name: str, groups: Sequence[Sequence[bool]]) -> dict[str, Share | None]:
    whole = [group for group in groups if len(group) >= TRIES]
    return {
        f"{name}@3": share([[pass_at(sum(group), len(group))] for group in whole]),
        f"{name}^3": share([[pass_all(sum(group), len(group))] for group in whole]),
    }


def literal_accuracy(tasks: Sequence[TaskRuns]) -> dict[str, Any]:
    """Balanced accuracy of probes about values and about knowledge, and accuracy by depth."""
    probes = [probe for task in tasks for run in task.headline for probe in run.probes]
    kinds = {
        "knows": [probe for probe in probes if probe["kind"] == "knows"],
        "values": [probe for probe in probes if probe["kind"] != "knows"],
    }
    by_depth = {
        depth: mean(is_right(probe) for probe in probes if 1 + len(probe["chain"]) == depth) for depth in (1, 2, 3)
    }
    return {
        **{kind: balanced_accuracy(mine) for kind, mine in kinds.items()},
        "answered": mean(bool(probe["given"]) for probe in probes),
        "by_depth": {depth: accuracy for depth, accuracy in by_depth.items() if accuracy is not None},
        "asked": len(probes),
    }


def raw_gap(scores: Mapping[str, Share | None]) -> float | None:
    """Literal minus functional success: the gap as published."""
    literal, functional = scores["literal"], scores["functional"]
    return literal.value - functional.value if literal and functional else None


def failure_rates(tasks: Sequence[TaskRuns]) -> dict[str, float]:
    """The share of episodes with each label."""
    episodes = [labels for task in tasks for labels in task.failures]
    counts = Counter(label for labels in episodes for label in labels)
    return {label: counts[label] / max(1, len(episodes)) for label in LABELS}


def by_group(tasks: Sequence[TaskRuns]) -> dict[str, dict[str, list[TaskRuns]]]:
    """Tasks by depth, category, number of people and mechanic; a task can have several mechanics."""
    groups: dict[str, dict[str, list[TaskRuns]]] = {"depth": {}, "category": {}, "people": {}, "mechanic": {}}
    for runs in tasks:
        task = runs.entry.task
        places = [
            ("depth", str(runs.entry.proof.depth)),
            ("category", task.category),
            ("people", str(len(task.people))),
            *(("mechanic", kind) for kind in sorted({mechanic.kind for mechanic in task.mechanics})),
        ]
        for axis, value in places:
            groups[axis].setdefault(value, []).append(runs)
    return {axis: dict(sorted(by_value.items())) for axis, by_value in groups.items()}


def summary(team: str, tasks: Sequence[TaskRuns]) -> dict[str, Any]:
    """All scores of a team, as plain data."""
    scores = shares(tasks)
    return {
        "team": team,
        "tasks": len(tasks),
        "runs": sum(len(task.headline) for task in tasks),
        "published": as_published(task.runs for task in tasks),
        **_plain(scores),
        "raw_gap": raw_gap(scores),
        "accuracy": literal_accuracy(tasks),
        "failures": failure_rates(tasks),
        "by": {
            axis: {value: {"tasks": len(mine), **_plain(shares(mine)), "accuracy": literal_accuracy(mine)}
                   for value, mine in groups.items()}
            for axis, groups in by_group(tasks).items()
        },
        "per_task": per_task(tasks),
    }  # fmt: skip


def per_task(tasks: Sequence[TaskRuns]) -> list[dict[str, Any]]:
    """The results of each task, as plain data."""
    return [
        {
            "task": runs.entry.task.id,
            "depth": runs.entry.proof.depth,
            "doubt": runs.entry.doubt,
            "worlds": [list(world) for world in runs.entry.worlds],
            "successes": sum(run.is_success for run in runs.headline),
            "missing": sum(run is None for run in first_three(runs.runs)),
            "literal": [run.is_literal for run in runs.headline],
            "has_swept": runs.has_swept,
            "guess_chance": guess_chance(runs.entry.task, runs.entry.worlds),
            "failures": list(map(list, runs.failures)),
        }
        for runs in tasks
    ]


def measures(episodes: Sequence[Episode], tasks: Sequence[TaskRuns]) -> dict[str, float | None]:
    """Means over finished episodes, for tables of several worlds.

    ``whole_literal`` is the share of episodes in which every probe was answered rightly; ``gap`` is its difference from
    the share that reached the goal. Intervals and shares by group are in :func:`summary`.

    Args:
        episodes: of one team.
        tasks: the same, scored by :func:`by_task`.
    """
    if not tasks:
        return {}
    scores, accuracy = shares(tasks), literal_accuracy(tasks)
    acts = [reason for episode in episodes for turn in episode.turns for reason in turn["refused"]]
    groups: dict[str, float | None] = {}
    for depth, mine in by_group(tasks)["depth"].items():
        if depth != "None":
            values = _values(shares(mine))
            groups |= {f"depth_{depth}_{name}": values[name] for name in ("functional", "sweep", "whole_literal")}
    return {
        "progress": mean(episode.end["progress"] for episode in episodes if episode.end),
        **_values(scores),
        "gap": raw_gap(scores),
        "accuracy_knows": accuracy["knows"],
        "accuracy_values": accuracy["values"],
        "answered": accuracy["answered"],
        **groups,
        **{f"failure_{label.replace(' ', '_')}": rate for label, rate in failure_rates(tasks).items()},
        "refused": mean(map(bool, acts)),
    }


def _values(scores: Mapping[str, Share | None]) -> dict[str, float | None]:
    """Shares as numbers. "literal" is renamed, since in other worlds it is the share of right answers."""
    return {name.replace("literal", "whole_literal"): share.value if share else None for name, share in scores.items()}


def _plain(scores: Mapping[str, Share | None]) -> dict[str, Any]:
    return {name: share._asdict() if share else None for name, share in scores.items()}


def score_records(episodes: Iterable[Episode]) -> dict[str, list[TaskRuns]]:
    """The scored episodes of recorded teams; tasks are taken from the records.

    An episode that has not ended is a missing run. So are all runs of a task that only other teams have played.

    Raises:
        UserError: if an episode cannot be replayed.
    """
    groups: dict[str, list[Episode]] = {}
    for episode in episodes:
        team = str(episode.notes.get("team") or " ".join(dict.fromkeys(episode.minds.values())))
        groups.setdefault(team, []).append(episode)
    scored = {team: by_task(mine) for team, mine in groups.items()}
    entries = {task.entry.task.id: task.entry for tasks in scored.values() for task in tasks}
    for tasks in scored.values():
        played = {task.entry.task.id for task in tasks}
        tasks += [TaskRuns(entry, ()) for name, entry in entries.items() if name not in played]
    return scored


def by_task(episodes: Iterable[Episode]) -> list[TaskRuns]:
    """The scored episodes of one team by task, in the order of their runs; those that have not ended are left out."""
    groups: dict[str, list[Episode]] = {}
    for episode in episodes:
        check_header(episode)
        groups.setdefault(str(episode.config.get("task")), []).append(episode)
    return [_recorded(sorted(mine, key=lambda run: int(run.notes.get("run", 0)))) for mine in groups.values()]


def _recorded(episodes: Sequence[Episode]) -> TaskRuns:
    """The episodes of one task, with what their records note about it."""
    noted, runs = episodes[0].notes, tuple(analyse(episode) for episode in episodes if episode.end is not None)
    task = task_of(episodes[0])
    proof = Certificate(noted.get("grade", "unknown"), depth=noted.get("depth"))
    worlds = tuple(tuple(world) for world in noted.get("worlds", ())) or task.worlds
    entry = Entry(task, proof, worlds, noted.get("split", OTHER), str(noted.get("doubt", "")))
    return TaskRuns(entry, runs, int(noted.get("tries", len(runs))))
