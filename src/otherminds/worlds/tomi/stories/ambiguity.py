"""Questions that the evidence leaves open.

A person who finds an object moved knows that someone moved it. Somebody last seen in that room may have seen or done
it, so the conventions do not settle what the finder thinks of that person's belief (spec 5.3). Such questions are
flagged, and not scored unless asked for.
"""

from __future__ import annotations

from itertools import pairwise

from otherminds.worlds.tomi.rules import perceived
from otherminds.worlds.tomi.types import NOWHERE, Enter, Exit, Move, Story, Tell, members


def open_pairs(story: Story) -> list[list[int]]:
    """For every object and agent, the set of those of whose belief that agent cannot be sure: ``[object][agent]``."""
    doubts = [[0] * story.num_agents for _ in range(story.num_objects)]
    seen = [[0] * story.num_agents for _ in range(story.num_rooms)]  # [room][who]: whom one last saw, and not leaving
    places: dict[int, int] = {}
    believed: dict[tuple[int, int], int] = {}  # by agent and object

    def see(agent: int, others: int, room: int) -> None:
        for people in seen:
            people[agent] &= ~others
        seen[room][agent] |= others

    for event, (real, apparent), shown in perceived(story):
        if type(event) is Enter or type(event) is Exit:
            left = places.pop(event.agent, NOWHERE)
            for other, place in places.items():
                if place == left:
                    seen[left][other] &= ~(1 << event.agent)
        for thing, container in shown.items():
            here = seen[story.homes[container]]
            for agent in members(real):
                doubts[thing][agent] &= ~apparent
                before = believed.get((agent, thing), container)
                believed[agent, thing] = container
                if before != container and (type(event) is Enter or type(event) is Tell):
                    doubts[thing][agent] |= here[agent] & ~apparent & ~(1 << agent)
        if type(event) is Enter:
            places[event.agent] = event.room
            others = apparent & ~(1 << event.agent)
            see(event.agent, others, event.room)
            for other in members(others):
                see(other, 1 << event.agent, event.room)
        elif type(event) is Move:
            for agent in members(event.peekers):
                see(agent, apparent, story.homes[event.container])
    return doubts


def is_ambiguous(doubts: list[list[int]], chain: tuple[int, ...], thing: int) -> bool:
    """Whether somebody in a chain cannot be sure of the next one's belief."""
    return any(doubts[thing][first] >> second & 1 for first, second in pairwise(chain))
