"""Contrast: stories that look alike and differ in what somebody could know (spec 15.2).

- An *order twin* has two statements swapped, so its bag of sentences is the same: a mind that ignores order fails one
  of the pair.
- An *agent twin* has two people swapped in everything after the announcement, so its sequence of event types is the
  same: a mind that ignores who acts fails one of the pair.
- A *room twin* has one person go to another room: a mind that ignores rooms fails one of the pair.

Memory and reality stay the same, so "always reality" fails one of every pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, combinations, compress
from typing import Literal

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.rules import History, ImpossibleStory, chains, simulate
from otherminds.worlds.tomi.stories.ambiguity import is_ambiguous, open_pairs
from otherminds.worlds.tomi.stories.skeletons import Skeleton
from otherminds.worlds.tomi.types import NOWHERE, Announce, Chain, Enter, Event, Exit, Move, Story, Tell, renumbered

Variant = Literal["base", "order", "agent", "room"]
TWINS: tuple[Variant, ...] = ("order", "agent", "room")
_TRIES = 24  # possible twins looked at before the story is given up


@dataclass(frozen=True)
class Member:
    """One story of a family, played through."""

    variant: Variant
    story: Story
    history: History

    @cached_property
    def doubts(self) -> list[list[int]]:
        """For each object and person, the people whose beliefs the evidence leaves open; see :mod:`ambiguity`."""
        return open_pairs(self.story)

    def belief(self, chain: Chain) -> int | None:
        """The belief of a chain about the object asked about."""
        return self.history.beliefs.belief(chain, 0)

    def is_open(self, chain: Chain) -> bool:
        """Whether the evidence leaves the belief of a chain open."""
        return len(chain) > 1 and is_ambiguous(self.doubts, chain, 0)

    def gains(self, chains: Sequence[Chain], answers: Sequence[int | None]) -> list[float]:
        """Weighted share of shallow rules that are right about each chain, from 0 to 1."""
        guesses = shortcuts(self.story, 0)
        return [
            sum(compress(WEIGHTS, (guess == right for guess in guesses[len(chain) > 1])))
            for chain, right in zip(chains, answers, strict=True)
        ]


def candidates(skeleton: Skeleton, variant: Variant, draw: Draw) -> Iterator[Member]:
    """Twins of a kind in random order, played through; the difference may not matter to any belief."""
    makers = {"order": _order_twins, "agent": _agent_twins, "room": _room_twins}
    for events in makers[variant](skeleton, draw):
        story = skeleton.story.told_as(events)
        try:
            yield Member(variant, story, simulate(story))
        except ImpossibleStory:
            continue


def _order_twins(skeleton: Skeleton, draw: Draw) -> Iterator[tuple[Event, ...]]:
    story, start, group = skeleton
    events = story.events
    rooms = [_room(event, story) for event in events]
    home = next(story.homes[event.container] for event in events if type(event) is Announce and not event.object)
    shows = [room == home and type(event) is not Exit for event, room in zip(events, rooms, strict=True)]
    seen = list(accumulate(shows))  # how often there was something to see, up to each event
    has_tells = any(type(event) is Tell for event in events)
    # What those asked about see of the object is another matter only if one of them comes into its room or leaves it,
    # or the object is moved, while there is something to see. Any other twin would be played through for nothing;
    # words, though, are heard anywhere.
    matters = [
        room == home and (event.object == 0 if type(event) is Move else _actor(event) in group)
        for event, room in zip(events, rooms, strict=True)
    ]
    pairs = [
        (i, j)
        for i, j in _swappable(events, start)
        if has_tells or ((matters[i] or matters[j]) and (shows[i] or seen[j] > seen[i]))
    ]
    for i, j in draw.some(pairs, min(_TRIES, len(pairs))):
        yield (*events[:i], events[j], *events[i + 1 : j], events[i], *events[j + 1 :])


def _swappable(events: tuple[Event, ...], start: int) -> Iterator[tuple[int, int]]:
    """Pairs of events that can be swapped so that everybody still does the same things in the same order.

    Moves keep their order too: a sentence may say where from.
    """
    acts = [(at, _actor(event), type(event) is Move) for at, event in enumerate(events) if at >= start]
    acts = [act for act in acts if act[1] != NOWHERE]
    for number, (i, first, is_move) in enumerate(acts):
        between = 0
        has_move = False
        for j, second, is_other_move in acts[number + 1 :]:
            if second == first:
                break
            num_moves = is_move + is_other_move
            if not between >> second & 1 and (num_moves == 0 or (num_moves == 1 and not has_move)):
                yield i, j
            between |= 1 << second
            has_move |= is_other_move


def _room(event: Event, story: Story) -> int:
    if type(event) is Enter or type(event) is Exit:
        return event.room
    if type(event) is Move or type(event) is Announce:
        return story.homes[event.container]
    return NOWHERE


def _actor(event: Event) -> int:
    return event.agent if type(event) in (Enter, Exit, Move, Tell) else NOWHERE  # type: ignore[union-attr]


def _agent_twins(skeleton: Skeleton, draw: Draw) -> Iterator[tuple[Event, ...]]:
    story, start, group = skeleton
    pairs = [(a, b) for a, b in combinations(range(story.num_agents), 2) if a in group or b in group]
    draw.shuffle(pairs)
    for a, b in pairs:
        yield (*story.events[:start], *[_swapped(event, a, b) for event in story.events[start:]])


def _room_twins(skeleton: Skeleton, draw: Draw) -> Iterator[tuple[Event, ...]]:
    story, start, group = skeleton
    entries = [
        (i, event)
        for i, event in enumerate(story.events)
        if isinstance(event, Enter) and i >= start and event.agent in group
    ]
    changes = [(i, entry, room) for i, entry in entries for room in range(story.num_rooms)]
    for i, entry, room in draw.some(changes, min(_TRIES, len(changes))):
        if entry.room == room:
            continue
        events = list(story.events)
        events[i] = replace(entry, room=room)
        for later in range(i + 1, len(events)):  # a person who goes elsewhere also leaves from there
            event = events[later]
            if isinstance(event, Enter | Exit) and event.agent == entry.agent:
                events[later] = replace(event, room=room) if isinstance(event, Exit) else event
                break
        yield tuple(events)


@lru_cache(maxsize=1 << 14)  # most twins are not taken, and many share an event
def _swapped(event: Event, a: int, b: int) -> Event:
    """An event with two people in each other's place."""
    return renumbered(event, {a: b, b: a})


