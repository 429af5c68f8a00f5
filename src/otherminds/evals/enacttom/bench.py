"""Plays tasks with teams of minds, three episodes each and as many as there are contrast worlds, and keeps all (6.1).

Each team has a file of episodes. An episode is in it whole or is played again, and none is played twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in
from otherminds.core.errors import UserError
from otherminds.core.match import play_one
from otherminds.core.seeds import child_seed
from otherminds.minds.find import minds_for
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.goals import is_reached
from otherminds.worlds.enacttom.rules import begin, step
from otherminds.worlds.enacttom.suite import TRIES, Entry, items_of
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.calibrate import calibrate
from otherminds.worlds.enacttom.world import EnactToM

MINDS = ("oracle", "tracker:depth=1", "tracker:depth=2", "tracker:depth=3", "greedy", "decoupled", "random")


@dataclass(frozen=True)
class Team:
    """Who sits where: one mind in every seat, or another in some of them.

    Attributes:
        mind: who fills all seats that are not named.
        seats: a seat, by name or by number from 1, and its mind; a number fits tasks whose people have other names.
    """

    mind: str
    seats: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """What tables and files call it."""
        return " ".join([self.mind, *(f"{seat}={mind}" for seat, mind in self.seats)])

    def minds(self, task: Task) -> dict[str, str]:
        """The mind of each seat.

        Raises:
            UserError: if a seat is given to somebody who does not live there.
        """
        given = dict(self.seats)
        numbers = [str(number) for number in range(1, len(task.people) + 1)]
        for seat in given:
            if seat not in (*task.names, *numbers):
                raise UserError(f"task {task.id!r} has no {seat!r} to seat; there are {', '.join(task.names)}")
        places = zip(task.names, numbers, strict=True)
        return {name: given.get(name, given.get(number, self.mind)) for name, number in places}


def run_team(
    entries: Sequence[Entry],
    team: Team,
    folder: Path | None = None,
    runs: int = TRIES,
    seed: int = 0,
    on_run: Callable[[str], None] = lambda _: None,
) -> dict[str, list[Episode]]:
    """All runs of a team, by task; those that are recorded are not played again.

    Raises:
        UserError: if the folder has episodes of other tasks under the same names, or there is no such mind.
    """
    if folder is None:
        return _run(entries, team, {}, lambda _: None, runs, seed, on_run)
    path = record_of(folder, team)
    with EpisodeWriter(path) as writer:
        return _run(entries, team, recorded_in(path), writer.whole, runs, seed, on_run)


def record_of(folder: Path, team: Team) -> Path:
    """The file of a team."""
    readable = re.sub(r"[^\w.=-]+", "_", team.name)[:80]
    return folder / f"{readable}-{child_seed(0, team.name) % 16**6:06x}.jsonl"


def _run(
    entries: Sequence[Entry],
    team: Team,
    known: Mapping[str, Episode],
    keep: Callable[[Episode], None],
    runs: int,
    seed: int,
    on_run: Callable[[str], None],
) -> dict[str, list[Episode]]:
    found: dict[str, list[Episode]] = {}
    for entry in entries:
        world = EnactToM(entry.task)
        minds = minds_for(world, team.minds(entry.task))
        found[entry.task.id] = []
        for item in items_of(entry, runs, seed):
            session, episode = world.open(seed, item), known.get(item.id)
            if episode is None:
                episode = play_one(session, minds)
                episode.notes["team"] = team.name
                keep(episode)
            else:
                _check_same(episode, session.episode)
            found[entry.task.id].append(episode)
            on_run(f"{team.name} {entry.task.id}")
    return found


def _check_same(recorded: Episode, wanted: Episode) -> None:
    same: dict[str, tuple[Any, Any]] = {
        "task": (recorded.config.get("digest"), wanted.config["digest"]),
        "world": (recorded.start.get("world"), wanted.start["world"]),
        "seed": (recorded.seed, wanted.seed),
    }
    for what, (found, right) in same.items():
        if found != right:
            raise UserError(
                f"the record has another {what} for {recorded.id}: {found!r}, not {right!r}; choose another folder"
            )


@lru_cache(maxsize=512)
def guess_chance(task: Task, worlds: tuple[World, ...]) -> float:
    """The chance that a team sweeps these worlds which draws a world for each run and does what is right there."""
    house, found = ground(task), 1.0
    plans = [calibrate(house, world) for world in task.worlds]
    for world in worlds:
        hits = 0
        for plan in plans:
            state = begin(house, world)
            for acts in plan or ():
                state, _ = step(house, state, acts)
            hits += plan is not None and is_reached(house, state.values)
        found *= hits / len(plans)
    return found
