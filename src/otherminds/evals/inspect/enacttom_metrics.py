"""Metrics of the household task beside the averages: repeated runs, by depth, what could be read, what was answered.

Each run of a sample is kept, also where epochs repeat it: *pass^k* is about single runs, which averages forget.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf, nan
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, ScoreReducer, Value, mean_score, metric, score_reducer

from otherminds.core.episodes import Episode
from otherminds.evals.enacttom.measures import TRIES, is_right, pass_all, pass_at

RUNS = "runs"  # where a score's metadata has them
_PER_ACT = ("unreadable", "unspoken", "failed", "defaults", "refused", "attempts")


def run_of(episode: Episode) -> dict[str, Any]:
    """What counts of a run."""
    end = episode.end or {}
    counts = list(episode.notes.get("counts", {}).values())
    asked = [one for line in (*episode.turns, end) for one in line.get("probes", ()) if one["is_scored"]]
    return {
        "task": episode.config["task"],
        "depth": episode.notes.get("depth"),
        "is_headline": episode.notes["run"] < episode.notes.get("tries", inf),
        "functional": bool(end["success"]),
        "progress": float(end["progress"]),
        "probes": len(asked),
        "right": sum(map(is_right, asked)),
        "unanswered": sum(not one["given"] for one in asked),
        "acts": sum(one["acts"] for one in counts),
        **{name: sum(one[name] for one in counts) for name in _PER_ACT},
    }


@score_reducer(name="every_run")
def pooled() -> ScoreReducer:
    """The mean over epochs, with every run kept beside it."""
    average = mean_score()

    def reduce(scores: list[Score]) -> Score:
        found = average(scores)
        found.metadata = {RUNS: [run for score in scores for run in (score.metadata or {}).get(RUNS, [])]}
        return found

    return reduce


@metric
def repeated() -> Metric:
    """For each task: at least one success in three runs (pass@3), and three in three (pass^3); averaged over tasks."""

    def measure(scores: list[SampleScore]) -> Value:
        return _repeated(_headline(scores))

    return measure


@metric
def by_depth() -> Metric:
    """How often the goal was reached, by how deep a mind must look; nothing where no proof says so.

    Headline runs alone, as in all averages; those that only complete a sweep do not count.
    """

    def measure(scores: list[SampleScore]) -> Value:
        found: dict[str, float] = {}
        runs = _headline(scores)
        for depth in sorted({run["depth"] for run in runs if run["depth"] is not None}):
            some = [run for run in runs if run["depth"] == depth]
            found[f"depth_{depth}_functional"] = _share(some, "functional")
            found[f"depth_{depth}_progress"] = _share(some, "progress")
            found |= {f"depth_{depth}_{name}": value for name, value in _repeated(some).items()}
            found[f"depth_{depth}_literal"] = _literal(some)
        return found

    return measure


@metric
def validity() -> Metric:
    """For each act of a model: replies that could not be read, texts that said nothing, calls that failed, and so on.

    Acts that could be read and were refused by the house are apart: they are no failure to speak. All runs count, those
    that only complete a sweep too: a reply is as readable there as anywhere.
    """

    def measure(scores: list[SampleScore]) -> Value:
        runs = _runs(scores)
        return {name: _rate(runs, name, "acts") for name in _PER_ACT}

    return measure


@metric
def literal() -> Metric:
    """Headline runs in which every question was answered rightly; questions that were, or were not answered."""

    def measure(scores: list[SampleScore]) -> Value:
        runs = _headline(scores)
        return {
            "literal": _literal(runs),
            "probes_right": _rate(runs, "right", "probes"),
            "probes_unanswered": _rate(runs, "unanswered", "probes"),
        }

    return measure


def _repeated(runs: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    tasks: dict[str, list[bool]] = {}
    for run in runs:
        tasks.setdefault(run["task"], []).append(run["functional"])
    whole = [(sum(some), len(some)) for some in tasks.values() if len(some) >= TRIES]
    return {
        f"pass_at_{TRIES}": _mean(pass_at(*one) for one in whole),
        f"pass_all_{TRIES}": _mean(pass_all(*one) for one in whole),
    }


def _literal(runs: Sequence[Mapping[str, Any]]) -> float:
    return _mean(float(run["right"] == run["probes"]) for run in runs if run["probes"])


def _runs(scores: Sequence[SampleScore]) -> list[dict[str, Any]]:
    """Those that were played to their end."""
    return [run for one in scores for run in (one.score.metadata or {}).get(RUNS, [])]


def _headline(scores: Sequence[SampleScore]) -> list[dict[str, Any]]:
    """Those that averages are taken over, as in ``evals.enacttom.scores``; the others are there for the sweep."""
    return [run for run in _runs(scores) if run["is_headline"]]


def _share(runs: Sequence[Mapping[str, Any]], name: str) -> float:
    return _mean(float(run[name]) for run in runs)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else nan


def _rate(runs: Sequence[Mapping[str, Any]], part: str, whole: str) -> float:
    total = sum(run[whole] for run in runs)
    return sum(run[part] for run in runs) / total if total else nan
