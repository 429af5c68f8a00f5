"""Plays tasks with teams, three runs each and as many as there are contrast worlds, and keeps every run (6.1).

Each team has a file of episodes. A run is in it whole or is played again, and none is played twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in
from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw, child_seed
from otherminds.evals.enacttom.measures import TRIES
from otherminds.players.enacttom.find import find_seat
from otherminds.players.enacttom.match import play
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.goals import is_reached
from otherminds.worlds.enacttom.rules import begin, step
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.calibrate import calibrate
from otherminds.worlds.enacttom.verify.certify import Certificate, certify, digest_of, stored_certificate
from otherminds.worlds.enacttom.verify.policy import SECONDS

STANDARD = "standard"  # the split of a task that names none


@dataclass(frozen=True)
class Team:
    """Who sits where: one player in every seat, or somebody else in some of them.

    Attributes:
        player: who fills all seats that are not named.
        seats: a person, by name or by number from 1, and its player; a number fits tasks whose people have other names.
    """

    player: str
    seats: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """What tables and files call it."""
        return " ".join([self.player, *(f"{person}={player}" for person, player in self.seats)])

    def players(self, task: Task) -> list[str]:
        """The player of each person.

        Raises:
            UserError: if a seat is given to somebody who does not live there.
        """
        given = dict(self.seats)
        numbers = [str(number) for number in range(1, len(task.people) + 1)]
        for person in given:
            if person not in (*task.names, *numbers):
                raise UserError(f"task {task.id!r} has no {person!r} to seat; there are {', '.join(task.names)}")
        places = zip(task.names, numbers, strict=True)
        return [given.get(name, given.get(number, self.player)) for name, number in places]


@dataclass(frozen=True)
class Entry:
    """A task of the benchmark, what is proved of it, the worlds that it is played in, and its split."""

    task: Task
    proof: Certificate
    worlds: tuple[World, ...]
    split: str = STANDARD


def enter(task: Task, seconds: float = SECONDS) -> Entry:
    """A task with its proof, which is looked for if the task does not carry it."""
    proof = stored_certificate(task) or certify(task, seconds=seconds)
    return Entry(task, proof, contrast_of(task, proof), str(task.provenance.get("split", STANDARD)))


def contrast_of(task: Task, proof: Certificate) -> tuple[World, ...]:
    """The worlds to score in: those of which every shallower team fails one.

    Where that is proved of teams without conventions only, all worlds: who guesses must be right everywhere.
    """
    return proof.contrast if proof.is_tight and proof.contrast else task.worlds


def schedule(entry: Entry, runs: int = TRIES, seed: int = 0) -> list[tuple[World, int]]:
    """World and seed of each run: the contrast worlds in a drawn order, over again until there are enough runs."""
    worlds = list(entry.worlds)
    Draw(seed, f"enacttom/worlds/{entry.task.id}").shuffle(worlds)
    return [
        (worlds[number % len(worlds)], child_seed(seed, f"enacttom/run/{entry.task.id}/{number}"))
        for number in range(max(runs, len(worlds)))
    ]


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
        UserError: if the folder has runs of other tasks under the same names, or a player is not there.
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
        task, players = entry.task, team.players(entry.task)
        found[task.id] = []
        for number, (world, run_seed) in enumerate(schedule(entry, runs, seed)):
            name = f"{task.id}-run{number}"
            episode = known.get(name)
            if episode is None:
                seats = [find_seat(player) for player in players]
                _, played = play(ground(task), world, seats, run_seed, has_probes=True)
                notes = {"team": team.name, "run": number, "tries": runs, **_noted(entry)}
                episode = replace(played, id=name, notes=notes)
                keep(episode)
            else:
                _check_same(episode, task, world, run_seed)
            found[task.id].append(episode)
            on_run(f"{team.name} {task.id}")
    return found


def _noted(entry: Entry) -> dict[str, Any]:
    """What a record says of its task besides the task itself."""
    return {
        "grade": entry.proof.grade,
        "depth": entry.proof.depth,
        "split": entry.split,
        "worlds": [list(world) for world in entry.worlds],  # those that a sweep takes
    }


def _check_same(episode: Episode, task: Task, world: World, seed: int) -> None:
    same: dict[str, tuple[Any, Any]] = {
        "task": (episode.config.get("digest"), digest_of(task)),
        "world": (episode.start.get("world"), list(world)),
        "seed": (episode.seed, seed),
    }
    for what, (recorded, wanted) in same.items():
        if recorded != wanted:
            raise UserError(
                f"the record has another {what} for {episode.id}: {recorded!r}, not {wanted!r}; choose another folder"
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
