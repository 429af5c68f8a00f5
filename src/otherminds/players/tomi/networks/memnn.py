"""MemNN, the end-to-end memory network (Sukhbaatar et al. 2015) with the sizes of ToM-bAbI's authors (spec 10)."""

from __future__ import annotations

from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp

Array = Any
normal = nn.initializers.normal(0.1)


class MemNN(nn.Module):
    """Looks over all sentences ``hops`` times, each time with what it found before.

    Weights are tied from hop to hop (layer-wise, RNN-like). Sentences are bags of words with position encoding; learned
    temporal vectors tell how long ago each was. Empty rows get no attention, where public programs let them compete. Of
    the published widths (10, 20, 50) the smallest comes nearest to the paper's figures.
    """

    num_tokens: int
    width: int = 10
    hops: int = 5

    @nn.compact
    def __call__(self, story: Array, question: Array) -> Array:
        """Logits ``[question, token]`` from ``int [question, sentence, word]`` and ``int [question, word]``."""
        table = (self.num_tokens, self.width)
        inward, outward, asked = (self.param(name, normal, table) for name in ("inward", "outward", "asked"))
        ages = (story.shape[-2], self.width)
        weights = position_encoding(story, self.width)
        memory = (inward[story] * weights).sum(-2) + self.param("inward_age", normal, ages)
        output = (outward[story] * weights).sum(-2) + self.param("outward_age", normal, ages)
        transition = self.param("transition", normal, (self.width, self.width))
        is_there = (story > 0).any(-1)
        state = (asked[question] * position_encoding(question, self.width)).sum(-2)
        for _ in range(self.hops):
            match = jnp.where(is_there, jnp.einsum("bd,bsd->bs", state, memory), -1e9)
            found = jnp.einsum("bs,bsd->bd", jax.nn.softmax(match), output)
            state = nn.relu(state @ transition + found)
        return state @ self.param("answer", normal, (self.width, self.num_tokens))


def position_encoding(words: Array, width: int) -> Array:
    """How much each word counts in each entry of a sentence's vector, ``[…, word, entry]``; nothing for padding.

    Section 4.1 of the paper: (1 - j/J) - (k/d)(1 - 2j/J) for word j of J and entry k of d, both counted from 1.
    """
    is_word = words > 0
    length = jnp.maximum(is_word.sum(-1, keepdims=True), 1)
    place = jnp.arange(1, words.shape[-1] + 1) / length
    entry = jnp.arange(1, width + 1) / width
    weight = (1 - place)[..., None] - entry * (1 - 2 * place)[..., None]
    return jnp.where(is_word[..., None], weight, 0.0)
