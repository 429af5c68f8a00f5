"""Items made of a story and its questions: whatever is known about each of them, computed in one place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from otherminds.core.errors import UserError
from otherminds.worlds.tomi import answers, describe
from otherminds.worlds.tomi.ambiguity import is_ambiguous, open_pairs
from otherminds.worlds.tomi.items import Item
from otherminds.worlds.tomi.rules import History, simulate
from otherminds.worlds.tomi.text import ask
from otherminds.worlds.tomi.types import Announce, Event, Move, Names, Question, Story

_DEEPEST = 2  # orders that a story's true type looks at, if no question goes deeper


@dataclass(frozen=True)
class Source:
    """Where items come from."""

    split: str
    preset: str
    seed: int
    version: str


@dataclass(frozen=True)
class Asked:
    """A question with the answer that counts as right."""

    question: Question
    answer: str


def content_id(statements: Sequence[str]) -> str:
    """A name for a story that depends on its words alone."""
    return blake2b("\n".join(statements).encode(), digest_size=8).hexdigest()


def story_items(
    story: Story,
    names: Names,
    statements: Sequence[str],
    asked: Sequence[Asked],
    source: Source,
    original_type: str,
    people: Sequence[int] = (),
    *,
    family_id: str = "",
    variant: str = "base",
    plurals: Collection[str] = (),
    is_full: bool = False,
) -> list[Item]:
    """An item for each question about a story.

    Args:
        story: what happens.
        names: the words for it.
        statements: the story as it is told.
        asked: all questions about it.
        source: where it comes from.
        original_type: what the original would call it.
        people: those whom its true type is about; by default those named in the questions.
        family_id: of the twins it belongs to; by default it stands alone.
        variant: which of them it is.
        plurals: objects that are several, with which questions agree; the original's never do.
        is_full: also describe all events and beliefs, for other programs.

    Raises:
        UserError: if the story cannot happen, or never says where a thing is that is asked about.
    """
    story = without_repeats(story)
    history, doubts = simulate(story), open_pairs(story)
    story_id, orders = content_id(statements), story_orders(story, history, [one.question for one in asked], people)
    num_agents = len({agent for event in story.events for agent in _people(event)})
    told, num_moves = tuple(statements), answers.num_moves(story)
    described = describe.events(story, names) if is_full else ()
    items = []
    for number, one in enumerate(asked):
        question, thing = one.question, one.question.object
        truth = history.contents[thing]
        if truth < 0:
            raise UserError(f"the story never says where the {names.objects[thing]} is, which a question is about")
        items.append(
            Item(
                id=f"{story_id}-{number}",
                story_id=story_id,
                family_id=family_id or story_id,
                variant=variant,
                split=source.split,
                preset=source.preset,
                seed=source.seed,
                version=source.version,
                story=told,
                question=ask(question, names, plurals),
                answer=one.answer,
                choices=choices(question, story, history, names),
                qtype=question.kind,
                order=question.order,
                chain=tuple(names.agents[agent] for agent in question.chain),
                false_vs_reality=question.order > 0 and one.answer != names.containers[truth],
                false_attribution=question.order > 0 and answers.is_false(question.chain, thing, history),
                ambiguous=question.order > 1 and is_ambiguous(doubts, question.chain, thing),
                story_order=orders[thing],
                original_type=original_type,
                n_agents=num_agents,
                n_moves=num_moves,
                n_statements=len(statements),
                events=described,
                beliefs=describe.beliefs(history, names, thing, _asked_about(asked), one.question.order)
                if is_full
                else None,
                is_open=story.is_open,
            )
        )
    return items


def _asked_about(asked: Sequence[Asked]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(agent for one in asked for agent in one.question.chain))


def choices(question: Question, story: Story, history: History, names: Names) -> tuple[str, ...]:
    """What may be answered, in alphabetical order, which tells nothing; empty where any list of names may be."""
    if question.kind == "knows":
        return "no", "yes"
    if question.kind in ("knowers", "present"):
        return ()
    return tuple(sorted(names.containers[box] for box in answers.candidates(story, question.object, history)))


def story_orders(
    story: Story, history: History, asked: Sequence[Question], people: Sequence[int] = ()
) -> dict[int, int]:
    """The true type of a story for each object asked about: the least depth at which one of the people is wrong.

    By default the people are those named in the questions, and all if none is.
    """
    named = tuple(dict.fromkeys(people or (agent for question in asked for agent in question.chain)))
    among = named or tuple(range(story.num_agents))
    deepest = max([_DEEPEST, *(question.order for question in asked)])
    return {
        thing: answers.story_order(among, thing, history, deepest) for thing in {question.object for question in asked}
    }


def without_repeats(story: Story) -> Story:
    """The story without announcements of what everybody there can see already.

    ToM-bAbI says anew in each chapter where an object is (spec 8). Containers are open, so this tells nobody anything.
    """
    holds: dict[int, int] = {}
    kept: list[Event] = []
    for event in story.events:
        if isinstance(event, Announce | Move):
            if isinstance(event, Announce) and story.is_open and holds.get(event.object) == event.container:
                continue
            holds[event.object] = event.container
        kept.append(event)
    return story if len(kept) == len(story.events) else replace(story, events=tuple(kept))


def _people(event: Event) -> tuple[int, ...]:
    return tuple(getattr(event, role) for role in ("agent", "speaker", "listener") if hasattr(event, role))
