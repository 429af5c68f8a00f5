"""The measures common to all worlds: success, score, literal accuracy by order, and validity apart from skill."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from otherminds.core.episodes import Episode

T = TypeVar("T")


def probes_of(episode: Episode) -> Iterator[dict[str, Any]]:
    """Every probe of an episode with its expected and given answer, in the order in which they were asked."""
    for turn in episode.turns:
        yield from turn.get("probes", ())
    yield from (episode.end or {}).get("probes", ())


def is_right(probe: dict[str, Any]) -> bool | None:
    """Whether a probe was answered correctly; ``None`` if no right answer is known or no answer was given."""
    if probe.get("expected") is None or probe.get("given") is None:
        return None
    return bool(probe["expected"] == probe["given"])


def summary(episodes: Sequence[Episode]) -> dict[str, float | None]:
    """Means over finished episodes; ``None`` for a measure without data."""
    ended = [episode for episode in episodes if episode.end is not None]
    outcomes = [episode.end["outcome"] for episode in ended if episode.end and "outcome" in episode.end]
    scores = [score for outcome in outcomes for score in outcome["score"].values()]
    by_order: dict[int, list[bool]] = defaultdict(list)
    for episode in ended:
        for probe in probes_of(episode):
            if (right := is_right(probe)) is not None:
                by_order[len(probe.get("chain", ()))].append(right)
    literal = [right for answers in by_order.values() for right in answers]
    return {
        "episodes": float(len(ended)),
        "success": mean(outcome["success"] for outcome in outcomes if outcome["success"] is not None),
        "score": mean(scores),
        "literal": mean(literal),
        **{f"literal_order_{order}": mean(answers) for order, answers in sorted(by_order.items())},
        **validity(ended),
    }


def validity(episodes: Iterable[Episode]) -> dict[str, float | None]:
    """Share of asks with a valid reply, and mean attempts per ask."""
    counts: dict[str, int] = defaultdict(int)
    for episode in episodes:
        for seat in episode.validity.values():
            for name, count in seat.items():
                counts[name] += count
    asks = counts["asks"]
    return {
        "validity_rate": 1 - counts["failures"] / asks if asks else None,
        "attempts_per_ask": counts["attempts"] / asks if asks else None,
    }


def grouped(values: Iterable[T], key: Callable[[T], Any]) -> dict[Any, list[T]]:
    """Values by key, in the order in which the keys are met."""
    groups: dict[Any, list[T]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return groups


def mean(values: Iterable[float]) -> float | None:
    """The mean; ``None`` if there are no values."""
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else None
