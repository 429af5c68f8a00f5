"""Minds for any world: they reply from the form alone, or combine two other minds."""

from __future__ import annotations

from otherminds.core.mind import BaseMind, Briefing, CannotAnswer, Mind, Reply
from otherminds.core.seeds import Draw
from otherminds.core.world import Ask, Outcome


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
