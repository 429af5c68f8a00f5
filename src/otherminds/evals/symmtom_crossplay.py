"""Cross-play: how agents do among agents they were not trained with.

Agents that learned together may share private codes, and score high only among themselves. Here each agent sits in one
seat (or half of them) among every other, in every seat in turn, on the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.evals.symmtom_agents import Agent
from otherminds.players.symmtom import EVALUATION_SEED
from otherminds.players.symmtom.rollout import rollout_seats
from otherminds.worlds.symmtom.types import Params


@dataclass(frozen=True)
class CrossPlay:
    """Mean rewards per agent, ``float [row, column]`` each: the row's agent among agents of the column."""

    agents: tuple[str, ...]
    models: tuple[str, ...]  # of each agent
    setting: str
    row_seats: int  # how many seats the row's agent fills
    episodes: int
    reward: Any  # of the row's seats
    partners: Any  # of the other seats
    standard_error: Any  # of the row's reward

    def by_model(self) -> list[dict[str, Any]]:
        """Each model's mean reward among those it was trained with, other runs of its model, and other models."""
        rows = []
        same = np.asarray([[a == b for b in self.models] for a in self.models])
        itself = np.eye(len(self.models), dtype=bool)
        for model in dict.fromkeys(self.models):
            mine = np.asarray([name == model for name in self.models])[:, None]
            groups = {"together": itself & mine, "same_model": same & ~itself & mine, "other_models": ~same & mine}
            means = {name: float(self.reward[where].mean()) if where.any() else None for name, where in groups.items()}
            rows.append({"model": model, "agents": int(mine.sum()), **means})
        return rows

    def to_dict(self) -> dict[str, Any]:
        return {
            "agents": list(self.agents),
            "models": list(self.models),
            "setting": self.setting,
            "row_seats": self.row_seats,
            "episodes": self.episodes,
            "reward": self.reward.tolist(),
            "partners": self.partners.tolist(),
            "standard_error": self.standard_error.tolist(),
            "by_model": self.by_model(),
        }


def cross_play(
    params: Params,
    agents: Sequence[Agent],
    num_episodes: int = 1000,
    seed: int = EVALUATION_SEED,
    row_seats: int = 1,
    engine: str | None = None,
    on_pair: Callable[[str], None] | None = None,
) -> CrossPlay:
    """Play every agent among every other.

    Args:
        params: the world; all must be able to play in it.
        agents: rows and columns.
        num_episodes: for each pair.
        seed: of the deals, the same for all pairs.
        row_seats: how many seats the row's agent fills; the column's fills the others.
        engine: ``"jax"``, ``"numpy"``, or ``None`` for JAX where it is installed.
        on_pair: is told of each pair when it is done.
    """
    n = params.num_agents
    if not 1 <= row_seats < n:
        raise UserError(f"{row_seats} seats for the row's agent; expected 1 to {n - 1} of {n}")
    size = len(agents)
    reward, partners, error = (np.zeros((size, size)) for _ in range(3))
    for r, row in enumerate(agents):
        for c, column in enumerate(agents):
            # Policy 0 is the row's; its seats go round the table from episode to episode.
            seating = [[int((seat - first) % n >= row_seats) for seat in range(n)] for first in range(n)]
            found = rollout_seats(params, [row.policy, column.policy], seating, seed, num_episodes, engine)
            rewards, is_row = np.asarray(found.tally.reward, np.float64), found.owner == 0
            mine = (rewards * is_row).sum(axis=0) / row_seats
            reward[r, c] = mine.mean()
            partners[r, c] = ((rewards * ~is_row).sum(axis=0) / (n - row_seats)).mean()
            error[r, c] = mine.std(ddof=1) / np.sqrt(num_episodes) if num_episodes > 1 else 0.0
            if on_pair:
                on_pair(f"{row.label} among {column.label}")
    names, models = tuple(a.label for a in agents), tuple(a.model for a in agents)
    return CrossPlay(names, models, params.setting, row_seats, num_episodes, reward, partners, error)
