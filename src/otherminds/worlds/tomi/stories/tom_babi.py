"""ToM-bAbI, the ancestor of ToMi: *ToM-easy* (a chapter and its question) and *ToM* (several chapters a story).

Three fixed chapters and four questions (spec 8), which an agent-blind rule solves: needed for the paper's table 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.files.items import LabelledQuestion
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
_HOMES = tuple(container // 2 for container in range(_THINGS))


def items(task: Task, split: str, seed: int = 0, count: int = 1000) -> Iterator[LabelledQuestion]:
    """The questions of a split, ``count`` of each of the twelve pairs of chapter and question (spec 8).

    ``easy`` has a chapter a story. In ``full`` a story for training has five, each followed by its question, and any
    other has four of one kind, with a question about the last.
    """
    source = Source(split, f"babi/{task}", seed, VERSION)
    if split == "train":
        yield from _training(task, source, count)
        return
    for chapter, asks, index in product(CHAPTERS, QUESTIONS, range(count)):
        writer = _Writer(source, f"tomi/babi/{VERSION}/{task}/{split}/{chapter}/{asks}/{index}")
        for _ in range(1 if task == "easy" else 4):
            writer.chapter(chapter)
        yield writer.ask(asks)


def _training(task: Task, source: Source, count: int) -> Iterator[LabelledQuestion]:
    pairs = [pair for pair in product(CHAPTERS, QUESTIONS) for _ in range(count)]
    size = 1 if task == "easy" else 5
    if len(pairs) % size:
        raise UserError(
            f"{len(pairs)} chapters do not fill stories of {size}; expected a multiple of 5 questions of each kind"
        )
    # One order for both tasks: the same pairs, alone or grouped (spec 8).
    Draw(source.seed, "tomi/babi/order").shuffle(pairs)
    for index in range(len(pairs) // size):
        writer = _Writer(source, f"tomi/babi/{VERSION}/{task}/train/{index}")
        for chapter, asks in pairs[index * size : (index + 1) * size]:
            writer.chapter(chapter)
            yield writer.ask(asks)


class _Writer:
    """Writes chapters of one story, and questions about them."""

    def __init__(self, source: Source, stream: str) -> None:
        self.source, self.draw, words = source, Draw(source.seed, stream), released_pools()
        sizes = {"agents": _AGENTS, "rooms": _ROOMS, "containers": _THINGS, "objects": _THINGS}
        self.names = Names(*(tuple(self.draw.some(getattr(words, kind), number)) for kind, number in sizes.items()))
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

    def ask(self, asks: str) -> LabelledQuestion:
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
