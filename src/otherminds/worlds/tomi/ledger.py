"""The belief ledger of a story, by names. The reader, who perceives everything, changes nothing in a chain."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from otherminds.core.ledger import Evidence, Ledger, Observer, latest, witnessed
from otherminds.worlds.tomi.observe import READER
from otherminds.worlds.tomi.timeline import Timeline
from otherminds.worlds.tomi.types import members

Beliefs = dict[Hashable, Hashable]


def ledger_of(timeline: Timeline, upto: int | None = None) -> Ledger[Evidence, Beliefs]:
    """Who saw what of which object, up to a step of the story."""
    last = len(timeline.events) if upto is None else min(upto, len(timeline.events))
    events = [evidence for step in range(1, last + 1) for evidence in _evidence(timeline, step)]
    return Ledger(_appears, latest, {}, events)


def _appears(event: Evidence, observer: Observer) -> Evidence | None:
    """What an observer perceives of an event; the reader also perceives what happens in secret."""
    return event if observer == READER else witnessed(event, observer)


def _evidence(timeline: Timeline, step: int) -> Iterator[Evidence]:
    names, (witnesses, shown) = timeline.names, timeline.seen[step - 1]
    people = [frozenset(names.agents[agent] for agent in members(mask)) for mask in witnesses]
    for thing, container in shown.items():
        yield Evidence(names.objects[thing], names.containers[container], *people)
        real_place = timeline.moments[step].contents[thing]
        if container != real_place:  # an honest mistake: those who hear it believe it, and the truth stays what it is
            yield Evidence(names.objects[thing], names.containers[real_place], frozenset(), frozenset())
