"""Plays an experiment: every cast, every arm, every seed; stopped at any moment, the same call goes on.

Each cast has a file of episodes. A game is in it whole or is played again, and none is played twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from otherminds.core.episodes import Episode, recorded_in
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.mind import Mind
from otherminds.core.seeds import child_seed
from otherminds.core.world import Item, World
from otherminds.evals.decrypto.experiment import Cast, Experiment
from otherminds.evals.decrypto.read import SUFFIX, load_experiment
from otherminds.llm.prompts import load_prompts, words_of
from otherminds.minds.find import minds_for
from otherminds.minds.playing import play_all
from otherminds.run.sweep import Job, shard
from otherminds.worlds.decrypto.types import ROLES
from otherminds.worlds.decrypto.world import Decrypto


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
    told: str = "",
    on_game: Callable[[Episode], None] | None = None,
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
        told: the phrasing of the prompts, for minds that are told in words and whose replies are parsed, as language
            models are; without one they are not.
        on_game: is told of each game, played or found.

    Raises:
        UserError: if the folder holds records of something else.
    """
    world = Decrypto(bank, kind)
    seating = _spoken(world, told) if told else minds_for
    chosen = _part(casts, part)
    for cast in chosen:
        seating(world, _specs(cast))  # a misspelt name is refused before an hour of play, not after
    _keep(experiment, folder)
    found: dict[Cast, list[Episode]] = {}
    for cast in chosen:
        path = record_of(folder, cast)
        notes = {"place": dict(cast.place), **({"told": told} if told else {})}
        items = list(world.items(experiment, seeds, games, **notes))
        _check_notes(items, path)
        play_all(world, _specs(cast), items, where=path, seating=seating, on_episode=on_game)
        recorded = recorded_in(path)  # as they are read back, so that a run that went on gives the same
        found[cast] = [recorded[item.id] for item in items]
    return found


def _specs(cast: Cast) -> dict[str, str]:
    return dict(zip(ROLES, cast.minds, strict=True))


def _spoken(world: Decrypto, phrasing: str) -> Callable[[World, Mapping[str, str]], dict[str, Mind]]:
    from otherminds.evals.decrypto.spoken import Spoken

    words = words_of(load_prompts(world, phrasing=phrasing))
    return lambda world, specs: {seat: Spoken(mind, words) for seat, mind in minds_for(world, specs).items()}


def _part(casts: Sequence[Cast], part: str) -> list[Cast]:
    if not part:
        return list(casts)
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


def _check_notes(items: Sequence[Item], path: Path) -> None:
    """Refuse records that were played with another number of games for each seed, or that minds were told otherwise."""
    recorded = recorded_in(path)
    for item in items:
        for name, what in (("env_seed", "seed of the environment"), ("told", "wording")):
            now = item.labels.get(name, "")
            before = recorded[item.id].notes.get(name, "") if item.id in recorded else now
            if before != now:
                raise UserError(
                    f"{path}: {item.id} was played with the {what} {before!r}, and now it is {now!r}; "
                    f"choose another folder with --out"
                )
