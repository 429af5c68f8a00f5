"""Trained agents in the paper's tables: means over seeds beside the published ones, with intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherminds.evals.records import Record, by_cell
from otherminds.evals.statistics import Estimate, iqm, mean, mean_of_cells, pooled, spread
from otherminds.evals.symmtom_tables import metric_of, published


@dataclass(frozen=True)
class TrainedCell:
    """A trained model in a setting."""

    player: str
    setting: str
    mean: float  # over runs
    sd: float | None  # over runs, as the paper reports it; None for a single run
    low: float | None  # of the 95 % bootstrap interval of the mean
    high: float | None
    seeds: list[int]
    training_episodes: int
    evaluation_episodes: int  # of each run
    switches: dict[str, Any]  # how its world differs from the paper's
    paper_row: str | None  # what the paper calls the model
    paper: float | None
    paper_sd: float | None
    difference: float | None  # ours minus the paper's
    difference_in_sds: float | None  # of the paper; None where it reports none, or one that rounds to 0


@dataclass(frozen=True)
class TrainedSummary:
    """A trained model over all its settings."""

    player: str
    settings: list[str]
    iqm: Estimate  # of all runs
    mean: Estimate  # of the settings' means
    paper_mean: float | None  # of the published means of the same settings; None if one of them is not published


def trained_cells(
    number: int,
    records: Iterable[Record],
    *,
    greedy: bool = False,
    reading: str = "",
) -> list[TrainedCell]:
    """The cells of a table that we have trained.

    Args:
        number: the paper's table: 1, 4, 5, 6 or 7.
        records: trained runs.
        greedy: takes the evaluation with the most likely actions instead of sampled ones.
        reading: another reading of the table's metric.
    """
    metric, cells = metric_of(number, reading), []
    for (model, setting), runs in by_cell(records).items():
        scores = np.asarray([run.score(metric, greedy=greedy) for run in runs])
        row = runs[0].paper_model
        value, sd = published(number, row, setting)
        estimate = pooled([scores], mean)
        difference = None if value is None else estimate.value - value
        cells.append(
            TrainedCell(
                player=model,
                setting=setting,
                mean=estimate.value,
                sd=spread(scores),
                low=estimate.low,
                high=estimate.high,
                seeds=[run.seed for run in runs],
                training_episodes=runs[0].training_episodes,
                evaluation_episodes=int(runs[0].evaluation.get("episodes", 0)),
                switches=runs[0].switches,
                paper_row=row,
                paper=value,
                paper_sd=sd,
                difference=difference,
                difference_in_sds=difference / sd if difference is not None and sd else None,
            )
        )
    return cells


def trained_summaries(
    number: int, records: Iterable[Record], *, greedy: bool = False, reading: str = ""
) -> list[TrainedSummary]:
    """Each model over its settings; models that were trained in different settings cannot be compared by it."""
    metric = metric_of(number, reading)
    strata: dict[str, dict[str, list[Record]]] = {}
    for (model, setting), runs in by_cell(records).items():
        strata.setdefault(model, {})[setting] = runs
    summaries = []
    for model, cells in strata.items():
        scores = [[run.score(metric, greedy=greedy) for run in runs] for runs in cells.values()]
        values = [published(number, runs[0].paper_model, setting)[0] for setting, runs in cells.items()]
        known = [value for value in values if value is not None]
        paper = float(np.mean(known)) if len(known) == len(values) else None
        summaries.append(TrainedSummary(model, list(cells), pooled(scores, iqm), mean_of_cells(scores), paper))
    return summaries
