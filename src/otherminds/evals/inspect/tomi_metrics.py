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


def _one(name: str, pick: Callable[[Scores], Rate | None]) -> Callable[[], Metric]:
    """A metric of Inspect's that is one of the scores."""

    def measure(scores: list[SampleScore]) -> Value:
        found = scores_of(scores)
        rate = pick(found) if found else None
        return nan if rate is None else rate.value

    return metric(name=name)(lambda: measure)


def _several(name: str, pick: Callable[[Scores], dict[str, Rate]]) -> Callable[[], Metric]:
    """A metric of Inspect's that is a group of them."""

    def measure(scores: list[SampleScore]) -> Value:
        found = scores_of(scores)
        return {part: rate.value for part, rate in pick(found).items()} if found else {}

    return metric(name=name)(lambda: measure)


# What each means is said at its field of Scores.
family_joint = _one("family_joint", lambda scores: scores.family_joint)
story_joint = _one("story_joint", lambda scores: scores.story_joint)
validity_rate = _one("validity_rate", lambda scores: scores.validity)
accuracy_of_valid = _one("accuracy_of_valid", lambda scores: scores.accuracy_of_valid)
reality_bias = _one("reality_bias", lambda scores: scores.reality_bias)
pair_joint = _several("pair_joint", lambda scores: {f"{k} pair": rate for k, rate in scores.pair_joint.items()})
false_belief = _several("false_belief", lambda scores: scores.false_attribution)


def marks_of(sample_scores: dict[str, Any]) -> Mark | None:
    """What was marked in a sample of a log."""
    for score in sample_scores.values():
        if score.metadata and MARK in score.metadata:
            return Mark(**score.metadata[MARK])
    return None
