"""The published table in its own layout, with ours beside it (spec section 2)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from otherminds.evals.enacttom.measures import Share
from otherminds.evals.enacttom.scores import TaskRuns, shares

SPLITS = ("standard", "hard")
KINDS = ("functional", "literal")


@dataclass(frozen=True)
class Cell:
    """Average with its binomial standard error, pass@3 and pass^3, in percent."""

    average: float
    error: float
    at3: float
    all3: float

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


@lru_cache(maxsize=1)
def published() -> dict[str, dict[str, Cell]]:
    """The published cells of each model."""
    text = files("otherminds.evals").joinpath("paper/enacttom.json").read_text(encoding="utf-8")
    models: dict[str, dict[str, dict[str, float]]] = json.loads(text)["models"]
    return {model: {column: Cell(**cell) for column, cell in cells.items()} for model, cells in models.items()}


def our_cells(tasks: Sequence[TaskRuns]) -> dict[str, Cell]:
    """The same cells for a team of ours, as far as it has tasks of a split; tasks without one are standard."""
    found: dict[str, Cell] = {}
    for split in SPLITS:
        mine = [one for one in tasks if one.entry.split == split]
        scored: Mapping[str, Share | None] = shares(mine) if mine else {}
        for kind in KINDS:
            average, at3, all3 = (scored.get(name) for name in (kind, f"{kind}@3", f"{kind}^3"))
            if average and at3 and all3:
                values = (average.value, average.error, at3.value, all3.value)
                found[f"{split} {kind}"] = Cell(*(round(100 * value, 1) for value in values))
    return found


def table(ours: Mapping[str, Sequence[TaskRuns]]) -> list[dict[str, Any]]:
    """All rows: the published ones, and then ours."""
    rows: list[dict[str, Any]] = [
        {"model": model, "source": "published", **{column: cell.to_dict() for column, cell in cells.items()}}
        for model, cells in published().items()
    ]
    for team, tasks in ours.items():
        cells = our_cells(tasks)
        rows.append({"model": team, "source": "ours", **{column: cell.to_dict() for column, cell in cells.items()}})
    return rows
