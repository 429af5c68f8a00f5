"""Right answers: looked up in the belief ledger, never typed."""

from __future__ import annotations

from itertools import permutations

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.rules import History
from otherminds.worlds.tomi.types import Move, Names, Question, Story, members


def container(question: Question, history: History) -> int | None:
    """The container that a question asks for; ``None`` where nobody could say."""
    thing = question.object
    if question.kind == "belief":
        return history.beliefs.belief(question.chain, thing)
    trail = history.trail[thing]
    if question.kind == "memory":
        return trail[0] if trail else None
    if question.kind == "before":
        return trail[-2] if len(trail) > 1 else None
    if question.kind == "reality":
        return trail[-1] if trail else None
    raise UserError(f"a question of kind {question.kind!r} asks for no container; use answer()")


def answer(question: Question, history: History, names: Names) -> str | None:
    """The right answer in words; ``None`` where there is none, so that the question must not be asked."""
    thing = question.object
    if question.kind == "knows":
        believed = history.beliefs.belief(question.chain[:1], thing)
        return None if believed is None else ("yes" if believed == history.contents[thing] else "no")
    if question.kind == "knowers":
        knowers = [
            a for a in range(len(names.agents)) if history.beliefs.belief((a,), thing) == history.contents[thing]
        ]
        return ", ".join(names.agents[agent] for agent in knowers) or "nobody"
    if question.kind == "present":
        return ", ".join(names.agents[agent] for agent in members(history.audience[thing])) or "nobody"
    found = container(question, history)
    return None if found is None else names.containers[found]


def is_false(chain: tuple[int, ...], thing: int, history: History) -> bool:
    """Whether a chain's first member misjudges the rest: B(x1…xk) differs from B(x2…xk), or from the truth (spec 3)."""
    inner = history.beliefs.belief(chain[1:], thing) if len(chain) > 1 else history.contents[thing]
    return history.beliefs.belief(chain, thing) != inner


def story_order(agents: tuple[int, ...], thing: int, history: History, deepest: int) -> int:
    """The smallest depth at which one of the agents is wrong; 0 if none is down to the deepest."""
    for depth in range(1, deepest + 1):
        for chain in permutations(agents, depth):
            believed = history.beliefs.belief(chain, thing)
            if believed is not None and is_false(chain, thing, history):
                return depth
    return 0


def candidates(story: Story, thing: int, history: History) -> list[int]:
    """The containers that could be the answer: those of the rooms in which the object has been."""
    rooms = {story.homes[box] for box in history.trail[thing]}
    return [box for box, room in enumerate(story.homes) if room in rooms]


def num_moves(story: Story) -> int:
    """How often anything is moved."""
    return sum(isinstance(event, Move) for event in story.events)
