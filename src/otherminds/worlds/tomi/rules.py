"""Rules of stories: what happens, who perceives it, and the right answer to any question.

One walk over the events fills the belief ledger, in which answers are looked up.
The conventions are those of ``docs/worlds/tomi.md``: everybody in a room sees what happens there and who is there;
containers are open; beliefs persist until new evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations
from typing import NamedTuple

from otherminds.core.errors import UserError
from otherminds.core.ledger import EvidenceTable
from otherminds.worlds.tomi.types import (
    NOWHERE,
    Announce,
    Chain,
    Enter,
    Event,
    Exit,
    Move,
    Names,
    Question,
    Story,
    Tell,
    members,
)


class ImpossibleStory(UserError):
    """An event that cannot happen where it stands, and why; ``number`` counts from 0."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"event {number + 1} of the story cannot happen: {why}")
        self.number, self.why = number, why


@dataclass(slots=True)
class History:
    """State and beliefs at the end of a story."""

    beliefs: EvidenceTable[int]
    places: list[int]  # the room of each agent at the end
    contents: list[int]  # the container of each object at the end; -1 if it was never announced
    trail: list[list[int]] = field(default_factory=list)  # every container that each object was in, in order
    audience: list[int] = field(default_factory=list)  # who was in the room at each object's announcement


class Witnesses(NamedTuple):
    """Sets of people at an event, as bit masks."""

    real: int  # who perceives it
    apparent: int  # who is commonly thought to


Perceived = tuple[Event, Witnesses, dict[int, int]]  # an event, and the containers of the objects that it shows


def simulate(story: Story, seen: list[Perceived] | None = None) -> History:
    """Play a story through; ``seen`` collects what :func:`perceived` returns.

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
        real = apparent = 0
        shown: dict[int, int] = {}
        if type(event) is Enter:  # and not isinstance(), which takes longer: most of a family's time is spent here
            agent, room = event.agent, event.room
            if places[agent] >= 0:
                present[places[agent]] &= ~(1 << agent)
            places[agent] = room
            present[room] |= 1 << agent
            real = apparent = present[room]
            if story.is_open:
                shown = {thing: box for thing, box in enumerate(contents) if box >= 0 and homes[box] == room}
        elif type(event) is Exit:
            if places[event.agent] != event.room:
                raise ImpossibleStory(number, "a person who leaves a room must be in it")
            real = apparent = present[event.room]
            places[event.agent] = NOWHERE
            present[event.room] &= ~(1 << event.agent)
        elif type(event) is Move:
            room = homes[event.container]
            if places[event.agent] != room:
                raise ImpossibleStory(number, "a person who moves an object must be in the room of the container")
            if contents[event.object] < 0 or homes[contents[event.object]] != room:
                raise ImpossibleStory(number, "an object must be in the room in which it is moved")
            apparent = present[room]
            if event.peekers & apparent or event.distracted & ~apparent or event.distracted >> event.agent & 1:
                raise ImpossibleStory(
                    number,
                    "people who peek must be in another room; those distracted must be in the room and not the mover",
                )
            real = apparent & ~event.distracted | event.peekers
            shown = {event.object: event.container}
            contents[event.object] = event.container
            trail[event.object].append(event.container)
        elif type(event) is Announce:
            real = apparent = present[homes[event.container]]
            # ToM-bAbI says it anew in each chapter (spec 8), which tells nobody anything.
            if not story.is_open or contents[event.object] != event.container:
                if contents[event.object] >= 0:
                    raise ImpossibleStory(number, "the story said earlier where this object is")
                shown = {event.object: event.container}
                contents[event.object] = event.container
                trail[event.object].append(event.container)
                audience[event.object] = real
        elif type(event) is Tell:
            _refuse_lies(number, event, places, beliefs)
            real = apparent = present[places[event.agent]] if event.is_aloud else 1 << event.agent | 1 << event.listener
            shown = {event.object: event.container}
        for thing, container in shown.items():
            record(thing, container, real, apparent)
        if seen is not None:
            seen.append((event, Witnesses(real, apparent), shown))
    return History(beliefs, places, contents, trail, audience)


def perceived(story: Story) -> list[Perceived]:
    """Every event with its witnesses, and the containers of objects that it shows or tells them.

    Events without a place, such as remarks, have no witnesses.
    """
    seen: list[Perceived] = []
    simulate(story, seen)
    return seen


def _refuse_lies(number: int, event: Tell, places: list[int], beliefs: EvidenceTable[int]) -> None:
    if places[event.agent] == NOWHERE or places[event.agent] != places[event.listener]:
        raise ImpossibleStory(number, "speaker and listener must be in the same room")
    if beliefs.belief((event.agent,), event.object) != event.container:
        raise ImpossibleStory(number, "the speaker must believe it")


def container(question: Question, history: History) -> int | None:
    """The container that a question asks for; ``None`` where nobody could say."""
    if question.kind == "belief":
        return history.beliefs.belief(question.chain, question.object)
    trail = history.trail[question.object]
    at = {"memory": 0, "before": -2, "reality": -1}[question.kind]
    return trail[at] if len(trail) > (question.kind == "before") else None


def answer(
    question: Question, history: History, names: Names, believed: Callable[[Chain], int | None] | None = None
) -> str | None:
    """The right answer in words; ``None`` where there is none, so that the question must not be asked.

    With ``believed``, the answer of somebody who thinks that a chain expects the object in that container.
    """
    thing, truth = question.object, history.contents[question.object]
    expects = believed or (lambda chain: history.beliefs.belief(chain, thing))
    if question.kind == "knowers":
        return _listed((agent for agent in range(len(names.agents)) if expects((agent,)) == truth), names)
    if question.kind == "present":
        return _listed(members(history.audience[thing]), names)
    box = expects(question.chain) if question.chain else container(question, history)
    if question.kind == "knows":
        return None if box is None else ("yes" if box == truth else "no")
    return None if box is None else names.containers[box]


def _listed(agents: Iterable[int], names: Names) -> str:
    return ", ".join(names.agents[agent] for agent in agents) or "nobody"


def is_false(chain: Chain, thing: int, history: History) -> bool:
    """Whether a chain's first member misjudges the rest: B(x1…xk) differs from B(x2…xk), or from the truth (spec 3)."""
    inner = history.beliefs.belief(chain[1:], thing) if len(chain) > 1 else history.contents[thing]
    return history.beliefs.belief(chain, thing) != inner


@cache
def chains(people: tuple[int, ...], order: int) -> tuple[Chain, ...]:
    """The chains of an order among some people."""
    return tuple(permutations(people, order))


def story_order(agents: tuple[int, ...], thing: int, history: History, deepest: int) -> int:
    """The smallest depth at which one of the agents is wrong; 0 if none is down to the deepest."""
    believed = history.beliefs.belief
    for depth in range(1, deepest + 1):
        for chain in chains(agents, depth):
            if believed(chain, thing) is not None and is_false(chain, thing, history):
                return depth
    return 0
