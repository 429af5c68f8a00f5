"""Types of a story: people, rooms, containers and objects by number, and the events among them.

Names come last (:class:`Names`), so that one skeleton of events can be told in any words. Sets of people are bit masks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

NOWHERE = -1
Chain = tuple[int, ...]  # of agents: what the first thinks that the second thinks …


@dataclass(frozen=True, slots=True)
class Enter:
    """Somebody comes into a room, or is there already."""

    agent: int
    room: int
    is_already: bool = False  # "is in" instead of "entered"


@dataclass(frozen=True, slots=True)
class Exit:
    """Somebody leaves a room, and is then in none."""

    agent: int
    room: int


@dataclass(frozen=True, slots=True)
class Furnish:
    """The story says which containers stand in a room."""

    room: int
    containers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Announce:
    """The story says where an object is; those in the room see it."""

    object: int
    container: int


@dataclass(frozen=True, slots=True)
class Move:
    """Somebody puts an object into another container of the room.

    ``peekers`` watch from elsewhere and nobody knows; the ``distracted`` are in the room, miss it, and nobody knows.
    """

    agent: int
    object: int
    container: int
    peekers: int = 0
    distracted: int = 0


@dataclass(frozen=True, slots=True)
class Tell:
    """Somebody honestly tells another person in the room where an object is; if aloud, everyone there hears it."""

    agent: int
    listener: int
    object: int
    container: int
    is_aloud: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """Noise: somebody's taste. It says nothing about where anything is."""

    agent: int
    verb: str
    thing: str


Event = Enter | Exit | Furnish | Announce | Move | Tell | Remark
EVENTS: dict[str, type[Event]] = {  # by kind of sentence
    "enter": Enter,
    "already": Enter,
    "exit": Exit,
    "furnish": Furnish,
    "announce": Announce,
    "move": Move,
    "whisper": Tell,
    "aloud": Tell,
    "remark": Remark,
}


@dataclass(frozen=True, slots=True)
class Story:
    """Events in order, and where each container stands."""

    events: tuple[Event, ...]
    homes: tuple[int, ...]  # the room of each container
    num_agents: int
    num_rooms: int
    num_objects: int
    is_open: bool = True  # people who enter a room see into its containers (spec 5.1, convention 2)

    def told_as(self, events: tuple[Event, ...]) -> Story:
        """Other events among the same people and things; as ``replace``, and fast enough for every possible twin."""
        return Story(events, self.homes, self.num_agents, self.num_rooms, self.num_objects, self.is_open)


@dataclass(frozen=True, slots=True)
class Names:
    """The words for a story's people and things, by number."""

    agents: tuple[str, ...]
    rooms: tuple[str, ...]
    containers: tuple[str, ...]
    objects: tuple[str, ...]


Kind = Literal["memory", "reality", "belief", "before", "knows", "knowers", "present"]
KINDS: tuple[Kind, ...] = ("memory", "reality", "belief", "before", "knows", "knowers", "present")


@dataclass(frozen=True, slots=True)
class Question:
    """A question at the end of a story.

    - ``memory``: where the object was at the beginning; ``reality``: where it is; ``before``: where it was before its
      last move;
    - ``belief``: where ``chain[0]`` thinks that ``chain[1]`` thinks that … ``chain[-1]`` will look for it;
    - ``knows``: whether ``chain[0]`` knows where it is; ``knowers``: who does;
    - ``present``: who was in the room when it was announced.
    """

    kind: Kind
    object: int
    chain: Chain = ()

    @property
    def order(self) -> int:
        """Depth of nesting; 0 for questions about the world."""
        return len(self.chain) if self.kind == "belief" else 0


@cache
def members(mask: int) -> tuple[int, ...]:
    """The numbers of the people in a set."""
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


_SAME: Mapping[int, int] = {}


def renumbered(
    event: Event,
    people: Mapping[int, int] = _SAME,
    rooms: Mapping[int, int] = _SAME,
    boxes: Mapping[int, int] = _SAME,
    things: Mapping[int, int] = _SAME,
) -> Event:
    """An event among other people and things; numbers that a mapping does not have stay."""
    maps = {"agent": people, "listener": people, "room": rooms, "container": boxes, "object": things}
    values = ((name, getattr(event, name)) for name in event.__match_args__)
    changed: dict[str, Any] = {name: maps[name].get(value, value) for name, value in values if name in maps}
    if isinstance(event, Move):
        for name in ("peekers", "distracted"):
            changed[name] = sum({1 << people.get(agent, agent) for agent in members(getattr(event, name))})
    elif isinstance(event, Furnish):
        changed["containers"] = tuple(boxes.get(box, box) for box in event.containers)
    return replace(event, **changed)
