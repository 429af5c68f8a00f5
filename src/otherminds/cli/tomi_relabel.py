"""ToMi on the command line: relabel."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from otherminds.cli.output import print_json
from otherminds.cli.symmtom_results import print_pages
from otherminds.core.errors import UserError, nearest
from otherminds.worlds.tomi.defects import CAUSES
from otherminds.worlds.tomi.relabel import Report, write
from otherminds.worlds.tomi.relabel import relabel as relabel_files

_CONTAINERS = ("open", "closed")
_SHOWN = 10  # blocks left out that are named on a page


def relabel(
    files: Annotated[list[Path], typer.Argument(help="Files of ToMi's kind (.txt); a .trace beside one is read, too.")],
    out: Annotated[
        Path | None, typer.Option(help="Write corrected .txt, .trace and .jsonl files into this folder.")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave out and list what cannot be read, instead of stopping.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there already.")] = False,
    containers: Annotated[
        str, typer.Option(help="open: whoever enters a room sees what is where; closed: only moves are seen.")
    ] = "open",
    json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Put the labels of ToMi files right, flag what is ambiguous, name true story types, and report what was wrong."""
    if containers not in _CONTAINERS:
        raise UserError(f"containers are {containers!r}; expected open or closed{nearest(containers, _CONTAINERS)}")
    report = relabel_files(files, skip_bad=skip_bad, is_open=containers == "open")
    written = write(report, out, force=force) if out else []
    if json:
        print_json({**summary(report), "written": [str(path) for path in written]})
        return
    print_pages([_totals(report), _causes(report), *_types(report), *_left_out(report)])
    for path in written:
        typer.echo(f"written: {path}")


def summary(report: Report) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "files": [str(file.path) for file in report.files],
        "stories": report.num_stories,
        "questions": report.num_questions,
        "changed": sum(report.changed.values()),
        "changed_by_kind": report.changed,
        "wrong_stories": report.wrong_stories,
        "perfect_reasoner": _perfect(report),
        "causes": {cause: vars(count) for cause, count in report.causes.items()},
        "types": [{"given": given, "true": true, "stories": n} for (given, true), n in sorted(report.types.items())],
        "changes": [
            {
                "file": str(file.path),
                "line": row.block.line,
                "question": row.block.question,
                "found": row.block.answer,
                "right": row.item.answer,
                "causes": row.causes,
            }
            for file in report.files
            for row in file.rows()
            if row.is_changed
        ],
        "left_out": report.bad,
    }


def _perfect(report: Report) -> dict[str, float]:
    """What somebody who is always right would score against the labels as they were, in per cent."""
    return {
        "average": 100 * (1 - sum(report.changed.values()) / report.num_questions),
        "joint": 100 * (1 - report.wrong_stories / report.num_stories),
    }


def _totals(report: Report) -> Table:
    grid = Table(title="Labels", title_justify="left")
    for heading in ("file", "stories", "questions", "changed labels", "of these", "stories with one"):
        grid.add_column(heading, justify="left" if heading in ("file", "of these") else "right", overflow="fold")
    parts = [Report((file,)) for file in report.files]
    names = [str(file.path) for file in report.files]
    if len(parts) > 1:
        parts, names = [*parts, report], [*names, "all"]
    for name, part in zip(names, parts, strict=True):
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(part.changed.items()))
        counts = [part.num_stories, part.num_questions, sum(part.changed.values())]
        grid.add_row(escape(name), *map(str, counts), kinds or "–", str(part.wrong_stories))
    score = _perfect(report)
    grid.caption = (
        f"always right, against the labels as they were: {score['average']:.1f} average, {score['joint']:.1f} joint"
    )
    return grid


def _causes(report: Report) -> Table:
    grid = Table(title="Causes", title_justify="left")
    grid.add_column("")
    grid.add_column("what is wrong", overflow="fold")
    grid.add_column("stories", justify="right")
    grid.add_column("questions", justify="right")
    for cause, count in report.causes.items():
        # Types and traces are wrong for a whole story.
        questions = "" if cause in ("D5", "D6", "D7") else str(count.questions)
        grid.add_row(cause, CAUSES[cause], str(count.stories), questions)
    return grid


def _types(report: Report) -> list[Table]:
    """Story types as given and as they are, where there is a trace."""
    types = {pair: number for pair, number in report.types.items() if pair[0]}
    if not types:
        return []
    grid = Table(title="Story types", title_justify="left")
    grid.add_column("given")
    grid.add_column("true")
    grid.add_column("stories", justify="right")
    for (given, true), number in sorted(types.items()):
        grid.add_row(given.replace("_", " "), true.replace("_", " "), str(number))
    return [grid]


def _left_out(report: Report) -> list[str]:
    if not report.bad:
        return []
    shown = [f"  {escape(why)}" for why in report.bad[:_SHOWN]]
    more = [f"  and {len(report.bad) - _SHOWN} more (--json lists them all)"] if len(report.bad) > _SHOWN else []
    blocks = "block was" if len(report.bad) == 1 else "blocks were"
    return [f"{len(report.bad)} {blocks} left out:", *shown, *more]
