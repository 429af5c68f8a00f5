"""Interquartile means, bootstrap intervals over runs within each setting, and agreement of raters.

Scores come in *strata*: one array of runs a setting (any number of runs each). Intervals resample runs within their
stratum, never settings, since those were chosen and not drawn (Agarwal et al. 2021). Every function takes a seed, and
the same seed gives the same interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.seeds import generator

Floats = np.ndarray[Any, np.dtype[np.float64]]
Statistic = Callable[[Floats], Floats]  # over the last axis
REPEATS = 2000  # resamples
CONFIDENCE = 0.95  # of intervals, by percentiles
NORMAL = 1.96  # of a 95 % interval


@dataclass(frozen=True)
class Estimate:
    """An estimate with its interval; no interval where there is nothing to resample."""

    value: float
    low: float | None
    high: float | None
    runs: int  # that it rests on
    cells: int  # strata, usually settings

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def mean(values: Floats) -> Floats:
    """The mean over the last axis."""
    return np.asarray(np.mean(values, axis=-1))


def iqm(values: Floats) -> Floats:
    """The interquartile mean over the last axis: without the lowest and the highest quarter, rounded down.

    Steadier than the mean under collapsed runs, and with less noise than the median.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64), axis=-1)
    cut = int(0.25 * ordered.shape[-1])
    return np.asarray(ordered[..., cut : ordered.shape[-1] - cut].mean(axis=-1))


def spread(values: Any) -> float | None:
    """The standard deviation of a sample; ``None`` for a single value."""
    sample = np.asarray(values, dtype=np.float64)
    return float(sample.std(ddof=1)) if sample.size > 1 else None


def standard_error(values: Any) -> float:
    """The standard error of the mean of a sample; 0 for a single value."""
    return (spread(values) or 0.0) / sqrt(np.size(values))


def pooled(strata: Sequence[Any], statistic: Statistic = iqm, seed: int = 0) -> Estimate:
    """A statistic of all runs of all strata together, with its stratified bootstrap interval.

    Args:
        strata: runs by setting.
        statistic: of the last axis, such as :func:`iqm` or :func:`mean`.
        seed: of the resampling.
    """
    checked = _checked(strata)
    rng = generator(seed, "bootstrap")
    drawn = np.concatenate([_resampled(rng, runs) for runs in checked], axis=-1)
    value = float(statistic(np.concatenate(checked)))
    return _estimate(value, statistic(drawn), checked)


def mean_of_cells(strata: Sequence[Any], seed: int = 0) -> Estimate:
    """The mean over strata of their means, so that a setting with more runs does not count for more."""
    checked = _checked(strata)
    rng = generator(seed, "bootstrap")
    drawn = np.stack([_resampled(rng, runs).mean(axis=-1) for runs in checked])
    value = float(np.mean([runs.mean() for runs in checked]))
    return _estimate(value, drawn.mean(axis=0), checked)


def ratio_of_cells(above: Sequence[Sequence[Any]], below: Sequence[Sequence[Any]], seed: int = 0) -> Estimate:
    """The mean over cells of the ratio of their best means: the paper's "better on average" (its section A.5).

    Which model is the best of a side is chosen anew in every resample: the choice rests on the same runs.

    Args:
        above: for each cell, the runs of each model; a published mean is a model of one run.
        below: what they are compared with, in the same order; the numbers of models and runs may differ.
    """
    tops, bottoms = [_checked(models) for models in above], [_checked(models) for models in below]
    pairs = list(zip(tops, bottoms, strict=True))
    if not pairs:
        raise UserError("there are no scores to summarise; expected at least one cell")
    if any(_best(models) == 0 for models in bottoms):
        raise UserError("a ratio to a mean of 0 has no value; leave that cell out")
    rng = generator(seed, "bootstrap")

    def resampled(models: Sequence[Floats]) -> Floats:
        return _best([_resampled(rng, runs) for runs in models])

    drawn = [resampled(a) / _or_nan(resampled(b)) for a, b in pairs]
    value = float(np.mean([_best(a) / _best(b) for a, b in pairs]))
    runs = [runs for pair in pairs for models in pair for runs in models]
    return replace(_estimate(value, np.stack(drawn).mean(axis=0), runs), cells=len(pairs))


