"""Answerers by rule: shortcuts without theory of mind, the paper's Algorithm 1, and a tracker that is never wrong.

They read the text and nothing beside it (spec 9 and 13).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from otherminds.core.errors import UserError
from otherminds.core.seeds import child_seed
from otherminds.worlds.tomi.answers import answer
from otherminds.worlds.tomi.itemise import without_repeats
from otherminds.worlds.tomi.items import Item
from otherminds.worlds.tomi.parse import Parser
from otherminds.worlds.tomi.rules import simulate
from otherminds.worlds.tomi.types import Announce, Enter, Exit, Move, Names, Question, Remark, Story

Chain = tuple[int, ...]


class Page:
    """A story and a question as rules read them: what is where, and who leaves when, by the number of the event."""

    def __init__(self, story: Story, names: Names, question: Question) -> None:
        self.story, self.names, self.question = story, names, question

    @cached_property
    def places(self) -> list[tuple[int, str]]:
        """When the object is said to be in a container, and in which."""
        return [
            (at, self.names.containers[event.container])
            for at, event in enumerate(self.story.events)
            if isinstance(event, Announce | Move) and event.object == self.question.object
        ]

    @cached_property
    def announced(self) -> int:
        """When the story last says where the object is, without its being moved."""
        return max(
            at
            for at, event in enumerate(self.story.events)
            if isinstance(event, Announce) and event.object == self.question.object
        )

    @cached_property
    def exits(self) -> list[tuple[int, int]]:
        """When somebody leaves, and who."""
        return [(at, event.agent) for at, event in enumerate(self.story.events) if isinstance(event, Exit)]

    def place_before(self, at: int) -> str | None:
        """Where the object is last said to be before an event."""
        return next((place for when, place in reversed(self.places) if when < at), None)


def read(item: Item) -> Page:
    """An item's text, understood."""
    parser = _heard(item.story)
    question = parser.question(item.question)
    told = parser.told()
    page = Page(told.story, told.names, question)
    if not page.places:
        raise UserError(f"item {item.id}: the story never says where the {told.names.objects[question.object]} is")
    return page


@lru_cache(maxsize=16)  # the questions of a story come one after another
def _heard(story: tuple[str, ...]) -> Parser:
    parser = Parser()
    for sentence in story:
        parser.read(sentence)
    return parser


class Rule(ABC):
    """A rule about beliefs. What is asked about the world is read off the story."""

    name: str

    def answers(self, items: Sequence[Item]) -> list[str]:
        """An answer to each."""
        return [self._answer(read(item)) for item in items]

    @abstractmethod
    def believed(self, page: Page, chain: Chain) -> str:
        """Where a chain of minds is said to expect the object."""

    def _answer(self, page: Page) -> str:
        question, places = page.question, [place for _, place in page.places]
        everyone = range(len(page.names.agents))
        match question.kind:
            case "memory":
                return places[0]
            case "reality":
                return places[-1]
            case "before":
                return places[-2 if len(places) > 1 else -1]
            case "belief":
                return self.believed(page, question.chain)
            case "knows":
                return "yes" if self.believed(page, question.chain) == places[-1] else "no"
            case "knowers":
                named = [agent for agent in everyone if self.believed(page, (agent,)) == places[-1]]
            case "present":
                came = page.story.events[: page.places[0][0]]
                named = sorted({event.agent for event in came if isinstance(event, Enter)})
        return ", ".join(page.names.agents[agent] for agent in named) or "nobody"


class AlwaysReality(Rule):
    """Nobody is ever wrong: every belief is where the object is."""

    name = "always-reality"

    def believed(self, page: Page, chain: Chain) -> str:
        """The last container."""
        return page.places[-1][1]


class AlwaysFirst(Rule):
    """Nobody ever learns anything: every belief is where the object was first."""

    name = "always-first"

    def believed(self, page: Page, chain: Chain) -> str:
        """The first container."""
        return page.places[0][1]


class AlwaysBefore(Rule):
    """Everybody is one move behind."""

    name = "always-before"

    def believed(self, page: Page, chain: Chain) -> str:
        """The last container but one."""
        return page.places[-2 if len(page.places) > 1 else -1][1]


