"""Figures of games, computed by hand on a few made records."""

from __future__ import annotations

import numpy as np
import pytest

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.evals.results import (
    PUBLISHED,
    Spread,
    bold,
    estimate,
    mean_turns,
    num_turns,
    over_seeds,
    rates,
    summary,
    validity,
)
from tests.worlds.decrypto.evals.making import game, turn


def four_games() -> list[Episode]:
    return [
        game(0, [turn(1, caught=True), turn(2), turn(3, caught=True)], "intercept"),
        game(1, [turn(1, decoded=False), turn(2, decoded=False, caught=True)], "miscomm"),
        game(2, [turn(1, decoded=False, caught=True), turn(2, decoded=False, caught=True)], "both"),
        game(3, [turn(1), turn(2), turn(3)], "survived"),
    ]


def test_published_shares_count_games_that_ended_in_both_ways_twice() -> None:
    found = {name: estimate(of, four_games()).value for name, of in PUBLISHED.items()}
    assert found == {"turns": 2.5, "intercepts": 0.5, "miscommunications": 0.5, "wins": 0.25}


def test_rates_per_turn_are_over_turns_and_not_over_games() -> None:
    found = rates(four_games())
    assert found["decoded"].value == pytest.approx(6 / 10)
    assert found["intercepted"].value == pytest.approx(5 / 10)
    low, high = found["decoded"].low, found["decoded"].high
    assert low is not None
    assert high is not None
    assert low < 0.6 < high


def test_the_mean_turn_is_over_events_and_0_without_any() -> None:
    assert mean_turns(four_games())["interceptions"] == pytest.approx((1 + 3 + 2 + 1 + 2) / 5)
    assert mean_turns(four_games())["miscommunications"] == pytest.approx((1 + 2 + 1 + 2) / 4)
    assert mean_turns([game(0, [turn(1)])])["interceptions"] == 0


def test_cells_are_means_over_seeds_with_their_standard_error() -> None:
    lengths = {0: (1, 3), 1: (2, 4), 2: (5, 5)}
    episodes = [
        game(10 * seed + i, [turn(t + 1) for t in range(length)], env_seed=seed)
        for seed, pair in lengths.items()
        for i, length in enumerate(pair)
    ]
    found = over_seeds(num_turns, episodes)
    assert found.mean == pytest.approx(10 / 3)
    assert found.sem == pytest.approx(np.std([2, 3, 5], ddof=1) / np.sqrt(3))
    assert found.seeds == 3


def test_records_without_a_seed_of_the_environment_are_of_one() -> None:
    episodes = [game(seed, [turn(1)] * (1 + seed)) for seed in range(4)]
    assert over_seeds(num_turns, episodes) == Spread(2.5, None, 1)


def test_bold_are_the_cells_whose_interval_overlaps_that_of_the_best() -> None:
    cells = {"a": Spread(4.0, 0.25, 3), "b": Spread(4.3, 0.2, 3), "c": Spread(3.7, 0.1, 3), "d": Spread(4.05, 0.04, 3)}
    assert bold(cells) == {"a", "b"}
    assert bold(cells, lower=True) == {"a", "c"}


def test_validity_is_apart_from_skill() -> None:
    lost = {**turn(1), "failures": ["bob"], "attempts": {"alice": 2, "bob": 10, "eve": 1}, "problems": ["one"]}
    found = validity([game(0, [lost, turn(2)])])
    assert found["bob"] == {"valid": 0.5, "attempts": 5.5}
    assert found["alice"]["hints_within_rules"] == pytest.approx(5 / 6)


def test_hints_that_were_never_given_are_not_judged_by_the_rules() -> None:
    silent = {**turn(1), "failures": ["alice"]}
    assert "hints_within_rules" not in validity([game(0, [silent])])["alice"]
    broken = {**turn(2), "problems": ["one"]}
    assert validity([game(0, [silent, broken])])["alice"]["hints_within_rules"] == pytest.approx(2 / 3)


def test_games_that_have_not_ended_are_refused() -> None:
    with pytest.raises(UserError, match="decrypto-7 has not ended"):
        summary([game(7, [turn(1)], None)])
    with pytest.raises(UserError, match="no games"):
        summary([])
