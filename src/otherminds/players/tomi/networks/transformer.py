"""A small transformer that reads a story sentence by sentence and points at the word that answers.

It is meant to solve story questions, not to reproduce a paper: a sentence is one position, so a story costs a dozen
positions instead of a hundred, and the answer is a place in the story, so that a container's name need not be learned.
"""

from __future__ import annotations

from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp

Array = Any


class Transformer(nn.Module):
    """Attention over the sentences and the question after them; the question's position then answers.

    The answer is drawn from a mixture of two distributions: over the words of the story, and over the vocabulary.
    """

    num_tokens: int
    word_width: int = 32
    width: int = 128
    layers: int = 4
    heads: int = 4

    @nn.compact
    def __call__(self, story: Array, question: Array) -> Array:
        """Log-probabilities ``[question, token]`` from ``int [question, sentence, word]``, ``int [question, word]``."""
        scale = nn.initializers.normal(0.3)
        words = self.param("words", scale, (self.num_tokens, self.word_width)).at[0].set(0.0)
        said = nn.Dense(self.width, name="said")(_joined(words[story]))
        asked = nn.Dense(self.width, name="asked")(_joined(words[question]))
        hidden = jnp.concatenate([said, asked[:, None]], 1)
        is_there = jnp.pad((story > 0).any(-1), ((0, 0), (0, 1)), constant_values=True)
        for _ in range(self.layers):
            hidden = Layer(self.heads)(hidden, is_there)
        hidden = nn.LayerNorm()(hidden)
        return self._answer(hidden[:, -1], hidden[:, :-1], story)

    def _answer(self, asked: Array, said: Array, story: Array) -> Array:
        keys = nn.Dense(story.shape[-1] * self.word_width, name="keys")(said)
        keys = keys.reshape((*story.shape, self.word_width))
        score = jnp.einsum("bswd,bd->bsw", keys, nn.Dense(self.word_width, name="query")(asked))
        score = jnp.where(story > 0, score * self.word_width**-0.5, -1e9).reshape((story.shape[0], -1))
        share = jax.nn.softmax(score)
        row = jnp.arange(story.shape[0])[:, None]
        pointed = jnp.zeros((story.shape[0], self.num_tokens)).at[row, story.reshape(score.shape)].add(share)
        spoken = jax.nn.softmax(nn.Dense(self.num_tokens, name="spoken")(asked))
        points = nn.sigmoid(nn.Dense(1, name="points")(asked))
        return jnp.log(points * pointed + (1 - points) * spoken + 1e-9)


class Layer(nn.Module):
    """One layer: every position looks at all others, then thinks by itself.

    Where a position looks also depends on how far before or after it something stands: most of what matters in a story
    is the last time that somebody did something.
    """

    heads: int

    @nn.compact
    def __call__(self, hidden: Array, is_there: Array) -> Array:
        width = hidden.shape[-1]
        queries, keys, values = jnp.split(
            nn.Dense(3 * width, name="look")(nn.LayerNorm()(hidden)).reshape((*hidden.shape[:2], self.heads, -1)), 3, -1
        )
        count = hidden.shape[1]
        distance = self.param("distance", nn.initializers.zeros, (self.heads, 2 * count - 1))
        offset = jnp.arange(count) - jnp.arange(count)[:, None] + count - 1
        score = jnp.einsum("bihd,bjhd->bhij", queries, keys) * queries.shape[-1] ** -0.5 + distance[:, offset]
        share = jax.nn.softmax(jnp.where(is_there[:, None, None], score, -1e9))
        seen = jnp.einsum("bhij,bjhd->bihd", share, values).reshape(hidden.shape)
        hidden += nn.Dense(width, name="seen")(seen)
        thought = nn.gelu(nn.Dense(4 * width, name="think")(nn.LayerNorm()(hidden)))
        return hidden + nn.Dense(width, name="thought")(thought)


def _joined(words: Array) -> Array:
    """The vectors of a text's words side by side."""
    return words.reshape((*words.shape[:-2], -1))
