"""How good probabilities are: the Brier score, and a table of what came true of what was held how probable."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Bin(NamedTuple):
    """Claims held about equally probable."""

    claimed: float  # their mean probability
    observed: float  # the share that was true
    number: int


def brier(probability: Any, truth: Any) -> float:
    """The mean squared distance of probabilities from the truth (1 or 0): 0 is perfect, 1/4 is a coin's."""
    return float(np.mean(np.square(np.asarray(probability, dtype=np.float64) - np.asarray(truth))))


def reliability(probability: Any, truth: Any, bins: int = 10) -> list[Bin]:
    """Claims sorted by probability into bins of equal width, empty ones left out."""
    claims = np.asarray(probability, dtype=np.float64)
    facts = np.broadcast_to(np.asarray(truth, dtype=np.float64), claims.shape).reshape(-1)
    claims = claims.reshape(-1)
    place = np.minimum((claims * bins).astype(int), bins - 1)
    sums = [np.bincount(place, values, minlength=bins) for values in (claims, facts, np.ones_like(claims))]
    return [Bin(float(c / k), float(f / k), int(k)) for c, f, k in zip(*sums, strict=True) if k]
