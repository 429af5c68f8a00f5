"""What happens in a story, and who perceives it: one walk over the events fills the belief ledger.

The conventions are those of ``docs/worlds/tomi.md``: everybody in a room sees what happens there and who is there;
containers are open; beliefs persist until new evidence.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from otherminds.core.errors import UserError
from otherminds.core.ledger import EvidenceTable
from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Exit, Move, Story, Tell


class ImpossibleStory(UserError):
    """An event that cannot happen where it stands, and why."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"event {number + 1} of the story cannot happen: {why}")
        self.why = why


@dataclass(slots=True)
class History:
    """What a story came to."""

    beliefs: EvidenceTable[int]
    places: list[int]  # the room of each agent at the end
    contents: list[int]  # the container of each object at the end; -1 if it was never announced
    trail: list[list[int]] = field(default_factory=list)  # every container that each object was in, in order
    audience: list[int] = field(default_factory=list)  # who was in the room at each object's announcement


def simulate(story: Story) -> History:
    """Play a story through.

    Raises:
        ImpossibleStory: if somebody leaves a room or moves an object from a room where they are not, or tells what
            they do not believe.
    """
    places = [NOWHERE] * story.num_agents
    contents = [-1] * story.num_objects
    trail: list[list[int]] = [[] for _ in contents]
    audience = [0] * story.num_objects
    present = [0] * story.num_rooms  # who is in each room
    beliefs: EvidenceTable[int] = EvidenceTable()  # not EvidenceTable[int](), which takes three times as long
    record, homes = beliefs.record, story.homes
    for number, event in enumerate(story.events):
        if type(event) is Enter:  # and not isinstance(), which takes longer: most of a family's time is spent here
            agent, room = event.agent, event.room
            if places[agent] >= 0:
                present[places[agent]] &= ~(1 << agent)
            places[agent] = room
            present[room] |= 1 << agent
            if story.is_open:
                here = present[room]
                for thing, container in enumerate(contents):
                    if container >= 0 and homes[container] == room:
                        record(thing, container, here, here)
        elif type(event) is Exit:
            if places[event.agent] != event.room:
                raise ImpossibleStory(number, "who leaves a room must be in it")
            places[event.agent] = NOWHERE
            present[event.room] &= ~(1 << event.agent)
        elif type(event) is Move:
            room = homes[event.container]
            if places[event.agent] != room:
                raise ImpossibleStory(number, "who moves an object must be in the room of the container")
            if contents[event.object] < 0 or homes[contents[event.object]] != room:
                raise ImpossibleStory(number, "an object must be in the room in which it is moved")
            here = present[room]
            if event.peekers & here or event.distracted & ~here or event.distracted >> event.agent & 1:
                raise ImpossibleStory(number, "peekers must be elsewhere, the distracted in the room and not the mover")
            contents[event.object] = event.container
            trail[event.object].append(event.container)
            record(event.object, event.container, here & ~event.distracted | event.peekers, here)
        elif type(event) is Announce:
            if contents[event.object] >= 0:
                raise ImpossibleStory(number, "the story said before where this object is")
            contents[event.object] = event.container
            trail[event.object].append(event.container)
            here = audience[event.object] = present[homes[event.container]]
            record(event.object, event.container, here, here)
        elif type(event) is Tell:
            _refuse_lies(number, event, places, beliefs)
            told = present[places[event.speaker]] if event.is_aloud else 1 << event.speaker | 1 << event.listener
            record(event.object, event.container, told, told)
    return History(beliefs, places, contents, trail, audience)


def _refuse_lies(number: int, event: Tell, places: list[int], beliefs: EvidenceTable[int]) -> None:
    if places[event.speaker] == NOWHERE or places[event.speaker] != places[event.listener]:
        raise ImpossibleStory(number, "who tells and who is told must be in one room")
    if beliefs.belief((event.speaker,), event.object) != event.container:
        raise ImpossibleStory(number, "who tells must believe it")
