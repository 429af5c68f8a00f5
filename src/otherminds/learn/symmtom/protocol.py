"""The training protocol of the SymmToM paper (spec 10), as MADDPG follows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from otherminds.core.errors import UserError
from otherminds.players.symmtom.mind import BeliefPolicy


@dataclass(frozen=True)
class MaddpgConfig:
    """The paper's training protocol (spec 10). Defaults reproduce it."""

    episodes: int = 60_000
    worlds: int = 20  # played side by side; only the order in which data arrives depends on it
    update_period: int = 100  # turns, over all worlds, for each update
    batch: int = 1024
    capacity: int = 1_000_000  # transitions
    warm_up: int = 0  # transitions before the first update; 0: batch times the length of an episode
    learning_rate: float = 1e-3
    target_rate: float = 0.005
    discount: float = 0.95
    clip: float = 0.5  # norm of each tensor's gradient
    logit_penalty: float = 1e-3
    width: int = 64  # of hidden layers
    critic_sees_truth: bool | None = None  # None: as the belief's row in the paper (spec 13, row 34)
    # What targets start from: what networks left behind at the time (spec 9.3, 9.4), or what targets would now.
    next_carry: Literal["stored", "anew"] = "stored"
    chunk_episodes: int = 1000

    def filled(self, mind: BeliefPolicy) -> MaddpgConfig:
        """The same with what depends on world and belief written out."""
        sees_truth = self.critic_sees_truth
        if mind.belief.sees_truth and sees_truth is False:
            raise UserError("critic_sees_truth is false, but this belief shows everyone what all know; leave it out")
        filled = replace(
            self,
            warm_up=self.warm_up or self.batch * mind.params.num_turns,
            critic_sees_truth=mind.belief.critic_sees_truth if sees_truth is None else sees_truth,
        )
        filled._check(mind)
        return filled

    def _check(self, mind: BeliefPolicy) -> None:
        num_turns = mind.params.num_turns
        if self.update_period % self.worlds:
            raise UserError(
                f"update_period {self.update_period} is no multiple of worlds {self.worlds}; choose a divisor"
            )
        if self.capacity % self.update_period:
            nearest = max(round(self.capacity / self.update_period), 1) * self.update_period
            raise UserError(
                f"capacity {self.capacity} is no multiple of update_period ({self.update_period}); choose {nearest}"
            )
        if self.chunk_episodes * num_turns % self.update_period:
            raise UserError(
                f"a chunk of {self.chunk_episodes} episodes is {self.chunk_episodes * num_turns} turns, no whole "
                f"number of update periods of {self.update_period}; choose another chunk_episodes"
            )
        if self.episodes % self.chunk_episodes:
            nearest = max(round(self.episodes / self.chunk_episodes), 1) * self.chunk_episodes
            raise UserError(
                f"{self.episodes} episodes are no multiple of a chunk of {self.chunk_episodes}; choose {nearest}, or "
                f"another chunk_episodes"
            )
        if self.episodes * num_turns < self.warm_up:
            raise UserError(
                f"{self.episodes} episodes are {self.episodes * num_turns} turns, but nothing is learned before the "
                f"memory holds {self.warm_up}; train longer, or set a smaller warm_up"
            )
        if self.next_carry != "stored" and not mind.remembers:
            raise UserError(
                f"next_carry is {self.next_carry!r}, but nothing is remembered from turn to turn with belief "
                f"{mind.belief.name!r}; leave it out"
            )
