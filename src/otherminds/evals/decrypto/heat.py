"""Two axes of an experiment as a map: a figure of games in each cell, with its intervals and the best in bold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
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
from otherminds.evals.statistics import Estimate

FIGURES = (*PUBLISHED, *GUESSED)
Best = Literal["row", "column"]
Key = tuple[str, str]  # a row and a column


@dataclass(frozen=True)
class HeatCell:
    """One cell: the mean over games with its bootstrap interval, and over seeds with its standard error."""

    estimate: Estimate
    spread: Spread | None  # only of figures of whole games
    is_bold: bool


@dataclass(frozen=True)
class Heat:
    """A map of one figure."""

    figure: str
    axes: tuple[str, str]  # of rows and of columns
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[Key, HeatCell]

    def to_dict(self) -> dict[str, Any]:
        found = [
            {
                **dict(zip(self.axes, key, strict=True)),
                **cell.estimate.to_dict(),
                **({} if cell.spread is None else {"sem_over_seeds": cell.spread.sem, "bold": cell.is_bold}),
            }
            for key, cell in self.cells.items()
        ]
        return {"figure": self.figure, "cells": found}


def heat_map(episodes: Sequence[Episode], figure: str, axes: Sequence[str] = (), best: Best = "row") -> Heat:
    """A figure over two axes.

    Args:
        episodes: of an experiment with at least two axes.
        figure: turns, intercepts, miscommunications, wins, or decoded and intercepted per turn.
        axes: of rows and columns; the experiment's, if there are two.
        best: whether the best of each row or of each column is bold.

    Raises:
        UserError: if there is no such figure, or there are not two axes.
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
    marked = _marked(spreads, figure, best)
    cells = {
        key: HeatCell(estimate(of, group) if of else rates(group)[figure], spreads.get(key), key in marked)
        for key, group in groups.items()
    }
    rows, columns = (tuple(dict.fromkeys(key[at] for key in groups)) for at in range(2))
    return Heat(figure, (chosen[0], chosen[1]), rows, columns, cells)


def _marked(spreads: dict[Key, Spread], figure: str, best: Best) -> set[Key]:
    """The best of each row or column."""
    place = 0 if best == "row" else 1
    lines = [{key: spreads[key] for key in spreads if key[place] == name} for name in {key[place] for key in spreads}]
    return {key for line in lines for key in bold(line, lower=figure in LOWER_IS_BETTER)}
