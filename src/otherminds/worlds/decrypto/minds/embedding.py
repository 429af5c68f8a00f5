"""The paper's embedding baselines: cosine similarity and nothing else (spec 3).

Alice picks a word near the keyword, Bob matches hints with keywords, and Eve matches hints with the mean of past hints.
None of them models the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial, update_wrapper

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing
from otherminds.core.seeds import Draw
from otherminds.core.world import Ask
from otherminds.worlds.decrypto.minds.scripted import ScriptedMind, asked_of_alice
from otherminds.worlds.decrypto.observe import RoleView, eve_as_seen_by
from otherminds.worlds.decrypto.probes import Answer
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import HIDDEN, Code, Hints, Rules, role_of
from otherminds.worlds.decrypto.words.lexicon import NUM_HINTS, SHIPPED, Array, Lexicon, hint_words
from otherminds.worlds.decrypto.words.lexicon import lexicon as find_lexicon

K = 16  # number of nearest words that Alice chooses from at first
_KEPT = 256  # nearest words that are cached for a keyword, more than a game needs


class Vocabulary:
    """Hint words of one lexicon with their cosines to keywords, which are cached."""

    def __init__(self, meaning: Lexicon, words: Sequence[str]) -> None:
        known = [word for word in words if word in meaning]
        if not known:
            raise UserError(
                f"lexicon {meaning.name!r} contains none of the {len(words)} hint words; choose another lexicon"
            )
        self.meaning, self.words = meaning, tuple(known)
        self.index = {word: at for at, word in enumerate(self.words)}
        self.vectors = meaning.matrix(known)
        self._rows: dict[str, Array] = {}
        self._orders: dict[str, list[int]] = {}

    def similarities(self, keyword: str) -> Array:
        """The cosine of each word with a keyword."""
        if keyword not in self._rows:
            # Not a matrix product: those wait for threads, which is slow on a busy machine.
            self._rows[keyword] = np.einsum("ij,j->i", self.vectors, self.meaning.vector(keyword))
        return self._rows[keyword]

    def nearest(self, keyword: str, number: int) -> list[int]:
        """Indices of the words nearest to a keyword, nearest first; ties go to the more frequent word."""
        known = self._orders.get(keyword, [])
        if len(known) < min(number, len(self.words)):
            order = np.argsort(-self.similarities(keyword), kind="stable")
            known = self._orders[keyword] = order[: max(_KEPT, number)].tolist()
        return known[:number]


@cache
def vocabulary(name: str, number: int = NUM_HINTS) -> Vocabulary:
    """The shipped hint words in the lexicon of a name."""
    return Vocabulary(find_lexicon(name), hint_words(number))


@dataclass
class EmbeddingAlice(ScriptedMind):
    """Alice who picks a random word among the nearest to the keyword that is nearer to it than to the others."""

    words: Vocabulary
    k: int = K  # number of nearest words that she chooses from; one more each time a keyword is hinted at
    fallbacks: int = field(default=0, init=False)  # hints of this game for which no candidate qualified

    def __post_init__(self) -> None:
        self.name = f"{self.words.meaning.name}-k{self.k}"

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._draw, number = Draw(seed), briefing.setting.keywords
        self._given: list[set[int]] = [set() for _ in range(number)]
        self._looks = [self.k] * number
        self.fallbacks = 0

    def act(self, view: RoleView) -> Hints:
        rows = [self.words.similarities(word) for word in view.keywords]
        return tuple([self._hint(digit - 1, view.keywords[digit - 1], rows) for digit in view.code])

    def _hint(self, slot: int, own: str, rows: Sequence[Array]) -> str:
        words = self.words
        number = self._looks[slot]
        self._looks[slot] += 1
        taken = {words.index.get(own.lower(), -1), *self._given[slot]}
        near = [at for at in words.nearest(own, number) if at not in taken]
        chosen = self._fitting(near, slot, rows)
        if chosen is None:
            self.fallbacks += 1
            pool = [at for at in words.nearest(own, self.k) if at not in taken] or range(len(words.words))
            chosen = self._draw.pick(pool)
        self._given[slot].add(chosen)
        return words.words[chosen]

    def _fitting(self, near: list[int], slot: int, rows: Sequence[Array]) -> int | None:
        """A random word among those that are nearest to their own keyword; ``None`` if there is none."""
        own, others = rows[slot], [*rows[:slot], *rows[slot + 1 :]]
        while near:  # in random order, one at a time: usually the first one fits
            place = self._draw.below(len(near))
            at, near[place] = near[place], near[-1]
            near.pop()
            if all(row[at] < own[at] for row in others):
                return at
        return None

    def answer(self, ask: Ask) -> Answer:
        """The guess of an Eve with her own lexicon. Her hints do not depend on it: she models nobody."""
        about, view = asked_of_alice(ask)
        guess = EmbeddingGuesser(self.words.meaning).act(eve_as_seen_by(view))
        return guess if about == "guess" else float(guess == view.code)

    def lexica(self) -> tuple[Lexicon, ...]:
        return (self.words.meaning,)


@dataclass
class EmbeddingGuesser(ScriptedMind):
    """Bob matches hints with keywords, Eve with the mean of each digit's past hints."""

    meaning: Lexicon
    remembers_codes: bool = False  # and leaves out those that were played; the original does not

    def __post_init__(self) -> None:
        self.name = self.meaning.name

    def act(self, view: RoleView) -> Code:
        targets = self.meaning.matrix(view.keywords) if view.keywords else mean_hints(self.meaning, view)
        scores = self.meaning.matrix(view.hints) @ targets.T
        totals = code_totals(scores, view.rules, view.used if self.remembers_codes else ())
        return all_codes(view.rules)[int(totals.argmax())]  # ties go to the first code: 1-2-3 if nothing is known

    def lexica(self) -> tuple[Lexicon, ...]:
        return (self.meaning,)


