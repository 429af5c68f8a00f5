"""Who may be listening: types of Bob and of Eve, and what guesses say about them (spec 14.5).

A type weighs *ways* of hearing a hint. Bob's ways are, for each lexicon in turn, its cosines; then its literal
likelihoods; then, turned round, what Eve hears. Eve's are the Bayesian Eve of each lexicon, then the embedding Eve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from otherminds.players.decrypto.choices import Ears, log_softmax
from otherminds.worlds.decrypto.lexicon import Array
from otherminds.worlds.decrypto.types import Rules

TEMPERATURES = (3.0, 6.0, 12.0, 24.0)  # how closely Bob follows the cosines of a lexicon that may not be his own
DOUBTS = (0.15, 0.4, 1.0)  # how closely Eve follows what a model of her says, as a power of its posterior
WARY = 0.3  # how much a Bob of order 2 turns away from codes that Eve finds likely
TRUST = 4.0  # how much likelier types of the first lexicon are than those of the others
LAPSE = 0.02  # how often anybody guesses at random, so that no type is ever ruled out
RATES = (0.2, 0.15)  # miscommunications and interceptions a turn that Alice expects later in the game


@dataclass(frozen=True)
class Type:
    """A listener: what records call it, how much each way of hearing counts, and how likely it is before the game."""

    name: str
    weights: tuple[float, ...]
    prior: float = 1.0


def types_of_bob(lexica: Sequence[str]) -> list[Type]:
    """By lexicon (one, or all alike), by how closely he follows it, and by depth.

    Literal listeners are of order 0. One of order 2 knows that Alice avoids what Eve would read; that his score falls
    with Eve's is a first approximation to inverting her, which keeps scores of hints additive.
    """
    size, found = len(lexica), []
    for temperature in TEMPERATURES:
        shares = {name: {at: temperature} for at, name in enumerate(lexica)}
        if size > 1:
            shares["all"] = dict.fromkeys(range(size), temperature / size)
        found += [Type(f"{name} x{temperature:g}", _weights(3 * size, share)) for name, share in shares.items()]
    for at, name in enumerate(lexica):
        found.append(Type(f"{name} literal", _weights(3 * size, {size + at: 1.0})))
        found.append(Type(f"{name} of order 2", _weights(3 * size, {size + at: 1.0, 2 * size + at: WARY})))
    return found


def types_of_eve(lexica: Sequence[str]) -> list[Type]:
    """By kind, lexicon and how closely she follows it."""
    size = len(lexica)
    return [
        Type(f"{kind} {name} x{doubt:g}", _weights(2 * size, {first + at: doubt}), 1.0 if at else TRUST)
        for doubt in DOUBTS
        for kind, first in (("bayes", 0), ("embedding", size))
        for at, name in enumerate(lexica)
    ]


def _weights(size: int, values: dict[int, float]) -> tuple[float, ...]:
    return tuple(values.get(at, 0.0) for at in range(size))


def hear(ears: Ears, bobs: Array, eves: Array, pool: Array) -> tuple[Array, Array]:
    """What every type makes of hints, ``[type, candidate, digit]``, from weights ``[type, way]``."""
    eve = ears.eve(pool)
    bayes = eve[: len(eve) // 2]
    ways = np.concatenate([ears.cosine(pool), ears.bob(pool), -bayes])
    return np.einsum("kw,wcd->kcd", bobs, ways), np.einsum("kw,wcd->kcd", eves, eve)


@dataclass
class Posterior:
    """How likely each type is, given guesses."""

    types: Sequence[Type]
    logs: Array = field(init=False)

    def __post_init__(self) -> None:
        self.logs = np.log([one.prior for one in self.types])

    @property
    def chances(self) -> Array:
        """The probability of each type."""
        return np.exp(log_softmax(self.logs))

    def learn(self, weights: Array, guess: int) -> None:
        """A guess was made: the place of a code, to each of which types give weights, ``[type, code]``."""
        found = weights[:, guess] / weights.sum(axis=-1)
        self.logs = self.logs + np.log((1 - LAPSE) * found + LAPSE / weights.shape[-1])

    def chance(self, chances: Array, codes: int) -> Array:
        """The mean chance of a code over all types, ``[type, ...]`` to ``[...]``, lapses included."""
        found: Array = np.einsum("k,k...->...", self.chances, (1 - LAPSE) * chances + LAPSE / codes)
        return found

    def likeliest(self, number: int = 3) -> list[list[Any]]:
        """Names of the likeliest types with their probabilities."""
        order = np.argsort(-self.logs, kind="stable")[:number]
        return [[self.types[at].name, round(float(self.chances[at]), 4)] for at in order.tolist()]


@cache
def turns_to_come(rules: Rules, rates: tuple[float, float] = RATES) -> Array:
    """Turns still to be played, ``[miscommunications, interceptions, turns played]``, if tokens come at these rates."""
    size = rules.tokens + 1
    found = np.zeros((size, size, rules.turns + 1))
    missed, caught = rates
    for turn in range(rules.turns - 1, -1, -1):
        for m in range(rules.tokens):
            for i in range(rules.tokens):
                found[m, i, turn] = 1 + expected(found[:, :, turn + 1], m, i, 1 - missed, caught)
    return found


def expected(later: Array, m: int, i: int, read: Any, fear: Any) -> Any:
    """What comes later on average, if Bob reads the code and Eve does with these chances."""
    safe = (1 - fear) * later[m, i] + fear * later[m, i + 1]
    lost = (1 - fear) * later[m + 1, i] + fear * later[m + 1, i + 1]
    return read * safe + (1 - read) * lost
