"""The paper's relative claims ("127 % better on average"), recomputed from its tables and from our runs.

All are means of cell-wise ratios (paper, section A.5). A cell counts for us only if we have trained every model it
needs; the paper's figure is given over all its cells and over those that we have too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from otherminds.results.statistics import Estimate, ratio_of_cells
from otherminds.results.table import Cell, Table
from otherminds.worlds.symmtom.evals.runs import Record, by_cell
from otherminds.worlds.symmtom.evals.tables import METRICS, Row, published
from otherminds.worlds.symmtom.minds import PAPER_MODELS
from otherminds.worlds.symmtom.types import PAPER_SETTINGS

# Runs of a model in a setting by a table's metric; nothing if we have none.
Lookup = Callable[[int, str, str], Sequence[float]]
Runs = Sequence[Sequence[float]]  # of each model of a side
Side = tuple[Sequence[str], str]  # of a ratio: the best of some models in a setting

ORACLE, PLAIN, RECURRENT = "MADDPG-Oracle", "MADDPG", "RMADDPG"
TAILORED = ("MADDPG-CE", "MADDPG-GE", "MADDPG-EE")
LEARNED = tuple(PAPER_MODELS.values())


class Claim(NamedTuple):
    """A statement of the paper about a mean of ratios."""

    text: str
    stated: float | None  # in the paper's words; None for what it does not state
    table: int
    cells: list[tuple[Side, Side]]  # above and below the line


def claims() -> list[Claim]:
    """All claims of the paper's sections 7.1 and A.2 (spec section 11)."""
    more_pieces = [setting for setting in PAPER_SETTINGS if _parts(setting)[2] > 1]
    return [
        _same("MADDPG-Oracle to MADDPG", 2.27, 1, [ORACLE], [PLAIN]),
        _same("heuristic to MADDPG-Oracle, c > n", 1.92, 1, ["Heuristic"], [ORACLE], more_pieces),
        _same("best of RMADDPG, CE, GE, EE to MADDPG", 1.60, 1, [RECURRENT, *TAILORED], [PLAIN]),
        _same("best of CE, GE, EE to RMADDPG", 1.42, 1, TAILORED, [RECURRENT]),
        _across("c = 2n to c = n, learned", 0.74, LEARNED, "c", 2, 1),
        _across("c = 3n to c = 2n, learned", 0.765, LEARNED, "c", 3, 2),
        _across("c = 3n to c = n, learned", None, LEARNED, "c", 3, 1),
        _across("four agents to three, learned", 0.89, LEARNED, "n", 4, 3),
        _across("four agents to three, heuristic", 1.46, ["Heuristic"], "n", 4, 3),
        _across("w = 12 to w = 6, n = 4, learned", 0.83, LEARNED, "w", 12, 6, n=4),
        *(
            _across(
                f"w = 12 to w = 6, n = 3, c = {'' if m == 1 else m}n, learned", stated, LEARNED, "w", 12, 6, n=3, c=m
            )
            for m, stated in ((1, 1.18), (2, 1.61), (3, 0.73))
        ),
        _same("unsuccessful base uses, RMADDPG to Oracle", 1.41, 4, [RECURRENT], [ORACLE]),
        _same("useless pieces, RMADDPG to Oracle", 1.64, 6, [RECURRENT], [ORACLE]),
        _same("wrong pieces, CE to Oracle", 1.49, 5, ["MADDPG-CE"], [ORACLE]),
        _same("wrong pieces, GE to Oracle", 1.53, 5, ["MADDPG-GE"], [ORACLE]),
    ]


def claim_rows(lookup: Lookup, seed: int = 0) -> list[Row]:
    """Every claim of the paper beside what a source of runs says.

    Returns:
        ``text``, ``table``, ``stated`` (in the paper's words), ``paper`` (recomputed over all ``paper_cells`` of the
        paper), ``paper_shared`` (over the cells that we have too; ``None`` without any) and ``ours`` (an estimate over
        the same cells).
    """
    rows = []
    for claim in claims():
        paper = [_ratio(_published_runs, claim.table, cell) for cell in claim.cells]
        both = [
            (ratio, mine)
            for ratio, cell in zip(paper, claim.cells, strict=True)
            if ratio is not None and (mine := _ratio(lookup, claim.table, cell)) is not None
        ]
        whole = _mean([ratio for ratio in paper if ratio is not None])
        assert whole is not None
        rows.append(
            {
                "text": claim.text,
                "table": claim.table,
                "stated": claim.stated,
                "paper": whole.value,
                "paper_cells": whole.cells,
                "paper_shared": shared.value if (shared := _mean([ratio for ratio, _ in both])) else None,
                "ours": ours.to_dict() if (ours := _mean([mine for _, mine in both], seed)) else None,
            }
        )
    return rows


