"""Trained readers of ToMi: a network with its words, from a file.

reader = load_reader("runs/…")        # a run directory or a reader file
answers_of(reader, items)             # one word for each question
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, CannotAnswer, Reply
from otherminds.core.world import Ask
from otherminds.run.arrays import digest, fill, flatten, read_arrays, write_arrays
from otherminds.worlds.tomi.minds import READER
from otherminds.worlds.tomi.minds.encode import Vocabulary
from otherminds.worlds.tomi.minds.networks import best_answer, make_network

_AT_ONCE = 128  # questions in one call of the network: one program serves any number of them


@dataclass(eq=False)
class TrainedModel(BaseMind):
    """A trained model that answers questions about stories."""

    name: str
    network: nn.Module
    variables: Any
    vocabulary: Vocabulary

    def reply(self, ask: Ask) -> Reply:
        (reply,) = self.replies([ask])
        if isinstance(reply, CannotAnswer):
            raise reply
        return reply

    def replies(self, asks: Sequence[Ask]) -> list[Reply | CannotAnswer]:
        """One answer for each question, in lower case. Nothing but story and question is looked at."""
        texts = [ask.view.data for ask in asks if ask.probe is not None]
        encoded = self.vocabulary.encode(texts)
        numbers: list[int] = []
        for start in range(0, len(texts), _AT_ONCE):
            chosen = (start + np.arange(_AT_ONCE)) % len(texts)
            story, question = encoded.story[encoded.story_of[chosen]], encoded.question[chosen]
            numbers += _answer(self.network, self.variables, story, question).tolist()
        answers = iter([self.vocabulary.answer(number, text) for number, text in zip(numbers, texts, strict=False)])
        refused = CannotAnswer(f"{self.name} leaves no notes")
        return [refused if ask.probe is None else Reply(next(answers)) for ask in asks]


_answer = partial(jax.jit, static_argnums=0)(best_answer)


def save_reader(path: str | Path, variables: Any, about: Mapping[str, Any]) -> None:
    """Write a reader file: the variables, and what is needed to use them."""
    arrays = flatten(variables)
    write_arrays(path, arrays, {"about": json.dumps(about, sort_keys=True), "sha256": digest(arrays)})


def load_reader(path: str | PathLike[str]) -> TrainedModel:
    """A trained reader from its file or a run directory. Its name ends in a hash of its weights."""
    path = Path(path)
    file = path / READER if path.is_dir() else path
    if not file.is_file():
        raise UserError(f"{path} holds no trained reader; expected {READER}, which a finished run contains")
    content = read_arrays(file)
    sha256 = digest(content.arrays)
    try:
        about = json.loads(content.metadata["about"])
        known = about.pop("vocabulary")
        vocabulary = Vocabulary(**{**known, "words": tuple(known["words"])})
        network = make_network(about["name"], len(vocabulary), about["network"])
        story = jnp.zeros((1, vocabulary.num_sentences, vocabulary.num_words), jnp.int32)
        question = jnp.zeros((1, vocabulary.num_asked), jnp.int32)
        template = jax.eval_shape(network.init, jax.random.key(0), story, question)
        variables = fill(template, content.arrays)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{file} is not a reader file of otherminds: {error}") from error
    if content.metadata.get("sha256") != sha256:
        raise UserError(f"{file} is damaged: its weights do not match its checksum; restore it or train again")
    return TrainedModel(f"{about['name']}@{sha256[:8]}", network, variables, vocabulary)
