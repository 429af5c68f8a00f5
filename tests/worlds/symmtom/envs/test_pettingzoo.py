"""SymmToM as a PettingZoo environment, on both engines."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.envs.pettingzoo import SymmToMParallel, parallel_env
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import Params

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "the paper's": {},
    "with masks": {"setting": "n4_w12_c12", "mask_actions": True},
    "competitive": {"setting": "n2_w4_c1", "competitive": 2, "vision": 1, "oracle": True},
    "everything shown": {
        "show_last_reward": True,
        "show_turn": True,
        "show_speakable": True,
        "decay": 3,
        "move_cost": 0.5,
    },
}
START: dict[str, Any] = {
    "cells": [(0, 0), (1, 0), (5, 4)],
    "bases": [(0, 1), (5, 5), (5, 0)],
    "first_hand": [[0], [1], [2]],
}


def make(engine: str = "numpy", **options: Any) -> SymmToMParallel:
    return SymmToMParallel(engine=engine, **options)


def random_actions(env: SymmToMParallel, rng: np.random.Generator) -> dict[str, Any]:
    return {agent: rng.integers(0, [5, env.params.num_pieces]) for agent in env.agents}


def play(env: SymmToMParallel, seed: int, episodes: int = 2) -> list[Any]:
    """Everything the environment says in some episodes."""
    rng = np.random.default_rng(1)
    found: list[Any] = [env.reset(seed=seed)]
    for episode in range(episodes):
        if episode:
            found.append(env.reset())
        while env.agents:
            found.append(env.step(random_actions(env, rng)))
            found.append(env.state())
    return found


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(np.array_equal(one, other))


@pytest.mark.parametrize("engine", ["numpy", "jax"])
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_pettingzoos_own_test_of_the_interface_passes(engine: str, name: str) -> None:
    parallel_api_test(make(engine, **CONFIGURATIONS[name]), num_cycles=150)


@pytest.mark.parametrize("engine", ["numpy", "jax"])
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_pettingzoos_own_test_of_seeds_passes(engine: str, name: str) -> None:
    parallel_seed_test(lambda: make(engine, **CONFIGURATIONS[name]), num_cycles=40)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_seed_gives_the_same_episodes_on_both_engines(name: str) -> None:
    options = CONFIGURATIONS[name]
    one, other = (play(make(engine, **options), seed=3) for engine in ("numpy", "jax"))
    assert same(one, other)


def test_a_seed_repeats_episodes_and_another_changes_them() -> None:
    assert same(play(make(), seed=3), play(make(), seed=3))
    assert not same(play(make(), seed=3), play(make(), seed=4))


def test_without_a_seed_the_next_episode_is_another_one() -> None:
    env = make()
    first, _ = env.reset(seed=0)
    second, _ = env.reset()
    assert not same(first, second)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_observations_lie_in_their_spaces(name: str) -> None:
    env = make(**CONFIGURATIONS[name])
    rng = np.random.default_rng(0)
    observations, infos = env.reset(seed=0)
    while True:
        for agent, seen in observations.items():
            assert env.observation_space(agent).contains(seen)
        assert env.state_space.contains(env.state())
        if not env.agents:
            break
        observations, _, _, _, infos = env.step(random_actions(env, rng))
        assert infos.keys() == observations.keys()


def test_spaces_are_the_same_objects_at_every_call() -> None:
    env = make()
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)


def test_agents_leave_after_the_last_turn_with_their_last_observation() -> None:
    env = make(num_turns=2)
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    *_, truncated, _ = env.step(random_actions(env, rng))
    assert truncated == dict.fromkeys(env.possible_agents, False)
    observations, rewards, terminated, truncated, _ = env.step(random_actions(env, rng))
    assert truncated == dict.fromkeys(env.possible_agents, True)
    assert terminated == dict.fromkeys(env.possible_agents, False)
    assert observations.keys() == rewards.keys() == set(env.possible_agents)
    assert env.agents == []


def test_a_competitive_trial_terminates() -> None:
    env = make(setting="n2_w4_c1", competitive=2)
    env.reset(options={"start": {"cells": [(0, 0), (3, 3)], "bases": [(0, 0), (3, 0)], "first_hand": [[0], []]}})
    env.step(dict.fromkeys(env.agents, (0, -1)))
    _, rewards, terminated, truncated, _ = env.step(dict.fromkeys(env.agents, (0, -1)))
    assert rewards == {"agent_0": 2, "agent_1": -1}
    assert all(terminated.values())
    assert not any(truncated.values())
    assert env.agents == []


def test_an_episode_can_begin_from_a_board_set_by_hand() -> None:
    env = make()
    env.reset(options={"start": START})
    _, rewards, _, _, infos = env.step({"agent_0": (0, 0), "agent_1": (0, 1), "agent_2": (0, -1)})
    assert rewards == {"agent_0": 2, "agent_1": 2, "agent_2": 0}
    assert infos["agent_0"]["listening"] == infos["agent_0"]["speaking"] == 1


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_infos_carry_masks_and_the_parts_of_the_reward(engine: str) -> None:
    env = make(engine, show_last_reward=True, show_turn=True, show_speakable=True, decay=3, move_cost=0.5)
    _, infos = env.reset(options={"start": START})
    moves, pieces = infos["agent_0"]["action_mask"]
    assert (moves.tolist(), pieces.tolist()) == ([1, 1, 0, 1, 0], [1, 0, 0])
    _, rewards, _, _, infos = env.step({"agent_0": (0, 0), "agent_1": (3, 1), "agent_2": (0, 2)})
    info = infos["agent_1"]
    assert [info[part] for part in ("listening", "speaking", "base", "movement", "bonus")] == [1, 1, 0, 0.5, 0]
    assert rewards["agent_1"] == 1.5
    assert info["action_mask"][0].tolist() == [1, 1, 1, 1, 1]


def test_masks_can_be_part_of_the_observation() -> None:
    env = make(mask_actions=True)
    observations, infos = env.reset(options={"start": START})
    seen = observations["agent_0"]
    assert set(seen) == {"observation", "action_mask"}
    assert same(seen["action_mask"], infos["agent_0"]["action_mask"])
    assert env.action_space("agent_0").sample(mask=seen["action_mask"]) in env.action_space("agent_0")


def test_the_state_is_what_all_agents_observe() -> None:
    env = make()
    observations, _ = env.reset(seed=0)
    assert np.array_equal(env.state(), np.concatenate(list(observations.values())))
    observations, *_ = env.step(dict.fromkeys(env.agents, (1, 0)))
    assert np.array_equal(env.state(), np.concatenate(list(observations.values())))


def test_silence_is_an_action() -> None:
    env = make()
    env.reset(options={"start": START})
    _, rewards, *_ = env.step(dict.fromkeys(env.agents, (0, -1)))
    assert not any(rewards.values())


@pytest.mark.parametrize("kind", [tuple, list, np.asarray, lambda pair: np.asarray(pair, np.int8)])
def test_actions_may_be_any_pair_of_integers(kind: Any) -> None:
    env = make()
    env.reset(options={"start": START})
    _, rewards, *_ = env.step({agent: kind((0, i)) for i, agent in enumerate(env.agents)})
    assert rewards == {"agent_0": 2, "agent_1": 2, "agent_2": 0}


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ((5, 0), r"the action of agent_1 is \(5, 0\); expected move 0 to 4 and piece 0 to 2, or -1 for silence"),
        ((-1, 0), r"the action of agent_1 is \(-1, 0\)"),
        ((0, 3), r"the action of agent_1 is \(0, 3\)"),
        ((0, -2), r"the action of agent_1 is \(0, -2\)"),
        (3, "the action of agent_1 is 3; expected a pair"),
        ((1, 2, 3), r"the action of agent_1 is \(1, 2, 3\); expected a pair"),
        ((None, 0), "expected a pair"),
        ("up", "expected a pair"),
        ("12", "expected a pair"),
        ((0.5, 1), "expected a pair"),
    ],
)
def test_a_bad_action_is_refused_with_the_reason_and_nothing_happens(action: Any, reason: str) -> None:
    env = make()
    env.reset(seed=0)
    before = env.state()
    with pytest.raises(UserError, match=reason):
        env.step({"agent_0": (0, 0), "agent_1": action, "agent_2": (0, 0)})
    assert np.array_equal(env.state(), before)


def test_an_agent_without_action_is_named() -> None:
    env = make()
    env.reset(seed=0)
    with pytest.raises(UserError, match="no action for agent_1, agent_2; expected one for every agent"):
        env.step({"agent_0": (0, 0)})


def test_a_step_without_an_episode_is_refused() -> None:
    env = make(num_turns=1)
    for _ in range(2):
        with pytest.raises(UserError, match=r"no episode is running; call reset\(\)"):
            env.step({})
        env.reset(seed=0)
        env.step(dict.fromkeys(env.agents, (0, 0)))


def test_a_start_that_does_not_fit_is_refused() -> None:
    with pytest.raises(UserError, match=r"cells of the start are .*; expected different free cells"):
        make().reset(options={"start": START | {"cells": [(0, 0), (0, 0), (1, 1)]}})


# Pictures


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_text_and_picture_follow_the_episode(engine: str) -> None:
    text, picture = (make(engine, render_mode=mode) for mode in ("ansi", "rgb_array"))
    frames = []
    for env in (text, picture):
        assert env.render() is None
        env.reset(options={"start": START})
        first = env.render()
        env.step(dict.fromkeys(env.agents, (3, 0)))
        frames.append((first, env.render()))
    assert all(isinstance(frame, str) for frame in frames[0])
    assert frames[0][0] != frames[0][1]
    for frame in frames[1]:
        assert frame.dtype == np.uint8
        assert frame.ndim == 3
        assert frame.shape[2] == 3
    assert not np.array_equal(*frames[1])


def test_without_a_render_mode_nothing_is_drawn() -> None:
    env = make()
    env.reset(seed=0)
    assert env.render() is None


def test_the_last_turn_can_still_be_drawn() -> None:
    env = make(num_turns=1, render_mode="ansi")
    env.reset(seed=0)
    env.step(dict.fromkeys(env.agents, (0, 0)))
    assert isinstance(env.render(), str)


# Making one


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"render_mode": "rgb"}, "unknown render mode 'rgb'; did you mean 'rgb_array'"),
        ({"engine": "jaxx"}, "unknown engine 'jaxx'; did you mean 'jax'"),
        ({"setting": "n3_w3_c3"}, "expected at most"),
        ({"swap": False}, "no option 'swap'; did you mean 'swaps'"),
    ],
)
def test_a_bad_option_is_refused_with_the_reason(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        SymmToMParallel(**options)


def test_the_customary_constructor_makes_the_same() -> None:
    env = parallel_env("n4_w6_c4", swaps=False)
    assert env.params == Params.from_setting("n4_w6_c4", swaps=False)
    assert env.possible_agents == ["agent_0", "agent_1", "agent_2", "agent_3"]
    assert env.metadata["name"] == "symmtom_v0"


def test_params_can_be_given_at_once_and_changed_by_name() -> None:
    assert SymmToMParallel(params=Params(width=8), swaps=False).params == Params(width=8, swaps=False)


def test_worlds_side_by_side_do_not_touch_each_other() -> None:
    one, other = make("jax"), make("jax")
    one.reset(options={"start": START})
    before = one.state()
    other.reset(seed=1)
    other.step(dict.fromkeys(other.agents, (1, 0)))
    assert np.array_equal(one.state(), before)
    assert np.array_equal(one.state(), np.concatenate(list(observe(one._engine.state(), one.params))))


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_an_environment_can_be_copied_to_another_process(engine: str) -> None:
    env = make(engine)
    env.reset(seed=3)
    again = pickle.loads(pickle.dumps(env))
    actions = dict.fromkeys(env.agents, (1, 0))
    ours, theirs = env.step(actions), again.step(actions)
    assert ours[1:4] == theirs[1:4]
    assert all(np.array_equal(ours[0][agent], theirs[0][agent]) for agent in ours[0])
