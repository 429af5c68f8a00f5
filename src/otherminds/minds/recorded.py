"""A mind that gives the replies of a recorded file, so that people's episodes can be played against any mind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, CannotAnswer, Reply
from otherminds.core.world import Ask, World


class RecordedMind(BaseMind):
    """Gives the replies of a recorded episode.

    Args:
        world: World of the episodes.
        episodes: Episodes of the file. :meth:`turn_to` selects one; the first by default.
        name: Name in records.
    """

    def __init__(self, world: World, episodes: list[Episode], name: str) -> None:
        self.world, self.episodes, self.name = world, episodes, name
        self.turn_to(0)

    def turn_to(self, number: int) -> Episode:
        """Give the replies of another episode of the file from now on."""
        episode = self.episodes[number]
        self._replies: Mapping[str, Any] = self.world.replies(episode)
        return episode

    def reply(self, ask: Ask) -> Reply:
        if ask.id not in self._replies:
            raise CannotAnswer(f"the record has no reply to {ask.id}")
        return Reply(self._replies[ask.id])


def recorded(world: World, file: str = "") -> RecordedMind:
    """The replies of a file of episodes.

    Raises:
        UserError: if the file contains no episodes of the world.
    """
    if not file:
        raise UserError("mind 'recorded' needs a file; write recorded:FILE")
    return RecordedMind(world, world.recorded(Path(file)), f"recorded:{Path(file).name}")
