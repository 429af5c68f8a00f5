"""Decrypto on the command line: table."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from otherminds.cli import options
from otherminds.cli.output import print_result, progress
from otherminds.core.errors import UserError, nearest
from otherminds.evals.table import Cell, Table

SMALL = "small"


def table(
    name: Annotated[
        str,
        typer.Argument(
            help="Name of the table: sizes, competition, crossplay, used-codes, rsa, adhoc, ceiling or small."
        ),
    ],
    episodes: Annotated[
        int,
        typer.Option(
            "--episodes",
            help="Number of episodes in each cell; of the table small, of worlds. [default: 288; of small, 60]",
            min=0,
        ),
    ] = 0,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of the first episode. [default: the table's]", min=0)
    ] = None,
    set: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Option of the world: bank=FILE for other keywords."),
    ] = None,
    out: options.OutFile = None,
    json: options.Json = False,
) -> None:
    """Play a table of Decrypto: scores of minds that are not language models, on the same episodes."""
    from otherminds.evals.decrypto.tables import GAMES, find_plan, make, small_world

    bank = options_of_world(set, ("bank",)).get("bank")
    if name == SMALL:
        found = small_world(episodes or 60, seed or 0)
    else:
        plan = find_plan(name)
        with progress(f"table {name}", len(plan.rows) * len(plan.columns), hidden=json) as advance:
            found = {"table": name, **make(plan, episodes or GAMES, seed, bank, advance)}
    given = [f"otherminds table decrypto {name}", f"--episodes {episodes}" if episodes else ""]
    given += [f"--seed {seed}" if seed is not None else "", "--set bank=FILE" if bank else ""]
    found["command"] = " ".join(part for part in given if part)
    print_result(json, found, _small_table(found) if name == SMALL else _turns_table(found), out=out)


def options_of_world(pairs: list[str] | None, known: tuple[str, ...]) -> dict[str, str]:
    """Options of the world that a command takes, from ``KEY=VALUE`` words.

    Raises:
        UserError: if there is no such option.
    """
    found = options.parse_settings(pairs)
    for name in found:
        if name not in known:
            raise UserError(f"--set: there is no option {name!r} here{nearest(name, known)}")
    return {name: str(value) for name, value in found.items()}


def _small_table(found: dict[str, Any]) -> Table:
    heads = ("past hints", "lambda", "alpha", "Bob 0", "Bob 1", "Bob 2", "Eve", "least gain of Bob 2")
    rows = []
    for row in found["rows"]:
        figures = [Cell(row[name], published=value, digits=3) for name, value in row["reference"].items()]
        rows.append([*(row[name] for name in ("history", "lam", "alpha")), *figures, f"{row['least_gain']:.1e}"])
    return Table(f"{found['title']}; first measured in brackets", heads, rows, texts=0)


def _turns_table(found: dict[str, Any]) -> Table:
    title = f"{found['title']}: turns, {found['games']} games a cell, seeds {found['seeds'][0]}-{found['seeds'][1]}"
    notes = ["± one standard error; in brackets, with other vectors and bank; missed and caught: share of turns"]
    if found["against"]:
        notes.append(f"second line: difference to {found['against']}, game by game")
    rows = [[row["name"], *map(_turns, row["cells"])] for row in found["rows"]]
    return Table(title, ["", *found["columns"]], rows, notes)


def _turns(cell: dict[str, Any]) -> Cell:
    note = f"missed {cell['missed']:.2f}, caught {cell['intercepted']:.2f}"
    if cell["difference"] is not None:
        note = f"{Cell(cell['difference'], cell['difference_error'], digits=2, is_signed=True)}\n{note}"
    return Cell(cell["turns"], cell["error"], published=cell["reference"], note=note, digits=2)
