"""Tables of trained agents and the paper's claims, from records made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.evals.claims import claim_rows, claims, lookup_in
from otherminds.worlds.symmtom.evals.runs import find_records
from otherminds.worlds.symmtom.evals.tables import METRICS, published, summary_rows, table_rows, trained_rows
from otherminds.worlds.symmtom.metrics import READINGS
from otherminds.worlds.symmtom.minds import PAPER_MODELS
from otherminds.worlds.symmtom.types import PAPER_SETTINGS
from tests.worlds.symmtom.evals.making import write_kept


def test_a_cell_gives_the_mean_over_seeds_beside_the_paper(tmp_path: Path) -> None:
    for seed, reward in enumerate([42.0, 44.0, 46.0]):
        write_kept(tmp_path, "maddpg-none", "n3_w6_c3", seed, reward)
    (cell,) = trained_rows(1, find_records([tmp_path]))
    assert (cell["mean"], cell["sd"], cell["seeds"]) == (44.0, 2.0, [0, 1, 2])
    assert (cell["paper_row"], cell["paper"], cell["paper_sd"]) == ("MADDPG", 40.0, 2.0)
    assert (cell["difference"], cell["difference_in_sds"]) == (4.0, 2.0)
    assert cell["low"] is not None
    assert cell["high"] is not None
    assert 42.0 <= cell["low"] < 44.0 < cell["high"] <= 46.0
    assert cell["training_episodes"] == 3000
    (greedy,) = trained_rows(1, find_records([tmp_path]), greedy=True)
    assert greedy["mean"] == 45.0


@pytest.mark.parametrize("number", [4, 5, 6, 7])
def test_every_table_takes_its_own_metric(tmp_path: Path, number: int) -> None:
    more: Any = {METRICS[number]: 3.25}
    write_kept(tmp_path, "maddpg-conservative", "n4_w12_c8", **more)
    (cell,) = trained_rows(number, find_records([tmp_path]))
    assert (cell["mean"], cell["sd"], cell["low"]) == (3.25, None, None)
    assert cell["paper"] == published(number, "MADDPG-CE", "n4_w12_c8")[0]
    assert cell["difference_in_sds"] is None


@pytest.mark.parametrize(("number", "reading"), [(n, name) for n, readings in READINGS.items() for name in readings])
def test_a_table_may_be_read_otherwise(tmp_path: Path, number: int, reading: str) -> None:
    more: Any = {METRICS[number]: 3.25, READINGS[number][reading]: 1.75}
    write_kept(tmp_path, "maddpg-conservative", "n4_w12_c8", **more)
    records = find_records([tmp_path])
    (cell,) = trained_rows(number, records, reading=reading)
    (summary,) = summary_rows(number, records, reading=reading)
    assert (cell["mean"], summary["mean"]["value"]) == (1.75, 1.75)
    assert cell["paper"] == published(number, "MADDPG-CE", "n4_w12_c8")[0]
    rows = [table_rows(number, ["heuristic"], ["n3_w6_c3"], 20, engine="numpy", reading=name) for name in ("", reading)]
    assert rows[0][0]["mean"] != rows[1][0]["mean"]


@pytest.mark.parametrize(("number", "known"), [(4, "expected entries"), (6, "leave out the reading")])
def test_a_reading_that_a_table_does_not_have_is_refused(number: int, known: str) -> None:
    with pytest.raises(UserError, match=f"table {number} has no reading 'chebyshev'.* ?{known}"):
        trained_rows(number, [], reading="chebyshev")


def test_a_published_sd_that_rounds_to_nothing_divides_nothing(tmp_path: Path) -> None:
    write_kept(tmp_path, "maddpg-none", "n4_w6_c12", reward=14.0)
    (cell,) = trained_rows(1, find_records([tmp_path]))
    assert (cell["paper_sd"], cell["difference"], cell["difference_in_sds"]) == (0.0, 1.0, None)


def test_models_of_ours_stand_by_themselves_after_the_papers(tmp_path: Path) -> None:
    write_kept(tmp_path, "ppo-attentive", "n3_w6_c3")
    write_kept(tmp_path, "maddpg-estimated", "n3_w6_c6")
    write_kept(tmp_path, "maddpg-estimated", "n3_w6_c3")
    cells = trained_rows(1, find_records([tmp_path]))
    order = [(cell["player"], cell["setting"]) for cell in cells]
    assert order == [
        ("maddpg-estimated", "n3_w6_c3"),
        ("maddpg-estimated", "n3_w6_c6"),
        ("ppo-attentive", "n3_w6_c3"),
    ]
    assert cells[2]["paper"] is None


def test_a_summary_counts_settings_evenly_and_goes_with_the_same_cells_of_the_paper(tmp_path: Path) -> None:
    for seed in range(3):
        write_kept(tmp_path, "maddpg-none", "n3_w6_c3", seed, reward=30.0)
    write_kept(tmp_path, "maddpg-none", "n3_w6_c6", reward=10.0)
    (summary,) = summary_rows(1, find_records([tmp_path]))
    assert summary["mean"]["value"] == 20.0
    assert summary["paper_mean"] == (40.0 + 18.0) / 2
    assert (summary["iqm"]["value"], summary["iqm"]["runs"], summary["iqm"]["cells"]) == (30.0, 4, 2)


def test_there_is_no_trained_table_of_other_numbers() -> None:
    with pytest.raises(UserError, match="no metric has table 2; expected table 1, 4"):
        trained_rows(2, [])


def test_another_world_or_recipe_is_a_row_of_its_own_and_in_no_claim(tmp_path: Path) -> None:
    for model, reward in (("maddpg-oracle", 60.0), ("maddpg-none", 20.0)):
        write_kept(tmp_path, model, "n3_w6_c3", reward=reward)
    write_kept(tmp_path / "a", "maddpg-none", "n3_w6_c3", 1, 90.0, competitive=3)
    write_kept(tmp_path / "b", "maddpg-none", "n3_w6_c3", 2, 90.0, options={"batch": 64})
    records = find_records([tmp_path])
    cells = [(cell["player"], cell["seeds"], cell["paper_row"]) for cell in trained_rows(1, records)]
    assert cells == [
        ("maddpg-none", [0], "MADDPG"),
        ("maddpg-none batch=64", [2], None),
        ("maddpg-none competitive=3", [1], None),
        ("maddpg-oracle", [0], "MADDPG-Oracle"),
    ]
    assert [summary["mean"]["value"] for summary in summary_rows(1, records)] == [20.0, 90.0, 90.0, 60.0]
    first = claim_rows(lookup_in(records, {}))[0]
    assert first["ours"] is not None
    assert (first["ours"]["value"], first["ours"]["runs"]) == (3.0, 2)


def test_the_claims_recomputed_from_the_paper_are_those_it_states() -> None:
    for row in claim_rows(lambda table, model, setting: []):
        assert row["ours"] is None
        if row["stated"] is not None:
            assert row["paper"] == pytest.approx(row["stated"], abs=0.025)


def test_the_papers_own_numbers_as_records_give_the_papers_claims(tmp_path: Path) -> None:
    for model, name in PAPER_MODELS.items():
        for setting in PAPER_SETTINGS:
            values: Any = {METRICS[n]: published(n, name, setting)[0] or 0.0 for n in METRICS}
            write_kept(tmp_path, model, setting, **values)
    heuristic = {setting: published(1, "Heuristic", setting)[0] or 0.0 for setting in PAPER_SETTINGS}
    for row in claim_rows(lookup_in(find_records([tmp_path]), heuristic)):
        assert row["ours"] is not None
        assert row["ours"]["value"] == pytest.approx(row["paper"]) == row["paper_shared"]
        assert row["ours"]["cells"] == row["paper_cells"]


def test_a_claim_counts_only_cells_that_both_have(tmp_path: Path) -> None:
    write_kept(tmp_path, "maddpg-oracle", "n3_w6_c3", reward=60.0)
    write_kept(tmp_path, "maddpg-none", "n3_w6_c3", reward=20.0)
    write_kept(tmp_path, "maddpg-none", "n3_w6_c6", reward=20.0)
    write_kept(tmp_path, "maddpg-conservative", "n3_w6_c3", reward=20.0)
    write_kept(tmp_path, "maddpg-recurrent", "n3_w6_c3", reward=20.0)
    rows = {row["text"]: row for row in claim_rows(lookup_in(find_records([tmp_path]), {}))}
    first = rows["MADDPG-Oracle to MADDPG"]
    assert first["ours"] is not None
    assert (first["ours"]["value"], first["ours"]["cells"], first["paper_cells"]) == (3.0, 1, 12)
    assert first["paper_shared"] == 42.0 / 40.0
    assert rows["best of CE, GE, EE to RMADDPG"]["ours"] is None, "GE and EE are missing"
    pieces = rows["c = 2n to c = n, learned"]["ours"]
    assert pieces is not None
    assert (pieces["value"], pieces["cells"]) == (1.0, 1)
    assert len(rows) == len(claims())
