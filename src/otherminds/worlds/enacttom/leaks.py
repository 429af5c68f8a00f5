"""Finds what the texts of a task must not say: the current world, advice, or remarks on ignorance (spec 3.7)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.observe import opening
from otherminds.worlds.enacttom.text.task_text import private_text, public_text
from otherminds.worlds.enacttom.types import World

# Advice and remarks on ignorance: a text states facts only (spec 1.7).
PHRASES = (
    *("you should", "you must", "you need to", "make sure", "be sure to", "remember to", "your task is to"),
    *("you do not know", "you don't know", "does not know", "doesn't know", "nobody knows", "unknown to"),
    *("without knowing", "find out", "ask the others", "it is important", "hint:"),
)

# Titles have no fixed form, so they are searched for orders too.
DUTIES = ("should", "shouldn't", "must", "mustn't", "ought", "hint", "solution", "advice")
ORDERS = (
    *("tell", "ask", "say", "send", "inform", "warn", "acknowledge", "go", "move", "wait", "stay", "leave", "open"),
    *("close", "toggle", "pull", "push", "press", "take", "pick", "put", "bring", "fetch", "hold", "drop", "read"),
    *("look", "search", "use", "spend", "save", "keep", "trust", "rely", "remember", "forget", "try", "choose"),
    *("begin", "do", "don't", "never", "always", "let", "make"),
)
NOUNS = ("message", "report", "answer", "place", "switch", "watch", "check", "share", "walk", "start")  # or orders
OBJECTS = ("the", "a", "an", "your", "his", "her", "their", "it", "him", "them", "this", "that", "each", "every")


def leaks(
    ground: Ground,
    public: Callable[[Ground, World], str] | None = None,
    private: Callable[[Ground, World, int], str] = private_text,
) -> str:
    """The first leak in the texts of a task; empty if there is none.

    The public text must be the same in every world. A person's private text must be the same in worlds that its notes
    and its first percept do not distinguish. No text gives advice, or remarks on what somebody has not learned, and
    neither does the title.

    Args:
        ground: the task.
        public: a function that gives the public text of a world. [default: the text that is shown]
        private: a function that gives the private text of a person in a world.
    """
    task = ground.task
    text_of = public or (lambda house, world: public_text(house.task))  # noqa: ARG005
    first = task.worlds[0]
    if phrase := _phrase(task.title) or _order(task.title):
        return f"the title says {phrase!r}, which is advice or a remark on ignorance; expected what the task is about"
    for world in task.worlds:
        if text_of(ground, world) != text_of(ground, first):
            worlds = f"the world with {task.describe(first)} and in the world with {task.describe(world)}"
            return f"the public text is not the same in {worlds}"
        if phrase := _phrase(text_of(ground, world)):
            return f"the public text says {phrase!r}, which is advice or a remark on ignorance, not a fact"
    for agent, name in enumerate(task.names):
        cells: dict[Any, World] = {}
        for world in task.worlds:
            same = cells.setdefault(opening(ground, world, agent), world)
            if private(ground, world, agent) != private(ground, same, agent):
                worlds = f"the world with {task.describe(same)} from the world with {task.describe(world)}"
                return f"{name} cannot tell {worlds} at first, but its private text differs"
            if phrase := _phrase(private(ground, world, agent)):
                return f"the private text of {name} says {phrase!r}, which is advice or a remark on ignorance"
    return ""


def _phrase(text: str) -> str:
    plain = " ".join(re.sub(r"[\W_]", lambda mark: mark[0] if mark[0] in "':" else " ", text.lower()).split())
    return next((phrase for phrase in PHRASES if re.search(rf"\b{re.escape(phrase)}", plain)), "")


def _order(title: str) -> str:
    """The words of a title that say what to do: a word such as "should", or a clause that begins with an act."""
    for clause in re.split(r"[.:;,!?–—]|\band\b|\bthen\b| - ", title.lower()):
        words = re.findall(r"[\w']+", clause)
        if len(words) > 1 and (words[0] in ORDERS or (words[0] in NOUNS and {*words[1:2]} & {*OBJECTS})):
            return " ".join(words)
        for duty in DUTIES:
            if duty in words:
                return duty
    return ""
