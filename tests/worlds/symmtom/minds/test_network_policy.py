"""Minds: what belief parts say in their slots, and that nothing reaches a decision that its agent did not perceive."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.beliefs import bayes, belief_rules
from otherminds.worlds.symmtom.minds.belief_parts import BELIEFS, find_belief
from otherminds.worlds.symmtom.minds.features import Situation
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy
from otherminds.worlds.symmtom.minds.networks import Inputs
from otherminds.worlds.symmtom.observe import observe, perceive, perceive_within
from otherminds.worlds.symmtom.types import Params
from tests.worlds.symmtom.learn.making import (
    compiled,
    logits_along,
    make_mind,
    make_variables,
    on_jax,
    states,
    thoughts,
)

SWITCHES: dict[str, Any] = {"num_agents": 4, "num_pieces": 5, "num_turns": 20}


def slots_of(agent: int, num_agents: int) -> list[int]:
    return [agent, *(j for j in range(num_agents) if j != agent)]


@pytest.mark.parametrize("name", ["conservative", "attentive", "greedy"])
def test_a_mind_says_what_its_belief_rule_finds_itself_first_then_the_others(name: str) -> None:
    mind = make_mind(name, **SWITCHES)
    params, rule = mind.params, find_belief(name).rule
    assert isinstance(rule, belief_rules.BeliefRule)
    seen = states(params, 0, 10)
    belief, differing = None, 0
    for number, (state, (sight, said)) in enumerate(zip(seen, thoughts(mind, seen), strict=True)):
        percept = perceive(state, params)
        belief = belief_rules.begin(percept, params, rule) if belief is None else belief
        belief = belief_rules.update(belief, percept, params, rule)
        for k in range(4):
            for slot, agent in enumerate(slots_of(k, 4)):
                assert np.array_equal(said[k, slot], belief.knows[k, agent])
            assert np.array_equal(said[k, 0], state.knowledge[k]), "an agent knows what it knows"
            differing += int((np.asarray(said[k, 1:]) != state.knowledge[slots_of(k, 4)[1:]]).sum())
        if number == 12:
            inputs = mind.inputs(sight, said)
            assert isinstance(inputs, Inputs)
            flags = (np.asarray(said)[:, :, None] >> np.arange(5, dtype=np.uint32)[:, None]) & 1
            assert np.array_equal(inputs.belief, flags.reshape((4, 20, 10)))
    assert differing > 100, "nobody ever errs about others: the comparison shows nothing"


def test_an_unknown_belief_is_refused() -> None:
    with pytest.raises(UserError, match="no belief 'greedi'; did you mean 'greedy'"):
        find_belief("greedi")


def test_a_mind_of_zeroth_order_says_its_own_knowledge_only() -> None:
    mind = make_mind("zeroth", **SWITCHES)
    seen = states(mind.params, 0, 10)
    for state, (_, said) in zip(seen, thoughts(mind, seen), strict=True):
        assert np.array_equal(said, state.knowledge[:, None])


def test_a_bayesian_mind_says_how_likely_everyone_knows_each_piece() -> None:
    mind = make_mind("bayesian", num_pieces=4)
    params, rule = mind.params, bayes.BAYES
    seen = states(params, 1, 5)
    memory: Any = None

    @compiled
    def follow(memory: Any, state: Any, key: Any) -> Any:
        memory = bayes.update(memory, perceive(state, params), params, rule, key, state.last_reward)
        return memory, bayes.probability(memory, params)

    for number, (played, (_, said)) in enumerate(zip(seen, thoughts(mind, seen), strict=True)):
        state = on_jax(played)
        memory = bayes.begin(perceive(state, params), params, rule) if memory is None else memory
        memory, probability = follow(memory, state, jax.random.key(number))
        for k in range(3):
            rows = np.asarray(said[k]).reshape((3, 4, 5))
            for slot, agent in enumerate(slots_of(k, 3)):
                np.testing.assert_allclose(rows[slot], probability[k, agent], atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("switches", "reads"),
    [
        ({}, True),
        ({"move_cost": 0.5}, True),
        ({"move_cost": 0.5, "directions": "intended"}, False),
        ({"competitive": 2}, False),
    ],
)
def test_a_bayesian_mind_goes_without_rewards_that_it_cannot_read(switches: dict[str, Any], reads: bool) -> None:
    mind = make_mind("bayesian", **switches)
    seen = states(mind.params, 1, 40, 6)
    *before, (sight, said) = thoughts(mind, seen)
    memory = mind.begin(mind.look(on_jax(seen[0]))).belief
    revise = compiled(mind.revise)
    for earlier, _ in before:
        memory, _ = revise(memory, earlier, jax.random.key(0))
    _, plain = revise(memory, sight, jax.random.key(0))
    _, other = revise(memory, sight._replace(reward=sight.reward + 1), jax.random.key(0))
    assert np.array_equal(plain, other) != reads
    assert np.all((said >= 0) & (said <= 1))


@pytest.mark.parametrize("num_agents", [2, 3, 4])
def test_a_second_order_mind_also_says_what_others_think_of_others(num_agents: int) -> None:
    mind = make_mind("second-order", num_agents=num_agents, num_pieces=4, num_turns=12)
    params, rule = mind.params, belief_rules.ATTENTIVE
    seen = states(params, 2, 6)
    memory: Any = None
    for state, (_, said) in zip(seen, thoughts(mind, seen), strict=True):
        percept = perceive_within(perceive(state, params), params)
        memory = belief_rules.begin(percept, params, rule) if memory is None else memory
        memory = belief_rules.update(memory, percept, params, rule)
        for k in range(num_agents):
            expected = [
                memory.knows[j, subject, k]
                for j in slots_of(k, num_agents)[1:]
                for subject in [k, *(m for m in range(num_agents) if m not in (j, k))]
            ]
            assert np.array_equal(said[k, num_agents:], np.stack(expected))


# What reaches a decision


@pytest.mark.parametrize(
    ("belief", "kind"),
    [*((name, "") for name in BELIEFS), *((name, "symmetric") for name in ("none", "oracle", "attentive", "bayesian"))],
)
def test_only_an_oracle_sees_what_others_know(belief: str, kind: str) -> None:
    """What others know changes in ways nobody can perceive; agent 0 decides as before, unless it is an Oracle."""
    mind = make_mind(belief, kind, mask_actions=True)
    seen = states(mind.params, 3, 12, 5)
    others = np.arange(3)[:, None] > 0

    def scrambled(sets: Any) -> Any:
        return np.where(others, (sets ^ np.uint32(0b101)) & mind.params.all_pieces, sets)

    changed = [
        s._replace(knowledge=scrambled(s.knowledge), previous_knowledge=scrambled(s.previous_knowledge)) for s in seen
    ]
    weights = make_variables(mind)
    ours, theirs = (logits_along(mind, weights, each) for each in (seen, changed))
    is_same = all(np.array_equal(a[0], b[0]) for a, b in zip(ours, theirs, strict=True))
    assert is_same == (belief != "oracle")


@pytest.mark.parametrize("displayed", ["delayed", "current"])
def test_an_oracle_is_shown_knowledge_of_the_turn_that_the_world_displays(displayed: str) -> None:
    """Spec section 13, row 21: the same turn in a vector and in a situation."""
    mind = make_mind("oracle", "symmetric", displayed_knowledge=displayed)
    state = states(mind.params, 3, 12, 5)[-1]
    shown = state.previous_knowledge if displayed == "delayed" else state.knowledge
    assert np.any(state.previous_knowledge != state.knowledge)
    nothing = jnp.zeros((3, 0, 12), jnp.uint32)
    situation = compiled(lambda seen: mind.inputs(mind.look(seen), nothing))(on_jax(state))
    assert isinstance(situation, Situation)
    for k in range(3):
        assert np.array_equal(situation.own_facts[k, :, 1], shown[k])
        for slot, agent in enumerate(slots_of(k, 3)[1:]):
            assert np.array_equal(situation.other_facts[k, :, slot, 0], shown[agent])


def test_a_mind_is_shown_its_observation_and_an_oracle_also_the_truth() -> None:
    params = make_mind().params
    state = states(params, 3, 4, 3)[-1]
    plain, oracle = make_mind("none").look(on_jax(state)), make_mind("oracle").look(on_jax(state))
    assert np.array_equal(plain.vector, observe(state, params))
    assert np.array_equal(oracle.vector, observe(state, params.replace(oracle=True)))
    assert plain.truth == ()


def test_masks_leave_every_agent_something_to_choose_and_rule_out_what_has_no_effect() -> None:
    mind = make_mind(mask_actions=True)
    state = states(mind.params, 3, 12, 5)[-1]
    # Somebody who has nothing to say may choose any piece: one must be chosen.
    nothing = np.where(np.arange(12) == 0, np.uint32(0), state.previous_knowledge)
    state = state._replace(previous_knowledge=nothing)
    sight = mind.look(on_jax(state))
    assert np.array_equal(sight.allowed[:, :5], rules.legal_moves(state, mind.params))
    assert np.array_equal(sight.allowed[:, 5:, 1:], rules.legal_pieces(state, mind.params)[..., 1:])
    assert np.all(sight.allowed[:, 5:, 0])
    logits = logits_along(mind, make_variables(mind), [state])[0]
    allowed = np.moveaxis(np.asarray(sight.allowed), 1, -1)
    assert np.all(logits[~allowed] <= -1e8)
    assert np.all(logits[allowed] > -1e8)


# Other worlds


def test_a_mind_goes_into_worlds_of_other_widths_and_rules_and_takes_its_view_along() -> None:
    mind = make_mind("conservative", mask_actions=True, show_turn=True)
    there = mind.into(Params(num_agents=3, width=9, num_pieces=3, interference=True))
    assert (there.params.width, there.params.interference) == (9, True)
    assert (there.params.mask_actions, there.params.show_turn) == (True, True)


@pytest.mark.parametrize("switches", [{"num_pieces": 4}, {"num_agents": 4}, {"vision": 2}])
def test_a_mind_refuses_worlds_that_its_network_does_not_fit(switches: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="was trained in n3_w4_c3 and cannot play in"):
        make_mind().into(Params(**switches))


# Input


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: make_mind("consevative"), "no belief 'consevative'; did you mean 'conservative'"),
        (lambda: make_mind(kind="symetric"), "unknown network 'symetric'; did you mean 'symmetric'"),
        (lambda: make_mind(kind="symmetric", network={"piece_unit": 3}), "no field 'piece_unit'; did you mean"),
        (lambda: make_mind(network={"literal_guess": True}), "feedforward network has no field 'literal_guess'"),
        (lambda: make_mind("estimated", network={"literal_guess": 1}), "literal_guess is 1; expected true or false"),
        (lambda: make_mind(kind="symmetric", network={"piece_units": [4]}), r"piece_units is \[4\]; expected a whole"),
        (lambda: make_mind("estimated", "feedforward"), "belief 'estimated' comes with its own network"),
    ],
)
def test_what_is_not_known_is_refused_with_the_nearest_name(make: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        make()


def test_a_mind_is_known_by_its_parts() -> None:
    """Compiled programs are kept by mind: equal minds must share them and different ones must not."""
    assert make_mind("greedy") == make_mind("greedy")
    assert hash(make_mind("greedy")) == hash(make_mind("greedy"))
    assert len({make_mind("greedy"), make_mind("conservative"), make_mind("greedy", units=9)}) == 3
    assert isinstance(make_mind("greedy"), BeliefPolicy)
