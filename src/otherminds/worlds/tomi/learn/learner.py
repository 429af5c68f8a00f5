"""Learning to answer: epochs over the training questions, each followed by the validation questions.

Each network is trained with the public settings of ToM-bAbI's authors, with few changes (spec 10).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

from otherminds.core.errors import UserError
from otherminds.core.seeds import jax_key
from otherminds.worlds.tomi.minds.encode import Encoded
from otherminds.worlds.tomi.minds.networks import best_answer

Array = Any
_AT_ONCE = 128  # questions that are answered together where nothing is learned


@dataclass(frozen=True)
class Recipe:
    """Training settings of a model.

    The loss is summed over a batch, not averaged: that is what the published limits on gradients are made for.
    """

    epochs: int = 100
    batch: int = 32
    learning_rate: float = 0.01  # of Adam
    halve_every: int = 0  # epochs between halvings of the learning rate; 0 for none
    clip: float = 40.0  # longest gradient
    gradient_noise: float = 0.0  # standard deviation of the noise added to each entry of the gradient
    weight_decay: float = 0.0
    last: int = 50  # number of sentences of a story that are read, the last ones
    parts: int = 1  # of an epoch
    validate_every: int = 1  # number of parts between validations, each with a checkpoint

    def __post_init__(self) -> None:
        """Refuse settings that leave the last epochs without validation."""
        if self.epochs * self.parts % self.validate_every:
            raise UserError(
                f"{self.epochs} epochs of {self.parts} parts each cannot be validated every {self.validate_every} "
                f"parts; choose other epochs, or another validate_every"
            )


# Published optimisers are kept. What differs: EntNet and RelNet get weight decay, without which both memorise the
# training stories within ten epochs and answer others worse than "always reality"; EntNet then needs half of its 200
# epochs. RelNet's 2,256 steps lie between those at which the published one stops; it is at its best for a short time
# only, so it is validated twice an epoch. MemNN is validated every ten epochs, as public programs of it are.
RECIPES: dict[str, Recipe] = {
    "memnn": Recipe(epochs=100, gradient_noise=1e-3, validate_every=10),
    "entnet": Recipe(epochs=100, halve_every=25, weight_decay=0.3, last=70),
    "relnet": Recipe(epochs=12, learning_rate=0.002, weight_decay=0.5, last=20, parts=2),
}


class LearnerState(NamedTuple):
    """State of a run."""

    key: Array
    variables: Any
    optimiser: Any
    order: Array  # int32 [question], in which the questions of this epoch are taken
    done: Array  # int32, parts of epochs


class Questioner:
    """The learner: see :class:`otherminds.learn.loop.Learner`. Its reward is the accuracy on validation questions."""

    def __init__(self, network: nn.Module, recipe: Recipe, train: Encoded, val: Encoded, seed: int) -> None:
        for name, questions in (("training", train), ("validation", val)):
            if not len(questions.answer):
                raise UserError(f"the {name} set has no questions; choose a larger size")
        self.network, self.recipe, self._seed = network, recipe, seed
        self._train, self._val = jax.tree.map(jnp.asarray, (train, val))
        self.num_chunks = recipe.epochs * recipe.parts // recipe.validate_every
        self.chunk_episodes = _steps(recipe, train) * recipe.batch * recipe.validate_every

    def begin(self) -> LearnerState:
        """The state before the first epoch."""
        keys = (jax_key(self._seed, name) for name in ("init", "training"))
        training: LearnerState = _begin(self.network, self.recipe, self._train, *keys)
        return training

    def chunk(self, training: LearnerState) -> tuple[LearnerState, dict[str, float]]:
        """Train until the next validation; returns the mean loss and the validation accuracy."""
        training, loss, right = _chunk(self.network, self.recipe, training, self._train, self._val)
        return training, {"reward": float(right), "loss": float(loss)}

    def actor(self, training: LearnerState) -> Any:
        """The variables that answer."""
        return training.variables


# Compiled once for all runs of a network and a recipe, whatever their seeds.


@partial(jax.jit, static_argnums=(0, 1))
def _begin(network: nn.Module, recipe: Recipe, train: Encoded, init_key: Array, key: Array) -> LearnerState:
    variables = network.init(init_key, train.story[:1], train.question[:1])
    optimiser = _optimiser(recipe, _steps(recipe, train)).init(variables)
    order = jnp.arange(len(train.answer), dtype=jnp.int32)
    return LearnerState(jax.random.key_data(key), variables, optimiser, order, jnp.zeros((), jnp.int32))


@partial(jax.jit, static_argnums=(0, 1))
def _chunk(
    network: nn.Module, recipe: Recipe, training: LearnerState, train: Encoded, val: Encoded
) -> tuple[LearnerState, Array, Array]:
    def step(training: LearnerState, _: None) -> tuple[LearnerState, Array]:
        return _part(network, recipe, training, train)

    training, losses = jax.lax.scan(step, training, None, length=recipe.validate_every)
    right = (answers(network, training.variables, val) == val.answer).mean()
    return training, losses.mean(), right


def _part(network: nn.Module, recipe: Recipe, training: LearnerState, train: Encoded) -> tuple[LearnerState, Array]:
    """The state after another part of an epoch, and the mean loss."""
    key, order_key, noise_key = jax.random.split(jax.random.wrap_key_data(training.key), 3)
    part, steps = training.done % recipe.parts, _steps(recipe, train)
    optimiser = _optimiser(recipe, steps)
    order = jnp.where(part == 0, jax.random.permutation(order_key, training.order), training.order)
    # The last batch of an epoch is filled up with questions from its beginning.
    size = steps * recipe.batch
    places = (part * size + jnp.arange(size)) % len(train.answer)

    def loss_of(variables: Any, batch: Encoded) -> Array:
        logits = network.apply(variables, batch.story, batch.question)
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch.answer).sum()

    def step(carry: Any, row: tuple[Array, Array]) -> Any:
        variables, state = carry
        chosen, key = row
        loss, gradient = jax.value_and_grad(loss_of)(variables, pick(train, chosen))
        gradient = _clipped(gradient, recipe.clip)
        if recipe.gradient_noise:
            gradient = _with_noise(gradient, key, recipe.gradient_noise)
        change, state = optimiser.update(gradient, state, variables)
        return (optax.apply_updates(variables, change), state), loss / recipe.batch

    rows = (order[places].reshape((steps, -1)), jax.random.split(noise_key, steps))
    (variables, state), losses = jax.lax.scan(step, (training.variables, training.optimiser), rows)
    after = LearnerState(jax.random.key_data(key), variables, state, order, training.done + 1)
    return after, losses.mean()


def _steps(recipe: Recipe, train: Encoded) -> int:
    """Steps in a part of an epoch."""
    return -(-len(train.answer) // (recipe.batch * recipe.parts))


def pick(questions: Encoded, chosen: Array) -> Encoded:
    """Chosen questions, each with a copy of its story."""
    story_of = questions.story_of[chosen]
    places = jnp.arange(len(chosen), dtype=jnp.int32)
    return Encoded(questions.story[story_of], questions.question[chosen], places, questions.answer[chosen])


def answers(network: nn.Module, variables: Any, questions: Encoded) -> Array:
    """The answers of a network, ``int32 [question]``."""
    count = len(questions.answer)
    size = min(count, _AT_ONCE)
    rows = (jnp.arange(-(-count // size) * size) % count).reshape((-1, size))

    def some(chosen: Array) -> Array:
        batch = pick(questions, chosen)
        return best_answer(network, variables, batch.story, batch.question)

    return jax.lax.map(some, rows).reshape(-1)[:count]


def _optimiser(recipe: Recipe, steps: int) -> Any:
    """Adam with the settings of a recipe, for a number of steps in each part of an epoch."""
    rate = optax.constant_schedule(recipe.learning_rate)
    if recipe.halve_every:
        period = recipe.halve_every * steps * recipe.parts
        rate = optax.exponential_decay(recipe.learning_rate, period, 0.5, staircase=True)
    return optax.adamw(rate, weight_decay=recipe.weight_decay)


def _clipped(gradient: Any, longest: float) -> Any:
    length = jnp.sqrt(sum(jnp.square(leaf).sum() for leaf in jax.tree.leaves(gradient)))
    scale = jnp.minimum(1.0, longest / (length + 1e-9))
    return jax.tree.map(lambda leaf: leaf * scale, gradient)


def _with_noise(gradient: Any, key: Array, deviation: float) -> Any:
    leaves, structure = jax.tree.flatten(gradient)
    keys = jax.random.split(key, len(leaves))
    noisy = [leaf + deviation * jax.random.normal(k, leaf.shape) for leaf, k in zip(leaves, keys, strict=True)]
    return jax.tree.unflatten(structure, noisy)
