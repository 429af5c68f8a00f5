"""The four properties of symmetric theory of mind (SymmToM paper, section 3), and that nothing leaks."""

from __future__ import annotations

from typing import Any

import numpy as np

from otherminds.testing.arrays import play, same
from otherminds.testing.check import Skip


def no_leak(world: Any, seed: int, episodes: int) -> str:
    """Changing only what an agent cannot perceive leaves its observation as it was."""
    _need(world, "hide")
    rng = np.random.default_rng(seed)
    compared = 0
    for s in range(seed, seed + episodes):
        for _, _, (observations, state, _, _) in play(world, s):
            for i, agent in enumerate(world.agents):
                hidden = world.hide(rng, state, i)
                compared += not same(state, hidden)
                assert same(observations[i], world.observe(hidden)[i]), (
                    f"with seed {s}, {agent} observes something that hide() says it cannot perceive"
                )
    assert compared, "hide() never changed anything, so nothing was checked"
    return f"{compared} changes unseen"


def symmetry(world: Any, seed: int, episodes: int) -> str:
    """Agents that change places have each other's choices, and the world goes on alike with places changed."""
    _need(world, "permute", "permute_actions", "permute_step", "action_mask")
    rng = np.random.default_rng(seed)
    turns = 0
    for s in range(seed, seed + episodes):
        for state, _, _ in play(world, s):
            order = rng.permutation(len(world.agents))
            chance, actions = world.draw_step(rng), world.draw_actions(rng, state)
            moved = world.permute(state, order)
            masks, moved_masks = world.action_mask(state), world.action_mask(moved)
            for name, mask in masks.items():
                assert same(mask[order], moved_masks[name]), (
                    f"with seed {s}: other legal choices ({name}) in the same place"
                )
            _, after, rewards, *_ = world.step_with(chance, state, actions)
            _, moved_after, moved_rewards, *_ = world.step_with(
                world.permute_step(chance, order), moved, world.permute_actions(actions, order)
            )
            assert same(world.permute(after, order), moved_after), (
                f"with seed {s}: places changed, and so did the outcome"
            )
            assert same(rewards[order], moved_rewards), f"with seed {s}: places changed, and so did the rewards"
            turns += 1
    return f"{turns} turns"


def imperfect(world: Any, seed: int, episodes: int) -> str:
    """For every agent there are different states that look the same."""
    _need(world, "hide")
    rng = np.random.default_rng(seed)
    unsure: set[str] = set()
    for s in range(seed, seed + episodes):
        for state, _, _ in play(world, s):
            for i, agent in enumerate(world.agents):
                hidden = world.hide(rng, state, i)
                if not same(state, hidden) and same(world.observe(state)[i], world.observe(hidden)[i]):
                    unsure.add(agent)
    missing = [agent for agent in world.agents if agent not in unsure]
    assert not missing, f"{', '.join(missing)} can tell every state from every other: information is perfect"
    return ""


def others(world: Any, seed: int, episodes: int) -> str:
    """Everyone can see, at some time, that something about everyone else has changed."""
    _need(world, "disturb")
    rng = np.random.default_rng(seed)
    pairs = {(a, b) for a in world.agents for b in world.agents if a != b}
    seen: set[tuple[str, str]] = set()
    for s in range(seed, seed + episodes):
        for state, _, _ in play(world, s):
            before = world.observe(state)
            for j, subject in enumerate(world.agents):
                after = world.observe(world.disturb(rng, state, j))
                seen |= {(a, subject) for i, a in enumerate(world.agents) if i != j and not same(before[i], after[i])}
    missing = sorted(pairs - seen)
    assert not missing, f"{missing[0][0]} observes nothing of {missing[0][1]}"
    return f"{len(pairs)} pairs"


def information_seeking(world: Any, seed: int, informed: Any, uninformed: Any) -> str:
    """A policy with a model of what others know earns more than the same policy without one."""
    if getattr(world, "id", "").startswith("symmtom"):
        from otherminds.players.symmtom.rollout import rollout
        from otherminds.players.symmtom.scripted import BELIEF, BELIEF_ZEROTH

        pair = (informed or BELIEF, uninformed or BELIEF_ZEROTH)
        scores = [rollout(world.params, policy, seed, 1000, "numpy").reward.mean(axis=0) for policy in pair]
    elif informed is None or uninformed is None:
        raise Skip("needs informed=… and uninformed=…, functions from a seed to an episode's mean reward")
    else:
        scores = [np.asarray([score(s) for s in range(seed, seed + 100)]) for score in (informed, uninformed)]
    with_model, without = (float(np.mean(score)) for score in scores)
    gain, error = with_model - without, float(np.sqrt(sum(np.var(score, ddof=1) / len(score) for score in scores)))
    figures = f"{with_model:.1f} with a model of others, {without:.1f} without"
    assert gain > -2 * error, f"{figures}: knowledge does not pay"
    if gain < 2 * error:
        raise Skip(f"{figures}: no difference found; these minds cannot tell here")
    return figures


def _need(world: Any, *methods: str) -> None:
    missing = [method for method in methods if not hasattr(world, method)]
    if missing:
        raise Skip(f"the world has no {', '.join(missing)}")
