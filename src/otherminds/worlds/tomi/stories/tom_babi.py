"""ToM-bAbI, the ancestor of ToMi: *ToM-easy* (a chapter and its question) and *ToM* (several chapters a story).

Three fixed chapters and four questions (spec 8), which an agent-blind rule solves: needed for the paper's table 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.files.items import Item
from otherminds.worlds.tomi.files.make_items import Asked, Source, story_items
from otherminds.worlds.tomi.stories.original import TYPES
from otherminds.worlds.tomi.stories.vocabulary import released_pools
from otherminds.worlds.tomi.text import Teller, original
from otherminds.worlds.tomi.types import NOWHERE, Announce, Enter, Event, Exit, Move, Names, Question, Story

Task = Literal["easy", "full"]
CHAPTERS = ("tb", "fb", "sofb")
QUESTIONS = ("memory", "reality", "search", "belief")
VERSION = "1"
_AGENTS, _ROOMS, _THINGS = 4, 6, 12  # of one story; two containers a room, one object each
_GROUPED = {"easy": 1, "full": 5}  # chapters of a story for training
_HELD_OUT = {"easy": 1, "full": 4}
_HOMES = tuple(container // 2 for container in range(_THINGS))


def training(task: Task, seed: int = 0, count: int = 1000) -> Iterator[Item]:
    """The questions to train on: every chapter with every question that often, in random order.

    Args:
        task: ``easy`` has a chapter a story, ``full`` five, each followed by its question.
        seed: of the whole set.
        count: how often each of the twelve pairs of chapter and question comes.

    Raises:
        UserError: if the pairs do not fill whole stories.
    """
    pairs = [(chapter, asks) for chapter in CHAPTERS for asks in QUESTIONS for _ in range(count)]
    grouped = _GROUPED[task]
    if len(pairs) % grouped:
        raise UserError(
            f"{len(pairs)} chapters do not fill stories of {grouped}; expected a multiple of 5 questions of each kind"
        )
    Draw(seed, "tomi/babi/order").shuffle(pairs)  # one order for both tasks: the same pairs, alone or grouped (spec 8)
    for index, first in enumerate(range(0, len(pairs), grouped)):
        draw = Draw(seed, f"tomi/babi/{VERSION}/{task}/train/{index}")
        writer = _Writer(Source("train", f"babi/{task}", seed, VERSION), draw)
        for chapter, asks in pairs[first : first + grouped]:
            writer.chapter(chapter)
            yield writer.ask(asks)


def held_out(task: Task, split: str, seed: int = 0, count: int = 1000) -> Iterator[Item]:
    """Questions to test on, ``count`` of every kind; they come at the end of a story and are about its last chapter."""
    for chapter, asks, index in product(CHAPTERS, QUESTIONS, range(count)):
        draw = Draw(seed, f"tomi/babi/{VERSION}/{task}/{split}/{chapter}/{asks}/{index}")
        writer = _Writer(Source(split, f"babi/{task}", seed, VERSION), draw)
        for _ in range(_HELD_OUT[task]):
            writer.chapter(chapter)
        yield writer.ask(asks)


class _Writer:
    """Writes chapters of one story, and questions about them."""

    def __init__(self, source: Source, draw: Draw) -> None:
        self.source, self.draw = source, draw
        words = released_pools()
        sizes = {"agents": _AGENTS, "rooms": _ROOMS, "containers": _THINGS, "objects": _THINGS}
        self.names = Names(*(tuple(draw.some(getattr(words, kind), number)) for kind, number in sizes.items()))
        self._events: list[Event] = []
        self._places = [NOWHERE] * _AGENTS
        self._contents = list(range(_THINGS))  # where each object is; it began in the container with its number
        self._last = ("", 0, (0, 0), 0)  # chapter, object, the two agents, and the container before the move

    def chapter(self, kind: str) -> None:
        """Two people, a room, an object there and the room's other container, all drawn evenly."""
        room = self.draw.below(_ROOMS)
        mover, other = self.draw.some(range(_AGENTS), 2)
        thing = self.draw.pick([o for o, box in enumerate(self._contents) if _HOMES[box] == room])
        start = self._contents[thing]
        end = start ^ 1
        self._enter(mover, room)
        self._enter(other, room)
        self._events.append(Announce(thing, start))
        if kind != "tb":
            self._exit(other, room)
        self._events.append(Move(mover, thing, end))
        self._contents[thing] = end
        if kind == "sofb":
            self._exit(mover, room)
            self._enter(other, room)
        self._last = kind, thing, (mover, other), start

    def ask(self, asks: str) -> Item:
        """A question about the last chapter; the table of answers is the original's (spec 8)."""
        kind, thing, (mover, other), start = self._last
        question, answer = {
            "memory": (Question("memory", thing), thing),
            "reality": (Question("reality", thing), start ^ 1),
            "search": (Question("belief", thing, (other,)), start if kind == "fb" else start ^ 1),
            "belief": (Question("belief", thing, (mover, other)), start ^ 1 if kind == "tb" else start),
        }[asks]
        asked = [Asked(question, self.names.containers[answer])]
        story = Story(tuple(self._events), _HOMES, _AGENTS, _ROOMS, _THINGS)
        statements = Teller(story, self.names, original).statements()
        type_ = TYPES[CHAPTERS.index(kind)]
        return story_items(story, self.names, statements, asked, self.source, type_, (mover, other))[0]

    def _enter(self, agent: int, room: int) -> None:
        # Nobody leaves at the end of a chapter, so somebody may be there still.
        self._events.append(Enter(agent, room, is_already=self._places[agent] == room))
        self._places[agent] = room

    def _exit(self, agent: int, room: int) -> None:
        self._events.append(Exit(agent, room))
        self._places[agent] = NOWHERE
