"""Skeletons of stories: people come in, objects are announced, then come moves, comings and goings.

Free sampling yields second-order false belief less than once in a hundred stories, so deep ones are *constructed*:
after the last move every proper subset of k people meets in the room, never all k together (spec 15.1).
"""

from __future__ import annotations

from itertools import combinations

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.knobs import Knobs
from otherminds.worlds.tomi.templates import VERBS
from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Event, Exit, Furnish, Move, Remark, Story, Tell


class _Scribe:
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
        self.seen = [[NOWHERE] * knobs.objects for _ in range(self.num_agents)]  # what everyone believes, for tells
        self.used: list[set[int]] = [set() for _ in self.contents]  # containers that each object has been in

    def enter(self, agent: int, room: int) -> None:
        self.events.append(Enter(agent, room))
        self.places[agent] = room
        if self.knobs.is_open:
            for thing, container in enumerate(self.contents):
                if container >= 0 and self.homes[container] == room:
                    self._show(thing, room)

    def exit(self, agent: int) -> None:
        self.events.append(Exit(agent, self.places[agent]))
        self.places[agent] = NOWHERE

    def announce(self, thing: int) -> None:
        room = thing % self.knobs.rooms
        container = self.draw.pick([c for c, home in enumerate(self.homes) if home == room])
        self.contents[thing] = container
        self.used[thing].add(container)
        self.events.append(Announce(thing, container))
        self._show(thing, room)

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
        for agent, place in enumerate(self.places):
            if (place == room and not distracted >> agent & 1) or peekers >> agent & 1:
                self.seen[agent][thing] = container

    def go(self, agent: int, room: int) -> None:
        """Come into a room from wherever one is."""
        if self.places[agent] != NOWHERE:
            self.exit(agent)
        self.enter(agent, room)

    def story(self) -> Story:
        return Story(
            tuple(self.events),
            tuple(self.homes),
            self.num_agents,
            self.knobs.rooms,
            self.knobs.objects,
            self.knobs.is_open,
        )

    def tell(self) -> None:
        """Somebody may tell somebody where an object is. Only the truth is told: nobody has to decide whom to trust."""
        speaker, thing = self.draw.below(self.num_agents), self.draw.below(self.knobs.objects)
        room, container = self.places[speaker], self.contents[thing]
        others = [a for a, place in enumerate(self.places) if place == room != NOWHERE and a != speaker]
        if not others or self.seen[speaker][thing] != container:
            return
        listener, is_aloud = self.draw.pick(others), self.draw.happens(0.5)
        self.events.append(Tell(speaker, listener, thing, container, is_aloud))
        for agent in others if is_aloud else (listener,):
            self.seen[agent][thing] = container

    def _show(self, thing: int, room: int) -> None:
        for agent, place in enumerate(self.places):
            if place == room:
                self.seen[agent][thing] = self.contents[thing]


def skeleton(knobs: Knobs, draw: Draw, target: int) -> tuple[Story, int]:
    """A story, and the number of events before anything happens in it.

    Args:
        knobs: what it is like.
        draw: chance.
        target: the order of false belief to aim at.
    """
    scribe = _Scribe(knobs, draw)
    agents = list(range(scribe.num_agents))
    draw.shuffle(agents)
    for agent in agents:
        scribe.enter(agent, 0 if agent < knobs.agents or draw.happens(0.5) else 1 + draw.below(knobs.rooms - 1))
    if knobs.says_rooms:
        for room in range(max(scribe.homes) + 1):
            scribe.events.append(Furnish(room, tuple(c for c, home in enumerate(scribe.homes) if home == room)))
    things = list(range(knobs.objects))
    draw.shuffle(things)
    for thing in things:
        scribe.announce(thing)
    start = len(scribe.events)
    moves = max(1, knobs.moves - (knobs.objects - 1))
    if draw.happens(0.25):
        moves = 1 + draw.below(moves)
    group = draw.some(range(knobs.agents), max(2, knobs.order))
    if target >= 2:
        _come_and_go(scribe, moves - 1, is_last=False)
        _meet(scribe, group, target)
    elif target == 0:
        sees_move = knobs.order == 1 or draw.happens(0.5)
        _come_and_go(scribe, moves - sees_move, is_last=False)
        _gather(scribe, group, sees_move=sees_move)
    else:
        _come_and_go(scribe, moves, is_last=True)
    start += _add_noise(scribe, start)
    return scribe.story(), start


