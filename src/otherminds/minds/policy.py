"""Policies at a table: one adapter owns all seats of its policy, which then acts once per turn.

A policy is pure and takes in what the world's ``observe`` shows. The views of a world with policies offer three more
methods; the memory stays here:

- ``looks(policy, since)``: what it takes in of every turn from ``since`` on, the present one last;
- ``action_of(action)``: its joint action as the reply of the view's seat;
- ``answer_of(likely, probe)``: what it believes as the reply of the view's seat to a probe.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, Believing, Briefing, CannotAnswer, Policy, Reply
from otherminds.core.world import Ask


class PolicyMind(BaseMind):
    """All seats of one policy at one table.

    A seat that only watched for a while makes the policy live through those turns when it is asked. A probe is
    answered by what the policy would believe if it acted now; that is found on copies of its memory and its chance, so
    that being asked changes nothing.
    """

    is_shared = True  # one object fills all seats of its name

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.sees_truth = policy.sees_truth

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the policy, which also determines its random stream."""
        return self.policy.name

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._params = briefing.setting
        self._rng = np.random.Generator(np.random.PCG64(seed))
        self._memory: Any = None
        self._sight: Any = None
        self._action: Any = None
        self._lived = 0  # turns that it has taken in
        self._acted = 0  # the last turn that it has acted in
        self._believed: tuple[int, Any] | None = None  # what it believes before a turn, for further probes of that turn

    def reply(self, ask: Ask) -> Reply:
        view: Any = ask.view
        if ask.probe is None:
            if self._acted != ask.turn:  # the first of its seats that is asked in this turn
                self._live(self._looks(ask))
                self._acted = ask.turn
            return Reply(view.action_of(self._action))
        likely = self.belief(ask)
        if likely is None:
            raise CannotAnswer(f"{self.name} has no readable belief")
        value, belief = view.answer_of(likely, ask.probe)
        return Reply(value, belief=belief)

    def belief(self, ask: Ask) -> Any:
        """What the policy would believe if it acted now, see :class:`Believing`; ``None`` if nothing can be read."""
        return self._belief(self._looks(ask))

    def _looks(self, ask: Ask) -> Sequence[Any]:
        if self.sees_truth and ask.truth is None:
            raise UserError(f"{self.name} needs the hidden state, which is not available here")
        view: Any = ask.view
        sights: Sequence[Any] = view.looks(self.policy, self._lived)
        return sights

    def _live(self, sights: Sequence[Any]) -> None:
        for sight in sights:
            if self._memory is None:
                self._memory = self.policy.begin(sight, self._params)
            self._action, self._memory = self.policy.act(self._memory, sight, self._params, self._rng)
            self._sight, self._lived = sight, self._lived + 1

    def _belief(self, sights: Sequence[Any]) -> Any:
        if not isinstance(self.policy, Believing):
            return None
        self._live(sights[:-1])
        if self._believed is None or self._believed[0] != self._lived + bool(sights):
            thinking = copy.copy(self)
            thinking._rng = copy.deepcopy(self._rng)
            thinking._live(sights[-1:])
            likely = self.policy.believes(thinking._memory, thinking._sight, self._params)
            self._believed = thinking._lived, likely
        return self._believed[1]
