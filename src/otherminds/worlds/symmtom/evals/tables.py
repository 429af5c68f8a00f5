"""Tables 1 and 4 to 7 of the SymmToM paper, with scripted minds and trained agents beside the published figures.

Functions that end in ``_rows`` give what ``--json`` prints, a dictionary for each row; those that end in ``_table``
make a :class:`Table` of such rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.results.statistics import iqm, mean, mean_of_cells, pooled, spread, standard_error
from otherminds.results.table import Cell, Table
from otherminds.worlds.symmtom.evals.agents import load_policy
from otherminds.worlds.symmtom.evals.runs import Record, by_cell
from otherminds.worlds.symmtom.metrics import PAPER_TABLES, READINGS
from otherminds.worlds.symmtom.minds.rollout import rollout
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params

Row = dict[str, Any]
METRICS = {1: "reward", **PAPER_TABLES}
TITLES = {
    1: "reward per agent (higher is better)",
    4: "unsuccessful base uses per agent (lower is better)",
    5: "wrong pieces per agent (lower is better)",
    6: "useless pieces per agent (lower is better)",
    7: "useless moves per agent (lower is better)",
}
# The paper's row for a mind of ours that plays by the same script.
PAPER_ROWS = {"heuristic": "Heuristic"}


def table_rows(
    number: int,
    minds: Sequence[str],
    settings: Sequence[str] = PAPER_SETTINGS,
    episodes: int = 20_000,
    seed: int = 0,
    engine: str | None = None,
    switches: dict[str, Any] | None = None,
    reading: str = "",
    advance: Callable[[str], None] = lambda _: None,
) -> list[Row]:
    """Play every mind in every setting and return a row for each.

    Returns:
        ``player``, ``setting``, ``mean`` (over episodes, of the mean over agents), ``sd`` (over episodes),
        ``standard_error`` (of the mean), ``episodes``, ``seed``, ``paper`` and ``paper_sd`` (published for the same
        mind, or ``None``).
    """
    metric = metric_of(number, reading)
    if not minds:
        raise UserError("no mind was named; to see the minds, run 'otherminds list minds'")
    policies = [load_policy(name) for name in minds]
    worlds = [Params.from_setting(setting, **(switches or {})) for setting in settings]
    rows = []
    for params in worlds:
        for policy in policies:
            tally = rollout(params, policy, seed, episodes, engine)
            scores = np.asarray(getattr(tally, metric), dtype=np.float64).mean(axis=0)
            row = None if switches else PAPER_ROWS.get(policy.name)
            rows.append(
                {
                    "player": policy.name,
                    "setting": params.setting,
                    "mean": float(scores.mean()),
                    "sd": spread(scores) or 0.0,
                    "standard_error": standard_error(scores),
                    "episodes": episodes,
                    "seed": seed,
                    **_beside(number, row, params.setting),
                }
            )
            advance(f"{policy.name} in {params.setting}")
    return rows


@lru_cache(maxsize=1)
def paper_tables() -> dict[str, Any]:
    """Tables 1-7 as published."""
    tables: dict[str, Any] = json.loads((files("otherminds.worlds.symmtom") / "paper.json").read_text("utf-8"))
    return tables


def published(number: int, row: str | None, setting: str) -> tuple[float | None, float | None]:
    """Return the published figure of a row such as ``MADDPG-CE`` and its standard deviation, where there are any."""
    cell = paper_tables()[f"table{number}"]["models"].get(row or "", {}).get(setting)
    return (None, None) if cell is None else (cell["value"], cell.get("sd"))


def metric_of(number: int, reading: str = "") -> str:
    """Return the name of the metric of a table."""
    if number not in METRICS:
        raise UserError(f"no metric has table {number}; expected table 1, 4, 5, 6 or 7")
    readings = READINGS.get(number, {})
    if reading and reading not in readings:
        others = f"; expected {', '.join(readings)}" if readings else "; leave out the reading"
        raise UserError(f"table {number} has no reading {reading!r}{others}")
    return readings[reading] if reading else METRICS[number]


def trained_rows(number: int, records: Iterable[Record], *, greedy: bool = False, reading: str = "") -> list[Row]:
    """The cells of a table that we have trained.

    Returns:
        ``player`` (the model), ``setting``, ``mean`` and ``sd`` over runs (no ``sd`` for a single run), ``low`` and
        ``high`` (95 % bootstrap interval of the mean), ``seeds``, ``training_episodes``, ``evaluation_episodes`` (of
        each run), ``switches`` (how its world differs from the paper's), ``paper_row`` (the paper's name of the
        model), ``paper``, ``paper_sd``, ``difference`` (ours minus the paper's) and ``difference_in_sds`` (of the
        paper; ``None`` where it reports none, or one that rounds to 0).
    """
    metric, rows = metric_of(number, reading), []
    for (model, setting), runs in by_cell(records).items():
        scores = [run.score(metric, greedy=greedy) for run in runs]
        estimate, beside = pooled([scores], mean), _beside(number, runs[0].paper_model, setting)
        difference = None if beside["paper"] is None else estimate.value - beside["paper"]
        rows.append(
            {
                "player": model,
                "setting": setting,
                "mean": estimate.value,
                "sd": spread(scores),
                "low": estimate.low,
                "high": estimate.high,
                "seeds": [run.seed for run in runs],
                "training_episodes": runs[0].training_episodes,
                "evaluation_episodes": int(runs[0].evaluation.get("episodes", 0)),
                "switches": runs[0].switches,
                "paper_row": runs[0].paper_model,
                **beside,
                "difference": difference,
                "difference_in_sds": difference / beside["paper_sd"] if beside["paper_sd"] else None,
            }
        )
    return rows


def summary_rows(number: int, records: Iterable[Record], *, greedy: bool = False, reading: str = "") -> list[Row]:
    """Each model over its settings; models that were trained in different settings cannot be compared by it.

    Returns:
        ``player``, ``settings``, ``iqm`` (of all runs), ``mean`` (of the settings' means) and ``paper_mean`` (of the
        published means of the same settings; ``None`` if one of them is not published).
    """
    metric = metric_of(number, reading)
    models: dict[str, dict[str, list[Record]]] = {}
    for (model, setting), runs in by_cell(records).items():
        models.setdefault(model, {})[setting] = runs
    rows = []
    for model, cells in models.items():
        scores = [[run.score(metric, greedy=greedy) for run in runs] for runs in cells.values()]
        values = [published(number, runs[0].paper_model, setting)[0] for setting, runs in cells.items()]
        rows.append(
            {
                "player": model,
                "settings": list(cells),
                "iqm": pooled(scores, iqm).to_dict(),
                "mean": mean_of_cells(scores).to_dict(),
                "paper_mean": None if None in values else float(np.mean([value or 0.0 for value in values])),
            }
        )
    return rows


def scripted_table(number: int, rows: Sequence[Row], notes: Sequence[str] = ()) -> Table:
    """Rows of scripted minds, a column for each mind, those that the paper has followed by its figures."""
    lines: dict[str, Row] = {}
    are_published = {row["player"] for row in rows if row["paper"] is not None}
    for row in rows:
        line = lines.setdefault(row["setting"], {"setting": row["setting"]})
        line[row["player"]] = Cell(row["mean"], row["sd"], digits=_digits(number))
        if row["player"] in are_published:
            line[f"{row['player']},\npublished"] = _published_text(row)
    return Table.of(f"SymmToM, table {number}: {TITLES[number]}", list(lines.values()), notes=notes)


def published_table(number: int, settings: Sequence[str]) -> Table:
    """The paper's learned agents."""
    names = [name for name in paper_tables()[f"table{number}"]["models"] if name != "Heuristic"]
    lines = []
    for setting in settings:
        cells = {name.replace("-", "\n"): _published_text(_beside(number, name, setting)) for name in names}
        lines.append({"setting": setting, **cells})
    return Table.of("published, learned agents", lines)


