"""Minds for any world: they reply from the form alone or from a record, or combine two other minds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, Briefing, CannotAnswer, Mind, Reply
from otherminds.core.seeds import Draw
from otherminds.core.world import Ask, Outcome, World


class RandomMind(BaseMind):
    """Gives a random reply that fits the form."""

    name = "random"

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._seed, self._draw = seed, Draw(seed, "random")

    def reply(self, ask: Ask) -> Reply:
        # Probes have a stream of their own, so that being asked changes nothing that is done later.
        draw = self._draw if ask.probe is None else Draw(self._seed, ask.id)
        return Reply(ask.form.sample(draw))


class SilentMind(BaseMind):
    """Never answers."""

    name = "silent"

    def reply(self, ask: Ask) -> Reply:
        raise CannotAnswer


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


class DecoupledMind(BaseMind):
    """Acts as one mind and answers probes as another: the act-report gap at its widest.

    Args:
        acts: Mind that acts.
        says: Mind that answers probes. It must rely on the ask's log alone, since it is never asked to act.
        name: Name in records.
    """

    def __init__(self, acts: Mind, says: Mind, name: str = "decoupled") -> None:
        self.acts, self.says, self.name = acts, says, name
        self.is_shared, self.sees_truth = (getattr(acts, what, False) for what in ("is_shared", "sees_truth"))

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        for mind in (self.acts, self.says):
            if (begin := getattr(mind, "begin", None)) is not None:
                begin(seat, briefing, seed)

    def reply(self, ask: Ask) -> Reply:
        return (self.acts if ask.probe is None else self.says).reply(ask)

    def end(self, outcome: Outcome) -> None:
        for mind in (self.acts, self.says):
            if (end := getattr(mind, "end", None)) is not None:
                end(outcome)
