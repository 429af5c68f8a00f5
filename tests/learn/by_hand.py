"""One agent's MADDPG update for the tests, in float64 NumPy and without automatic differentiation."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import numpy as np

from otherminds.learn.symmtom.maddpg import MaddpgConfig
from otherminds.learn.symmtom.sample import Sample

Array = Any


class Layers(NamedTuple):
    """Weights and biases of three layers, the first two followed by a ramp."""

    weights: list[Array]
    biases: list[Array]


class Adam(NamedTuple):
    """Its two running means, shaped as layers, and how many steps were made."""

    mean: Layers
    square: Layers
    steps: int


class Learned(NamedTuple):
    """What one agent learns."""

    actor: Layers
    critic: Layers
    target_actor: Layers
    target_critic: Layers
    actor_adam: Adam
    critic_adam: Adam


def forward(layers: Layers, x: Array) -> list[Array]:
    """The input of each layer, then the output."""
    values = [x]
    for number, (weight, bias) in enumerate(zip(*layers, strict=True)):
        y = values[-1] @ weight + bias
        values.append(np.maximum(y, 0) if number < 2 else y)
    return values


def backward(layers: Layers, values: list[Array], slope: Array) -> tuple[Layers, Array]:
    """Slopes of a sum of outputs, each times its own slope, for all layers and for the input."""
    weights: list[Array] = []
    biases: list[Array] = []
    for number in (2, 1, 0):
        if number < 2:
            slope = slope * (values[number + 1] > 0)
        weights.insert(0, values[number].T @ slope)
        biases.insert(0, slope.sum(axis=0))
        slope = slope @ layers.weights[number].T
    return Layers(weights, biases), slope


def relaxed(logits: Array, noise: Array) -> Array:
    parts = []
    for block in (slice(0, 5), slice(5, None)):
        score = logits[..., block] - np.log(noise[..., block])  # minus the logarithm of an exponential is Gumbel
        weight = np.exp(score - score.max(-1, keepdims=True))
        parts.append(weight / weight.sum(-1, keepdims=True))
    return np.concatenate(parts, axis=-1)


def slope_of_logits(action: Array, slope: Array) -> Array:
    parts = []
    for block in (slice(0, 5), slice(5, None)):
        a, s = action[:, block], slope[:, block]
        parts.append(a * (s - (a * s).sum(-1, keepdims=True)))
    return np.concatenate(parts, axis=-1)


def adam(layers: Layers, slopes: Layers, state: Adam, config: MaddpgConfig) -> tuple[Layers, Adam]:
    count = state.steps + 1
    new, means, squares = Layers([], []), Layers([], []), Layers([], [])
    for kind in range(2):
        for at, value in enumerate(layers[kind]):
            slope = slopes[kind][at]
            norm = np.sqrt((slope**2).sum())
            if norm > config.clip:
                slope = slope * config.clip / norm
            mean = 0.9 * state.mean[kind][at] + 0.1 * slope
            square = 0.999 * state.square[kind][at] + 0.001 * slope**2
            step = (mean / (1 - 0.9**count)) / (np.sqrt(square / (1 - 0.999**count)) + 1e-8)
            new[kind].append(value - config.learning_rate * step)
            means[kind].append(mean)
            squares[kind].append(square)
    return new, Adam(means, squares, count)


def nearer(old: Layers, new: Layers, rate: float) -> Layers:
    mixed = [[(1 - rate) * a + rate * b for a, b in zip(*pair, strict=True)] for pair in zip(old, new, strict=True)]
    return Layers(*mixed)


def updated(
    everyone: list[Learned], agent: int, sample: Sample, noise: Array, next_noise: Array, config: MaddpgConfig
) -> tuple[Learned, float]:
    """The agent after a critic and an actor step, and the critic's error before."""
    me, n = everyone[agent], len(everyone)
    sample, noise, next_noise = jax.tree.map(lambda leaf: np.moveaxis(leaf, -1, 0), (sample, noise, next_noise))
    seen, next_seen, stored = sample.before.seen, sample.after.seen, sample.stored
    size = len(seen)
    next_actions = [
        relaxed(forward(everyone[j].target_actor, sample.after.inputs.vector[:, j])[-1], next_noise[:, j])
        for j in range(n)
    ]
    next_value = forward(me.target_critic, np.concatenate([next_seen, *next_actions], axis=1))[-1][:, 0]
    target = sample.rewards[:, agent] + config.discount * next_value

    values = forward(me.critic, np.concatenate([seen, stored.reshape(size, -1)], axis=1))
    error = values[-1][:, 0] - target
    slopes, _ = backward(me.critic, values, (2 * error / size)[:, None])
    critic, critic_adam = adam(me.critic, slopes, me.critic_adam, config)

    own = forward(me.actor, sample.before.inputs.vector[:, agent])
    logits = own[-1]
    action = relaxed(logits, noise)
    joint = stored.copy()
    joint[:, agent] = action
    values = forward(critic, np.concatenate([seen, joint.reshape(size, -1)], axis=1))
    _, slope = backward(critic, values, np.full((size, 1), -1 / size))
    width = logits.shape[1]
    start = seen.shape[1] + agent * width
    slope = slope_of_logits(action, slope[:, start : start + width])
    slope = slope + config.logit_penalty * 2 * logits / logits.size
    slopes, _ = backward(me.actor, own, slope)
    actor, actor_adam = adam(me.actor, slopes, me.actor_adam, config)
    new = Learned(
        actor,
        critic,
        nearer(me.target_actor, actor, config.target_rate),
        nearer(me.target_critic, critic, config.target_rate),
        actor_adam,
        critic_adam,
    )
    return new, float((error**2).mean())
