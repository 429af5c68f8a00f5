"""Figures of training curves from records."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from otherminds.core.errors import MissingExtra, UserError
from otherminds.worlds.symmtom.evals.figures import COLOURS, draw_figure, training_curves
from otherminds.worlds.symmtom.evals.runs import find_records
from otherminds.worlds.symmtom.minds import PAPER_MODELS
from tests.worlds.symmtom.evals.making import write_kept


def test_a_curve_is_the_mean_of_its_runs_with_an_interval(tmp_path: Path) -> None:
    write_kept(tmp_path, "maddpg-none", "n3_w6_c3", 0, curve=[1.0, 2.0, 3.0])
    write_kept(tmp_path, "maddpg-none", "n3_w6_c3", 1, curve=[3.0, 2.0])
    (curve,) = training_curves(find_records([tmp_path]), ["n3_w6_c3"])
    np.testing.assert_allclose(curve.mean, [2.0, 2.0])
    np.testing.assert_allclose(curve.episodes, [1000, 2000])
    np.testing.assert_allclose(curve.low, [1.0, 2.0])
    np.testing.assert_allclose(curve.high, [3.0, 2.0])
    assert curve.runs == 2
    assert training_curves(find_records([tmp_path]), ["n4_w6_c4"]) == []
    write_kept(tmp_path / "other", "maddpg-none", "n3_w6_c3", 2, curve=[9.0, 9.0], competitive=3)
    assert [curve.runs for curve in training_curves(find_records([tmp_path]), ["n3_w6_c3"])] == [2]


@pytest.mark.parametrize(("number", "setting"), [(5, "n3_w6_c6"), (6, "n4_w12_c12")])
def test_a_figure_holds_the_curves_of_its_board_only(tmp_path: Path, number: int, setting: str) -> None:
    for model in PAPER_MODELS:
        write_kept(tmp_path, model, setting)
    write_kept(tmp_path, "ppo-attentive", setting, reward=50.0)
    write_kept(tmp_path, "maddpg-none", "n3_w6_c3" if number == 6 else "n3_w12_c3")
    path = tmp_path / "out" / "figure.png"
    curves = draw_figure(number, find_records([tmp_path]), path)
    assert [(curve.model, curve.setting) for curve in curves] == [(model, setting) for model in PAPER_MODELS]
    assert path.read_bytes().startswith(b"\x89PNG")
    draw_figure(number, find_records([tmp_path]), path.with_suffix(".svg"))
    assert "<svg" in path.with_suffix(".svg").read_text("utf-8")


def test_every_model_has_a_colour_of_its_own() -> None:
    assert set(COLOURS) == set(PAPER_MODELS)
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_what_cannot_be_drawn_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_kept(tmp_path, "maddpg-none", "n3_w6_c3")
    records = find_records([tmp_path])
    with pytest.raises(UserError, match="expected 5 or 6"):
        draw_figure(4, records, tmp_path / "a.png")
    with pytest.raises(UserError, match="no finished run belongs in figure 6"):
        draw_figure(6, records, tmp_path / "a.png")
    with pytest.raises(UserError, match="ending in"):
        draw_figure(5, records, tmp_path / "a.txt")
    with pytest.raises(UserError, match="choose another path"):
        draw_figure(5, records, Path("/proc/none/a.png"))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"install otherminds\[figures\]"):
        draw_figure(5, records, tmp_path / "a.png")
