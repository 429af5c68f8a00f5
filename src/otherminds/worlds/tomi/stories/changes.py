"""Changes to the skeleton of a story: somebody leaves earlier, peeks, comes back, is told; and two stories in one.

A change edits the list of events freely. :meth:`Sketch.skeleton` then drops what can no longer happen, so that every
result is a story.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from typing import Any, Literal, NamedTuple

from otherminds.core.seeds import Draw
from otherminds.run.breeder import Refused
from otherminds.worlds.tomi.rules import ImpossibleStory, simulate
from otherminds.worlds.tomi.stories.skeletons import Skeleton
from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Event, Exit, Move, Tell, members, renumbered

DEEPEST = 4  # orders
_MOST_OBJECTS, _MOST_ROOMS = 3, 5
_LONGEST = 60  # events, unless the parent is longer


class StoryCourse(NamedTuple):
    """Where everybody and everything is before an event."""

    places: tuple[int, ...]
    contents: tuple[int, ...]

    def here(self, room: int = 0) -> list[int]:
        """The people in a room."""
        return [agent for agent, place in enumerate(self.places) if place == room]


@dataclass
class Sketch:
    """A story that is being changed. Object 0, which stays in room 0, is asked about.

    Attributes:
        base: the story before any change.
        order: of the deepest question.
        events: in order; before ``start``, everybody comes in and the story says what is where.
        start: number of events before anything happens.
        group: the people asked about.
    """

    base: Skeleton
    order: int

    def __post_init__(self) -> None:
        story, self.start, self.group = self.base
        self.events = list(story.events)
        self.homes, self.num_agents, self.num_objects = story.homes, story.num_agents, story.num_objects
        self.num_rooms = max(2, story.num_rooms)  # there is always another room to go to

    def courses(self) -> list[StoryCourse]:
        """Where everything is before each event, and at the end."""
        places, contents = [NOWHERE] * self.num_agents, [NOWHERE] * self.num_objects
        courses = []
        for event in self.events:
            courses.append(StoryCourse(tuple(places), tuple(contents)))
            if isinstance(event, Enter):
                places[event.agent] = event.room
            elif isinstance(event, Exit):
                places[event.agent] = NOWHERE
            elif isinstance(event, Announce | Move):
                contents[event.object] = event.container
        return [*courses, StoryCourse(tuple(places), tuple(contents))]

    def spots(self, first: int, fits: Callable[[StoryCourse, int], bool]) -> list[tuple[int, int]]:
        """Every moment from the first on, with every person for whom it fits."""
        courses, people = self.courses(), range(self.num_agents)
        return [(at, who) for at in range(first, len(courses)) for who in people if fits(courses[at], who)]

    def boxes(self) -> list[int]:
        """The containers in the room of the object asked about."""
        return [box for box, home in enumerate(self.homes) if home == 0]

    def moves(self) -> list[int]:
        """Where the object asked about is moved."""
        return [at for at, event in enumerate(self.events) if isinstance(event, Move) and event.object == 0]

    def skeleton(self) -> Skeleton:
        """The story without events that cannot happen.

        Raises:
            Refused: if it is too long.
        """
        events, start = list[Event](), 0
        places, contents = [NOWHERE] * self.num_agents, [NOWHERE] * self.num_objects
        for at, event in enumerate(self.events):
            events += self._possible(event, places, contents)
            start = len(events) if at < self.start else start
        told = self.base.story.told_as(tuple(events))
        story = replace(told, num_rooms=self.num_rooms, num_objects=self.num_objects)
        while True:
            try:
                simulate(story)
                break
            except ImpossibleStory as error:  # a statement that its speaker no longer believes
                story = story.told_as((*story.events[: error.number], *story.events[error.number + 1 :]))
        if len(story.events) > max(_LONGEST, len(self.base.story.events)):
            raise Refused("the story is too long")
        return Skeleton(story, start, self.group)

    def _possible(self, event: Event, places: list[int], contents: list[int]) -> list[Event]:
        """The events that carry out an event, none if it cannot happen; ``places`` and ``contents`` are updated."""
        if isinstance(event, Enter):
            before, places[event.agent] = places[event.agent], event.room
            leaving: list[Event] = [Exit(event.agent, before)] if before != NOWHERE else []
            return [] if before == event.room else [*leaving, event]
        if isinstance(event, Exit):
            room, places[event.agent] = places[event.agent], NOWHERE
            return [] if room == NOWHERE else [Exit(event.agent, room)]
        if isinstance(event, Announce):
            contents[event.object] = event.container
        elif isinstance(event, Move):
            room = self.homes[event.container]
            here = sum(1 << agent for agent, place in enumerate(places) if place == room)
            if places[event.agent] != room or contents[event.object] == event.container:
                return []
            contents[event.object] = event.container
            distracted = event.distracted & here & ~(1 << event.agent)
            return [replace(event, peekers=event.peekers & ~here, distracted=distracted)]
        elif isinstance(event, Tell):
            room = places[event.agent]
            is_heard = room != NOWHERE and room == places[event.listener] and event.agent != event.listener
            return [replace(event, container=contents[event.object])] if is_heard else []
        return [event]


def _picked(choices: Sequence[Any], draw: Draw, why: str) -> Any:
    if not choices:
        raise Refused(why)
    return draw.pick(choices)


def leave_earlier(sketch: Sketch, draw: Draw) -> None:
    """A witness leaves before a move that it saw."""
    courses = sketch.courses()
    spots = [
        (at, move)
        for at, event in enumerate(sketch.events)
        if isinstance(event, Exit) and event.agent in sketch.group
        for move in sketch.moves()
        if move < at and courses[move].places[event.agent] == 0
        if not any(getattr(other, "agent", NOWHERE) == event.agent for other in sketch.events[move:at])
    ]
    at, move = _picked(spots, draw, "nobody leaves after a move")
    sketch.events.insert(move, sketch.events.pop(at))


def secret_return(sketch: Sketch, draw: Draw) -> None:
    """Somebody comes back for a moment, most often while nobody is there to notice."""
    courses, after = sketch.courses(), min(sketch.moves()) + 1
    spots = sketch.spots(after, lambda course, agent: agent in sketch.group and course.places[agent] != 0)
    alone = [(at, agent) for at, agent in spots if not set(courses[at].here()) & set(sketch.group)]
    at, agent = _picked(alone if alone and draw.happens(0.8) else spots, draw, "nobody is away after a move")
    back = courses[at].places[agent]
    then: list[Event] = [Enter(agent, 0), Exit(agent, 0)]
    sketch.events[at:at] = then if back == NOWHERE else [Exit(agent, back), *then, Enter(agent, back)]


def hide_at_move(sketch: Sketch, draw: Draw, people: Literal["peekers", "distracted"]) -> None:
    """Somebody watches a move in secret (``peekers``), or misses one in the same room, unnoticed (``distracted``)."""
    courses, spots = sketch.courses(), []
    for at in sketch.moves():
        event = sketch.events[at]
        assert isinstance(event, Move)
        taken = {event.agent, *members(event.peekers), *members(event.distracted)}
        spots += [
            (at, agent)
            for agent, place in enumerate(courses[at].places)
            if (place == 0) == (people == "distracted") and agent not in taken
        ]
    at, agent = _picked(spots, draw, "there is nobody who could")
    event = sketch.events[at]
    sketch.events[at] = replace(event, **{people: getattr(event, people) | 1 << agent})


def tell(sketch: Sketch, draw: Draw) -> None:
    """Somebody tells another where the object is."""
    courses = sketch.courses()
    spots = [
        (at, speaker, listener)
        for at, speaker in sketch.spots(min(sketch.moves()) + 1, lambda course, agent: course.places[agent] != NOWHERE)
        for listener in courses[at].here(courses[at].places[speaker])
        if listener in sketch.group and listener != speaker
    ]
    at, speaker, listener = _picked(spots, draw, "nobody is together after a move")
    sketch.events.insert(at, Tell(speaker, listener, 0, courses[at].contents[0], draw.happens(0.5)))


def swap_told(sketch: Sketch, draw: Draw) -> None:
    """Another person is told, or what was said aloud is whispered."""
    told = [at for at, event in enumerate(sketch.events) if isinstance(event, Tell)]
    at = _picked(told, draw, "nobody is told anything")
    event, course = sketch.events[at], sketch.courses()[at]
    assert isinstance(event, Tell)
    others = [a for a in course.here(course.places[event.agent]) if a not in (event.agent, event.listener)]
    if others:
        sketch.events[at] = replace(event, listener=draw.pick(others), is_aloud=False)
    else:
        sketch.events[at] = replace(event, is_aloud=not event.is_aloud)


def decoy_object(sketch: Sketch, draw: Draw) -> None:
    """Another object, which nobody is asked about, is moved in the same room."""
    if sketch.num_objects == _MOST_OBJECTS:
        raise Refused("there are enough objects")
    thing, sketch.num_objects = sketch.num_objects, sketch.num_objects + 1
    sketch.events.insert(sketch.start, Announce(thing, draw.pick(sketch.boxes())))
    sketch.start += 1
    move_once_more(sketch, draw, thing)


def decoy_room(sketch: Sketch, draw: Draw) -> None:
    """Somebody who has left passes through another room, in which nothing is."""
    if sketch.num_rooms < _MOST_ROOMS and draw.happens(0.5):
        sketch.num_rooms += 1
    room = 1 + draw.below(sketch.num_rooms - 1)
    spots = sketch.spots(sketch.start, lambda course, agent: course.places[agent] == NOWHERE)
    at, agent = _picked(spots, draw, "nobody has left")
    sketch.events[at:at] = [Enter(agent, room), Exit(agent, room)]


def move_once_more(sketch: Sketch, draw: Draw, thing: int = 0) -> None:
    """An object, by default the one asked about, is moved once more."""
    spots = sketch.spots(sketch.start, lambda course, agent: course.places[agent] == 0)
    at, mover = _picked(spots, draw, "nobody is there to move anything")
    later = (event for event in sketch.events[at:] if isinstance(event, Move) and event.object == thing)
    after = next((event.container for event in later), NOWHERE)  # the next move would come to nothing
    contents = sketch.courses()[at].contents
    boxes = [box for box in sketch.boxes() if box != contents[thing]]
    rest = [box for box in boxes if box != after]
    sketch.events.insert(at, Move(mover, thing, _picked(rest or boxes, draw, "there is no other container")))


def nest(sketch: Sketch, draw: Draw) -> None:
    """Questions go one order deeper."""
    others = [agent for agent in range(sketch.num_agents) if agent not in sketch.group]
    if sketch.order == DEEPEST:
        raise Refused("questions are as deep as they can be")
    sketch.order += 1
    if sketch.order > len(sketch.group):
        sketch.group = tuple(sorted((*sketch.group, _picked(others, draw, "there are too few people"))))


CHANGES: dict[str, Callable[[Sketch, Draw], None]] = {
    "leave-earlier": leave_earlier,
    "secret-return": secret_return,
    "peek": partial(hide_at_move, people="peekers"),
    "distract": partial(hide_at_move, people="distracted"),
    "tell": tell,
    "swap-told": swap_told,
    "decoy-object": decoy_object,
    "decoy-room": decoy_room,
    "lengthen": move_once_more,
    "nest": nest,
}


def cross(first: Sketch, second: Sketch, draw: Draw) -> None:
    """The beginning of one story and the end of another, about the same people and the same object."""
    cuts = [_picked(sketch.moves(), draw, "nothing is moved") + 1 for sketch in (first, second)]
    people = dict(zip(draw.some(second.group, len(second.group)), cycle(first.group), strict=False))
    others = [agent for agent in range(first.num_agents) if agent not in first.group] or list(first.group)
    people |= {agent: draw.pick(others) for agent in range(second.num_agents) if agent not in people}
    boxes = dict(zip(second.boxes(), cycle(draw.some(first.boxes(), len(first.boxes()))), strict=False))
    rooms = {room: 1 + draw.below(first.num_rooms - 1) if room else 0 for room in range(second.num_rooms)}
    tail = [event for event in second.events[cuts[1] :] if getattr(event, "object", 0) == 0]
    first.events[cuts[0] :] = [renumbered(event, people, rooms, boxes) for event in tail]
