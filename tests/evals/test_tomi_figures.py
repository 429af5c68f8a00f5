"""Surfaces and plots of tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.errors import MissingExtra, UserError
from otherminds.evals.tomi_figures import surface, surface_cells, table_plot
from tests.evals.tomi_making import make_item, make_set

TABLE: dict[str, Any] = {
    "title": "table 1",
    "rows": [
        {"name": "Rules", "columns": {"ToM": 100.0, "ToMi": 78.4}},
        {"name": "MemNN", "columns": {"ToM": {"value": 91.0, "low": 90.0, "high": 93.5}, "ToMi": None}},
        {"name": "transformer", "columns": {"ToMi": {"value": 99}}},
    ],
    "published": [
        {"name": "Rules", "columns": {"ToM": 100.0, "ToMi": 77.5}},
        {"name": "EntNet", "columns": {"ToM": 94.9}},
    ],
}


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
    assert table_plot({"rows": TABLE["rows"]}, path) == 4


def test_what_cannot_be_drawn_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.png"
    with pytest.raises(UserError, match="ending in"):
        table_plot(TABLE, tmp_path / "a.txt")
    with pytest.raises(UserError, match="no value to draw"):
        table_plot({"rows": []}, path)
    with pytest.raises(UserError, match="rows of the table cannot be read"):
        table_plot({"rows": [{"columns": {"a": 1}}]}, path)
    with pytest.raises(UserError, match="published of the table cannot be read"):
        table_plot({"rows": [], "published": [{"name": "x", "columns": {"a": "much"}}]}, path)
    with pytest.raises(UserError, match="choose another path"):
        table_plot(TABLE, Path("/proc/none/a.png"))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"install otherminds\[figures\]"):
        table_plot(TABLE, path)
