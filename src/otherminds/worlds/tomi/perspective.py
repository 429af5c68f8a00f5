"""The second opinion: answers by taking perspectives, sharing nothing with the ledger but the types of events.

A story is first cut into *scenes*: what could be seen of which objects, and by whom. To take somebody's perspective is
to keep the scenes they perceived; to take another's within it, those in which the other was seen to be watching. The
last scene left that shows the object has the answer. Tests hold this to the ledger on every story.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from otherminds.worlds.tomi.types import Announce, Enter, Exit, Move, Story, Tell, members


@dataclass(frozen=True)
class Scene:
    """Something that could be perceived: who was plainly there, who watched in secret, who looked away unnoticed."""

    shows: dict[int, int]  # object to container
    there: frozenset[int]
    hidden: frozenset[int] = frozenset()
    absent_minded: frozenset[int] = frozenset()


def believed(story: Story, chain: Sequence[int], thing: int) -> int | None:
    """The container in which a chain of minds expects an object; ``None`` if nobody could say."""
    scenes = [scene for scene in _all_scenes(story) if thing in scene.shows]
    for observer in chain:
        scenes = list(_seen_by(observer, scenes))
    return scenes[-1].shows[thing] if scenes else None


def _seen_by(observer: int, scenes: Iterable[Scene]) -> Iterable[Scene]:
    """The scenes that an observer perceives. Who watched in secret stays a secret, and so does who looked away."""
    for scene in scenes:
        if (observer in scene.there or observer in scene.hidden) and observer not in scene.absent_minded:
            has_secret = scene.hidden or scene.absent_minded
            yield replace(scene, hidden=frozenset(), absent_minded=frozenset()) if has_secret else scene


@lru_cache(maxsize=1)  # many chains are asked about one story
def _all_scenes(story: Story) -> tuple[Scene, ...]:
    return tuple(_scenes(story))


def _scenes(story: Story) -> Iterable[Scene]:
    where: dict[int, int] = {}  # agent to room
    holds: dict[int, int] = {}  # object to container

    def people(room: int) -> frozenset[int]:
        return frozenset(agent for agent, place in where.items() if place == room)

    for event in story.events:
        match event:
            case Enter(agent, room):
                where[agent] = room
                in_view = {thing: box for thing, box in holds.items() if story.homes[box] == room}
                if story.is_open and in_view:
                    yield Scene(in_view, people(room))
            case Exit(agent, _):
                where.pop(agent, None)
            case Announce(thing, box):
                holds[thing] = box
                yield Scene({thing: box}, people(story.homes[box]))
            case Move(_, thing, box, peekers, distracted):
                holds[thing] = box
                yield Scene(
                    {thing: box}, people(story.homes[box]), frozenset(members(peekers)), frozenset(members(distracted))
                )
            case Tell(speaker, listener, thing, box, is_aloud):
                heard_by = people(where[speaker]) if is_aloud else frozenset((speaker, listener))
                yield Scene({thing: box}, heard_by)
