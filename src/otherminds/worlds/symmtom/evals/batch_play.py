"""SymmToM by the batch engines: policies at any table, thousands of episodes at once, and everyone with everyone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.results.statistics import Floats
from otherminds.worlds.symmtom.evals.agents import Agent, all_policies, unlike
from otherminds.worlds.symmtom.minds.rollout import rollout_seats, summed_up
from otherminds.worlds.symmtom.types import Params

if TYPE_CHECKING:
    from otherminds.worlds.symmtom.world import SymmToM


def suited(world: SymmToM, agents: Sequence[Agent]) -> SymmToM:
    """The world to play agents in: one whose options were not set becomes the one that they were trained in."""
    trained = [agent.params for agent in agents if agent.params]
    if not world.is_usual or not trained:
        return world
    rules = {" ".join([p.setting, *unlike(p, Params.from_setting(p.setting)).values()]) for p in trained}
    if len(rules) > 1:
        raise UserError(
            f"the minds were trained in different worlds ({'; '.join(sorted(rules))}); choose a world with "
            "--set setting=… and --set … for its rules"
        )
    return type(world)(params=trained[0], probes=world.probes, ways=world.ways)


def batch(
    world: SymmToM, minds: Mapping[str, str], episodes: int, seed: int, engine: str | None = None
) -> dict[str, float | None] | None:
    """Means per seat and episode of every metric, as :meth:`SymmToM.summary` gives them of records.

    Of several minds, also each one's as ``MIND/METRIC``. ``reward_sd`` is the spread over episodes of the mean over
    seats, ``reward_se`` the standard error of ``reward``. Trained minds play where they were trained, see
    :func:`suited`. ``None`` if a seat is not filled by a policy, or if seats are probed.
    """
    names = list(dict.fromkeys(minds.values()))
    agents = all_policies(names)
    if agents is None or len(agents) != len(names) or world.probe_turns:
        return None
    world = suited(world, agents)
    if set(minds) != set(world.seats):
        return None
    policies = [agents[names.index(minds[seat])].policy for seat in world.seats]
    distinct = list(dict.fromkeys(policies))
    seating = [distinct.index(policy) for policy in policies]
    result = rollout_seats(world.params, distinct, seating, seed, episodes, engine)
    means, spread = summed_up(result.tally)
    if len(distinct) > 1:
        for number, policy in enumerate(distinct):
            for name, values in result.tally._asdict().items():
                means[f"{policy.name}/{name}"] = float(np.asarray(values, np.float64)[result.owner == number].mean())
    return {
        "episodes": float(episodes),
        "success": None,
        "score": means["reward"],
        "literal": None,
        "validity_rate": 1.0,
        "attempts_per_ask": 1.0,
        **means,
        "reward_sd": spread,
        "reward_se": spread / float(np.sqrt(episodes)),
    }


def cross(
    world: SymmToM, specs: Sequence[str], episodes: int, seed: int, row_seats: int = 1, engine: str | None = None
) -> dict[str, Any] | None:
    """Every mind among every other, in every seat in turn, on the same deals; ``None`` if one of them is not a policy.

    Agents trained together may share private codes and score high only among themselves. The row's mind fills
    ``row_seats`` seats, the column's the others.

    Returns:
        ``minds`` (what each is called: of a folder with several runs, all of them), ``sees_truth`` and ``models``,
        ``score`` (``[row][column]``, mean reward of the row's seats), ``partners`` (of the other seats),
        ``standard_error`` (of ``score``), ``by_model`` (the mean of each among those it was trained with, other runs of
        its model, and other models), ``setting``, ``row_seats`` and ``episodes``.
    """
    agents = all_policies(specs)
    if agents is None:
        return None
    params, size = suited(world, agents).params, len(agents)
    n = params.num_agents
    if not 1 <= row_seats < n:
        raise UserError(f"{row_seats} seats for the row's agent; expected 1 to {n - 1} of {n}")
    score, partners, error = (np.zeros((size, size)) for _ in range(3))
    # Policy 0 is the row's; its seats go round the table from episode to episode.
    seating = [[int((seat - first) % n >= row_seats) for seat in range(n)] for first in range(n)]
    for pair in np.ndindex(size, size):
        result = rollout_seats(params, [agents[k].policy for k in pair], seating, seed, episodes, engine)
        rewards, is_row = np.asarray(result.tally.reward, np.float64), result.owner == 0
        mine = (rewards * is_row).sum(axis=0) / row_seats
        score[pair] = mine.mean()
        partners[pair] = ((rewards * ~is_row).sum(axis=0) / (n - row_seats)).mean()
        error[pair] = mine.std(ddof=1) / np.sqrt(episodes) if episodes > 1 else 0.0
    models = [agent.model for agent in agents]
    return {
        "minds": [agent.label for agent in agents],
        "score": score.tolist(),
        "sees_truth": [agent.label for agent in agents if agent.policy.sees_truth],
        "models": models,
        "setting": params.setting,
        "row_seats": row_seats,
        "episodes": episodes,
        "partners": partners.tolist(),
        "standard_error": error.tolist(),
        "by_model": by_model(models, score),
    }


def by_model(models: Sequence[str], reward: Floats) -> list[dict[str, Any]]:
    """Each model's mean reward among those it was trained with, other runs of its model, and other models."""
    same = np.asarray([[a == b for b in models] for a in models])
    itself = np.eye(len(models), dtype=bool)
    rows = []
    for model in dict.fromkeys(models):
        mine = np.asarray([name == model for name in models])[:, None]
        groups = {"together": itself & mine, "same_model": same & ~itself & mine, "other_models": ~same & mine}
        means = {name: float(reward[mask].mean()) if mask.any() else None for name, mask in groups.items()}
        rows.append({"model": model, "agents": int(mine.sum()), **means})
    return rows
