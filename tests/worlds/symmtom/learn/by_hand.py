"""Updates of learners for the tests, worked out step by step in float64 NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import numpy as np

from otherminds.worlds.symmtom.learn.configs import MaddpgConfig
from otherminds.worlds.symmtom.learn.ppo import Batch, Ppo
from otherminds.worlds.symmtom.learn.replay import Sample
from tests.worlds.symmtom.learn.making import compiled

Array = Any


class Run(NamedTuple):
    """What a network made of a batch, which comes last."""

    outputs: Array  # [entry, batch]
    carry: Any  # what it remembers
    back: Callable[[Array], tuple[Any, Array]]  # from slopes of outputs to those of all weights and of the last input


Network = Callable[..., Run]  # of weights, what it remembers, and inputs


class Adam(NamedTuple):
    """Its two running means, shaped as what learns, and how many steps were made."""

    mean: Any
    square: Any
    steps: int


class Learned(NamedTuple):
    """What one agent learns."""

    actor: Any
    critic: Any
    target_actor: Any
    target_critic: Any
    actor_adam: Adam
    critic_adam: Adam


def of(tree: Any, agent: int) -> Any:
    """An agent's own part."""
    return jax.tree.map(lambda leaf: leaf[agent], tree)


def exact(tree: Any) -> Any:
    """In float64, as far as there are fractions."""
    return jax.tree.map(lambda leaf: np.asarray(leaf, np.float64 if leaf.dtype == np.float32 else leaf.dtype), tree)


# Networks of MADDPG


def layered(weights: Any, carry: Any, *inputs: Any) -> Run:
    """Three layers, the first two followed by a ramp; without automatic differentiation."""
    parts, rest = jax.tree.leaves(inputs), dict(weights["params"])
    if "kernel" in rest:  # a critic: its first layer is no module of its own
        names = ["", "Dense_0", "Dense_1"]
        rest[""] = {name: rest.pop(name) for name in ("kernel", "bias")}
    else:
        names = ["Dense_0", "Dense_1", "Dense_2"]
    values = [np.concatenate(parts)]
    for name in names:
        y = rest[name]["kernel"].T @ values[-1] + rest[name]["bias"][:, None]
        values.append(y if name == names[-1] else np.maximum(y, 0))

    def back(slope: Array) -> tuple[Any, Array]:
        found: dict[str, Any] = {}
        for number in (2, 1, 0):
            if number < 2:
                slope = slope * (values[number + 1] > 0)
            found[names[number]] = {"kernel": values[number] @ slope.T, "bias": slope.sum(axis=1)}
            slope = rest[names[number]]["kernel"] @ slope
        return {"params": found | found.pop("", {})}, slope[-len(parts[-1]) :]

    return Run(values[-1], carry, back)


def applied(network: Any) -> Network:
    """Any network that is tested elsewhere, with slopes by JAX."""
    forward = compiled(network.apply)

    @compiled
    def backward(slope: Array, weights: Any, carry: Any, *inputs: Any) -> Any:
        _, pull, _ = jax.vjp(lambda w, i: network.apply(w, carry, *i), weights, inputs, has_aux=True)
        return pull(slope)

    def run(*given: Any) -> Run:
        found, carry = forward(*given)

        def back(slope: Array) -> tuple[Any, Array]:
            slopes, of_inputs = exact(backward(slope.reshape(found.shape), *given))
            return slopes, jax.tree.leaves(of_inputs)[-1]

        return Run(np.atleast_2d(exact(found)), carry, back)

    return run


# Actions of MADDPG, ``[entry, …]``


def relaxed(logits: Array, noise: Array) -> Array:
    parts = []
    for block in (slice(0, 5), slice(5, None)):
        score = logits[block] - np.log(noise[block])  # minus the logarithm of an exponential is Gumbel
        weight = np.exp(score - score.max(axis=0))
        parts.append(weight / weight.sum(axis=0))
    return np.concatenate(parts)