def _add_noise(scribe: _Scribe, start: int) -> int:
    """Remarks at random places; how many of them come before anything happens. What they are about is said later."""
    draw, early = scribe.draw, 0
    slots = sorted(draw.below(len(scribe.events) + 1) for _ in range(draw.below(scribe.knobs.noise + 1)))
    for slot in reversed(slots):
        scribe.events.insert(slot, Remark(draw.below(scribe.num_agents), draw.pick(VERBS), ""))
        early += slot < start
    return early


def _come_and_go(scribe: _Scribe, moves: int, *, is_last: bool) -> None:
    """Moves of the object asked about, with people coming and going between them.

    When each person last sees the object is drawn evenly over the moves, so that what they believe is no more likely to
    be the truth than anything else; and most leave before the first move and come back, so that when they left says
    little.
    """
    draw, knobs = scribe.draw, scribe.knobs
    until = [draw.below(moves + 1) for _ in range(scribe.num_agents)]  # the last move after which one is in the room
    until[draw.below(knobs.agents)] = moves
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
        if stage < moves:
            if scribe.places[mover] != 0:
                scribe.go(mover, 0)
            scribe.move(0, mover)
            if knobs.objects > 1:
                _move_another(scribe)
    if not is_last:
        return
    while draw.happens(0.2):
        _stray(scribe, until, moves + 1)


def _act(scribe: _Scribe, acts: list[tuple[int, bool]]) -> None:
    """Comings and goings in random order; who comes and goes, comes first."""
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


def _stray(scribe: _Scribe, until: list[int], stage: int) -> None:
    """Somebody comes or goes for no reason; the room of the object is for those who will see it again."""
    agent = scribe.draw.below(scribe.num_agents)
    place = scribe.places[agent]
    if place == 0 and until[agent] <= stage:
        return
    if place != NOWHERE:
        scribe.exit(agent)
    elif until[agent] > stage and scribe.draw.happens(0.5):
        scribe.enter(agent, 0)
    else:
        scribe.enter(agent, 1 + scribe.draw.below(scribe.knobs.rooms - 1))


def _move_another(scribe: _Scribe) -> None:
    """Perhaps somebody moves one of the other objects."""
    thing = 1 + scribe.draw.below(scribe.knobs.objects - 1)
    room = scribe.homes[scribe.contents[thing]]
    movers = [agent for agent, place in enumerate(scribe.places) if place == room]
    if movers:
        scribe.move(thing, scribe.draw.pick(movers))


def _meet(scribe: _Scribe, group: list[int], order: int) -> None:
    """The last move; then every set of one less than ``order`` people meets in the room, and never more of them."""
    is_moved = False
    sets = list(combinations(group, order - 1))
    scribe.draw.shuffle(sets)
    for people in sets:
        for agent in group:
            if scribe.places[agent] == 0 and agent not in people:
                scribe.exit(agent)
        for agent in people:
            if scribe.places[agent] != 0:
                scribe.go(agent, 0)
        if not is_moved:
            scribe.move(0, scribe.draw.pick(people))
            is_moved = True
    _disperse(scribe, group)


def _gather(scribe: _Scribe, group: list[int], *, sees_move: bool) -> None:
    """All of them in the room at once, before or after the last move, so that nobody is wrong; then some leave."""
    for agent in group:
        if scribe.places[agent] != 0:
            scribe.go(agent, 0)
    if sees_move:
        scribe.move(0, scribe.draw.pick(group))
    _disperse(scribe, group)


def _disperse(scribe: _Scribe, group: list[int]) -> None:
    for agent in group:
        if scribe.places[agent] == 0 and scribe.draw.happens(0.6):
            scribe.exit(agent)
