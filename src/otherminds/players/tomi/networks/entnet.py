"""EntNet, the recurrent entity network (Henaff et al. 2017) with the sizes of ToM-bAbI's authors (spec 10)."""

from __future__ import annotations

from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp

Array = Any
normal = nn.initializers.normal(0.1)
ones = nn.initializers.ones


class EntNet(nn.Module):
    """Keeps a vector for each of some entities, and lets every sentence rewrite those that it is about.

    The state of a slot begins as its key. An empty row rewrites nothing.
    """

    num_tokens: int
    width: int = 100
    slots: int = 20

    @nn.compact
    def __call__(self, story: Array, question: Array) -> Array:
        """Logits ``[question, token]`` from ``int [question, sentence, word]`` and ``int [question, word]``."""
        words = self.param("words", normal, (self.num_tokens, self.width))
        asked = _bag(words, question, self.param("asked_mask", ones, (question.shape[-1], self.width)))
        said = _bag(words, story, self.param("said_mask", ones, (story.shape[-1], self.width)))
        slope = self.param("slope", ones, (self.width,))
        states = self._read(said, (story > 0).any(-1), slope)
        share = jax.nn.softmax(jnp.einsum("bd,bjd->bj", asked, states))
        found = jnp.einsum("bj,bjd->bd", share, states)
        hidden = asked + found @ self.param("hop", normal, (self.width, self.width))
        return _prelu(hidden, slope) @ self.param("answer", normal, (self.width, self.num_tokens))

    def _read(self, said: Array, is_there: Array, slope: Array) -> Array:
        """The slots after the last sentence, ``[question, slot, entry]``."""
        square = (self.width, self.width)
        keys = self.param("keys", normal, (self.slots, self.width))
        of_state, of_key, of_sentence = (self.param(name, normal, square) for name in ("state", "key", "sentence"))
        bias = self.param("bias", nn.initializers.zeros, (self.slots,))
        # All that does not depend on the slots' states is computed for the whole story at once.
        from_key, from_sentence = keys @ of_key, said @ of_sentence
        key_match = said @ keys.T + bias

        def step(states: Array, row: tuple[Array, Array, Array, Array]) -> tuple[Array, None]:
            sentence, news, match, is_there = row
            gate = nn.sigmoid(jnp.einsum("bd,bjd->bj", sentence, states) + match)
            change = _prelu(states @ of_state + from_key + news[:, None], slope)
            moved = states + gate[..., None] * change
            length = jnp.sqrt(jnp.square(moved).sum(-1, keepdims=True) + 1e-12)
            return jnp.where(is_there[:, None, None], moved / length, states), None

        start = jnp.broadcast_to(keys, (said.shape[0], *keys.shape))
        rows = (said, from_sentence, key_match, is_there)
        states, _ = jax.lax.scan(step, start, jax.tree.map(lambda leaf: jnp.swapaxes(leaf, 0, 1), rows))
        return states


def _bag(words: Array, text: Array, mask: Array) -> Array:
    """Sentences as sums of their words, each weighed by its place (learned; all ones at first)."""
    return jnp.where((text > 0)[..., None], words[text] * mask, 0.0).sum(-2)


def _prelu(values: Array, slope: Array) -> Array:
    return jnp.where(values >= 0, values, slope * values)