def masked(logits: Array, allowed: Any) -> Array:
    return logits if isinstance(allowed, tuple) else np.where(allowed, logits, -np.inf)


def slope_of_logits(action: Array, slope: Array) -> Array:
    parts = []
    for block in (slice(0, 5), slice(5, None)):
        a, s = action[block], slope[block]
        parts.append(a * (s - (a * s).sum(axis=0)))
    return np.concatenate(parts)


# Steps of MADDPG


def clipped(slopes: Any, largest: float) -> Any:
    """Each tensor by itself."""

    def clip(slope: Array) -> Array:
        norm = np.sqrt((slope**2).sum())
        return slope * largest / norm if norm > largest else slope

    return jax.tree.map(clip, slopes)


def adam(weights: Any, slopes: Any, state: Adam, rate: float, epsilon: float = 1e-8) -> tuple[Any, Adam]:
    count = state.steps + 1
    means = jax.tree.map(lambda mean, slope: 0.9 * mean + 0.1 * slope, state.mean, slopes)
    squares = jax.tree.map(lambda square, slope: 0.999 * square + 0.001 * slope**2, state.square, slopes)

    def moved(weight: Array, mean: Array, square: Array) -> Array:
        return weight - rate * (mean / (1 - 0.9**count)) / (np.sqrt(square / (1 - 0.999**count)) + epsilon)

    return jax.tree.map(moved, weights, means, squares), Adam(means, squares, count)


def nearer(old: Any, new: Any, rate: float) -> Any:
    return jax.tree.map(lambda a, b: (1 - rate) * a + rate * b, old, new)


def updated(
    everyone: list[Learned],
    agent: int,
    sample: Sample,
    noise: Array,
    next_noise: Array,
    config: MaddpgConfig,
    actor_network: Network = layered,
) -> tuple[Learned, float]:
    """An agent of MADDPG after a critic and an actor step, and the critic's error before."""
    me, before, after, stored = everyone[agent], sample.before, sample.after, sample.stored
    size = stored.shape[-1]

    next_actions = []
    for j, other in enumerate(everyone):
        left = of(sample.next_carry, j)
        if config.next_carry == "anew":
            left = actor_network(other.target_actor, of(sample.carry, j), of(before.inputs, j)).carry
        logits = actor_network(other.target_actor, left, of(after.inputs, j)).outputs
        next_actions.append(relaxed(masked(logits, of(after.allowed, j)), next_noise[j]))
    joint = np.concatenate(stored)
    next_value = layered(me.target_critic, (), after.seen, np.concatenate(next_actions)).outputs[0]
    target = sample.rewards[agent] + config.discount * next_value

    run = layered(me.critic, (), before.seen, joint)
    error = run.outputs[0] - target
    slopes, _ = run.back((2 * error / size)[None])
    critic, critic_adam = adam(me.critic, clipped(slopes, config.clip), me.critic_adam, config.learning_rate)

    own = actor_network(me.actor, of(sample.carry, agent), of(before.inputs, agent))
    action = relaxed(masked(own.outputs, of(before.allowed, agent)), noise)
    joint = np.concatenate([action if j == agent else stored[j] for j in range(len(everyone))])
    _, slope = layered(critic, (), before.seen, joint).back(np.full((1, size), -1 / size))
    slope = slope_of_logits(action, np.split(slope, len(everyone))[agent])
    slope = slope + config.logit_penalty * 2 * own.outputs / own.outputs.size
    slopes, _ = own.back(slope)
    actor, actor_adam = adam(me.actor, clipped(slopes, config.clip), me.actor_adam, config.learning_rate)
    new = Learned(
        actor,
        critic,
        nearer(me.target_actor, actor, config.target_rate),
        nearer(me.target_critic, critic, config.target_rate),
        actor_adam,
        critic_adam,
    )
    return new, float((error**2).mean())


# PPO


class Improved(NamedTuple):
    """What PPO learns, actors and critics together, and what it knows of returns."""

    weights: Any
    adam: Adam
    mean: float
    deviation: float


