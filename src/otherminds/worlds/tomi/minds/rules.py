"""Minds by rule: shortcuts without theory of mind, the paper's Algorithm 1, and a tracker that is never wrong.

They read nothing but the text (spec 9 and 13).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial

from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, Reply
from otherminds.core.world import Ask
from otherminds.minds.baselines import DecoupledMind
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.observe import NOBODY, Text, probe_of
from otherminds.worlds.tomi.parse import ParsedStory, Parser, parse_story
from otherminds.worlds.tomi.rules import History, answer, simulate
from otherminds.worlds.tomi.types import Announce, Chain, Exit, Move, Question, Remark


class ObjectStory:
    """A story as rules read it for one object: what is where, and who leaves when, by the number of the event.

    With ``takes_noise``, a remark about the object counts as naming a place, which is then the word for the object.
    """

    def __init__(self, parsed: ParsedStory, thing: int, takes_noise: bool) -> None:
        self.story, self.object, self.takes_noise = parsed.story, thing, takes_noise
        word, containers = parsed.names.objects[thing], parsed.names.containers
        self.names = replace(parsed.names, containers=(*containers, word)) if takes_noise else parsed.names
        self.places: list[tuple[int, int]] = []  # when the object is said to be in a container, and in which
        self.exits: list[tuple[int, int]] = []  # when somebody leaves, and who
        self.announced = -1  # when the story last says where the object is, without its being moved
        for at, event in enumerate(parsed.story.events):
            if isinstance(event, Announce | Move) and event.object == thing:
                self.places.append((at, event.container))
                self.announced = at if isinstance(event, Announce) else self.announced
            elif takes_noise and isinstance(event, Remark) and event.thing == word:
                self.places.append((at, len(containers)))
            elif isinstance(event, Exit):
                self.exits.append((at, event.agent))

    @cached_property
    def history(self) -> History:
        """State and beliefs at the end of the story."""
        history = simulate(self.story)
        if self.takes_noise:
            history.trail[self.object] = [box for _, box in self.places]
            history.contents[self.object] = self.places[-1][1]
        return history

    def place_before(self, at: int) -> int | None:
        """The last container that the story names for the object before an event."""
        return next((place for when, place in reversed(self.places) if when < at), None)

    def numbers(self, people: Sequence[str]) -> Chain:
        """People by number; those whom the story does not mention come after all others."""
        agents = self.names.agents
        return tuple(agents.index(name) if name in agents else len(agents) for name in people)


@lru_cache(maxsize=64)  # the questions of a story come one after another
def object_story(story: tuple[str, ...], thing: str, is_open: bool, takes_noise: bool = False) -> ObjectStory:
    """A story as it tells of one object."""
    parsed = parse_story(story, is_open=is_open)
    if thing in parsed.names.objects:
        told = ObjectStory(parsed, parsed.names.objects.index(thing), takes_noise)
        if told.announced >= 0:
            return told
    raise UserError(f"a question asks about the {thing}, but the story never says where it is: {story[0]!r} …")


class RuleMind(BaseMind, ABC):
    """A rule about beliefs. What is asked about the world is read off the story."""

    takes_noise = False  # whether remarks count as evidence of where the object is

    def reply(self, ask: Ask) -> Reply:
        text: Text = ask.view.data
        about = text.about if ask.probe is None else ask.probe.about
        if not about:
            Parser().question(text.question)  # says what is expected
        told = object_story(text.story, about, text.is_open, self.takes_noise)
        if ask.probe is None:
            return Reply(self._note(told, text))
        question = Question(ask.probe.kind, told.object, told.numbers(ask.probe.chain))  # type: ignore[arg-type]
        return Reply(answer(question, told.history, told.names, partial(self.believed, told)) or "")

    @abstractmethod
    def believed(self, told: ObjectStory, chain: Chain) -> int | None:
        """The container in which a chain expects the object, by this rule."""

    def _note(self, told: ObjectStory, text: Text) -> str:
        """The first on an errand who is said to be wrong."""
        real = told.places[-1][1]
        wrong = (errand[0] for errand in text.errands if self.believed(told, told.numbers(errand)) != real)
        return next(wrong, NOBODY)


class AlwaysReality(RuleMind):
    """Nobody is ever wrong: every belief is where the object is."""

    name = "always-reality"
    place = -1  # which of the containers that the story names

    def believed(self, told: ObjectStory, chain: Chain) -> int:
        return told.places[max(self.place, -len(told.places))][1]


class AlwaysFirst(AlwaysReality):
    """Nobody ever learns anything: every belief is where the object was first."""

    name = "always-first"
    place = 0


class AlwaysBefore(AlwaysReality):
    """Everybody is one move behind."""

    name = "always-before"
    place = -2


class ExitRule(RuleMind):
    """A person who has left a room learns no more: rooms and returns do not count.

    Several people named share what the first of them to leave knew. In the original's stories this is: the first
    container if one of them left before the move, else the last (spec 13).
    """

    name = "exit"

    def believed(self, told: ObjectStory, chain: Chain) -> int | None:
        start = told.places[0][0]
        left = next((at for at, agent in told.exits if at > start and agent in chain), len(told.story.events))
        return told.place_before(left)  # there is one: the story says where the object is before the start


class Algorithm1(RuleMind):
    """The paper's rules, which do not distinguish agents, with the first exit after the announcement (spec 9).

    A belief of the first order is where the object is last named before the last exit, a deeper one before the first.
    """

    name = "algorithm-1"
    takes_any_exit = False  # for the first, and not only those after the announcement
    fallback = -1  # which container stands if none is named before the exit

    def believed(self, told: ObjectStory, chain: Chain) -> int:
        left = [at for at, _ in told.exits if at > told.announced]
        if not left:
            return told.places[-1][1]
        first = told.exits[0][0] if self.takes_any_exit else left[0]
        place = told.place_before(left[-1] if len(chain) == 1 else first)
        return told.places[self.fallback][1] if place is None else place


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


class Tracker(RuleMind):
    """Follows who sees what.

    Args:
        order: number of minds of a chain that it distinguishes, the last ones; all by default, which is always right.
    """

    name = "tracker"

    def __init__(self, order: int | None = None) -> None:
        if order is not None and order < 0:
            raise UserError(f"order is {order}; expected at least 0")
        self.order = order

    def believed(self, told: ObjectStory, chain: Chain) -> int | None:
        kept = chain if self.order is None else chain[max(len(chain) - self.order, 0) :]
        return told.history.beliefs.belief(kept, told.object) if kept else told.places[-1][1]


class QuestionOnly(BaseMind):
    """The place among the choices that was most often right for such a question; the first before training."""

    name = "question-only"

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, int, int]] = Counter()  # kind, length of the chain, place of the right answer

    def fit(self, items: Sequence[LabelledQuestion]) -> QuestionOnly:
        """Count where right answers stand among the choices."""
        made = QuestionOnly()
        for item in items:
            if item.answer in item.choices:
                probe = probe_of(item.question)
                made._counts[probe.kind, probe.order, item.choices.index(item.answer)] += 1
        return made

    def reply(self, ask: Ask) -> Reply:
        """A choice; empty where there are none."""
        kind = ("note", 0) if ask.probe is None else (ask.probe.kind, ask.probe.order)
        choices = enumerate(ask.view.data.choices)
        best = max(choices, key=lambda choice: (self._counts[*kind, choice[0]], -choice[0]), default=(0, ""))
        return Reply(best[1])


def decoupled() -> DecoupledMind:
    """Says what the tracker says, and leaves notes as if everybody knew where things are."""
    return DecoupledMind(acts=AlwaysReality(), says=Tracker())
