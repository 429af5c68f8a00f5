"""What Alice can say this turn, how each possible listener would hear it, and the search for the best of it.

A *model* is one listener with one lexicon. For each model, a candidate hint gives weight to every code that is still
possible; the weights of three hints multiply, and their shares are what that listener thinks of the codes (spec 9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing
from otherminds.core.seeds import Draw
from otherminds.players.decrypto.bayes import KeywordBelief
from otherminds.players.decrypto.embedding import mean_hints
from otherminds.players.decrypto.production import Production
from otherminds.players.decrypto.seats import Hinter
from otherminds.worlds.decrypto.hints import hint_problems
from otherminds.worlds.decrypto.lexicon import Array
from otherminds.worlds.decrypto.observe import View, eve_as_seen_by
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import Code, Hints

CANDIDATES = 150  # hints of each keyword that Alice considers
LAMBDA = 4.0  # how much Eve's failure counts against Bob's success
RESTARTS, ROUNDS = 8, 8
_LEAST = -80.0  # stands for impossible, so that differences stay numbers
_TINY = 1e-30


class Ensemble:
    """Several lexica and the hint words that all of them know."""

    def __init__(self, literals: Sequence[Production]) -> None:
        first, *others = literals
        self.literals = tuple(literals)
        self.words = tuple(word for word in first.hints.words if all(word in one.hints.index for one in others))
        if not self.words:
            raise UserError("the lexica have no hint word in common; join others")
        self.places = [np.array([one.hints.index[word] for word in self.words]) for one in literals]
        self.index = {word: at for at, word in enumerate(self.words)}
        self._kept: dict[str, tuple[Array, Array]] = {}

    def given(self, keyword: str) -> Array:
        """The logarithm of ``S0(h|keyword)``, ``[lexicon, hint]``."""
        return self._of(keyword)[0]

    def cosines(self, keyword: str) -> Array:
        """How near each hint is to a keyword, ``[lexicon, hint]``."""
        return self._of(keyword)[1]

    def _of(self, keyword: str) -> tuple[Array, Array]:
        if keyword not in self._kept:
            pairs = list(zip(self.literals, self.places, strict=True))
            given = np.array([one.log_given(keyword)[places] for one, places in pairs], np.float32)
            self._kept[keyword] = given, np.array([one.hints.similarities(keyword)[places] for one, places in pairs])
        return self._kept[keyword]


class Candidates:
    """The hints that suit each keyword of a game: the nearest ones that every lexicon takes for that keyword.

    Args:
        ensemble: of lexica; a hint must be decodable by all of them.
        view: Alice's, of any turn. Hints that break the rules are left out, unless nobody looks.
    """

    def __init__(self, ensemble: Ensemble, view: View) -> None:
        self._ensemble, keywords = ensemble, view.keywords
        given = np.array([ensemble.given(word) for word in keywords])  # [digit, lexicon, hint]
        cosines = np.array([ensemble.cosines(word) for word in keywords])
        legal = np.ones(len(ensemble.words), bool)
        legal[[at for word in keywords if (at := ensemble.index.get(word.lower())) is not None]] = False
        self._orders = []
        for slot in range(len(keywords)):
            others = np.arange(len(keywords)) != slot
            fits = ((given[slot] > given[others]) & (cosines[slot] > cosines[others])).all(axis=(0, 1)) & legal
            score = np.where(legal, given[slot].mean(axis=0), -np.inf)
            order = np.argsort(-np.where(fits, score + 1e6, score), kind="stable")  # what fits first, then the rest
            order = order[: int(legal.sum())]
            if view.rules.hints != "off":
                order = _within_rules(order, int(fits.sum()), ensemble.words, keywords)
            self._orders.append((order, int(np.isin(order, np.flatnonzero(fits)).sum())))

    def this_turn(self, view: View, number: int) -> list[Array]:
        """For each digit of the code, places of the best candidates that were not given yet."""
        taken = {self._ensemble.index.get(hint, -1) for turn in view.past for hint in turn.hints}
        return [self._best(digit - 1, number, taken) for digit in view.code]

    def _best(self, slot: int, number: int, taken: set[int]) -> Array:
        """At least one, decodable or not."""
        order, decodable = self._orders[slot]
        found = [at for at in order[:decodable][: number + len(taken)].tolist() if at not in taken][:number]
        return np.array(found or [at for at in order[: number + len(taken)].tolist() if at not in taken][:number])


def _within_rules(order: Array, decodable: int, words: Sequence[str], keywords: Sequence[str]) -> Array:
    """Those that are within the rules, of as many as a game can need: checking thousands would take long."""
    enough = order[: max(decodable, 2 * CANDIDATES)]
    return np.array([at for at in enough.tolist() if not hint_problems([words[at]], keywords)])


class Ears:
    """How Bob and Eve would hear hints this turn, with each lexicon, as far as the holder of a view can tell.

    Args:
        view: Alice's, or of a Bob who puts himself in her place.
        ensemble: the lexica that the others may have.
        fears: the kinds of Eve, each with every lexicon: ``bayes``, ``embedding`` (spec 3) or both.
    """

    def __init__(self, view: View, ensemble: Ensemble, fears: Sequence[str] = ("bayes",)) -> None:
        self._fears = fears
        self.codes = tuple(code for code in all_codes(view.rules) if code not in view.used)
        self.digits = np.array(self.codes) - 1  # [code, position]
        self._ensemble = ensemble
        self._given = np.array([ensemble.given(word) for word in view.keywords])  # [digit, lexicon, hint]
        self._cosines = np.array([ensemble.cosines(word) for word in view.keywords])
        seen = eve_as_seen_by(view)
        self._eves = [KeywordBelief(one, seen.hints_by_digit, seen.shown) for one in ensemble.literals]
        self._means = [mean_hints(one.meaning, seen) for one in ensemble.literals]  # each [digit, dimension]
        self._known = np.array([one.chance_of(view.keywords) for one in self._eves])  # [lexicon, digit]

    def bob(self, pool: Array) -> Array:
        """The logarithm of ``S0(h|w)`` for each keyword, ``[lexicon, candidate, digit]``."""
        found: Array = np.maximum(self._given[:, :, pool].transpose(1, 2, 0), _LEAST)
        return found

    def cosine(self, pool: Array) -> Array:
        """How near each hint is to each keyword, ``[lexicon, candidate, digit]``."""
        found: Array = self._cosines[:, :, pool].transpose(1, 2, 0)
        return found

    def eve(self, pool: Array) -> Array:
        """The same by what Eve believes of the keywords, ``[kind and lexicon, candidate, digit]``."""
        places = [places[pool] for places in self._ensemble.places]
        found = []
        if "bayes" in self._fears:
            found += [eve.log_chances_at(at) for eve, at in zip(self._eves, places, strict=True)]
        if "embedding" in self._fears:
            for literal, mean, at in zip(self._ensemble.literals, self._means, places, strict=True):
                found.append(literal.beta * np.einsum("hd,jd->hj", literal.hints.vectors[at], mean))
        return np.maximum(found, _LEAST)

    def both(self, pool: Array) -> tuple[Array, Array]:
        """What Bob and what Eve hears."""
        return self.bob(pool), self.eve(pool)

    def leak(self, bob: Array, eve: Array) -> Array:
        """The logarithm of Eve's belief in each keyword once she knows that the hint was for it; 0 if she cannot."""
        known, eve = self._known[:, None], eve[: len(self._eves)]
        return np.where(known > 0, np.log(np.maximum(known, 1e-12)) + bob - eve, 0.0)

    def spread(self, logs: Array, position: int) -> Array:
        """From digits to codes: ``[..., digit]`` to weights ``[..., code]``, for a hint in that position.

        Weights are in proportion to likelihoods, the highest being 1.
        """
        found: Array = logs[..., self.digits[:, position]].astype(np.float64)
        weights: Array = np.exp(found - found.max(axis=-1, keepdims=True))
        return weights


