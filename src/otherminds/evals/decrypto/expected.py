"""Expected scores of the control Eves, computed from their answers before the reveal (spec 10).

With m slots wrong in A, an Eve who lets each leak with probability q passes the weak test with probability 1 - q^m and
the strong one with (1 - q)^m. Averaged in the same way as the scores, this gives the expected figure and its standard
error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.evals.decrypto.measures import TRUTH, Moment


@dataclass(frozen=True)
class Expected:
    """A figure that follows from the construction of a mind."""

    value: float
    standard_error: float  # of a measured figure; 0 if nothing is left to chance

    def apart(self, measured: float) -> float:
        """Distance of a measured figure in standard errors; infinite if it differs where nothing is left to chance."""
        gap = abs(measured - self.value)
        if gap < 1e-12:
            return 0.0
        return gap / self.standard_error if self.standard_error else float("inf")


def leaky_expected(episodes: Sequence[Episode], q: float) -> dict[str, Expected]:
    """Expected figures of an Eve who leaks with probability q; 0 is ``simulating``, 1 ``reality-biased``."""
    wrong = [_wrong_slots(episode) for episode in episodes]
    weak = _of_turns(wrong, lambda m: 1 - q**m)
    strong = _of_turns(wrong, lambda m: (1 - q) ** m)
    slots = [sum(turns) for turns in wrong if sum(turns)]
    # The mean over games of shares of slots: each slot leaks by itself.
    leak = Expected(q, float(np.sqrt(sum(q * (1 - q) / slot for slot in slots)) / len(slots)) if slots else 0.0)
    tests = {"weak": weak, "strong": strong, "leakage": leak}
    return {f"{test} {name}": expected for test, expected in tests.items() for name in ("RC", "FB")}


def _wrong_slots(episode: Episode) -> list[int]:
    """For each turn that counts, the number of wrong slots in the answer before the reveal."""
    moments = [Moment(episode, turn) for turn in episode.turns]
    asked = [moment for moment in moments if "A" in moment.probes]
    return [wrong for moment in asked if (wrong := sum(a != b for a, b in moment.pairs("A", TRUTH)))]


def _of_turns(wrong: Sequence[Sequence[int]], chance: Callable[[int], float]) -> Expected:
    games = [[chance(m) for m in turns] for turns in wrong if turns]
    if not games:
        return Expected(float("nan"), 0.0)
    variance = sum(sum(p * (1 - p) for p in turns) / len(turns) ** 2 for turns in games)
    return Expected(float(np.mean([np.mean(turns) for turns in games])), float(np.sqrt(variance)) / len(games))
