"""Beliefs that are asked for: those of trained minds, and a readout of recurrent ones."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from otherminds.worlds.symmtom.bits import unpack
from otherminds.worlds.symmtom.evals.battery import perform, score
from otherminds.worlds.symmtom.evals.readout import read_out
from otherminds.worlds.symmtom.minds.learned import Learned
from otherminds.worlds.symmtom.scenarios import find_scenario
from tests.worlds.symmtom.learn.making import make_mind, make_variables, states

MINDS: dict[str, dict[str, Any]] = {
    "conservative": {},
    "greedy": {},
    "oracle": {},
    "estimated": {},
    "bayesian": {},
    "deductive": {"kind": "symmetric"},
    "second-order": {},
    "zeroth": {},
}


@pytest.mark.parametrize(
    "belief", [pytest.param(b, marks=pytest.mark.slow if b in ("deductive", "wary") else ()) for b in MINDS]
)
def test_what_an_agent_believes_of_itself_is_the_truth(belief: str) -> None:
    mind = make_mind(belief=belief, **MINDS[belief])
    agent = Learned("x", mind, make_variables(mind))
    params = mind.params
    seen = states(params, seed=1, worlds=3, num_turns=8)
    memory = agent.begin(agent.look(seen[0], params), params)
    for state in seen:
        sight = agent.look(state, params)
        _, memory = agent.act(memory, sight, params, np.random.default_rng(0))
        found = np.asarray(agent.believes(memory, sight, params))
        shown = state.previous_knowledge if belief == "oracle" else state.knowledge
        truth = unpack(np, np.asarray(shown), params.num_pieces)
        for i in range(params.num_agents):
            np.testing.assert_array_equal(found[i, i] > 0.5, truth[i])


def test_a_mind_without_a_belief_has_none_to_tell() -> None:
    mind = make_mind(belief="none")
    agent = Learned("x", mind, make_variables(mind))
    state = states(mind.params, seed=1, worlds=3)[0]
    sight = agent.look(state, mind.params)
    assert agent.believes(agent.begin(sight, mind.params), sight, mind.params) is None


@pytest.mark.slow
def test_a_readout_finds_what_a_recurrent_state_holds_and_changes_nothing_else() -> None:
    mind = make_mind(belief="recurrent", width=6, num_turns=30)
    keys = jax.random.split(jax.random.key(0), 3)
    agent = Learned("x", mind, jax.vmap(mind.init)(keys))
    readable = read_out(agent, worlds=64)
    scenario = find_scenario("order0_w6")
    plain, asked = (score(perform(scenario, policy, 24, engine="numpy")) for policy in (agent, readable))
    assert plain.literal is None
    assert asked.literal is not None
    assert (plain.success, plain.failure) == (asked.success, asked.failure)
    state = states(mind.params, seed=5, worlds=40, num_turns=6)[-1]
    sight = agent.look(state, mind.params)
    memory = agent.begin(sight, mind.params)
    for one in states(mind.params, seed=5, worlds=40, num_turns=6):
        sight = agent.look(one, mind.params)
        _, memory = agent.act(memory, sight, mind.params, np.random.default_rng(0))
    found = np.asarray(readable.believes(memory, sight, mind.params))
    own = unpack(np, np.asarray(state.first_hand), 3)
    right = np.mean([(found[i, i] > 0.5)[own[i]] for i in range(3)])
    assert right > 0.9  # what is in every observation can be read from the state
