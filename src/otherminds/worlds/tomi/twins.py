"""Contrast: stories that look alike and differ in what somebody could know (spec 15.2).

- An *order twin* has two statements swapped, so its bag of sentences is the same: whoever ignores order fails one.
- An *agent twin* has two people swapped in everything after the announcement, so its sequence of event types is the
  same: whoever ignores who did it fails one.
- A *room twin* has one person go to another room: whoever ignores rooms fails one.

Memory and reality stay the same, so "always reality" fails one of every pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.types import Enter, Event, Exit, Furnish, Move, Remark, Ring, Story, Tell

Variant = Literal["base", "order", "agent", "room"]
TWINS: tuple[Variant, ...] = ("order", "agent", "room")
_TRIES = 24  # possible twins looked at before the story is given up


def possible(story: Story, start: int, variant: Variant, draw: Draw) -> Iterator[Story]:
    """Twins of a kind in random order; they may be impossible, or differ in nothing that matters.

    Args:
        story: the base.
        start: the number of events that all twins share.
        variant: which kind.
        draw: chance.
    """
    makers = {"order": _order_twins, "agent": _agent_twins, "room": _room_twins}
    for events in makers[variant](story, start, draw):
        yield replace(story, events=events)


def _order_twins(story: Story, start: int, draw: Draw) -> Iterator[tuple[Event, ...]]:
    events = story.events
    slots = [i for i in range(start, len(events)) if not isinstance(events[i], Remark | Ring | Furnish)]
    pairs = [(i, j) for k, i in enumerate(slots) for j in slots[k + 1 :] if _can_swap(events, i, j)]
    for i, j in draw.some(pairs, min(_TRIES, len(pairs))):
        yield (*events[:i], events[j], *events[i + 1 : j], events[i], *events[j + 1 :])


def _can_swap(events: tuple[Event, ...], i: int, j: int) -> bool:
    """Whether everybody still does the same in the same order. Moves too: a sentence may say where from."""
    first, second = _actor(events[i]), _actor(events[j])
    if first == second:
        return False
    num_moves = isinstance(events[i], Move) + isinstance(events[j], Move)
    for event in events[i + 1 : j]:
        if _actor(event) in (first, second) or (num_moves and isinstance(event, Move)):
            return False
    return num_moves < 2


def _actor(event: Event) -> int | None:
    if isinstance(event, Tell):
        return event.speaker
    return event.agent if isinstance(event, Enter | Exit | Move) else None


def _agent_twins(story: Story, start: int, draw: Draw) -> Iterator[tuple[Event, ...]]:
    pairs = [(a, b) for a in range(story.num_agents) for b in range(a + 1, story.num_agents)]
    draw.shuffle(pairs)
    for a, b in pairs:
        swap = {a: b, b: a}
        yield (*story.events[:start], *(_renamed(event, swap) for event in story.events[start:]))


def _room_twins(story: Story, start: int, draw: Draw) -> Iterator[tuple[Event, ...]]:
    entries = [i for i in range(start, len(story.events)) if isinstance(story.events[i], Enter)]
    changes = [(i, room) for i in entries for room in range(story.num_rooms)]
    for i, room in draw.some(changes, min(_TRIES, len(changes))):
        entry = story.events[i]
        if not isinstance(entry, Enter) or entry.room == room:
            continue
        events = list(story.events)
        events[i] = replace(entry, room=room)
        for later in range(i + 1, len(events)):  # whoever goes elsewhere also leaves there
            event = events[later]
            if isinstance(event, Exit) and event.agent == entry.agent:
                events[later] = replace(event, room=room)
                break
            if isinstance(event, Enter) and event.agent == entry.agent:
                break
        yield tuple(events)


def _renamed(event: Event, swap: dict[int, int]) -> Event:
    match event:
        case Enter(agent) | Exit(agent) | Remark(agent):
            return replace(event, agent=swap.get(agent, agent))
        case Move(agent, _, _, peekers, distracted):
            return replace(
                event,
                agent=swap.get(agent, agent),
                peekers=_swapped(peekers, swap),
                distracted=_swapped(distracted, swap),
            )
        case Tell(speaker, listener):
            return replace(event, speaker=swap.get(speaker, speaker), listener=swap.get(listener, listener))
    return event


def _swapped(mask: int, swap: dict[int, int]) -> int:
    if not mask:
        return 0
    a, b = swap
    first, second = mask >> a & 1, mask >> b & 1
    return mask & ~(1 << a | 1 << b) | first << b | second << a
