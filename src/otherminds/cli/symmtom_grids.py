"""How results of SymmToM look in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from otherminds.evals.symmtom_claims import ClaimRow
from otherminds.evals.symmtom_split import SplitRow
from otherminds.evals.symmtom_tables import TITLES, Row
from otherminds.evals.symmtom_trained import TrainedCell, TrainedSummary

if TYPE_CHECKING:
    from otherminds.evals.symmtom_beliefs import BeliefRow


def players_grid(number: int, rows: Sequence[Row]) -> Table:
    """Scripted players, a column each."""
    digits = _digits(number)
    players = list(dict.fromkeys(row.player for row in rows))
    cells = {(row.player, row.setting): row for row in rows}
    published = {row.player for row in rows if row.paper is not None}
    grid = Table(title=f"SymmToM, table {number}: {TITLES[number]}", title_justify="left")
    grid.add_column("setting", no_wrap=True)
    for player in players:
        grid.add_column(player, justify="right", overflow="fold")
        if player in published:
            grid.add_column("[cyan]published[/cyan]", justify="right", overflow="fold")
    for setting in dict.fromkeys(row.setting for row in rows):
        line = [setting]
        for player in players:
            row = cells[player, setting]
            line.append(f"{row.mean:.{digits}f} [dim]±{row.sd:.{digits}f}[/dim]")
            if player in published:
                line.append("" if row.paper is None else f"[cyan]{row.paper:g} ±{row.paper_sd:g}[/cyan]")
        grid.add_row(*line)
    return grid


def beliefs_grid(rows: Sequence[BeliefRow]) -> Table:
    """Beliefs, a column each."""
    beliefs = list(dict.fromkeys(row.belief for row in rows))
    grid = Table(title="how near the truth beliefs about others are", title_justify="left")
    grid.add_column("player and setting", overflow="fold")
    for belief in beliefs:
        grid.add_column(belief, justify="right", overflow="fold")
    cells = {(row.player, row.setting, row.belief): row for row in rows}
    for player, setting in dict.fromkeys((row.player, row.setting) for row in rows):
        found = [cells[player, setting, belief] for belief in beliefs]
        line = [f"{row.brier:.3f} [dim]±{row.standard_error:.3f}[/dim]" for row in found]
        grid.add_row(f"{player}, {setting}", *line)
    return grid


def published_grid(models: dict[str, Any], settings: Sequence[str]) -> Table:
    """The paper's learned agents."""
    learned = [model for model in models if model != "Heuristic"]
    grid = Table("setting", title="published, learned agents", title_justify="left")
    for model in learned:
        grid.add_column(model.replace("MADDPG-", "MADDPG\n"), justify="right")
    for setting in settings:
        values = [models[model].get(setting) for model in learned]
        grid.add_row(setting, *("" if value is None else f"{value['value']:g}" for value in values), style="cyan")
    return grid


def trained_grid(number: int, cells: Sequence[TrainedCell], summaries: Sequence[TrainedSummary]) -> Table:
    """Trained models, a section each, with their summary."""
    digits = _digits(number)
    grid = Table(title=f"trained agents, table {number}: {TITLES[number]}", title_justify="left")
    grid.add_column("agent and setting", overflow="fold")  # the one to wrap on a narrow terminal
    for head in ("mean ±sd", "seeds", "95 % of\nthe mean", "[cyan]publ.[/cyan]", "apart"):
        grid.add_column(head, justify="right", no_wrap=True)
    for summary in summaries:
        mine = [cell for cell in cells if cell.player == summary.player]
        row = f" [cyan]{mine[0].paper_row}[/cyan]" if mine[0].paper_row else ""
        grid.add_row(f"[bold]{escape(summary.player)}[/bold]{row}")
        for cell in mine:
            sd = "" if cell.sd is None else f" [dim]±{cell.sd:.{digits}f}[/dim]"
            paper = "" if cell.paper is None else f"{cell.paper:g}"
            paper += "" if cell.paper_sd is None else f" ±{cell.paper_sd:g}"
            grid.add_row(
                f"  {cell.setting}",
                f"{cell.mean:.{digits}f}{sd}",
                str(len(cell.seeds)),
                _interval(cell.low, cell.high, digits),
                f"[cyan]{paper}[/cyan]",
                _apart(cell, digits),
            )
        where = "1 setting" if len(mine) == 1 else f"{len(mine)} settings"
        paper = "" if summary.paper_mean is None else f"[cyan]{summary.paper_mean:.{digits}f}[/cyan]"
        for label, estimate, beside in (("mean", summary.mean, paper), ("IQM", summary.iqm, "")):
            grid.add_row(
                f"  [dim]{label}, {where}[/dim]",
                f"{estimate.value:.{digits}f}",
                str(estimate.runs),
                _interval(estimate.low, estimate.high, digits),
                beside,
                end_section=label == "IQM",
            )
    return grid


def split_grid(number: int, rows: Sequence[SplitRow]) -> Table:
    """Table 5 or 6 taken apart."""
    what = "wrong" if number == 5 else "useless"
    parts = {
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
    }[what]
    title = f"SymmToM, table {number} by what agents believed: {what} pieces per agent"
    grid = Table(title=title, title_justify="left", collapse_padding=True)
    grid.add_column("agent\nand setting", overflow="fold")  # the one to wrap on a narrow terminal
    for head in ("\nall", *parts, "\nuse", "[cyan]all,\npubl.[/cyan]"):
        grid.add_column(head, justify="right", no_wrap=True)
    for player in dict.fromkeys(row.player for row in rows):
        mine = [row for row in rows if row.player == player]
        grid.add_row(f"[bold]{escape(player)}[/bold]")
        for row in mine:
            total, paper = row.means[what], row.paper.get(what)
            grid.add_row(
                f"  {row.setting}" + (f" ×{row.runs}" if row.runs > 1 else ""),
                f"{total:.2f}",
                *(_percent(row.means[part], total) for part in parts.values()),
                f"{row.means['offered']:.1f}",
                "" if paper is None else f"[cyan]{paper:g}[/cyan]",
                end_section=row is mine[-1],
            )
    return grid


def claims_grid(rows: Sequence[ClaimRow]) -> Table:
    """The paper's relative claims beside ours."""
    grid = Table(title="SymmToM: relative claims, means of cell-wise ratios", title_justify="left")
    grid.add_column("claim")
    for head in ("\nstated", "all\ncells", "our\ncells"):
        grid.add_column(f"[cyan]paper,\n{head}[/cyan]", justify="right", style="cyan", no_wrap=True)
    for head in ("ours", "95 %", "cells"):
        grid.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        ours = row.ours
        grid.add_row(
            row.text,
            "" if row.stated is None else f"{row.stated:g}",
            f"{row.paper:.2f}",
            "" if row.paper_shared is None else f"{row.paper_shared:.2f}",
            "" if ours is None else f"{ours.value:.2f}",
            "" if ours is None else _interval(ours.low, ours.high, 2),
            f"{0 if ours is None else ours.cells} of {row.paper_cells}",
        )
    return grid


def _digits(number: int) -> int:
    return 1 if number == 1 else 2


def _interval(low: float | None, high: float | None, digits: int) -> str:
    return "" if low is None or high is None else f"{low:.{digits}f} … {high:.{digits}f}"


def _apart(cell: TrainedCell, digits: int) -> str:
    """How far ours is from the paper's, in its standard deviations where it reports them."""
    if cell.difference_in_sds is not None:
        return f"{cell.difference_in_sds:+.1f} sd"
    return "" if cell.difference is None else f"{cell.difference:+.{digits}f}"


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"
