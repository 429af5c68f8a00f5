"""Parser of stories: turns every sentence that :mod:`text` can write back into its event."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.text import QUESTIONS, STATEMENTS, pattern
from otherminds.worlds.tomi.types import (
    EVENTS,
    KINDS,
    NOWHERE,
    Announce,
    Enter,
    Event,
    Exit,
    Furnish,
    Move,
    Names,
    Question,
    Story,
)


class NotUnderstood(UserError):
    """A sentence that no template makes; ``number`` counts from 0."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(why)
        self.number = number


@dataclass(frozen=True)
class ParsedStory:
    """A story read from its sentences, and the names in it."""

    story: Story
    names: Names
    origins: tuple[int, ...]  # the event that each sentence belongs to


class _Index(dict[str, int]):
    """Numbers for words, in the order in which they are met."""

    def __missing__(self, word: str) -> int:
        self[word] = len(self)
        return self[word]


@lru_cache(maxsize=1 << 16)  # twins share most of their sentences
def understand(sentence: str) -> tuple[str, int, re.Match[str]] | None:
    """The kind of a sentence, the number of its form and the names in it; ``None`` if no template makes it."""
    for kind, forms in STATEMENTS.items():
        for form, template in enumerate(forms):
            match = pattern(template).fullmatch(sentence)
            if match:
                return kind, form, match
    return None


_FLAGS = {"already": {"is_already": True}, "aloud": {"is_aloud": True}}


class Parser:
    """The sentences of one story.

    Raises:
        NotUnderstood: if one is not a sentence of a story, or cannot stand where it does.
    """

    def __init__(self, sentences: Sequence[str] = ()) -> None:
        self._agents, self._rooms, self._containers, self._objects = _Index(), _Index(), _Index(), _Index()
        self._indices = {"agent": self._agents, "listener": self._agents, "room": self._rooms}
        self._indices |= {"container": self._containers, "object": self._objects}
        self._events: list[Event] = []
        self._origins: list[int] = []
        self._homes: dict[int, int] = {}
        self._holds: dict[int, int] = {}
        self._places: dict[int, int] = {}
        for number, sentence in enumerate(sentences):
            understood = understand(sentence)
            if understood is None:
                raise NotUnderstood(
                    number,
                    f"{sentence!r} is not a sentence of a story; expected one such as "
                    f"'Ann entered the attic.' or 'Ann moved the fig to the crate.'",
                )
            kind, _, match = understood
            if problem := self._take(kind, match.groupdict()):
                raise NotUnderstood(number, f"{sentence!r} {problem}")
            self._origins.append(len(self._events) - 1)

    @property
    def names(self) -> Names:
        """Names by number, in the order in which they were met."""
        return Names(tuple(self._agents), tuple(self._rooms), tuple(self._containers), tuple(self._objects))

    def parsed(self, *, is_open: bool = True) -> ParsedStory:
        """The story that was read."""
        names = self.names
        if not names.rooms and len(self._homes) < len(names.containers):
            raise NotUnderstood(0, "nobody is ever in a room, so nobody can know anything")
        homes = tuple(self._homes.get(container, 0) for container in range(len(names.containers)))
        story = Story(tuple(self._events), homes, len(names.agents), len(names.rooms), len(names.objects), is_open)
        return ParsedStory(story, names, tuple(self._origins))

    def question(self, text: str) -> Question:
        """Parse a question about the story."""
        for kind, template in QUESTIONS.items():
            match = pattern(template).fullmatch(text)
            if match:
                words = match.groupdict()
                people = [words["agent"]] if "agent" in words else []
                people += words["others"].split(" thinks that ") if "others" in words else []
                chain = tuple(self._agents[name] for name in people)
                known = kind if kind in KINDS else "belief"  # the other keys are orders of belief
                return Question(known, self._objects[words["object"]], chain)
        raise NotUnderstood(
            len(self._origins), f"{text!r} is not a question; expected one such as 'Where is the fig really?'"
        )

    def _take(self, kind: str, words: Mapping[str, str]) -> str:
        """Add the content of a sentence; returns why it cannot stand here, or an empty text."""
        if kind in ("peek", "distracted"):
            move = self._events[-1] if self._events else None
            if not isinstance(move, Move):
                return "but the sentence before it is not about a move"
            who = 1 << self._agents[words["agent"]]
            changed = {"peekers": move.peekers | who} if kind == "peek" else {"distracted": move.distracted | who}
            self._events[-1] = replace(move, **changed)
        elif kind == "furnish":
            listed = words["containers"] if "containers" in words else words["container"]
            room, containers = self._rooms[words["room"]], re.split(", the | and the ", listed)
            self._homes |= {self._containers[word]: room for word in containers}
            self._events.append(Furnish(room, tuple(self._containers[word] for word in containers)))
        else:
            made = EVENTS[kind]
            values: dict[str, Any] = {
                name: self._indices[name][words[name]] if name in self._indices else words[name]
                for name in made.__match_args__
                if name in words
            }
            event = made(**(values | _FLAGS.get(kind, {})))
            self._events.append(event)
            return self._follow(event, words)
        return ""

    def _follow(self, event: Event, words: Mapping[str, str]) -> str:
        """Keep track of who and what is where; returns why an event cannot happen, or an empty text."""
        match event:
            case Enter(agent, room):
                self._places[agent] = room
            case Exit(agent, room):
                if self._places.pop(agent, NOWHERE) != room:
                    return f"but {words['agent']} is not in the {words['room']}"
            case Announce(thing, container):
                # Until a move or a list of the furniture says better, a thing lies where somebody last came in.
                entered = [event.room for event in self._events if isinstance(event, Enter)]
                if entered:
                    self._homes.setdefault(container, entered[-1])
                self._holds[thing] = container
            case Move(agent, thing, container):
                if thing not in self._holds:
                    return f"before the story says where the {words['object']} is"
                if "origin" in words and self._containers[words["origin"]] != self._holds[thing]:
                    return f"but the {words['object']} is not in the {words['origin']}"
                if agent not in self._places:
                    return f"but {words['agent']} is in no room"
                # The original never says in which room its containers stand (defect D9): where they are used.
                self._homes[self._holds[thing]] = self._homes[container] = self._places[agent]
                self._holds[thing] = container
        return ""


def parse_story(sentences: Sequence[str], *, is_open: bool = True) -> ParsedStory:
    """A whole story."""
    return Parser(sentences).parsed(is_open=is_open)
