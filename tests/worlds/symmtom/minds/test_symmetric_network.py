"""The touring network: what it is told of visits, that its symmetries hold, and beliefs that count recharges."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.minds.belief_parts import Counting, find_belief, slots
from otherminds.worlds.symmtom.minds.features import BASE, OFFSET, TEACHES, Frame, Situation
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy
from otherminds.worlds.symmtom.minds.symmetric_network import visits_of
from otherminds.worlds.symmtom.types import Params
from tests.worlds.symmtom.learn.making import logits_along, make_mind, make_variables, on_jax, states, thoughts
from tests.worlds.symmtom.minds.test_features_symmetry import SWITCHES, TURNS, relabelled_agents


@pytest.mark.slow
def test_features_stand_where_they_are_looked_for() -> None:
    mind = make_mind("attentive", "touring", num_turns=8)
    state = states(mind.params, 5, 20, 6)[-1]
    sight, said = thoughts(mind, states(mind.params, 5, 20, 6))[-1]
    found = mind.situation(sight, said)
    for k in range(3):
        far = np.abs([state.base_x[k] - state.x[k], state.base_y[k] - state.y[k]])
        np.testing.assert_allclose(np.sort(4 * np.asarray(found.own[k][:, list(BASE)])), np.sort(far.T), atol=1e-5)
        for slot, j in enumerate(j for j in range(3) if j != k):
            gap = np.abs([state.x[j] - state.x[k], state.y[j] - state.y[k]])
            seen = np.abs(4 * np.asarray(found.other[k][:, slot, list(OFFSET)]))
            np.testing.assert_allclose(np.sort(seen), np.sort(gap.T), atol=1e-5)
    known = np.asarray(found.other_facts[..., 0])
    can_say = rules.speakable(state, mind.params)[:, :, None] & ~known
    taught = sum((can_say >> np.uint32(p)) & 1 for p in range(3))
    np.testing.assert_allclose(3 * np.asarray(found.other[..., TEACHES]), taught, atol=1e-5)


def test_visits_are_described_as_worked_out_by_hand() -> None:
    """The base lies 2 right and 1 up; one other 3 right, one 1 left and 2 up; pieces are known for certain."""
    own, other = np.zeros(10, np.float32), np.zeros((2, 38), np.float32)
    own[list(BASE)] = 2 / 4, 1 / 4
    other[:, list(OFFSET)] = np.asarray([[3, 0], [-1, 2]]) / 4
    other[:, TEACHES] = 1 / 3, 0
    own_facts = np.asarray([0, 0b001, 0], np.uint32)
    other_facts = np.asarray([[0b010, 0, 0], [0b101, 0, 0]], np.uint32)
    frame = Frame(*(jnp.zeros((), bool) for _ in Frame._fields))
    facts = jnp.asarray(own_facts), jnp.asarray(other_facts)
    found = visits_of(Situation(jnp.asarray(own), jnp.asarray(other), *facts, frame), 3)
    # To the first: 2 steps, and from there 1 home; it has one piece to hear, can be told one of one; not complete yet.
    first = [2 / 4, 1 / 4, 1, 1, 1, 0, 0]
    # On to the second, 2 left and 1 up, whence it is 2 home; it adds a piece, lacks one, and then all are known.
    np.testing.assert_allclose(found[0, 1], [*first, 3 / 4, 2 / 4, 1, 1, 1, 1], atol=1e-6)
    np.testing.assert_allclose(found[0, 0], [*first, 0, 0, 0, 0, 0, 0], atol=1e-6)


def test_danger_counts_by_how_probably_one_visit_would_complete_the_other() -> None:
    """Both others would win by their next recharge; only the first would be complete with what the agent can tell."""
    other, frame = np.zeros((2, 38), np.float32), Frame(*(jnp.zeros((), bool) for _ in Frame._fields))
    other[:, 0] = 1
    own_facts, other_facts = np.asarray([0, 0b011, 0], np.uint32), np.asarray([[0b110, 0, 0], [0b010, 0, 0]], np.uint32)
    own, others, mine, theirs = map(jnp.asarray, (np.zeros(10, np.float32), other, own_facts, other_facts))
    found = visits_of(Situation(own, others, mine, theirs, frame), 3, is_wary=True)
    np.testing.assert_array_equal(found[0, :, 7:9], [[1, 1], [1, 1]])
    np.testing.assert_array_equal(found[1, :, 7:9], [[1, 0], [1, 0]])


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (3, 0, 2, 1)])
def test_relabelling_agents_relabels_their_decisions_and_nothing_else(order: tuple[int, ...]) -> None:
    mind = make_mind("attentive", "touring", **SWITCHES)
    weights = make_variables(mind)
    seen = states(mind.params, 2, 30, TURNS)
    ours = logits_along(mind, weights, seen)[-1]
    theirs = logits_along(mind, weights, [relabelled_agents(state, order) for state in seen])[-1]
    np.testing.assert_allclose(theirs[list(order)], ours, rtol=1e-3, atol=1e-3)


@pytest.mark.slow
def test_who_has_recharged_as_often_as_is_short_of_winning_is_a_danger_and_only_where_agents_compete() -> None:
    for competitive in (None, 2):
        mind = make_mind("wary", "touring", network={"is_wary": True}, competitive=competitive).with_particles(4)
        seen = states(mind.params, 4, 60, 8)
        belief = mind.begin(mind.look(on_jax(seen[0]))).belief
        for number, state in enumerate(seen):
            sight = mind.look(on_jax(state))
            belief, said = mind.revise(belief, sight, jax.random.key(number))
            assert isinstance(belief, Counting)
            danger = np.asarray(belief.recharges > 0.5) if competitive else np.zeros((3, 3, 60), bool)
            np.testing.assert_array_equal(said[:, 9:], slots(danger))
            np.testing.assert_array_equal(np.moveaxis(mind.situation(sight, said).other[..., 0], 2, 1), said[:, 10:])
        assert np.any(belief.recharges > 0.5)


def test_a_mind_in_training_may_hold_fewer_possible_worlds() -> None:
    params = Params.from_setting("n3_w6_c3")
    for name, expected in (("wary", 16), ("attentive", None)):
        mind = BeliefPolicy(params, find_belief(name), kind="symmetric").with_particles(16)
        assert getattr(mind.belief.rule, "particles", None) == expected
