"""``otherminds table decrypto``, ``sweep decrypto``, ``figure decrypto`` and ``new experiment``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli import options
from otherminds.cli.output import print_result, progress
from otherminds.core.episodes import Episode, read_episodes, record_files
from otherminds.core.errors import UserError, nearest
from otherminds.core.files import write_whole
from otherminds.results.table import Cell, Table
from otherminds.run.sweep import numbers, words
from otherminds.worlds.decrypto.types import ROLES, role_of

SMALL = "small"


def table(
    name: Annotated[
        str,
        typer.Argument(
            help="Name of the table: sizes, competition, crossplay, used-codes, rsa, adhoc, ceiling or small."
        ),
    ],
    episodes: Annotated[
        int | None,
        typer.Option(
            "--episodes",
            help="Number of episodes for each cell; for 'small', number of random worlds. [default: 288; small: 60]",
            min=1,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of the first episode. [default: the table's]", min=0)
    ] = None,
    out: options.OutFile = None,
    json: options.Json = False,
) -> None:
    """Compute a table from scripted minds, all on the same games."""
    from otherminds.worlds.decrypto.evals.tables import GAMES, make, plans, small_world

    if name == SMALL:
        record = small_world(episodes or 60, seed or 0)
    elif name not in plans():
        raise UserError(f"Decrypto has no table {name!r}{nearest(name, [*plans(), SMALL])}")
    else:
        plan = plans()[name]
        with progress(f"table {name}", len(plan.rows) * len(plan.columns), hidden=json) as advance:
            record = {"table": name, **make(plan, episodes or GAMES, seed, advance)}
    given = {"episodes": episodes, "seed": seed}
    options_given = [f" --{option} {value}" for option, value in given.items() if value is not None]
    record["command"] = f"otherminds table decrypto {name}{''.join(options_given)}"
    print_result(json, record, _small_table(record) if name == SMALL else _turns_table(record), out=out)


def _small_table(record: dict[str, Any]) -> Table:
    heads = ("past hints", "lambda", "alpha", "Bob 0", "Bob 1", "Bob 2", "Eve", "smallest gain of Bob 2")
    rows = []
    for row in record["rows"]:
        figures = [Cell(row[name], published=value, digits=3) for name, value in row["reference"].items()]
        rows.append([*(row[name] for name in ("history", "lam", "alpha")), *figures, f"{row['least_gain']:.1e}"])
    return Table(f"{record['title']}; reference values in brackets", heads, rows, texts=0)


def _turns_table(record: dict[str, Any]) -> Table:
    first, last = record["seeds"]
    title = f"{record['title']}: turns, {record['games']} games per cell, seeds {first}-{last}"
    notes = [
        "± one standard error; in brackets: the reference, with other word vectors and another keyword bank",
        "missed and caught: share of turns",
    ]
    if record["against"]:
        notes.append(f"second line: difference from {record['against']}, game by game")
    rows = [[row["name"], *map(_turns, row["cells"])] for row in record["rows"]]
    return Table(title, ["", *record["columns"]], rows, notes)


def _turns(cell: dict[str, Any]) -> Cell:
    note = f"missed {cell['missed']:.2f}, caught {cell['intercepted']:.2f}"
    if cell["difference"] is not None:
        note = f"{Cell(cell['difference'], cell['difference_error'], digits=2, is_signed=True)}\n{note}"
    return Cell(cell["turns"], cell["error"], published=cell["reference"], note=note, digits=2)


def several(text: str) -> tuple[str, ...]:
    """The minds of a list with commas; a part with an equals sign is an option of the mind before it.

    Raises:
        UserError: if the list is empty.
    """
    minds: list[str] = []
    for part in words(text):
        if "=" in part.partition(":")[0] and minds and ":" in minds[-1]:
            minds[-1] += f",{part}"
        else:
            minds.append(part)
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
            help="Minds for a seat, instead of the experiment's. Several minds form an axis. May be repeated.",
        ),
    ] = None,
    axis: Annotated[
        list[str] | None,
        typer.Option(
            "--axis",
            metavar="AXIS=VALUE,VALUE",
            help="Values for an axis, instead of the experiment's. May be repeated.",
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
    set: options.Settings = None,
    shard: Annotated[
        str,
        typer.Option(
            "--shard",
            help="Part of the combinations of minds to play, such as 1/4 for the first of four. [default: all]",
        ),
    ] = "",
    spoken: Annotated[
        bool,
        typer.Option("--spoken", help="Make scripted minds read prompts and reply in text, as a language model does."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for the records. [default: runs/decrypto/EXPERIMENT]"),
    ] = None,
    json: options.Json = False,
) -> None:
    """Run an experiment with every combination of minds on the same games. Run the same command again to resume."""
    from otherminds.llm.prompts import PLAIN
    from otherminds.worlds.decrypto.evals.experiment_file import find_experiment
    from otherminds.worlds.decrypto.evals.play_experiment import run
    from otherminds.worlds.decrypto.evals.results import against, cell
    from otherminds.worlds.decrypto.world import Decrypto

    world, plan = Decrypto(**options.parse_settings(set)), find_experiment(experiment)
    roles = {role_of(name): minds for name, minds in _named(seat or [], "--seat").items()}
    casts = plan.casts(_named(axis or [], "--axis"), roles)
    chosen = tuple(numbers(seeds)) if seeds else plan.seeds
    folder = out or Path("runs/decrypto") / plan.name
    total = len(casts) * len(plan.arms) * len(chosen) * (episodes or plan.games)
    told = PLAIN if spoken else ""
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
    """Draw the scores of all match-ups as a heat map, with intervals."""
    from otherminds.worlds.decrypto.evals.figures import MAPS, draw_maps

    if name not in MAPS:
        raise UserError(f"Decrypto has no figure {name!r}{nearest(name, MAPS)}")
    path = out or Path(f"decrypto_{name}.svg")
    drawn = draw_maps(name, _read(records), path)
    print_result(json, {"file": str(path), "drawn": drawn}, f"wrote {path}")


def new_experiment(
    path: Annotated[Path, typer.Argument(help="File to write; its name becomes the name of the experiment.")],
    json: options.Json = False,
) -> None:
    """Write a file for a new Decrypto experiment: a working example with every field explained."""
    from otherminds.worlds.decrypto.evals.experiment_file import SUFFIX, TEMPLATE, experiment_names

    path = path if path.suffix else path.with_suffix(SUFFIX)
    if path.suffix != SUFFIX:
        raise UserError(f"{path} should end in {SUFFIX}")
    if path.stem in experiment_names():
        raise UserError(f"{path.stem!r} is the name of a registered experiment; choose another")
    if path.exists():
        raise UserError(f"{path} already exists; choose another name, or delete the file")
    write_whole(path, TEMPLATE.read_text("utf-8"))
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
    episodes = [episode for file in record_files(records) for episode in read_episodes(file) if episode.end]
    if not episodes:
        places = ", ".join(map(str, records))
        raise UserError(f"no complete episode in {places}; play some with 'otherminds sweep decrypto'")
    return episodes


def result_tables(cells: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Tables of games, compared casts, measures and compared arms; empty ones are left out."""
    casts = [[next(iter(cell["arms"].values()))["minds"][role] for role in ROLES] for cell in cells]
    differing = [at for at in range(len(ROLES)) if len({cast[at] for cast in casts}) > 1] or range(len(ROLES))
    common = ", ".join(f"{role} {casts[0][at]}" for at, role in enumerate(ROLES) if at not in differing)
    named = [
        ("\n".join(f"{ROLES[at]} {cast[at]}" for at in differing), cell)
        for cast, cell in zip(casts, cells, strict=True)
    ]
    arms = [(f"{name}\n{arm}".strip(), content) for name, cell in named for arm, content in cell["arms"].items()]
    measures = [(name, {label: _cell(row["estimate"]) for label, row in arm["measures"].items()}) for name, arm in arms]
    differences = [
        (f"{name}\n{arms}", {label: _cell(row, is_signed=True) for label, row in rows.items()})
        for name, cell in named
        for arms, rows in cell["differences"].items()
    ]
    published = ("turns", "intercepts", "miscommunications", "wins")
    compared = [
        [name, *(_cell(cell["against_first"].get(figure), is_signed=True) for figure in published)]
        for name, cell in named
        if cell["against_first"]
    ]
    heads = ("inter-\ncepts", "mis-\ncomm.", "wins", "decoded\nper turn", "caught\nper turn", "valid")
    tables = [
        Table(
            f"games{common and f' with {common}'}; turns with 95 % intervals over games",
            ["minds", "games", "turns", *heads],
            [_game_row(name, arm) for name, arm in arms],
        ),
        Table("compared with the first, game by game", ["minds", *published], compared),
        _by_label("measures: means within games, then over games", measures),
        _by_label("differences between arms, game by game", differences),
    ]
    return [table for table in tables if table.rows]


def _game_row(name: str, arm: Mapping[str, Any]) -> list[Any]:
    """Length and endings of games, rates per turn, and the share of valid replies."""
    shares = [arm[figure]["value"] for figure in ("intercepts", "miscommunications", "wins")]
    shares += [arm["per_turn"][figure]["value"] for figure in ("decoded", "intercepted")]
    shares.append(min(arm["validity"][role]["valid"] for role in ROLES))
    return [name, arm["games"], _cell(arm["turns"]), *(Cell(share, digits=2) for share in shares)]


def _by_label(title: str, columns: Sequence[tuple[str, Mapping[str, Cell]]]) -> Table:
    labels = dict.fromkeys(label for _, column in columns for label in column)
    rows = [[label, *(column.get(label) for _, column in columns)] for label in labels]
    return Table(title, ["measure", *(name for name, _ in columns)], rows)


def _cell(estimate: Mapping[str, Any] | None, is_signed: bool = False) -> Cell:
    if estimate is None:
        return Cell()
    return Cell(estimate["value"], interval=(estimate["low"], estimate["high"]), digits=2, is_signed=is_signed)
