"""Surfaces and plots of tables."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from otherminds.core.errors import MissingExtra, UserError
from otherminds.evals.tomi_figures import surface, surface_cells, table_plot
from otherminds.evals.tomi_tables import Cell, Grid
from tests.evals.tomi_making import make_item, make_set

TABLE = Grid(
    "table 1",
    ("ToM", "ToMi"),
    {
        "rules": (Cell(100.0, None, 1, 100.0), Cell(78.4, None, 1, 77.5)),
        "memnn": (Cell(91.0, 1.5, 3, None), Cell()),
        "transformer": (Cell(published=94.9), Cell(99.0)),
    },
).to_json()


def test_a_cell_is_the_accuracy_at_its_order_and_length() -> None:
    items = [
        make_item(f"{length}-{order}-{number}", family_id=f"f{length}-{number}", order=order, n_statements=length)
        for length in (5, 6, 20)
        for order in (1, 2)
        for number in range(4)
    ]
    answers = {item.id: item.answer for item in items if item.order == 1 or item.n_statements == 6}
    cells = surface_cells(items, answers, edges=[10])
    found = [(cell.order, cell.shortest, cell.longest, cell.value, cell.count) for cell in cells]
    assert found == [(1, 5, 9, 1.0, 8), (1, 10, 20, 1.0, 4), (2, 5, 9, 0.5, 8), (2, 10, 20, 0.0, 4)]
    assert all(0.0 <= cell.low <= cell.value <= cell.high <= 1.0 for cell in cells)
    assert cells[1].low < 0.6  # four families that are all right prove little
    assert cells[3].high > 0.4


def test_lengths_are_bins_of_about_as_many_questions() -> None:
    items = [make_item(str(number), family_id=str(number), n_statements=number) for number in range(1, 61)]
    cells = surface_cells(items, {})
    assert [cell.count for cell in cells] == [10] * 6
    assert [(cell.shortest, cell.longest) for cell in cells][:2] == [(1, 10), (11, 20)]


def test_ambiguous_questions_count_only_when_asked_for() -> None:
    items = [make_item("a"), make_item("b", ambiguous=True)]
    assert [cell.count for cell in surface_cells(items, {})] == [1]
    assert [cell.count for cell in surface_cells(items, {}, ambiguous=True)] == [2]
    with pytest.raises(UserError, match="no question to score"):
        surface_cells(items[1:], {})


def test_a_surface_is_drawn(tmp_path: Path) -> None:
    items = make_set(3)
    path = tmp_path / "out" / "surface.png"
    cells = surface(items, {item.id: item.answer for item in items[:9]}, path)
    assert [cell.order for cell in cells] == [0, 1, 2]
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path.stat().st_size > 10_000
    surface(items, {}, path.with_suffix(".svg"))
    assert "<svg" in path.with_suffix(".svg").read_text("utf-8")


def test_a_table_is_drawn_ours_beside_the_published(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    assert table_plot(TABLE, path) == 4 + 3
    assert path.stat().st_size > 10_000


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_kept_tables_are_drawn(tmp_path: Path, number: int) -> None:
    """What ``otherminds table tomi --out`` writes is what ``otherminds figure tomi --record`` reads."""
    kept = Path(__file__).parents[2] / "results" / f"tomi_table{number}.json"
    table = json.loads(kept.read_text("utf-8"))
    cells = [cell for row in table["rows"] for cell in row["cells"]]
    values = sum(cell[name] is not None for cell in cells for name in ("ours", "published"))
    assert table_plot(table, tmp_path / "table.svg") == values > 0


def test_what_cannot_be_drawn_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.png"
    with pytest.raises(UserError, match="ending in"):
        table_plot(TABLE, tmp_path / "a.txt")
    with pytest.raises(UserError, match="no value to draw"):
        table_plot({"columns": ["ToM"], "rows": []}, path)
    for wrong in ({"rows": 5}, {"rows": [{"name": "x"}]}, {"rows": [{"name": "x", "cells": [{"ours": "much"}]}]}):
        with pytest.raises(UserError, match="the table cannot be read"):
            table_plot({"columns": ["ToM"], **wrong}, path)
    with pytest.raises(UserError, match="row 'x' of the table has 0 cells; expected 1"):
        table_plot({"columns": ["ToM"], "rows": [{"name": "x", "cells": []}]}, path)
    with pytest.raises(UserError, match="choose another path"):
        table_plot(TABLE, Path("/proc/none/a.png"))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"install otherminds\[figures\]"):
        table_plot(TABLE, path)
