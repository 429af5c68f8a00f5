"""Policies at a table: one adapter that owns all seats of its policy, so that each is asked once a turn.

A policy is pure and takes in what the world's ``observe`` shows. The view of a world with policies offers that by its
method ``look(policy)``, the memory stays here, and ``action_of(action, seat)`` gives the reply for a seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from otherminds.core.mind import BaseMind, Briefing, CannotAnswer, Policy, Reply
from otherminds.core.world import Ask


class PolicyMind(BaseMind):
    """All seats of one policy at one table."""

    is_shared = True  # one object fills all seats of its name

    def __init__(self, policy: Policy) -> None:
        self.policy, self.name = policy, policy.name
        self.sees_truth = policy.sees_truth  # type: ignore[misc]
        self._turn = 0

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._params, self._turn, self._action = briefing.setting, 0, None
        self._memory: Any = None
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def reply(self, ask: Ask) -> Reply:
        return self.replies([ask])[0]

    def replies(self, asks: Sequence[Ask]) -> list[Reply]:
        """The acts of all its seats: the policy is called once a turn."""
        return [self._reply(ask) for ask in asks]

    def _reply(self, ask: Ask) -> Reply:
        if ask.probe is not None:
            raise CannotAnswer(f"{self.name} holds no belief that can be read")
        view: Any = ask.view
        if ask.turn != self._turn:
            sight = view.look(self.policy)
            if self._memory is None:
                self._memory = self.policy.begin(sight, self._params)
            self._action, self._memory = self.policy.act(self._memory, sight, self._params, self._rng)
            self._turn = ask.turn
        return Reply(view.action_of(self._action))
