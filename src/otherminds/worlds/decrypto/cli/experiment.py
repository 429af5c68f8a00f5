"""``otherminds sweep decrypto``, ``figure decrypto`` and ``new experiment``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli import options
from otherminds.cli.output import print_result, progress
from otherminds.core.episodes import Episode, record_files, recorded_in
from otherminds.core.errors import UserError, nearest
from otherminds.core.files import write_whole
from otherminds.worlds.decrypto.cli.result_tables import result_tables
from otherminds.worlds.decrypto.types import role_of


def several(text: str) -> tuple[str, ...]:
    """The minds of a list with commas; a part with an equals sign is an option of the mind before it.

    Raises:
        UserError: if the list is empty.
    """
    minds: list[str] = []
    for part in (part.strip() for part in text.split(",") if part.strip()):
        if "=" in part.partition(":")[0] and minds and ":" in minds[-1]:
            minds[-1] += f",{part}"
        else:
            minds.append(part)
    if not minds:
        raise UserError("there is no mind; name at least one, such as glove")
    return tuple(minds)


def sweep(
    experiment: Annotated[
        str,
        typer.Option("--experiment", help="Registered experiment such as smarties (see 'otherminds list'), or a file."),
    ] = "self_play",
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="SEAT=MIND,MIND",
            help="Minds that replace those of the experiment in a seat; several become an axis. May be repeated.",
        ),
    ] = None,
    axis: Annotated[
        list[str] | None,
        typer.Option("--axis", metavar="AXIS=VALUE,VALUE", help="New values of an axis. May be repeated."),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option("--episodes", help="Number of episodes for each seed. [default: the experiment's]", min=1),
    ] = None,
    seeds: Annotated[
        str,
        typer.Option(
            "--seeds", help="Seeds, separated by commas or as a range, such as 0-2. [default: the experiment's]"
        ),
    ] = "",
    set: options.Settings = None,
    shard: Annotated[
        str,
        typer.Option("--shard", help="Part of the casts to play, such as 1/4 for the first of four. [default: all]"),
    ] = "",
    spoken: Annotated[
        bool,
        typer.Option("--spoken", help="Let scripted minds read prompts; their replies are parsed."),
    ] = False,
    phrasing: Annotated[str, typer.Option("--phrasing", help="Phrasing of the prompts, with --spoken.")] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for the records. [default: runs/decrypto/EXPERIMENT]"),
    ] = None,
    json: options.Json = False,
) -> None:
    """Run an experiment with every combination of minds on the same games. Run the same command again to resume."""
    from otherminds.llm.prompts import PLAIN
    from otherminds.run.sweep import numbers
    from otherminds.worlds.decrypto.evals.experiment_file import find_experiment
    from otherminds.worlds.decrypto.evals.play_experiment import run
    from otherminds.worlds.decrypto.evals.results import against, cell

    if phrasing and not spoken:
        raise UserError("--phrasing has no effect without --spoken")
    world, plan = options.open_world("decrypto", set), find_experiment(experiment)
    roles = {role_of(name): minds for name, minds in _named(seat or [], "--seat").items()}
    casts = plan.casts(_named(axis or [], "--axis"), roles)
    chosen = tuple(numbers(seeds)) if seeds else plan.seeds
    folder = out or Path("runs/decrypto") / plan.name
    total = len(casts) * len(plan.arms) * len(chosen) * (episodes or plan.games)
    told = (phrasing or PLAIN) if spoken else ""
    with progress("playing", total, hidden=json) as advance:

        def on_game(episode: Episode) -> None:
            advance(", ".join(episode.minds.values()))

        played = run(plan, casts, folder, episodes, chosen, world=world, part=shard, phrasing=told, on_game=on_game)
    first, *_ = played.values()
    cells = [
        {**cell(plan, mine), "against_first": None if mine is first else against(first, mine)}
        for mine in played.values()
    ]
    content = {"experiment": plan.name, "folder": str(folder), "cells": cells}
    advice = f"records in {folder}; draw them with 'otherminds figure decrypto'"
    print_result(json, content, *result_tables(cells), advice)


def figure(
    name: Annotated[str, typer.Argument(help="Figure: competition, crossplay or depth.")],
    records: Annotated[list[Path], typer.Argument(help="Record files, or folders of them.")],
    out: options.Figure = None,
    json: options.Json = False,
) -> None:
    """Draw maps of match-ups, with intervals."""
    from otherminds.worlds.decrypto.evals.figures import MAPS, draw_maps

    if name not in MAPS:
        raise UserError(f"there is no figure {name!r} of Decrypto{nearest(name, MAPS)}")
    path = out or Path(f"decrypto_{name}.svg")
    drawn = draw_maps(name, _read(records), path)
    print_result(json, {"file": str(path), "drawn": drawn}, f"wrote {path}")


def new_experiment(
    path: Annotated[Path, typer.Argument(help="File to write; its name becomes the name of the experiment.")],
    json: options.Json = False,
) -> None:
    """Write the file of a new experiment with Decrypto: a working example with every field explained."""
    from otherminds.worlds.decrypto.evals.experiment_file import SUFFIX, TEMPLATE, experiment_names, load_experiment

    path = path if path.suffix else path.with_suffix(SUFFIX)
    if path.suffix != SUFFIX:
        raise UserError(f"{path} should end in {SUFFIX}")
    if path.stem in experiment_names():
        raise UserError(f"{path.stem!r} is the name of a registered experiment; choose another")
    if path.exists():
        raise UserError(f"{path} exists already; choose another name, or delete the file")
    write_whole(path, TEMPLATE.read_text("utf-8"))
    load_experiment(path)
    text = f"wrote {path}; edit it, then run it with: otherminds sweep decrypto --experiment {path}"
    print_result(json, {"file": str(path)}, text)


def _named(words: Sequence[str], flag: str) -> dict[str, tuple[str, ...]]:
    """Minds by name, from words such as ``pair=glove,moby``."""
    named: dict[str, tuple[str, ...]] = {}
    for word in words:
        name, equals, minds = word.partition("=")
        if not equals:
            raise UserError(f"{flag} {word!r} has no values; write it as NAME=glove,moby")
        named[name.strip()] = (*named.get(name.strip(), ()), *several(minds))
    return named


def _read(records: Sequence[Path]) -> list[Episode]:
    """All whole episodes of some files and folders."""
    from otherminds.worlds.decrypto.record import check_form

    for path in records:
        if not path.exists():
            raise UserError(f"there is no file or folder {path}")
    episodes = [episode for file in record_files(records) for episode in recorded_in(file).values()]
    for episode in episodes:
        if not episode.world.startswith("decrypto"):
            raise UserError(f"{episode.id} is an episode of {episode.world}; expected episodes of Decrypto")
        check_form(episode)
    if not episodes:
        places = ", ".join(map(str, records))
        raise UserError(f"no whole episode in {places}; play some with 'otherminds sweep decrypto'")
    return episodes
