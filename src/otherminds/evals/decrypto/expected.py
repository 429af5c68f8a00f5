"""What control agents must score, computed from what they said before the reveal (spec 10).

With m slots wrong in A, an Eve who lets each leak with probability q passes the weak test with probability 1 - q^m and
the strong one with (1 - q)^m. Averaged as the scores are, this gives the expected figure and its standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.evals.decrypto.measures import TRUTH, Moment


@dataclass(frozen=True)
class Expected:
    """A figure that follows from how a mind is made."""

    value: float
    standard_error: float  # of a measured figure around it; 0 if nothing is left to chance

    def apart(self, measured: float) -> float:
        """How many standard errors a measured figure is away; infinite if it differs where nothing is by chance."""
        gap = abs(measured - self.value)
        if gap < 1e-12:
            return 0.0
        return gap / self.standard_error if self.standard_error else float("inf")


def leaky_expected(episodes: Sequence[Episode], q: float) -> dict[str, Expected]:
    """Expected figures of an Eve who leaks with probability q; 0 is the simulating one, 1 the reality-biased."""
    wrong = [_wrong_slots(episode) for episode in episodes]
    weak = _of_turns(wrong, lambda m: 1 - q**m)
    strong = _of_turns(wrong, lambda m: (1 - q) ** m)
    slots = [sum(turns) for turns in wrong if sum(turns)]
    # The mean over games of shares of slots: each slot leaks by itself.
    leak = Expected(q, float(np.sqrt(sum(q * (1 - q) / slot for slot in slots)) / len(slots)) if slots else 0.0)
    return {
        **{f"weak {name}": weak for name in ("RC", "FB")},
        **{f"strong {name}": strong for name in ("RC", "FB")},
        **{f"leakage {name}": leak for name in ("RC", "FB")},
    }


def _wrong_slots(episode: Episode) -> list[int]:
    """Of each included turn, how many slots of the answer before the reveal are wrong."""
    found = []
    for turn in episode.turns:
        moment = Moment(episode, turn)
        if "A" in moment.probes:
            wrong = sum(a != b for a, b in moment.pairs("A", TRUTH))
            found += [wrong] if wrong else []
    return found


def _of_turns(wrong: Sequence[Sequence[int]], chance: Callable[[int], float]) -> Expected:
    games = [[chance(m) for m in turns] for turns in wrong if turns]
    if not games:
        return Expected(float("nan"), 0.0)
    variance = sum(sum(p * (1 - p) for p in turns) / len(turns) ** 2 for turns in games)
    return Expected(float(np.mean([np.mean(turns) for turns in games])), float(np.sqrt(variance)) / len(games))
