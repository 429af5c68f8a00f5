"""Weights of possible worlds: shares and copies."""

from __future__ import annotations

import numpy as np
import pytest

from otherminds.worlds.symmtom.beliefs.bayes import MOST, copies, scaled, shares


def weights(*values: float) -> np.ndarray:
    return np.asarray(values, dtype=np.float32).reshape(1, -1, 1)


def words(number: int) -> np.ndarray:
    return np.asarray(number, dtype=np.uint32).reshape(1, 1)


def test_even_weights_stay_in_place() -> None:
    source, weight = copies(weights(1, 1, 1, 1), words(123))
    assert source[0, :, 0].tolist() == [0, 1, 2, 3]
    assert weight.tolist() == weights(1, 1, 1, 1).tolist()


def test_slightly_uneven_weights_stay_as_they_are() -> None:
    uneven = weights(1, 0.5, 1, 0.5)
    source, weight = copies(uneven, words(123))
    assert source[0, :, 0].tolist() == [0, 1, 2, 3]
    assert np.array_equal(weight, uneven)


def test_a_single_possible_world_takes_every_place() -> None:
    for word in (0, 77, 2**32 - 1):
        source, weight = copies(weights(0, 0, 1, 0), words(word))
        assert source[0, :, 0].tolist() == [2, 2, 2, 2]
        assert np.all(weight == 1)


@pytest.mark.parametrize("num", [64, MOST])
def test_copies_are_in_proportion_to_weight(num: int) -> None:
    """Systematic copies differ from the exact proportion by less than one."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        weight = (rng.random(num) ** 8).astype(np.float32)
        weight /= weight.max()
        source, _ = copies(weight.reshape(1, num, 1), words(int(rng.integers(2**32))))
        number = np.bincount(source[0, :, 0], minlength=num)
        assert np.abs(number - num * weight / weight.sum()).max() < 1.1


def test_every_mark_is_as_likely_as_any_other() -> None:
    """A world with a tenth of a place's weight gets a place in a tenth of the draws."""
    rng = np.random.default_rng(0)
    weight = np.broadcast_to(weights(1, 0.025, 0, 0), (1, 4, 4_000)).copy()
    source, _ = copies(weight, rng.integers(2**32, size=(1, 4_000), dtype=np.uint32))
    assert abs(float(np.mean((source == 1).sum(axis=1))) - 0.1 / 1.025) < 0.02


def test_weights_that_all_vanished_become_alike() -> None:
    assert np.all(scaled(weights(0, 0, 0, 0)) == 1)
    assert scaled(weights(0, 0.5, 0.25, 0))[0, :, 0].tolist() == [0, 1, 0.5, 0]


def test_what_all_hold_has_share_one_and_what_none_holds_has_none() -> None:
    weight = weights(1, 0.3, 0.01, 1e-30)
    claims = [np.full((1, 1, 4, 1), value) for value in (True, False)]
    claims.append(np.asarray([True, False, False, False]).reshape(1, 1, 4, 1))
    found = shares(weight, claims)[0, 0, :, 0]
    assert found[:2].tolist() == [1, 0]
    assert abs(found[2] - 1 / 1.31) < 1e-5
