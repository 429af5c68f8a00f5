"""Checks of worlds made of arrays: determinism, spaces, engines, PettingZoo's tests, and symmetric theory of mind."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from otherminds.testing.skip import Skip

PAYING_EPISODES = 1000  # of each policy, to tell whether knowledge pays
RESULTS = ("observations", "state", "rewards", "terminated", "truncated", "info")


class Turn(NamedTuple):
    """One turn of random play: the state before it, and what came of it."""

    seed: int
    state: Any
    observations: Any
    after: Any
    rewards: Any


def play(world: Any, seed: int, episodes: int = 1) -> Iterator[Turn]:
    """The turns of episodes of random play, one seed after the other."""
    for number in range(seed, seed + episodes):
        rng = np.random.default_rng(number)
        _, state = world.reset(rng)
        for _ in range(world.num_turns + 1):
            actions = world.draw_actions(rng, state)
            observations, after, rewards, *ends, _ = world.step_with(world.draw_step(rng), state, actions)
            yield Turn(number, state, observations, after, rewards)
            if np.any(ends):
                break
            state = after
        else:
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
    first, second = list(play(world, seed, episodes)), list(play(world, seed, episodes))
    for a, b in zip(first, second, strict=True):
        assert same(a, b), f"with seed {a.seed}, a turn differs when the episode is repeated"
    ends = {turn.seed: b"".join(leaf.tobytes() for leaf in leaves(turn.after)) for turn in first}
    assert len(set(ends.values())) > 1 or episodes == 1, (
        f"seeds {seed} to {seed + episodes - 1} all end in the same state: the seed is ignored"
    )
    return f"{len(first)} turns, each played twice"


def spaces(world: Any, seed: int, episodes: int) -> str:
    """Shapes and types, and the space where observations are plain arrays."""
    try:
        env = world.parallel_env()
        space = env.observation_space(env.possible_agents[0])
    except ImportError:
        space = None
    turns = list(play(world, seed, episodes))
    for turn in turns:
        assert len(turn.rewards) == len(world.seats), f"{len(turn.rewards)} rewards for {len(world.seats)} agents"
        assert np.all(np.isfinite(turn.rewards)), f"rewards {turn.rewards} are not all finite"
        for agent, observation in zip(world.seats, turn.observations, strict=True):
            assert observation.shape == tuple(world.observation_shape), (
                f"{agent} has an observation of shape {observation.shape}; expected {tuple(world.observation_shape)}"
            )
            if getattr(space, "shape", None) == observation.shape:
                assert space.contains(observation), f"{agent} observes {observation}, outside {space}"
    return f"{len(turns)} turns"


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
        _, ours = world.reset(rng)
        theirs, is_over = jax.tree.map(jnp.asarray, ours), False
        while not is_over:
            chance, actions = world.draw_step(rng), world.draw_actions(rng, ours)
            step, fast = world.step_with(chance, ours, actions), compiled(chance, theirs, actions)
            for name, a, b in zip(RESULTS, step, fast, strict=True):
                assert same(a, jax.tree.map(np.asarray, b)), f"with seed {s}, turn {turns}: {name} differ"
            ours, theirs, is_over, turns = step[1], fast[1], bool(np.any(step[3]) or np.any(step[4])), turns + 1
    return f"{turns} turns"


def pettingzoo(world: Any, seed: int, episodes: int) -> str:  # noqa: ARG001  # checks are called alike
    """The parallel API test, the seed test and the test of rendering."""
    try:
        from pettingzoo.test import parallel_api_test, parallel_seed_test, render_test
        from pettingzoo.utils.conversions import parallel_to_aec
    except ModuleNotFoundError as error:
        raise Skip("PettingZoo is not installed; install otherminds[rl]") from error
    make = world.parallel_env
    with contextlib.redirect_stdout(io.StringIO()):  # they print messages of success
        parallel_api_test(make(), num_cycles=100)
        parallel_seed_test(make, num_cycles=20)
        render_test(lambda render_mode=None: parallel_to_aec(make(render_mode=render_mode)))
    return "parallel_api_test, parallel_seed_test, render_test"


# The four properties of a world with symmetric theory of mind (docs/spec/symmtom.md), and that nothing leaks.


def _hidden(world: Any, seed: int, episodes: int) -> Iterator[tuple[int, str, bool, bool]]:
    """For every turn and agent, with what it cannot perceive changed: whether the state is new, and looks the same."""
    rng = np.random.default_rng(seed)
    for turn in play(world, seed, episodes):
        for i, agent in enumerate(world.seats):
            hidden = world.hide(rng, turn.after, i)
            is_unseen = same(turn.observations[i], world.observe(hidden)[i])
            yield turn.seed, agent, not same(turn.after, hidden), is_unseen


def no_leak(world: Any, seed: int, episodes: int) -> str:
    """Changing only what an agent cannot perceive leaves its observation as it was."""
    compared = 0
    for number, agent, is_changed, is_unseen in _hidden(world, seed, episodes):
        assert is_unseen, f"with seed {number}, {agent} observes something that hide() says it cannot perceive"
        compared += is_changed
    assert compared, "hide() never changed anything, so nothing was checked"
    return f"{compared} changes unseen"


def imperfect(world: Any, seed: int, episodes: int) -> str:
    """For every agent there are different states that look the same."""
    unsure = {agent for _, agent, is_changed, is_unseen in _hidden(world, seed, episodes) if is_changed and is_unseen}
    missing = [agent for agent in world.seats if agent not in unsure]
    assert not missing, f"{', '.join(missing)} can tell every state from every other: information is perfect"
    return ""


def symmetry(world: Any, seed: int, episodes: int) -> str:
    """Permuting the agents permutes their legal choices, the next state and the rewards, and changes nothing else."""
    rng = np.random.default_rng(seed)
    turns = list(play(world, seed, episodes))
    for turn in turns:
        order = rng.permutation(len(world.seats))
        chance, actions = world.draw_step(rng), world.draw_actions(rng, turn.state)
        moved = world.permute(turn.state, order)
        masks, moved_masks = world.action_mask(turn.state), world.action_mask(moved)
        place = f"with seed {turn.seed}"
        for name, mask in masks.items():
            assert same(mask[order], moved_masks[name]), (
                f"{place}: the legal choices ({name}) changed when the agents changed places"
            )
        _, after, rewards, *_ = world.step_with(chance, turn.state, actions)
        _, moved_after, moved_rewards, *_ = world.step_with(
            world.permute_step(chance, order), moved, type(actions)(*(choices[order] for choices in actions))
        )
        assert same(world.permute(after, order), moved_after), (
            f"{place}: the outcome changed when the agents changed places"
        )
        assert same(rewards[order], moved_rewards), f"{place}: the rewards changed when the agents changed places"
    return f"{len(turns)} turns"


def others(world: Any, seed: int, episodes: int) -> str:
    """Everyone can see, at some time, that something about everyone else has changed."""
    pairs = {(a, b) for a in world.seats for b in world.seats if a != b}
    seen: set[tuple[str, str]] = set()
    for turn in play(world, seed, episodes):
        before = world.observe(turn.state)
        for j, subject in enumerate(world.seats):
            # The same state with all that belongs to the subject as it is a turn later.
            fields = zip(turn.state, turn.after, strict=True)
            moved = (np.concatenate([a[:j], b[j : j + 1], a[j + 1 :]]) if a.ndim else a for a, b in fields)
            after = world.observe(type(turn.state)(*moved))
            seen |= {(a, subject) for i, a in enumerate(world.seats) if i != j and not same(before[i], after[i])}
    missing = sorted(pairs - seen)
    assert not missing, f"{missing[0][0]} observes nothing of {missing[0][1]}"
    return f"{len(pairs)} pairs"


def information_seeking(world: Any, seed: int, episodes: int) -> str:  # noqa: ARG001  # checks are called alike
    """A policy with a model of what others know earns more than the same policy without one."""
    scores = world.rewards_by_model(seed, PAYING_EPISODES)
    with_model, without = (float(np.mean(score)) for score in scores)
    gain, error = with_model - without, float(np.sqrt(sum(np.var(score, ddof=1) / len(score) for score in scores)))
    figures = f"{with_model:.1f} with a model of others, {without:.1f} without"
    assert gain > -2 * error, f"{figures}: knowing what others know does not pay off"
    if gain < 2 * error:
        raise Skip(f"{figures}: no difference found, so these policies cannot decide the question")
    return figures
