"""Search for the best hints: Alice's candidates, how each model of a listener hears them, and coordinate ascent.

A *model* is one listener with one lexicon. For each model, a candidate hint gives a weight to every code that is still
possible. The weights of the hints multiply; normalised, they are the listener's belief about the code (spec 9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing
from otherminds.core.seeds import Draw
from otherminds.worlds.decrypto.minds.bayes import KeywordBelief, Production
from otherminds.worlds.decrypto.minds.embedding import mean_hints
from otherminds.worlds.decrypto.minds.scripted import ScriptedMind
from otherminds.worlds.decrypto.observe import RoleView, eve_as_seen_by
from otherminds.worlds.decrypto.rules import all_codes, hint_problems
from otherminds.worlds.decrypto.types import Code, Hints
from otherminds.worlds.decrypto.words.lexicon import Array

CANDIDATES = 150  # hints that Alice considers for each keyword
LAMBDA = 4.0  # weight of Eve's failure against Bob's success
RESTARTS, ROUNDS = 8, 8
_LEAST = -80.0  # stands for an impossible hint, so that differences stay finite
_TINY = 1e-30


class Ensemble:
    """Several lexica and the hint words that all of them know."""

    def __init__(self, literals: Sequence[Production]) -> None:
        first, *others = literals
        self.literals = tuple(literals)
        self.words = tuple(word for word in first.hints.words if all(word in other.hints.index for other in others))
        if not self.words:
            raise UserError("the lexica have no hint word in common; combine other lexica")
        self.places = [np.array([literal.hints.index[word] for word in self.words]) for literal in literals]
        self.index = {word: at for at, word in enumerate(self.words)}

    def log_given(self, keyword: str) -> Array:
        """The logarithm of ``S0(h|keyword)``, ``[lexicon, hint]``."""
        pairs = zip(self.literals, self.places, strict=True)
        return np.array([literal.log_given(keyword)[places] for literal, places in pairs], np.float32)

    def cosines(self, keyword: str) -> Array:
        """The cosine of each hint with a keyword, ``[lexicon, hint]``."""
        pairs = zip(self.literals, self.places, strict=True)
        return np.array([literal.hints.similarities(keyword)[places] for literal, places in pairs])


def ranked_hints(ensemble: Ensemble, view: RoleView) -> list[tuple[list[int], list[int]]]:
    """For each keyword of a game, the hints that every lexicon takes for that keyword, and the others; best first.

    Hints that break the rules are left out, unless the game does not check hints.
    """
    keywords, is_checked = view.keywords, view.rules.hints != "off"
    logs = np.array([ensemble.log_given(word) for word in keywords])  # [digit, lexicon, hint]
    cosines = np.array([ensemble.cosines(word) for word in keywords])
    legal = np.ones(len(ensemble.words), bool)
    legal[[at for word in keywords if (at := ensemble.index.get(word.lower())) is not None]] = False
    ranked = []
    for slot in range(len(keywords)):
        others = np.arange(len(keywords)) != slot
        fits = ((logs[slot] > logs[others]) & (cosines[slot] > cosines[others])).all(axis=(0, 1)) & legal
        score = np.where(legal, logs[slot].mean(axis=0), -np.inf)
        order = np.argsort(-np.where(fits, score + 1e6, score), kind="stable")[: int(legal.sum())].tolist()
        if is_checked:  # only as many as a game can need: checking thousands would take long
            order = order[: max(int(fits.sum()), 2 * CANDIDATES)]
            order = [at for at in order if not hint_problems([ensemble.words[at]], keywords)]
        ranked.append(([at for at in order if fits[at]], [at for at in order if not fits[at]]))
    return ranked


class Ears:
    """How Bob and Eve would hear hints this turn, with each lexicon, as far as the holder of a view can tell.

    The holder is Alice, or a Bob who puts himself in her place. ``fears`` are the kinds of Eve.
    """

    def __init__(self, view: RoleView, ensemble: Ensemble, fears: Sequence[str] = ("bayes",)) -> None:
        self._fears = fears
        self.codes = tuple(code for code in all_codes(view.rules) if code not in view.used)
        self.digits = np.array(self.codes) - 1  # [code, position]
        self._ensemble = ensemble
        self._log_given = np.array([ensemble.log_given(word) for word in view.keywords])  # [digit, lexicon, hint]
        self._cosines = np.array([ensemble.cosines(word) for word in view.keywords])
        seen = eve_as_seen_by(view)
        self._eves = [KeywordBelief(literal, seen.hints_by_digit, seen.shown) for literal in ensemble.literals]
        self._means = [mean_hints(literal.meaning, seen) for literal in ensemble.literals]  # each [digit, dimension]
        self._known = np.array([eve.chance_of(view.keywords) for eve in self._eves])  # [lexicon, digit]

    def bob(self, pool: Array) -> Array:
        """The logarithm of ``S0(h|w)`` for each keyword, ``[lexicon, candidate, digit]``."""
        return np.maximum(self._log_given[:, :, pool].transpose(1, 2, 0), _LEAST)

    def cosine(self, pool: Array) -> Array:
        """The cosine of each hint with each keyword, ``[lexicon, candidate, digit]``."""
        return self._cosines[:, :, pool].transpose(1, 2, 0)

    def eve(self, pool: Array) -> Array:
        """The same as :meth:`bob` by Eve's belief about the keywords, ``[kind and lexicon, candidate, digit]``."""
        places = [places[pool] for places in self._ensemble.places]
        logs = [eve.log_chances_at(at) for eve, at in zip(self._eves, places, strict=True)]
        if "embedding" in self._fears:
            for literal, mean, at in zip(self._ensemble.literals, self._means, places, strict=True):
                logs.append(literal.beta * np.einsum("hd,jd->hj", literal.hints.vectors[at], mean))
        return np.maximum(logs, _LEAST)

    def both(self, pool: Array) -> tuple[Array, Array]:
        """What each model of Bob and each model of Eve hears, ``[model, candidate, digit]``."""
        return self.bob(pool), self.eve(pool)

    def leak(self, bob: Array, eve: Array) -> Array:
        """The logarithm of Eve's belief in each keyword once the code is revealed; 0 where she cannot think of it."""
        known, eve = self._known[:, None], eve[: len(self._eves)]
        return np.where(known > 0, np.log(np.maximum(known, 1e-12)) + bob - eve, 0.0)

    def spread(self, logs: Array, position: int) -> Array:
        """From digits to codes: ``[..., digit]`` to weights ``[..., code]``, for a hint in that position.

        Weights are proportional to likelihoods; the highest is 1.
        """
        by_code: Array = logs[..., self.digits[:, position]].astype(np.float64)
        return np.exp(by_code - by_code.max(axis=-1, keepdims=True))

    def choices(self, pools: Sequence[Array], code: Code, leaks: bool = False) -> Choices:
        """The choices of an Alice who has to hint at a code; with ``leaks``, also what Eve learns of the keywords."""
        choices = Choices(self.codes.index(code), list(pools), [], [], [])
        for position, pool in enumerate(pools):
            bob, eve = self.both(pool)
            choices.bob.append(self.spread(bob, position))
            choices.eve.append(self.spread(eve, position))
            if leaks:
                choices.leak.append(self.leak(bob, eve)[..., code[position] - 1])
        return choices


