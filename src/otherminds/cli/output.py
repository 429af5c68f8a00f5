"""Output of commands: tables for people, JSON for programs, progress on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from json import dumps
from pathlib import Path
from time import monotonic
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid
from rich.text import Text

from otherminds import __version__
from otherminds.core.files import write_whole
from otherminds.core.secrets import redact
from otherminds.results.table import Cell, Table, text_of

_BORDER = 3  # a line and two spaces around each column
_SECONDS_A_LINE = 10.0  # between lines of progress, where there is no bar
_LEAST_TEXT = 12  # letters of a text column that can still be read


def console(stderr: bool = False) -> Console:
    """The console for standard output or standard error."""
    return Console(stderr=stderr, emoji=False)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(dumps(value, indent=1, ensure_ascii=False, default=str) + "\n")


def print_result(json: bool, content: Any, *shown: Table | str, out: Path | None = None) -> None:
    """Print the result of a command: JSON for programs, or tables and lines for people.

    Where the output is a file or a pipe, rows are as wide as they need to be.

    Args:
        json: Whether to print JSON.
        content: Result as plain data.
        shown: Result for people.
        out: File that also receives the content, with the command that made it.
    """
    if out:
        made = {"command": f"otherminds {' '.join(sys.argv[1:])}", "version": __version__}
        write_whole(out, dumps(redact({**made, **content}), indent=1) + "\n")
    if json:
        print_json(content)
        return
    page = console()
    for part in shown:
        if isinstance(part, str):
            page.print(escape(part), soft_wrap=True, highlight=False)
        else:
            print_table(page, part)


def print_table(page: Console, table: Table) -> None:
    """Print a table; on a narrow terminal its texts wrap, and its numbers only where even that is not enough."""
    rows = [[_shown(item) for item in row] for row in table.rows]
    grid = Grid()
    widths = []
    for at, head in enumerate(table.columns):
        lines = [line for cell in (Text(head), *(row[at] for row in rows if row)) for line in cell.plain.split("\n")]
        widths.append(max(map(len, lines)) + _BORDER)
    has_room = page.width >= sum(widths[table.texts :]) + _LEAST_TEXT * table.texts
    for at, head in enumerate(table.columns):
        if at < table.texts:
            grid.add_column(escape(head), overflow="fold", no_wrap=not has_room)
        else:
            grid.add_column(escape(head), justify="right", overflow="fold", no_wrap=has_room)
    for row in rows:
        if row:
            grid.add_row(*row)
        else:
            grid.add_section()
    if not page.is_terminal:
        page.width = max(page.width, sum(widths) + 1)
    if table.title:
        page.print(escape(table.title), style="bold", soft_wrap=True)  # a title of the grid would wrap at its width
    page.print(grid)
    for note in table.notes:
        page.print(escape(note), soft_wrap=True, highlight=False)


def counted(number: int, noun: str) -> str:
    """``1 episode``, ``1,200 episodes``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def warn_of(doubts: Mapping[str, str]) -> list[str]:
    """Print warnings about tasks on standard error, and return them as notes for a table."""
    notes = [f"WARNING: results in {name} may be meaningless: {reason}" for name, reason in doubts.items()]
    for note in notes:
        console(stderr=True).print(escape(note), style="bold red", soft_wrap=True, highlight=False)
    return notes


def skipped_text(number: int) -> str:
    """The note on episodes that have not ended."""
    return f"{counted(number, 'unfinished episode')} {'was' if number == 1 else 'were'} skipped"


def _shown(item: Any) -> Text:
    return Text.assemble(item.figure, (item.beside, "dim")) if isinstance(item, Cell) else Text(text_of(item))


@contextmanager
def progress(title: str, total: int, *, hidden: bool = False) -> Iterator[Callable[..., None]]:
    """Progress on standard error: a bar if that is a terminal, otherwise a line now and then."""
    out, done, shown = console(stderr=True), 0, monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=out, disable=hidden or not out.is_terminal, transient=True) as bar:
        task = bar.add_task(title, total=total)

        def advance(note: str = "", by: int = 1) -> None:
            nonlocal done, shown
            done, line = done + by, f"{title} {note}".strip()
            bar.update(task, advance=by, description=line)
            if not (hidden or out.is_terminal) and monotonic() - shown >= _SECONDS_A_LINE:
                shown = monotonic()
                out.print(f"{line} ({done} of {total})", soft_wrap=True, highlight=False, markup=False)

        yield advance