@dataclass
class Choices:
    """Everything about this turn that a choice of hints depends on.

    Attributes:
        target: which of the codes that are left is this turn's.
        places: for each position, the candidates in the ensemble's vocabulary, ``[candidate]``.
        bob: for each position, the weight that a hint gives to codes, ``[model, candidate, code]``.
        eve: the same.
        leak: for each position, ``[model, candidate]``; empty if it is not asked for.
    """

    target: int
    places: list[Array]
    bob: list[Array]
    eve: list[Array]
    leak: list[Array]

    @classmethod
    def of(
        cls,
        ears: Ears,
        pools: Sequence[Array],
        code: Code,
        leaks: bool = False,
        hear: Callable[[Array], tuple[Array, Array]] | None = None,
    ) -> Choices:
        """The choices of an Alice who has to hint at a code, from a pool for each of its digits.

        Args:
            ears: how hints are heard.
            pools: candidates.
            code: of the turn.
            leaks: whether it is asked for what Eve learns of the keywords.
            hear: what Bobs and Eves make of a pool, where they are others than the plain ones of the ears.
        """
        found = cls(ears.codes.index(code), list(pools), [], [], [])
        for position, pool in enumerate(pools):
            bob, eve = (hear or ears.both)(pool)
            found.bob.append(ears.spread(bob, position))
            found.eve.append(ears.spread(eve, position))
            if leaks:
                found.leak.append(ears.leak(bob, eve)[..., code[position] - 1])
        return found


class Heard(NamedTuple):
    """What the models make of hints, ``[model, ...]``.

    Attributes:
        read: how likely Bob thinks the code.
        fear: how likely Eve thinks it.
        caught: whether it is Eve's best guess.
        leak: the logarithm of what she will believe in the keywords; ``None`` if it is not asked for.
    """

    read: Array
    fear: Array
    caught: Array
    leak: Array | None = None


