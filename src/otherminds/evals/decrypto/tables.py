"""What minds without a language model reach: baselines, minds that model each other, unknown partners.

Every cell of a table is played on the same seeds, so that rows differ by minds alone and differences are paired by
game. Beside each figure stands the one that was measured with other vectors and another bank, where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
from otherminds.evals.decrypto.games import is_caught, is_lost, is_right, is_won, num_turns
from otherminds.minds.playing import play_all
from otherminds.worlds.decrypto.types import ROLES
from otherminds.worlds.decrypto.world import Decrypto

GAMES = 288


@dataclass(frozen=True)
class Match:
    """Who plays a cell, and the figure that was measured elsewhere."""

    alice: str
    bob: str
    eve: str
    reference: float | None = None  # average turns


@dataclass(frozen=True)
class Plan:
    """A table to be played.

    Attributes:
        title: what it shows.
        columns: names.
        rows: for each name a match a column.
        first: seed of the first game.
        is_compared: whether rows are compared with the first one, game by game.
    """

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, Sequence[Match]]
    first: int = 0
    is_compared: bool = False


def played(match: Match, first: int, games: int, bank: str | None = None) -> list[Episode]:
    """The games of a cell, on seeds in a row; hints are taken as they come, as the original does."""
    minds: dict[str, str] = {role: getattr(match, role) for role in ROLES}
    return play_all(Decrypto(bank, hints="off"), minds, episodes=games, seed=first)


def cell(match: Match, episodes: Sequence[Episode], base: Sequence[Episode] | None = None) -> dict[str, Any]:
    """The figures of a match, and its difference to another on the same games.

    Means over games and rates per turn; ``error`` is the standard error over games.
    """
    turns = np.array([num_turns(episode) for episode in episodes])
    lines = [turn for episode in episodes for turn in episode.turns]
    gaps = None if base is None else turns - np.array([num_turns(episode) for episode in base])
    return {
        **{role: getattr(match, role) for role in ROLES},
        "games": len(episodes),
        "turns": float(turns.mean()),
        "error": _error(turns),
        "missed": sum(not is_right(turn, "bob") for turn in lines) / turns.sum(),
        "intercepted": sum(is_right(turn, "eve") for turn in lines) / turns.sum(),
        "won": float(np.mean([is_won(episode) for episode in episodes])),
        "ended_by_miscommunication": float(np.mean([is_lost(episode) for episode in episodes])),
        "ended_by_interception": float(np.mean([is_caught(episode) for episode in episodes])),
        "failures": sum(len(turn["failures"]) for turn in lines),
        "difference": None if gaps is None else float(gaps.mean()),
        "difference_error": None if gaps is None else _error(gaps),
        "reference": match.reference,
    }


def _error(values: Any) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def find_plan(name: str) -> Plan:
    """One of our tables.

    Raises:
        UserError: if there is none of that name.
    """
    from otherminds.evals.decrypto.plans import PLANS

    if name not in PLANS:
        raise UserError(f"there is no table {name!r} of Decrypto{nearest(name, PLANS)}")
    return PLANS[name]


def make(
    plan: Plan,
    games: int = GAMES,
    first: int | None = None,
    bank: str | None = None,
    advance: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Play a table.

    Args:
        plan: who plays whom.
        games: a cell.
        first: seed of the first game; the plan's own without one.
        bank: a file of keywords; ours without one.
        advance: is called after each cell.

    Raises:
        UserError: if there are no games to play.
    """
    if games < 1:
        raise UserError(f"{games} games a cell; expected at least 1")
    start = plan.first if first is None else first
    rows: list[dict[str, Any]] = []
    base: list[list[Episode]] = []  # of the first row
    for name, matches in plan.rows.items():
        cells = []
        for at, match in enumerate(matches):
            found = played(match, start, games, bank)
            if plan.is_compared and not rows:
                base.append(found)
            cells.append(cell(match, found, base[at] if plan.is_compared and rows else None))
            if advance:
                advance(name)
        rows.append({"name": name, "cells": cells})
    return {
        "title": plan.title,
        "columns": list(plan.columns),
        "against": rows[0]["name"] if plan.is_compared else "",
        "games": games,
        "seeds": [start, start + games - 1],
        "rows": rows,
    }


def small_world(worlds: int = 60, first: int = 0) -> dict[str, Any]:
    """Spec 9.1 by enumeration: what Bob gains by inverting the Alice who reckons with Eve.

    ``least_gain`` is the smallest difference between Bob of order 2 and of order 1 over all worlds: never below 0.
    """
    from otherminds.players.decrypto.small import ROWS, Accuracies, accuracies, draw_world

    rows = []
    for history, lam, alpha, reference in ROWS:
        found = [accuracies(draw_world(seed, history), lam, alpha) for seed in range(first, first + worlds)]
        rows.append(
            {
                "history": history,
                "lam": lam,
                "alpha": alpha,
                **{name: float(np.mean([getattr(one, name) for one in found])) for name in Accuracies._fields},
                "least_gain": min(one.bob2 - one.bob1 for one in found),
                "reference": reference._asdict(),
            }
        )
    return {"title": "Exact small world", "table": "small", "worlds": worlds, "first": first, "rows": rows}
