"""Interquartile means, bootstrap intervals and ratios against direct loops and known cases."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.core.errors import UserError
from otherminds.results import statistics
from otherminds.results.statistics import iqm, kappa, mean, mean_of_cells, pooled, ratio_of_cells

scores = st.lists(st.floats(-100, 100), min_size=1, max_size=12)


def all_resamples(strata: Any, statistic: Any) -> list[float]:
    """The exact bootstrap distribution: every way to draw the runs of each stratum."""
    draws = [list(product(runs, repeat=len(runs))) for runs in strata]
    return [float(statistic(np.concatenate(choice))) for choice in product(*draws)]


@pytest.fixture
def fine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many resamples, and an interval that they hit closely."""
    monkeypatch.setattr(statistics, "REPEATS", 20_000)
    monkeypatch.setattr(statistics, "CONFIDENCE", 0.8)


@given(scores)
def test_the_interquartile_mean_is_that_of_a_loop(values: list[float]) -> None:
    kept = sorted(values)
    for _ in range(len(values) // 4):
        kept = kept[1:-1]
    assert float(iqm(np.asarray(values))) == pytest.approx(sum(kept) / len(kept))


def test_the_interquartile_mean_does_not_mind_outliers_and_takes_the_last_axis() -> None:
    assert float(iqm(np.asarray([-1e9, 2, 3, 1e9]))) == 2.5
    np.testing.assert_allclose(iqm(np.asarray([[1, 2, 3, 4, 5, 6, 7, 8], [8, 8, 8, 8, 8, 8, 8, 8]])), [4.5, 8])


@pytest.mark.parametrize("statistic", [iqm, mean])
@pytest.mark.usefixtures("fine")
def test_an_interval_is_that_of_all_resamples_within_strata(statistic: Any) -> None:
    strata = [[0.0, 1.0, 5.0], [20.0, 24.0]]
    exact = np.percentile(all_resamples(strata, statistic), [10, 90])
    found = pooled(strata, statistic)
    assert found.value == pytest.approx(float(statistic(np.concatenate([np.asarray(s) for s in strata]))))
    assert (found.low, found.high) == pytest.approx(tuple(exact), abs=0.5)
    assert (found.runs, found.cells) == (5, 2)


def test_runs_are_resampled_within_their_setting_only() -> None:
    """Settings that differ, with runs that do not, leave nothing to chance."""
    found = pooled([[1.0, 1.0, 1.0], [50.0, 50.0]], mean)
    assert found.low == found.high == pytest.approx(found.value)


def test_a_single_run_has_no_interval() -> None:
    found = pooled([[3.0], [4.0]])
    assert (found.value, found.low, found.high) == (3.5, None, None)


def test_a_seed_repeats_an_interval_and_another_changes_it() -> None:
    runs = [np.random.default_rng(0).normal(size=9)]
    assert pooled(runs, seed=1) == pooled(runs, seed=1)
    assert pooled(runs, seed=1).low != pooled(runs, seed=2).low


def test_a_setting_with_more_runs_does_not_count_for_more_in_a_mean_of_cells() -> None:
    assert mean_of_cells([[1.0, 1.0, 1.0, 1.0], [3.0]]).value == 2.0


@given(st.lists(st.tuples(scores, st.lists(st.floats(1, 100), min_size=1, max_size=9)), min_size=1, max_size=5))
def test_ratios_are_averaged_over_cells_as_by_a_loop(cells: list[tuple[list[float], list[float]]]) -> None:
    total = 0.0
    for above, below in cells:
        total += (sum(above) / len(above)) / (sum(below) / len(below))
    found = ratio_of_cells([[a] for a, _ in cells], [[b] for _, b in cells])
    assert found.value == pytest.approx(total / len(cells), abs=1e-9)
    assert found.cells == len(cells)


@pytest.mark.usefixtures("fine")
def test_the_interval_of_a_ratio_is_that_of_all_resamples() -> None:
    above, below = [2.0, 4.0], [1.0, 2.0, 4.0]
    tops, bottoms = all_resamples([above], np.mean), all_resamples([below], np.mean)
    exact = np.percentile([a / b for a in tops for b in bottoms], [10, 90])
    found = ratio_of_cells([[above]], [[below]])
    assert (found.low, found.high) == pytest.approx(tuple(exact), abs=0.1)


@pytest.mark.usefixtures("fine")
def test_the_best_of_several_models_is_chosen_in_every_resample() -> None:
    """Otherwise an interval would be that of one model, which is only the best by the same few runs."""
    models = [[1.0, 9.0], [4.0, 5.9]]
    means = product(*(all_resamples([runs], np.mean) for runs in models))
    exact = np.percentile([max(choice) for choice in means], [10, 90])
    found = ratio_of_cells([models], [[[1.0]]])
    assert (found.value, found.runs, found.cells) == (5.0, 5, 1)
    assert (found.low, found.high) == pytest.approx(tuple(exact), abs=0.1)
    assert found.low is not None
    assert found.low > 4.0, "the first model alone, the better one by its mean, would come down to 1"


def test_a_ratio_to_nothing_is_refused() -> None:
    with pytest.raises(UserError, match="mean of 0"):
        ratio_of_cells([[[1.0]]], [[[0.0]]])
    with pytest.raises(UserError, match="no scores"):
        pooled([])


@pytest.mark.usefixtures("fine")
def test_the_interval_of_curves_is_that_of_each_point() -> None:
    curves = np.asarray([[0.0, 10.0], [2.0, 10.0], [7.0, 10.0]])
    low, high = statistics.interval_of_curves(curves)
    exact = np.percentile(all_resamples([curves[:, 0]], np.mean), [10, 90])
    assert (low[0], high[0]) == pytest.approx(tuple(exact), abs=0.35)
    assert low[1] == high[1] == pytest.approx(10.0)


def test_kappa_of_a_published_table() -> None:
    """20 yes-yes, 5 yes-no, 10 no-yes and 15 no-no: agreement 0.7, of which 0.5 is chance."""
    first = [1] * 25 + [0] * 25
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert kappa(first, second) == pytest.approx(0.4)


def test_weighted_kappa_forgives_near_misses() -> None:
    first, near, far = [0, 5, 10, 5], [1, 6, 9, 5], [10, 5, 0, 5]
    assert kappa(first, near) == pytest.approx(1 - 0.75 / (14 / 16))
    assert kappa(first, near, is_weighted=True) == pytest.approx(1 - 0.75 / 20.75)  # 37.5 + 35.75 - 2 * 5 * 5.25
    assert kappa(first, far, is_weighted=True) == pytest.approx(-1)


@given(st.lists(st.integers(0, 10), min_size=2, max_size=9))
def test_kappa_of_equal_ratings_is_one_unless_there_is_one_category(ratings: list[int]) -> None:
    expected = 1.0 if len(set(ratings)) > 1 else None
    assert kappa(ratings, ratings) == kappa(ratings, ratings, is_weighted=True) == expected
    assert kappa([], []) is None


def test_kappa_needs_the_same_items() -> None:
    with pytest.raises(UserError, match="2 and 1 ratings"):
        kappa([1, 2], [1])
