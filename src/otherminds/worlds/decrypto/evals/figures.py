"""Figures of Decrypto: maps of match-ups, and the measures of each mind, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.results.figures import drawing
from otherminds.results.statistics import Estimate
from otherminds.worlds.decrypto.evals.experiment import Experiment
from otherminds.worlds.decrypto.evals.games import LOWER_IS_BETTER, PUBLISHED, bold, estimate, over_seeds
from otherminds.worlds.decrypto.evals.results import measured

Best = Literal["row", "column"]


def heat_map(episodes: Sequence[Episode], figure: str, best: Best = "row") -> dict[str, Any]:
    """A map of one figure over the two axes of an experiment, for JSON.

    A cell has its place on both axes, the mean over games with its bootstrap interval, the standard error over seeds,
    and whether it is bold (spec 4).

    Args:
        episodes: records of an experiment with two axes, of which the first is that of rows.
        figure: turns, intercepts, miscommunications or wins.
        best: whether the best of each row or of each column is bold.

    Raises:
        UserError: if there are not two axes.
    """
    axes = list(dict.fromkeys(axis for episode in episodes for axis in episode.notes.get("place", {})))
    if len(axes) != 2:
        raise UserError(f"a map needs two axes; found {', '.join(axes) or 'none'}")
    groups: dict[tuple[str, ...], list[Episode]] = {}
    for episode in episodes:
        groups.setdefault(tuple(str(episode.notes["place"][axis]) for axis in axes), []).append(episode)
    of, place = PUBLISHED[figure], 0 if best == "row" else 1
    spreads = {key: over_seeds(of, group) for key, group in groups.items()}
    lines = [{key: spreads[key] for key in spreads if key[place] == name} for name in {key[place] for key in spreads}]
    marked = {key for line in lines for key in bold(line, figure in LOWER_IS_BETTER)}
    cells = [
        {
            **dict(zip(axes, key, strict=True)),
            **estimate(of, group).to_dict(),
            "sem_over_seeds": spreads[key].sem,
            "bold": key in marked,
        }
        for key, group in groups.items()
    ]
    return {"figure": figure, "cells": cells}


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


def draw_maps(name: str, episodes: Sequence[Episode], path: str | Path) -> list[dict[str, Any]]:
    """Draw the maps of an experiment side by side, and return them.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if the games do not have two axes, or the file cannot be written.
    """
    maps = [heat_map(episodes, figure, best) for figure, best in MAPS[name]]
    axes = list(maps[0]["cells"][0])[:2]
    rows, columns = (list(dict.fromkeys(cell[axis] for cell in maps[0]["cells"])) for axis in axes)
    size = 1.9 + 1.15 * len(columns), 1.5 + 0.75 * len(rows)
    with drawing((size[0] * len(maps), size[1]), path) as figure:
        for axis, drawn in zip(figure.subplots(1, len(maps), squeeze=False)[0], maps, strict=True):
            places = {(columns.index(cell[axes[1]]), rows.index(cell[axes[0]])): cell for cell in drawn["cells"]}
            _map(axis, drawn["figure"], places)
            axis.set_xticks(range(len(columns)), columns, rotation=20, ha="right")
            axis.set_yticks(range(len(rows)), rows)
            axis.set_xlabel(axes[1])
            axis.set_ylabel(axes[0])
    return maps


def _map(axis: Any, figure: str, cells: Mapping[tuple[int, int], Mapping[str, Any]]) -> None:
    """Draw the cells of a map by column and row."""
    import numpy as np

    width, height = (max(key[at] for key in cells) + 1 for at in range(2))
    grid = np.full((height, width), np.nan)
    for (x, y), cell in cells.items():
        grid[y, x] = cell["value"]
    top = 8 if figure == "turns" else 1
    image = axis.imshow(grid, cmap="cividis", vmin=0, vmax=max(top, float(np.nanmax(grid))), aspect="auto")
    for at, cell in cells.items():
        is_dark = sum(image.cmap(image.norm(cell["value"]))[:3]) < 1.5
        style = {"textcoords": "offset points", "ha": "center", "color": "#ffffff" if is_dark else "#000000"}
        weight = "bold" if cell["bold"] else "normal"
        axis.annotate(f"{cell['value']:.2f}", at, xytext=(0, 3), va="bottom", fontweight=weight, **style)
        if cell["low"] is not None:
            axis.annotate(f"{cell['low']:.2f}–{cell['high']:.2f}", at, xytext=(0, -1), va="top", fontsize=7, **style)
    unit = "" if figure == "turns" else " (share of games)"
    axis.set_title(f"{figure}{unit}, with 95 % intervals", loc="left")
    axis.tick_params(length=0)
    axis.spines[["left", "bottom"]].set_visible(False)


def draw_dots(
    kind: str, experiment: Experiment, groups: Mapping[str, Sequence[Episode]], path: str | Path
) -> dict[str, dict[str, Any]]:
    """Draw the measures of an experiment in one colour for each group, and return the estimates.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if the experiment has none of the measures, or the file cannot be written.
    """
    calls = {call.label: call for call in experiment.measures}
    panels = [[label for label in panel if label in calls] for panel in DOTS[kind]]
    panels = [panel for panel in panels if panel]
    if not panels:
        raise UserError(f"experiment {experiment.name!r} has none of the measures of figure {kind!r}")
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


def _dots(axis: Any, panel: Sequence[str], estimates: Mapping[str, Mapping[str, Estimate | None]]) -> None:
    for place, (name, mine) in enumerate(estimates.items()):
        shift = (place - (len(estimates) - 1) / 2) * 0.8 / len(estimates)
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
