"""How often teams reach the goal of a household task: in a world at a time, and in all contrast worlds (6.1, 6.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from otherminds.players.enacttom.find import find_seat
from otherminds.players.enacttom.match import play
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.goals import is_reached
from otherminds.worlds.enacttom.types import Task, World


@dataclass(frozen=True)
class TeamScore:
    """Of one team on one task.

    Attributes:
        team: the player that fills every seat.
        average: share of runs that reached the goal, over all worlds alike. Guessing pays here.
        sweep: share of sweeps: a team must reach the goal in every contrast world. Guessing does not pay.
        runs: sweeps that were tried.
    """

    team: str
    average: float
    sweep: float
    runs: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def score_team(
    task: Task, team: str, worlds: Sequence[World], runs: int = 10, on_run: Callable[[], None] = lambda: None
) -> TeamScore:
    """Play a task with one player in all seats.

    Args:
        task: to play.
        team: a player by name.
        worlds: of a sweep; all if there is none, as for a task of depth 0.
        runs: with seeds 0, 1, …
        on_run: is called after each.
    """
    house, successes, sweeps = ground(task), 0, 0
    wanted = set(worlds or task.worlds)
    for seed in range(runs):
        done = {
            world: is_reached(house, play(house, world, [find_seat(team) for _ in task.people], seed)[0].values)
            for world in task.worlds
        }
        successes += sum(done.values())
        sweeps += all(done[world] for world in wanted)
        on_run()
    return TeamScore(team, successes / (runs * len(task.worlds)), sweeps / runs, runs)
