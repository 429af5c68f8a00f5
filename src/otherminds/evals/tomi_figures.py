"""ToMi in pictures: accuracy over the order of a question and the length of its story."""

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
from otherminds.worlds.tomi.items import Item, grouped, order_name
from otherminds.worlds.tomi.scores import clustered_error, mark

_MOST_BINS = 6  # of about as many questions each


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


def surface_cells(items: Sequence[Item], answers: Mapping[str, str], *, ambiguous: bool = False) -> list[Cell]:
    """Accuracy by order and length; a question without an answer counts as not right, as everywhere."""
    kept = [item for item in items if ambiguous or not item.ambiguous]
    if not kept:
        raise UserError("there is no question to score; ambiguous ones count only when asked for")
    lengths = [item.n_statements for item in kept]
    starts = sorted(set(_even_edges(lengths)))
    ends = [start - 1 for start in starts[1:]] + [max(lengths)]
    groups = grouped(kept, lambda item: (item.order, bisect(starts, item.n_statements) - 1))
    return [
        Cell(order, starts[place], ends[place], *_accuracy(group, answers), len(group))
        for (order, place), group in sorted(groups.items())
    ]


def surface(
    items: Sequence[Item],
    answers: Mapping[str, str],
    path: str | Path,
    *,
    title: str = "",
    ambiguous: bool = False,
) -> list[Cell]:
    """Draw accuracy as a surface over order and length, with intervals and counts; returns what is drawn.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if there is no question to score, or the file cannot be written.
    """
    cells = surface_cells(items, answers, ambiguous=ambiguous)
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
