"""Alice who models Bob and Eve, and Bob who inverts such an Alice: rational speech acts (spec 9).

Alice weighs Bob's certainty about the code against Eve's: ``U = log L_B0 + lam (log(1 - L_E) - 1{Eve's best guess is
the code}) - mu leak``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing
from otherminds.core.world import Ask
from otherminds.worlds.decrypto.minds.bayes import BayesianGuesser, productions
from otherminds.worlds.decrypto.minds.rsa_search import (
    CANDIDATES,
    LAMBDA,
    Aims,
    Ears,
    Ensemble,
    Heard,
    SearchingAlice,
    code_shares,
    log_softmax,
)
from otherminds.worlds.decrypto.minds.scripted import ScriptedMind, asked_of_alice, check_seat
from otherminds.worlds.decrypto.observe import RoleView, eve_as_seen_by
from otherminds.worlds.decrypto.probes import Answer
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import Code, Hints, role_of
from otherminds.worlds.decrypto.words.lexicon import Array, Lexicon

SAMPLES = 300  # hints that Bob draws for each keyword


@dataclass
class RSABob(ScriptedMind):
    """Bob who inverts an Alice of the order below.

    ``L_B(c|h) ~ S1(h|c)``, and ``S1(h|c) = prod S0(h_i|w) exp(U(h;c)) / Z(c)``. The hints are too many for ``Z``,
    so it is the mean of ``exp(U)`` over hints drawn from ``S0``.
    """

    ensemble: Ensemble  # the lexica that he thinks Alice models; his own is the first
    aims: Aims  # that he ascribes to Alice; without ``lam`` he is of order 1
    samples: int = SAMPLES  # hints drawn for each keyword
    name: str = "rsa"

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def act(self, view: RoleView) -> Code:
        if not all(hint in self.ensemble.index for hint in view.hints):
            # A hint outside his vocabulary: he cannot compute why she said it, and listens literally.
            return BayesianGuesser(self.ensemble.literals[0]).act(view)
        codes, logs = self.posterior(view)
        return codes[int(np.argmax(logs))]

    def lexica(self) -> tuple[Lexicon, ...]:
        return (self.ensemble.literals[0].meaning,)

    def posterior(self, view: RoleView) -> tuple[tuple[Code, ...], Array]:
        """The codes that are left, and the logarithm of the probability of each code."""
        ears = Ears(view, self.ensemble)
        heard = [ears.both(np.array([self.ensemble.index[hint]])) for hint in view.hints]
        drawn = [ears.both(self._draws(word)) for word in view.keywords]
        spoken = np.sum([bob[0, 0, ears.digits[:, at]] for at, (bob, _) in enumerate(heard)], axis=0)
        logs = spoken + self._worth(ears, heard)[0]
        for at, code in enumerate(ears.codes):
            values = self._worth(ears, [drawn[digit - 1] for digit in code])[:, at]
            top = values.max()
            logs[at] -= top + np.log(np.exp(values - top).mean())
        return ears.codes, log_softmax(logs)

    def _draws(self, keyword: str) -> Array:
        logs = self.ensemble.log_given(keyword)[0]
        chances = np.exp(logs - logs.max())
        return self._rng.choice(len(chances), self.samples, p=chances / chances.sum())

    def _worth(self, ears: Ears, hints: list[tuple[Array, Array]]) -> Array:
        """The utility to Alice of saying some hints, ``[hints, code]``."""
        read, fear = (
            code_shares([ears.spread(logs[part], position) for position, logs in enumerate(hints)]) for part in range(2)
        )
        return self.aims.value(Heard(read, fear, fear >= fear.max(axis=-1, keepdims=True)))


@dataclass
class RSAAlice(SearchingAlice):
    """Alice who models Bob and what Eve believes. Asked for Eve's guess, she simulates the first kind of Eve."""

    candidates: int = CANDIDATES
    aims: Aims = field(default_factory=Aims)
    rivals: tuple[str, ...] = ("bayes",)  # the kinds of Eve that she models, with "embedding" as a second
    name: str = "rsa"

    def act(self, view: RoleView) -> Hints:
        ears = Ears(view, self.ensemble, self.rivals)
        choices = ears.choices(self.pools(view), view.code, leaks=self.aims.mu > 0)
        return self.best_hints(choices, self.aims.value)

    def answer(self, ask: Ask) -> Answer:
        about, view = asked_of_alice(ask)
        eve, first = eve_as_seen_by(view), self.ensemble.literals[0]
        if about == "guess":
            return BayesianGuesser(first).act(eve)
        at = all_codes(eve.rules).index(view.code)
        logs = [BayesianGuesser(literal).posterior(eve, view.hints)[at] for literal in self.ensemble.literals]
        return float(np.exp(max(logs)))

    def lexica(self) -> tuple[Lexicon, ...]:
        return tuple(literal.meaning for literal in self.ensemble.literals)


def rsa(
    seat: str,
    lexicon: str = "glove",
    lam: float = LAMBDA,
    mu: float = 0.0,
    candidates: int = CANDIDATES,
    fears: str = "bayes",
    order: int = 0,
) -> RSAAlice | RSABob | BayesianGuesser:
    """Alice who models Bob and Eve, or Bob of a given order.

    Args:
        seat: alice or bob.
        lexicon: one lexicon, or several joined by ``+``, of which the worst counts.
        lam: weight of Eve's failure.
        mu: weight of Eve not learning the keywords, for Alice.
        candidates: hints that Alice considers for each keyword.
        fears: kinds of Eve that Alice models: ``bayes`` or ``bayes+embedding``.
        order: depth of Bob: 0 is literal, 1 inverts an Alice who does not model Eve, 2 one who does.

    Raises:
        UserError: if the seat is Eve's, or an option is out of range.
    """
    check_seat("rsa", seat, "alice", "bob")
    if candidates < 1:
        raise UserError(f"option 'candidates' of mind 'rsa' is {candidates}; expected at least 1")
    if order not in (0, 1, 2):
        raise UserError(f"option 'order' of mind 'rsa' is {order}; expected 0, 1 or 2")
    if fears not in ("bayes", "bayes+embedding"):
        raise UserError(f"option 'fears' of mind 'rsa' is {fears!r}; expected bayes or bayes+embedding")
    literals = productions(lexicon)
    if role_of(seat) == "alice":
        return RSAAlice(Ensemble(literals), candidates, Aims(lam, mu), tuple(fears.split("+")))
    if order == 0:
        return BayesianGuesser(literals[0])
    return RSABob(Ensemble(literals), Aims(lam if order == 2 else 0.0))
