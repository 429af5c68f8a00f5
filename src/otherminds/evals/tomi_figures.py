"""ToMi in pictures: accuracy over order and length of a story, and the paper's tables, ours beside the published."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.evals.drawing import drawing
from otherminds.evals.statistics import NORMAL, wilson
from otherminds.worlds.tomi.items import Item, order_name
from otherminds.worlds.tomi.scores import clustered_error, mark

OURS, PUBLISHED = "#0072B2", "#D55E00"  # told apart by the colour-blind too (Okabe and Ito)
_MOST_BINS = 6
_Value = tuple[float, float, float]  # with the ends of its interval
_Pair = tuple[_Value | None, _Value | None]  # published and ours


@dataclass(frozen=True)
class Cell:
    """The accuracy on questions of one order about stories of about one length."""

    order: int
    shortest: int  # statements
    longest: int
    value: float  # from 0 to 1
    low: float  # of the 95 % interval, clustered by family
    high: float
    count: int  # questions


def surface_cells(
    items: Sequence[Item],
    answers: Mapping[str, str],
    edges: Sequence[int] | None = None,
    *,
    ambiguous: bool = False,
) -> list[Cell]:
    """Accuracy by order and length; a question without an answer counts as not right, as everywhere.

    Args:
        items: the questions.
        answers: by id.
        edges: the least number of statements of each bin; by default bins with about as many questions each.
        ambiguous: count ambiguous questions too.

    Raises:
        UserError: if there is no question to score.
    """
    kept = [item for item in items if ambiguous or not item.ambiguous]
    if not kept:
        raise UserError("there is no question to score; ambiguous ones count only when asked for")
    lengths = [item.n_statements for item in kept]
    starts = sorted({min(lengths), *(edges or _even_edges(lengths))})
    ends = [start - 1 for start in starts[1:]] + [max(lengths)]
    groups: dict[tuple[int, int], list[Item]] = {}
    for item in kept:
        groups.setdefault((item.order, bisect(starts, item.n_statements) - 1), []).append(item)
    return [
        Cell(order, starts[place], ends[place], *_accuracy(group, answers), len(group))
        for (order, place), group in sorted(groups.items())
    ]


def surface(
    items: Sequence[Item],
    answers: Mapping[str, str],
    path: str | Path,
    edges: Sequence[int] | None = None,
    *,
    title: str = "",
    ambiguous: bool = False,
) -> list[Cell]:
    """Draw accuracy as a surface over order and length, with intervals and counts; returns what is drawn.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if there is no question to score, or the file cannot be written.
    """
    cells = surface_cells(items, answers, edges, ambiguous=ambiguous)
    bins = sorted({(cell.shortest, cell.longest) for cell in cells})
    orders = sorted({cell.order for cell in cells})
    with drawing((2.6 + 1.15 * len(bins), 1.5 + 0.85 * len(orders)), path) as figure:
        axis = figure.subplots()
        image = _heat(axis, cells, bins, orders)
        axis.set_title(title or "accuracy by order of the question and length of the story", loc="left")
        bar = figure.colorbar(image, ax=axis, label="percent right")
        bar.outline.set_visible(False)
        chances = [1 / len(item.choices) for item in items if item.choices]
        if chances:
            chance = 100 * sum(chances) / len(chances)
            bar.ax.axhline(chance, color="#ffffff", linewidth=1.6)
            bar.ax.text(
                -0.3, chance, "chance", transform=bar.ax.get_yaxis_transform(), ha="right", va="center", fontsize=7
            )
    return cells


def table_plot(table: Mapping[str, Any], path: str | Path) -> int:
    """Draw a table: one panel a column, one line a row, our value and the published one on it.

    Args:
        table: as :meth:`otherminds.evals.tomi_tables.Grid.to_json` gives it and ``otherminds table tomi --out`` writes
            it.
        path: ends in .png, .svg or .pdf.

    Returns:
        How many values are drawn.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if it is no such table, or the file cannot be written.
    """
    columns, rows = _read_table(table)
    drawn = sum(value is not None for pairs in rows.values() for pair in pairs for value in pair)
    if not drawn:
        raise UserError("the table has no value to draw; expected cells with ours or published figures")
    with drawing((1.9 + 2.0 * len(columns), 1.5 + 0.5 * len(rows)), path) as figure:
        axes = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
        handles: dict[str, Any] = {}
        for at, (axis, column) in enumerate(zip(axes, columns, strict=True)):
            handles |= _dots(axis, [pairs[at] for pairs in rows.values()])
            axis.set_title(column, loc="left")
        axes[0].set_yticks(range(len(rows)), list(rows))
        axes[0].set_ylim(len(rows) - 0.5, -0.6)
        figure.supxlabel("percent right; bars: one standard deviation over seeds, where there are several", fontsize=8)
        if table.get("title"):
            figure.suptitle(str(table["title"]), fontsize=10.5, x=0.01, ha="left")
        figure.legend(list(handles.values()), list(handles), loc="outside upper right", ncols=2, frameon=False)
    return drawn


def _heat(axis: Any, cells: Sequence[Cell], bins: Sequence[tuple[int, int]], orders: Sequence[int]) -> Any:
    """The cells as coloured fields with their numbers; gaps stay empty."""
    grid = np.full((len(orders), len(bins)), np.nan)
    for cell in cells:
        x, y = bins.index((cell.shortest, cell.longest)), orders.index(cell.order)
        grid[y, x] = 100 * cell.value
        colour = "#ffffff" if cell.value < 0.55 else "#15181e"
        axis.text(x, y + 0.12, f"{100 * cell.value:.0f}", ha="center", va="center", color=colour, fontsize=13)
        note = f"{100 * cell.low:.0f}–{100 * cell.high:.0f}\nn = {cell.count}"
        axis.text(x, y - 0.24, note, ha="center", va="center", color=colour, fontsize=7)
    axis.set_xticks(range(len(bins)), [f"{low}" if low == high else f"{low}–{high}" for low, high in bins])
    axis.set_yticks(range(len(orders)), [order_name(order) if order else "facts" for order in orders])
    axis.set_xlabel("statements in the story")
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    return axis.imshow(grid, origin="lower", aspect="auto", cmap="cividis", vmin=0, vmax=100)


def _dots(axis: Any, pairs: Sequence[_Pair]) -> dict[str, Any]:
    """One line a row: the published value, ours with its interval, and the way between them."""
    handles: dict[str, Any] = {}
    for line, (theirs, mine) in enumerate(pairs):
        if theirs and mine:
            axis.plot([theirs[0], mine[0]], [line, line], color="#c5cad1", linewidth=2, zorder=1)
        if theirs:
            look = {"marker": "D", "markersize": 8, "markerfacecolor": "none", "markeredgewidth": 1.6}
            (handles["published"],) = axis.plot(theirs[0], line, color=PUBLISHED, linestyle="none", **look)
            _number(axis, theirs[0], line, -12, PUBLISHED)
        if mine:
            value, low, high = mine
            axis.plot([low, high], [line, line], color=OURS, linewidth=1.4, zorder=2)
            (handles["ours"],) = axis.plot(value, line, color=OURS, linestyle="none", marker="o", markersize=5)
            _number(axis, value, line, 7, OURS)
    axis.set_xlim(-4, 107)
    axis.set_xticks([0, 25, 50, 75, 100])
    axis.grid(axis="x", color="#E6E6E6", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.tick_params(axis="y", length=0)
    return handles


def _number(axis: Any, value: float, line: int, above: int, colour: str) -> None:
    place = {"xytext": (0, above), "textcoords": "offset points", "ha": "center"}
    axis.annotate(f"{value:.1f}", (value, line), fontsize=7, color=colour, **place)


def _accuracy(group: Sequence[Item], answers: Mapping[str, str]) -> tuple[float, float, float]:
    """The share of right answers and its interval."""
    values = [float(mark(item, answers.get(item.id)).is_right) for item in group]
    families = [item.family_id for item in group]
    value, error = sum(values) / len(values), clustered_error(values, families)
    if error:
        return value, max(0.0, value - NORMAL * error), min(1.0, value + NORMAL * error)
    return value, *wilson(value, len(set(families)))  # all are alike, so that deviations say nothing


def _even_edges(lengths: Sequence[int]) -> list[int]:
    if len(set(lengths)) <= _MOST_BINS:
        return sorted(set(lengths))
    return [sorted(lengths)[len(lengths) * part // _MOST_BINS] for part in range(_MOST_BINS)]


def _read_table(table: Mapping[str, Any]) -> tuple[list[str], dict[str, list[_Pair]]]:
    """The columns, and for every row the published value and ours in each of them."""
    try:
        columns = [str(column) for column in table["columns"]]
        rows = {str(row["name"]): [_pair(cell) for cell in row["cells"]] for row in table["rows"]}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        expected = "columns, and rows with name and cells, as 'otherminds table tomi 1 --out' writes"
        raise UserError(f"the table cannot be read ({error!r}); expected {expected}") from None
    for name, pairs in rows.items():
        if len(pairs) != len(columns):
            raise UserError(f"row {name!r} of the table has {len(pairs)} cells; expected {len(columns)}")
    return columns, rows


def _pair(cell: Mapping[str, Any]) -> _Pair:
    """A cell's published figure and ours, whose interval is empty where there is a single run."""
    theirs, mine, spread = cell["published"], cell["ours"], float(cell["spread"] or 0.0)
    return (
        None if theirs is None else (float(theirs),) * 3,
        None if mine is None else (float(mine), float(mine) - spread, float(mine) + spread),
    )