class ExitRule(Rule):
    """Whoever has left a room learns no more: rooms and returns do not count.

    Several people named share what the first of them to leave knew. In the original's stories this is: the first
    container if one of them left before the move, else the last (spec 13).
    """

    name = "exit"

    def believed(self, page: Page, chain: Chain) -> str:
        """Where the object was when one of the chain first left."""
        start = page.places[0][0]
        left = next((at for at, agent in page.exits if at > start and agent in chain), len(page.story.events))
        return page.place_before(left) or page.places[-1][1]


class Algorithm1(Rule):
    """The paper's rules, which tell no agents apart, with the first exit after the announcement (spec 9)."""

    name = "algorithm-1"

    def believed(self, page: Page, chain: Chain) -> str:
        """Where the object is last named before the last exit (first order) or the first (deeper)."""
        left = [at for at, _ in page.exits if at > page.announced]
        if not left:
            return page.places[-1][1]
        return self._before(page, left[-1] if len(chain) == 1 else self._first_exit(page))

    def _first_exit(self, page: Page) -> int:
        return next(at for at, _ in page.exits if at > page.announced)

    def _before(self, page: Page, at: int) -> str:
        return page.place_before(at) or page.places[-1][1]


class Algorithm1First(Algorithm1):
    """The same with the first exit anywhere; if nothing is said before it, the first container."""

    name = "algorithm-1-first"

    def _first_exit(self, page: Page) -> int:
        return page.exits[0][0]

    def _before(self, page: Page, at: int) -> str:
        return page.place_before(at) or page.places[0][1]


class Algorithm1Last(Algorithm1First):
    """The same, but the last container if nothing is said before the exit, and noise that names the object counts.

    Such a sentence has no container; the word in its place is the object itself.
    """

    name = "algorithm-1-last"

    def _before(self, page: Page, at: int) -> str:
        return page.place_before(at) or page.places[-1][1]

    def _answer(self, page: Page) -> str:
        return super()._answer(_Noisy(page.story, page.names, page.question))


class _Noisy(Page):
    """A page on which a taste for the object says where it is."""

    @cached_property
    def places(self) -> list[tuple[int, str]]:
        word = self.names.objects[self.question.object]
        noise = [
            (at, word)
            for at, event in enumerate(self.story.events)
            if isinstance(event, Remark) and event.thing == word
        ]
        return sorted([*super().places, *noise])


class Tracker:
    """Follows who sees what in the ledger of beliefs, and so is always right."""

    name = "tracker"

    def answers(self, items: Sequence[Item]) -> list[str]:
        """The right answers, by the conventions that the stories keep; empty where a story does not say enough."""
        return [self._answer(read(item), item.is_open) for item in items]

    def _answer(self, page: Page, is_open: bool) -> str:
        story = without_repeats(replace(page.story, is_open=is_open))
        return answer(page.question, simulate(story), page.names) or ""


class RandomCandidate:
    """Any of the choices; the same for the same item."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def answers(self, items: Sequence[Item]) -> list[str]:
        """A choice for each; empty where there are none."""
        return [
            item.choices[child_seed(self.seed, f"tomi/random/{item.id}") % len(item.choices)] if item.choices else ""
            for item in items
        ]


class QuestionOnly:
    """The place among the choices that was most often right for such a question; the first before training."""

    name = "question-only"

    def __init__(self, counts: Counter[tuple[str, int, int]] | None = None) -> None:
        self._counts = counts or Counter()  # kind and order of the question, place of the right answer

    def fit(self, items: Sequence[Item]) -> QuestionOnly:
        """Count where right answers stand among the choices."""
        counts: Counter[tuple[str, int, int]] = Counter()
        for item in items:
            if item.answer in item.choices:
                counts[*self._kind(item), item.choices.index(item.answer)] += 1
        return QuestionOnly(counts)

    def answers(self, items: Sequence[Item]) -> list[str]:
        """A choice for each; empty where there are none."""
        return [self._answer(item) for item in items]

    def _answer(self, item: Item) -> str:
        kind = self._kind(item)
        return max(
            enumerate(item.choices), key=lambda choice: (self._counts[*kind, choice[0]], -choice[0]), default=(0, "")
        )[1]

    @staticmethod
    def _kind(item: Item) -> tuple[str, int]:
        question = Parser().question(item.question)
        return question.kind, question.order
