"""Alice who models Bob and Eve: rational speech acts (spec 9).

She weighs how surely Bob reads the code against how surely Eve does, ``U = a log L_B0 + lam (log(1 - L_E) - 1{Eve's
best guess is the code}) - mu leak``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing
from otherminds.core.seeds import Draw
from otherminds.core.world import Ask
from otherminds.players.decrypto.bayes import BayesianGuesser
from otherminds.players.decrypto.choices import (
    CANDIDATES,
    LAMBDA,
    RESTARTS,
    Aims,
    Candidates,
    Choices,
    Ears,
    Ensemble,
    ascend,
)
from otherminds.players.decrypto.embedding import EmbeddingGuesser, unplaced
from otherminds.players.decrypto.listening import SAMPLES, RSABob
from otherminds.players.decrypto.production import BETA, productions
from otherminds.players.decrypto.seats import Guesser, Hinter, asked_of_alice
from otherminds.worlds.decrypto.bank import NUM_HINTS
from otherminds.worlds.decrypto.observe import View, eve_as_seen_by
from otherminds.worlds.decrypto.questions import Answer
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import Code, Hints, role_of


@dataclass
class RSAAlice(Hinter):
    """Alice who models Bob and what Eve believes.

    Args:
        ensemble: the lexica that Bob and Eve may have.
        aims: what she wants.
        candidates: hints of each keyword that she considers.
        fears: the kinds of Eve that she reckons with.
        rival: who Eve is when she is asked to predict a guess.
        restarts: of her search.
        name: what records call her.
    """

    ensemble: Ensemble
    aims: Aims
    candidates: int = CANDIDATES
    fears: tuple[str, ...] = ("bayes",)
    rival: Guesser | None = None
    restarts: int = RESTARTS
    name: str = "rsa"
    _pools: Candidates | None = field(default=None, init=False, repr=False)
    _feared: float | None = field(default=None, init=False, repr=False)
    _view: View | None = field(default=None, init=False, repr=False)  # of the last hints

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._draw = Draw(seed)
        self._pools = self._feared = self._view = None
        if self.rival:
            self.rival.begin("eve", briefing, seed)

    def hint(self, view: View) -> Hints:
        self._view, choices = view, self.choices(view)
        picks, _ = ascend(choices, self.aims.value, self._draw, self.restarts)
        weights = np.prod([part[:, pick] for part, pick in zip(choices.eve, picks, strict=True)], axis=0)
        self._feared = float((weights[:, choices.target] / weights.sum(axis=-1)).max())
        return tuple(self.ensemble.words[pool[pick]] for pool, pick in zip(choices.places, picks, strict=True))

    def choices(self, view: View) -> Choices:
        """What she can say."""
        assert view.keywords is not None
        assert view.code is not None
        if self._pools is None:
            self._pools = Candidates(self.ensemble, view.keywords, view.rules)
        taken = {self.ensemble.index.get(hint, -1) for turn in view.past for hint in turn.hints}
        pools = [self._pools.of(digit - 1, self.candidates, taken) for digit in view.code]
        return Choices.of(Ears(view, self.ensemble, self.fears), pools, view.code, leaks=self.aims.mu > 0)

    def answer(self, ask: Ask) -> Answer:
        about, view = asked_of_alice(ask)
        eve = eve_as_seen_by(view)
        if about == "guess":
            rival = self.rival or BayesianGuesser(self.ensemble.literals[0])
            return rival.guess(eve)
        assert view.hints is not None
        return max(self._chance(one, eve, view.hints, view.code) for one in self.ensemble.literals)

    def _chance(self, literal: Any, eve: View, hints: Hints, code: Code | None) -> float:
        assert code is not None
        logs = BayesianGuesser(literal).posterior(eve, hints)
        return float(np.exp(logs[all_codes(eve.rules).index(code)]))

    def thoughts(self) -> dict[str, Any]:
        if self._feared is None or self._view is None:
            return {}
        meanings = [one.meaning for one in self.ensemble.literals]
        return {"interception": round(self._feared, 4), **unplaced(self._view, *meanings)}


def rsa(
    seat: str,
    lexicon: str = "glove",
    lam: float = LAMBDA,
    beta: float = BETA,
    mu: float = 0.0,
    clarity: float = 1.0,
    candidates: int = CANDIDATES,
    restarts: int = RESTARTS,
    vocabulary_size: int = NUM_HINTS,
    fears: str = "bayes",
    order: int = 0,
    alpha: float = 1.0,
    samples: int = SAMPLES,
) -> RSAAlice | RSABob | BayesianGuesser:
    """Alice who models Bob and Eve, or Bob of an order.

    Args:
        seat: alice or bob.
        lexicon: one, or several joined by ``+``; the worst of them counts.
        lam: how much it matters that Eve fails.
        beta: of literal production.
        mu: how much it matters that Eve learns no keyword.
        clarity: how much it matters that Bob succeeds.
        candidates: hints of each keyword that Alice considers.
        restarts: of her search.
        vocabulary_size: hint words.
        fears: the kinds of Eve that Alice reckons with, ``bayes``, ``embedding`` or both joined by ``+``. Asked for
            Eve's guess, she simulates the first.
        order: of Bob: 0 is literal, 1 inverts an Alice who does not model Eve, 2 one who does.
        alpha: how strictly Bob thinks that Alice pursues her aims.
        samples: hints for each keyword that Bob compares with those he hears.

    Raises:
        UserError: if it is to be Eve, or an option makes no sense.
    """
    role = role_of(seat)
    if role == "eve":
        raise UserError("mind 'rsa' can be Alice or Bob only; set another mind for Eve with --seat eve=bayes")
    if candidates < 1 or restarts < 1 or samples < 1:
        raise UserError(f"{candidates} candidates, {restarts} restarts, {samples} samples; expected at least 1 of each")
    if order not in (0, 1, 2):
        raise UserError(f"order {order!r} of Bob is not known; expected 0, 1 or 2")
    kinds = kinds_of_eve(fears)
    literals = productions(lexicon, vocabulary_size, beta)
    if role == "alice":
        eve = BayesianGuesser(literals[0]) if kinds[0] == "bayes" else EmbeddingGuesser(literals[0].meaning)
        return RSAAlice(Ensemble(literals), Aims(clarity, lam, mu), candidates, kinds, eve, restarts)
    if order == 0:
        return BayesianGuesser(literals[0])
    return RSABob(Ensemble(literals), Aims(clarity, lam, mu) if order == 2 else Aims(clarity, 0.0, 0.0), alpha, samples)


def kinds_of_eve(fears: str) -> tuple[str, ...]:
    """The kinds that a text names.

    Raises:
        UserError: if there is none of that name.
    """
    found = tuple(fears.split("+"))
    if not set(found) <= {"bayes", "embedding"}:
        raise UserError(f"fears {fears!r} name no Eve; expected bayes, embedding or bayes+embedding")
    return found