def trained_table(number: int, rows: Sequence[Row], summaries: Sequence[Row], notes: Sequence[str] = ()) -> Table:
    """Trained models, a section for each with its summary."""
    digits, sections = _digits(number), []
    first = "agent and setting"

    def line(name: str, figures: Mapping[str, Any], value: float, error: float | None, runs: int) -> Row:
        cell = Cell(value, error, (figures["low"], figures["high"]), digits=digits)
        return {first: f"  {name}", "mean ±sd\nand 95 % interval": cell, "seeds": runs}

    for summary in summaries:
        mine = [row for row in rows if row["player"] == summary["player"]]
        section: list[Row] = [{first: f"{summary['player']} {mine[0]['paper_row'] or ''}".strip()}]
        for row in mine:
            beside = {"publ.": _published_text(row), "apart": _apart(row, digits)}
            section.append(line(row["setting"], row, row["mean"], row["sd"], len(row["seeds"])) | beside)
        for name in ("mean", "iqm"):
            label = f"{name.replace('iqm', 'IQM')}, {len(mine)} setting{'s' * (len(mine) > 1)}"
            section.append(line(label, summary[name], summary[name]["value"], None, summary[name]["runs"]))
        if summary["paper_mean"] is not None:
            section[-2]["publ."] = f"{summary['paper_mean']:.{digits}f}"
        sections.append(section)
    return Table.of(f"trained agents, table {number}: {TITLES[number]}", *sections, notes=notes)


def trained_notes(rows: Sequence[Row], greedy: bool) -> list[str]:
    """Sentences about how agents were trained and evaluated."""
    how = "most likely" if greedy else "sampled"
    played = max(row["evaluation_episodes"] for row in rows)
    notes: dict[str, list[str]] = {}
    for row in rows:
        world = "".join(f", {name}={value}" for name, value in row["switches"].items())
        notes.setdefault(f"{row['training_episodes']:,} training episodes{world}", []).append(row["player"])
    return [
        f"{played} fresh episodes of each run's best checkpoint, {how} actions; ± sd over runs; IQM over all runs",
        *(f"{note}: {', '.join(dict.fromkeys(models))}" for note, models in notes.items()),
    ]


def _beside(number: int, row: str | None, setting: str) -> Row:
    return dict(zip(("paper", "paper_sd"), published(number, row, setting), strict=True))


def _published_text(row: Row) -> str:
    sd = "" if row["paper_sd"] is None else f" ±{row['paper_sd']:g}"
    return "" if row["paper"] is None else f"{row['paper']:g}{sd}"


def _apart(row: Row, digits: int) -> str:
    """How far ours is from the paper's, in its standard deviations where it reports them."""
    if row["difference_in_sds"] is not None:
        return f"{row['difference_in_sds']:+.1f} sd"
    return "" if row["difference"] is None else f"{row['difference']:+.{digits}f}"


def _digits(number: int) -> int:
    return 1 if number == 1 else 2