def mean_hints(meaning: Lexicon, view: RoleView) -> Array:
    """The mean direction of each digit's past hints, ``[digit, dimension]``; zero without readable hints."""
    means = np.zeros((view.rules.keywords, meaning.vectors.shape[1]), np.float32)
    for slot, past in enumerate(view.hints_by_digit):
        read = [hint for hint in past if hint != HIDDEN]
        if read:
            total = meaning.matrix(read).sum(axis=0)
            means[slot] = total / (math.sqrt(total @ total) or 1)
    return means


def code_totals(scores: Array, rules: Rules, used: Sequence[Code] = ()) -> Array:
    """The sum of scores, ``[hint, digit]``, for every code; played codes have minus infinity."""
    totals: Array = scores.take(_places(rules)).sum(axis=1)
    if used:
        totals[[all_codes(rules).index(code) for code in used]] = -np.inf
    return totals


@cache
def _places(rules: Rules) -> Array:
    """Places of the scores of each code in the table of all scores, ``[code, hint]``."""
    return np.array(all_codes(rules)) - 1 + rules.keywords * np.arange(rules.length)


def embedding(
    seat: str, lexicon: str = "glove", k: int = K, vocabulary_size: int = NUM_HINTS, remembers_codes: bool = False
) -> EmbeddingAlice | EmbeddingGuesser:
    """The baseline in any seat.

    Args:
        seat: any seat.
        lexicon: name or file of a lexicon.
        k: number of nearest words that Alice chooses from at first.
        vocabulary_size: number of hint words.
        remembers_codes: whether Bob and Eve leave out codes that were played.

    Raises:
        UserError: if the lexicon does not exist.
    """
    if k < 1:
        raise UserError(f"option 'k' of mind 'embedding:lexicon={lexicon}' is {k}; expected at least 1")
    if role_of(seat) != "alice":
        return EmbeddingGuesser(find_lexicon(lexicon), remembers_codes)
    return EmbeddingAlice(vocabulary(lexicon, vocabulary_size), k)


LEXICA = {name: update_wrapper(partial(embedding, lexicon=name), embedding) for name in SHIPPED}