class Choices(NamedTuple):
    """Everything about this turn that a choice of hints depends on; lists are by position."""

    target: int  # index of this turn's code among those that are left
    places: list[Array]  # the candidates in the ensemble's vocabulary, ``[candidate]``
    bob: list[Array]  # the weight that a hint gives to codes, ``[model, candidate, code]``
    eve: list[Array]
    leak: list[Array]  # ``[model, candidate]``; empty if it is not needed


class Heard(NamedTuple):
    """What the models make of hints, ``[model, ...]``."""

    read: Array  # Bob's probability of the code
    fear: Array  # Eve's
    caught: Array  # whether the code is Eve's best guess
    leak: Array | None = None  # the logarithm of what she will believe of the keywords; ``None`` if it is not needed


Value = Callable[[Heard], Array]


def ascend(choices: Choices, value: Value, draw: Draw, restarts: int = RESTARTS) -> tuple[tuple[int, ...], float]:
    """The best choice of hints found by coordinate ascent from several starting points, and its value.

    The first starting point is the nearest hint for each keyword; the others are drawn at random.
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
            utility = value(_heard(choices, picks, here, others))  # [restart, candidate]
            for other in others:  # a hint can be given once
                utility[choices.places[here][None] == choices.places[other][picks[:, other]][:, None]] = -np.inf
            picks[:, here] = utility.argmax(axis=1)
            values = utility.max(axis=1)
        if np.array_equal(before, picks):
            break
    best = int(values.argmax())
    return tuple(int(pick) for pick in picks[best]), float(values[best])


def code_shares(weights: Sequence[Array]) -> Array:
    """Probabilities of codes after some hints, from the weights of each hint, ``[..., code]``."""
    product: Array = np.prod(weights, axis=0)
    return product / product.sum(axis=-1, keepdims=True)


def _heard(choices: Choices, picks: Array, here: int, others: Sequence[int]) -> Heard:
    """What is made of every candidate for one position, the others being as picked, ``[model, restart, candidate]``.

    Weights of hints multiply, so the denominator of a softmax is a product of matrices: no exponential is taken here.
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
    return centred - np.log(np.exp(centred).sum(axis=-1, keepdims=True))


