"""Metrics of the Decrypto task beside those of whole games: rates by turn, validity, slices and an experiment's own.

Rates by turn are pooled over all turns and do not depend on early stops; their errors are clustered by game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import nan, sqrt
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from otherminds.worlds.decrypto.types import ROLES

COUNTS, MEASURES = "counts", "measures"  # where a score's metadata has them


def counts_of(turns: Sequence[Mapping[str, Any]], kinds: Sequence[str] = ()) -> dict[str, int]:
    """What is counted in a game's turns; ``kinds`` are those of the keywords, if they are known."""
    found: Counter[str] = Counter(games=1, turns=len(turns), hints=0, problems=0, decoded=0, intercepted=0)
    for turn in turns:
        found.update(
            hints=0 if "alice" in turn["failures"] else len(turn["hints"]),
            problems=len(turn.get("problems", ())),
            decoded=turn["bob"] == turn["code"],
            intercepted=turn["eve"] == turn["code"],
        )
        for digit, bob, eve in zip(turn["code"], turn["bob"], turn["eve"], strict=True):
            kind = kinds[digit - 1] if kinds else ""
            found.update({f"{kind} hints": 1, f"{kind} decoded": bob == digit, f"{kind} intercepted": eve == digit})
        for role in ROLES:
            answers = [one for one in turn.get("answers", ()) if one["role"] == role]
            found.update(
                {
                    f"{role} acts": 1,
                    f"{role} attempts": turn["attempts"][role],
                    f"{role} failures": role in turn["failures"],
                    f"{role} asked": len(answers),
                    f"{role} unanswered": sum(one["failed"] for one in answers),
                }
            )
    return dict(found)


@metric
def per_turn() -> Metric:
    """How often Bob was right and Eve was right, by turn, and how many hints broke a rule."""

    def measure(scores: list[SampleScore]) -> Value:
        games = _counts(scores)
        decoded, spread = _rate(games, "decoded", "turns")
        intercepted, other = _rate(games, "intercepted", "turns")
        return {
            "decoded": decoded,
            "decoded_stderr": spread,
            "intercepted": intercepted,
            "intercepted_stderr": other,
            "hints_against_rules": _rate(games, "problems", "hints")[0],
        }

    return measure


@metric
def validity() -> Metric:
    """For each role: acts with an answer within the rules, attempts for each act, and questions that were answered."""

    def measure(scores: list[SampleScore]) -> Value:
        games, found = _counts(scores), {}
        for role in ROLES:
            found[f"{role}_validity"] = 1 - _rate(games, f"{role} failures", f"{role} acts")[0]
            found[f"{role}_attempts"] = _rate(games, f"{role} attempts", f"{role} acts")[0]
            if any(game.get(f"{role} asked") for game in games):
                found[f"{role}_answered"] = 1 - _rate(games, f"{role} unanswered", f"{role} asked")[0]
        return found

    return measure


@metric
def by_kind() -> Metric:
    """Of hints for concrete and for abstract keywords: how many Bob and Eve placed; nothing if all are of one kind.

    Turns too, if no game has keywords of both kinds.
    """

    def measure(scores: list[SampleScore]) -> Value:
        games = _counts(scores)
        kinds = sorted(
            {name.removesuffix(" hints") for game in games for name in game if name.endswith(" hints")} - {""}
        )
        found: dict[str, float] = {}
        for kind in kinds if len(kinds) > 1 else ():
            found[f"{kind}_hints_decoded"] = _rate(games, f"{kind} decoded", f"{kind} hints")[0]
            found[f"{kind}_hints_intercepted"] = _rate(games, f"{kind} intercepted", f"{kind} hints")[0]
        pure: dict[str, list[SampleScore]] = {}
        for one in scores:
            pure.setdefault(str((one.sample_metadata or {}).get("keyword_kind", "")), []).append(one)
        if len(pure) > 1 and set(pure) == set(kinds):
            found |= {f"{kind}_turns": _rate(_counts(some), "turns", "games")[0] for kind, some in pure.items()}
        return found

    return measure


@metric
def measured() -> Metric:
    """What the experiment measures, averaged over the games that have a value, for each of its arms."""

    def measure(scores: list[SampleScore]) -> Value:
        found: dict[str, list[float]] = {}
        for one in scores:
            about, arm = one.sample_metadata or {}, (one.sample_metadata or {}).get("arm", "")
            prefix = f"{arm}: " if about.get("has_arms") else ""
            for name, value in ((one.score.metadata or {}).get(MEASURES) or {}).items():
                found.setdefault(f"{prefix}{name}", []).append(value)
        return {name: sum(values) / len(values) for name, values in found.items()}

    return measure


def _counts(scores: Sequence[SampleScore]) -> list[dict[str, int]]:
    """Of the games that were played to their end."""
    return [found for one in scores if (found := (one.score.metadata or {}).get(COUNTS))]


def _rate(games: Sequence[Mapping[str, int]], part: str, whole: str) -> tuple[float, float]:
    """A pooled rate and its standard error, clustered by game."""
    total = sum(game.get(whole, 0) for game in games)
    if not total:
        return nan, nan
    rate = sum(game.get(part, 0) for game in games) / total
    spread = sum((game.get(part, 0) - rate * game.get(whole, 0)) ** 2 for game in games)
    correction = len(games) / (len(games) - 1) if len(games) > 1 else nan
    return rate, sqrt(spread * correction) / total
