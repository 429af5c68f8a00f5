"""RelNet, the relation network (Santoro et al. 2017) with the sizes of ToM-bAbI's authors (spec 10)."""

from __future__ import annotations

from typing import Any, Literal

import flax.linen as nn
import jax.numpy as jnp
import numpy as np

Array = Any


class RelNet(nn.Module):
    """Looks at every pair of sentences with the question in mind, and adds up what it sees.

    Differs from the published settings in two ways. There is no batch norm; layer norm is an option (``norm``). And a
    pair is looked at once, the earlier sentence first, instead of in both orders: the position tags say which is which,
    the sum has the same terms to offer, and it costs half.
    """

    num_tokens: int
    word_width: int = 32
    word_scale: float = 1.0
    width: int = 16  # of both LSTMs
    relation: tuple[int, ...] = (256, 256, 256, 256)  # the layers of g
    answer: tuple[int, ...] = (256, 512)  # the layers of f, without the last
    norm: Literal["none", "layer"] = "none"

    @nn.compact
    def __call__(self, story: Array, question: Array) -> Array:
        """Logits ``[question, token]`` from ``int [question, sentence, word]`` and ``int [question, word]``."""
        words = self.param("words", nn.initializers.normal(self.word_scale), (self.num_tokens, self.word_width))
        said = _last(nn.OptimizedLSTMCell(self.width, name="said"), words[story], story)
        asked = _last(nn.OptimizedLSTMCell(self.width, name="asked"), words[question], question)
        places = jnp.broadcast_to(jnp.eye(story.shape[1]), (*said.shape[:2], story.shape[1]))
        objects = jnp.concatenate([said, places], -1)
        first, second = pairs(story.shape[1])
        # The first layer of g is linear in the pair and the question, so each sentence goes through it once.
        units = self.relation[0]
        hidden = nn.Dense(units, use_bias=False, name="g_first")(objects)[:, first]
        hidden += nn.Dense(units, use_bias=False, name="g_second")(objects)[:, second]
        hidden += nn.Dense(units, name="g_asked")(asked)[:, None]
        hidden = self._activate(hidden)
        for number, units in enumerate(self.relation[1:], 1):
            hidden = self._activate(nn.Dense(units, name=f"g_{number}")(hidden))
        is_there = (story > 0).any(-1)
        hidden = jnp.where((is_there[:, first] & is_there[:, second])[..., None], hidden, 0.0).sum(1)
        for number, units in enumerate(self.answer):
            hidden = self._activate(nn.Dense(units, name=f"f_{number}")(hidden))
        return nn.Dense(self.num_tokens, name="f_out")(hidden)

    def _activate(self, hidden: Array) -> Array:
        return nn.relu(nn.LayerNorm()(hidden) if self.norm == "layer" else hidden)


def pairs(count: int) -> tuple[Array, Array]:
    """All pairs of rows, the earlier one first, and each row with itself."""
    first, second = np.triu_indices(count)
    return first, second


def _last(cell: nn.RNNCellBase, entries: Array, text: Array) -> Array:
    """What an LSTM makes of sentences, ``[…, entry]``, after the last word of each."""
    flat = entries.reshape((-1, *entries.shape[-2:]))
    length = (text > 0).sum(-1).reshape(-1)
    (_, out), _ = nn.RNN(cell, return_carry=True)(flat, seq_lengths=jnp.maximum(length, 1))
    return out.reshape((*entries.shape[:-2], -1))