@dataclass(frozen=True)
class Aims:
    """The weights of Alice's aims beside being clear to Bob: to be unclear to Eve, and to reveal no keyword."""

    lam: float = LAMBDA
    mu: float = 0.0

    def value(self, heard: Heard) -> Array:
        """The utility of hints (spec 9); the worst lexicon counts, for Bob and for Eve."""
        utility: Array = np.log(np.maximum(heard.read.min(axis=0), _TINY))
        if self.lam:
            fear = np.minimum(heard.fear.max(axis=0), 1 - 1e-6)
            utility = utility + self.lam * (np.log1p(-fear) - heard.caught.any(axis=0))
        if self.mu and heard.leak is not None:
            utility = utility - self.mu * heard.leak.max(axis=0)
        return utility


@dataclass
class SearchingAlice(ScriptedMind):
    """Alice who searches her candidates for the hints of the highest value."""

    ensemble: Ensemble  # the lexica that Bob and Eve may have
    candidates: int  # hints that she considers for each keyword

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._draw = Draw(seed)
        self._ranked: list[tuple[list[int], list[int]]] = []  # hints of this game
        self._feared = 0.0  # the chance of an interception, of the last hints

    def pools(self, view: RoleView) -> list[Array]:
        """For each digit of the code, the best candidates that were not given yet: at least one, decodable or not."""
        self._ranked = self._ranked or ranked_hints(self.ensemble, view)
        taken = {self.ensemble.index.get(hint, -1) for turn in view.past for hint in turn.hints}
        left = [[[at for at in some if at not in taken] for some in self._ranked[digit - 1]] for digit in view.code]
        return [np.array((decodable or others)[: self.candidates]) for decodable, others in left]

    def best_hints(self, choices: Choices, value: Value, restarts: int = RESTARTS) -> Hints:
        """The hints of the highest value that the search finds."""
        picks, _ = ascend(choices, value, self._draw, restarts)
        shares = code_shares([part[:, pick] for part, pick in zip(choices.eve, picks, strict=True)])
        self._feared = float(self.fears(shares)[choices.target])
        return tuple(self.ensemble.words[pool[pick]] for pool, pick in zip(choices.places, picks, strict=True))

    def fears(self, shares: Array) -> Array:
        """How likely Eve is to guess each code, from what her models make of the hints, ``[model, code]``."""
        return shares.max(axis=0)

    def thoughts(self, view: RoleView) -> dict[str, Any]:
        return {"interception": round(self._feared, 4), **super().thoughts(view)}
