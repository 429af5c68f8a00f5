"""Questions that the evidence leaves open.

A person who finds an object moved knows that someone moved it. Somebody last seen in that room may have seen or done
it, so the conventions do not settle what the finder thinks of that person's belief (spec 5.3). Such questions are
flagged, and not scored unless asked for.
"""

from __future__ import annotations

from itertools import pairwise

from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Exit, Move, Story, Tell, members


def open_pairs(story: Story) -> list[list[int]]:
    """For every object and agent, the set of those of whose belief that agent cannot be sure: ``[object][agent]``."""
    doubts = [[0] * story.num_agents for _ in range(story.num_objects)]
    places = [NOWHERE] * story.num_agents
    present = [0] * story.num_rooms  # who is in each room
    seen = [[0] * story.num_agents for _ in present]  # [room][who]: whom one last saw there, and not leaving it
    contents: dict[int, int] = {}
    believed = [[NOWHERE] * story.num_objects for _ in places]

    def leave(agent: int) -> None:
        room = places[agent]
        present[room] &= ~(1 << agent)
        for other in members(present[room]):
            seen[room][other] &= ~(1 << agent)
        places[agent] = NOWHERE

    def see(agent: int, others: int, room: int) -> None:
        for people in seen:
            people[agent] &= ~others
        seen[room][agent] |= others

    def perceive(thing: int, container: int, real: int, apparent: int, *, is_finding: bool) -> None:
        here = seen[story.homes[container]]
        for agent in members(real):
            doubts[thing][agent] &= ~apparent
            before, believed[agent][thing] = believed[agent][thing], container
            if is_finding and before not in (NOWHERE, container):
                doubts[thing][agent] |= here[agent] & ~apparent & ~(1 << agent)

    for event in story.events:
        if type(event) is Enter:
            agent, room = event.agent, event.room
            if places[agent] != NOWHERE:
                leave(agent)
            places[agent] = room
            others = present[room]
            present[room] |= 1 << agent
            if story.is_open:
                for thing, container in contents.items():
                    if story.homes[container] == room:
                        perceive(thing, container, present[room], present[room], is_finding=True)
            if others:
                see(agent, others, room)
                for other in members(others):
                    see(other, 1 << agent, room)
        elif type(event) is Exit:
            leave(event.agent)
        elif type(event) is Announce:
            if story.is_open and contents.get(event.object) == event.container:
                continue  # as in :func:`simulate`
            contents[event.object] = event.container
            here = present[story.homes[event.container]]
            perceive(event.object, event.container, here, here, is_finding=False)
        elif type(event) is Move:
            contents[event.object] = event.container
            room = story.homes[event.container]
            here = present[room]
            for agent in members(event.peekers):
                see(agent, here, room)
            watching = here & ~event.distracted | event.peekers
            perceive(event.object, event.container, watching, here, is_finding=False)
        elif type(event) is Tell:
            hearers = present[places[event.agent]] if event.is_aloud else 1 << event.agent | 1 << event.listener
            perceive(event.object, event.container, hearers, hearers, is_finding=True)
    return doubts


def is_ambiguous(doubts: list[list[int]], chain: tuple[int, ...], thing: int) -> bool:
    """Whether somebody in a chain cannot be sure of the next one's belief."""
    return any(doubts[thing][first] >> second & 1 for first, second in pairwise(chain))
