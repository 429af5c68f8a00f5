"""Stories in episode records: all that is needed to open them again, each fact once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.items import Item

_OF_QUESTION = (
    "id",
    "question",
    "answer",
    "choices",
    "qtype",
    "order",
    "chain",
    "false_vs_reality",
    "false_attribution",
    "ambiguous",
    "story_order",
)
_UNTOLD = ("events", "beliefs")  # they follow from the story
_OF_STORY = tuple(field.name for field in fields(Item) if field.name not in (*_OF_QUESTION, *_UNTOLD))
_question = attrgetter(*_OF_QUESTION)
_LISTS = ("story", "choices", "chain")


def start_of(items: Sequence[Item]) -> dict[str, Any]:
    """The questions of a story, as the first line of a record has them."""
    told = {name: getattr(items[0], name) for name in _OF_STORY}
    questions = [dict(zip(_OF_QUESTION, _question(item), strict=True)) for item in items]
    for question in questions:
        question["choices"], question["chain"] = list(question["choices"]), list(question["chain"])
    return {**told, "story": list(told["story"]), "questions": questions}


def items_of(start: Mapping[str, Any]) -> tuple[Item, ...]:
    """What :func:`start_of` was given, without events and beliefs.

    Raises:
        UserError: if something is missing.
    """
    try:
        told = {name: _typed(name, start[name]) for name in _OF_STORY}
        return tuple(
            Item(**told, **{name: _typed(name, question[name]) for name in _OF_QUESTION})
            for question in start["questions"]
        )
    except (KeyError, TypeError) as error:
        raise UserError(f"the record does not hold a story of ToMi: {error} is missing or of another kind") from None


def _typed(name: str, value: Any) -> Any:
    return tuple(value) if name in _LISTS else value
