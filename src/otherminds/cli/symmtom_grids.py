"""How results of SymmToM look in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from otherminds.evals.statistics import Estimate
from otherminds.evals.symmtom_claims import ClaimRow
from otherminds.evals.symmtom_split import SplitRow
from otherminds.evals.symmtom_tables import TITLES, Row, TrainedCell, TrainedSummary

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


def grid(title: str, *sections: Sequence[Mapping[str, str]], texts: int = 1, wraps_texts: bool = False) -> Table:
    """A table of rows, each with what it says under which head.

    Args:
        title: above the table.
        sections: rows, with a line below each section.
        texts: how many columns hold text; all after them hold numbers.
        wraps_texts: texts wrap on a narrow terminal, instead of numbers.
    """
    table = Table(title=title, title_justify="left")
    heads = list(dict.fromkeys(head for rows in sections for row in rows for head in row))
    for number, head in enumerate(heads):
        is_text = number < texts
        table.add_column(head, justify="left" if is_text else "right", overflow="fold", no_wrap=is_text != wraps_texts)
    for rows in sections:
        for row in rows:
            table.add_row(*(row.get(head, "") for head in heads))
        table.add_section()
    return table


def dim(lines: Sequence[str]) -> str:
    """Notes below a table."""
    return "[dim]" + escape("\n".join(lines)) + "[/dim]"


def players_grid(number: int, rows: Sequence[Row]) -> Table:
    """Scripted players, a column each."""
    digits, lines = _digits(number), dict[str, dict[str, str]]()
    published = {row.player for row in rows if row.paper is not None}
    for row in rows:
        line = lines.setdefault(row.setting, {"setting": row.setting})
        line[row.player] = f"{row.mean:.{digits}f} [dim]±{row.sd:.{digits}f}[/dim]"
        if row.player in published:
            paper = "" if row.paper is None else f"[cyan]{row.paper:g} ±{row.paper_sd:g}[/cyan]"
            line[f"[cyan]{row.player},\npublished[/cyan]"] = paper
    return grid(f"SymmToM, table {number}: {TITLES[number]}", list(lines.values()))


def beliefs_grid(rows: Sequence[BeliefRow]) -> Table:
    """Beliefs, a column each."""
    lines: dict[str, dict[str, str]] = {}
    for row in rows:
        where = f"{row.player}, {row.setting}"
        line = lines.setdefault(where, {"player and setting": where})
        line[row.belief] = f"{row.brier:.3f} [dim]±{row.standard_error:.3f}[/dim]"
    return grid("how near the truth beliefs about others are", list(lines.values()))


def published_grid(models: dict[str, Any], settings: Sequence[str]) -> Table:
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
    table = grid("published, learned agents", rows)
    table.style = "cyan"
    return table


def trained_grid(number: int, cells: Sequence[TrainedCell], summaries: Sequence[TrainedSummary]) -> Table:
    """Trained models, a section each, with their summary."""
    digits, sections = _digits(number), []

    def line(where: str, mean: str, runs: int, ends: TrainedCell | Estimate, paper: str, apart: str) -> dict[str, str]:
        return {
            "agent and setting": f"  {where}",
            "mean ±sd": mean,
            "seeds": str(runs),
            "95 % of\nthe mean": _interval(ends.low, ends.high, digits),
            "[cyan]publ.[/cyan]": f"[cyan]{paper}[/cyan]",
            "apart": apart,
        }

    for summary in summaries:
        mine = [cell for cell in cells if cell.player == summary.player]
        row = f" [cyan]{mine[0].paper_row}[/cyan]" if mine[0].paper_row else ""
        rows = [{"agent and setting": f"[bold]{escape(summary.player)}[/bold]{row}"}]
        for cell in mine:
            sd = "" if cell.sd is None else f" [dim]±{cell.sd:.{digits}f}[/dim]"
            paper = _text(cell.paper, "g") + ("" if cell.paper_sd is None else f" ±{cell.paper_sd:g}")
            mean = f"{cell.mean:.{digits}f}{sd}"
            rows.append(line(cell.setting, mean, len(cell.seeds), cell, paper, _apart(cell, digits)))
        where = "1 setting" if len(mine) == 1 else f"{len(mine)} settings"
        paper = _text(summary.paper_mean, f".{digits}f")
        for label, estimate, beside in (("mean", summary.mean, paper), ("IQM", summary.iqm, "")):
            mean = f"{estimate.value:.{digits}f}"
            rows.append(line(f"[dim]{label}, {where}[/dim]", mean, estimate.runs, estimate, beside, ""))
        sections.append(rows)
    return grid(f"trained agents, table {number}: {TITLES[number]}", *sections, wraps_texts=True)


def split_grid(number: int, rows: Sequence[SplitRow]) -> Table:
    """Table 5 or 6 taken apart."""
    what = "wrong" if number == 5 else "useless"
    sections: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        total = row.means[what]
        shares = {
            head: f"{100 * row.means[part] / total:.0f} %" if total else "–" for head, part in _PARTS[what].items()
        }
        section = sections.setdefault(row.player, [{"agent\nand setting": f"[bold]{escape(row.player)}[/bold]"}])
        section.append(
            {
                "agent\nand setting": f"  {row.setting}" + (f" ×{row.runs}" if row.runs > 1 else ""),
                "\nall": f"{total:.2f}",
                **shares,
                "\nuse": f"{row.means['offered']:.1f}",
                "[cyan]all,\npubl.[/cyan]": f"[cyan]{_text(row.paper.get(what), 'g')}[/cyan]",
            }
        )
    title = f"SymmToM, table {number} by what agents believed: {what} pieces per agent"
    table = grid(title, *sections.values(), wraps_texts=True)
    table.collapse_padding = True
    return table


def claims_grid(rows: Sequence[ClaimRow]) -> Table:
    """The paper's relative claims beside ours."""
    lines = [
        {
            "claim": row.text,
            "[cyan]paper,\n\nstated[/cyan]": f"[cyan]{_text(row.stated, 'g')}[/cyan]",
            "[cyan]paper,\nall\ncells[/cyan]": f"[cyan]{row.paper:.2f}[/cyan]",
            "[cyan]paper,\nour\ncells[/cyan]": f"[cyan]{_text(row.paper_shared, '.2f')}[/cyan]",
            "ours": "" if row.ours is None else f"{row.ours.value:.2f}",
            "95 %": "" if row.ours is None else _interval(row.ours.low, row.ours.high, 2),
            "cells": f"{0 if row.ours is None else row.ours.cells} of {row.paper_cells}",
        }
        for row in rows
    ]
    return grid("SymmToM: relative claims, means of cell-wise ratios", lines, wraps_texts=True)


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
