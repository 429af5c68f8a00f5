"""Parser of stories: turns every sentence that :mod:`text` can write back into its event."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.text import QUESTIONS, STATEMENTS, pattern
from otherminds.worlds.tomi.types import (
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
    Remark,
    Story,
    Tell,
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


@dataclass
class _Index:
    """Numbers for words, in the order in which they are met."""

    words: list[str] = field(default_factory=list)

    def __getitem__(self, word: str) -> int:
        if word not in self.words:
            self.words.append(word)
        return self.words.index(word)


@lru_cache(maxsize=1 << 16)  # twins share most of their sentences
def understand(sentence: str) -> tuple[str, int, re.Match[str]] | None:
    """The kind of a sentence, the number of its form and the names in it; ``None`` if no template makes it."""
    for kind, forms in STATEMENTS.items():
        for form, template in enumerate(forms):
            match = pattern(template).fullmatch(sentence)
            if match:
                return kind, form, match
    return None


class Parser:
    """Collects the sentences of one story."""

    def __init__(self, sentences: Sequence[str] = ()) -> None:
        self.agents, self.rooms, self.containers, self.objects = _Index(), _Index(), _Index(), _Index()
        self._events: list[Event] = []
        self._origins: list[int] = []
        self._homes: dict[int, int] = {}
        self._holds: dict[int, int] = {}
        self._places: dict[int, int] = {}
        for sentence in sentences:
            self.read(sentence)

    def read(self, sentence: str) -> None:
        """Parse the next sentence.

        Raises:
            NotUnderstood: if it is not a sentence of a story, or cannot stand at this place.
        """
        number = len(self._origins)
        understood = understand(sentence)
        if understood is None:
            raise NotUnderstood(
                number,
                f"{sentence!r} is not a sentence of a story; expected one such as "
                f"'Ann entered the attic.' or 'Ann moved the fig to the crate.'",
            )
        kind, _, match = understood
        try:
            self._take(kind, match)
        except _Misplaced as error:
            raise NotUnderstood(number, f"{sentence!r} {error}") from None
        self._origins.append(len(self._events) - 1)

    def parsed(self, *, is_open: bool = True) -> ParsedStory:
        """The story that was read."""
        names = Names(*(tuple(i.words) for i in (self.agents, self.rooms, self.containers, self.objects)))
        homes = tuple(self._homes.get(container, NOWHERE) for container in range(len(names.containers)))
        if NOWHERE in homes and not names.rooms:
            raise NotUnderstood(0, "nobody is ever in a room, so nobody can know anything")
        homes = tuple(max(home, 0) for home in homes)
        story = Story(tuple(self._events), homes, len(names.agents), len(names.rooms), len(names.objects), is_open)
        return ParsedStory(story, names, tuple(self._origins))

    def question(self, text: str) -> Question:
        """Parse a question about the story."""
        for kind, template in QUESTIONS.items():
            match = pattern(template).fullmatch(text)
            if not match:
                continue
            words = match.groupdict()
            thing, others = self.objects[words["object"]], words.get("others") or words.get("other")
            people = [words["agent"]] if "agent" in words else []
            people += others.split(" thinks that ") if others else []
            chain = tuple(self.agents[name] for name in people)
            is_kind = kind in KINDS  # the other keys are orders of belief
            return Question(kind if is_kind else "belief", thing, chain)  # type: ignore[arg-type]
        raise NotUnderstood(
            len(self._origins), f"{text!r} is not a question; expected one such as 'Where is the fig really?'"
        )

    def _take(self, kind: str, match: re.Match[str]) -> None:
        if kind in ("enter", "already"):
            agent, room = self.agents[match["agent"]], self.rooms[match["room"]]
            self._places[agent] = room
            self._events.append(Enter(agent, room, is_already=kind == "already"))
        elif kind == "exit":
            agent, room = self.agents[match["agent"]], self.rooms[match["room"]]
            if self._places.pop(agent, NOWHERE) != room:
                raise _Misplaced(f"but {match['agent']} is not in the {match['room']}")
            self._events.append(Exit(agent, room))
        elif kind == "announce":
            thing, container = self._about(match)
            # Until a move or a list of the furniture says better, a thing lies where somebody last came in.
            entered = [event.room for event in self._events if isinstance(event, Enter)]
            if entered:
                self._homes.setdefault(container, entered[-1])
            self._holds[thing] = container
            self._events.append(Announce(thing, container))
        elif kind == "move":
            self._move(match)
        elif kind in ("peek", "distracted"):
            self._amend(kind, self.agents[match["agent"]])
        elif kind in ("whisper", "aloud"):
            thing, container = self._about(match)
            pair = self.agents[match["agent"]], self.agents[match["listener"]]
            self._events.append(Tell(*pair, thing, container, is_aloud=kind == "aloud"))
        elif kind == "furnish":
            self._furnish(match)
        else:
            self._events.append(Remark(self.agents[match["agent"]], match["verb"], match["thing"]))

    def _about(self, match: re.Match[str]) -> tuple[int, int]:
        return self.objects[match["object"]], self.containers[match["container"]]

    def _move(self, match: re.Match[str]) -> None:
        agent = self.agents[match["agent"]]
        thing, container = self._about(match)
        if thing not in self._holds:
            raise _Misplaced(f"before the story says where the {match['object']} is")
        origin = match.groupdict().get("origin")
        if origin is not None and self.containers[origin] != self._holds[thing]:
            raise _Misplaced(f"but the {match['object']} is not in the {origin}")
        room = self._places.get(agent, NOWHERE)
        if room == NOWHERE:
            raise _Misplaced(f"but {match['agent']} is in no room")
        # The original never says in which room its containers stand (defect D9): where they are used.
        self._homes[self._holds[thing]] = self._homes[container] = room
        self._holds[thing] = container
        self._events.append(Move(agent, thing, container))

    def _amend(self, kind: str, agent: int) -> None:
        move = self._events[-1] if self._events else None
        if not isinstance(move, Move):
            raise _Misplaced("but the sentence before it is not about a move")
        if kind == "peek":
            self._events[-1] = replace(move, peekers=move.peekers | 1 << agent)
        else:
            self._events[-1] = replace(move, distracted=move.distracted | 1 << agent)

    def _furnish(self, match: re.Match[str]) -> None:
        words = match.groupdict()
        listed = words.get("containers")
        containers = re.split(", the | and the ", listed) if listed else [match["container"]]
        room = self.rooms[match["room"]]
        for word in containers:
            self._homes[self.containers[word]] = room
        self._events.append(Furnish(room, tuple(self.containers[word] for word in containers)))


class _Misplaced(Exception):
    pass


def parse_story(sentences: Sequence[str], *, is_open: bool = True) -> ParsedStory:
    """A whole story."""
    return Parser(sentences).parsed(is_open=is_open)
