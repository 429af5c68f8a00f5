"""Writes the events of a story one by one, and only such as can happen."""

from __future__ import annotations

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.knobs import Knobs
from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Event, Exit, Move, Story, Tell


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
        self.seen = [[NOWHERE] * knobs.objects for _ in range(self.num_agents)]  # what everyone believes, for tells
        self.used: list[set[int]] = [set() for _ in self.contents]  # containers that each object has been in

    def enter(self, agent: int, room: int) -> None:
        self.events.append(Enter(agent, room))
        self.places[agent] = room
        if self.knobs.is_open and self.knobs.tells:
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
