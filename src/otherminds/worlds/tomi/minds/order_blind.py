"""Trained minds that are blind to order: logistic regressions over the choices, from counts of words or events.

Every sentence is read by itself, so a shuffled story looks the same to them. All they can know of a container is
whether the object is announced or moved there, and by whom. That is enough for 85 to 90 % of ToMi (spec 13), and for
nothing on order twins.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, CannotAnswer, Reply
from otherminds.core.world import Ask
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.observe import Text, probe_of
from otherminds.worlds.tomi.parse import understand
from otherminds.worlds.tomi.text import STATEMENTS

Array = NDArray[np.float64]
Features = Mapping[str, float]
_STEPS = 100
_DECAY = 10.0  # of the weights, against a whole training set
_RARE = 5  # features of fewer stories are ignored


class Sentence(NamedTuple):
    """A sentence by itself."""

    kind: str
    template: str
    names: Mapping[str, str]  # by field of the template


@lru_cache(maxsize=1 << 16)
def _sentence(text: str) -> Sentence:
    understood = understand(text)
    if understood is None:
        raise UserError(f"{text!r} is not a sentence of a story; expected one such as 'Ann entered the attic.'")
    kind, form, match = understood
    return Sentence(kind, STATEMENTS[kind][form], match.groupdict())


class Sack:
    """An item without order: its sentences, who is asked about what, and what may be answered."""

    def __init__(self, item: LabelledQuestion | Text) -> None:
        probe = probe_of(item.question)
        self.group = f"{probe.kind}/{probe.order}"
        self.chain = probe.chain
        self.object = probe.about
        self.sentences = [_sentence(text) for text in item.story]
        about = [s for s in self.sentences if s.names.get("object") == self.object]
        self.announced = {s.names["container"] for s in about if s.kind == "announce"}
        self.moves = [(s.names["agent"], s.names["container"]) for s in about if s.kind == "move"]
        self.movers = {agent for agent, _ in self.moves}
        self.choices = sorted(item.choices or {s.names["container"] for s in about})

    def who(self, agent: str) -> str:
        """Role of a person: the place in the chain asked about, if any, and whether they move the object."""
        place = str(self.chain.index(agent)) if agent in self.chain else "other"
        return f"{place} mover" if agent in self.movers else place

    def main_room(self) -> str:
        """The room of the object, as far as it can be told without order: where its containers stand, or movers go."""
        boxes = self.announced | {box for _, box in self.moves}
        for sentence in self.sentences:
            if sentence.kind == "furnish":
                listed = sentence.names.get("containers") or sentence.names["container"]
                if boxes & set(re.split(", the | and the ", listed)):
                    return sentence.names["room"]
        entries = [s.names for s in self.sentences if s.kind in ("enter", "already")]
        rooms = Counter(names["room"] for names in entries)
        movers = Counter(names["room"] for names in entries if names["agent"] in self.movers)
        return max(rooms, key=lambda room: (movers[room], rooms[room], room), default="")


class Bag(BaseMind, ABC):
    """Base of both bags: a regression for each kind of question."""

    def __init__(self) -> None:
        self._models: dict[str, _Regression] = {}

    def fit(self, items: Sequence[LabelledQuestion]) -> Self:
        """A mind that is trained on questions and their answers. Questions without choices are ignored."""
        seen: dict[str, list[tuple[Features, list[str], str]]] = defaultdict(list)
        for item in items:
            sack = Sack(item)
            if item.answer in sack.choices:
                parts = {choice: self._part(sack, choice) for choice in sack.choices}
                seen[sack.group].append((self.features(sack), list(parts.values()), parts[item.answer]))
        made = type(self)()
        made._models = {group: _Regression.fit(examples) for group, examples in seen.items()}
        return made

    def reply(self, ask: Ask) -> Reply:
        """The likeliest choice; the first in the alphabet for kinds of questions without training."""
        if ask.probe is None:
            raise CannotAnswer(f"{self.name} leaves no notes")
        sack = Sack(ask.view.data)
        if not sack.choices:
            return Reply("")
        parts = [self._part(sack, choice) for choice in sack.choices]
        model = self._models.get(sack.group)
        return Reply(sack.choices[model.best(self.features(sack), parts) if model else 0])

    def _part(self, sack: Sack, choice: str) -> str:
        return choice if choice in ("yes", "no") else f"{choice in sack.announced} {self.moved(sack, choice)}"

    @abstractmethod
    def features(self, sack: Sack) -> Features:
        """Counts of a story."""

    @abstractmethod
    def moved(self, sack: Sack, choice: str) -> str:
        """How the object is moved to a container."""


class BagOfWords(Bag):
    """Counts words. Names are hidden, so that it generalises, but for the object asked about."""

    name = "bag-of-words"

    def features(self, sack: Sack) -> Features:
        """How often each word of a template occurs."""
        counts: Counter[str] = Counter()
        for sentence in sack.sentences:
            about = "*" if sack.object in (sentence.names.get("object"), sentence.names.get("thing")) else ""
            counts.update(word.strip(".") + about for word in sentence.template.split())
        return counts

    def moved(self, sack: Sack, choice: str) -> str:
        """How often."""
        return str(sum(box == choice for _, box in sack.moves))


class BagOfEvents(Bag):
    """Counts who does what where: by part in the question, and main or other room; single counts and pairs of them."""

    name = "bag-of-events"

    def features(self, sack: Sack) -> Features:
        """How often each kind of event occurs, and the product of every two counts."""
        main, counts = sack.main_room(), Counter[str]()
        for sentence in sack.sentences:
            names = sentence.names
            if "agent" not in names:
                continue
            room = "" if "room" not in names else " main" if names["room"] == main else " elsewhere"
            about = " it" if names.get("object") == sack.object else ""
            counts[f"{sack.who(names['agent'])} {sentence.kind}{room}{about}"] += 1
        pairs = combinations_with_replacement(sorted(counts), 2)
        return {**counts, **{f"{first} & {second}": float(counts[first] * counts[second]) for first, second in pairs}}

    def moved(self, sack: Sack, choice: str) -> str:
        """By whom."""
        return ", ".join(sorted(sack.who(agent) for agent, box in sack.moves if box == choice))


@dataclass(frozen=True)
class _Regression:
    """Multinomial logistic regression: a choice's score is the product of a story's counts with weights of its part."""

    columns: dict[str, int]
    parts: dict[str, int]
    mean: Array  # [feature]
    scale: Array  # [feature]
    weights: Array  # [part, feature]; the last feature is 1

    @classmethod
    def fit(cls, seen: Sequence[tuple[Features, Sequence[str], str]]) -> _Regression:
        """From stories, the parts of their choices, and that of the right one."""
        times = Counter(name for features, _, _ in seen for name in features)
        columns = {name: at for at, name in enumerate(sorted(name for name in times if times[name] >= _RARE))}
        # Without order many stories are one and the same: each is kept once, with counts of the right parts.
        kept: dict[tuple[frozenset[tuple[str, float]], tuple[str, ...]], Counter[str]] = defaultdict(Counter)
        for features, choices, right in seen:
            known = frozenset((name, count) for name, count in features.items() if name in columns)
            kept[known, tuple(sorted(choices))][right] += 1
        parts = {name: at for at, name in enumerate(sorted({name for _, choices in kept for name in choices}))}
        raw = np.zeros((len(kept), len(columns)))
        size, right_ones = np.zeros((len(kept), len(parts))), np.zeros((len(kept), len(parts)))
        for row, ((counts, choices), rights) in enumerate(kept.items()):
            for name, count in counts:
                raw[row, columns[name]] = count
            for name in choices:
                size[row, parts[name]] += 1
            for name, number in rights.items():
                right_ones[row, parts[name]] = number
        mean, scale = raw.mean(axis=0), np.maximum(raw.std(axis=0), 1e-9)
        inputs = np.hstack([(raw - mean) / scale, np.ones((len(raw), 1))])
        return cls(columns, parts, mean, scale, _descend(inputs, size, right_ones))

    def best(self, story: Features, parts: Sequence[str]) -> int:
        """The number of the likeliest choice; unknown features and parts are ignored."""
        counts = np.zeros(len(self.columns))
        for name, count in story.items():
            if name in self.columns:
                counts[self.columns[name]] = count
        scores = self.weights @ np.append((counts - self.mean) / self.scale, 1.0)
        return int(np.argmax([scores[self.parts[part]] if part in self.parts else 0.0 for part in parts]))


def _descend(inputs: Array, size: Array, right: Array) -> Array:
    """Weights of the greatest penalised likelihood, by accelerated gradient descent: convex, so chance has no part.

    Args:
        inputs: ``[story, feature]``.
        size: number of choices with each part, ``[story, part]``.
        right: number of times a choice with that part was right, ``[story, part]``.
    """
    times = right.sum(axis=1, keepdims=True)
    step = 1 / (_largest(inputs * np.sqrt(times)) / 2 + _DECAY)  # as fast as the gradient can change
    weights = ahead = np.zeros((size.shape[1], inputs.shape[1]))
    for number in range(_STEPS):
        scores = np.where(size > 0, inputs @ ahead.T, -np.inf)
        likely = size * np.exp(scores - scores.max(axis=1, keepdims=True))
        error = times * likely / likely.sum(axis=1, keepdims=True) - right
        following = ahead - step * (error.T @ inputs + _DECAY * ahead)
        ahead = following + number / (number + 3) * (following - weights)
        weights = following
    return weights


def _largest(inputs: Array) -> float:
    """The largest eigenvalue of the inputs' Gram matrix, and a little more, by repeated products."""
    vector = np.ones(inputs.shape[1]) / np.sqrt(inputs.shape[1])
    length = 0.0
    for _ in range(30):
        vector = inputs.T @ (inputs @ vector)
        length = float(np.linalg.norm(vector))
        vector /= length
    return 1.1 * length
