"""Minds by rule: shortcuts without theory of mind, the paper's Algorithm 1, and a tracker that is never wrong.

They read nothing but the text (spec 9 and 13).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache

from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, Reply
from otherminds.core.world import Ask
from otherminds.minds.baselines import DecoupledMind
from otherminds.worlds.tomi.files.items import Item
from otherminds.worlds.tomi.observe import NOBODY, Text, probe_of
from otherminds.worlds.tomi.parse import ParsedStory, Parser, parse_story
from otherminds.worlds.tomi.rules import History, answer, simulate
from otherminds.worlds.tomi.types import Announce, Chain, Enter, Exit, Move, Names, Question, Remark, Story


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
        """State and beliefs at the end of the story."""
        return simulate(self.story)

    @cached_property
    def places(self) -> list[tuple[int, str]]:
        """When the object is said to be in a container, and in which."""
        word, places = self.names.objects[self.object], []
        for at, event in enumerate(self.story.events):
            if isinstance(event, Announce | Move) and event.object == self.object:
                places.append((at, self.names.containers[event.container]))
            elif self.takes_noise and isinstance(event, Remark) and event.thing == word:
                places.append((at, word))
        return places

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
        """The last container that the story names for the object before an event."""
        return next((place for when, place in reversed(self.places) if when < at), None)

    def numbers(self, people: Sequence[str]) -> Chain:
        """People by number; those whom the story does not mention come after all others."""
        agents = self.names.agents
        return tuple(agents.index(name) if name in agents else len(agents) for name in people)


@lru_cache(maxsize=64)  # the questions of a story come one after another
def _parsed(story: tuple[str, ...], is_open: bool) -> ParsedStory:
    return parse_story(story, is_open=is_open)


@lru_cache(maxsize=64)
def page_of(story: tuple[str, ...], thing: str, is_open: bool, takes_noise: bool = False) -> Page:
    """A story as it tells of one object."""
    parsed = _parsed(story, is_open)
    if thing in parsed.names.objects:
        page = Page(parsed.story, parsed.names, parsed.names.objects.index(thing), takes_noise)
        if page.announced >= 0:
            return page
    raise UserError(f"the story never says where the {thing} is, which is asked about: {story[0]!r} …")


def object_of(text: Text, ask: Ask) -> str:
    """The object that an ask is about."""
    about = text.about if ask.probe is None else ask.probe.about
    if not about:
        Parser().question(text.question)  # says what is expected
    return about


class Rule(TextMind):
    """A rule about beliefs. What is asked about the world is read off the story."""

    takes_noise = False  # for evidence of where the object is

    def answer(self, ask: Ask) -> str:
        text: Text = ask.view.data
        page = page_of(text.story, object_of(text, ask), text.is_open, self.takes_noise)
        if ask.probe is None:
            return self._note(page, text)
        return self._answer(page, ask.probe.kind, page.numbers(ask.probe.chain))

    @abstractmethod
    def believed(self, page: Page, chain: Chain) -> str:
        """The container in which a chain expects the object, by this rule."""

    def _note(self, page: Page, text: Text) -> str:
        """The first on an errand who is said to be wrong."""
        real = page.places[-1][1]
        wrong = (errand[0] for errand in text.errands if self.believed(page, page.numbers(errand)) != real)
        return next(wrong, NOBODY)

    def _answer(self, page: Page, kind: str, chain: Chain) -> str:
        places = [place for _, place in page.places]
        everyone = range(len(page.names.agents))
        match kind:
            case "memory":
                return places[0]
            case "reality":
                return places[-1]
            case "before":
                return places[-2 if len(places) > 1 else -1]
            case "belief":
                return self.believed(page, chain)
            case "knows":
                return "yes" if self.believed(page, chain) == places[-1] else "no"
            case "knowers":
                named = [agent for agent in everyone if self.believed(page, (agent,)) == places[-1]]
            case "present":
                came = page.story.events[: page.places[0][0]]
                named = sorted({event.agent for event in came if isinstance(event, Enter)})
            case _:
                raise UserError(f"there is no kind of question {kind!r}")
        return ", ".join(page.names.agents[agent] for agent in named) or NOBODY


class AlwaysReality(Rule):
    """Nobody is ever wrong: every belief is where the object is."""

    name = "always-reality"

    def believed(self, page: Page, chain: Chain) -> str:
        return page.places[-1][1]


class AlwaysFirst(Rule):
    """Nobody ever learns anything: every belief is where the object was first."""

    name = "always-first"

    def believed(self, page: Page, chain: Chain) -> str:
        return page.places[0][1]


class AlwaysBefore(Rule):
    """Everybody is one move behind."""

    name = "always-before"

    def believed(self, page: Page, chain: Chain) -> str:
        return page.places[-2 if len(page.places) > 1 else -1][1]


class ExitRule(Rule):
    """A person who has left a room learns no more: rooms and returns do not count.

    Several people named share what the first of them to leave knew. In the original's stories this is: the first
    container if one of them left before the move, else the last (spec 13).
    """

    name = "exit"

    def believed(self, page: Page, chain: Chain) -> str:
        start = page.places[0][0]
        left = next((at for at, agent in page.exits if at > start and agent in chain), len(page.story.events))
        return page.place_before(left) or page.places[-1][1]


class Algorithm1(Rule):
    """The paper's rules, which do not distinguish agents, with the first exit after the announcement (spec 9).

    A belief of the first order is where the object is last named before the last exit, a deeper one before the first.
    """

    name = "algorithm-1"
    takes_any_exit = False  # for the first, and not only those after the announcement
    fallback = -1  # which container stands if none is named before the exit

    def believed(self, page: Page, chain: Chain) -> str:
        left = [at for at, _ in page.exits if at > page.announced]
        if not left:
            return page.places[-1][1]
        first = page.exits[0][0] if self.takes_any_exit else left[0]
        return page.place_before(left[-1] if len(chain) == 1 else first) or page.places[self.fallback][1]


class Algorithm1First(Algorithm1):
    """The same with the first exit anywhere; if nothing is said before it, the first container."""

    name = "algorithm-1-first"
    takes_any_exit = True
    fallback = 0


class Algorithm1Last(Algorithm1):
    """The same, but the last container if nothing is said before the exit, and noise that names the object counts."""

    name = "algorithm-1-last"
    takes_any_exit = True
    takes_noise = True


class Tracker(Rule):
    """Follows who sees what.

    Args:
        order: how many minds of a chain it keeps apart, the last ones; all by default, which is always right.
    """

    name = "tracker"

    def __init__(self, order: int | None = None) -> None:
        if order is not None and order < 0:
            raise UserError(f"order is {order}; expected at least 0")
        self.order = order

    def believed(self, page: Page, chain: Chain) -> str:
        kept = chain if self.order is None else chain[max(len(chain) - self.order, 0) :]
        if not kept:
            return page.places[-1][1]
        box = page.history.beliefs.belief(kept, page.object)
        return "" if box is None else page.names.containers[box]

    def _answer(self, page: Page, kind: str, chain: Chain) -> str:
        if kind == "belief" or (self.order == 0 and kind in ("knows", "knowers")):
            return super()._answer(page, kind, chain)
        return answer(Question(kind, page.object, chain), page.history, page.names) or ""  # type: ignore[arg-type]


class QuestionOnly(TextMind):
    """The place among the choices that was most often right for such a question; the first before training."""

    name = "question-only"

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, int, int]] = Counter()  # kind, length of the chain, place of the right answer

    def fit(self, items: Sequence[Item]) -> QuestionOnly:
        """Count where right answers stand among the choices."""
        made = QuestionOnly()
        for item in items:
            if item.answer in item.choices:
                probe = probe_of(item.question)
                made._counts[probe.kind, probe.order, item.choices.index(item.answer)] += 1
        return made

    def answer(self, ask: Ask) -> str:
        """A choice; empty where there are none."""
        kind = ("note", 0) if ask.probe is None else (ask.probe.kind, ask.probe.order)
        choices = enumerate(ask.view.data.choices)
        return max(choices, key=lambda choice: (self._counts[*kind, choice[0]], -choice[0]), default=(0, ""))[1]


def decoupled() -> DecoupledMind:
    """Says what the tracker says, and leaves notes as if everybody knew where things are."""
    return DecoupledMind(acts=AlwaysReality(), says=Tracker())
