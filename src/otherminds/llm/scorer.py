"""The scorer, which reports how an episode ended, and the metric, which is the world's summary of all episodes."""

from __future__ import annotations

from math import nan
from typing import Any

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    ScoreReducer,
    Target,
    Value,
    mean,
    mean_score,
    metric,
    score_reducer,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from otherminds.core.episodes import Episode
from otherminds.core.summary import mean as average
from otherminds.llm.options import RECORD
from otherminds.llm.samples import make_world

_RECORDS = "records"  # where a score's metadata has the episodes
_VALUES = ("success", "score")


@metric
def measured() -> Metric:
    """The world's own numbers: those of ``otherminds score`` for the same episodes."""

    def measure(scores: list[SampleScore]) -> Value:
        records = [lines for sample in scores for lines in (sample.score.metadata or {}).get(_RECORDS, ())]
        if not records:
            return {}
        about = scores[0].sample_metadata or {}
        summary = make_world(about["world"], about["settings"]).summary(list(map(Episode.from_lines, records)))
        return {name: nan if value is None else float(value) for name, value in summary.items()}

    return measure


@score_reducer(name="every_episode")
def every_episode() -> ScoreReducer:
    """The mean over epochs, with every episode kept beside it: measures are of single episodes."""
    usual = mean_score()

    def reduce(scores: list[Score]) -> Score:
        reduced = usual(scores)
        reduced.metadata = {_RECORDS: [lines for score in scores for lines in (score.metadata or {}).get(_RECORDS, [])]}
        return reduced

    return reduce


@scorer(metrics=[measured(), {name: [mean(), stderr(cluster="group")] for name in _VALUES}])
def outcome() -> Scorer:
    """Whether the episode was a success, where the world knows what that is, and the mean score of the seats."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 the protocol names it
        lines: list[dict[str, Any]] = state.store.get(RECORD, [])
        if not lines:  # a limit of Inspect's was reached
            return Score(value=dict.fromkeys(_VALUES, nan), explanation="the episode did not finish")
        ended = (Episode.from_lines(lines).end or {}).get("outcome", {})
        success, total = ended.get("success"), average(ended.get("score", {}).values())
        value = {"success": nan if success is None else float(success), "score": nan if total is None else total}
        return Score(value=value, answer=str(success), metadata={_RECORDS: [lines]})

    return score
