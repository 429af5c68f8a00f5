"""Figures of Decrypto: maps of match-ups, and the measures of each mind, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
from otherminds.evals.decrypto.experiment import Experiment
from otherminds.evals.decrypto.games import (
    GUESSED,
    LOWER_IS_BETTER,
    PUBLISHED,
    Spread,
    bold,
    estimate,
    over_seeds,
    rates,
)
from otherminds.evals.decrypto.results import measured
from otherminds.evals.drawing import drawing
from otherminds.evals.statistics import Estimate

FIGURES = (*PUBLISHED, *GUESSED)
Best = Literal["row", "column"]
Key = tuple[str, str]  # a row and a column


class HeatCell(NamedTuple):
    """One cell: the mean over games with its bootstrap interval, and over seeds with its standard error."""

    estimate: Estimate
    spread: Spread | None  # only for figures of whole games
    is_bold: bool


@dataclass(frozen=True)
class Heat:
    """A map of one figure."""

    figure: str
    axes: tuple[str, str]  # names of rows and of columns
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[Key, HeatCell]

    def to_dict(self) -> dict[str, Any]:
        cells = [
            {
                **dict(zip(self.axes, key, strict=True)),
                **cell.estimate.to_dict(),
                **({} if cell.spread is None else {"sem_over_seeds": cell.spread.sem, "bold": cell.is_bold}),
            }
            for key, cell in self.cells.items()
        ]
        return {"figure": self.figure, "cells": cells}


def heat_map(episodes: Sequence[Episode], figure: str, axes: Sequence[str] = (), best: Best = "row") -> Heat:
    """A map of one figure over two axes.

    Args:
        episodes: records of an experiment with at least two axes.
        figure: turns, intercepts, miscommunications, wins, or decoded and intercepted per turn.
        axes: names of the axes of rows and columns; the experiment's by default, if there are two.
        best: whether the best of each row or of each column is bold.

    Raises:
        UserError: if the figure does not exist, or there are not two axes.
    """
    if figure not in FIGURES:
        raise UserError(f"there is no figure {figure!r} of games{nearest(figure, FIGURES)}")
    known = list(dict.fromkeys(axis for episode in episodes for axis in episode.notes.get("place", {})))
    chosen = list(axes) or known
    if len(chosen) != 2 or not set(chosen) <= set(known):
        raise UserError(f"a map needs two axes; found {', '.join(known) or 'none'}; name two with --axes rows,columns")
    groups: dict[Key, list[Episode]] = {}
    for episode in episodes:
        row, column = (str(episode.notes["place"][axis]) for axis in chosen)
        groups.setdefault((row, column), []).append(episode)
    of = PUBLISHED.get(figure)
    spreads = {key: over_seeds(of, group) for key, group in groups.items()} if of else {}
    place, lower = 0 if best == "row" else 1, figure in LOWER_IS_BETTER
    lines = [{key: spreads[key] for key in spreads if key[place] == name} for name in {key[place] for key in spreads}]
    marked = {key for line in lines for key in bold(line, lower)}
    cells = {
        key: HeatCell(estimate(of, group) if of else rates(group)[figure], spreads.get(key), key in marked)
        for key, group in groups.items()
    }
    rows, columns = (tuple(dict.fromkeys(key[at] for key in groups)) for at in range(2))
    return Heat(figure, (chosen[0], chosen[1]), rows, columns, cells)


# The maps of an experiment, and whether the best of each row or column is bold (spec 4).
MAPS: dict[str, tuple[tuple[str, Best], ...]] = {
    "competition": (("turns", "column"), ("intercepts", "row")),
    "crossplay": (("turns", "row"), ("miscommunications", "row")),
    "depth": (("turns", "row"), ("miscommunications", "row")),
}
DOTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "smarties": (
        ("weak RC", "strong RC", "weak FB", "strong FB", "self-other"),
        ("leakage RC", "leakage FB", "leakage repeat", "leakage RC placebo", "leakage FB placebo"),
        ("consistency RC", "consistency FB", "consistency repeat"),
    ),
    "mountains": (("PT accuracy", "PT on interceptions", "predicts the code", "interception"), ("chance", "Brier")),
}
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")  # Okabe and Ito


def draw_maps(what: str, episodes: Sequence[Episode], path: str | Path, axes: Sequence[str] = ()) -> list[Heat]:
    """Draw the maps of an experiment side by side, and return them.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if the games do not have two axes, or the file cannot be written.
    """
    heats = [heat_map(episodes, figure, axes, best) for figure, best in MAPS[what]]
    size = 1.9 + 1.15 * len(heats[0].columns), 1.5 + 0.75 * len(heats[0].rows)
    with drawing((size[0] * len(heats), size[1]), path) as figure:
        for axis, heat in zip(figure.subplots(1, len(heats), squeeze=False)[0], heats, strict=True):
            _map(axis, heat)
    return heats


def _map(axis: Any, heat: Heat) -> None:
    import numpy as np

    grid = np.full((len(heat.rows), len(heat.columns)), np.nan)
    for (row, column), cell in heat.cells.items():
        grid[heat.rows.index(row), heat.columns.index(column)] = cell.estimate.value
    top = 8 if heat.figure == "turns" else 1
    image = axis.imshow(grid, cmap="cividis", vmin=0, vmax=max(top, float(np.nanmax(grid))), aspect="auto")
    for (row, column), cell in heat.cells.items():
        at = heat.columns.index(column), heat.rows.index(row)
        is_dark = sum(image.cmap(image.norm(cell.estimate.value))[:3]) < 1.5
        style = {"textcoords": "offset points", "ha": "center", "color": "#ffffff" if is_dark else "#000000"}
        weight = "bold" if cell.is_bold else "normal"
        axis.annotate(f"{cell.estimate.value:.2f}", at, xytext=(0, 3), va="bottom", fontweight=weight, **style)
        if cell.estimate.low is not None:
            interval = f"{cell.estimate.low:.2f}–{cell.estimate.high:.2f}"
            axis.annotate(interval, at, xytext=(0, -1), va="top", fontsize=7, **style)
    axis.set_xticks(range(len(heat.columns)), heat.columns, rotation=20, ha="right")
    axis.set_yticks(range(len(heat.rows)), heat.rows)
    axis.set_xlabel(heat.axes[1])
    axis.set_ylabel(heat.axes[0])
    unit = "" if heat.figure == "turns" else " (share of games)"
    axis.set_title(f"{heat.figure}{unit}, with 95 % intervals", loc="left")
    axis.tick_params(length=0)
    for side in ("left", "bottom"):
        axis.spines[side].set_visible(False)


def draw_dots(
    what: str, experiment: Experiment, groups: Mapping[str, Sequence[Episode]], path: str | Path
) -> dict[str, dict[str, Any]]:
    """Draw the measures of an experiment in one colour for each group, and return the estimates.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if the experiment has none of the measures, or the file cannot be written.
    """
    calls = {call.label: call for call in experiment.measures}
    panels = [[label for label in panel if label in calls] for panel in DOTS[what]]
    panels = [panel for panel in panels if panel]
    if not panels:
        raise UserError(f"experiment {experiment.name!r} has none of the measures of a figure of {what}")
    estimates = {
        name: {label: measured(calls[label], mine).estimate for panel in panels for label in panel}
        for name, mine in groups.items()
    }
    heights = [len(panel) for panel in panels]
    with drawing((7.5, 1.2 + 0.11 * sum(heights) * (1 + len(groups))), path) as figure:
        axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
        for axis, panel in zip(axes, panels, strict=True):
            _dots(axis, panel, estimates)
        axes[-1].set_xlabel("mean over games, with 95 % intervals")
        handles, names = axes[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=3, frameon=False)
    return {
        name: {label: value.to_dict() for label, value in mine.items() if value is not None}
        for name, mine in estimates.items()
    }


def _dots(axis: Any, panel: Sequence[str], found: Mapping[str, Mapping[str, Estimate | None]]) -> None:
    for place, (name, mine) in enumerate(found.items()):
        shift = (place - (len(found) - 1) / 2) * 0.8 / len(found)
        drawn = [(at + shift, value) for at, label in enumerate(panel) if (value := mine[label]) is not None]
        values = [value.value for _, value in drawn]
        low = [0.0 if value.low is None else max(0.0, value.value - value.low) for _, value in drawn]
        high = [0.0 if value.high is None else max(0.0, value.high - value.value) for _, value in drawn]
        style = {"fmt": "o", "markersize": 4, "color": COLOURS[place % len(COLOURS)], "linewidth": 1.2}
        axis.errorbar(values, [at for at, _ in drawn], xerr=[low, high], label=name, **style)
    axis.set_yticks(range(len(panel)), panel)
    axis.set_ylim(len(panel) - 0.5, -0.5)
    axis.set_xlim(-0.03, 1.03)
    axis.grid(axis="x", color="#E6E6E6", linewidth=0.6)
    axis.set_axisbelow(True)
