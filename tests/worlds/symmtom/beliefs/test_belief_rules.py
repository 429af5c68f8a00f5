"""What agents can think that others know: the paper's matrices, against the truth, the ledger and plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.worlds.symmtom.beliefs import belief_rules
from otherminds.worlds.symmtom.beliefs.belief_rules import ATTENTIVE, CONSERVATIVE, GREEDY, ZEROTH, Belief, BeliefRule
from otherminds.worlds.symmtom.bits import own_of
from otherminds.worlds.symmtom.ledger import open_ledger
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import Params, State
from tests.reference.pairing import random_params
from tests.worlds.symmtom.playing import (
    Cell,
    Played,
    huddle,
    knowing,
    play,
    recharges_in,
    sets_of,
    start,
    states_of,
    turn,
)

RULES = {"zeroth": ZEROTH, "conservative": CONSERVATIVE, "attentive": ATTENTIVE, "greedy": GREEDY}
SWITCHES: list[dict[str, Any]] = [
    {},
    {"base": "proportional"},
    {"base_pays_at_once": True},
    {"interference": True},
    {"decay": 4},
]
seeds = st.integers(0, 2**32 - 1)


def begin(state: State, params: Params, rule: BeliefRule) -> Belief:
    return belief_rules.begin(perceive(state, params), params, rule)


def follow(belief: Belief, state: State, params: Params, rule: BeliefRule) -> Belief:
    return belief_rules.update(belief, perceive(state, params), params, rule)


def matrices(turns: list[Played], params: Params, rule: BeliefRule) -> list[Any]:
    """The belief of everyone about everyone after each turn, from the start, ``[observer, subject, world]`` each."""
    belief = begin(turns[0].before, params, rule)
    found = [belief.knows]
    for played in turns:
        belief = follow(belief, played.after, params, rule)
        found.append(belief.knows)
    return found


def after_one_turn(params: Params, state: State, rule: BeliefRule, pieces: list[int]) -> list[list[set[int]]]:
    belief = begin(state, params, rule)
    state, _ = turn(state, params, pieces=pieces)
    return [sets_of(row) for row in follow(belief, state, params, rule).knows]


# Spec section 14, item 4


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_everyone_knows_its_own_knowledge_in_a_thousand_episodes(rule: BeliefRule) -> None:
    params, rng = Params(num_pieces=4), np.random.default_rng(0)
    belief, recharges = None, 0
    for played in play(params, rng, (1_000,)):
        belief = belief or begin(played.before, params, rule)
        belief = follow(belief, played.after, params, rule)
        recharges += int((played.outcome.base > 0).sum())
        assert np.array_equal(own_of(np, belief.knows), played.after.knowledge)
    assert recharges > 500


@settings(max_examples=15)
@given(seeds, st.sampled_from(list(RULES.values())))
def test_everyone_knows_its_own_knowledge_under_any_options(seed: int, rule: BeliefRule) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(rng, num_turns=12)
    turns = list(play(params, rng, (4,)))
    for played, knows in zip(turns, matrices(turns, params, rule)[1:], strict=True):
        assert all(np.array_equal(knows[i, i], played.after.knowledge[i]) for i in range(params.num_agents))


@pytest.mark.parametrize(
    ("rule", "switches"),
    [
        *((r, s) for r in (CONSERVATIVE, GREEDY) for s in SWITCHES),
        # Whoever has just forgotten can still say a piece, and is credited with it: attentive beliefs err there.
        *((ATTENTIVE, s | {"speak_forgotten": False}) for s in SWITCHES if "decay" not in s),
    ],
    ids=lambda v: v.kind if isinstance(v, BeliefRule) else str(v),
)
def test_whoever_always_hears_everyone_knows_what_everyone_knows(rule: BeliefRule, switches: dict[str, Any]) -> None:
    params, turns = huddle(50, 60, **switches)
    belief = begin(turns[0].before, params, rule)
    for played in turns:
        state = played.after
        belief = follow(belief, state, params, rule)
        assert np.all(state.earshot == 0b1111 ^ (1 << np.arange(4, dtype=np.uint32))[:, None])
        assert np.array_equal(belief.knows, np.broadcast_to(state.knowledge, belief.knows.shape))
    assert recharges_in(turns) > 20


# The ledger's first-order fold


def resets(turns: list[Played], matrices: list[Any], params: Params) -> tuple[int, int]:
    """How often somebody was wrongly thought to recharge (phantom), and how often a recharge was missed."""
    phantom = missed = 0
    agents = range(params.num_agents)
    for played, before in zip(turns, matrices, strict=False):
        for k in agents:
            for j in agents:
                is_thought = played.after.uses_base[j] & (before[k, j] == params.all_pieces)
                is_true = played.after.uses_base[j] & (played.before.knowledge[j] == params.all_pieces)
                phantom += int((is_thought & ~is_true).sum())
                missed += int((is_true & ~is_thought).sum())
    return phantom, missed


def compare_with_ledger(params: Params, rng: np.random.Generator, worlds: int, rule: BeliefRule) -> tuple[int, int]:
    turns = list(play(params, rng, (worlds,)))
    found = matrices(turns, params, rule)
    for w in range(worlds):
        states = states_of(turns, w)
        ledger = open_ledger(params, states, credit_speaker=rule.credit_speaker)
        for k in range(params.num_agents):
            for knows, mind in zip(found, ledger.beliefs((k,)), strict=True):
                assert sets_of(knows[k, :, w]) == [set(pieces) for pieces in mind.knows]
    return resets(turns, found, params)


@pytest.mark.parametrize("rule", [CONSERVATIVE, ATTENTIVE], ids=["conservative", "attentive"])
def test_bit_masks_are_the_ledgers_first_order_fold_through_phantom_and_missed_recharges(rule: BeliefRule) -> None:
    params = Params(num_agents=3, width=4, num_pieces=3, num_turns=40)
    phantom, missed = compare_with_ledger(params, np.random.default_rng(0), 20, rule)
    assert phantom > 20
    assert missed > 20


@pytest.mark.parametrize("episodes", [pytest.param(25), pytest.param(600, marks=pytest.mark.slow)])
def test_bit_masks_are_the_ledgers_first_order_fold_under_any_options(episodes: int) -> None:
    rng = np.random.default_rng(1)
    for episode in range(episodes):
        compare_with_ledger(random_params(rng, competitive=None), rng, 2, (CONSERVATIVE, ATTENTIVE)[episode % 2])


def test_a_phantom_recharge_by_hand() -> None:
    """Agent 2 loses sight of what 0 knows, thinks it complete, sees it at home and thinks it has forgotten."""
    params = Params()
    state = start(params, [(0, 0), (1, 0), (5, 5)], ((0, 0), (3, 3), (5, 0)))
    thinks = begin(state, params, CONSERVATIVE)
    thinks = thinks._replace(knows=thinks.knows.copy())
    thinks.knows[2, 0] = params.all_pieces
    state, outcome = turn(state, params)
    assert outcome.base[0] == 0
    assert sets_of(follow(thinks, state, params, CONSERVATIVE).knows[2])[0] == {0}


def test_a_missed_recharge_by_hand() -> None:
    """Agent 2 could not know that 0 was complete, so it keeps thinking that 0 knows what it has heard."""
    params = Params()
    state = knowing(start(params, [(0, 0), (1, 0), (5, 5)], ((0, 0), (3, 3), (5, 0))), {0, 1, 2}, {1}, {2})
    thinks = begin(state, params, CONSERVATIVE)
    thinks = thinks._replace(knows=thinks.knows.copy())
    thinks.knows[2, 0] = 0b011
    state, outcome = turn(state, params)
    assert outcome.base[0] == 6
    assert sets_of(follow(thinks, state, params, CONSERVATIVE).knows[2])[0] == {0, 1}


# Each kind by hand

LINE: list[Cell] = [(1, 1), (2, 1), (3, 1)]  # 0 and 2 are in range of 1, not of each other


def test_conservative_beliefs_count_what_the_observer_said_and_heard() -> None:
    params = Params()
    found = after_one_turn(params, start(params, LINE), CONSERVATIVE, [0, 1, 2])
    assert found[1] == [{0, 1}, {0, 1, 2}, {1, 2}]
    assert found[0] == [{0, 1}, {0, 1}, {1, 2}]


def test_attentive_beliefs_also_credit_the_speaker() -> None:
    params = Params()
    state = knowing(start(params, LINE), {0}, {1, 2}, {2})
    assert after_one_turn(params, state, CONSERVATIVE, [-1, 2])[0] == [{0, 2}, {1}, {2}]
    assert after_one_turn(params, state, ATTENTIVE, [-1, 2])[0] == [{0, 2}, {1, 2}, {2}]


def test_attentive_beliefs_credit_a_piece_said_from_a_memory_just_lost() -> None:
    params = Params()
    state = knowing(start(params, LINE), {0}, {1, 2}, {2})._replace(knowledge=np.asarray([1, 2, 4], np.uint32))
    assert after_one_turn(params, state, ATTENTIVE, [-1, 2])[0] == [{0, 2}, {1, 2}, {2}]


def test_greedy_beliefs_suppose_a_useful_word_where_nothing_was_heard() -> None:
    params = Params()
    state = start(params, [(5, 5), (0, 0), (1, 0)])
    assert after_one_turn(params, state, CONSERVATIVE, [])[0] == [{0}, {1}, {2}]
    assert after_one_turn(params, state, GREEDY, [])[0] == [{0}, {1, 2}, {1, 2}]


def test_greedy_beliefs_suppose_the_piece_that_fewest_in_range_know() -> None:
    params = Params(num_agents=4, num_pieces=4)
    far = [(5, 5), (5, 0), (0, 5), (5, 3)]
    state = start(params, [(5, 5), (0, 0), (1, 0), (1, 1)], far, ({0}, {1, 2, 3}, {1, 2}, {1}))
    found = after_one_turn(params, state, GREEDY, [])[0]
    assert found == [{0}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}]


def test_greedy_beliefs_suppose_nothing_of_a_speaker_that_was_heard_to_be_silent() -> None:
    params = Params()
    assert after_one_turn(params, start(params, LINE), GREEDY, [])[1] == [{0}, {1}, {2}]


def test_zeroth_order_claims_nothing_of_others() -> None:
    params = Params()
    found = after_one_turn(params, start(params, LINE), ZEROTH, [0, 1, 2])
    assert found == [[{0, 1}, set(), set()], [set(), {0, 1, 2}, set()], [set(), set(), {1, 2}]]


@settings(max_examples=15)
@given(seeds)
def test_zeroth_order_is_the_diagonal_of_conservative_belief(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(rng, num_turns=12)
    turns = list(play(params, rng, (3,)))
    diagonal = np.eye(params.num_agents, dtype=bool)[:, :, None]
    for none, all_of_it in zip(matrices(turns, params, ZEROTH), matrices(turns, params, CONSERVATIVE), strict=True):
        assert np.array_equal(none, np.where(diagonal, all_of_it, 0))


def test_private_first_hand_pieces_are_unknown_at_the_start() -> None:
    params = Params(private_first_hand=True)
    belief = begin(start(params, LINE), params, CONSERVATIVE)
    assert [sets_of(row) for row in belief.knows] == [
        [{0}, set(), set()],
        [set(), {1}, set()],
        [set(), set(), {2}],
    ]


# Alternative readings


def two_turns(thought: set[int], pieces: list[int]) -> set[int]:
    """What agent 1 thinks of agent 0, which stands at home, after a turn; before it, it thought that 0 knew this."""
    params = Params()
    state = start(params, LINE, ((1, 1), (5, 5), (5, 0)))
    belief = begin(state, params, CONSERVATIVE)
    belief = belief._replace(knows=belief.knows.copy())
    belief.knows[1, 0] = sum(1 << piece for piece in thought)
    state, _ = turn(state, params, pieces=pieces)
    return sets_of(follow(belief, state, params, CONSERVATIVE).knows[1])[0]


def test_a_recharge_keeps_first_hand_pieces() -> None:
    assert two_turns({0, 1, 2}, []) == {0}


def test_completeness_is_judged_before_this_turns_hearing() -> None:
    assert two_turns({0, 2}, [-1, 1]) == {0, 1, 2}


def test_a_piece_from_two_sources_does_not_survive_a_recharge() -> None:
    params = Params(num_pieces=2, owners=2)
    state = start(params, LINE, ((1, 1), (5, 5), (5, 0)), ({0}, {0, 1}, {1}))
    belief = begin(state, params, ATTENTIVE)
    belief = belief._replace(knows=belief.knows | np.uint32(0b11))
    after, _ = turn(state, params, pieces=[0, 1])
    assert sets_of(follow(belief, after, params, ATTENTIVE).knows[1])[0] == {0}


def test_only_unheard_speakers_are_guessed_of() -> None:
    params = Params()
    state = start(params, LINE)
    assert after_one_turn(params, state, GREEDY, [])[0] == [{0}, {1, 2}, {2}]


@settings(max_examples=15)
@given(seeds, st.sampled_from([CONSERVATIVE, GREEDY, ATTENTIVE]))
def test_a_belief_is_made_from_the_percepts_of_its_holder_alone(seed: int, rule: BeliefRule) -> None:
    """Percepts of others are scrambled; the observer's row stays."""
    rng = np.random.default_rng(seed)
    params = random_params(rng, num_turns=6)
    turns = list(play(params, rng))
    belief = begin(turns[0].before, params, rule)
    k = int(rng.integers(params.num_agents))
    for played in turns:
        sight = perceive(played.after, params)
        other = (k + 1) % params.num_agents
        scrambled = sight._replace(utterance=sight.utterance.copy(), earshot=sight.earshot.copy())
        scrambled.utterance[other] = 1
        scrambled.earshot[other] = (1 << params.num_agents) - 1
        expected = belief_rules.update(belief, sight, params, rule)
        assert np.array_equal(belief_rules.update(belief, scrambled, params, rule).knows[k], expected.knows[k])
        belief = expected