PER_ORDER = 2  # questions of each order
# What counts against a story: how often each rule is right. The last weighs a little more because the other two are
# often right together.
WEIGHTS = (0.31, 0.31, 0.38)


def shortcuts(story: Story, thing: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """The answers about one object of the rules without minds that gain most: of the first order, and deeper.

    In this order: reality, Algorithm 1, the place before the last move. The same rules as minds that read the text are
    in ``worlds/tomi/minds/rules.py``; a test compares the two.
    """
    before = last = at_first_exit = at_last_exit = -1
    for event in story.events:
        if type(event) is Exit:
            at_last_exit = last
            if at_first_exit < 0:
                at_first_exit = last
        elif (type(event) is Move or type(event) is Announce) and event.object == thing:
            before, last = last, event.container
    first, deeper = (last if place < 0 else place for place in (at_last_exit, at_first_exit))
    return (last, first, before), (last, deeper, before)


def asked_chains(group: tuple[int, ...], order: int, draw: Draw) -> list[Chain]:
    """Chains to ask for: some of each order."""
    levels = [chains(group, depth) for depth in range(1, order + 1)]
    return [chain for level in levels for chain in (level if len(level) <= PER_ORDER else draw.some(level, PER_ORDER))]


def choose_twin(base: Member, candidates: Iterable[Member], chosen: Sequence[Chain]) -> Member | None:
    """The candidate with which shallow rules do worst; ``None`` if none differs from the base as a twin must."""
    answers = [base.belief(chain) for chain in chosen]
    best, least = None, 2.0
    for twin in candidates:
        others = [twin.belief(chain) for chain in chosen]
        if others == answers or None in others:
            continue
        gains = twin.gains(chosen, others)
        # What is open only has to be known of a twin that would be taken.
        if sum(gains) / len(gains) >= least:
            continue
        settled = [not twin.is_open(chain) for chain in chosen]
        gain = sum(compress(gains, settled)) / sum(settled)
        if gain < least and any(
            is_settled and answer != twin_answer and not base.is_open(chain)
            for chain, answer, twin_answer, is_settled in zip(chosen, answers, others, settled, strict=True)
        ):
            best, least = twin, gain
    return best
