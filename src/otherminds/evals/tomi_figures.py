"""ToMi in pictures: accuracy over order and length of a story, and the paper's tables, ours beside the published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.core.errors import MissingExtra, UserError
from otherminds.evals.tomi_scores import clustered_error, mark
from otherminds.worlds.tomi.items import Item

FORMATS = (".png", ".svg", ".pdf")
OURS, PUBLISHED = "#0072B2", "#D55E00"  # told apart by the colour-blind too (Okabe and Ito)
_NORMAL = 1.96
_MOST_BINS = 6
_ORDERS = ("facts", "first order", "second order", "third order", "fourth order")
_STYLE: Any = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 9.5}


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
    starts = sorted({min(item.n_statements for item in kept), *(edges or _even_edges(kept))})
    groups: dict[tuple[int, int], list[Item]] = {}
    for item in kept:
        place = int(np.searchsorted(starts, item.n_statements, side="right")) - 1
        groups.setdefault((item.order, place), []).append(item)
    return [_cell(order, group, answers) for (order, _), group in sorted(groups.items())]


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
    path = _checked(path)
    cells = surface_cells(items, answers, edges, ambiguous=ambiguous)
    lengths = sorted({cell.shortest for cell in cells})
    spans = _spans(cells, lengths)
    orders = sorted({cell.order for cell in cells})
    grid = np.full((len(orders), len(spans)), np.nan)
    figure = _figure((2.6 + 1.15 * len(spans), 1.5 + 0.85 * len(orders)))
    axis = figure.subplots()
    column = {start: place for place, (starts, _) in enumerate(spans) for start in starts}
    for cell in cells:
        grid[orders.index(cell.order), column[cell.shortest]] = 100 * cell.value
    image = axis.imshow(grid, origin="lower", aspect="auto", cmap="cividis", vmin=0, vmax=100)
    for cell in cells:
        x, y = column[cell.shortest], orders.index(cell.order)
        colour = "#ffffff" if cell.value < 0.55 else "#15181e"
        axis.text(x, y + 0.12, f"{100 * cell.value:.0f}", ha="center", va="center", color=colour, fontsize=13)
        note = f"{100 * cell.low:.0f}–{100 * cell.high:.0f}, n = {cell.count}"
        axis.text(x, y - 0.26, note, ha="center", va="center", color=colour, fontsize=7)
    axis.set_xticks(range(len(spans)), [label for _, label in spans])
    axis.set_yticks(range(len(orders)), [_order(order) for order in orders])
    axis.set_xlabel("statements in the story")
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    axis.set_title(title or "accuracy by order of the question and length of the story", loc="left")
    bar = figure.colorbar(image, ax=axis, label="percent right")
    bar.outline.set_visible(False)
    chances = [1 / len(item.choices) for item in items if item.choices]
    if chances:
        chance = 100 * sum(chances) / len(chances)
        bar.ax.axhline(chance, color="#ffffff", linewidth=1.6)
        bar.ax.text(1.25, chance, "chance", transform=bar.ax.get_yaxis_transform(), va="center", fontsize=7)
    _save(figure, path)
    return cells


def table_plot(table: Mapping[str, Any], path: str | Path) -> int:
    """Draw a table: one panel a column, one line a row, our value and the published one on it.

    Args:
        table: ``{"title": …, "rows": [{"name": …, "columns": {column: value}}, …], "published": [rows likewise]}``.
            Values are percents, or ``{"value": …, "low": …, "high": …}``, or ``None`` where there is none; all but
            ``rows`` may be missing.
        path: ends in .png, .svg or .pdf.

    Returns:
        How many values are drawn.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if it is no such table, or the file cannot be written.
    """
    path = _checked(path)
    ours, published = _rows(table, "rows"), _rows(table, "published")
    names = list(dict.fromkeys([*published, *ours]))
    columns = list(dict.fromkeys(column for row in (*published.values(), *ours.values()) for column in row))
    if not columns:
        raise UserError("the table has no value to draw; expected rows with columns")
    figure = _figure((1.9 + 2.0 * len(columns), 1.6 + 0.42 * len(names)))
    axes = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
    drawn, handles = 0, {}
    for axis, column in zip(axes, columns, strict=True):
        for line, name in enumerate(names):
            theirs, mine = published.get(name, {}).get(column), ours.get(name, {}).get(column)
            if theirs and mine:
                axis.plot([theirs[0], mine[0]], [line, line], color="#c5cad1", linewidth=2, zorder=1)
            if theirs:
                look = {"marker": "D", "markersize": 6, "markerfacecolor": "none", "markeredgewidth": 1.6}
                (handles["published"],) = axis.plot(theirs[0], line, color=PUBLISHED, linestyle="none", **look)
            if mine:
                value, low, high = mine
                axis.plot([low, high], [line, line], color=OURS, linewidth=1.4, zorder=2)
                (handles["ours"],) = axis.plot(value, line, color=OURS, linestyle="none", marker="o", markersize=6)
                axis.annotate(f"{value:.1f}", (value, line), xytext=(0, 6), textcoords="offset points", ha="center",
                              fontsize=7, color=OURS)  # fmt: skip
            drawn += bool(theirs) + bool(mine)
        axis.set_title(column, loc="left")
        axis.set_xlim(-4, 107)
        axis.set_xticks([0, 25, 50, 75, 100])
        axis.grid(axis="x", color="#E6E6E6", linewidth=0.6)
        axis.set_axisbelow(True)
        axis.tick_params(axis="y", length=0)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set_ylim(len(names) - 0.5, -0.6)
    figure.supxlabel("percent right; bars: interval over runs, where there are several", fontsize=8)
    if table.get("title"):
        figure.suptitle(str(table["title"]), fontsize=10.5)
    figure.legend(list(handles.values()), list(handles), loc="outside upper right", ncols=2, frameon=False)
    _save(figure, path)
    return drawn


def _cell(order: int, group: Sequence[Item], answers: Mapping[str, str]) -> Cell:
    values = [float(mark(item, answers.get(item.id)).is_right) for item in group]
    families = [item.family_id for item in group]
    value, error = sum(values) / len(values), clustered_error(values, families)
    if error:
        low, high = value - _NORMAL * error, value + _NORMAL * error
    else:
        low, high = _wilson(value, len(set(families)))
    lengths = [item.n_statements for item in group]
    return Cell(order, min(lengths), max(lengths), value, max(0.0, low), min(1.0, high), len(group))


def _wilson(share: float, count: int) -> tuple[float, float]:
    """The interval of a share where all are alike, so that deviations say nothing: with families as the sample."""
    scale = 1 + _NORMAL**2 / count
    centre = (share + _NORMAL**2 / (2 * count)) / scale
    reach = _NORMAL * sqrt(share * (1 - share) / count + _NORMAL**2 / (4 * count**2)) / scale
    return centre - reach, centre + reach


def _even_edges(items: Sequence[Item]) -> list[int]:
    lengths = sorted(item.n_statements for item in items)
    if len(set(lengths)) <= _MOST_BINS:
        return sorted(set(lengths))
    return [lengths[len(lengths) * part // _MOST_BINS] for part in range(_MOST_BINS)]


def _order(order: int) -> str:
    return _ORDERS[order] if order < len(_ORDERS) else f"order {order}"


def _rows(table: Mapping[str, Any], key: str) -> dict[str, dict[str, tuple[float, float, float] | None]]:
    rows = table.get(key, [])
    try:
        return {
            str(row["name"]): {str(column): _value(value) for column, value in row["columns"].items()} for row in rows
        }
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{key} of the table cannot be read ({error!r}); expected rows with name and columns") from None


def _value(value: Any) -> tuple[float, float, float] | None:
    """A value and its interval, which is empty where none is given."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        return (float(value),) * 3
    middle = float(value["value"])
    low, high = value.get("low"), value.get("high")
    return middle, middle if low is None else float(low), middle if high is None else float(high)


def _figure(size: tuple[float, float]) -> Any:
    try:
        import matplotlib as mpl
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise MissingExtra("figures need matplotlib; install otherminds[figures]") from error
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
    return figure


def _checked(path: str | Path) -> Path:
    path = Path(path)
    if path.suffix not in FORMATS:
        raise UserError(f"{path} does not say its kind; expected a name ending in {', '.join(FORMATS)}")
    return path


def _save(figure: Any, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=160)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}; choose another path") from error
