"""Tables of the SymmToM paper with our players in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Policy
from otherminds.core.registry import find
from otherminds.players.symmtom.rollout import rollout
from otherminds.worlds.symmtom.metrics import PAPER_TABLES, READINGS
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params

METRICS = {1: "reward", **PAPER_TABLES}
TITLES = {
    1: "reward per agent (higher is better)",
    4: "unsuccessful base uses per agent (lower is better)",
    5: "wrong pieces per agent (lower is better)",
    6: "useless pieces per agent (lower is better)",
    7: "useless moves per agent (lower is better)",
}
# The paper's row for a player of ours that plays by the same script.
PAPER_ROWS = {"heuristic": "Heuristic"}


@dataclass(frozen=True)
class Row:
    """One cell of a table: a player in a setting."""

    player: str
    setting: str
    mean: float  # over episodes, of the mean over agents
    sd: float  # over episodes
    standard_error: float  # of the mean
    episodes: int
    seed: int
    paper: float | None  # what the paper reports for the same player
    paper_sd: float | None


def table_rows(
    number: int,
    players: Sequence[str],
    settings: Sequence[str] = PAPER_SETTINGS,
    episodes: int = 20_000,
    seed: int = 0,
    engine: str | None = None,
    switches: dict[str, Any] | None = None,
    reading: str = "",
    on_row: Callable[[Row], None] | None = None,
) -> list[Row]:
    """Play every player in every setting and give the rows of a table.

    Args:
        number: the paper's table: 1, 4, 5, 6 or 7.
        players: names of registered policies.
        settings: such as ``n3_w6_c3``.
        episodes: how many to play for each row.
        seed: the same seed gives the same rows.
        engine: ``"jax"``, ``"numpy"``, or ``None`` for JAX where it is installed.
        switches: parameters of the world that differ from the paper's.
        reading: another reading of the table's metric: see ``READINGS``.
        on_row: called with each row as it is ready.
    """
    metric = metric_of(number, reading)
    if not players:
        raise UserError("no mind was named; 'otherminds list minds' shows them")
    policies = [load_policy(name) for name in players]
    worlds = [Params.from_setting(setting, **(switches or {})) for setting in settings]
    rows = []
    for params in worlds:
        for policy in policies:
            tally = rollout(params, policy, seed, episodes, engine)
            scores = np.asarray(getattr(tally, metric), dtype=np.float64).mean(axis=0)
            value, sd = published(number, PAPER_ROWS.get(policy.name), params.setting)
            spread = float(scores.std(ddof=1)) if episodes > 1 else 0.0
            row = Row(
                player=policy.name,
                setting=params.setting,
                mean=float(scores.mean()),
                sd=spread,
                standard_error=spread / float(np.sqrt(episodes)),
                episodes=episodes,
                seed=seed,
                paper=None if switches else value,
                paper_sd=None if switches else sd,
            )
            rows.append(row)
            if on_row:
                on_row(row)
    return rows


def load_policy(name: str) -> Policy:
    """The registered policy of that name.

    Raises:
        UserError: if there is none, or it is a player that fills one seat only, such as a person.
    """
    policy = find("mind", name, "symmtom").load()
    if not isinstance(policy, Policy):
        raise UserError(f"mind {name!r} plays one seat at a time and cannot fill a table; use 'otherminds play'")
    return policy


@lru_cache(maxsize=1)
def paper_tables() -> dict[str, Any]:
    """Tables 1-7 as published."""
    tables: dict[str, Any] = json.loads((files("otherminds.evals") / "paper" / "symmtom.json").read_text("utf-8"))
    return tables


def published(number: int, row: str | None, setting: str) -> tuple[float | None, float | None]:
    """What the paper reports in a table for a row such as ``MADDPG-CE``, and its standard deviation, where it does."""
    cell = paper_tables()[f"table{number}"]["models"].get(row or "", {}).get(setting)
    return (None, None) if cell is None else (cell["value"], cell.get("sd"))


def metric_of(number: int, reading: str = "") -> str:
    """What a table is about.

    Raises:
        UserError: if it is no table of metrics, or its metric cannot be read so.
    """
    if number not in METRICS:
        known = ", ".join(map(str, METRICS))
        raise UserError(f"there is no table {number} of metrics; expected {known}; 2 and 3 are of theory-of-mind tests")
    readings = READINGS.get(number, {})
    if reading and reading not in readings:
        others = f"; known: {', '.join(readings)}" if readings else ", only as it is"
        raise UserError(f"table {number} cannot be read by {reading!r}{others}")
    return readings[reading] if reading else METRICS[number]
