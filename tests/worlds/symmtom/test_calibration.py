"""Scores of probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from otherminds.worlds.symmtom.calibration import Bin, brier, reliability


def test_the_brier_score_is_the_mean_squared_distance_from_the_truth() -> None:
    assert brier([1.0, 0.0], [True, False]) == 0
    assert brier([1.0, 0.0], [False, True]) == 1
    assert brier(np.full(10, 0.5), np.arange(10) < 3) == 0.25
    assert brier([0.9, 0.2], [1, 0]) == pytest.approx(0.025)


def test_claims_are_counted_by_how_probable_they_were_held() -> None:
    table = reliability([0.0, 0.05, 0.72, 0.78, 1.0], [0, 1, 1, 0, 1], bins=10)
    assert table == [Bin(0.025, 0.5, 2), Bin(0.75, 0.5, 2), Bin(1.0, 1.0, 1)]


def test_truth_is_the_same_for_all_observers() -> None:
    assert sum(b.number for b in reliability(np.full((3, 4), 0.5), np.ones(4))) == 12
