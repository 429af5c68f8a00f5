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
    """For every object and agent, the set of people whose belief that agent cannot be sure of: ``[object][agent]``."""
    doubts = [[0] * story.num_agents for _ in range(story.num_objects)]
    places = [NOWHERE] * story.num_agents
    present = [0] * story.num_rooms  # who is in each room
    last_seen = [[0] * story.num_agents for _ in present]  # [room][who]: whom one last saw there, and not leaving it
    believed = [[NOWHERE] * story.num_objects for _ in places]

    def leave(agent: int) -> None:
        room = places[agent]
        present[room] &= ~(1 << agent)
        for other in members(present[room]):
            last_seen[room][other] &= ~(1 << agent)
        places[agent] = NOWHERE

    def see(agent: int, others: int, room: int) -> None:
        for people in last_seen:
            people[agent] &= ~others
        last_seen[room][agent] |= others

    for event, (real, apparent), shown in perceived(story):
        if type(event) is Enter:
            if places[event.agent] != NOWHERE:
                leave(event.agent)
            places[event.agent] = event.room
            present[event.room] = apparent
        elif type(event) is Exit:
            leave(event.agent)
        elif type(event) is Move:
            for agent in members(event.peekers):
                see(agent, apparent, story.homes[event.container])
        is_finding = type(event) is Enter or type(event) is Tell
        for thing, container in shown.items():
            here = last_seen[story.homes[container]]
            for agent in members(real):
                doubts[thing][agent] &= ~apparent
                before, believed[agent][thing] = believed[agent][thing], container
                if is_finding and before not in (NOWHERE, container):
                    doubts[thing][agent] |= here[agent] & ~apparent & ~(1 << agent)
        if type(event) is Enter and (others := apparent & ~(1 << event.agent)):
            see(event.agent, others, event.room)
            for other in members(others):
                see(other, 1 << event.agent, event.room)
    return doubts


def is_ambiguous(doubts: list[list[int]], chain: tuple[int, ...], thing: int) -> bool:
    """Whether somebody in a chain cannot be sure of the next one's belief."""
    return any(doubts[thing][first] >> second & 1 for first, second in pairwise(chain))
