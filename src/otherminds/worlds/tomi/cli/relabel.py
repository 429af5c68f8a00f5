"""Commands of ToMi: relabel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli.options import Force, Json
from otherminds.cli.output import print_result
from otherminds.core.errors import UserError, nearest
from otherminds.results.table import Table
from otherminds.worlds.tomi.files.items import grouped
from otherminds.worlds.tomi.files.relabel import CAUSES, Relabelled, summary, write
from otherminds.worlds.tomi.files.relabel import relabel as corrected

_CONTAINERS = ("open", "closed")


def relabel(
    files: Annotated[
        list[Path], typer.Argument(help="Files in ToMi's format (.txt). A .trace file beside one is read too.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the corrected .txt, .trace and .jsonl files. [default: none are written]"),
    ] = None,
    force: Force = False,
    containers: Annotated[
        str, typer.Option(help="open: people who enter a room see what is where; closed: they see moves only.")
    ] = "open",
    json: Json = False,
) -> None:
    """Correct the labels of ToMi files, flag ambiguous questions, name true story types, and report the defects."""
    if containers not in _CONTAINERS:
        raise UserError(f"containers are {containers!r}; expected open or closed{nearest(containers, _CONTAINERS)}")
    rows = corrected(files, is_open=containers == "open")
    paths = [str(path) for path in write(rows, out, force=force)] if out else []
    print_result(json, {**summary(rows), "written": paths}, *_tables(rows), *(f"written: {path}" for path in paths))


def _tables(rows: Sequence[Relabelled]) -> list[Table]:
    """Changes in each file, their causes and, where there is a trace, story types as given and as they are."""
    record, parts = summary(rows), grouped(rows, lambda row: str(row.path))
    if len(parts) > 1:
        parts["all"] = list(rows)
    labels = []
    for name, part in parts.items():
        counts = summary(part)
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(counts["changed_by_kind"].items()))
        labels.append(
            (name, kinds or None, *(counts[key] for key in ("stories", "questions", "changed", "wrong_stories")))
        )
    score = record["perfect_reasoner"]
    note = f"always right, against the labels as they were: {score['average']:.1f} average, {score['joint']:.1f} joint"
    heads = ("file", "of these", "stories", "questions", "changed labels", "stories with one")
    causes = [
        # Types and traces are wrong for a whole story.
        (cause, CAUSES[cause], count["stories"], "" if cause in ("D5", "D6", "D7") else count["questions"])
        for cause, count in record["causes"].items()
    ]
    types = [[str(value).replace("_", " ") for value in row.values()] for row in record["types"]]
    tables = [
        Table("Labels", heads, labels, [note], texts=2),
        Table("Causes", ("", "what is wrong", "stories", "questions"), causes, texts=2),
        Table("Story types", ("given", "true", "stories"), types, texts=2),
    ]
    has_trace = any(row["given"] for row in record["types"])
    return tables if has_trace else tables[:2]
