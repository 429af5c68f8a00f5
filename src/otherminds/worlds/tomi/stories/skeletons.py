"""Skeletons of stories: people come in, objects are announced, then come moves, comings and goings.

Free sampling yields second-order false belief less than once in a hundred stories, so stories are *constructed*: those
whom a story is about all see the last move, or some miss it, or every proper subset of them meets in the room after it,
never all together (spec 15.1). Everybody else is there for contrast. People whose names an agent twin could swap know
little, people who could have missed the move do not make it, and comings and goings that change nothing defeat rules
that count exits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.rules import simulate
from otherminds.worlds.tomi.stories.presets import Knobs
from otherminds.worlds.tomi.text import VERBS
from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Event, Exit, Furnish, Move, Remark, Story, Tell


class Scribe:
    """Writes valid events only, by keeping track of who and what is where."""

    def __init__(self, knobs: Knobs, draw: Draw) -> None:
        self.knobs, self.draw = knobs, draw
        self.num_agents = knobs.agents + knobs.distractors
        furnished = min(knobs.objects, knobs.rooms)
        extra = [0] * (knobs.containers - 2 * furnished)  # the room of the object asked about gets what is left
        self.homes = [room for room in range(furnished) for _ in (0, 1)] + extra
        self.places = [NOWHERE] * self.num_agents
        self.contents = [NOWHERE] * knobs.objects
        self.events: list[Event] = []
        self.used: list[set[int]] = [set() for _ in self.contents]  # containers that each object has been in

    def enter(self, agent: int, room: int) -> None:
        self.events.append(Enter(agent, room))
        self.places[agent] = room

    def exit(self, agent: int) -> None:
        self.events.append(Exit(agent, self.places[agent]))
        self.places[agent] = NOWHERE

    def announce(self, thing: int) -> None:
        room = thing % self.knobs.rooms
        container = self.draw.pick([c for c, home in enumerate(self.homes) if home == room])
        self.contents[thing] = container
        self.used[thing].add(container)
        self.events.append(Announce(thing, container))

    def move(self, thing: int, mover: int) -> None:
        draw, old = self.draw, self.contents[thing]
        room = self.homes[old]
        others = [c for c, home in enumerate(self.homes) if home == room and c != old]
        fresh = [c for c in others if c not in self.used[thing]]
        container = draw.pick(fresh if fresh and draw.happens(0.8) else others)
        self.used[thing].add(container)
        peekers = distracted = 0
        if draw.happens(self.knobs.peeks):
            away = [a for a, place in enumerate(self.places) if place != room]
            peekers = 1 << draw.pick(away) if away else 0
        if draw.happens(self.knobs.distractions):
            idle = [a for a, place in enumerate(self.places) if place == room and a != mover]
            distracted = 1 << draw.pick(idle) if idle else 0
        self.contents[thing] = container
        self.events.append(Move(mover, thing, container, peekers, distracted))

    def go(self, agent: int, room: int) -> None:
        """Come into a room from wherever one is."""
        if self.places[agent] != NOWHERE:
            self.exit(agent)
        self.enter(agent, room)

    def story(self) -> Story:
        sizes = self.num_agents, self.knobs.rooms, self.knobs.objects
        return Story(tuple(self.events), tuple(self.homes), *sizes, self.knobs.is_open)

    def tell(self) -> None:
        """Perhaps somebody tells another where an object is. Only the truth is told, so trust is never in question."""
        speaker, thing = self.draw.below(self.num_agents), self.draw.below(self.knobs.objects)
        room, container = self.places[speaker], self.contents[thing]
        others = [a for a, place in enumerate(self.places) if place == room != NOWHERE and a != speaker]
        if others and simulate(self.story()).beliefs.belief((speaker,), thing) == container:
            listener, is_aloud = self.draw.pick(others), self.draw.happens(0.5)
            self.events.append(Tell(speaker, listener, thing, container, is_aloud))


# How often a story of false belief is not constructed, but drawn freely.
_FREE = 0.3
# How often those whom a story is about come together before its last move: what they believe of each other is then
# neither where the object was first nor where it is.
_REGROUPS = 0.6
# How often one of them steps out and in again before the move; in a room twin, that one goes elsewhere and misses it.
_STEPS_OUT = 0.8
# How often a person who missed the move enters another room; in a room twin, that person comes back.
_STROLLS = 0.9
# How often those who will see the last move leave before the others do, who then cannot suspect them of it (spec 5.3).
_GOODBYES = 0.7
# How often the move is made by somebody whom the story is not about, if there is anybody.
_BY_OTHERS = 0.8
# How often each of those present leaves after the end of it all.
_LEAVES = 0.95


class Cast(NamedTuple):
    """The parts that people play."""

    group: list[int]  # whom the story is about
    movers: list[int]  # others, who may move things
    truant: int  # one more, who sees little; nobody if there is none


class Skeleton(NamedTuple):
    """A story without words."""

    story: Story
    start: int  # the number of events before anything happens in it
    group: tuple[int, ...]  # the people whom it is about: two, or as many as the deepest question names


def skeleton(knobs: Knobs, draw: Draw, target: int) -> Skeleton:
    """A story, and the people among whom there should be false belief of the order aimed at, and of none below."""
    scribe, cast = Scribe(knobs, draw), _cast(knobs, draw)
    open_story(scribe, cast)
    start = len(scribe.events)
    moves = max(1, knobs.moves - (knobs.objects - 1))
    if moves > 2 and draw.happens(0.25):
        moves = 2 + draw.below(moves - 1)
    if target == 1 and draw.happens(_FREE):
        until = come_and_go(scribe, moves, cast.truant)
        while draw.happens(0.2):
            _stray(scribe, until, moves + 1)
    else:
        come_and_go(scribe, moves - 1, cast.truant)
        _end(scribe, cast, target)
    start += add_noise(scribe, start)
    return Skeleton(scribe.story(), start, tuple(sorted(cast.group)))


def _cast(knobs: Knobs, draw: Draw) -> Cast:
    people = draw.some(range(knobs.agents), knobs.agents)
    size = max(2, knobs.order)
    others = people[size:] + list(range(knobs.agents, knobs.agents + knobs.distractors))
    has_truant = len(others) > 1 or (len(others) == 1 and draw.happens(0.9))
    truant = draw.pick(others) if has_truant else NOWHERE
    return Cast(people[:size], [agent for agent in others if agent != truant], truant)


def open_story(scribe: Scribe, cast: Cast) -> None:
    """Write the opening: everybody comes in, and the story says what is where."""
    knobs, draw = scribe.knobs, scribe.draw
    for agent in draw.some(range(scribe.num_agents), scribe.num_agents):
        is_here = agent < knobs.agents or agent == cast.truant or draw.happens(0.5)
        scribe.enter(agent, 0 if is_here else 1 + draw.below(knobs.rooms - 1))
    if knobs.says_rooms:
        for room in range(max(scribe.homes) + 1):
            scribe.events.append(Furnish(room, tuple(c for c, home in enumerate(scribe.homes) if home == room)))
    for thing in draw.some(range(knobs.objects), knobs.objects):
        scribe.announce(thing)


def _end(scribe: Scribe, cast: Cast, target: int) -> None:
    """The last move, and what makes belief of the order aimed at false."""
    draw, group = scribe.draw, cast.group
    _leave(scribe, [cast.truant])
    if target == 0 or draw.happens(_REGROUPS):
        _gather(scribe, group)
    if target >= 2:
        mover = _meet(scribe, cast, target)
    else:
        # To be wrong it takes one; and somebody has to move the object.
        num_gone = target * (1 + draw.below(len(group) - (not cast.movers)))
        mixed = draw.some(group, len(group))
        gone, staying = mixed[:num_gone], mixed[num_gone:]
        if staying and draw.happens(_STEPS_OUT):
            _leave(scribe, staying[:1])
            scribe.go(staying[0], 0)
        _leave(scribe, gone)
        mover = _move_before(scribe, staying, cast.movers)
        for agent in gone:
            if scribe.places[agent] == NOWHERE and draw.happens(_STROLLS):
                scribe.enter(agent, 1 + draw.below(scribe.knobs.rooms - 1))
    # Those whom it is about first: had the last of them left before the move, all would have missed it.
    for people in ([a for a in group if a != mover], [a for a in range(scribe.num_agents) if a not in group], [mover]):
        _leave(scribe, [agent for agent in people if draw.happens(_LEAVES)])


def add_noise(scribe: Scribe, start: int) -> int:
    """Add remarks at random places, without topics yet; returns the number of them before anything happens."""
    draw, early = scribe.draw, 0
    slots = sorted(draw.below(len(scribe.events) + 1) for _ in range(draw.below(scribe.knobs.noise + 1)))
    for slot in reversed(slots):
        scribe.events.insert(slot, Remark(draw.below(scribe.num_agents), draw.pick(VERBS), ""))
        early += slot < start
    return early


def come_and_go(scribe: Scribe, moves: int, truant: int) -> list[int]:
    """Moves of the object asked about, with people coming and going; returns the number of moves that each person sees.

    When each person last sees the object is drawn evenly over the moves, so that what they believe is no more likely to
    be the truth than anything else; and most leave before the first move and come back, so that when they left says
    little. The truant, if there is one, sees at most the first move.
    """
    draw, knobs = scribe.draw, scribe.knobs
    until = [draw.below(moves + 1) for _ in range(scribe.num_agents)]  # the last move after which one is in the room
    if truant != NOWHERE:
        until[truant] = min(moves, 1)
    until[draw.pick([agent for agent in range(knobs.agents) if agent != truant])] = moves
    spare = max(0, knobs.changes - 6 * knobs.agents) // (moves + 1)
    for stage in range(moves + 1):
        movers = [agent for agent, last in enumerate(until) if last > stage]
        mover = draw.pick(movers) if stage < moves else NOWHERE
        acts: list[tuple[int, bool]] = []
        for agent, last in enumerate(until):
            is_here = scribe.places[agent] == 0
            comes = not is_here and (last == stage or (last > stage and draw.happens(0.25)))
            stays = (agent == mover and draw.happens(0.5)) or (stage == moves and draw.happens(0.5))
            goes = (is_here or comes) and not stays and (last == stage or draw.happens(0.85))
            acts += [(agent, True)] * comes + [(agent, False)] * goes
        _act(scribe, acts)
        for _ in range(draw.below(spare + 1)):
            _stray(scribe, until, stage)
        while len(scribe.events) < knobs.statements * (stage + 1) // (moves + 1):
            _stray(scribe, until, stage)
        if stage < moves:
            if scribe.places[mover] != 0:
                scribe.go(mover, 0)
            scribe.move(0, mover)
            if knobs.objects > 1:
                _move_another(scribe)
    return until


def _act(scribe: Scribe, acts: list[tuple[int, bool]]) -> None:
    """Comings and goings in random order; a person who does both comes first."""
    scribe.draw.shuffle(acts)
    for at, (agent, comes) in enumerate(acts):
        if not comes and (agent, True) in acts[at + 1 :]:
            later = acts.index((agent, True), at + 1)
            acts[at], acts[later] = acts[later], acts[at]
    for agent, comes in acts:
        if comes:
            scribe.go(agent, 0)
        else:
            scribe.exit(agent)
            if scribe.draw.happens(0.3):
                scribe.enter(agent, 1 + scribe.draw.below(scribe.knobs.rooms - 1))
        if scribe.draw.happens(scribe.knobs.tells):
            scribe.tell()


def _stray(scribe: Scribe, until: list[int], stage: int) -> None:
    """Somebody comes or goes for no reason; only people who will see the object again enter its room."""
    agent = scribe.draw.below(scribe.num_agents)
    place = scribe.places[agent]
    if place != NOWHERE:
        scribe.exit(agent)
    elif until[agent] > stage and scribe.draw.happens(0.5):
        scribe.enter(agent, 0)
    else:
        scribe.enter(agent, 1 + scribe.draw.below(scribe.knobs.rooms - 1))


def _move_another(scribe: Scribe) -> None:
    """Perhaps somebody moves one of the other objects."""
    thing = 1 + scribe.draw.below(scribe.knobs.objects - 1)
    room = scribe.homes[scribe.contents[thing]]
    movers = [agent for agent, place in enumerate(scribe.places) if place == room]
    if movers:
        scribe.move(thing, scribe.draw.pick(movers))


def _meet(scribe: Scribe, cast: Cast, order: int) -> int:
    """The last move; then every set of one less than ``order`` people meets in the room, and never more of them.

    Returns the mover.
    """
    mover = NOWHERE
    sets = list(combinations(cast.group, order - 1))
    scribe.draw.shuffle(sets)
    if scribe.draw.happens(_GOODBYES):
        _leave(scribe, sets[0])
    for people in sets:
        _leave(scribe, [agent for agent in cast.group if agent not in people])
        _gather(scribe, people)
        if mover == NOWHERE:
            mover = _move_before(scribe, people, cast.movers)
    return mover


def _move_before(scribe: Scribe, people: Sequence[int], movers: Sequence[int]) -> int:
    """A move before the eyes of some; most often by somebody else, so that each of them could have missed it."""
    is_by_others = not people or (movers and scribe.draw.happens(_BY_OTHERS))
    mover = scribe.draw.pick(movers if is_by_others else people)
    _gather(scribe, [mover])
    scribe.move(0, mover)
    return mover


def _gather(scribe: Scribe, people: Sequence[int]) -> None:
    """Bring people into the room, so that all are there at once."""
    for agent in people:
        if scribe.places[agent] != 0:
            scribe.go(agent, 0)


def _leave(scribe: Scribe, people: Sequence[int]) -> None:
    """Make people leave the room in random order, as far as they are in it."""
    for agent in scribe.draw.some(people, len(people)):
        if agent != NOWHERE and scribe.places[agent] == 0:
            scribe.exit(agent)
