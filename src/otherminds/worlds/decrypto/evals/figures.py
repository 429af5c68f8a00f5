"""Figures of Decrypto: maps of match-ups, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.summary import grouped
from otherminds.results.figures import drawing
from otherminds.worlds.decrypto.evals.results import LOWER_IS_BETTER, PUBLISHED, bold, estimate, over_seeds

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
    groups = grouped(episodes, lambda episode: tuple(str(episode.notes["place"][axis]) for axis in axes))
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
