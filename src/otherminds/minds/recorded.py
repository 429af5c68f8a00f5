"""A mind that gives the replies of a recorded file, so that people's episodes can be played against any mind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, CannotAnswer, Reply
from otherminds.core.world import Ask, Item, World


class RecordedMind(BaseMind):
    """Replies as somebody did in a recorded episode.

    Args:
        world: that the episodes were played in.
        episodes: those of the file. The one that is played is told by :meth:`turn_to`; the first by default.
        name: what records call it.
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
        UserError: if the file holds no episode of the world.
    """
    if not file:
        raise UserError("recorded needs a file: write recorded:FILE")
    return RecordedMind(world, world.recorded(Path(file)), f"recorded:{Path(file).name}")


def situations(
    world: World, minds: Iterable[Any], items: Sequence[Item] | None, episodes: int, seed: int
) -> Iterator[tuple[int, Item | None]]:
    """The seed and the item of each episode to play: those of a suite, those of a recorded file, or by seed.

    Recorded minds are turned to the episode that is about to be played, so that this is to be read lazily.

    Raises:
        UserError: if a suite is given as well as a recorded file.
    """
    recorded = [mind for mind in minds if isinstance(mind, RecordedMind)]
    if recorded and items is not None:
        raise UserError("--suite has no effect with recorded:FILE, whose episodes are played again; leave it out")
    if recorded:
        for number, episode in enumerate(recorded[0].episodes):
            for mind in recorded:
                mind.turn_to(number)
            yield episode.seed, world.item_of(episode)
    elif items is not None:
        yield from ((seed, item) for item in items)
    else:
        yield from ((number, None) for number in range(seed, seed + episodes))
