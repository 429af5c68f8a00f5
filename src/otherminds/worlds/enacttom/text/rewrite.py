"""Has a language model rewrite the public text of a task, and keeps the result only if it still says the same task."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.leaks import leaks
from otherminds.worlds.enacttom.tasks.read import SHIPPED
from otherminds.worlds.enacttom.text.parse_text import difference, meaning, understood
from otherminds.worlds.enacttom.text.task_text import public_text
from otherminds.worlds.enacttom.types import Task

_PROMPTS = Path(__file__).parent / "prompts" / "v1"
_EXAMPLE = "cup"  # a shipped task in the fixed form, which shows no more than that form


class Rewritten(NamedTuple):
    """A text of a task.

    Attributes:
        text: the model's text, or the generated one if the model's was refused.
        is_kept: whether it is the model's.
        reason: the reason for refusing the last attempt; empty if none was refused.
    """

    text: str
    is_kept: bool
    reason: str = ""


def rewritten(task: Task, model_call: Callable[[str], str], attempts: int = 2, seed: int = 0) -> Rewritten:
    """The public text of a task in the words of a language model.

    A rewriting is kept if it gives no advice and the same formal content is recovered from it: by the reader of texts,
    or else by a second call, which sees the rewriting but not the task, and whose answer the reader understands.

    Args:
        task: the task.
        model_call: a function that sends a prompt to a model and returns its reply.
        attempts: rewritings to ask for before the generated text is kept.
        seed: of the phrasings of the generated text.
    """
    original, reason = public_text(task, seed), ""
    for _ in range(attempts):
        text = model_call(_prompt("rewrite", text=original)).strip()
        reason = _leak(task, text)
        if not reason:
            reason = _lost(task, text)
            if reason:
                example = public_text(SHIPPED[_EXAMPLE])
                reason = _lost(task, model_call(_prompt("read_back", text=text, example=example)).strip())
        if not reason:
            return Rewritten(text, is_kept=True)
    return Rewritten(original, is_kept=False, reason=reason)


def _prompt(name: str, **fields: str) -> str:
    return (_PROMPTS / f"{name}.txt").read_text("utf-8").format(**fields)


def _leak(task: Task, text: str) -> str:
    return leaks(ground(task), public=text) if text else "the reply is empty"


def _lost(task: Task, text: str) -> str:
    """What the reader does not recover from a text; empty if it recovers the task."""
    try:
        lost = difference(meaning(understood(text)), meaning(task))
    except UserError as error:
        return str(error)
    return f"the text says something else about: {lost}" if lost else ""