Value = Callable[[Heard], Array]


def ascend(choices: Choices, value: Value, draw: Draw, restarts: int = RESTARTS) -> tuple[tuple[int, ...], float]:
    """The best choice of hints found, one position at a time from several beginnings, and its value.

    The first beginning is the nearest hint for each keyword; the others are drawn.
    """
    length = len(choices.places)
    picks = np.array(
        [[draw.below(len(pool)) if start else 0 for pool in choices.places] for start in range(max(1, restarts))]
    )
    values = np.full(len(picks), -np.inf)
    for _ in range(ROUNDS):
        before = picks.copy()
        for here in range(length):
            others = [position for position in range(length) if position != here]
            found = value(_heard(choices, picks, here, others))  # [restart, candidate]
            for other in others:  # a hint can be given once
                found[choices.places[here][None] == choices.places[other][picks[:, other]][:, None]] = -np.inf
            picks[:, here] = found.argmax(axis=1)
            values = found.max(axis=1)
        if np.array_equal(before, picks):
            break
    best = int(values.argmax())
    return tuple(int(pick) for pick in picks[best]), float(values[best])


def code_shares(weights: Sequence[Array]) -> Array:
    """How likely codes are after some hints, from the weights of each, ``[..., code]``."""
    product: Array = np.prod(weights, axis=0)
    found: Array = product / product.sum(axis=-1, keepdims=True)
    return found


def _heard(choices: Choices, picks: Array, here: int, others: Sequence[int]) -> Heard:
    """What is made of every candidate for one position, the others being as picked, ``[model, restart, candidate]``.

    Weights of hints multiply, so what a softmax divides by is a product of matrices: no exponential is taken here.
    """
    target = choices.target
    shares = []
    for part in (choices.bob, choices.eve):
        rest = np.prod([part[other][:, picks[:, other]] for other in others], axis=0)  # [model, restart, code]
        totals = np.matmul(rest, part[here].transpose(0, 2, 1))
        chosen = rest[:, :, None, target] * part[here][:, None, :, target]
        shares.append(chosen / totals)
    tops = chosen >= (rest[:, :, None] * part[here][:, None]).max(axis=-1)  # Eve's, who comes last
    leak = None
    if choices.leak:
        known = np.sum([choices.leak[other][:, picks[:, other]] for other in others], axis=0)
        leak = known[:, :, None] + choices.leak[here][:, None]
    return Heard(shares[0], shares[1], tops, leak)


def log_softmax(scores: Array) -> Array:
    """Logarithms of probabilities, over the last axis."""
    centred = scores - scores.max(axis=-1, keepdims=True)
    found: Array = centred - np.log(np.exp(centred).sum(axis=-1, keepdims=True))
    return found


@dataclass(frozen=True)
class Aims:
    """What Alice wants: to be clear to Bob, unclear to Eve, and to give no keyword away."""

    clarity: float = 1.0
    lam: float = LAMBDA
    mu: float = 0.0

    def value(self, heard: Heard) -> Array:
        """The utility of hints (spec 9); the worst lexicon counts, for Bob and for Eve."""
        found: Array = self.clarity * np.log(np.maximum(heard.read.min(axis=0), _TINY))
        if self.lam:
            fear = np.minimum(heard.fear.max(axis=0), 1 - 1e-6)
            found = found + self.lam * (np.log1p(-fear) - heard.caught.any(axis=0))
        if self.mu and heard.leak is not None:
            found = found - self.mu * heard.leak.max(axis=0)
        return found


@dataclass
class SearchingAlice(Hinter):
    """Alice who searches her candidates for the hints of the highest value.

    Args:
        ensemble: the lexica that Bob and Eve may have.
        candidates: hints of each keyword that she considers.
    """

    ensemble: Ensemble
    candidates: int

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._draw = Draw(seed)
        self._candidates: Candidates | None = None  # of this game
        self._feared = 0.0  # the chance of an interception, of the last hints

    def pools(self, view: View) -> list[Array]:
        """For each digit of the code, what she considers."""
        self._candidates = self._candidates or Candidates(self.ensemble, view)
        return self._candidates.this_turn(view, self.candidates)

    def best_hints(self, choices: Choices, value: Value, restarts: int = RESTARTS) -> Hints:
        """The hints of the highest value that are found."""
        picks, _ = ascend(choices, value, self._draw, restarts)
        shares = code_shares([part[:, pick] for part, pick in zip(choices.eve, picks, strict=True)])
        self._feared = float(self.fears(shares)[choices.target])
        return tuple(self.ensemble.words[pool[pick]] for pool, pick in zip(choices.places, picks, strict=True))

    def fears(self, shares: Array) -> Array:
        """How likely Eve is to guess each code, from what her models make of the hints, ``[model, code]``."""
        found: Array = shares.max(axis=0)
        return found

    def thoughts(self, view: View) -> dict[str, Any]:
        return {"interception": round(self._feared, 4), **super().thoughts(view)}
