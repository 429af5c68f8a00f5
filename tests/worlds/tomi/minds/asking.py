"""Questions put to minds of ToMi without a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from otherminds.core.mind import Mind
from otherminds.minds.find import find_mind
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.observe import answers_of
from otherminds.worlds.tomi.world import ToMi


def mind(name: str) -> Any:
    """A mind of ToMi by name."""
    return find_mind(name, ToMi())


def answers(who: Mind, items: Sequence[LabelledQuestion]) -> list[str]:
    """What a mind answers to each."""
    given = answers_of(who, items)
    return [given[item.id] for item in items]
