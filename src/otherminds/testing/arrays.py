"""What any world arrays: determinism, spaces, round trips, engines that agree, PettingZoo's contract."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from otherminds.testing.check import Skip

RESULTS = ("observations", "state", "rewards", "terminated", "truncated", "info")
Played = tuple[Any, Any, Any, Any]  # observations, state, rewards, whether it is over


def play(world: Any, seed: int) -> Iterator[tuple[Any, Any, Played]]:
    """One episode of random play: the state, the actions, and what came of them."""
    rng = np.random.default_rng(seed)
    _, state = world.reset_with(world.draw_reset(rng))
    for _ in range(world.num_turns + 1):
        actions = world.draw_actions(rng, state)
        observations, after, rewards, terminated, truncated, _ = world.step_with(world.draw_step(rng), state, actions)
        is_over = bool(np.any(terminated) or np.any(truncated))
        yield state, actions, (observations, after, rewards, is_over)
        if is_over:
            return
        state = after
    raise AssertionError(f"the episode does not end after the promised {world.num_turns} turns")


def leaves(tree: Any) -> list[Any]:
    """The arrays of a nested structure, in order."""
    if isinstance(tree, dict):
        return [leaf for key in sorted(tree) for leaf in leaves(tree[key])]
    if isinstance(tree, tuple | list):
        return [leaf for part in tree for leaf in leaves(part)]
    return [np.asarray(tree)]


def same(a: Any, b: Any) -> bool:
    """Whether two structures hold the same values of the same types."""
    ours, theirs = leaves(a), leaves(b)
    return len(ours) == len(theirs) and all(
        x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()
        for x, y in zip(ours, theirs, strict=True)
    )


def determinism(world: Any, seed: int, episodes: int) -> str:
    """Every turn of every episode, twice; then with other seeds."""
    runs = []
    for s in range(seed, seed + episodes):
        first, second = list(play(world, s)), list(play(world, s))
        for turn, (a, b) in enumerate(zip(first, second, strict=True), start=1):
            assert same(a[2], b[2]), f"with seed {s}, turn {turn} differs the second time"
        runs.append(first)
    assert len({b"".join(x.tobytes() for x in leaves(run[-1][2][1])) for run in runs}) > 1 or episodes == 1, (
        f"seeds {seed} to {seed + episodes - 1} all end in the same state: the seed is ignored"
    )
    return f"{sum(map(len, runs))} turns twice"


def spaces(world: Any, seed: int, episodes: int) -> str:
    """Shapes and types, and the space where there is one."""
    space = None
    if hasattr(world, "parallel_env"):
        try:
            env = world.parallel_env()
        except ImportError:
            env = None
        if env is not None and hasattr(env.observation_space(env.possible_agents[0]), "shape"):
            space = env.observation_space(env.possible_agents[0])
    turns = 0
    for s in range(seed, seed + episodes):
        for _, _, (observations, _, rewards, _) in play(world, s):
            turns += 1
            assert len(rewards) == len(world.agents), f"{len(rewards)} rewards for {len(world.agents)} agents"
            assert np.all(np.isfinite(rewards)), f"rewards {rewards} are not all finite"
            for agent, observation in zip(world.agents, observations, strict=True):
                assert observation.shape == tuple(world.observation_shape), (
                    f"{agent} observes shape {observation.shape}, promised {tuple(world.observation_shape)}"
                )
                if space is not None and space.shape == observation.shape:
                    assert space.contains(observation), f"{agent} observes {observation}, outside {space}"
    return f"{turns} turns"


def round_trip(world: Any, seed: int, episodes: int) -> str:
    """A state as JSON and back is the same state, and goes on the same way."""
    if not hasattr(world, "state_to_dict"):
        raise Skip("the world has no state_to_dict and state_from_dict")
    turns = 0
    for s in range(seed, seed + episodes):
        for state, _, _ in play(world, s):
            again = world.state_from_dict(json.loads(json.dumps(world.state_to_dict(state))))
            assert same(state, again), f"with seed {s}, turn {turns}: the state read is not the state written"
            turns += 1
    return f"{turns} states"


def engines_agree(world: Any, seed: int, episodes: int) -> str:
    """The same chance and actions on NumPy and on JAX: observations, states, rewards and masks bit by bit."""
    try:
        import jax
        import jax.numpy as jnp
    except ModuleNotFoundError as error:
        raise Skip("JAX is not installed") from error
    compiled: Callable[..., Any] = jax.jit(world.step_with)
    turns = 0
    for s in range(seed, seed + episodes):
        rng = np.random.default_rng(s)
        _, ours = world.reset_with(world.draw_reset(rng))
        try:
            theirs = jax.tree.map(jnp.asarray, ours)
        except TypeError as error:
            raise Skip("the state is not made of arrays") from error
        is_over = False
        while not is_over:
            chance, actions = world.draw_step(rng), world.draw_actions(rng, ours)
            here, there = world.step_with(chance, ours, actions), compiled(chance, theirs, actions)
            for what, a, b in zip(RESULTS, here, there, strict=True):
                assert same(a, jax.tree.map(np.asarray, b)), f"with seed {s}, turn {turns}: {what} differ"
            ours, theirs, is_over, turns = here[1], there[1], bool(np.any(here[3]) or np.any(here[4])), turns + 1
    return f"{turns} turns"


def pettingzoo(make: Callable[..., Any] | None, env: Any = None) -> str:
    """The parallel API test, and the seed test where new environments can be made."""
    try:
        from pettingzoo.test import parallel_api_test, parallel_seed_test, render_test
        from pettingzoo.utils.conversions import parallel_to_aec
    except ModuleNotFoundError as error:
        raise Skip("PettingZoo is not installed; install otherminds[rl]") from error
    if make is None and env is None:
        raise Skip("the world has no parallel_env")
    with contextlib.redirect_stdout(io.StringIO()):  # they print their praise
        parallel_api_test(make() if make else env, num_cycles=100)
        if make is None:
            return "parallel_api_test"
        parallel_seed_test(make, num_cycles=20)
        names = "parallel_api_test, parallel_seed_test"
        if not make().metadata.get("render_modes"):
            return names
        render_test(lambda render_mode=None: parallel_to_aec(make(render_mode=render_mode)))
    return f"{names}, render_test"


def parallel_determinism(env: Any, seed: int) -> str:
    """A ParallelEnv played twice from one seed, and from others."""
    runs = {s: (_play_parallel(env, s), _play_parallel(env, s)) for s in (seed, seed + 1)}
    for s, (first, second) in runs.items():
        assert first == second, f"with seed {s}, the episode differs the second time"
    assert runs[seed][0] != runs[seed + 1][0], "two seeds give the same episode: the seed is ignored"
    return f"{len(runs[seed][0])} turns twice"


def parallel_spaces(env: Any, seed: int) -> str:
    """Every observation of an episode lies in its space."""

    def check(agent: str, observation: Any) -> None:
        space = env.observation_space(agent)
        assert space.contains(observation), f"{agent} observes {observation!r}, outside {space}"

    return f"{len(_play_parallel(env, seed, check))} turns"


def _play_parallel(env: Any, seed: int, check: Callable[[str, Any], None] | None = None) -> list[bytes]:
    observations, _ = env.reset(seed=seed)
    for i, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + i)
    turns: list[bytes] = []
    while env.agents and len(turns) < 2000:
        actions = {agent: env.action_space(agent).sample() for agent in env.agents}
        observations, rewards, *_ = env.step(actions)
        for agent, observation in observations.items():
            if check:
                check(agent, observation)
        turns.append(b"".join(x.tobytes() for x in leaves([observations, rewards])))
    return turns
