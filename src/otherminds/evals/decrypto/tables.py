"""What minds without a language model reach: baselines, minds that model each other, unknown partners.

Every cell of a table is played on the same seeds, so that rows differ by minds alone and differences are paired by
game. Beside each figure stands the one that was measured with other vectors and another bank, where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
from otherminds.core.match import Table, play
from otherminds.minds.find import minds_for
from otherminds.worlds.decrypto.world import Decrypto

GAMES = 288
Advance = Callable[[str], None]


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
        against: the row that differences are to; none without it.
    """

    title: str
    columns: tuple[str, ...]
    rows: dict[str, tuple[Match, ...]]
    first: int = 0
    against: str = ""


@dataclass(frozen=True)
class Cell:
    """How a match went: means over games, rates per turn; ``error`` is the standard error over games."""

    alice: str
    bob: str
    eve: str
    games: int
    turns: float
    error: float
    missed: float
    intercepted: float
    won: float
    ended_by_miscommunication: float
    ended_by_interception: float
    failures: int
    difference: float | None = None  # of turns to the reference row, game by game
    difference_error: float | None = None
    reference: float | None = None


@dataclass(frozen=True)
class Outcome:
    """One game."""

    turns: int
    missed: int
    intercepted: int
    ending: str
    failures: int


@cache
def outcomes(alice: str, bob: str, eve: str, first: int, games: int, bank: str | None = None) -> tuple[Outcome, ...]:
    """The games of three minds, on seeds in a row; hints are taken as they come, as the original does."""
    world = Decrypto(bank, hints="off")
    minds = minds_for(world, {"alice": alice, "bob": bob, "eve": eve})
    sessions = (world.open(seed) for seed in range(first, first + games))
    return tuple(map(_outcome, play(Table(session, minds) for session in sessions)))


def _outcome(episode: Episode) -> Outcome:
    turns, ended = episode.turns, episode.end or {}
    return Outcome(
        len(turns),
        sum(turn["bob"] != turn["code"] for turn in turns),
        sum(turn["eve"] == turn["code"] for turn in turns),
        str(ended["ending"]),
        sum(len(turn["failures"]) for turn in turns),
    )


def cell(match: Match, found: Sequence[Outcome], base: Sequence[Outcome] | None = None) -> Cell:
    """The figures of a match, and its difference to another on the same games."""
    turns = np.array([one.turns for one in found], float)
    total = turns.sum()
    difference = error = None
    if base is not None:
        gaps = turns - np.array([one.turns for one in base], float)
        difference, error = float(gaps.mean()), _error(gaps)
    return Cell(
        match.alice,
        match.bob,
        match.eve,
        len(found),
        float(turns.mean()),
        _error(turns),
        sum(one.missed for one in found) / total,
        sum(one.intercepted for one in found) / total,
        float(np.mean([one.ending == "survived" for one in found])),
        float(np.mean([one.ending in ("miscomm", "both") for one in found])),
        float(np.mean([one.ending in ("intercept", "both") for one in found])),
        sum(one.failures for one in found),
        difference,
        error,
        match.reference,
    )


def _error(values: Any) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def make(
    name: str,
    games: int = GAMES,
    first: int | None = None,
    bank: str | None = None,
    plans: dict[str, Plan] | None = None,
    advance: Advance | None = None,
) -> dict[str, Any]:
    """Play a table.

    Args:
        name: of :func:`all_plans`.
        games: a cell.
        first: seed of the first game; the plan's own without one.
        bank: a file of keywords; ours without one.
        plans: others than ours.
        advance: is called after each cell.

    Raises:
        UserError: if there is no such table.
    """
    known = plans or all_plans()
    if name not in known:
        raise UserError(f"there is no table {name!r} of Decrypto{nearest(name, known)}")
    if games < 1:
        raise UserError(f"{games} games a cell; expected at least 1")
    plan = known[name]
    start = plan.first if first is None else first
    played: dict[str, list[Cell]] = {}
    base = plan.rows.get(plan.against)
    for row, matches in plan.rows.items():
        played[row] = []
        for at, match in enumerate(matches):
            found = outcomes(match.alice, match.bob, match.eve, start, games, bank)
            other = base[at] if base and row != plan.against else None
            ours = outcomes(other.alice, other.bob, other.eve, start, games, bank) if other else None
            played[row].append(cell(match, found, ours))
            if advance:
                advance(row)
    return {
        "title": plan.title,
        "table": name,
        "columns": list(plan.columns),
        "against": plan.against,
        "games": games,
        "seeds": [start, start + games - 1],
        "rows": [{"name": row, "cells": [asdict(one) for one in cells]} for row, cells in played.items()],
    }


@cache
def all_plans() -> dict[str, Plan]:
    """Our tables, by name."""
    from otherminds.evals.decrypto import plans

    return plans.PLANS


def small_world(worlds: int = 60, first: int = 0) -> dict[str, Any]:
    """Spec 9.1 by enumeration: what Bob gains by inverting the Alice who reckons with Eve.

    ``least_gain`` is the smallest difference between Bob of order 2 and of order 1 over all worlds: never below 0.
    """
    from otherminds.players.decrypto.small import ROWS, accuracies, draw_world

    rows = []
    for history, lam, alpha, reference in ROWS:
        found = [accuracies(draw_world(seed, history), lam, alpha) for seed in range(first, first + worlds)]
        means = {name: float(np.mean([getattr(one, name) for one in found])) for name in _LISTENERS}
        gain = min(one.bob2 - one.bob1 for one in found)
        known = dict(zip(_LISTENERS, reference, strict=True))
        settings = {"history": history, "lam": lam, "alpha": alpha}
        rows.append({**settings, **means, "least_gain": gain, "reference": known})
    return {"title": "Exact small world", "table": "small", "worlds": worlds, "first": first, "rows": rows}


_LISTENERS = ("bob0", "bob1", "bob2", "eve")
