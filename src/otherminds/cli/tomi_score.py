"""ToMi on the command line: score a file of answers from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from otherminds.cli.output import console, print_json
from otherminds.worlds.tomi.scores import Rate, Scores, read_predictions, score_answers
from otherminds.worlds.tomi.sets import read_files

Json = Annotated[bool, typer.Option("--json", help="Print for programs.")]
Ambiguous = Annotated[bool, typer.Option("--ambiguous", help="Count ambiguous questions too.")]


def score_answers_file(
    predictions: Annotated[Path, typer.Argument(help="JSON lines with id and answer.")],
    items: Annotated[Path, typer.Option(help="The questions: JSON lines, a folder (its test split) or a ToMi file.")],
    ambiguous: Ambiguous = False,
    json: Json = False,
) -> None:
    """Score a file of answers to ToMi's questions, wherever they come from."""
    asked = read_files(items)
    found = score_answers(asked, read_predictions(predictions, asked), ambiguous=ambiguous)
    if json:
        print_json(found.to_json())
        return
    out = console()
    out.print(scores_grid("ToMi (percent)", {predictions.name: found}))
    if found.missing:
        out.print(f"{found.missing} questions have no answer; they count as not right")


def scores_grid(title: str, found: dict[str, Scores]) -> Table:
    """Scores side by side, one column for each set of answers."""
    grid = Table(title=title, title_justify="left")
    grid.add_column("score", no_wrap=True)
    for name, scores in found.items():
        grid.add_column(f"{name}\nn = {scores.accuracy.count}", justify="right")
    every = list(found.values())
    rows: list[tuple[str, Sequence[Rate | None]]] = [
        ("[bold]family-joint[/bold]", [one.family_joint for one in every]),
        ("story-joint", [one.story_joint for one in every]),
        *((f"{name} pair-joint", rates) for name, rates in _rows(one.pair_joint for one in every)),
        ("accuracy", [one.accuracy for one in every]),
        ("accuracy of valid replies", [one.accuracy_of_valid for one in every]),
        ("validity", [one.validity for one in every]),
        *((f"  {name}", rates) for name, rates in _rows(one.by_group for one in every)),
        *((f"  {name} (attributed)", rates) for name, rates in _rows(one.false_attribution for one in every)),
        *((f"  {name} (vs reality)", rates) for name, rates in _rows(one.false_vs_reality for one in every)),
        ("reality bias", [one.reality_bias for one in every]),
    ]
    for name, rates in rows:
        grid.add_row(name, *map(_cell, rates))
    return grid


def _rows(tables: Iterable[dict[str, Rate]]) -> list[tuple[str, list[Rate | None]]]:
    """Tables with other keys as rows with gaps."""
    listed = list(tables)
    names = dict.fromkeys(name for table in listed for name in table)
    return [(name, [table.get(name) for table in listed]) for name in names]


def _cell(rate: Rate | None) -> str:
    if rate is None:
        return "-"
    error = "" if rate.stderr is None else f" [dim]±{100 * rate.stderr:.1f}[/dim]"
    return f"{100 * rate.value:.1f}{error}"
