"""Decrypto on the command line: table."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otherminds.cli import options
from otherminds.cli.output import console, print_json, progress
from otherminds.core.errors import UserError, nearest
from otherminds.core.files import write_whole

SMALL = "small"


def table(
    name: Annotated[
        str, typer.Argument(help="sizes, competition, crossplay, used-codes, rsa, adhoc, ceiling, or small.")
    ],
    episodes: Annotated[
        int, typer.Option("--episodes", help="Episodes a cell; of small, worlds. [default: 288; of small, 60]", min=0)
    ] = 0,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of the first episode. [default: the table's own]", min=0)
    ] = None,
    set: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="bank=FILE deals other keywords.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="File for the figures, as JSON.")] = None,
    json: options.Json = False,
) -> None:
    """A table of Decrypto: what minds without a language model reach, on the same games."""
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
    if out:
        write_whole(out, json_module.dumps(found, indent=1) + "\n")
    if json:
        print_json(found)
    else:
        console().print(_small_grid(found) if name == SMALL else _grid(found))


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


def _small_grid(found: dict[str, Any]) -> Table:
    grid = Table(title=f"{found['title']}; first measured in brackets", title_justify="left")
    for column in ("past hints", "lambda", "alpha", "Bob 0", "Bob 1", "Bob 2", "Eve", "least gain of Bob 2"):
        grid.add_column(column, justify="right")
    for row in found["rows"]:
        figures = [f"{row[name]:.3f} ({value:.3f})" for name, value in row["reference"].items()]
        settings = [f"{row[name]:g}" for name in ("history", "lam", "alpha")]
        grid.add_row(*settings, *figures, f"{row['least_gain']:.1e}")
    return grid


def _grid(found: dict[str, Any]) -> Table:
    title = f"{found['title']}: turns, {found['games']} games a cell, seeds {found['seeds'][0]}-{found['seeds'][1]}"
    against = f"second line: difference to {found['against']}, game by game; " if found["against"] else ""
    caption = (
        f"± one standard error; in brackets, with other vectors and bank; {against}missed and caught: share of turns"
    )
    grid = Table(title=title, title_justify="left", caption=caption, caption_justify="left")
    grid.add_column("")
    for column in found["columns"]:
        grid.add_column(column, justify="right")
    for row in found["rows"]:
        grid.add_row(row["name"], *(_figure(cell) for cell in row["cells"]))
    return grid


def _figure(cell: dict[str, Any]) -> str:
    text = f"{cell['turns']:.2f} ± {cell['error']:.2f}"
    if cell["reference"] is not None:
        text += f" ({cell['reference']:.2f})"
    if cell["difference"] is not None:
        text += f"\n{cell['difference']:+.2f} ± {cell['difference_error']:.2f}"
    return f"{text}\nmissed {cell['missed']:.2f}, caught {cell['intercepted']:.2f}"
