"""Tables of the SymmToM paper with our players in them, and with trained agents: means over seeds, with intervals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Policy
from otherminds.core.registry import find
from otherminds.evals.records import Record, by_cell
from otherminds.evals.statistics import Estimate, iqm, mean, mean_of_cells, pooled, spread
from otherminds.players.symmtom.rollout import rollout
from otherminds.worlds.symmtom.metrics import PAPER_TABLES, READINGS
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params

METRICS = {1: "reward", **PAPER_TABLES}
TITLES = {
    1: "reward per agent (higher is better)",
    4: "unsuccessful base uses per agent (lower is better)",
    5: "wrong pieces per agent (lower is better)",
    6: "useless pieces per agent (lower is better)",
    7: "useless moves per agent (lower is better)",
}
# The paper's row for a player of ours that plays by the same script.
PAPER_ROWS = {"heuristic": "Heuristic"}


@dataclass(frozen=True)
class Row:
    """One cell of a table: a player in a setting."""

    player: str
    setting: str
    mean: float  # over episodes, of the mean over agents
    sd: float  # over episodes
    standard_error: float  # of the mean
    episodes: int
    seed: int
    paper: float | None  # what the paper reports for the same player
    paper_sd: float | None


def table_rows(
    number: int,
    players: Sequence[str],
    settings: Sequence[str] = PAPER_SETTINGS,
    episodes: int = 20_000,
    seed: int = 0,
    engine: str | None = None,
    switches: dict[str, Any] | None = None,
    reading: str = "",
    on_row: Callable[[Row], None] | None = None,
) -> list[Row]:
    """Play every player in every setting and give the rows of a table.

    Args:
        number: the paper's table: 1, 4, 5, 6 or 7.
        players: names of registered policies.
        settings: such as ``n3_w6_c3``.
        episodes: how many to play for each row.
        seed: the same seed gives the same rows.
        engine: ``"jax"``, ``"numpy"``, or ``None`` for JAX where it is installed.
        switches: parameters of the world that differ from the paper's.
        reading: another reading of the table's metric: see ``READINGS``.
        on_row: called with each row as it is ready.
    """
    metric = metric_of(number, reading)
    if not players:
        raise UserError("no mind was named; 'otherminds list minds' shows them")
    policies = [load_policy(name) for name in players]
    worlds = [Params.from_setting(setting, **(switches or {})) for setting in settings]
    rows = []
    for params in worlds:
        for policy in policies:
            tally = rollout(params, policy, seed, episodes, engine)
            scores = np.asarray(getattr(tally, metric), dtype=np.float64).mean(axis=0)
            value, sd = published(number, PAPER_ROWS.get(policy.name), params.setting)
            spread = float(scores.std(ddof=1)) if episodes > 1 else 0.0
            row = Row(
                player=policy.name,
                setting=params.setting,
                mean=float(scores.mean()),
                sd=spread,
                standard_error=spread / float(np.sqrt(episodes)),
                episodes=episodes,
                seed=seed,
                paper=None if switches else value,
                paper_sd=None if switches else sd,
            )
            rows.append(row)
            if on_row:
                on_row(row)
    return rows


def load_policy(name: str) -> Policy:
    """The registered policy of that name.

    Raises:
        UserError: if there is none, or it is a player that fills one seat only, such as a person.
    """
    policy = find("mind", name, "symmtom").load()
    if not isinstance(policy, Policy):
        raise UserError(f"mind {name!r} plays one seat at a time and cannot fill a table; use 'otherminds play'")
    return policy


@lru_cache(maxsize=1)
def paper_tables() -> dict[str, Any]:
    """Tables 1-7 as published."""
    tables: dict[str, Any] = json.loads((files("otherminds.evals") / "paper" / "symmtom.json").read_text("utf-8"))
    return tables


def published(number: int, row: str | None, setting: str) -> tuple[float | None, float | None]:
    """What the paper reports in a table for a row such as ``MADDPG-CE``, and its standard deviation, where it does."""
    cell = paper_tables()[f"table{number}"]["models"].get(row or "", {}).get(setting)
    return (None, None) if cell is None else (cell["value"], cell.get("sd"))


def metric_of(number: int, reading: str = "") -> str:
    """What a table is about.

    Raises:
        UserError: if it is no table of metrics, or its metric cannot be read so.
    """
    if number not in METRICS:
        known = ", ".join(map(str, METRICS))
        raise UserError(f"there is no table {number} of metrics; expected {known}; 2 and 3 are of theory-of-mind tests")
    readings = READINGS.get(number, {})
    if reading and reading not in readings:
        others = f"; known: {', '.join(readings)}" if readings else ", only as it is"
        raise UserError(f"table {number} cannot be read by {reading!r}{others}")
    return readings[reading] if reading else METRICS[number]


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
