"""Questions as arrays: words become numbers, and a story that is asked about six times is stored once.

Text is lower case, punctuation at the end of a word is dropped, and an answer is one entry of the vocabulary however
many words it has (spec 10). Stories stand at the end of their rows: the last sentence is always in the last row, so
that a row's number says how long ago a sentence was. Number 0 is padding and means nothing to any model.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.observe import Text

PADDING = 0
_SPECIAL = ("<padding>",)
_MARKS = ".,;:?!\"'"


class Encoded(NamedTuple):
    """Questions as arrays."""

    story: Any  # int32 [story, sentence, word]
    question: Any  # int32 [question, word]
    story_of: Any  # int32 [question], the row of its story
    answer: Any  # int32 [question]; -1 if the right answer is not in the vocabulary


@dataclass(frozen=True)
class Vocabulary:
    """The words that a model knows, and the sizes of the arrays that it reads.

    Words that it has not met in training take the places of ``<unknown-1>``, ``<unknown-2>`` … in the order in which
    a story and its question bring them up: different words stay different, the same word stays the same, and a model
    that points at one of them can still name it. Further ones share the last place.
    """

    words: tuple[str, ...]  # by number, those without meaning first
    num_unknown: int  # places for words that were not met in training
    num_sentences: int  # sentences that are kept of a story, the last ones
    num_words: int  # of the longest sentence; longer ones lose their end
    num_asked: int  # words of the longest question

    @classmethod
    def of(cls, items: Sequence[LabelledQuestion], last: int = 70, num_unknown: int = 8) -> Vocabulary:
        """The vocabulary of training items, with arrays large enough for them."""
        if not items:
            raise UserError("there is nothing to learn from: the training set has no questions")
        stories = [[tokens(sentence) for sentence in story] for story in {item.story: None for item in items}]
        questions = [tokens(item.question) for item in items]
        words = {word for story in stories for sentence in story for word in sentence}
        words |= {word for question in questions for word in question} | {answer_token(item.answer) for item in items}
        unknown = tuple(f"<unknown-{number}>" for number in range(1, num_unknown + 1))
        return cls(
            words=(*_SPECIAL, *unknown, *sorted(words)),
            num_unknown=num_unknown,
            num_sentences=min(last, max([1, *map(len, stories)])),
            num_words=max((len(sentence) for story in stories for sentence in story), default=1) or 1,
            num_asked=max(map(len, questions)) or 1,
        )

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def encode(self, items: Sequence[LabelledQuestion | Text]) -> Encoded:
        """The items as arrays, each story once; what is only asked has no answer.

        Two questions share a story only if they also bring up the same unknown words.
        """
        rows: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}
        stories: list[list[list[int]]] = []
        questions = np.zeros((len(items), self.num_asked), np.int32)
        story_of, answers = np.zeros(len(items), np.int32), np.zeros(len(items), np.int32)
        for number, item in enumerate(items):
            strangers = self.strangers(item)
            row = rows.setdefault((item.story, strangers), len(rows))
            places = {word: len(_SPECIAL) + min(at, self.num_unknown - 1) for at, word in enumerate(strangers)}
            numbers = ChainMap(places, self._numbers)
            if row == len(stories):
                kept = item.story[max(0, len(item.story) - self.num_sentences) :]
                stories.append([[numbers[word] for word in tokens(s)][: self.num_words] for s in kept])
            asked = [numbers[word] for word in tokens(item.question)][: self.num_asked]
            questions[number, : len(asked)] = asked
            story_of[number] = row
            token = answer_token(item.answer) if isinstance(item, LabelledQuestion) else ""
            answers[number] = numbers.get(token, -1)
        packed = np.zeros((len(stories), self.num_sentences, self.num_words), np.int32)
        for row, story in enumerate(stories):
            for place, sentence in enumerate(story, self.num_sentences - len(story)):
                packed[row, place, : len(sentence)] = sentence
        return Encoded(packed, questions, story_of, answers)

    def strangers(self, item: LabelledQuestion | Text) -> tuple[str, ...]:
        """The words of a story and its question that were not met in training, in the order of their appearance."""
        words = (word for text in (*item.story, item.question) for word in tokens(text))
        return tuple(dict.fromkeys(word for word in words if word not in self._numbers))

    def answer(self, number: int, item: LabelledQuestion | Text) -> str:
        """The answer with a number, in words."""
        strangers = self.strangers(item)
        place = number - len(_SPECIAL)
        if 0 <= place < min(self.num_unknown, len(strangers)):
            return strangers[place]
        return self.words[number]


@lru_cache(maxsize=1 << 16)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a sentence."""
    return tuple(word for word in (word.rstrip(_MARKS) for word in text.lower().split()) if word)


def answer_token(answer: str) -> str:
    """An answer as one entry of the vocabulary."""
    return " ".join(tokens(answer))
