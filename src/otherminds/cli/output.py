"""How commands print: for people by default, as JSON for programs, progress only on a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from otherminds import __version__
from otherminds.core.files import write_whole
from otherminds.core.secrets import redact


class Advance(Protocol):
    """Moves a progress bar on."""

    def __call__(self, note: str = "") -> None: ...


def console(stderr: bool = False) -> Console:
    """Where to print."""
    return Console(stderr=stderr, emoji=False)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n")


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "", notes: Iterable[str] = ()
) -> None:
    """A table for people: the first column says what a row is, the others hold numbers or words.

    Where the output is a file or a pipe, rows are as wide as they need to be.
    """
    first, *others = columns
    grid = Table(first)
    for name in others:
        grid.add_column(escape(name), justify="right")
    for row in rows:
        grid.add_row(*(escape(cell) if isinstance(cell, str) else number(cell) for cell in row))
    out = console()
    if not out.is_terminal:
        out.width = max(out.width, out.measure(grid, options=out.options.update(max_width=2000)).maximum)
    if title:
        out.print(escape(title), style="bold", soft_wrap=True)  # a title of the grid itself would wrap at its width
    out.print(grid)
    for note in notes:
        out.print(escape(note), soft_wrap=True)


def number(value: float | None) -> str:
    """A number for a table; a dash where there is none."""
    if value is None:
        return "-"
    return f"{value:g}" if value == int(value) else f"{value:.3f}" if abs(value) < 10 else f"{value:.2f}"


def keep_result(out: Path | None, content: Mapping[str, Any]) -> None:
    """Write a result with the command that made it, if that was asked for."""
    if out:
        made = {"command": f"otherminds {' '.join(sys.argv[1:])}", "version": __version__}
        write_whole(out, json.dumps(redact({**made, **content}), indent=1) + "\n")


@contextmanager
def progress(what: str, total: int, *, hidden: bool = False) -> Iterator[Advance]:
    """A progress bar on standard error, where that is a terminal nobody else writes to."""
    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=out, disable=hidden or not out.is_terminal, transient=True) as bar:
        task = bar.add_task(what, total=total)

        def advance(note: str = "") -> None:
            bar.update(task, advance=1, description=f"{what} {note}".strip())

        yield advance
