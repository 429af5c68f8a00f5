"""What a wrong answer would have been right about: the truth, the beginning, or somebody else's mind."""

from __future__ import annotations

from collections.abc import Iterator

from otherminds.worlds.tomi.items import normalise
from otherminds.worlds.tomi.rules import History
from otherminds.worlds.tomi.types import Names, Question

_CONTAINER_KINDS = ("memory", "reality", "before", "belief")


def right_about(given: str, question: Question, history: History, names: Names) -> list[str]:
    """What an answer says truly, other than what was asked, in words such as "where it really is".

    Args:
        given: the answer.
        question: what it should have been an answer to.
        history: of the whole story.
        names: the story's words.
    """
    if question.kind not in _CONTAINER_KINDS:
        return []
    word = normalise(given)
    if word in {normalise(room) for room in names.rooms}:
        return ["the room, not the container"]
    return [what for what, container in _readings(question, history, names) if word == normalise(container)]


def _readings(question: Question, history: History, names: Names) -> Iterator[tuple[str, str]]:
    """What the question might be taken for, with the right answer to that."""
    trail = history.trail[question.object]
    if trail and question.kind != "reality":
        yield "where it really is", names.containers[trail[-1]]
    if trail and question.kind != "memory":
        yield "where it was at the beginning", names.containers[trail[0]]
    if len(trail) > 2 and question.kind != "before":
        yield "where it was before the last move", names.containers[trail[-2]]
    chain = question.chain
    others = [chain[1:], chain[:1], chain[-1:], chain[::-1]] if len(chain) > 1 else []
    for other in dict.fromkeys(others):
        container = history.beliefs.belief(other, question.object)
        if container is not None and other != chain:
            people = " thinks ".join(names.agents[agent] for agent in other)
            yield f"what {people} thinks", names.containers[container]
