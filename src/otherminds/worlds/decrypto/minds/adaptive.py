"""Alice who learns within a game whom she plays with and against (spec 14.5).

She does not know Bob's lexicon, how closely he follows it, or how deeply he thinks; nor what kind of Eve listens. Every
revealed guess makes some types of either more likely. Hints maximise the expected number of turns still to come, so
that the cost of a miscommunication or an interception depends on the tokens.

A type weighs *ways* of hearing a hint. Bob's ways are the cosines of each lexicon, then its literal likelihoods, then,
negated, what Eve hears. Eve's ways are the Bayesian Eve of each lexicon, then the embedding Eve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from otherminds.core.mind import Briefing, CannotAnswer
from otherminds.core.world import Ask
from otherminds.worlds.decrypto.minds.bayes import productions
from otherminds.worlds.decrypto.minds.rsa_search import (
    Choices,
    Ears,
    Ensemble,
    Heard,
    SearchingAlice,
    code_shares,
    log_softmax,
)
from otherminds.worlds.decrypto.minds.scripted import asked_of_alice, check_seat
from otherminds.worlds.decrypto.observe import RoleView
from otherminds.worlds.decrypto.probes import Answer
from otherminds.worlds.decrypto.types import Code, Hints, Rules
from otherminds.worlds.decrypto.words.lexicon import Array

POOL, STARTS = 60, 4
TEMPERATURES = (3.0, 6.0, 12.0, 24.0)  # how closely Bob follows the cosines of a lexicon that may not be his own
DOUBTS = (0.15, 0.4, 1.0)  # how closely Eve follows a model of her, as a power of its posterior
WARY = 0.3  # how much a Bob of order 2 turns away from codes that Eve finds likely
TRUST = 4.0  # prior weight of Eves with the first lexicon, relative to the others
LAPSE = 0.02  # probability of a random guess, so that no type is ever ruled out
RATES = (0.2, 0.15)  # miscommunications and interceptions per turn that Alice expects later in the game


@dataclass(frozen=True)
class Type:
    """A type of listener: its name in records, the weight of each way of hearing, and its prior weight."""

    name: str
    weights: tuple[float, ...]
    prior: float = 1.0


def types_of_bob(lexica: Sequence[str]) -> list[Type]:
    """Types of Bob by lexicon (one, or all alike), by how closely he follows it, and by depth.

    Literal listeners are of order 0. One of order 2 knows that Alice avoids what Eve would read. His score falls with
    Eve's, which approximates the inversion of Alice and keeps the scores of hints additive.
    """
    size, types = len(lexica), []
    for temperature in TEMPERATURES:
        shares = {name: {at: temperature} for at, name in enumerate(lexica)}
        if size > 1:
            shares["all"] = dict.fromkeys(range(size), temperature / size)
        types += [Type(f"{name} x{temperature:g}", _weights(3 * size, share)) for name, share in shares.items()]
    for at, name in enumerate(lexica):
        types.append(Type(f"{name} literal", _weights(3 * size, {size + at: 1.0})))
        types.append(Type(f"{name} of order 2", _weights(3 * size, {size + at: 1.0, 2 * size + at: WARY})))
    return types


def types_of_eve(lexica: Sequence[str]) -> list[Type]:
    """Types of Eve by kind, by lexicon and by how closely she follows it."""
    size = len(lexica)
    return [
        Type(f"{kind} {name} x{doubt:g}", _weights(2 * size, {first + at: doubt}), 1.0 if at else TRUST)
        for doubt in DOUBTS
        for kind, first in (("bayes", 0), ("embedding", size))
        for at, name in enumerate(lexica)
    ]


def _weights(size: int, values: dict[int, float]) -> tuple[float, ...]:
    return tuple(values.get(at, 0.0) for at in range(size))


class TypedEars(Ears):
    """How every type of Bob and of Eve would hear hints, from weights ``[type, way]``."""

    def __init__(self, view: RoleView, ensemble: Ensemble, bobs: Array, eves: Array) -> None:
        super().__init__(view, ensemble, ("bayes", "embedding"))
        self._weights = bobs, eves

    def both(self, pool: Array) -> tuple[Array, Array]:
        eve = self.eve(pool)
        bayes = eve[: len(eve) // 2]
        ways = np.concatenate([self.cosine(pool), self.bob(pool), -bayes])
        bobs, eves = self._weights
        return np.einsum("kw,wcd->kcd", bobs, ways), np.einsum("kw,wcd->kcd", eves, eve)


@dataclass
class Posterior:
    """Probability of each type, given the guesses so far."""

    types: Sequence[Type]
    logs: Array = field(init=False)

    def __post_init__(self) -> None:
        self.logs = np.log([kind.prior for kind in self.types])

    @property
    def chances(self) -> Array:
        """The probability of each type."""
        return np.exp(log_softmax(self.logs))

    def learn(self, weights: Array, guess: int) -> None:
        """Update on a guess: the index of a code, where types give codes the weights ``[type, code]``."""
        shares = weights[:, guess] / weights.sum(axis=-1)
        self.logs = self.logs + np.log((1 - LAPSE) * shares + LAPSE / weights.shape[-1])

    def chance(self, chances: Array, codes: int) -> Array:
        """The mean chance of a code over all types, ``[type, ...]`` to ``[...]``, lapses included."""
        return np.einsum("k,k...->...", self.chances, (1 - LAPSE) * chances + LAPSE / codes)

    def likeliest(self, number: int = 3) -> list[list[Any]]:
        """Names of the likeliest types with their probabilities."""
        order = np.argsort(-self.logs, kind="stable")[:number]
        return [[self.types[at].name, round(float(self.chances[at]), 4)] for at in order.tolist()]


@cache
def turns_to_come(rules: Rules, rates: tuple[float, float] = RATES) -> Array:
    """Expected turns still to come, ``[miscommunications, interceptions, turns played]``, at constant token rates."""
    size = rules.tokens + 1
    table = np.zeros((size, size, rules.turns + 1))
    missed, caught = rates
    for turn in range(rules.turns - 1, -1, -1):
        for m in range(rules.tokens):
            for i in range(rules.tokens):
                table[m, i, turn] = 1 + expected(table[:, :, turn + 1], m, i, 1 - missed, caught)
    return table


def expected(later: Array, m: int, i: int, read: Any, fear: Any) -> Any:
    """The expected value of ``later``, if Bob reads the code with chance ``read`` and Eve with chance ``fear``."""
    safe = (1 - fear) * later[m, i] + fear * later[m, i + 1]
    lost = (1 - fear) * later[m + 1, i] + fear * later[m + 1, i + 1]
    return read * safe + (1 - read) * lost


@dataclass
class AdaptiveAlice(SearchingAlice):
    """Alice with a posterior over types of Bob and of Eve."""

    candidates: int = POOL
    adapts: bool = True  # by revealed guesses; otherwise she keeps the prior
    name: str = "adaptive"

    def __post_init__(self) -> None:
        lexica = [literal.meaning.name for literal in self.ensemble.literals]
        self._types = types_of_bob(lexica), types_of_eve(lexica)
        self._weights = tuple(np.array([kind.weights for kind in types]) for types in self._types)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        super().begin(seat, briefing, seed)
        self.bob, self.eve = map(Posterior, self._types)
        self._seen = 0  # turns that she has learned from

    def act(self, view: RoleView) -> Hints:
        if self.adapts:
            self._learn(view)
        choices = TypedEars(view, self.ensemble, *self._weights).choices(self.pools(view), view.code)
        later = turns_to_come(view.rules)[:, :, view.turn]
        codes = choices.eve[0].shape[-1]

        def value(heard: Heard) -> Array:
            read, fear = self.bob.chance(heard.read, codes), self.eve.chance(heard.fear, codes)
            return expected(later, *view.tokens, read, fear)

        return self.best_hints(choices, value, STARTS)

    def fears(self, shares: Array) -> Array:
        return self.eve.chance(shares, shares.shape[-1])

    def _learn(self, view: RoleView) -> None:
        """Update both posteriors by every guess that was revealed since the last turn."""
        for at in range(self._seen, len(view.past)):
            turn = view.past[at]
            spoken = self._spoken(view._replace(past=view.past[:at]), turn.hints, turn.code)
            if spoken is None:
                continue
            codes, choices = spoken
            for who, guess, parts in ((self.bob, turn.bob, choices.bob), (self.eve, turn.eve, choices.eve)):
                if guess in codes:  # a code that was played before says little about anybody's lexicon
                    who.learn(np.prod(parts, axis=0)[:, 0], codes.index(guess))
        self._seen = len(view.past)

    def _spoken(self, view: RoleView, hints: Hints, code: Code) -> tuple[tuple[Code, ...], Choices] | None:
        """The codes that are left, and how types hear the hints; ``None`` if a hint is outside her vocabulary."""
        places = [self.ensemble.index.get(hint) for hint in hints]
        if None in places:
            return None
        ears = TypedEars(view, self.ensemble, *self._weights)
        return ears.codes, ears.choices([np.array([place]) for place in places], code)

    def answer(self, ask: Ask) -> Answer:
        about, view = asked_of_alice(ask)
        spoken = self._spoken(view, view.hints, view.code)
        if spoken is None:
            raise CannotAnswer(f"hints {view.hints} are not all in the vocabulary of {self.name!r}")
        codes, choices = spoken
        fears = self.fears(code_shares([part[:, 0] for part in choices.eve]))
        return codes[int(fears.argmax())] if about == "guess" else float(fears[choices.target])

    def thoughts(self, view: RoleView) -> dict[str, Any]:
        return {**super().thoughts(view), "bob": self.bob.likeliest(), "eve": self.eve.likeliest()}


def adaptive(seat: str, lexicon: str = "glove+moby", adapts: bool = True) -> AdaptiveAlice:
    """Alice who adapts to an unknown partner.

    Args:
        seat: alice.
        lexicon: lexica that Bob and Eve may have, joined by ``+``.
        adapts: whether she learns from guesses.

    Raises:
        UserError: if the seat is not Alice's, or a lexicon does not exist.
    """
    check_seat("adaptive", seat, "alice")
    return AdaptiveAlice(Ensemble(productions(lexicon)), adapts=adapts)
