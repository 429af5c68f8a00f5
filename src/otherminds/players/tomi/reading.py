"""What minds of ToMi share: a story understood once for all its questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, lru_cache

from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, Reply
from otherminds.core.world import Ask
from otherminds.worlds.tomi.observe import Text
from otherminds.worlds.tomi.parse import Parser, Told, parse_story
from otherminds.worlds.tomi.rules import History, simulate
from otherminds.worlds.tomi.types import Announce, Chain, Exit, Move, Names, Remark, Story


class TextMind(BaseMind, ABC):
    """Answers by the text alone, so that it may sit at any number of tables."""

    def reply(self, ask: Ask) -> Reply:
        return Reply(self.answer(ask))

    @abstractmethod
    def answer(self, ask: Ask) -> str:
        """An answer in words."""


class Page:
    """A story as rules read it for one object: what is where, and who leaves when, by the number of the event.

    With ``takes_noise``, a remark about the object counts as naming a place, which is then the word for the object.
    """

    def __init__(self, story: Story, names: Names, thing: int, takes_noise: bool = False) -> None:
        self.story, self.names, self.object, self.takes_noise = story, names, thing, takes_noise

    @cached_property
    def history(self) -> History:
        """What the story came to."""
        return simulate(self.story)

    @cached_property
    def places(self) -> list[tuple[int, str]]:
        """When the object is said to be in a container, and in which."""
        word, found = self.names.objects[self.object], []
        for at, event in enumerate(self.story.events):
            if isinstance(event, Announce | Move) and event.object == self.object:
                found.append((at, self.names.containers[event.container]))
            elif self.takes_noise and isinstance(event, Remark) and event.thing == word:
                found.append((at, word))
        return found

    @cached_property
    def announced(self) -> int:
        """When the story last says where the object is, without its being moved; -1 if never."""
        events = enumerate(self.story.events)
        return max((at for at, e in events if isinstance(e, Announce) and e.object == self.object), default=-1)

    @cached_property
    def exits(self) -> list[tuple[int, int]]:
        """When somebody leaves, and who."""
        return [(at, event.agent) for at, event in enumerate(self.story.events) if isinstance(event, Exit)]

    def place_before(self, at: int) -> str | None:
        """Where the object is last said to be before an event."""
        return next((place for when, place in reversed(self.places) if when < at), None)

    def numbers(self, people: Sequence[str]) -> Chain:
        """People by number; those whom the story does not mention come after all others."""
        agents = self.names.agents
        return tuple(agents.index(name) if name in agents else len(agents) for name in people)


@lru_cache(maxsize=64)  # the questions of a story come one after another
def _told(story: tuple[str, ...], is_open: bool) -> Told:
    return parse_story(story, is_open=is_open)


@lru_cache(maxsize=64)
def page_of(story: tuple[str, ...], thing: str, is_open: bool, takes_noise: bool = False) -> Page:
    """A story as it tells of one object."""
    told = _told(story, is_open)
    if thing in told.names.objects:
        page = Page(told.story, told.names, told.names.objects.index(thing), takes_noise)
        if page.announced >= 0:
            return page
    raise UserError(f"the story never says where the {thing} is, which is asked about: {story[0]!r} …")


def object_of(text: Text, ask: Ask) -> str:
    """What an ask is about."""
    about = text.about if ask.probe is None else ask.probe.about
    if not about:
        Parser().question(text.question)  # says what is expected
    return about