def improved(learner: Ppo, now: Improved, share: float, batch: Batch, carry: Any, parts: Array) -> tuple[Improved, Any]:
    """After a step for each part of the worlds, when a share of the training is over; and the norms of all slopes."""
    config, runs = learner.config, np.asarray(batch.is_running)
    forward, backward = _ppo_networks(learner)
    value = exact(forward(now.weights, carry, batch))[1] * now.deviation + now.mean
    advantage = np.zeros_like(value)
    for at in zip(*np.nonzero(runs), strict=True):
        turn, *who = at
        for later in range(turn, np.nonzero(runs[:, *who])[0][-1] + 1):
            reward = batch.reward[later, *who]
            if not batch.is_rehearsal[later, *who]:  # there, nobody else of the team learns
                reward = (1 - config.team_share) * reward + config.team_share * batch.reward[later, :, who[1]].mean()
            is_last = later + 1 == len(runs) or not runs[later + 1, *who]
            surprise = reward + config.discount * (0 if is_last else value[later + 1, *who]) - value[later, *who]
            advantage[at] += (config.discount * config.trace) ** (later - turn) * surprise
    target = advantage + value
    mean = 0.9 * now.mean + 0.1 * target[runs].mean()
    deviation = 0.9 * now.deviation + 0.1 * np.sqrt(((target[runs] - mean) ** 2).mean())
    target = (target - mean) / deviation
    advantage = (advantage - advantage[runs].mean()) / advantage[runs].std()

    rate = (1 - share) * config.learning_rate + share * config.final_learning_rate
    doubt = (1 - share) * config.entropy + share * config.final_entropy
    weights, state, norms = now.weights, now.adam, []
    for worlds in parts:
        logits, value = exact(forward(weights, carry, batch))
        slope, value_slope = np.zeros_like(logits), np.zeros_like(value)
        learned = [at for at in zip(*np.nonzero(runs), strict=True) if at[2] in worlds]
        for at in learned:
            chances, ratio = [], np.exp(-batch.log_likelihood[at])
            for block, choice in zip((slice(0, 5), slice(5, None)), batch.action, strict=True):
                weight = np.exp(logits[at][block] - logits[at][block].max())
                chances.append(weight / weight.sum())
                ratio *= chances[-1][choice[at]]
            is_free = ratio < 1 + config.clip if advantage[at] > 0 else ratio > 1 - config.clip
            gain = is_free * ratio * advantage[at]  # the slope of the logarithm of the likelihood
            for block, choice, chance in zip((slice(0, 5), slice(5, None)), batch.action, chances, strict=True):
                surprise = -np.log(np.maximum(chance, 1e-300))
                entropy = (chance * surprise).sum()
                slope[at][block] = doubt * chance * (entropy - surprise)
                slope[at][block] -= gain * ((np.arange(len(chance)) == choice[at]) - chance)
            value_slope[at] = config.value_weight * np.clip(value[at] - target[at], -2, 2)
        slopes = exact(backward((slope / len(learned), value_slope / len(learned)), weights, carry, batch))
        norms.append(np.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(slopes))))
        slopes = jax.tree.map(lambda leaf, norm=norms[-1]: leaf * min(1, config.max_norm / norm), slopes)
        weights, state = adam(weights, slopes, state, rate, epsilon=1e-5)
    return Improved(weights, state, mean, deviation), norms


def _ppo_networks(learner: Ppo) -> tuple[Any, Any]:
    """Logits and normalised values of all decisions, and slopes of all weights from slopes of those."""

    def forward(weights: Any, carry: Any, batch: Batch) -> tuple[Array, Array]:
        return learner._logits(weights[0], carry, batch), learner._value(weights[1], batch)

    def backward(slopes: Any, weights: Any, carry: Any, batch: Batch) -> Any:
        return jax.vjp(lambda w: forward(w, carry, batch), weights)[1](slopes)[0]

    return compiled(forward), compiled(backward)
