"""Bob who asks why Alice said that: he inverts an Alice who does, or does not, reckon with Eve (spec 9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from otherminds.core.mind import Briefing
from otherminds.players.decrypto.bayes import BayesianGuesser
from otherminds.players.decrypto.choices import Aims, Ears, Ensemble, Heard, log_softmax
from otherminds.players.decrypto.seats import Guesser
from otherminds.worlds.decrypto.lexicon import Array, Lexicon
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.types import Code

SAMPLES = 300  # hints that Bob thinks of for each keyword


@dataclass
class RSABob(Guesser):
    """Bob who inverts an Alice of the order below.

    ``L_B(c|h) ~ S1(h|c)``, and ``S1(h|c) = prod S0(h_i|w) exp(alpha U(h;c)) / Z(c)``. The hints are too many for ``Z``,
    so it is the mean of ``exp(alpha U)`` over hints drawn from ``S0``.

    Args:
        ensemble: the lexica he thinks Alice reckons with; his own is the first.
        aims: what he thinks Alice wants; of order 1, an Alice without ``lam`` and ``mu``.
        alpha: how strictly she pursues it.
        samples: hints that are drawn for each keyword.
    """

    ensemble: Ensemble
    aims: Aims
    alpha: float = 1.0
    samples: int = SAMPLES
    name: str = "rsa"

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def guess(self, view: View) -> Code:
        assert view.hints is not None
        if not all(hint in self.ensemble.index for hint in view.hints):
            # She said what he would not have thought of: he cannot tell why, and listens literally.
            return BayesianGuesser(self.ensemble.literals[0]).guess(view)
        codes, logs = self.posterior(view)
        return codes[int(np.argmax(logs))]

    def lexica(self) -> tuple[Lexicon, ...]:
        return (self.ensemble.literals[0].meaning,)

    def posterior(self, view: View) -> tuple[tuple[Code, ...], Array]:
        """The codes that are left, and the logarithm of the probability of each."""
        assert view.keywords is not None
        assert view.hints is not None
        ears = Ears(view, self.ensemble)
        said = [ears.both(np.array([self.ensemble.index[hint]])) for hint in view.hints]
        drawn = [ears.both(self._draws(word)) for word in view.keywords]
        spoken = np.sum([bob[0, 0, ears.digits[:, at]] for at, (bob, _) in enumerate(said)], axis=0)
        found = spoken + self.alpha * self._worth(ears, said)[0]
        for at, code in enumerate(ears.codes):
            values = self.alpha * self._worth(ears, [drawn[digit - 1] for digit in code])[:, at]
            top = values.max()
            found[at] -= top + np.log(np.exp(values - top).mean())
        return ears.codes, log_softmax(found)

    def _draws(self, keyword: str) -> Array:
        given = self.ensemble.given(keyword)[0]
        chances = np.exp(given - given.max())
        return self._rng.choice(len(chances), self.samples, p=chances / chances.sum())

    def _worth(self, ears: Ears, hints: list[tuple[Array, Array]]) -> Array:
        """What saying some hints would be worth to Alice, ``[hints, code]``."""
        shares = []
        for part in range(2):
            weights = np.prod([ears.spread(one[part], position) for position, one in enumerate(hints)], axis=0)
            shares.append(weights / weights.sum(axis=-1, keepdims=True))
        read, fear = shares
        leak = None
        if self.aims.mu:
            leaks = [ears.leak(bob, eve)[..., ears.digits[:, position]] for position, (bob, eve) in enumerate(hints)]
            leak = np.sum(leaks, axis=0)
        return self.aims.value(Heard(read, fear, fear >= fear.max(axis=-1, keepdims=True), leak))
