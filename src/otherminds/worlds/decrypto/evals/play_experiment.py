"""Plays an experiment: every cast, every arm, every seed. Run the same call again to resume.

Each cast has a file of episodes. An episode that is not whole is played again, and no whole one is played twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode, recorded_in
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.mind import BaseMind, Briefing, Mind, Reply
from otherminds.core.seeds import child_seed
from otherminds.core.world import Ask, Item, World
from otherminds.llm.prompts import load_prompts, words_of
from otherminds.minds.find import minds_for
from otherminds.minds.language import Conversation, LanguageMind
from otherminds.minds.play_all import play_all
from otherminds.run.sweep import shard
from otherminds.worlds.decrypto.evals.experiment import Cast, Experiment
from otherminds.worlds.decrypto.evals.experiment_file import SUFFIX
from otherminds.worlds.decrypto.observe import RoleView
from otherminds.worlds.decrypto.text import DecryptoView
from otherminds.worlds.decrypto.world import Decrypto


def record_of(folder: Path, cast: Cast) -> Path:
    """The record file of a cast."""
    readable = re.sub(r"[^\w.=-]+", "_", "_".join(cast.minds))[:80]
    label = " ".join(f"{seat}={mind}" for seat, mind in cast.specs.items())
    return folder / f"{readable}-{child_seed(0, label) % 16**6:06x}.jsonl"


def run(
    experiment: Experiment,
    casts: Sequence[Cast],
    folder: Path,
    games: int | None = None,
    seeds: Sequence[int] | None = None,
    *,
    world: Decrypto | None = None,
    part: str = "",
    phrasing: str = "",
    on_game: Callable[[Episode], None] | None = None,
) -> dict[Cast, list[Episode]]:
    """Play the episodes that are not recorded yet, and return all of them.

    Args:
        experiment: the experiment that is played.
        casts: minds for each role.
        folder: folder for the records.
        games: number of games for each seed; the experiment's by default.
        seeds: seeds of environments; the experiment's by default.
        world: world with its options set; the default world by default.
        part: ``i/N`` plays every Nth cast from the ith, for one of several machines.
        phrasing: phrasing of the prompts, for minds that read prompts and whose replies are parsed, as with language
            models; empty for minds that read views.
        on_game: called with each episode, played or recorded.

    Raises:
        UserError: if the folder holds records of another experiment.
    """
    world = world or Decrypto()
    seating = _spoken(world, phrasing) if phrasing else minds_for
    chosen = shard(casts, part) if part else casts
    if not chosen:
        raise UserError(f"there is nothing to play in shard {part}: the experiment has {len(casts)} casts")
    for cast in chosen:
        seating(world, cast.specs)  # refuses a misspelt name before an hour of play, not after
    kept = folder / f"{experiment.name}{SUFFIX}"  # beside the records, which are scored by it
    if kept.exists() and kept.read_text("utf-8") != experiment.text:
        raise UserError(f"{kept} is a different experiment from {experiment.name!r}; choose another folder with --out")
    write_whole(kept, experiment.text)
    games = games or experiment.games
    env_seeds = experiment.seeds if seeds is None else seeds
    numbers = [index + env_seed * games for env_seed in env_seeds for index in range(games)]
    episodes: dict[Cast, list[Episode]] = {}
    for cast in chosen:
        path = record_of(folder, cast)
        notes = {"place": dict(cast.place), **({"told": phrasing} if phrasing else {})}
        items = list(world.items(experiment, numbers, games, notes))
        _check_notes(items, path)
        play_all(world, cast.specs, items, record=path, seating=seating, on_episode=on_game)
        recorded = recorded_in(path)  # as they are read back, so that a resumed run returns the same
        episodes[cast] = [recorded[item.id] for item in items]
    return episodes


def _spoken(world: Decrypto, phrasing: str) -> Callable[[World, Mapping[str, str]], dict[str, Mind]]:
    words = words_of(load_prompts(world, phrasing=phrasing))
    return lambda world, specs: {seat: Spoken(mind, words) for seat, mind in minds_for(world, specs).items()}


_NOTES = {"experiment": "experiment", "env_seed": "seed of the environment", "told": "wording"}  # with their names


def _check_notes(items: Sequence[Item], path: Path) -> None:
    """Refuse records of another experiment, of another number of games for each seed, or with other prompts."""
    recorded = recorded_in(path)
    for item in items:
        for name, meaning in _NOTES.items():
            now = item.labels.get(name, "")
            before = recorded[item.id].notes.get(name, "") if item.id in recorded else now
            if before != now:
                raise UserError(
                    f"{path}: {item.id} was played with the {meaning} {before!r}; this command has {now!r}; "
                    f"choose another folder with --out"
                )


class Spoken(BaseMind):
    """A scripted mind behind a :class:`LanguageMind` with some prompts."""

    def __init__(self, mind: Any, words: Mapping[str, str]) -> None:
        self.mind, self.name = mind, mind.name
        self._speaker = LanguageMind(mind.name, self._generate, words)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.mind.begin(seat, briefing, seed)
        self._speaker.begin(seat, briefing, seed)

    def reply(self, ask: Ask) -> Reply:
        return self._speaker.reply(ask)._replace(thoughts=None)  # its words hold no reasoning

    def _generate(self, conversation: Conversation) -> str:
        ask = conversation.ask
        assert ask is not None
        seen, shown = read_view(conversation[-1].text, ask.view.data)
        probe = replace(ask.probe, shown=shown) if ask.probe is not None and seen.role == "eve" else ask.probe
        value = self.mind.reply(ask._replace(view=DecryptoView(seen, probe), probe=probe)).value
        name = ask.form.alternatives[0][0].name
        value = "-".join(map(str, value)) if name == "guess" else value
        return f"I have thought about it.\nANSWER: {json.dumps({name: value})}"


def read_view(text: str, view: RoleView) -> tuple[RoleView, tuple[str, ...] | None]:
    """A view according to the text of a message, and the keywords in it.

    All of Eve's view is read from the text; of the others', the past is taken from the game.
    """
    keywords = tuple(dict(re.findall(r"^(\d) = (.+)$", text, re.MULTILINE)).values()) or None
    view = view._replace(hints=tuple(re.findall(r"^[a-i]\) (.+)$", text, re.MULTILINE)))
    if view.role == "alice":
        return view._replace(keywords=keywords or view.keywords), keywords
    if view.role == "eve":
        lines = re.findall(r"^(\d): (.+)$", text, re.MULTILINE)
        heard = {int(digit): iter(hints.split(", ")) for digit, hints in lines}
        past = [replace(turn, hints=tuple(next(heard[digit]) for digit in turn.code)) for turn in view.past]
        view = view._replace(past=tuple(past))
    return view, keywords
