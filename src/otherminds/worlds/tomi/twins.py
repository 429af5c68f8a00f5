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
from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Event, Exit, Move, Remark, Story, Tell

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
        yield story.told_as(events)


def _order_twins(story: Story, start: int, draw: Draw) -> Iterator[tuple[Event, ...]]:
    events = story.events
    pairs = list(_swappable(events, start))
    rooms = [_room(event, story) for event in events]
    home = next(
        room for event, room in zip(events, rooms, strict=True) if isinstance(event, Announce) and not event.object
    )
    shows = [room == home and not isinstance(event, Exit) for event, room in zip(events, rooms, strict=True)]
    has_tells = any(isinstance(event, Tell) for event in events)
    for i, j in draw.some(pairs, min(_TRIES, len(pairs))):
        # Who sees the object when is another matter only if one of the two comes into its room or leaves it while there
        # is something to see. Any other twin would be played through for nothing; words, though, are heard anywhere.
        if not has_tells and not (home in (rooms[i], rooms[j]) and any(shows[i : j + 1])):
            continue
        yield (*events[:i], events[j], *events[i + 1 : j], events[i], *events[j + 1 :])


def _swappable(events: tuple[Event, ...], start: int) -> Iterator[tuple[int, int]]:
    """Places whose events can change, so that everybody still does the same in the same order.

    Moves keep their order too: a sentence may say where from.
    """
    acts = [(at, _actor(events[at]), isinstance(events[at], Move)) for at in range(start, len(events))]
    acts = [act for act in acts if act[1] is not None]
    for number, (i, first, is_move) in enumerate(acts):
        between: set[int | None] = set()
        has_move = False
        for j, second, is_other_move in acts[number + 1 :]:
            if second == first:
                break
            num_moves = is_move + is_other_move
            if second not in between and (num_moves == 0 or (num_moves == 1 and not has_move)):
                yield i, j
            between.add(second)
            has_move |= is_other_move


def _room(event: Event, story: Story) -> int:
    match event:
        case Enter(_, room) | Exit(_, room):
            return room
        case Announce(_, container) | Move(_, _, container):
            return story.homes[container]
    return NOWHERE


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
    # By hand: replace() takes several times as long, and most of a family's time goes into twins that are not taken.
    who = swap.get
    match event:
        case Enter(agent, room, is_already):
            return Enter(who(agent, agent), room, is_already)
        case Exit(agent, room):
            return Exit(who(agent, agent), room)
        case Remark(agent, verb, word):
            return Remark(who(agent, agent), verb, word)
        case Move(agent, thing, container, peekers, distracted):
            return Move(who(agent, agent), thing, container, _swapped(peekers, swap), _swapped(distracted, swap))
        case Tell(speaker, listener, thing, container, is_aloud):
            return Tell(who(speaker, speaker), who(listener, listener), thing, container, is_aloud)
    return event


def _swapped(mask: int, swap: dict[int, int]) -> int:
    if not mask:
        return 0
    a, b = swap
    first, second = mask >> a & 1, mask >> b & 1
    return mask & ~(1 << a | 1 << b) | first << b | second << a
