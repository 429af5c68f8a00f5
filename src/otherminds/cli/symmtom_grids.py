"""The tables of SymmToM for people, made from rows of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from otherminds.evals.statistics import Estimate
from otherminds.evals.symmtom_claims import ClaimRow
from otherminds.evals.symmtom_split import SplitRow
from otherminds.evals.symmtom_tables import TITLES, Row, TrainedCell, TrainedSummary
from otherminds.evals.table import Cell, Table

if TYPE_CHECKING:
    from otherminds.evals.symmtom_beliefs import BeliefRow

_PARTS = {  # of tables 5 and 6, by what the agents believed
    "wrong": {
        "shown,\nbetter": "wrong_shown_better",
        "shown,\nidle": "wrong_shown_idle",
        "delay,\nbetter": "wrong_delayed_better",
        "delay,\nidle": "wrong_delayed_idle",
        "\nalone": "wrong_alone",
    },
    "useless": {
        "shown,\nbetter": "useless_shown_better",
        "shown,\nidle": "useless_shown_idle",
        "not\nshown": "useless_unshown",
        "\nalone": "useless_alone",
    },
}


def players_table(number: int, rows: Sequence[Row], note: str) -> Table:
    """Scripted players, a column each."""
    digits, lines = _digits(number), dict[str, dict[str, Any]]()
    published = {row.player for row in rows if row.paper is not None}
    for row in rows:
        line = lines.setdefault(row.setting, {"setting": row.setting})
        line[row.player] = Cell(row.mean, row.sd, digits=digits)
        if row.player in published:
            paper = "" if row.paper is None else f"{row.paper:g} ±{row.paper_sd:g}"
            line[f"{row.player},\npublished"] = paper
    return Table.of(f"SymmToM, table {number}: {TITLES[number]}", list(lines.values()), notes=[note])


def beliefs_table(rows: Sequence[BeliefRow], notes: Sequence[str]) -> Table:
    """Beliefs, a column each."""
    lines: dict[str, dict[str, Any]] = {}
    for row in rows:
        where = f"{row.player}, {row.setting}"
        line = lines.setdefault(where, {"player and setting": where})
        line[row.belief] = Cell(row.brier, row.standard_error, digits=3)
    return Table.of("how near the truth beliefs about others are", list(lines.values()), notes=notes)


def published_table(models: dict[str, Any], settings: Sequence[str]) -> Table:
    """The paper's learned agents."""
    rows = [
        {"setting": setting}
        | {
            model.replace("MADDPG-", "MADDPG\n"): _text(cells.get(setting, {}).get("value"), "g")
            for model, cells in models.items()
            if model != "Heuristic"
        }
        for setting in settings
    ]
    return Table.of("published, learned agents", rows)


def trained_table(
    number: int, cells: Sequence[TrainedCell], summaries: Sequence[TrainedSummary], notes: Sequence[str]
) -> Table:
    """Trained models, a section each, with their summary."""
    digits, sections = _digits(number), []

    def line(where: str, mean: Cell, runs: int, ends: TrainedCell | Estimate, paper: str, apart: str) -> dict[str, Any]:
        return {
            "agent and setting": f"  {where}",
            "mean ±sd": mean,
            "seeds": runs,
            "95 % of\nthe mean": _interval(ends.low, ends.high, digits),
            "publ.": paper,
            "apart": apart,
        }

    for summary in summaries:
        mine = [cell for cell in cells if cell.player == summary.player]
        rows = [{"agent and setting": f"{summary.player} {mine[0].paper_row or ''}".strip()}]
        for cell in mine:
            paper = _text(cell.paper, "g") + ("" if cell.paper_sd is None else f" ±{cell.paper_sd:g}")
            mean = Cell(cell.mean, cell.sd, digits=digits)
            rows.append(line(cell.setting, mean, len(cell.seeds), cell, paper, _apart(cell, digits)))
        where = "1 setting" if len(mine) == 1 else f"{len(mine)} settings"
        paper = _text(summary.paper_mean, f".{digits}f")
        for label, estimate, beside in (("mean", summary.mean, paper), ("IQM", summary.iqm, "")):
            mean = Cell(estimate.value, digits=digits)
            rows.append(line(f"{label}, {where}", mean, estimate.runs, estimate, beside, ""))
        sections.append(rows)
    return Table.of(f"trained agents, table {number}: {TITLES[number]}", *sections, notes=notes)


def split_table(number: int, rows: Sequence[SplitRow], notes: Sequence[str]) -> Table:
    """Table 5 or 6 taken apart."""
    what = "wrong" if number == 5 else "useless"
    sections: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        total = row.means[what]
        shares = {
            head: f"{100 * row.means[part] / total:.0f} %" if total else None for head, part in _PARTS[what].items()
        }
        section = sections.setdefault(row.player, [{"agent\nand setting": row.player}])
        section.append(
            {
                "agent\nand setting": f"  {row.setting}" + (f" ×{row.runs}" if row.runs > 1 else ""),
                "\nall": Cell(total, digits=2),
                **shares,
                "\nuse": Cell(row.means["offered"]),
                "all,\npubl.": _text(row.paper.get(what), "g"),
            }
        )
    title = f"SymmToM, table {number} by what agents believed: {what} pieces per agent"
    return Table.of(title, *sections.values(), notes=notes)


def claims_table(rows: Sequence[ClaimRow], note: str) -> Table:
    """The paper's relative claims beside ours."""
    lines = [
        {
            "claim": row.text,
            "paper,\n\nstated": _text(row.stated, "g"),
            "paper,\nall\ncells": f"{row.paper:.2f}",
            "paper,\nour\ncells": _text(row.paper_shared, ".2f"),
            "ours": "" if row.ours is None else f"{row.ours.value:.2f}",
            "95 %": "" if row.ours is None else _interval(row.ours.low, row.ours.high, 2),
            "cells": f"{0 if row.ours is None else row.ours.cells} of {row.paper_cells}",
        }
        for row in rows
    ]
    return Table.of("SymmToM: relative claims, means of cell-wise ratios", lines, notes=[note])


def _digits(number: int) -> int:
    return 1 if number == 1 else 2


def _text(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _interval(low: float | None, high: float | None, digits: int) -> str:
    return "" if low is None or high is None else f"{low:.{digits}f} … {high:.{digits}f}"


def _apart(cell: TrainedCell, digits: int) -> str:
    """How far ours is from the paper's, in its standard deviations where it reports them."""
    if cell.difference_in_sds is not None:
        return f"{cell.difference_in_sds:+.1f} sd"
    return _text(cell.difference, f"+.{digits}f")
