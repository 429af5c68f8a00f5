"""Plays an experiment: every cast, every arm, every seed; stopped at any moment, the same call goes on.

Each cast has a file of episodes. A game is in it whole or is played again, and none is played twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.match import play_one
from otherminds.core.mind import Mind
from otherminds.core.seeds import child_seed
from otherminds.evals.decrypto.experiment import Cast, Experiment
from otherminds.evals.decrypto.read import SUFFIX, load_experiment
from otherminds.llm.prompts import load_prompts, words_of
from otherminds.minds.find import minds_for
from otherminds.worlds.decrypto.rules import deal
from otherminds.worlds.decrypto.types import ROLES
from otherminds.worlds.decrypto.world import Decrypto

Seating = Callable[[Mapping[str, str]], dict[str, Mind]]  # minds for the seats that name them


@dataclass(frozen=True)
class Trial:
    """One game of a matrix."""

    cast: Cast
    arm: str
    env_seed: int
    seed: int  # of the game: index + env_seed * games, so that every cast sees the same games (spec 1.2)

    @property
    def id(self) -> str:
        """Its name in the record of its cast."""
        return f"decrypto-{self.seed}" + (f"-{self.arm}" if self.arm else "")


def trials(experiment: Experiment, casts: Sequence[Cast], games: int, seeds: Sequence[int]) -> list[Trial]:
    """All games, those of one cast together."""
    return [
        Trial(cast, arm, env_seed, index + env_seed * games)
        for cast in casts
        for env_seed in seeds
        for index in range(games)
        for arm in experiment.arms
    ]


def record_of(folder: Path, cast: Cast) -> Path:
    """The file of a cast."""
    readable = re.sub(r"[^\w.=-]+", "_", "_".join(cast.minds))[:80]
    return folder / f"{readable}-{child_seed(0, cast.label) % 16**6:06x}.jsonl"


def run(
    experiment: Experiment,
    casts: Sequence[Cast],
    folder: Path,
    games: int | None = None,
    seeds: Sequence[int] | None = None,
    *,
    bank: str | Path | None = None,
    kind: str = "all",
    part: str = "",
    attempts: int | None = None,
    told: str = "",
    on_game: Callable[[str], None] | None = None,
) -> dict[Cast, list[Episode]]:
    """Play what is not recorded yet, and give all records.

    Args:
        experiment: what is asked and changed.
        casts: who plays.
        folder: of the records.
        games: for each seed; as the experiment says if left out.
        seeds: of environments; as the experiment says if left out.
        bank: a file of keywords; ours without one.
        kind: all, concrete or abstract keywords.
        part: ``i/N`` plays every Nth cast from the ith, for one of several machines.
        attempts: before a default stands for an answer; as the world has it if left out.
        told: the phrasing of the prompts, for minds that are told in words and whose replies are parsed, as language
            models are; without one they are not.
        on_game: is told of each game, played or found.

    Raises:
        UserError: if the folder holds records of something else.
    """
    world = Decrypto(bank, kind)
    seated = _seating(world, told)
    games, seeds = games or experiment.games, tuple(seeds if seeds is not None else experiment.seeds)
    chosen = _part(casts, part)
    for cast in chosen:
        seated(_specs(cast))  # a misspelt name is refused before an hour of play, not after
    _keep(experiment, folder)
    found: dict[Cast, list[Episode]] = {}
    for cast in chosen:
        path = record_of(folder, cast)
        found[cast] = []
        with EpisodeWriter(path) as writer:
            known, minds = recorded_in(path), dict[str, Mind]()
            for trial in trials(experiment, [cast], games, seeds):
                episode = known.get(trial.id)
                if episode is None:
                    minds = minds or seated(_specs(cast))
                    episode = _played(experiment, trial, world, minds, attempts, told)
                    writer.whole(episode)
                else:
                    _check_same(episode, experiment, trial, world.words, told, path)
                found[cast].append(episode)
                if on_game:
                    on_game(cast.label)
    return found


def _played(
    experiment: Experiment, trial: Trial, world: Decrypto, minds: Mapping[str, Mind], attempts: int | None, told: str
) -> Episode:
    notes = {
        "experiment": experiment.name,
        "arm": trial.arm,
        "env_seed": trial.env_seed,
        "place": dict(trial.cast.place),
        **({"told": told} if told else {}),
    }
    session = world.open(trial.seed, world.item(experiment, trial.arm, trial.seed, notes))
    episode = play_one(session, minds, attempts)
    turns = json.loads(json.dumps(episode.turns))  # as they are read back: a run that went on gives the same
    return replace(episode, turns=turns)


def _specs(cast: Cast) -> dict[str, str]:
    return dict(zip(ROLES, cast.minds, strict=True))


def _seating(world: Decrypto, told: str) -> Seating:
    if not told:
        return partial(minds_for, world)
    from otherminds.evals.decrypto.spoken import Spoken

    words = words_of(load_prompts(world, phrasing=told))
    return lambda specs: {seat: Spoken(mind, words) for seat, mind in minds_for(world, specs).items()}


def _part(casts: Sequence[Cast], part: str) -> list[Cast]:
    if not part:
        return list(casts)
    from otherminds.run.sweep import Job, shard

    jobs = {cast.label: cast for cast in casts}
    found = [jobs[job.name] for job in shard([Job(label, (), Path(label)) for label in jobs], part)]
    if not found:
        raise UserError(f"there is nothing to play in shard {part}: the experiment has {len(jobs)} casts")
    return found


def _keep(experiment: Experiment, folder: Path) -> None:
    """Put the experiment's file beside its records, so that they can be scored by it; refuse those of another."""
    path = folder / f"{experiment.name}{SUFFIX}"
    known = kept_experiment(folder)
    if known is None:
        write_whole(path, experiment.text)
    elif known != path or known.read_text("utf-8") != experiment.text:
        raise UserError(f"{known} is another experiment than {experiment.name!r}; choose another folder with --out")


def kept_experiment(folder: Path) -> Path | None:
    """The experiment's file beside records, if there is one; other YAML may lie there too."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            load_experiment(path)
        except UserError:
            continue
        return path
    return None


def _check_same(
    episode: Episode, experiment: Experiment, trial: Trial, words: Sequence[str], told: str, path: Path
) -> None:
    game = deal(words, trial.seed, experiment.rules)
    if episode.players != list(trial.cast.minds) or episode.start["keywords"] != list(game.keywords):
        raise UserError(f"{path} holds games of other minds or words; choose another folder with --out")
    if episode.seed != trial.seed or episode.notes.get("env_seed", trial.env_seed) != trial.env_seed:
        raise UserError(f"{path} was played with another number of games for each seed; choose another folder")
    before = episode.notes.get("told", "")
    if before != told:
        was, now = (f"told in the {one} words" if one else "not told in words" for one in (before, told))
        raise UserError(f"the minds of {path} were {was}, and now they are {now}; choose another folder with --out")


def read_folder(folder: Path) -> Iterator[Episode]:
    """Every whole game of a folder."""
    for path in sorted(folder.glob("*.jsonl")):
        yield from recorded_in(path).values()
