"""Tables of minds without a language model: baselines, minds that model each other, unknown partners.

Every cell of a table is played on the same seeds, so that rows differ by minds alone and differences are paired by
game. ``tables.yaml`` describes all of them but the small world.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.minds.play_all import play_all
from otherminds.results.statistics import standard_error
from otherminds.worlds.decrypto.evals.measures import is_right
from otherminds.worlds.decrypto.evals.results import PUBLISHED, num_turns
from otherminds.worlds.decrypto.minds.small_world import ROWS, Accuracies, accuracies, draw_world
from otherminds.worlds.decrypto.types import ROLES
from otherminds.worlds.decrypto.world import Decrypto

GAMES = 288


class Match(NamedTuple):
    """The mind for each seat in a cell, and the figure that was measured elsewhere."""

    minds: dict[str, str]
    reference: float | None = None  # mean turns


@dataclass(frozen=True)
class TablePlan:
    """A table to be played."""

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, Sequence[Match]]  # a match for every column
    first: int = 0  # seed of the first game
    is_compared: bool = False  # with the first row, game by game


@cache
def plans() -> dict[str, TablePlan]:
    """The tables by name."""
    tables = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    return {name: _plan(**table) for name, table in tables.items()}


def _plan(columns: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]], **options: Any) -> TablePlan:
    matches = {
        name: [
            Match({role: row[role].replace("$x", str(value)) for role in ROLES}, known)
            for value, known in zip_longest(columns.values(), row.get("reference", ()))
        ]
        for name, row in rows.items()
    }
    return TablePlan(columns=tuple(columns), rows=matches, **options)


def cell(match: Match, episodes: Sequence[Episode], base: Sequence[Episode] | None = None) -> dict[str, Any]:
    """The figures of a match, and its difference to another match on the same games.

    Means over games and rates per turn; ``error`` is the standard error over games.
    """
    turns = np.array([num_turns(episode) for episode in episodes])
    lines = [turn for episode in episodes for turn in episode.turns]
    gaps = None if base is None else turns - np.array([num_turns(episode) for episode in base])
    shares = {name: float(np.mean([of(episode) for episode in episodes])) for name, of in PUBLISHED.items()}
    return {
        **match.minds,
        "games": len(episodes),
        "turns": float(turns.mean()),
        "error": standard_error(turns),
        "missed": sum(not is_right(turn, "bob") for turn in lines) / turns.sum(),
        "intercepted": sum(is_right(turn, "eve") for turn in lines) / turns.sum(),
        "won": shares["wins"],
        "ended_by_miscommunication": shares["miscommunications"],
        "ended_by_interception": shares["intercepts"],
        "failures": sum(len(turn["failures"]) for turn in lines),
        "difference": None if gaps is None else float(gaps.mean()),
        "difference_error": None if gaps is None else standard_error(gaps),
        "reference": match.reference,
    }


def make(
    plan: TablePlan, games: int = GAMES, first: int | None = None, advance: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Play a table. Hints are not checked, as in the original.

    Args:
        plan: matches of the table.
        games: number of games for each cell.
        first: seed of the first game; the plan's by default.
        advance: called after each cell with the name of its row.
    """
    if games < 1:
        raise UserError(f"{games} games for each cell; expected at least 1")
    start = plan.first if first is None else first
    world = Decrypto(hints="off")
    rows: list[dict[str, Any]] = []
    base: list[Any] = [None] * len(plan.columns)  # games of the first row
    for name, matches in plan.rows.items():
        played = []
        for match in matches:
            played.append(play_all(world, match.minds, episodes=games, seed=start))
            advance(name)
        rows.append({"name": name, "cells": list(map(cell, matches, played, base))})
        base = played if plan.is_compared and len(rows) == 1 else base
    return {
        "title": plan.title,
        "columns": list(plan.columns),
        "against": rows[0]["name"] if plan.is_compared else "",
        "games": games,
        "seeds": [start, start + games - 1],
        "rows": rows,
    }


def small_world(worlds: int = 60, first: int = 0) -> dict[str, Any]:
    """Spec 9.1 by enumeration: the gain of a Bob who inverts an Alice that models Eve.

    ``least_gain`` is the smallest difference between Bob of order 2 and of order 1 over all worlds: never below 0.
    """
    rows = []
    for history, lam, alpha, reference in ROWS:
        results = [accuracies(draw_world(seed, history), lam, alpha) for seed in range(first, first + worlds)]
        means = {name: float(np.mean([getattr(result, name) for result in results])) for name in Accuracies._fields}
        gain = min(accuracy.bob2 - accuracy.bob1 for accuracy in results)
        situation = {"history": history, "lam": lam, "alpha": alpha}
        rows.append({**situation, **means, "least_gain": gain, "reference": reference._asdict()})
    return {"title": "Exact small world", "table": "small", "worlds": worlds, "first": first, "rows": rows}
