"""The published table in its own layout, with recorded minds added (spec section 2)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from otherminds.results.table import Cell, Table
from otherminds.worlds.enacttom.evals.measures import as_published, first_three
from otherminds.worlds.enacttom.evals.scores import TaskRuns
from otherminds.worlds.enacttom.tasks.suite import OTHER

SPLITS = ("standard", "hard")  # of the published benchmark, and of ours
KINDS = ("functional", "literal")
Figures = dict[str, float]  # average with its binomial standard error, pass@3 and pass^3, in percent


@lru_cache(maxsize=1)
def published() -> dict[str, dict[str, Figures]]:
    """The published figures of each model, by split and kind."""
    text = files("otherminds.worlds.enacttom").joinpath("paper.json").read_text(encoding="utf-8")
    models: dict[str, dict[str, Figures]] = json.loads(text)["models"]
    return models


def _ours(tasks: Sequence[TaskRuns]) -> dict[str, Figures]:
    """The figures of a recorded team, for splits that it has tasks of."""
    figures: dict[str, Figures] = {}
    for split in (*SPLITS, OTHER):
        mine = [task.runs for task in tasks if task.entry.split == split]
        for kind, account in as_published(mine).items():
            if account:
                names = ("average", "error", "at3", "all3")
                figures[f"{split} {kind}"] = {name: round(100 * account[name], 1) for name in names}
    return figures


def table(ours: Mapping[str, Sequence[TaskRuns]]) -> list[dict[str, Any]]:
    """The published rows, then those of recorded teams."""
    rows: list[dict[str, Any]] = [{"model": name, "source": "published", **row} for name, row in published().items()]
    return rows + [
        {"model": team, "source": "ours", "missing": _missing(tasks), **_ours(tasks)} for team, tasks in ours.items()
    ]


def _missing(tasks: Sequence[TaskRuns]) -> int:
    """The number of runs that are missing and count as failures."""
    return sum(run is None for task in tasks for run in first_three(task.runs))


def as_tables(rows: Sequence[Mapping[str, Any]]) -> list[Table]:
    """A table for each split, recorded teams below the published rows, and one for other tasks that were played."""
    heads = ["model", *(head for kind in KINDS for head in (kind, "@3", "^3"))]
    tables = []
    for split in (*SPLITS, OTHER):
        sections: dict[str, list[list[Any]]] = {"published": [], "ours": []}
        for row in rows:
            kinds = [row.get(f"{split} {kind}") for kind in KINDS]
            if any(kinds):
                model = f"{row['model']}*" if row.get("missing") else row["model"]
                sections[row["source"]].append([model, *(cell for figures in kinds for cell in _cells(figures))])
        if split == OTHER and not sections["ours"]:
            continue
        title = f"{split} tasks, three runs each; percent, ± is the binomial standard error"
        notes = ["* partial runs; those that are missing count as failures"]
        tables.append(Table(title, heads, [*sections["published"], [], *sections["ours"]], notes))
    return tables


def _cells(figures: Figures | None) -> list[Any]:
    if figures is None:
        return [""] * 3
    return [Cell(figures["average"], figures["error"]), Cell(figures["at3"]), Cell(figures["all3"])]
