"""The four properties of symmetric theory of mind (SymmToM paper, section 3), and that nothing leaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from otherminds.testing.array_checks import play, same
from otherminds.testing.check import Skip

_PAYING_EPISODES = 1000  # of each policy, to tell whether knowledge pays


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
    scores = world.rewards_by_model(seed, _PAYING_EPISODES)
    with_model, without = (float(np.mean(score)) for score in scores)
    gain, error = with_model - without, float(np.sqrt(sum(np.var(score, ddof=1) / len(score) for score in scores)))
    figures = f"{with_model:.1f} with a model of others, {without:.1f} without"
    assert gain > -2 * error, f"{figures}: knowing what others know does not pay off"
    if gain < 2 * error:
        raise Skip(f"{figures}: no difference found, so these policies cannot decide the question")
    return figures
