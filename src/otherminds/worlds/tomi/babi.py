"""ToM-bAbI, the ancestor of ToMi: *ToM-easy* (a chapter and its question) and *ToM* (several chapters a story).

Three fixed chapters and four questions (spec 8), which an agent-blind rule solves: needed for the paper's table 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.tomi.files import write_blocks, write_new
from otherminds.worlds.tomi.itemise import Asked, Source, story_items
from otherminds.worlds.tomi.items import Item
from otherminds.worlds.tomi.original import TYPES
from otherminds.worlds.tomi.rules import perceived
from otherminds.worlds.tomi.text import Teller, ask, original
from otherminds.worlds.tomi.types import (
    NOWHERE,
    Announce,
    Enter,
    Event,
    Exit,
    Move,
    Names,
    Question,
    Ring,
    Story,
    members,
)
from otherminds.worlds.tomi.vocabulary import Pools, released_pools

Task = Literal["easy", "full"]
CHAPTERS = ("tb", "fb", "sofb")
QUESTIONS = ("memory", "reality", "search", "belief")
SPLITS = ("val", "test")  # held out; train is a single file
VERSION = "1"
NOISE = 0.1
_AGENTS, _ROOMS, _THINGS = 4, 6, 12  # of one story; two containers a room, one object each
_GROUPED = {"easy": 1, "full": 5}  # chapters of a story for training
_HELD_OUT = {"easy": 1, "full": 4}
_HOMES = tuple(container // 2 for container in range(_THINGS))


@dataclass(frozen=True)
class Ending(Asked):
    """The question after a chapter."""

    chapter: str
    pair: tuple[int, int]  # the one who moves the object, and the other


@dataclass(frozen=True)
class BabiStory:
    """Events with questions between them."""

    task: Task
    split: str
    seed: int
    script: tuple[Event | Ending, ...]
    names: Names

    def lines(self) -> list[str]:
        """The lines of a file: after each statement a tab and the numbers of those present, from 1."""
        teller, lines = self._teller(), []
        seen = perceived(teller.story)
        for number, part in enumerate(self.script, 1):
            if isinstance(part, Ending):
                lines.append(f"{number} {ask(part.question, self.names)}\t{part.answer}\t1")
            else:
                present = " ".join(str(agent + 1) for agent in members(next(seen)[1].real))
                lines.append(f"{number} {teller.tell(part)[0]}\t{present}")
        return lines

    def items(self) -> list[Item]:
        """Its questions, each with the story before it."""
        source = Source(self.split, f"babi/{self.task}", self.seed, VERSION)
        teller, events, statements = self._teller(), list[Event](), list[str]()
        items = []
        for part in self.script:
            if isinstance(part, Ending):
                kind = TYPES[CHAPTERS.index(part.chapter)]
                story = _story(events)
                items += story_items(story, self.names, statements, [part], source, kind, part.pair)
            else:
                events.append(part)
                statements += teller.tell(part)
        return items

    def _teller(self) -> Teller:
        return Teller(_story(part for part in self.script if not isinstance(part, Ending)), self.names, original)


def training(
    task: Task, seed: int = 0, each: int = 1000, noise: float = 0.0, pools: Pools | None = None
) -> Iterator[BabiStory]:
    """The stories to train on: every chapter with every question that often, in random order.

    Args:
        task: ``easy`` has a chapter a story, ``full`` five, each followed by its question.
        seed: of the whole set.
        each: how often each of the twelve pairs of chapter and question comes.
        noise: how often the phone rings before a line.
        pools: words; by default ours.

    Raises:
        UserError: if the pairs do not fill whole stories.
    """
    pairs = [(chapter, asks) for chapter in CHAPTERS for asks in QUESTIONS for _ in range(each)]
    grouped = _GROUPED[task]
    if len(pairs) % grouped:
        raise UserError(
            f"{len(pairs)} chapters do not fill stories of {grouped}; expected a multiple of 5 questions of each kind"
        )
    Draw(seed, "tomi/babi/order").shuffle(pairs)  # one order for both tasks: the same pairs, alone or grouped (spec 8)
    for index, first in enumerate(range(0, len(pairs), grouped)):
        draw = Draw(seed, f"tomi/babi/{VERSION}/{task}/train/{index}")
        writer = _Writer(pools or released_pools(), draw, noise)
        for chapter, asks in pairs[first : first + grouped]:
            writer.chapter(chapter)
            writer.ask(asks)
        yield BabiStory(task, "train", seed, tuple(writer.script), writer.names)


def held_out(
    task: Task,
    split: str,
    chapter: str,
    asks: str,
    seed: int = 0,
    number: int = 1000,
    noise: float = NOISE,
    pools: Pools | None = None,
) -> Iterator[BabiStory]:
    """Stories to test on, of one chapter and one question, which comes at the end and is about the last chapter."""
    for index in range(number):
        draw = Draw(seed, f"tomi/babi/{VERSION}/{task}/{split}/{chapter}/{asks}/{index}")
        writer = _Writer(pools or released_pools(), draw, noise)
        for _ in range(_HELD_OUT[task]):
            writer.chapter(chapter)
        writer.ask(asks)
        yield BabiStory(task, split, seed, tuple(writer.script), writer.names)


def write(
    folder: str | Path,
    task: Task,
    seed: int = 0,
    each: int = 1000,
    noise: float = NOISE,
    *,
    pools: Pools | None = None,
    force: bool = False,
) -> list[Path]:
    """Write all files of a task under the names of the released ones, and return their paths."""
    folder = Path(folder)
    sets = {folder / "qa21_task_AB_train.txt": training(task, seed, each, pools=pools)}
    for split, chapter, asks in product(SPLITS, CHAPTERS, QUESTIONS):
        path = folder / f"{chapter}_{asks}_{split}_test.txt"
        sets[path] = held_out(task, split, chapter, asks, seed, each, noise, pools)
    texts = {path: write_blocks(story.lines() for story in stories) for path, stories in sets.items()}
    return write_new(texts, force=force)


class _Writer:
    """Writes chapters of one story, with a telephone that may ring before any line."""

    def __init__(self, pools: Pools, draw: Draw, noise: float) -> None:
        self.draw, self.noise = draw, noise
        self.script: list[Event | Ending] = []
        sizes = {"agents": _AGENTS, "rooms": _ROOMS, "containers": _THINGS, "objects": _THINGS}
        pools.require(sizes)
        self.names = Names(*(tuple(draw.some(getattr(pools, kind), number)) for kind, number in sizes.items()))
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
        self._add(Announce(thing, start))
        if kind != "tb":
            self._exit(other, room)
        self._add(Move(mover, thing, end))
        self._contents[thing] = end
        if kind == "sofb":
            self._exit(mover, room)
            self._enter(other, room)
        self._last = kind, thing, (mover, other), start

    def ask(self, asks: str) -> None:
        """A question about the last chapter; the table of answers is the original's (spec 8)."""
        kind, thing, (mover, other), start = self._last
        question, answer = {
            "memory": (Question("memory", thing), thing),
            "reality": (Question("reality", thing), start ^ 1),
            "search": (Question("belief", thing, (other,)), start if kind == "fb" else start ^ 1),
            "belief": (Question("belief", thing, (mover, other)), start ^ 1 if kind == "tb" else start),
        }[asks]
        self._add(Ending(question, self.names.containers[answer], kind, (mover, other)))

    def _enter(self, agent: int, room: int) -> None:
        # Nobody leaves at the end of a chapter, so somebody may be there still.
        self._add(Enter(agent, room, is_already=self._places[agent] == room))
        self._places[agent] = room

    def _exit(self, agent: int, room: int) -> None:
        self._add(Exit(agent, room))
        self._places[agent] = NOWHERE

    def _add(self, part: Event | Ending) -> None:
        if self.noise and self.draw.happens(self.noise):
            self.script.append(Ring())
        self.script.append(part)


def _story(events: Iterable[Event]) -> Story:
    return Story(tuple(events), _HOMES, _AGENTS, _ROOMS, _THINGS)