def claims_table(rows: Sequence[Row]) -> Table:
    """The paper's relative claims beside ours."""
    lines = []
    for row in rows:
        ours = row["ours"] or {"value": None, "low": None, "high": None, "cells": 0}
        line = {
            "claim": row["text"],
            "paper,\n\nstated": "" if row["stated"] is None else f"{row['stated']:g}",
            "paper,\nall\ncells": Cell(row["paper"], digits=2),
            "paper,\nour\ncells": Cell(row["paper_shared"], digits=2),
            "ours and\n95 % interval": Cell(ours["value"], interval=(ours["low"], ours["high"]), digits=2),
            "cells": f"{ours['cells']} of {row['paper_cells']}",
        }
        lines.append(line)
    note = "a cell counts only if we have trained every model in it; 95 % bootstrap over runs"
    return Table.of("SymmToM: relative claims, means of cell-wise ratios", lines, notes=[note])


def lookup_in(records: Sequence[Record], heuristic: dict[str, float], *, greedy: bool = False) -> Lookup:
    """Runs of the paper's models in our records, and the heuristic's means by setting."""
    cells = {
        (runs[0].paper_model, setting): runs
        for (_, setting), runs in by_cell(records).items()
        if runs[0].paper_model is not None
    }

    def lookup(table: int, model: str, setting: str) -> Sequence[float]:
        if model == "Heuristic":
            return [heuristic[setting]] if setting in heuristic and table == 1 else []
        return [run.score(METRICS[table], greedy=greedy) for run in cells.get((model, setting), [])]

    return lookup


def _published_runs(table: int, model: str, setting: str) -> Sequence[float]:
    value = published(table, model, setting)[0]
    return [] if value is None else [value]


def _ratio(lookup: Lookup, table: int, cell: tuple[Side, Side]) -> tuple[Runs, Runs] | None:
    """The runs above and below the line; ``None`` unless there are some of every model, and not all zero below."""
    above, below = ([lookup(table, model, setting) for model in models] for models, setting in cell)
    if not all([*above, *below]):
        return None
    return (above, below) if max(sum(runs) / len(runs) for runs in below) else None


def _mean(ratios: Sequence[tuple[Runs, Runs]], seed: int = 0) -> Estimate | None:
    return ratio_of_cells([a for a, _ in ratios], [b for _, b in ratios], seed=seed) if ratios else None


def _same(
    text: str,
    stated: float,
    table: int,
    above: Sequence[str],
    below: Sequence[str],
    settings: Sequence[str] = PAPER_SETTINGS,
) -> Claim:
    """Different models in the same settings."""
    return Claim(text, stated, table, [((above, setting), (below, setting)) for setting in settings])


def _across(
    text: str, stated: float | None, models: Sequence[str], axis: str, above: int, below: int, **fixed: int
) -> Claim:
    """The same model in settings that differ along one axis: ``n``, ``w``, or ``c`` as a multiple of ``n``."""
    cells: list[tuple[Side, Side]] = []
    for setting in PAPER_SETTINGS:
        place = dict(zip("nwc", _parts(setting), strict=True))
        if place[axis] == below and all(place[name] == value for name, value in fixed.items()):
            other = {**place, axis: above}
            other_setting = f"n{other['n']}_w{other['w']}_c{other['c'] * other['n']}"
            cells += [(([model], other_setting), ([model], setting)) for model in models]
    return Claim(text, stated, 1, cells)


def _parts(setting: str) -> tuple[int, int, int]:
    """Agents, width, and pieces an agent."""
    n, w, c = (int(part[1:]) for part in setting.split("_"))
    return n, w, c // n
