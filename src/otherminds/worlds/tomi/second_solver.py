"""A second, independent solver: it takes perspectives, and shares nothing with the ledger but the types of events.

A story is first cut into *scenes*: what could be seen of which objects, and by whom. To take somebody's perspective is
to keep the scenes they perceived; to take another's within it, those in which the other was seen to be watching. The
last scene left that shows the object has the answer. :func:`disagreements` compares the two solvers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.rules import simulate
from otherminds.worlds.tomi.stories.presets import Knobs
from otherminds.worlds.tomi.stories.skeletons import skeleton
from otherminds.worlds.tomi.types import Announce, Enter, Exit, Move, Story, Tell, members


@dataclass(frozen=True)
class PerceivedScene:
    """Something that could be perceived: who was plainly there, who watched in secret, who looked away unnoticed."""

    shows: dict[int, int]  # object to container
    present: frozenset[int]
    hidden: frozenset[int] = frozenset()
    absent_minded: frozenset[int] = frozenset()


def believed(story: Story, chain: Sequence[int], thing: int) -> int | None:
    """The container in which a chain of minds expects an object; ``None`` if nobody could say."""
    scenes = [scene for scene in _scenes(story) if thing in scene.shows]
    for observer in chain:
        scenes = list(_seen_by(observer, scenes))
    return scenes[-1].shows[thing] if scenes else None


def _seen_by(observer: int, scenes: Iterable[PerceivedScene]) -> Iterable[PerceivedScene]:
    """The scenes that an observer perceives. Who watched in secret stays a secret, and so does who looked away."""
    for scene in scenes:
        if (observer in scene.present or observer in scene.hidden) and observer not in scene.absent_minded:
            has_secret = scene.hidden or scene.absent_minded
            yield replace(scene, hidden=frozenset(), absent_minded=frozenset()) if has_secret else scene


@lru_cache(maxsize=1)  # many chains are asked about one story
def _scenes(story: Story) -> list[PerceivedScene]:
    scenes: list[PerceivedScene] = []
    places: dict[int, int] = {}  # agent to room
    holds: dict[int, int] = {}  # object to container

    def people(room: int) -> frozenset[int]:
        return frozenset(agent for agent, place in places.items() if place == room)

    for event in story.events:
        match event:
            case Enter(agent, room):
                places[agent] = room
                in_view = {thing: box for thing, box in holds.items() if story.homes[box] == room}
                if story.is_open and in_view:
                    scenes.append(PerceivedScene(in_view, people(room)))
            case Exit(agent, _):
                places.pop(agent, None)
            case Announce(thing, box):
                holds[thing] = box
                scenes.append(PerceivedScene({thing: box}, people(story.homes[box])))
            case Move(_, thing, box, peekers, distracted):
                holds[thing] = box
                secret = frozenset(members(peekers)), frozenset(members(distracted))
                scenes.append(PerceivedScene({thing: box}, people(story.homes[box]), *secret))
            case Tell(speaker, listener, thing, box, is_aloud):
                heard_by = people(places[speaker]) if is_aloud else frozenset((speaker, listener))
                scenes.append(PerceivedScene({thing: box}, heard_by))
    return scenes


# Everything that stories can have: secret watchers, the distracted, words, several objects and rooms, four orders.
_RICH = (
    Knobs(agents=4, order=4, changes=24, peeks=0.4, distractions=0.4, tells=0.2),
    Knobs(
        agents=4, rooms=3, containers=6, objects=2, moves=4, order=4, changes=24, peeks=0.3, distractions=0.3, tells=0.2
    ),
    Knobs(agents=3, distractors=1, order=3, changes=12, peeks=0.5, distractions=0.5, is_open=False),
)


def disagreements(first: int, number: int) -> int:
    """The number of disagreements of ledger and perspectives on random stories, one chain of each order per object."""
    count = 0
    for index in range(first, first + number):
        knobs, draw = _RICH[index % len(_RICH)], Draw(index, "tomi/solvers")
        story, _, _ = skeleton(knobs, draw, index % (knobs.order + 1))
        history = simulate(story)
        for order in range(1, 5):
            chain = draw.pick(list(permutations(range(story.num_agents), order)))
            for thing in range(story.num_objects):
                count += history.beliefs.belief(chain, thing) != believed(story, chain, thing)
    return count
