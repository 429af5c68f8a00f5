"""Questions that the evidence leaves open.

Somebody who finds an object moved knows that someone did it. Whoever they last saw in that room may have seen or done
it, so what they think of that person's belief is not settled by the conventions (spec 5.3). Such questions are flagged,
and not scored unless asked for.
"""

from __future__ import annotations

from itertools import pairwise

from otherminds.core.ledger import EvidenceTable
from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Exit, Move, Story, Tell, members


def open_pairs(story: Story) -> list[list[int]]:
    """For every object and agent, the set of those of whose belief that agent cannot be sure: ``[object][agent]``."""
    doubts = [[0] * story.num_agents for _ in range(story.num_objects)]
    places = [NOWHERE] * story.num_agents
    last_seen = [[NOWHERE] * story.num_agents for _ in places]  # [who][whom]: the room, or that they left it
    contents: dict[int, int] = {}
    beliefs = EvidenceTable[int]()

    def together(room: int) -> int:
        return sum(1 << agent for agent, place in enumerate(places) if place == room)

    def leave(agent: int) -> None:
        for other in members(together(places[agent])):
            last_seen[other][agent] = NOWHERE
        places[agent] = NOWHERE

    def perceive(thing: int, container: int, real: int, apparent: int, *, is_finding: bool) -> None:
        room = story.homes[container]
        for agent in members(real):
            before = beliefs.belief((agent,), thing)
            doubts[thing][agent] &= ~apparent
            if is_finding and before not in (None, container):
                for other in range(story.num_agents):
                    if other != agent and not apparent >> other & 1 and last_seen[agent][other] == room:
                        doubts[thing][agent] |= 1 << other
        beliefs.record(thing, container, real, apparent)

    for event in story.events:
        match event:
            case Enter(agent, room):
                if places[agent] != NOWHERE:
                    leave(agent)
                places[agent] = room
                here = together(room)
                for thing, container in contents.items():
                    if story.is_open and story.homes[container] == room:
                        perceive(thing, container, here, here, is_finding=True)
                for other in members(here):
                    last_seen[agent][other] = last_seen[other][agent] = room
            case Exit(agent, _):
                leave(agent)
            case Announce(thing, container):
                contents[thing] = container
                here = together(story.homes[container])
                perceive(thing, container, here, here, is_finding=False)
            case Move(_, thing, container, peekers, distracted):
                contents[thing] = container
                here = together(story.homes[container])
                perceive(thing, container, here & ~distracted | peekers, here, is_finding=False)
                for agent in members(peekers):
                    for other in members(here):
                        last_seen[agent][other] = story.homes[container]
            case Tell(speaker, listener, thing, container, is_aloud):
                told = together(places[speaker]) if is_aloud else 1 << speaker | 1 << listener
                perceive(thing, container, told, told, is_finding=True)
    return doubts


def is_ambiguous(doubts: list[list[int]], chain: tuple[int, ...], thing: int) -> bool:
    """Whether a chain has neighbours of whom the first cannot be sure."""
    return any(doubts[thing][first] >> second & 1 for first, second in pairwise(chain))
