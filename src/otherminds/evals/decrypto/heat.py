"""Two axes of an experiment as a map: a figure of games in each cell, with its intervals and the best in bold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
from otherminds.evals.decrypto.games import LOWER_IS_BETTER, PUBLISHED, Of, Spread, bold, estimate, over_seeds, rates
from otherminds.evals.statistics import Estimate

FIGURES = (*PUBLISHED, "decoded", "intercepted")
Best = Literal["row", "column"]


@dataclass(frozen=True)
class HeatCell:
    """One cell: the mean over games with its bootstrap interval, and over seeds with its standard error."""

    estimate: Estimate
    spread: Spread | None  # only of figures of whole games
    is_bold: bool = False


@dataclass(frozen=True)
class Heat:
    """A map of one figure."""

    figure: str
    axes: tuple[str, str]  # of rows and of columns
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[str, str], HeatCell]

    def to_dict(self) -> dict[str, Any]:
        found = [
            {
                self.axes[0]: row,
                self.axes[1]: column,
                **cell.estimate.to_dict(),
                **({} if cell.spread is None else {"sem_over_seeds": cell.spread.sem, "bold": cell.is_bold}),
            }
            for (row, column), cell in self.cells.items()
        ]
        return {"figure": self.figure, "cells": found}


def places(episodes: Iterable[Episode]) -> dict[str, list[str]]:
    """The axes that games lie on, and the values of each."""
    found: dict[str, dict[str, None]] = {}
    for episode in episodes:
        for axis, value in episode.notes.get("place", {}).items():
            found.setdefault(axis, {})[str(value)] = None
    return {axis: list(values) for axis, values in found.items()}


def heat_map(
    episodes: Sequence[Episode], figure: str, axes: Sequence[str] = (), best: Best = "row", games: int | None = None
) -> Heat:
    """A figure over two axes.

    Args:
        episodes: of an experiment with at least two axes.
        figure: turns, intercepts, miscommunications, wins, or decoded and intercepted per turn.
        axes: of rows and columns; the experiment's, if there are two.
        best: whether the best of each row or of each column is bold.
        games: for each seed, for records that do not say it.

    Raises:
        UserError: if there is no such figure, or there are not two axes.
    """
    if figure not in FIGURES:
        raise UserError(f"there is no figure {figure!r} of games{nearest(figure, FIGURES)}")
    known = places(episodes)
    chosen = list(axes) or list(known)
    if len(chosen) != 2 or not set(chosen) <= set(known):
        raise UserError(f"a map needs two axes; found {', '.join(known) or 'none'}; name two with --axes rows,columns")
    groups: dict[tuple[str, str], list[Episode]] = {}
    for episode in episodes:
        place = episode.notes.get("place", {})
        groups.setdefault((str(place[chosen[0]]), str(place[chosen[1]])), []).append(episode)
    cells = {key: _cell(group, figure, games) for key, group in groups.items()}
    marked = _marked(cells, figure, best)
    return Heat(
        figure,
        (chosen[0], chosen[1]),
        tuple(known[chosen[0]]),
        tuple(known[chosen[1]]),
        {key: HeatCell(cell.estimate, cell.spread, key in marked) for key, cell in cells.items()},
    )


def _cell(episodes: Sequence[Episode], figure: str, games: int | None) -> HeatCell:
    of: Of | None = PUBLISHED.get(figure)
    if of is None:
        return HeatCell(rates(episodes)[figure], None)
    return HeatCell(estimate(of, episodes), over_seeds(of, episodes, games))


def _marked(cells: dict[tuple[str, str], HeatCell], figure: str, best: Best) -> set[tuple[str, str]]:
    place = 0 if best == "row" else 1
    found: set[tuple[str, str]] = set()
    for line in {key[place] for key in cells}:
        mine = {key: cell.spread for key, cell in cells.items() if key[place] == line and cell.spread is not None}
        if mine:
            found |= bold(mine, lower=figure in LOWER_IS_BETTER)
    return found
