"""Decrypto on the command line: play experiments, draw figures, begin a new file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli import options
from otherminds.cli.decrypto import options_of_world
from otherminds.cli.decrypto_grids import cast_names, result_tables
from otherminds.cli.output import print_result, progress
from otherminds.core.episodes import Episode, record_files, recorded_in
from otherminds.core.errors import UserError, nearest
from otherminds.core.files import write_whole
from otherminds.worlds.decrypto.types import role_of


def several(text: str) -> tuple[str, ...]:
    """Minds by commas; what has an equals sign is an option of the mind before it.

    Raises:
        UserError: if there is none.
    """
    found: list[str] = []
    for part in (part.strip() for part in text.split(",") if part.strip()):
        if "=" in part.partition(":")[0] and found and ":" in found[-1]:
            found[-1] += f",{part}"
        else:
            found.append(part)
    if not found:
        raise UserError("there is no mind; name at least one, such as glove")
    return tuple(found)


def sweep(
    experiment: Annotated[
        str,
        typer.Option("--experiment", help="Name of an experiment, or its file; see 'otherminds list experiments'."),
    ] = "self_play",
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="SEAT=MIND,MIND",
            help="Minds for a seat, as SEAT=MIND,MIND; several form an axis. May be repeated.",
        ),
    ] = None,
    axis: Annotated[
        list[str] | None,
        typer.Option(
            "--axis",
            metavar="AXIS=VALUE,VALUE",
            help="Values of an axis instead of the experiment's, as AXIS=VALUE,VALUE. May be repeated.",
        ),
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
    set: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Option of the world: bank=FILE, kind=concrete or kind=abstract. May be repeated.",
        ),
    ] = None,
    shard: Annotated[
        str,
        typer.Option("--shard", help="Part of the casts to play, such as 1/4 for the first of four. [default: all]"),
    ] = "",
    spoken: Annotated[
        bool,
        typer.Option(
            "--spoken", help="Give minds their views in words and parse their replies, as with language models."
        ),
    ] = False,
    phrasing: Annotated[
        str, typer.Option("--phrasing", help="Wording of the prompts; needs --spoken. [default: plain]")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for the records. [default: runs/decrypto/EXPERIMENT]"),
    ] = None,
    json: options.Json = False,
) -> None:
    """Play an experiment, every cast on the same episodes. Run the same command again to resume."""
    from otherminds.evals.decrypto.matrix import run
    from otherminds.evals.decrypto.read import find_experiment
    from otherminds.evals.decrypto.results import against, by_kind, cell
    from otherminds.llm.prompts import PLAIN
    from otherminds.run.sweep import numbers
    from otherminds.worlds.decrypto.bank import keyword_bank

    if phrasing and not spoken:
        raise UserError("--phrasing has no effect without --spoken")
    found = find_experiment(experiment)
    given = options_of_world(set, ("bank", "kind"))
    roles = {role_of(name): minds for name, minds in _named(seat or [], "--seat").items()}
    casts = found.casts(_named(axis or [], "--axis"), roles)
    chosen = tuple(numbers(seeds)) if seeds else found.seeds
    folder = out or Path("runs/decrypto") / found.name
    total = len(casts) * len(found.arms) * len(chosen) * (episodes or found.games)
    how: dict[str, Any] = {**given, "part": shard, "told": (phrasing or PLAIN) if spoken else ""}
    with progress("playing", total, hidden=json) as advance:
        how["on_game"] = lambda episode: advance(", ".join(episode.minds.values()))
        played = run(found, casts, folder, episodes, chosen, **how)
    kinds, (first, *_) = keyword_bank(given.get("bank")).kinds, played.values()
    cells = [
        {
            **cell(found, mine),
            "kinds": by_kind(mine, kinds),
            "against_first": None if mine is first else against(first, mine),
        }
        for mine in played.values()
    ]
    content = {"experiment": found.name, "folder": str(folder), "cells": cells}
    advice = f"records in {folder}; draw them with 'otherminds figure decrypto'"
    print_result(json, content, *result_tables(cells), advice)


def figure(
    what: Annotated[str, typer.Argument(help="Figure to draw: competition, crossplay, depth, smarties or mountains.")],
    records: Annotated[list[Path], typer.Argument(help="Files of episode records, or folders of them.")],
    out: options.Figure = None,
    axes: Annotated[
        str,
        typer.Option("--axes", help="Axes of the rows and columns of a map, such as pair,eve. [default: as recorded]"),
    ] = "",
    json: options.Json = False,
) -> None:
    """Draw a map of match-ups, or the answers of each mind to probes, with confidence intervals."""
    from otherminds.evals.decrypto.figures import DOTS, MAPS, draw_dots, draw_maps

    if what not in (*MAPS, *DOTS):
        raise UserError(f"there is no figure {what!r} of Decrypto{nearest(what, [*MAPS, *DOTS])}")
    found, path = _read(records), out or Path(f"decrypto_{what}.svg")
    drawn: Any
    if what in MAPS:
        rows_and_columns = [name.strip() for name in axes.split(",") if name.strip()]
        drawn = [heat.to_dict() for heat in draw_maps(what, found, path, rows_and_columns)]
    else:
        groups: dict[tuple[str, ...], list[Episode]] = {}
        for episode in found:
            groups.setdefault(tuple(episode.minds.values()), []).append(episode)
        experiment = _experiment_of(records, found, {"mountains": "three_mountains"}.get(what, what))
        named = dict(zip(cast_names(list(groups)), groups.values(), strict=True))
        drawn = draw_dots(what, experiment, named, path)
    print_result(json, {"file": str(path), "drawn": drawn}, f"wrote {path}")


def new_experiment(
    path: Annotated[Path, typer.Argument(help="File to write. Its name becomes the name of the experiment.")],
    json: options.Json = False,
) -> None:
    """Write the template of a Decrypto experiment: a working example with every field explained."""
    from otherminds.evals.decrypto.read import SUFFIX, TEMPLATE, experiment_names, load_experiment

    path = path if path.suffix else path.with_suffix(SUFFIX)
    if path.suffix != SUFFIX:
        raise UserError(f"{path} should end in {SUFFIX}")
    if path.stem in experiment_names():
        raise UserError(f"{path.stem!r} is an experiment already; choose another name")
    if path.exists():
        raise UserError(f"{path} exists already; choose another name, or remove it")
    write_whole(path, TEMPLATE.read_text("utf-8"))
    load_experiment(path)
    text = f"wrote {path}; change it, then run it with: otherminds sweep decrypto --experiment {path}"
    print_result(json, {"file": str(path)}, text)


def _named(given: Sequence[str], flag: str) -> dict[str, tuple[str, ...]]:
    """Values by name, from words such as ``pair=glove,moby``."""
    found: dict[str, tuple[str, ...]] = {}
    for one in given:
        name, equals, values = one.partition("=")
        if not equals:
            raise UserError(f"{flag} {one!r} has no values; write it as NAME=glove,moby")
        found[name.strip()] = (*found.get(name.strip(), ()), *several(values))
    return found


def _read(records: Sequence[Path]) -> list[Episode]:
    """All whole games of files and folders."""
    from otherminds.worlds.decrypto.record import check_form

    for path in records:
        if not path.exists():
            raise UserError(f"there is no file or folder {path}")
    found = [episode for file in record_files(records) for episode in recorded_in(file).values()]
    for episode in found:
        if not episode.world.startswith("decrypto"):
            raise UserError(f"{episode.id} is an episode of {episode.world}; expected games of Decrypto")
        check_form(episode)
    if not found:
        raise UserError(f"no whole game in {', '.join(map(str, records))}; play some with 'otherminds sweep decrypto'")
    return found


def _experiment_of(records: Sequence[Path], episodes: Iterable[Episode], default: str) -> Any:
    """The experiment that the records say they belong to: its file beside them, a registered one, or the default."""
    from otherminds.evals.decrypto.matrix import kept_experiment
    from otherminds.evals.decrypto.read import find_experiment, load_experiment
    from otherminds.evals.decrypto.results import registered_experiment

    noted = {episode.notes.get("experiment") for episode in episodes}
    for path in records:
        beside = kept_experiment(path if path.is_dir() else path.parent)
        if beside is not None and beside.stem in noted:
            return load_experiment(beside)
    return registered_experiment(episodes) or find_experiment(default)
