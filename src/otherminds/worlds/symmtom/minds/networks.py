"""Networks of learned SymmToM agents: from the inputs of one agent to the logits of its move and its piece.

Every network has the signature ``(carry, inputs) -> (logits, carry)``. ``carry`` is its memory: nothing, a recurrent
state, or an estimate of others' knowledge. Batch axes come last, like worlds in states, so that replayed inputs go into
matrix products without transposition. Subjects are in *slots*: the agent itself in slot 0, then the others in order.
At the end are the functions that draw actions from logits.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

import flax.linen as nn
import jax
import jax.numpy as jnp

from otherminds.core.seeds import random_words
from otherminds.worlds.symmtom.types import Action, Array

BLOCKS = (slice(0, 5), slice(5, None))  # move, piece
_TOLERANCE = 1e-6  # of the sum of probabilities that counts as complete (spec section 13, row 33)
glorot = nn.initializers.glorot_uniform()


class TurnEvidence(NamedTuple):
    """One agent's evidence of who learned what in a turn, as 0/1 numbers (spec section 9.4, A, H, B and F)."""

    said: Array  # float32 [speaker, piece, *batch], as far as it was heard; own speech in slot 0
    near: Array  # float32 [subject, speaker, *batch], who was in range of whom; nobody of itself
    uses_base: Array  # float32 [subject, *batch]
    first_hand: Array  # float32 [subject, piece, *batch]
    known_before: Array  # float32 [piece, *batch], own knowledge before the turn


class Inputs(NamedTuple):
    """The inputs of one agent's network for a decision."""

    vector: Array  # float32 [entry, *batch], the observation
    belief: Array  # float32 [entry, *batch], what its belief rule says; no entries without one
    evidence: TurnEvidence | tuple[()]  # only for the estimating network


class Dense(nn.Module):
    """A linear layer, ``[entry, *batch] -> [feature, *batch]``."""

    features: int

    @nn.compact
    def __call__(self, entries: Array) -> Array:
        kernel = self.param("kernel", glorot, (entries.shape[0], self.features))
        bias = self.param("bias", nn.initializers.zeros, (self.features,))
        return _product(kernel, entries) + _column(bias, entries)


def _product(kernel: Array, entries: Array) -> Array:
    return jnp.tensordot(kernel, entries, (0, 0))


def _column(bias: Array, entries: Array) -> Array:
    return bias.reshape((-1, *(1,) * (entries.ndim - 1)))


class Feedforward(nn.Module):
    """Two hidden layers (spec section 9.1)."""

    num_outputs: int
    width: int = 64

    def begin(self, num_agents: int, num_pieces: int, batch: tuple[int, ...]) -> Any:
        return ()

    @nn.compact
    def __call__(self, carry: Any, inputs: Inputs) -> tuple[Array, Any]:
        hidden = jnp.concatenate([inputs.vector, inputs.belief])
        for _ in range(2):
            hidden = nn.relu(Dense(self.width)(hidden))
        return Dense(self.num_outputs)(hidden), carry


class Recurrent(nn.Module):
    """A layer of the input's own width, an LSTM cell and a linear output (spec section 9.3)."""

    num_outputs: int
    width: int = 64

    def begin(self, num_agents: int, num_pieces: int, batch: tuple[int, ...]) -> Any:
        return jnp.zeros((self.width, *batch)), jnp.zeros((self.width, *batch))

    @nn.compact
    def __call__(self, carry: Any, inputs: Inputs) -> tuple[Array, Any]:
        seen = jnp.concatenate([inputs.vector, inputs.belief])
        hidden = nn.relu(Dense(seen.shape[0])(seen))
        out, carry = Cell(self.width)(carry, hidden)
        return Dense(self.num_outputs)(out), carry


class Cell(nn.Module):
    """An LSTM cell as in the public RMADDPG program: one kernel for all gates, and a forget bias of 1."""

    width: int

    @nn.compact
    def __call__(self, carry: tuple[Array, Array], entries: Array) -> tuple[Array, tuple[Array, Array]]:
        cell, out = carry
        gates = Dense(4 * self.width)(jnp.concatenate([entries, out]))
        write, new, keep, show = jnp.split(gates, 4)
        cell = nn.sigmoid(keep + 1.0) * cell + nn.sigmoid(write) * jnp.tanh(new)
        out = nn.sigmoid(show) * jnp.tanh(cell)
        return out, (cell, out)


