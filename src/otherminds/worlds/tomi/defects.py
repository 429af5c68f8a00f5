"""What is wrong with a file of ToMi's kind, and why: the defects of spec 12, told from what a story comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.files import Block
from otherminds.worlds.tomi.items import Item
from otherminds.worlds.tomi.original_rules import question_class, trace, type_by_belief
from otherminds.worlds.tomi.rules import History
from otherminds.worlds.tomi.types import Enter, Move, Names, Question, Story

CAUSES = {
    "D1": "a second-order false belief taken for none: one finds the object moved, unseen by the other, who has left",
    "D2": "a third agent's entry changed what the two others think of each other",
    "D3": "the evidence leaves the question open",
    "D4": "a container seems to stand in a second room as well",
    "D5": "the story type is not that of the beliefs in it",
    "D6": "the trace is not in the order of the story",
    "D7": "the trace numbers agents by who came in first, not by role",
    "other": "a wrong label that no known defect explains",
}


@dataclass(frozen=True)
class TraceLine:
    """A line of a trace; empty where a file has none."""

    tokens: tuple[str, ...] = ()
    kind: str = ""  # the class of the question
    type: str = ""  # of the story

    @property
    def role(self) -> int | None:
        """The number of the agent asked about, where it names one."""
        parts = self.kind.split("_")
        return int(parts[2]) if len(parts) > 2 and parts[2].isdecimal() else None


def read_trace_line(line: str, asked: Question) -> TraceLine:
    """Understand a line of a trace; an empty one says nothing."""
    if not line:
        return TraceLine()
    *tokens, kind, type_ = ("", "", *line.split(","))
    expected = question_class(asked, 0, is_tom=False)
    # Whatever the number of the agent and the label, which are what may be wrong.
    if kind.split("_")[:2] != expected.split("_")[:2]:
        raise UserError(f"found a question of class {kind!r}, expected one such as {expected!r} before the story type")
    return TraceLine(tuple(token for token in tokens if token), kind, type_)


class Frame:
    """A story's roles, and what follows from them for traces and causes."""

    def __init__(self, story: Story, names: Names, history: History, asked: Sequence[Question]) -> None:
        self._story, self._history, self._containers = story, history, names.containers
        thing = asked[0].object
        movers = [event.agent for event in story.events if isinstance(event, Move) and event.object == thing]
        queried = [agent for question in asked for agent in question.chain]
        # The mover is role 0 and the other whose beliefs are asked for role 1 (spec 4).
        self._roles = tuple(dict.fromkeys([*movers[:1], *queried, *range(story.num_agents)]))
        self._main = story.homes[history.trail[thing][0]]
        self._tokens = tuple(trace(story, self._roles, self._main))

    def trace_line(self, question: Question, item: Item) -> str:
        """The right line of a trace: in true order, agents by role, the type by beliefs."""
        role = self._roles.index(question.chain[0]) if question.chain else 0
        kind = question_class(question, role, item.false_vs_reality)
        return ",".join([*self._tokens, kind, type_by_belief(item.story_order)])

    def causes(self, block: Block, item: Item, line: TraceLine) -> tuple[str, ...]:
        """Every defect that shows in a question or in its line of the trace."""
        found = []
        if block.answer != item.answer:
            found.append(self._cause(block.asked, block.answer))
        if item.ambiguous:
            found.append("D3")
        if line.type and line.type != type_by_belief(item.story_order):
            found.append("D5")
        # A trace of other words than the original's says nothing about order.
        if line.tokens != self._tokens and sorted(line.tokens) == sorted(self._tokens):
            found.append("D6")
        if line.role is not None and line.role != self._roles.index(block.asked.chain[0]):
            found.append("D7")
        return tuple(found)

    def _cause(self, question: Question, label: str) -> str:
        """Why a label is wrong, as far as the known defects explain it: all of them put reality for a belief."""
        thing, chain = question.object, question.chain
        truth, believed = self._history.contents[thing], self._history.beliefs.belief
        if question.order not in (1, 2) or label != self._containers[truth]:
            return "other"
        if question.order == 2 and all(believed((agent,), thing) == truth for agent in chain):
            return "D1"
        entries = [event for event in self._story.events if isinstance(event, Enter)]
        if question.order == 2 and any(e.agent not in chain and e.room == self._main for e in entries):
            return "D2"
        # Whoever is asked about went where the container seems to be as well, or a third agent did.
        went = any((e.agent in chain) == (question.order == 1) and e.room != self._main for e in entries)
        return "D4" if went else "other"
