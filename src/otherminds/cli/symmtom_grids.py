"""How results of SymmToM look in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

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


def grid(title: str, texts: Sequence[str], numbers: Sequence[str], *, wraps_texts: bool = False) -> Table:
    """An empty table with columns of text, then of numbers; one of the two kinds wraps on a narrow terminal."""
    table = Table(title=title, title_justify="left")
    for head in texts:
        table.add_column(head, overflow="fold", no_wrap=not wraps_texts)
    for head in numbers:
        table.add_column(head, justify="right", overflow="fold", no_wrap=wraps_texts)
    return table


def dim(lines: Sequence[str]) -> str:
    """Notes below a table."""
    return "[dim]" + escape("\n".join(lines)) + "[/dim]"


def players_grid(number: int, rows: Sequence[Row]) -> Table:
    """Scripted players, a column each."""
    digits = _digits(number)
    players = list(dict.fromkeys(row.player for row in rows))
    cells = {(row.player, row.setting): row for row in rows}
    published = {row.player for row in rows if row.paper is not None}
    heads = [head for player in players for head in (player, "[cyan]published[/cyan]")[: 1 + (player in published)]]
    table = grid(f"SymmToM, table {number}: {TITLES[number]}", ["setting"], heads)
    for setting in dict.fromkeys(row.setting for row in rows):
        line = [setting]
        for player in players:
            row = cells[player, setting]
            line.append(f"{row.mean:.{digits}f} [dim]±{row.sd:.{digits}f}[/dim]")
            if player in published:
                line.append("" if row.paper is None else f"[cyan]{row.paper:g} ±{row.paper_sd:g}[/cyan]")
        table.add_row(*line)
    return table


def beliefs_grid(rows: Sequence[BeliefRow]) -> Table:
    """Beliefs, a column each."""
    beliefs = list(dict.fromkeys(row.belief for row in rows))
    table = grid("how near the truth beliefs about others are", ["player and setting"], beliefs)
    cells = {(row.player, row.setting, row.belief): row for row in rows}
    for player, setting in dict.fromkeys((row.player, row.setting) for row in rows):
        found = [cells[player, setting, belief] for belief in beliefs]
        line = [f"{row.brier:.3f} [dim]±{row.standard_error:.3f}[/dim]" for row in found]
        table.add_row(f"{player}, {setting}", *line)
    return table


def published_grid(models: dict[str, Any], settings: Sequence[str]) -> Table:
    """The paper's learned agents."""
    learned = [model for model in models if model != "Heuristic"]
    heads = [model.replace("MADDPG-", "MADDPG\n") for model in learned]
    table = grid("published, learned agents", ["setting"], heads)
    for setting in settings:
        values = [models[model].get(setting, {}).get("value") for model in learned]
        table.add_row(setting, *(_text(value, "g") for value in values), style="cyan")
    return table


def trained_grid(number: int, cells: Sequence[TrainedCell], summaries: Sequence[TrainedSummary]) -> Table:
    """Trained models, a section each, with their summary."""
    digits = _digits(number)
    heads = ("mean ±sd", "seeds", "95 % of\nthe mean", "[cyan]publ.[/cyan]", "apart")
    table = grid(f"trained agents, table {number}: {TITLES[number]}", ["agent and setting"], heads, wraps_texts=True)
    for summary in summaries:
        mine = [cell for cell in cells if cell.player == summary.player]
        row = f" [cyan]{mine[0].paper_row}[/cyan]" if mine[0].paper_row else ""
        table.add_row(f"[bold]{escape(summary.player)}[/bold]{row}")
        for cell in mine:
            sd = "" if cell.sd is None else f" [dim]±{cell.sd:.{digits}f}[/dim]"
            paper = _text(cell.paper, "g") + ("" if cell.paper_sd is None else f" ±{cell.paper_sd:g}")
            table.add_row(
                f"  {cell.setting}",
                f"{cell.mean:.{digits}f}{sd}",
                str(len(cell.seeds)),
                _interval(cell.low, cell.high, digits),
                f"[cyan]{paper}[/cyan]",
                _apart(cell, digits),
            )
        where = "1 setting" if len(mine) == 1 else f"{len(mine)} settings"
        paper = f"[cyan]{_text(summary.paper_mean, f'.{digits}f')}[/cyan]"
        for label, estimate, beside in (("mean", summary.mean, paper), ("IQM", summary.iqm, "")):
            table.add_row(
                f"  [dim]{label}, {where}[/dim]",
                f"{estimate.value:.{digits}f}",
                str(estimate.runs),
                _interval(estimate.low, estimate.high, digits),
                beside,
                end_section=label == "IQM",
            )
    return table


def split_grid(number: int, rows: Sequence[SplitRow]) -> Table:
    """Table 5 or 6 taken apart."""
    what = "wrong" if number == 5 else "useless"
    parts = _PARTS[what]
    title = f"SymmToM, table {number} by what agents believed: {what} pieces per agent"
    heads = ("\nall", *parts, "\nuse", "[cyan]all,\npubl.[/cyan]")
    table = grid(title, ["agent\nand setting"], heads, wraps_texts=True)
    table.collapse_padding = True
    for player in dict.fromkeys(row.player for row in rows):
        mine = [row for row in rows if row.player == player]
        table.add_row(f"[bold]{escape(player)}[/bold]")
        for row in mine:
            total = row.means[what]
            table.add_row(
                f"  {row.setting}" + (f" ×{row.runs}" if row.runs > 1 else ""),
                f"{total:.2f}",
                *(f"{100 * row.means[part] / total:.0f} %" if total else "–" for part in parts.values()),
                f"{row.means['offered']:.1f}",
                f"[cyan]{_text(row.paper.get(what), 'g')}[/cyan]",
                end_section=row is mine[-1],
            )
    return table


def claims_grid(rows: Sequence[ClaimRow]) -> Table:
    """The paper's relative claims beside ours."""
    heads = [f"[cyan]paper,\n{head}[/cyan]" for head in ("\nstated", "all\ncells", "our\ncells")]
    title = "SymmToM: relative claims, means of cell-wise ratios"
    table = grid(title, ["claim"], [*heads, "ours", "95 %", "cells"], wraps_texts=True)
    for row in rows:
        ours = row.ours
        paper = (_text(row.stated, "g"), f"{row.paper:.2f}", _text(row.paper_shared, ".2f"))
        table.add_row(
            row.text,
            *(f"[cyan]{figure}[/cyan]" for figure in paper),
            "" if ours is None else f"{ours.value:.2f}",
            "" if ours is None else _interval(ours.low, ours.high, 2),
            f"{0 if ours is None else ours.cells} of {row.paper_cells}",
        )
    return table


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
