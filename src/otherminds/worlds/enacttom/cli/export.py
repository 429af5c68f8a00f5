"""``otherminds export enacttom``: a pool of evolved tasks becomes a split of the benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli import options
from otherminds.cli.output import counted, print_result


def export(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder that 'evolve enacttom' filled.")],
    name: Annotated[str, typer.Option("--name", help="Name of the split, such as hard; its tasks are hard-001, ...")],
    files: Annotated[
        Path, typer.Option("--files", help="Folder for the task files; those of an older export are deleted.")
    ],
    out: options.OutFile = None,
    size: Annotated[int, typer.Option("--size", help="Number of tasks.", min=1)] = 150,
    json: options.Json = False,
) -> None:
    """Make a split of the benchmark from the evolved tasks of a pool, and a record of how each task was produced.

    Tasks that are near-duplicates of a task in another suite of the package are left out.
    """
    from otherminds.run.evolve_report import open_pool
    from otherminds.worlds.enacttom.split import record_of, split_of, write_split
    from otherminds.worlds.enacttom.tasks.read import suites
    from otherminds.worlds.enacttom.tasks.suite import tasks_of

    others = (task for suite in suites() if suite != name for task in tasks_of(suite))
    split = split_of(open_pool(pool), name, size, others)
    write_split(split, files)
    record = record_of(split)
    shown = [f"{counted(len(split.tasks), 'task')} written to {files}"]
    shown += [f"{task} was left out: {reason}" for task, reason in split.left_out.items()]
    if "success" not in record:
        shown.append("the panel has not played the pool with held-out seeds; run its evolve command again to do so")
    print_result(json, record, *shown, out=out)
