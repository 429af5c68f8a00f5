"""Accuracy as a surface over order and length."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from otherminds.core.errors import MissingExtra, UserError
from otherminds.evals.tomi_figures import surface, surface_cells
from tests.evals.tomi_making import make_item, make_set


def test_a_cell_is_the_accuracy_at_its_order_and_length() -> None:
    items = [
        make_item(f"{length}-{order}-{number}", family_id=f"f{length}-{number}", order=order, n_statements=length)
        for length in (5, 20)
        for order in (1, 2)
        for number in range(4)
    ]
    answers = {item.id: item.answer for item in items if item.order == 1 or item.id in ("5-2-0", "5-2-1")}
    cells = surface_cells(items, answers)
    found = [(cell.order, cell.shortest, cell.longest, cell.value, cell.count) for cell in cells]
    assert found == [(1, 5, 19, 1.0, 4), (1, 20, 20, 1.0, 4), (2, 5, 19, 0.5, 4), (2, 20, 20, 0.0, 4)]
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


def test_what_cannot_be_drawn_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items = make_set(1)
    with pytest.raises(UserError, match="ending in"):
        surface(items, {}, tmp_path / "a.txt")
    with pytest.raises(UserError, match="choose another path"):
        surface(items, {}, Path("/proc/none/a.png"))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"install otherminds\[figures\]"):
        surface(items, {}, tmp_path / "a.png")
