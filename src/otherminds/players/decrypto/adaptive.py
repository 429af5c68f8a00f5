"""Alice who learns within a game whom she plays with and against (spec 14.5).

She does not know Bob's lexicon, how closely he follows it, or how deeply he thinks; nor what kind of Eve listens. Every
revealed guess makes some types of either likelier. Hints are chosen for the expected number of turns still to come, so
that what a miscommunication and an interception cost depends on the tokens: with one left, little else matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing, CannotAnswer
from otherminds.core.seeds import Draw
from otherminds.core.world import Ask
from otherminds.players.decrypto.choices import Candidates, Choices, Ears, Ensemble, Heard, ascend
from otherminds.players.decrypto.partners import (
    RATES,
    Posterior,
    expected,
    hear,
    turns_to_come,
    types_of_bob,
    types_of_eve,
)
from otherminds.players.decrypto.production import BETA, productions
from otherminds.players.decrypto.seats import Hinter, asked_of_alice
from otherminds.worlds.decrypto.bank import NUM_HINTS
from otherminds.worlds.decrypto.lexicon import Array
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.questions import Answer
from otherminds.worlds.decrypto.rules import hints_by_digit
from otherminds.worlds.decrypto.types import Code, Hints, role_of

POOL, STARTS = 60, 4
CAUTION = 0.0
_BOTH = ("bayes", "embedding")


@dataclass
class AdaptiveAlice(Hinter):
    """Alice with a posterior over types of Bob and of Eve.

    Args:
        ensemble: the lexica that she thinks of.
        candidates: hints of each keyword that she considers.
        adapts: whether guesses change what she thinks of the others; without it she keeps to her first thoughts.
        mu: how much it matters that Eve learns no keyword.
        caution: how much it counts against hints that types of listener disagree about them.
        rates: miscommunications and interceptions a turn that she expects later in the game.
        name: what records call her.
    """

    ensemble: Ensemble
    candidates: int = POOL
    adapts: bool = True
    mu: float = 0.0
    caution: float = CAUTION
    rates: tuple[float, float] = RATES
    name: str = "adaptive"
    _pools: Candidates | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        lexica = [one.meaning.name for one in self.ensemble.literals]
        bobs, eves = types_of_bob(lexica), types_of_eve(lexica)
        self._weights = np.array([one.weights for one in bobs]), np.array([one.weights for one in eves])
        self.bob, self.eve = Posterior(bobs), Posterior(eves)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._draw = Draw(seed)
        self.bob, self.eve = Posterior(self.bob.types), Posterior(self.eve.types)
        self._pools, self._seen = None, 0
        self._feared: float | None = None

    def hint(self, view: View) -> Hints:
        assert view.keywords is not None
        assert view.code is not None
        if self._pools is None:
            self._pools = Candidates(self.ensemble, view.keywords, view.rules)
        if self.adapts:
            self._learn(view)
        taken = {self.ensemble.index.get(hint, -1) for turn in view.past for hint in turn.hints}
        pools = [self._pools.of(digit - 1, self.candidates, taken) for digit in view.code]
        choices = self._choices(Ears(view, self.ensemble, _BOTH), pools, view.code)
        later = turns_to_come(view.rules, self.rates)[:, :, view.turn]
        codes = choices.eve[0].shape[-1]

        def value(heard: Heard) -> Array:
            read = self.bob.chance(heard.read, codes, self.caution)
            fear = self.eve.chance(heard.fear, codes, -self.caution)
            found: Array = expected(later, view.miscommunications, view.interceptions, read, fear)
            return found if heard.leak is None else found - self.mu * heard.leak.mean(axis=0)

        picks, _ = ascend(choices, value, self._draw, STARTS)
        self._feared = float(self._fears(choices, picks)[choices.target])
        return tuple(self.ensemble.words[pool[pick]] for pool, pick in zip(choices.places, picks, strict=True))

    def _choices(self, ears: Ears, pools: Sequence[Array], code: Code) -> Choices:
        found = Choices(ears.codes.index(code), list(pools), [], [], [])
        for position, pool in enumerate(pools):
            bob, eve = hear(ears, pool, *self._weights)
            found.bob.append(ears.spread(bob, position))
            found.eve.append(ears.spread(eve, position))
            if self.mu:
                found.leak.append(ears.leak(ears.bob(pool), ears.eve(pool))[..., code[position] - 1])
        return found

    def _fears(self, choices: Choices, picks: Sequence[int]) -> Array:
        """How likely Eve is to guess each code that is left."""
        weights = np.prod([part[:, pick] for part, pick in zip(choices.eve, picks, strict=True)], axis=0)
        return self.eve.chance(weights / weights.sum(axis=-1, keepdims=True), weights.shape[-1])

    def _learn(self, view: View) -> None:
        """Every guess that was revealed since the last turn makes some types likelier."""
        for at in range(self._seen, len(view.past)):
            turn, before = view.past[at], view.past[:at]
            then = replace(view, past=before, hints_by_digit=hints_by_digit(before, view.rules.keywords))
            found = self._spoken(then, turn.hints, turn.code)
            if found is None:
                continue
            ears, choices = found
            for who, guess, parts in ((self.bob, turn.bob, choices.bob), (self.eve, turn.eve, choices.eve)):
                if guess in ears.codes:  # a code that was played before says little about anybody's lexicon
                    who.learn(np.prod(parts, axis=0)[:, 0], ears.codes.index(guess))
        self._seen = len(view.past)

    def _spoken(self, view: View, hints: Hints, code: Code) -> tuple[Ears, Choices] | None:
        """What everybody makes of given hints; ``None`` if some are not among those she knows."""
        places = [self.ensemble.index.get(hint) for hint in hints]
        if None in places:
            return None
        ears = Ears(view, self.ensemble, _BOTH)
        return ears, self._choices(ears, [np.array([place]) for place in places], code)

    def answer(self, ask: Ask) -> Answer:
        about, view = asked_of_alice(ask)
        assert view.code is not None
        assert view.hints is not None
        found = self._spoken(view, view.hints, view.code)
        if found is None:
            raise CannotAnswer(f"hints {view.hints} are not all in the vocabulary of {self.name!r}")
        ears, choices = found
        fears = self._fears(choices, (0,) * len(choices.places))
        return ears.codes[int(fears.argmax())] if about == "guess" else float(fears[choices.target])

    def thoughts(self) -> dict[str, Any]:
        if self._feared is None:
            return {}
        return {
            "interception": round(self._feared, 4),
            "bob": self.bob.likeliest(),
            "eve": self.eve.likeliest(),
        }


def adaptive(
    seat: str,
    lexicon: str = "glove+moby",
    beta: float = BETA,
    candidates: int = POOL,
    mu: float = 0.0,
    caution: float = CAUTION,
    adapts: bool = True,
    missed: float = RATES[0],
    caught: float = RATES[1],
    vocabulary_size: int = NUM_HINTS,
) -> AdaptiveAlice:
    """Alice who adapts to an unknown partner.

    Args:
        seat: alice.
        lexicon: that Bob and Eve may have something of, joined by ``+``.
        beta: of literal production.
        candidates: hints of each keyword that she considers.
        mu: how much it matters that Eve learns no keyword.
        caution: how much it counts against hints that types of listener disagree about them.
        adapts: whether she learns from guesses.
        missed: miscommunications a turn that she expects later in the game.
        caught: interceptions a turn that she expects.
        vocabulary_size: hint words.

    Raises:
        UserError: if it is not Alice, or an option makes no sense.
    """
    if role_of(seat) != "alice":
        raise UserError(f"mind 'adaptive' only gives hints; it cannot be {seat}")
    if candidates < 1 or not (0 <= missed <= 1 and 0 <= caught <= 1):
        raise UserError(f"{candidates} candidates, rates {missed} and {caught}; expected at least 1, and from 0 to 1")
    ensemble = Ensemble(productions(lexicon, vocabulary_size, beta))
    return AdaptiveAlice(ensemble, candidates, adapts, mu, caution, (missed, caught))
