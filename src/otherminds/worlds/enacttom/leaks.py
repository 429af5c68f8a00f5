"""Finds what the texts of a task must not say: the current world, advice, or remarks on ignorance (spec 3.7)."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain
from typing import Any

from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.observe import opening
from otherminds.worlds.enacttom.text.statements import TEXTS
from otherminds.worlds.enacttom.text.task_text import private_text, public_text
from otherminds.worlds.enacttom.types import World

PHRASES, ORDERS = (tuple(chain(*TEXTS[kind])) for kind in ("advice", "orders"))

_ADVICE = "which gives advice or comments on what somebody does not know"


def leaks(
    ground: Ground,
    public: str | None = None,
    private: Callable[[Ground, World, int], str] = private_text,
) -> str:
    """The first leak in the texts of a task; empty if there is none.

    A person's private text must be the same in worlds that its notes and its first percept do not distinguish. Neither
    a text nor the title may give advice, or remark on what somebody has not learned.

    Args:
        ground: the task.
        public: the public text, which is the same in all worlds. [default: the text that is shown]
        private: a function that gives the private text of a person in a world.
    """
    task = ground.task
    if phrase := _phrase(task.title) or _order(task.title):
        return f"the title says {phrase!r}, {_ADVICE}; expected what the task is about"
    if phrase := _phrase(public_text(task) if public is None else public):
        return f"the public text says {phrase!r}, {_ADVICE}; expected facts"
    for agent, name in enumerate(task.names):
        cells: dict[Any, World] = {}
        for world in task.worlds:
            same = cells.setdefault(opening(ground, world, agent), world)
            if private(ground, world, agent) != private(ground, same, agent):
                worlds = f"the world with {task.describe(same)} from the world with {task.describe(world)}"
                return f"{name} cannot distinguish {worlds} at first, but the private text differs"
            if phrase := _phrase(private(ground, world, agent)):
                return f"the private text of {name} says {phrase!r}, {_ADVICE}"
    return ""


def _phrase(text: str) -> str:
    plain = " ".join(re.sub(r"[\W_]", lambda mark: mark[0] if mark[0] in "':" else " ", text.lower()).split())
    return next((phrase for phrase in PHRASES if re.search(rf"\b{re.escape(phrase)}", plain)), "")


def _order(title: str) -> str:
    """The words of a title that say what to do: a word such as "should", or a clause that begins with an act."""
    for clause in re.split(r"[.:;,!?–—]|\band\b|\bthen\b| - ", title.lower()):
        words = re.findall(r"[\w']+", clause)
        if len(words) > 1 and (words[0] in ORDERS or (words[0] in TEXTS["nouns"] and words[1] in TEXTS["objects"])):
            return " ".join(words)
        if duties := [duty for duty in TEXTS["duties"] if duty in words]:
            return str(duties[0])
    return ""
