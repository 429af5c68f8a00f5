"""Decrypto on the command line: run experiments with our players, score records, draw figures, begin a new file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.output import console, print_json, progress
from otherminds.core.episodes import Episode, recorded_in
from otherminds.core.errors import UserError, nearest
from otherminds.core.files import write_whole
from otherminds.worlds.decrypto.types import ROLES, Role

Json = Annotated[bool, typer.Option("--json", help="Print for programs.")]
Name = Annotated[str, typer.Option(help="Of those that are shipped, such as smarties, or a file of your own.")]
Bank = Annotated[Path | None, typer.Option(help="A file of keywords; ours by default.")]
PerSeed = Annotated[int | None, typer.Option(help="Games for each seed, for records that do not say it.", min=1)]


def several(text: str) -> tuple[str, ...]:
    """Players by commas; what has an equals sign is an option of the player before it.

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
        raise UserError("there is no player; name at least one, such as glove")
    return tuple(found)


def sweep(
    experiment: Name = "self_play",
    alice: Annotated[str, typer.Option(help="Players by commas instead of the experiment's.")] = "",
    bob: Annotated[str, typer.Option(help="Likewise.")] = "",
    eve: Annotated[str, typer.Option(help="Likewise.")] = "",
    axis: Annotated[
        list[str] | None, typer.Option(help="Other values of an axis, as pair=glove,moby; may be repeated.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="For each seed; as the experiment says by default.", min=1)] = None,
    seeds: Annotated[str, typer.Option(help="Seeds by commas or as a range; as the experiment says by default.")] = "",
    bank: Bank = None,
    kind: Annotated[str, typer.Option(help="Keywords: all, concrete or abstract.")] = "all",
    shard: Annotated[str, typer.Option(help="Play one part of the casts, such as 1/4 on the first of four.")] = "",
    spoken: Annotated[
        bool, typer.Option("--spoken", help="Players are told in words, and their replies are parsed, as models' are.")
    ] = False,
    phrasing: Annotated[str, typer.Option(help="Of the words; plain by default.")] = "",
    out: Annotated[Path | None, typer.Option(help="The folder of the records; by default one under runs/.")] = None,
    json: Json = False,
) -> None:
    """Play an experiment: every cast on the same games. Killed at any moment, the same command goes on."""
    from otherminds.evals.decrypto.matrix import run
    from otherminds.evals.decrypto.read import find_experiment
    from otherminds.evals.decrypto.spoken import spoken_seating
    from otherminds.evals.inspect.decrypto_words import PLAIN
    from otherminds.players.decrypto.find import find_seat
    from otherminds.run.sweep import numbers

    if phrasing and not spoken:
        raise UserError("--phrasing is of words that players are told; add --spoken")
    found = find_experiment(experiment)
    given = {role: several(text) for role, text in zip(ROLES, (alice, bob, eve), strict=True) if text}
    casts = found.casts(_axes(axis or []), given)
    chosen = tuple(numbers(seeds)) if seeds else found.seeds
    folder = out or Path("runs/decrypto") / found.name
    total = len(casts) * len(found.arms) * len(chosen) * (games or found.games)
    with progress("playing", total, hidden=json) as advance:
        played = run(
            found,
            casts,
            folder,
            games,
            chosen,
            bank=bank,
            kind=kind,
            part=shard,
            seating=spoken_seating(phrasing) if spoken else find_seat,
            told=(phrasing or PLAIN) if spoken else "",
            on_game=advance,
        )
    _report(found, list(played.values()), games or found.games, bank, json, folder)


def score(
    records: Annotated[list[Path], typer.Argument(help="Files of episodes, or folders of them.")],
    experiment: Annotated[str, typer.Option(help="Whose measures; by default that of the folder or records.")] = "",
    games: PerSeed = None,
    bank: Bank = None,
    json: Json = False,
) -> None:
    """Score games of Decrypto, whoever played them: length, ends, rates per turn, and an experiment's measures."""
    groups = _groups(_read(records))
    chosen = _experiment_of(records, experiment, groups)
    _report(chosen, list(groups.values()), games, bank, json, None)


def figure(
    what: Annotated[str, typer.Argument(help="competition, crossplay, depth, smarties or mountains.")],
    records: Annotated[list[Path], typer.Argument(help="Files of episodes, or folders of them.")],
    out: Annotated[Path | None, typer.Option(help="A .svg, .png or .pdf file.")] = None,
    axes: Annotated[str, typer.Option(help="Of a map: rows and columns by commas; as recorded by default.")] = "",
    games: PerSeed = None,
    json: Json = False,
) -> None:
    """Draw match-ups as a map, or what the probes say of each player, with intervals."""
    from otherminds.evals.decrypto.figures import DOTS, MAPS, draw_dots, draw_maps

    if what not in (*MAPS, *DOTS):
        raise UserError(f"there is no figure {what!r} of Decrypto{nearest(what, [*MAPS, *DOTS])}")
    episodes, path = _read(records), out or Path(f"decrypto_{what}.svg")
    drawn: Any
    if what in MAPS:
        drawn = [heat.to_dict() for heat in draw_maps(what, episodes, path, _names(axes), games)]
    else:
        groups = _groups(episodes)
        found = _experiment_of(records, "", groups, {"mountains": "three_mountains"}.get(what, what))
        labels = _labels(groups)
        drawn = draw_dots(what, found, {labels[key]: mine for key, mine in groups.items()}, path)
    if json:
        print_json({"file": str(path), "drawn": drawn})
    else:
        typer.echo(f"wrote {path}")


def new_experiment(
    path: Annotated[Path, typer.Argument(help="The file to write; its name is the experiment's.")],
    json: Json = False,
) -> None:
    """Write a new experiment with Decrypto: a working example to change, with every field explained."""
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
    if json:
        print_json({"file": str(path)})
    else:
        typer.echo(f"wrote {path}; change it, then run it with: otherminds sweep decrypto --experiment {path}")


def _axes(given: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found = {}
    for one in given:
        name, equals, values = one.partition("=")
        if not equals:
            raise UserError(f"--axis {one!r} has no values; write it as pair=glove,moby")
        found[name.strip()] = several(values)
    return found


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _read(records: Sequence[Path]) -> list[Episode]:
    """All whole games of files and folders."""
    from otherminds.evals.decrypto.matrix import read_folder
    from otherminds.worlds.decrypto.record import check_form

    found: list[Episode] = []
    for path in records:
        if not path.exists():
            raise UserError(f"there is no file or folder {path}")
        found += read_folder(path) if path.is_dir() else recorded_in(path).values()
    for episode in found:
        if not episode.world.startswith("decrypto"):
            raise UserError(f"{episode.id} is an episode of {episode.world}; expected games of Decrypto")
        check_form(episode)
    if not found:
        raise UserError(f"no whole game in {', '.join(map(str, records))}; play some with 'otherminds sweep decrypto'")
    return found


def _groups(episodes: Sequence[Episode]) -> dict[tuple[str, ...], list[Episode]]:
    """Games by who played."""
    found: dict[tuple[str, ...], list[Episode]] = {}
    for episode in episodes:
        found.setdefault(tuple(episode.players), []).append(episode)
    return found


def _labels(groups: Mapping[tuple[str, ...], Any]) -> dict[tuple[str, ...], str]:
    """A short name for each cast: the roles in which they differ."""
    differing = [i for i in range(len(ROLES)) if len({players[i] for players in groups}) > 1] or [len(ROLES) - 1]
    return {players: ", ".join(f"{ROLES[i]} {players[i]}" for i in differing) for players in groups}


def _experiment_of(
    records: Sequence[Path], name: str, groups: Mapping[Any, Sequence[Episode]], default: str = ""
) -> Any:
    """The experiment that was named, or that the records say they belong to: its file beside them, or one of ours."""
    from otherminds.evals.decrypto.experiment import Experiment
    from otherminds.evals.decrypto.matrix import kept_experiment
    from otherminds.evals.decrypto.read import experiment_names, find_experiment, load_experiment

    if name:
        return find_experiment(name)
    noted = {str(episode.notes.get("experiment", "")) for mine in groups.values() for episode in mine}
    for path in records:
        beside = kept_experiment(path if path.is_dir() else path.parent)
        if beside is not None and beside.stem in noted:
            return load_experiment(beside)
    if len(noted) == 1 and noted <= set(experiment_names()):
        return find_experiment(noted.pop())
    if default:
        return find_experiment(default)
    roles: dict[Role, str] = dict.fromkeys(ROLES, "")
    return Experiment("games", "", roles, {}, (), {"": ()}, ())


def _against(first: Sequence[Episode], mine: Sequence[Episode]) -> Any:
    """The paired difference to the first cast, if they have games in common."""
    from otherminds.evals.decrypto.results import against

    if mine is first or not {episode.seed for episode in first} & {episode.seed for episode in mine}:
        return None
    return against(first, mine)


def _report(
    experiment: Any,
    groups: Sequence[Sequence[Episode]],
    games: int | None,
    bank: Path | None,
    json: bool,
    out: Path | None,
) -> None:
    from otherminds.cli.decrypto_grids import against_grid, differences_grid, games_grid, kinds_grid, measures_grid
    from otherminds.evals.decrypto.results import cell
    from otherminds.evals.decrypto.slices import by_kind
    from otherminds.worlds.decrypto.bank import keyword_bank

    kinds = keyword_bank(bank).kinds
    cells = [
        {**cell(experiment, mine, games), "kinds": by_kind(mine, kinds), "against_first": _against(groups[0], mine)}
        for mine in groups
    ]
    if json:
        print_json({"experiment": experiment.name, "folder": None if out is None else str(out), "cells": cells})
        return
    shown = console()
    for make in (games_grid, against_grid, measures_grid, differences_grid, kinds_grid):
        grid = make(cells)
        if grid is not None:
            shown.print(grid)
    if out is not None:
        shown.print(f"records in {out}; draw them with 'otherminds figure decrypto'", highlight=False)
