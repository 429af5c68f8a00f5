"""Linear readout of what a recurrent agent's state encodes about others' knowledge.

The agent plays the standard world with itself. For each of its seats a ridge regression maps the state of its network
to who knows what; the readout is then its belief in the battery's literal score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from otherminds.core.seeds import generator
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.bits import unpack
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.minds.learned import Learned
from otherminds.worlds.symmtom.types import Action, Array, Params, State

RIDGE = 1.0
WORLDS = 512


@dataclass(frozen=True, eq=False)
class ReadOut:
    """A recurrent agent with a belief that is read from its state. Plays as the agent does."""

    agent: Learned
    weights: Any  # float32 [observer, entry, subject, piece], the constant last

    @property
    def name(self) -> str:
        return self.agent.name

    @property
    def sees_truth(self) -> bool:
        return self.agent.sees_truth

    def look(self, state: State, params: Params) -> Any:
        return self.agent.look(state, params)

    def begin(self, sight: Any, params: Params) -> Any:
        return self.agent.begin(sight, params)

    def act(self, memory: Any, sight: Any, params: Params, key: Any) -> tuple[Action, Any]:
        return self.agent.act(memory, sight, params, key)

    def believes(self, memory: Any, sight: Any, params: Params) -> Array:
        """Estimated probability, to each agent, that each agent knows each piece; may lie outside of 0 to 1."""
        import jax.numpy as jnp

        return jnp.einsum("oe...,oesp->osp...", _entries(memory), self.weights)


def read_out(agent: Learned, seed: int = 0, worlds: int = WORLDS) -> ReadOut:
    """Fit the readout of a recurrent agent in the world it was trained in."""
    params, rng = agent.mind.params, generator(seed, "readout")
    state = rules.deal(draw_deal(rng, params, (worlds,)), params)
    memory = agent.begin(agent.look(state, params), params)
    states, truths = [], []
    for _ in range(params.num_turns):
        action, memory = agent.act(memory, agent.look(state, params), params, rng)
        states.append(np.asarray(_entries(memory), dtype=np.float64))
        truths.append(unpack(np, state.knowledge, params.num_pieces))
        state, _ = rules.step(state, action, draw_coins(rng, params, (worlds,)), params)
    entries, truth = np.concatenate(states, axis=-1), np.concatenate(truths, axis=-1)  # [agent, entry, …], [subject, …]
    targets, ridge = truth.reshape(-1, truth.shape[-1]).T, RIDGE * np.eye(entries.shape[1])
    weights = [np.linalg.solve(mine @ mine.T + ridge, mine @ targets).reshape(-1, *truth.shape[:2]) for mine in entries]
    return ReadOut(agent, np.asarray(weights, dtype=np.float32))


def _entries(memory: Any) -> Any:
    """The state of each agent's network and a constant, ``[agent, entry, *worlds]``."""
    import jax
    import jax.numpy as jnp

    leaves = jax.tree.leaves(memory.carry)
    return jnp.concatenate([*leaves, jnp.ones_like(leaves[0][:, :1])], axis=1)
