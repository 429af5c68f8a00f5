"""Configurations of SymmToM's learners: what they share, and the training protocol of the paper (spec 10)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import jax

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy

_LARGE = 6  # boards wider than this have episodes of twice the length


@dataclass(frozen=True)
class BatchConfig:
    """Options of learners that train on batches of whole episodes."""

    episodes: int = 0  # 0: 40,960 on small boards, half of that on large ones
    worlds: int = 0  # played in parallel; 0: 128 on small boards, 64 on large ones
    iterations: int = 8  # batches in a chunk
    epochs: int = 1
    minibatches: int = 16
    learning_rate: float = 3e-3
    final_learning_rate: float = 2e-5
    max_norm: float = 1.0
    width: int = 128

    @property
    def chunk_episodes(self) -> int:
        return self.worlds * self.iterations

    def filled(self, mind: BeliefPolicy) -> Self:
        """Return the configuration with the defaults that depend on the world written out."""
        halving = 2 if mind.params.width > _LARGE else 1
        filled = replace(self, episodes=self.episodes or 40_960 // halving, worlds=self.worlds or 128 // halving)
        chunk = f"a chunk ({filled.worlds} worlds times {filled.iterations} iterations)"
        check_multiple("episodes", filled.episodes, chunk, filled.chunk_episodes)
        return filled


class BatchLearner:
    """Base class of learners that train on batches of whole episodes: see :class:`otherminds.learn.loop.Learner`."""

    def __init__(self, mind: BeliefPolicy, config: Any, seed: int) -> None:
        self.mind, self.config, self._seed = mind, config, seed
        self._worlds, self.chunk_episodes = config.worlds, config.chunk_episodes
        self.num_chunks = config.episodes // self.chunk_episodes
        jax.eval_shape(lambda: mind.example(1))  # refuses a belief that does not cover the world's rules

    def actor(self, training: Any) -> Any:
        return training.actor

    def _falling(self, training: Any, first: float, last: float) -> Any:
        """A rate that falls with the share of training done."""
        return first + training.done / (self.num_chunks * self.config.iterations) * (last - first)


@dataclass(frozen=True)
class MaddpgConfig:
    """The paper's training protocol (spec 10). Defaults reproduce it."""

    episodes: int = 60_000
    worlds: int = 20  # played in parallel; affects only the order of the data
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
    # Memory that targets start from: as stored in play (spec 9.3, 9.4), or recomputed by the target networks.
    next_carry: Literal["stored", "anew"] = "stored"
    chunk_episodes: int = 1000

    def filled(self, mind: BeliefPolicy) -> MaddpgConfig:
        """Return the configuration with the defaults that depend on world and belief written out."""
        turns, sees_truth = mind.params.num_turns, self.critic_sees_truth
        if mind.belief.sees_truth and sees_truth is False:
            raise UserError(
                f"critic_sees_truth=false is not possible with belief {mind.belief.name!r}, which shows every agent "
                "what all agents know; leave out critic_sees_truth"
            )
        if self.next_carry != "stored" and not mind.remembers:
            raise UserError(
                f"next_carry is {self.next_carry!r}, but nothing is remembered from turn to turn with belief "
                f"{mind.belief.name!r}; leave it out"
            )
        check_multiple("update_period", self.update_period, "worlds", self.worlds)
        check_multiple("capacity", self.capacity, "update_period", self.update_period)
        check_multiple("episodes", self.episodes, "chunk_episodes", self.chunk_episodes)
        check_multiple(
            f"{turns} turns times chunk_episodes", turns * self.chunk_episodes, "update_period", self.update_period
        )
        filled = replace(
            self,
            warm_up=self.warm_up or self.batch * turns,
            critic_sees_truth=mind.belief.critic_sees_truth if sees_truth is None else sees_truth,
        )
        if self.episodes * turns < filled.warm_up:
            raise UserError(
                f"{self.episodes} episodes are {self.episodes * turns} turns, but nothing is learned before the "
                f"memory holds {filled.warm_up}; train longer, or set a smaller warm_up"
            )
        return filled


def check_multiple(name: str, value: int, unit_name: str, unit: int) -> None:
    """Refuse a number that another does not divide."""
    if value % unit:
        nearest = max(round(value / unit), 1) * unit
        raise UserError(f"{name} is {value}; expected a multiple of {unit_name}, {unit}, such as {nearest}")
