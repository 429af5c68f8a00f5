"""The table of trained agents in the documentation, from records made by hand."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tests.worlds.symmtom.evals.making import write_kept

SCRIPT = Path(__file__).parents[4] / "docs" / "tables.py"


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    spec = importlib.util.spec_from_file_location("documented_tables", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


def test_a_cell_is_the_mean_over_seeds_with_their_number_and_variants_are_left_out(tmp_path: Path, tables: Any) -> None:
    folder = tmp_path / "results" / "symmtom"
    for seed, reward in enumerate([90.0, 93.0]):
        write_kept(folder, "ppo-attentive", "n3_w6_c3", seed, reward)
    write_kept(folder, "ppo-attentive", "n3_w6_c6", reward=50.0)
    write_kept(folder, "maddpg-greedy", "n3_w6_c3", reward=40.0)
    write_kept(folder / "toy", "maddpg-greedy", "n3_w6_c3", 1, 7.0, options={"batch": 64})
    write_kept(folder / "other", "ppo-attentive", "n3_w6_c3", 2, 9.0, private_first_hand=True)
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in tables.trained().splitlines()]
    assert ["**`ppo-attentive`**", "91.5 (2)", "50.0"] in rows
    assert rows.index(["`maddpg-greedy`", "40.0", ""]) == rows.index(["*MADDPG-GE, as published*", "37", "26"]) + 1
    assert not any("7.0" in row or "9.0" in row for row in rows)
