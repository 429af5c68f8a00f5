"""Linear readout of what a recurrent agent's state encodes about others' knowledge.

The agent plays the standard world with itself. For each of its seats a ridge regression maps the state of its network
to who knows what; the readout is then its belief in the battery's literal score.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from otherminds.core.seeds import generator
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.bits import unpack
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.minds.learned import READOUT, Learned, state_of

RIDGE = 1.0
WORLDS = 512


def read_out(agent: Learned, seed: int = 0, worlds: int = WORLDS) -> Learned:
    """The recurrent agent with a belief that is read from its state, fitted in the world it was trained in."""
    params, rng = agent.mind.params, generator(seed, "readout")
    state = rules.deal(draw_deal(rng, params, (worlds,)), params)
    memory = agent.begin(agent.look(state, params), params)
    states, truths = [], []
    for _ in range(params.num_turns):
        action, memory = agent.act(memory, agent.look(state, params), params, rng)
        states.append(np.asarray(state_of(memory), dtype=np.float64))
        truths.append(unpack(np, state.knowledge, params.num_pieces))
        state, _ = rules.step(state, action, draw_coins(rng, params, (worlds,)), params)
    entries, truth = np.concatenate(states, axis=-1), np.concatenate(truths, axis=-1)  # [agent, entry, …], [subject, …]
    targets, ridge = truth.reshape(-1, truth.shape[-1]).T, RIDGE * np.eye(entries.shape[1])
    weights = [np.linalg.solve(mine @ mine.T + ridge, mine @ targets).reshape(-1, *truth.shape[:2]) for mine in entries]
    readout = {"weights": np.asarray(weights, dtype=np.float32)}  # [observer, entry, subject, piece]
    return replace(agent, variables={**agent.variables, READOUT: readout})
