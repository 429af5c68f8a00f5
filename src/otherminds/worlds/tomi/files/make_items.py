"""Makes the items of a story from its events and questions, with all fields computed in one place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.rules import History, chains, is_false, perceived, simulate, story_order
from otherminds.worlds.tomi.stories.ambiguity import is_ambiguous, open_pairs
from otherminds.worlds.tomi.text import ask, fields_of
from otherminds.worlds.tomi.types import Move, Names, Question, Story, members

_DEEPEST = 2  # order down to which a story is judged if no question goes deeper


class Source(NamedTuple):
    """Where items come from."""

    split: str
    preset: str
    seed: int
    version: str


class Asked(NamedTuple):
    """A question with the answer that counts as right."""

    question: Question
    answer: str


def story_items(
    story: Story,
    names: Names,
    statements: Sequence[str],
    asked: Sequence[Asked],
    source: Source,
    original_type: str = "",
    people: Sequence[int] = (),
    *,
    family_id: str = "",
    variant: str = "base",
    plurals: Collection[str] = (),
    is_full: bool = False,
) -> list[LabelledQuestion]:
    """An item for each question about a story.

    Its true type is about ``people``, by default those named in the questions. ``plurals`` are objects whose questions
    have plural verbs, as the original's never do; ``is_full`` describes all events and beliefs for other programs.
    """
    history, doubts = simulate(story), open_pairs(story)
    story_id = blake2b("\n".join(statements).encode(), digest_size=8).hexdigest()
    named = tuple(dict.fromkeys(agent for pair in asked for agent in pair.question.chain))
    judged = tuple(dict.fromkeys(people)) or named or tuple(range(story.num_agents))
    deepest = max([_DEEPEST, *(pair.question.order for pair in asked)])
    things = {pair.question.object for pair in asked}
    orders = {thing: story_order(judged, thing, history, deepest) for thing in things}
    roles = ("agent", "listener")
    num_agents = len({getattr(event, role) for event in story.events for role in roles if hasattr(event, role)})
    num_moves = sum(isinstance(event, Move) for event in story.events)
    sentences, described = tuple(statements), describe_events(story, names) if is_full else ()
    items = []
    for number, (question, answer) in enumerate(asked):
        thing, chain = question.object, question.chain
        truth = history.contents[thing]
        if truth < 0:
            raise UserError(f"a question asks about the {names.objects[thing]}, but the story never says where it is")
        items.append(
            LabelledQuestion(
                id=f"{story_id}-{number}",
                story_id=story_id,
                family_id=family_id or story_id,
                variant=variant,
                **source._asdict(),
                story=sentences,
                question=ask(question, names, plurals),
                answer=answer,
                choices=_choices(question, story, history, names),
                qtype=question.kind,
                order=question.order,
                chain=tuple(names.agents[agent] for agent in chain),
                false_vs_reality=question.order > 0 and answer != names.containers[truth],
                false_attribution=question.order > 0 and is_false(chain, thing, history),
                ambiguous=question.order > 1 and is_ambiguous(doubts, chain, thing),
                story_order=orders[thing],
                original_type=original_type,
                n_agents=num_agents,
                n_moves=num_moves,
                n_statements=len(statements),
                events=described,
                beliefs=_beliefs(history, names, thing, named, question.order) if is_full else None,
                is_open=story.is_open,
            )
        )
    return items


def _choices(question: Question, story: Story, history: History, names: Names) -> tuple[str, ...]:
    """Possible answers in alphabetical order, which gives nothing away; empty if lists of names are asked for."""
    if question.kind == "knows":
        return "no", "yes"
    if question.kind in ("knowers", "present"):
        return ()
    rooms = {story.homes[box] for box in history.trail[question.object]}  # in which the object has been
    return tuple(sorted(names.containers[box] for box, room in enumerate(story.homes) if room in rooms))


def describe_events(story: Story, names: Names) -> tuple[dict[str, Any], ...]:
    """Every event as a flat record; ``real`` perceive it, ``apparent`` are commonly thought to."""
    described = []
    for event, seen, _ in perceived(story):
        kind, words = fields_of(event, names)
        real, apparent = ([names.agents[agent] for agent in members(mask)] for mask in seen)
        described.append({"type": kind, **words, "real": real, "apparent": apparent})
    return tuple(described)


def _beliefs(history: History, names: Names, thing: int, people: tuple[int, ...], order: int) -> dict[str, str]:
    """Belief of every chain of different people up to an order, by names joined with ``>``."""
    beliefs: dict[str, str] = {}
    for depth in range(1, order + 1):
        for chain in chains(people, depth):
            container = history.beliefs.belief(chain, thing)
            if container is not None:
                beliefs[">".join(names.agents[agent] for agent in chain)] = names.containers[container]
    return beliefs
