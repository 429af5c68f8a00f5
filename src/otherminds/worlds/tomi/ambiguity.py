"""Questions that the evidence leaves open.

Somebody who finds an object moved knows that someone did it. Whoever they last saw in that room may have seen or done
it, so what they think of that person's belief is not settled by the conventions (spec 5.3). Such questions are flagged,
and not scored unless asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Exit, Move, Story, Tell, members


def open_pairs(story: Story) -> list[list[int]]:
    """For every object and agent, the set of those of whose belief that agent cannot be sure: ``[object][agent]``."""
    doubts = [[0] * story.num_agents for _ in range(story.num_objects)]
    places = [NOWHERE] * story.num_agents
    rooms: list[list[int]] = [[] for _ in range(story.num_rooms)]  # who is in each
    last_seen = [[NOWHERE] * story.num_agents for _ in places]  # [who][whom]: the room, or that they left it
    contents: dict[int, int] = {}
    believed = [[NOWHERE] * story.num_objects for _ in places]

    def leave(agent: int) -> None:
        here = rooms[places[agent]]
        here.remove(agent)
        for other in here:
            last_seen[other][agent] = NOWHERE
        places[agent] = NOWHERE

    def perceive(thing: int, container: int, real: Sequence[int], apparent: Sequence[int], *, is_finding: bool) -> None:
        room = story.homes[container]
        shared = sum(1 << agent for agent in apparent)
        for agent in real:
            doubts[thing][agent] &= ~shared
            before, believed[agent][thing] = believed[agent][thing], container
            if is_finding and before not in (NOWHERE, container):
                for other, place in enumerate(last_seen[agent]):
                    if place == room and other != agent and not shared >> other & 1:
                        doubts[thing][agent] |= 1 << other

    for event in story.events:
        match event:
            case Enter(agent, room):
                if places[agent] != NOWHERE:
                    leave(agent)
                places[agent] = room
                here = rooms[room]
                here.append(agent)
                if story.is_open:
                    for thing, container in contents.items():
                        if story.homes[container] == room:
                            perceive(thing, container, here, here, is_finding=True)
                for other in here:
                    last_seen[agent][other] = last_seen[other][agent] = room
            case Exit(agent, _):
                leave(agent)
            case Announce(thing, container):
                contents[thing] = container
                here = rooms[story.homes[container]]
                perceive(thing, container, here, here, is_finding=False)
            case Move(_, thing, container, peekers, distracted):
                contents[thing] = container
                here = rooms[story.homes[container]]
                watching = [agent for agent in here if not distracted >> agent & 1]
                for agent in members(peekers):
                    watching.append(agent)
                    for other in here:
                        last_seen[agent][other] = story.homes[container]
                perceive(thing, container, watching, here, is_finding=False)
            case Tell(speaker, listener, thing, container, is_aloud):
                told = rooms[places[speaker]] if is_aloud else (speaker, listener)
                perceive(thing, container, told, told, is_finding=True)
    return doubts


def is_ambiguous(doubts: list[list[int]], chain: tuple[int, ...], thing: int) -> bool:
    """Whether a chain has neighbours of whom the first cannot be sure."""
    return any(doubts[thing][first] >> second & 1 for first, second in pairwise(chain))
