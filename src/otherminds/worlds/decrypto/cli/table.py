"""``otherminds table decrypto``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from otherminds.cli import options
from otherminds.cli.output import print_result, progress
from otherminds.results.table import Cell, Table

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
        typer.Option("--episodes", help="Episodes for each cell; worlds for small. [default: 288; small: 60]", min=1),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of the first episode. [default: the table's]", min=0)
    ] = None,
    out: options.OutFile = None,
    json: options.Json = False,
) -> None:
    """Compute a table from scripted minds, all on the same games."""
    from otherminds.worlds.decrypto.evals.tables import GAMES, find_plan, make, small_world

    if name == SMALL:
        record = small_world(episodes or 60, seed or 0)
    else:
        plan = find_plan(name)
        with progress(f"table {name}", len(plan.rows) * len(plan.columns), hidden=json) as advance:
            record = {"table": name, **make(plan, episodes or GAMES, seed, advance)}
    words = [f"otherminds table decrypto {name}", f"--episodes {episodes}" if episodes else ""]
    words.append(f"--seed {seed}" if seed is not None else "")
    record["command"] = " ".join(filter(None, words))
    print_result(json, record, _small_table(record) if name == SMALL else _turns_table(record), out=out)


def _small_table(record: dict[str, Any]) -> Table:
    heads = ("past hints", "lambda", "alpha", "Bob 0", "Bob 1", "Bob 2", "Eve", "least gain of Bob 2")
    rows = []
    for row in record["rows"]:
        figures = [Cell(row[name], published=value, digits=3) for name, value in row["reference"].items()]
        rows.append([*(row[name] for name in ("history", "lam", "alpha")), *figures, f"{row['least_gain']:.1e}"])
    return Table(f"{record['title']}; first measured in brackets", heads, rows, texts=0)


def _turns_table(record: dict[str, Any]) -> Table:
    first, last = record["seeds"]
    title = f"{record['title']}: turns, {record['games']} games a cell, seeds {first}-{last}"
    notes = ["± one standard error; in brackets, with other vectors and bank; missed and caught: share of turns"]
    if record["against"]:
        notes.append(f"second line: difference to {record['against']}, game by game")
    rows = [[row["name"], *map(_turns, row["cells"])] for row in record["rows"]]
    return Table(title, ["", *record["columns"]], rows, notes)


def _turns(cell: dict[str, Any]) -> Cell:
    note = f"missed {cell['missed']:.2f}, caught {cell['intercepted']:.2f}"
    if cell["difference"] is not None:
        note = f"{Cell(cell['difference'], cell['difference_error'], digits=2, is_signed=True)}\n{note}"
    return Cell(cell["turns"], cell["error"], published=cell["reference"], note=note, digits=2)
