"""Questions put to minds of ToMi without a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from otherminds.core.mind import Mind, replies_of
from otherminds.minds.find import find_mind
from otherminds.worlds.tomi.items import Item
from otherminds.worlds.tomi.observe import ask_of
from otherminds.worlds.tomi.world import ToMi


def mind(name: str) -> Any:
    """A mind of ToMi by name."""
    return find_mind(name, ToMi())


def answers(who: Mind, items: Sequence[Item]) -> list[str]:
    """What a mind answers to each."""
    return [reply.value for reply in replies_of(who, [ask_of(item) for item in items])]
