"""The three networks of the paper, by name, with the sizes of ToM-bAbI's authors (spec 10).

MemNN is the end-to-end memory network (Sukhbaatar et al. 2015), EntNet the recurrent entity network (Henaff et al.
2017), RelNet the relation network (Santoro et al. 2017).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from otherminds.core.errors import UserError, check_like, nearest
from otherminds.worlds.tomi.minds.encode import PADDING

Array = Any
normal = nn.initializers.normal(0.1)
ones = nn.initializers.ones


class MemNN(nn.Module):
    """Looks over all sentences ``hops`` times, each time with what it found so far.

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
            recalled = jnp.einsum("bs,bsd->bd", jax.nn.softmax(match), output)
            state = nn.relu(state @ transition + recalled)
        return state @ self.param("answer", normal, (self.width, self.num_tokens))


def position_encoding(words: Array, width: int) -> Array:
    """Weight of each word in each entry of a sentence's vector, ``[…, word, entry]``; 0 for padding.

    Section 4.1 of the paper: (1 - j/J) - (k/d)(1 - 2j/J) for word j of J and entry k of d, both counted from 1.
    """
    is_word = words > 0
    length = jnp.maximum(is_word.sum(-1, keepdims=True), 1)
    place = jnp.arange(1, words.shape[-1] + 1) / length
    entry = jnp.arange(1, width + 1) / width
    weight = (1 - place)[..., None] - entry * (1 - 2 * place)[..., None]
    return jnp.where(is_word[..., None], weight, 0.0)


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
        sentences = _bag(words, story, self.param("said_mask", ones, (story.shape[-1], self.width)))
        slope = self.param("slope", ones, (self.width,))
        states = self._read(sentences, (story > 0).any(-1), slope)
        share = jax.nn.softmax(jnp.einsum("bd,bjd->bj", asked, states))
        recalled = jnp.einsum("bj,bjd->bd", share, states)
        hidden = asked + recalled @ self.param("hop", normal, (self.width, self.width))
        return _prelu(hidden, slope) @ self.param("answer", normal, (self.width, self.num_tokens))

    def _read(self, sentences: Array, is_there: Array, slope: Array) -> Array:
        """The slots after the last sentence, ``[question, slot, entry]``."""
        square = (self.width, self.width)
        keys = self.param("keys", normal, (self.slots, self.width))
        of_state, of_key, of_sentence = (self.param(name, normal, square) for name in ("state", "key", "sentence"))
        bias = self.param("bias", nn.initializers.zeros, (self.slots,))
        # All that does not depend on the slots' states is computed for the whole story at once.
        from_key, from_sentence = keys @ of_key, sentences @ of_sentence
        key_match = sentences @ keys.T + bias

        def step(states: Array, row: tuple[Array, Array, Array, Array]) -> tuple[Array, None]:
            sentence, news, match, is_there = row
            gate = nn.sigmoid(jnp.einsum("bd,bjd->bj", sentence, states) + match)
            change = _prelu(states @ of_state + from_key + news[:, None], slope)
            moved = states + gate[..., None] * change
            length = jnp.sqrt(jnp.square(moved).sum(-1, keepdims=True) + 1e-12)
            return jnp.where(is_there[:, None, None], moved / length, states), None

        start = jnp.broadcast_to(keys, (sentences.shape[0], *keys.shape))
        rows = (sentences, from_sentence, key_match, is_there)
        states, _ = jax.lax.scan(step, start, jax.tree.map(lambda leaf: jnp.swapaxes(leaf, 0, 1), rows))
        return states


def _bag(words: Array, text: Array, mask: Array) -> Array:
    """Sentences as sums of their words, each weighed by its place (learned; all ones at first)."""
    return jnp.where((text > 0)[..., None], words[text] * mask, 0.0).sum(-2)


def _prelu(values: Array, slope: Array) -> Array:
    return jnp.where(values >= 0, values, slope * values)


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
        sentences = _last(nn.OptimizedLSTMCell(self.width, name="said"), words[story], story)
        asked = _last(nn.OptimizedLSTMCell(self.width, name="asked"), words[question], question)
        places = jnp.broadcast_to(jnp.eye(story.shape[1]), (*sentences.shape[:2], story.shape[1]))
        objects = jnp.concatenate([sentences, places], -1)
        first, second = np.triu_indices(story.shape[1])  # all pairs, the earlier first, and each with itself
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


def _last(cell: nn.RNNCellBase, entries: Array, text: Array) -> Array:
    """State of an LSTM after the last word of each sentence, ``[…, entry]``."""
    flat = entries.reshape((-1, *entries.shape[-2:]))
    length = (text > 0).sum(-1).reshape(-1)
    (_, out), _ = nn.RNN(cell, return_carry=True)(flat, seq_lengths=jnp.maximum(length, 1))
    return out.reshape((*entries.shape[:-2], -1))


NETWORKS: dict[str, type[nn.Module]] = {"memnn": MemNN, "entnet": EntNet, "relnet": RelNet}


def find_network(name: str) -> type[nn.Module]:
    """The kind of network of that name."""
    if name not in NETWORKS:
        raise UserError(f"there is no model {name!r}{nearest(name, NETWORKS)}")
    return NETWORKS[name]


def network_fields(name: str, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All fields of a model's network, some of them changed."""
    kind = find_network(name)
    hidden = ("num_tokens", "parent", "name")
    usual: dict[str, Any] = {f.name: f.default for f in fields(kind) if f.name not in hidden}
    kinds = get_type_hints(kind)
    for key, value in (changes or {}).items():
        if key not in usual:
            raise UserError(f"{name} has no field {key!r} of its network{nearest(key, usual)}")
        label = f"{name}: {key}"
        if get_origin(kinds[key]) is Literal:
            if value not in get_args(kinds[key]):
                raise UserError(f"{label} is {value!r}{nearest(str(value), get_args(kinds[key]))}")
        elif isinstance(usual[key], tuple):
            if not isinstance(value, list | tuple) or not value:
                raise UserError(f"{label} is {value!r}; expected a list of widths, such as {list(usual[key])}")
            for width in value:
                check_like(label, width, usual[key][0])
        else:
            check_like(label, value, usual[key])
    chosen = usual | dict(changes or {})
    return {key: list(value) if isinstance(value, tuple) else value for key, value in chosen.items()}


def make_network(name: str, num_tokens: int, chosen: Mapping[str, Any]) -> nn.Module:
    """The network of that name and those fields."""
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in chosen.items()}
    return find_network(name)(num_tokens=num_tokens, **values)


def best_answer(network: nn.Module, variables: Any, story: Any, question: Any) -> Any:
    """The likeliest answer to each question, ``int32 [question]``; padding is never one."""
    logits: Any = network.apply(variables, story, question)
    return logits.at[:, PADDING].set(-jnp.inf).argmax(-1).astype(jnp.int32)
