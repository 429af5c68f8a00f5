"""Minds of every order: what each holds possible of everyone's knowledge after the same history."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.beliefs import bayes, belief_rules, tom_orders
from otherminds.worlds.symmtom.beliefs.bayes import BayesMemory, BayesRule, shares
from otherminds.worlds.symmtom.beliefs.belief_rules import ATTENTIVE
from otherminds.worlds.symmtom.beliefs.speech_model import OBLIGE
from otherminds.worlds.symmtom.beliefs.tom_orders import MINDS
from otherminds.worlds.symmtom.bits import contains
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.scenarios import find_scenario
from otherminds.worlds.symmtom.scenarios.staging import history_of, trial_state
from otherminds.worlds.symmtom.types import Params, State
from tests.worlds.symmtom.playing import Cell, huddle, play, recharges_in, sets_of, start, turn

PARAMS = Params()
LINE: list[Cell] = [(1, 1), (2, 1), (3, 1)]  # 0 and 2 are in range of 1, not of each other
APART: list[Cell] = [(5, 5), (0, 0), (1, 0)]  # 1 and 2 are in range of each other, out of that of 0


def thoughts_of(mind: str, states: list[State], params: Params = PARAMS, particles: int = 256) -> tom_orders.Possible:
    """What everyone holds possible after a history, from its start, if everyone has that mind."""
    rule, rng = tom_orders.rule_of(mind, particles), np.random.default_rng(0)
    memory = tom_orders.begin(perceive(states[0], params), params, rule)
    for state in states[1:]:
        memory = tom_orders.update(memory, perceive(state, params), params, rule, rng, state.last_reward)
    return tom_orders.possible(memory, perceive(states[-1], params), rule)


def played(state: State, *spoken: list[int], params: Params = PARAMS) -> list[State]:
    """A history in which everyone stands still, from what each says in each turn."""
    states = [state]
    for pieces in spoken:
        states.append(turn(states[-1], params, pieces=pieces)[0])
    return states


def only(found: tom_orders.Possible, observer: int) -> list[set[int]]:
    """The one state of affairs that an observer holds possible."""
    assert found.knowledge.shape[2] == 1
    return sets_of(found.knowledge[:, observer, 0])


def likely(found: tom_orders.Possible, params: Params = PARAMS) -> Any:
    """``float32 [observer, subject, piece]``."""
    return shares(found.weight, [contains(found.knowledge, piece) for piece in range(params.num_pieces)])


def in_scenario(name: str, case: str, mind: str, who: int, piece: int) -> float:
    """How probable the tested agent finds it that somebody knows a piece, after the history of a case."""
    scenario = find_scenario(name)
    states = history_of(scenario, scenario.case(case))
    return float(likely(thoughts_of(mind, states, scenario.params), scenario.params)[0, who, piece])


# Each mind by hand


def test_no_mind_at_all_knows_first_hand_pieces_only() -> None:
    found = thoughts_of("none", played(start(PARAMS, LINE), [0, 1, 2]))
    assert [only(found, i) for i in range(3)] == [[{0}, {1}, {2}]] * 3


def test_zeroth_order_remembers_its_own_knowledge_and_nothing_of_others() -> None:
    found = thoughts_of("0", played(start(PARAMS, LINE), [0, 1, 2]))
    assert only(found, 1) == [{0}, {0, 1, 2}, {2}]
    assert only(found, 0) == [{0, 1}, {1}, {2}]


def test_evidence_counts_what_was_said_and_heard() -> None:
    found = thoughts_of("evidence", played(start(PARAMS, LINE), [0, 1, 2]))
    assert only(found, 1) == [{0, 1}, {0, 1, 2}, {1, 2}]


def test_evidence_never_guesses() -> None:
    found = thoughts_of("evidence", played(start(PARAMS, APART), [-1, 1, 2]))
    assert only(found, 0) == [{0}, {1}, {2}]


@pytest.mark.parametrize("mind", ["1", "2"])
def test_first_and_second_order_infer_a_telling_they_could_not_hear(mind: str) -> None:
    found = likely(thoughts_of(mind, played(start(PARAMS, APART), [-1, 1, 2])))
    assert found[0, 1, 2] > 0.9
    assert found[0, 2, 1] > 0.9


@pytest.mark.parametrize("mind", ["1", "2"])
def test_inference_is_not_from_the_truth(mind: str) -> None:
    """Two who kept silent out of hearing are thought of as two who talked."""
    talked, silent = (thoughts_of(mind, played(start(PARAMS, APART), said)) for said in ([-1, 1, 2], [-1, -1, -1]))
    assert np.array_equal(likely(talked)[0], likely(silent)[0])


@pytest.mark.parametrize("mind", ["1", "2"])
def test_a_silence_that_was_heard_is_evidence_of_nothing_to_tell(mind: str) -> None:
    """Blue has met green, who has piece 2; red then stands beside blue and hears nothing, or stays away."""
    assert in_scenario("silence_w6", "away", mind, who=1, piece=2) > 0.8
    assert in_scenario("silence_w6", "silent", mind, who=1, piece=2) < 0.5


@pytest.mark.parametrize("mind", MINDS[1:])
def test_every_mind_of_an_order_knows_its_own_knowledge(mind: str) -> None:
    params = Params(num_turns=12)
    turns = list(play(params, np.random.default_rng(3)))
    states = [turns[0].before, *(t.after for t in turns)]
    found = thoughts_of(mind, states, params, particles=16)
    for i in range(3):
        assert (found.knowledge[i, i] == states[-1].knowledge[i]).all()


def test_a_mind_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(UserError, match="there is no mind 'evidense'; did you mean 'evidence'"):
        tom_orders.rule_of("evidense")


def test_orders_one_and_two_suppose_that_others_speak_as_well_as_they_can() -> None:
    assert tom_orders.rule_of("1", 32) == BayesRule(32, (OBLIGE,), order=1)
    assert tom_orders.rule_of("2", 32) == BayesRule(32, (OBLIGE,), order=2)


# What only the second order tells apart


def hearsay(case: str, mind: str) -> float:
    """How probable red finds it that green has the piece red lacks."""
    return in_scenario("hearsay_w6", case, mind, who=2, piece=2)


def test_second_order_goes_by_what_the_speaker_could_tell_of_its_listener() -> None:
    """In public, blue heard what green had got from red; in secret, it did not, and may have repeated that."""
    assert hearsay("public", "2") > 0.8
    assert hearsay("secret", "2") < 0.5


def test_first_order_takes_the_speaker_to_know_its_listener_in_either_case() -> None:
    assert hearsay("public", "1") > 0.8
    assert hearsay("secret", "1") > 0.8


@pytest.mark.parametrize("mind", ["none", "0", "evidence"])
def test_minds_that_do_not_infer_never_credit_the_listener(mind: str) -> None:
    assert hearsay("public", mind) == hearsay("secret", mind) == 0.0


def test_the_listener_truly_has_the_piece_in_public_only() -> None:
    scenario = find_scenario("hearsay_w6")
    truth = {case.name: int(trial_state(scenario, case).knowledge[2]) >> 2 & 1 for case in scenario.cases}
    assert truth == {"public": 1, "secret": 0}


# The thoughts of those who are thought of


def test_thoughts_are_the_attentive_belief_where_everyone_hears_everything() -> None:
    params, turns = huddle(10, 40)
    rule, rng = BayesRule(8, (OBLIGE,), order=2), np.random.default_rng(0)
    sight = perceive(turns[0].before, params)
    memory, belief = bayes.begin(sight, params, rule), belief_rules.begin(sight, params, ATTENTIVE)
    for played in turns:
        sight = perceive(played.after, params)
        memory = bayes.update(memory, sight, params, rule, rng, played.after.last_reward)
        belief = belief_rules.update(belief, sight, params, ATTENTIVE)
        assert np.array_equal(memory.thinks, np.broadcast_to(belief.knows[:, :, None, None], memory.thinks.shape))
    assert recharges_in(turns) > 5


def test_thoughts_of_oneself_are_the_knowledge_of_the_possible_world() -> None:
    params, rule, rng = Params(num_turns=15), BayesRule(16, (OBLIGE,), order=2), np.random.default_rng(0)
    memory = None
    for one in play(params, rng, (5,)):
        memory = memory or bayes.begin(perceive(one.before, params), params, rule)
        memory = bayes.update(memory, perceive(one.after, params), params, rule, rng, one.after.last_reward)
        for agent in range(3):
            assert np.array_equal(memory.thinks[agent, agent], memory.knowledge[agent])


def test_a_first_order_mind_carries_no_thoughts() -> None:
    assert bayes.begin(perceive(start(PARAMS, LINE), PARAMS), PARAMS, BayesRule(4)).thinks == ()


def given_words(key: Any, shape: tuple[int, ...], stream: str) -> Any:
    return key[stream]


@pytest.mark.parametrize("switches", [{}, {"private_first_hand": True, "interference": True}], ids=str)
def test_numpy_and_jax_find_the_same_at_the_second_order(
    switches: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bayes, "random_words", given_words)
    params, rule, rng = Params(num_turns=15, **switches), BayesRule(8, order=2), np.random.default_rng(0)
    turns = list(play(params, rng, (6,)))
    shapes = {"bayes/copy": (3, 6), "bayes/speech": (3, 3, 8, 6)}

    def follow(memory: BayesMemory, state: State, words: Any) -> BayesMemory:
        return bayes.update(memory, perceive(state, params), params, rule, words, state.last_reward)

    compiled = jax.jit(follow)
    begin = partial(bayes.begin, params=params, rule=rule)
    ours = begin(perceive(turns[0].before, params))
    theirs = begin(perceive(State(*map(jnp.asarray, turns[0].before)), params))
    for one in turns:
        words = {stream: rng.integers(2**32, size=shape, dtype=np.uint32) for stream, shape in shapes.items()}
        ours = follow(ours, one.after, words)
        theirs = compiled(theirs, State(*map(jnp.asarray, one.after)), words)
        assert np.array_equal(ours.knowledge, theirs.knowledge)
        assert np.array_equal(ours.thinks, theirs.thinks)
        assert np.allclose(ours.weight, theirs.weight, rtol=1e-5)