def ratio(above: Any, below: Any, repeats: int = REPEATS, seed: int = 0) -> Estimate:
    """A ratio of sums over clusters, such as games or tasks, with the bootstrap interval over clusters.

    What belongs to one cluster hangs together, so that whole clusters are resampled.
    """
    above, below = np.asarray(above, float), np.asarray(below, float)
    if not below.sum():
        raise UserError("there are no cases to compute a rate from; expected at least one")
    value = float(above.sum() / below.sum())
    if above.size < 2:
        return Estimate(value, None, None, int(above.size), 1)
    drawn = generator(seed, "bootstrap").integers(0, above.size, (repeats, above.size))
    totals = _or_nan(below[drawn].sum(axis=1))  # a resample without a case has no rate
    low, high = np.nanpercentile(above[drawn].sum(axis=1) / totals, [2.5, 97.5])
    return Estimate(value, float(low), float(high), int(above.size), 1)


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return Wilson's interval of a share of ``count`` cases, which is sound at 0 and 1 too."""
    scale = 1 + NORMAL**2 / count
    centre = (share + NORMAL**2 / (2 * count)) / scale
    reach = NORMAL * sqrt(share * (1 - share) / count + NORMAL**2 / (4 * count**2)) / scale
    return max(0.0, centre - reach), min(1.0, centre + reach)


def kappa(first: Sequence[int], second: Sequence[int], *, is_weighted: bool = False) -> float | None:
    """Cohen's kappa: the agreement of two raters beyond chance. 1 is full agreement, 0 is that of chance.

    Args:
        first: Category that one rater gives to each item.
        second: Category that the other gives to the same items.
        is_weighted: Whether a disagreement counts by the square of its size, as is usual for scores.

    Returns:
        The coefficient; ``None`` where chance alone gives full agreement, as when both give a single category.

    Raises:
        UserError: if the raters did not rate the same number of items.
    """
    if len(first) != len(second):
        raise UserError(f"the raters gave {len(first)} and {len(second)} ratings; expected one each for every item")
    ours, theirs = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)

    def apart(left: Floats, right: Floats) -> Floats:
        return (left - right) ** 2 if is_weighted else np.asarray(left != right, dtype=np.float64)

    # By chance, every rating of one rater meets every rating of the other.
    by_chance = float(apart(ours[:, None], theirs[None, :]).mean()) if ours.size else 0.0
    return 1.0 - float(apart(ours, theirs).mean()) / by_chance if by_chance else None


def interval_of_curves(curves: Any) -> tuple[Floats, Floats]:
    """The bootstrap interval of the mean of curves at every point, from ``[run, point]``; whole runs are resampled."""
    runs = np.atleast_2d(np.asarray(curves, dtype=np.float64))
    rng = generator(0, "bootstrap")
    # How often each run is drawn says all that a mean needs: [repeat, run] @ [run, point].
    times = rng.multinomial(len(runs), np.full(len(runs), 1.0 / len(runs)), REPEATS)
    low, high = np.percentile(times @ runs / len(runs), _tails(), axis=0)
    return low, high


def _best(models: Sequence[Floats]) -> Floats:
    """The highest mean over the last axis, whichever model has it."""
    return np.asarray(np.max([runs.mean(axis=-1) for runs in models], axis=0))


def _or_nan(values: Floats) -> Floats:
    return np.where(values == 0, np.nan, values)


def _checked(strata: Sequence[Any]) -> list[Floats]:
    checked = [np.atleast_1d(np.asarray(runs, dtype=np.float64)) for runs in strata]
    if not checked or any(runs.size == 0 for runs in checked):
        raise UserError("there are no scores to summarise; expected at least one run in every cell")
    return checked


def _resampled(rng: np.random.Generator, runs: Floats) -> Floats:
    """Runs drawn with replacement, ``[repeat, run]``."""
    return np.asarray(runs[rng.integers(0, runs.size, (REPEATS, runs.size))])


def _tails() -> tuple[float, float]:
    tail = 50.0 * (1.0 - CONFIDENCE)
    return tail, 100.0 - tail


def _estimate(value: float, drawn: Floats, strata: Sequence[Floats]) -> Estimate:
    low = high = None
    if any(runs.size > 1 for runs in strata):
        low, high = map(float, np.nanpercentile(drawn, _tails()))
    return Estimate(value, low, high, sum(runs.size for runs in strata), len(strata))
