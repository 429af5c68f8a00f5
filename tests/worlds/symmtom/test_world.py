"""SymmToM as one object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import otherminds
from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.envs import env
from otherminds.worlds.symmtom.types import Params
from otherminds.worlds.symmtom.world import SymmToM
from tests.reference.pairing import random_params


def assert_same(one: Any, other: Any) -> None:
    for a, b in zip(one, other, strict=True):
        assert np.array_equal(a, b)
        assert np.asarray(a).dtype == np.asarray(b).dtype


def test_a_world_is_made_by_its_name() -> None:
    world = otherminds.make("symmtom", setting="n4_w6_c8", swaps=False)
    assert isinstance(world, SymmToM)
    assert world.params == Params.from_setting("n4_w6_c8", swaps=False)


def test_a_world_says_who_acts_and_how() -> None:
    world = SymmToM("n4_w12_c8")
    assert world.seats == ("agent_0", "agent_1", "agent_2", "agent_3")
    assert world.observation_shape == (82,)
    assert world.num_turns == 60


def test_setting_and_params_together_are_refused() -> None:
    with pytest.raises(UserError, match="both a setting and params"):
        SymmToM("n3_w6_c3", params=Params())


def test_switches_change_given_params() -> None:
    assert SymmToM(params=Params(width=8), swaps=False).params == Params(width=8, swaps=False)


def test_a_world_plays_as_the_functions_do() -> None:
    world = SymmToM()
    one, other = np.random.default_rng(0), np.random.default_rng(0)
    observations, state = world.reset(one, (3,))
    expected, same = env.reset(other, world.params, (3,))
    assert np.array_equal(observations, expected)
    actions = world.draw_actions(np.random.default_rng(1), state)
    assert_same(world.step(one, state, actions)[1], env.step(other, same, actions, world.params)[1])


def test_random_actions_are_legal() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        world = SymmToM(params=random_params(rng))
        _, state = world.reset(rng, (10,))
        actions = world.draw_actions(rng, state)
        assert actions.move.dtype == actions.piece.dtype == np.int32
        assert actions.move.min() >= 0
        assert actions.move.max() < 5
        assert actions.piece.min() >= -1
        assert actions.piece.max() < world.params.num_pieces


def test_coins_that_follow_a_ranking_mean_the_same_after_agents_change_places() -> None:
    rng = np.random.default_rng(0)
    world = SymmToM(params=Params(num_agents=10, width=6))
    for _ in range(20):
        coins, order = world.draw_step(rng), rng.permutation(10).tolist()
        back = [order.index(i) for i in range(10)]
        assert np.array_equal(world.permute_step(world.permute_step(coins, order), back), coins)


def test_an_environment_of_the_world_has_its_rules() -> None:
    world = SymmToM("n2_w4_c2", swaps=False)
    assert world.parallel_env().params == world.params


def test_the_number_of_worlds_can_be_given_as_a_number_and_actions_as_a_pair() -> None:
    world = SymmToM("n3_w6_c3")
    rng = np.random.default_rng(0)
    observations, state = world.reset(rng, worlds=5)
    zeros = np.zeros((3, 5), dtype=np.int32)
    after, _, rewards, *_ = world.step(rng, state, (zeros, zeros))  # type: ignore[arg-type]
    assert observations.shape == after.shape == (3, 35, 5)
    assert rewards.shape == (3, 5)


def test_something_that_is_no_generator_is_refused() -> None:
    with pytest.raises(UserError, match="is not a generator"):
        SymmToM("n3_w6_c3").reset(0)
