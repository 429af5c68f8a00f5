"""ToMi on the command line: relabel."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.options import Force, Json
from otherminds.cli.output import print_result
from otherminds.core.errors import UserError, nearest
from otherminds.evals.table import Table
from otherminds.worlds.tomi.defects import CAUSES
from otherminds.worlds.tomi.relabel import Report, write
from otherminds.worlds.tomi.relabel import relabel as relabel_files

_CONTAINERS = ("open", "closed")


def relabel(
    files: Annotated[
        list[Path], typer.Argument(help="Files in ToMi's format (.txt). A .trace file beside one is read as well.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the corrected .txt, .trace and .jsonl files. [default: none are written]"),
    ] = None,
    force: Force = False,
    containers: Annotated[
        str,
        typer.Option(
            help="Visibility of contents: open (seen by anyone who enters the room) or closed (only moves are seen)."
        ),
    ] = "open",
    json: Json = False,
) -> None:
    """Correct the labels of ToMi files, flag ambiguous questions, name the true story types, and report all errors."""
    if containers not in _CONTAINERS:
        raise UserError(f"containers are {containers!r}; expected open or closed{nearest(containers, _CONTAINERS)}")
    report = relabel_files(files, is_open=containers == "open")
    written = write(report, out, force=force) if out else []
    paths = [str(path) for path in written]
    lines = [f"written: {path}" for path in paths]
    print_result(json, {**summary(report), "written": paths}, *_tables(report), *lines)


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
    }


def _perfect(report: Report) -> dict[str, float]:
    """What somebody who is always right would score against the labels as they were, in per cent."""
    return {
        "average": 100 * (1 - sum(report.changed.values()) / report.num_questions),
        "joint": 100 * (1 - report.wrong_stories / report.num_stories),
    }


def _tables(report: Report) -> list[Table]:
    """What was changed in each file, why, and, where there is a trace, story types as given and as they are."""
    parts = {str(file.path): Report((file,)) for file in report.files}
    if len(parts) > 1:
        parts["all"] = report
    labels = []
    for name, part in parts.items():
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(part.changed.items()))
        counts = part.num_stories, part.num_questions, sum(part.changed.values()), part.wrong_stories
        labels.append((name, kinds or None, *counts))
    score = _perfect(report)
    note = f"always right, against the labels as they were: {score['average']:.1f} average, {score['joint']:.1f} joint"
    heads = ("file", "of these", "stories", "questions", "changed labels", "stories with one")
    causes = [
        # Types and traces are wrong for a whole story.
        (cause, CAUSES[cause], count.stories, "" if cause in ("D5", "D6", "D7") else count.questions)
        for cause, count in report.causes.items()
    ]
    types = [(*(name.replace("_", " ") for name in pair), number) for pair, number in sorted(report.types.items())]
    tables = [
        Table("Labels", heads, labels, [note], texts=2),
        Table("Causes", ("", "what is wrong", "stories", "questions"), causes, texts=2),
        Table("Story types", ("given", "true", "stories"), types, texts=2),
    ]
    has_trace = any(given for given, _ in report.types)
    return tables if has_trace else tables[:2]
