"""A version of Decrypto so small that every triple of hints and every code can be enumerated (spec 9.1).

Ten hints, ten keywords, random sparse lexica. It shows exactly what Bob gains by modelling what Alice believes about
Eve: the Bob who inverts the Alice that really speaks is the best possible decoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.seeds import generator
from otherminds.worlds.decrypto.words.lexicon import Array

WORDS = 10  # hints, and as many keywords
SPARSE, UNIFORM = 0.25, 0.02  # parameter of the Dirichlet distribution, and share of a uniform one that is mixed in
CODES = np.array(list(permutations(range(4), 3)))  # [code, position], digits from 0
USED = 2  # codes that were played, when there is history


@dataclass(frozen=True, eq=False)
class SmallWorld:
    """One situation.

    Attributes:
        production: ``S0(h|w)``, ``[word, hint]``.
        keywords: indices of the keywords of the four digits.
        past: indices of past hints, ``[digit, hint]``.
        left: indices of the codes that are not played yet.
    """

    production: Array
    keywords: Array
    past: Array
    left: Array


def draw_world(seed: int, history: int) -> SmallWorld:
    """A random situation with a number of past hints for each digit, drawn from literal production."""
    if history < 0:
        raise UserError(f"history is {history}; expected at least 0 past hints")
    rng = generator(seed, "decrypto/small")
    drawn = rng.dirichlet(np.full(WORDS, SPARSE), WORDS)
    production = (1 - UNIFORM) * drawn + UNIFORM / WORDS
    keywords = rng.choice(WORDS, 4, replace=False)
    past = np.array([[rng.choice(WORDS, p=production[word]) for _ in range(history)] for word in keywords], int)
    used = rng.choice(len(CODES), USED if history else 0, replace=False)
    return SmallWorld(production, keywords, past.reshape(4, history), np.setdiff1d(np.arange(len(CODES)), used))


class Accuracies(NamedTuple):
    """Accuracy of each listener when the Alice of ``lam`` and ``alpha`` speaks."""

    bob0: float
    bob1: float
    bob2: float
    eve: float


def literal_bob(world: SmallWorld) -> Array:
    """``L_B0(c|h)``, ``[hint, hint, hint, code]``."""
    return _codes(world.production[world.keywords], world.left)


def eve(world: SmallWorld) -> Array:
    """``L_E(c|h,H)``: belief about keywords from past hints, with a uniform prior."""
    logs = np.log(world.production)[:, world.past].sum(axis=2)  # [word, digit]
    belief = np.exp(logs - logs.max(axis=0))
    belief /= belief.sum(axis=0)
    return _codes(belief.T @ world.production, world.left)


def alice(world: SmallWorld, lam: float, alpha: float) -> Array:
    """``S1(h|c)``, ``[hint, hint, hint, code]``: the sum over hints is 1 for each code."""
    utility = np.log(literal_bob(world)) + lam * np.log1p(-np.minimum(eve(world), 1 - 1e-12))
    logs = np.log(_triples(world.production[world.keywords], world.left)) + alpha * utility
    spoken = np.exp(logs - logs.max(axis=(0, 1, 2)))
    return spoken / spoken.sum(axis=(0, 1, 2))


def accuracies(world: SmallWorld, lam: float, alpha: float) -> Accuracies:
    """The accuracies of all listeners to the same Alice; codes are equally likely."""
    spoken = alice(world, lam, alpha)
    listeners = (literal_bob(world), alice(world, 0.0, alpha), spoken, eve(world))
    return Accuracies(*(_accuracy(spoken, listener) for listener in listeners))


def _accuracy(spoken: Array, posterior: Array) -> float:
    """How often the code is the listener's best guess; ties share."""
    best = posterior >= posterior.max(axis=-1, keepdims=True) * (1 - 1e-9)
    return float((spoken * best / best.sum(axis=-1, keepdims=True)).sum() / spoken.shape[-1])


def _triples(chances: Array, left: Array) -> Array:
    """The product over positions of ``[digit, hint]``, as ``[hint, hint, hint, code]``."""
    first, second, third = (chances[CODES[left, position]].T for position in range(3))  # each [hint, code]
    return first[:, None, None] * second[None, :, None] * third[None, None]


def _codes(chances: Array, left: Array) -> Array:
    products = _triples(chances, left)
    return products / products.sum(axis=-1, keepdims=True)


# Past hints of each digit, lambda and alpha; reference figures of Bob of order 0, 1, 2 and of Eve (spec 9.1).
ROWS: tuple[tuple[int, float, float, Accuracies], ...] = (
    (0, 3, 3, Accuracies(0.876, 0.878, 0.878, 0.042)),
    (1, 3, 3, Accuracies(0.861, 0.863, 0.877, 0.153)),
    (3, 0, 3, Accuracies(0.888, 0.893, 0.893, 0.638)),
    (3, 1, 3, Accuracies(0.822, 0.826, 0.834, 0.476)),
    (3, 3, 1, Accuracies(0.552, 0.553, 0.573, 0.315)),
    (3, 3, 3, Accuracies(0.707, 0.711, 0.770, 0.243)),
)