class Estimating(nn.Module):
    """EE: a network guesses what unheard speakers said, and the actor reads the estimate (spec section 9.4).

    The carry is K(t-1) of the others, ``[other, piece, *batch]``; the agent's own row is known exactly. With
    ``literal_guess`` it is not, and comes before the rows of the others.
    """

    num_outputs: int
    width: int = 64
    literal_guess: bool = False  # guesses of all speakers for all listeners, itself included (paper A.4 as printed)

    def begin(self, num_agents: int, num_pieces: int, batch: tuple[int, ...]) -> Any:
        return jnp.zeros((num_agents if self.literal_guess else num_agents - 1, num_pieces, *batch))

    @nn.compact
    def __call__(self, carry: Any, inputs: Inputs) -> tuple[Array, Any]:
        assert isinstance(inputs.evidence, TurnEvidence)
        before = carry if self.literal_guess else jnp.concatenate([inputs.evidence.known_before[None], carry])
        knows = self.revise(before, inputs.evidence)
        hidden = jnp.concatenate([inputs.vector, inputs.belief, knows.reshape((-1, *knows.shape[2:]))])
        for _ in range(2):
            hidden = nn.relu(Dense(self.width)(hidden))
        return Dense(self.num_outputs)(hidden), knows if self.literal_guess else knows[1:]

    def revise(self, before: Array, evidence: TurnEvidence) -> Array:
        """K(t) from K(t-1), ``[subject, piece, *batch]``: own, heard and guessed speech, then believed recharges."""
        said, near, uses_base, first_hand, _ = evidence
        agents = range(before.shape[0])
        own = said[0] * near[:, 0, None]
        heard = reduce(jnp.maximum, [said[j] * near[0, j] * near[:, j, None] for j in agents])
        is_other = jnp.arange(before.shape[0]).reshape((-1, *(1,) * (before.ndim - 2))) > 0
        guess = self.guess(before, near)
        kept = jnp.ones_like(before)  # the probability that no unheard speaker told the piece
        for speaker in agents if self.literal_guess else agents[1:]:
            is_unheard = 1.0 if self.literal_guess else 1.0 - near[0, speaker]
            missed = jnp.where(is_other | self.literal_guess, near[:, speaker] * is_unheard, 0.0)
            kept = kept * (1.0 - missed[:, None] * guess[speaker])
        learned = jnp.minimum(1.0, own + heard + (1.0 - kept))
        is_complete = before.sum(axis=1) >= before.shape[1] - _TOLERANCE
        erased = 2.0 * (uses_base * is_complete)[:, None]
        total = 100.0 * first_hand + before + learned - erased
        return jnp.clip(total, 0.0, 1.0)

    def guess(self, before: Array, near: Array) -> Array:
        """U: the guessed utterance of each speaker, a distribution over pieces, ``[speaker, piece, *batch]``."""
        agents = range(before.shape[0])
        reached = [[near[speaker, j] * before[j] for j in agents if j != speaker] for speaker in agents]
        around = [jnp.concatenate([before[speaker], *rows]) for speaker, rows in enumerate(reached)]
        rows = jnp.stack(around, axis=1)  # [entry, speaker, *batch]
        hidden = rows.reshape((rows.shape[0], -1))  # one batch axis: products over several are slow
        for layer in range(2):
            hidden = nn.relu(Dense(self.width, name=f"guess_{layer}")(hidden))
        logits = Dense(before.shape[1], name="guess_out")(hidden)
        guess = jax.nn.softmax(logits, axis=0).reshape((before.shape[1], *rows.shape[1:]))
        return jnp.moveaxis(guess, 1, 0)


class Critic(nn.Module):
    """The value of a joint action, from what all agents see and do (spec section 9.1)."""

    width: int = 64

    @nn.compact
    def __call__(self, seen: Array, actions: Array) -> Array:
        """``float32 [*batch]`` from ``[entry, *batch]`` each."""
        split = seen.shape[0]
        kernel = self.param("kernel", glorot, (split + actions.shape[0], self.width))
        bias = self.param("bias", nn.initializers.zeros, (self.width,))
        # In two parts, so that the gradient for an action does not pass through the observations.
        hidden = _product(kernel[:split], seen) + _product(kernel[split:], actions) + _column(bias, seen)
        hidden = nn.relu(Dense(self.width)(nn.relu(hidden)))
        return Dense(1)(hidden)[0]


def exponentials(key: Any, shape: tuple[int, ...], stream: str) -> Array:
    """Draws from the exponential distribution; their negative logarithms are Gumbel noise."""
    words = jnp.asarray(random_words(key, shape, stream))
    return -jnp.log(((words >> 9).astype(jnp.float32) + 0.5) * jnp.float32(2.0**-23))


def relax(logits: Array, noise: Array, axis: int = -1) -> Array:
    """Gumbel-softmax at temperature 1 of both blocks along an axis of 5 + pieces; the largest entry is an exact sample.

    ``softmax(logits + gumbel)`` is ``exp(logits) / exponential``, normalised.
    """
    parts = []
    for mine, its_noise in zip(_blocks(logits, axis), _blocks(noise, axis), strict=True):
        weight = jnp.exp(mine - mine.max(axis=axis, keepdims=True)) / its_noise
        parts.append(weight / weight.sum(axis=axis, keepdims=True))
    return jnp.concatenate(parts, axis=axis)


def choose(weights: Array, axis: int = -1) -> Action:
    """The largest entry of each block along an axis of 5 + pieces."""
    return Action(*(jnp.argmax(block, axis=axis).astype(jnp.int32) for block in _blocks(weights, axis)))


def _blocks(values: Array, axis: int) -> list[Array]:
    blocks: list[Array] = jnp.split(values, [BLOCKS[0].stop], axis=axis)
    return blocks
