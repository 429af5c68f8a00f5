"""The belief ledger: one exact record of who could know what, to any depth.

It stores *true events*. A world supplies two functions:

- ``appears(event, observer)``: what of an event the observer perceives, or is thought to perceive; ``None`` if nothing;
- ``update(belief, event)``: the declared convention by which a mind revises.

The belief of a chain a·b·c (what a thinks that b thinks that c thinks) is the fold of ``update`` over the events as
they appear to a, then as they appear to b within a's view, then to c. The empty chain folds the events as they are,
and so gives the truth.

The ledger is slow and obvious on purpose: it is the truth of every literal probe and the reference for every fast
implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Generic, TypeVar

Event = TypeVar("Event")
Mind = TypeVar("Mind")
Value = TypeVar("Value")
Observer = Hashable
Chain = tuple[Observer, ...]


@dataclass
class Ledger(Generic[Event, Mind]):
    """True events, and the beliefs that follow from them."""

    appears: Callable[[Event, Observer], Event | None]
    update: Callable[[Mind, Event], Mind]
    start: Mind  # what anyone believes before any event
    events: list[Event] = field(default_factory=list)

    def record(self, *events: Event) -> None:
        """Add true events. Only the world records; beliefs are never fed back."""
        self.events.extend(events)

    def view(self, chain: Chain, upto: int | None = None, since: int = 0) -> Iterator[Event]:
        """The first ``upto`` events as they appear along a chain, or those of them after the first ``since``."""
        for event in self.events[since:upto]:
            seen = self._appears_along(event, chain)
            if seen is not None:
                yield seen

    def belief(self, chain: Chain = (), upto: int | None = None) -> Mind:
        """The belief that the chain supports after the first ``upto`` events (all by default)."""
        return reduce(self.update, self.view(chain, upto), self.start)

    def beliefs(self, chain: Chain = ()) -> Iterator[Mind]:
        """The belief of a chain after each event in turn."""
        mind = self.start
        for event in self.events:
            seen = self._appears_along(event, chain)
            if seen is not None:
                mind = self.update(mind, seen)
            yield mind

    def _appears_along(self, event: Event, chain: Chain) -> Event | None:
        seen: Event | None = event
        for observer in chain:
            if seen is None:
                return None
            seen = self.appears(seen, observer)
        return seen


@dataclass(frozen=True)
class Evidence:
    """The simple case: something took a value, with its real and its apparent witnesses."""

    about: Hashable
    value: Hashable
    real: frozenset[Observer]
    apparent: frozenset[Observer]


def witnessed(event: Evidence, observer: Observer) -> Evidence | None:
    """``appears`` for evidence. Within anyone's view, others perceive what they are thought to perceive."""
    return replace(event, real=event.apparent) if observer in event.real else None


def latest(mind: dict[Hashable, Hashable], event: Evidence) -> dict[Hashable, Hashable]:
    """``update`` for evidence: the last value perceived is believed."""
    return {**mind, event.about: event.value}


def evidence_ledger(events: Iterable[Evidence] = ()) -> Ledger[Evidence, dict[Hashable, Hashable]]:
    """A ledger of evidence, folded in the general way."""
    return Ledger(witnessed, latest, {}, list(events))


class EvidenceTable(Generic[Value]):
    """The fast path for evidence: observers are numbers, sets of them bit masks.

    A chain's belief is the latest value that its first member really perceived and all later members apparently did,
    so it depends only on that member and the *set* of the later ones, and is found by one walk back in time.
    """

    __slots__ = ("_events",)

    def __init__(self) -> None:
        self._events: dict[Hashable, list[tuple[Value, int, int]]] = {}

    def record(self, about: Hashable, value: Value, real: int, apparent: int) -> None:
        """Add a true event with its real and its apparent witnesses, as bit masks."""
        self._events.setdefault(about, []).append((value, real, apparent))

    def belief(self, chain: tuple[int, ...], about: Hashable) -> Value | None:
        """The value that the chain supports for ``about``; ``None`` if there is none."""
        if not chain:
            return self._events[about][-1][0] if about in self._events else None
        first, later = 1 << chain[0], 0
        for observer in chain[1:]:
            later |= 1 << observer
        for value, real, apparent in reversed(self._events.get(about, ())):
            if real & first and apparent & later == later:
                return value
        return None
