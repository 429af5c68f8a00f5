"""Alice who learns within a game whom she plays with and against (spec 14.5).

She does not know Bob's lexicon, how closely he follows it, or how deeply he thinks; nor what kind of Eve listens. Every
revealed guess makes some types of either likelier. Hints are chosen for the expected number of turns still to come, so
that what a miscommunication and an interception cost depends on the tokens: with one left, little else matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import Briefing, CannotAnswer
from otherminds.core.world import Ask
from otherminds.players.decrypto.choices import Choices, Ears, Ensemble, Heard, SearchingAlice, code_shares
from otherminds.players.decrypto.partners import Posterior, expected, hear, turns_to_come, types_of_bob, types_of_eve
from otherminds.players.decrypto.production import productions
from otherminds.players.decrypto.seats import asked_of_alice, check_seat
from otherminds.worlds.decrypto.lexicon import Array
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.questions import Answer
from otherminds.worlds.decrypto.types import Code, Hints

POOL, STARTS = 60, 4
_BOTH = ("bayes", "embedding")


@dataclass
class AdaptiveAlice(SearchingAlice):
    """Alice with a posterior over types of Bob and of Eve.

    Args:
        adapts: whether guesses change what she thinks of the others; without it she keeps to her first thoughts.
    """

    candidates: int = POOL
    adapts: bool = True
    name: str = "adaptive"

    def __post_init__(self) -> None:
        lexica = [one.meaning.name for one in self.ensemble.literals]
        self._types = types_of_bob(lexica), types_of_eve(lexica)
        self._weights = tuple(np.array([one.weights for one in types]) for types in self._types)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        super().begin(seat, briefing, seed)
        self.bob, self.eve = map(Posterior, self._types)
        self._seen = 0  # turns that she has learned from

    def hint(self, view: View) -> Hints:
        if self.adapts:
            self._learn(view)
        choices = self._choices(Ears(view, self.ensemble, _BOTH), self.pools(view), view.code)
        later = turns_to_come(view.rules)[:, :, view.turn]
        codes = choices.eve[0].shape[-1]

        def value(heard: Heard) -> Array:
            read, fear = self.bob.chance(heard.read, codes), self.eve.chance(heard.fear, codes)
            found: Array = expected(later, view.miscommunications, view.interceptions, read, fear)
            return found

        return self.best_hints(choices, value, STARTS)

    def _choices(self, ears: Ears, pools: Sequence[Array], code: Code) -> Choices:
        return Choices.of(ears, pools, code, hear=partial(hear, ears, *self._weights))

    def fears(self, shares: Array) -> Array:
        return self.eve.chance(shares, shares.shape[-1])

    def _learn(self, view: View) -> None:
        """Every guess that was revealed since the last turn makes some types likelier."""
        for at in range(self._seen, len(view.past)):
            turn = view.past[at]
            found = self._spoken(view._replace(past=view.past[:at]), turn.hints, turn.code)
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
        found = self._spoken(view, view.hints, view.code)
        if found is None:
            raise CannotAnswer(f"hints {view.hints} are not all in the vocabulary of {self.name!r}")
        ears, choices = found
        fears = self.fears(code_shares([part[:, 0] for part in choices.eve]))
        return ears.codes[int(fears.argmax())] if about == "guess" else float(fears[choices.target])

    def thoughts(self, view: View) -> dict[str, Any]:
        return {**super().thoughts(view), "bob": self.bob.likeliest(), "eve": self.eve.likeliest()}


def adaptive(seat: str, lexicon: str = "glove+moby", candidates: int = POOL, adapts: bool = True) -> AdaptiveAlice:
    """Alice who adapts to an unknown partner.

    Args:
        seat: alice.
        lexicon: that Bob and Eve may have something of, joined by ``+``.
        candidates: hints of each keyword that she considers.
        adapts: whether she learns from guesses.

    Raises:
        UserError: if it is not Alice, or an option makes no sense.
    """
    check_seat("adaptive", seat, "alice")
    if candidates < 1:
        raise UserError(f"{candidates} candidates; expected at least 1")
    return AdaptiveAlice(Ensemble(productions(lexicon)), candidates, adapts)
