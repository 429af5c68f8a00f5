"""Metrics of the ToMi task beyond accuracy: each asks ``worlds.tomi.scores`` for one of its numbers."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from otherminds.worlds.tomi.scores import Mark, Rate, Scores, sum_up

MARK = "mark"  # where a score's metadata has what was marked


def scores_of(found: list[SampleScore]) -> Scores | None:
    """All scores of marked samples; ``None`` if there are none."""
    marks = [Mark(**one.score.metadata[MARK]) for one in found if one.score.metadata]
    return sum_up(marks) if marks else None


def _metric(pick: Callable[[Scores], Rate | None]) -> Metric:
    def measure(scores: list[SampleScore]) -> Value:
        found = scores_of(scores)
        rate = pick(found) if found else None
        return nan if rate is None else rate.value

    return measure


def _metrics(pick: Callable[[Scores], dict[str, Rate]]) -> Metric:
    def measure(scores: list[SampleScore]) -> Value:
        found = scores_of(scores)
        return {name: rate.value for name, rate in pick(found).items()} if found else {}

    return measure


@metric
def family_joint() -> Metric:
    """Families of which every question was answered right: the headline."""
    return _metric(lambda scores: scores.family_joint)


@metric
def story_joint() -> Metric:
    """Stories of which every question was answered right."""
    return _metric(lambda scores: scores.story_joint)


@metric
def validity_rate() -> Metric:
    """Questions with a reply that could be read, right or wrong."""
    return _metric(lambda scores: scores.validity)


@metric
def accuracy_of_valid() -> Metric:
    """Right answers among those that could be read."""
    return _metric(lambda scores: scores.accuracy_of_valid)


@metric
def reality_bias() -> Metric:
    """Wrong answers to false-belief questions that name the real container."""
    return _metric(lambda scores: scores.reality_bias)


@metric
def pair_joint() -> Metric:
    """Base stories and their twins of which every question was answered right, by kind of twin."""
    return _metrics(lambda scores: {f"{kind} pair": rate for kind, rate in scores.pair_joint.items()})


@metric
def false_belief() -> Metric:
    """Belief questions by order and by whether somebody is truly misjudged."""
    return _metrics(lambda scores: scores.false_attribution)


def marks_of(sample_scores: dict[str, Any]) -> Mark | None:
    """What was marked in a sample of a log."""
    for score in sample_scores.values():
        if score.metadata and MARK in score.metadata:
            return Mark(**score.metadata[MARK])
    return None
