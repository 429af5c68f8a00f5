"""The Bayesian belief: exact where things are certain, and revised where evidence bears on the past."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom import chance, rules
from otherminds.worlds.symmtom.beliefs import bayes
from otherminds.worlds.symmtom.beliefs.bayes import BAYES, BayesRule
from otherminds.worlds.symmtom.bits import unpack
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import Params, State
from tests.reference.pairing import random_params
from tests.worlds.symmtom.beliefs.bayesian import BASES, SMALL, begin, follow, history, seeds
from tests.worlds.symmtom.playing import (
    Played,
    huddle,
    play,
    recharges_in,
    start,
    turn,
)


def truth_of(state: State, params: Params) -> Any:
    return unpack(np, state.knowledge, params.num_pieces)


def covered_params(rng: np.random.Generator, **fixed: Any) -> Params:
    """A world of any rules this belief covers."""
    return random_params(rng, vision=None, decay=None, directions="realised", **fixed)


# What is certain


@settings(max_examples=15)
@given(seeds)
def test_everyone_knows_its_own_knowledge_under_any_options(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = covered_params(rng, num_turns=12)
    memory = None
    for played in play(params, rng, (3,)):
        memory = memory or begin(played.before, params, SMALL)
        memory = follow(memory, played.after, params, SMALL, rng)
        found, truth = bayes.probability(memory, params), truth_of(played.after, params)
        assert all(np.array_equal(found[i, i], truth[i]) for i in range(params.num_agents))


def surely(turns: list[Played], params: Params) -> Any:
    """By plain loops: after each turn, the pieces each observer can be sure that each agent has or cannot have.

    Sure is what an agent was heard to say, or heard along with the observer, and cannot have forgotten at its base.
    Impossible is what nobody in range of it could have said.
    """
    agents = range(params.num_agents)
    first = [{p for p in range(32) if int(f) >> p & 1} for f in turns[0].before.first_hand]
    sure = [[set(first[j]) for j in agents] for _ in agents]
    can = [[set(first[j]) for j in agents] for _ in agents]
    for played in turns:
        said, earshot = played.after.utterance, played.after.earshot
        before = [[set(pieces) for pieces in row] for row in can]
        for k in agents:
            for j in agents:
                proved = set()
                for s in agents:
                    is_audible = s == k or int(earshot[k]) >> s & 1
                    spoken = {p for p in range(32) if int(said[s]) >> p & 1} if is_audible else before[k][s]
                    if int(earshot[j]) >> s & 1:
                        can[k][j] |= spoken
                        proved |= spoken if is_audible else set()
                    elif s == j and j != k and is_audible:
                        proved |= spoken
                        can[k][j] |= spoken
                if played.after.uses_base[j] or played.before.uses_base[j]:
                    sure[k][j] = set(first[j])  # it may have forgotten, also what it has just said
                else:
                    sure[k][j] |= proved
        yield played, sure, can


def test_what_is_proved_has_probability_one_and_what_is_impossible_none() -> None:
    params, rng = Params(num_agents=4, num_pieces=4, num_turns=30), np.random.default_rng(0)
    proved = impossible = 0
    for _ in range(20):
        turns = list(play(params, rng))
        memory = begin(turns[0].before, params, SMALL)
        for played, sure, can in surely(turns, params):
            memory = follow(memory, played.after, params, SMALL, rng)
            found = bayes.probability(memory, params)
            for k, j, p in np.ndindex(4, 4, 4):
                if p in sure[k][j]:
                    assert found[k, j, p] == 1
                    proved += not int(played.after.first_hand[j]) >> p & 1
                elif p not in can[k][j]:
                    assert found[k, j, p] == 0
                    impossible += k != j
    assert proved > 1_000
    assert impossible > 1_000


@pytest.mark.parametrize(
    "switches", [{}, {"base": "proportional"}, {"base_pays_at_once": True}, {"interference": True}]
)
def test_whoever_always_hears_everyone_knows_what_everyone_knows(switches: dict[str, Any]) -> None:
    params, turns = huddle(25, 40, **switches)
    rng = np.random.default_rng(0)
    memory = begin(turns[0].before, params, SMALL)
    for played in turns:
        memory = follow(memory, played.after, params, SMALL, rng)
        truth = truth_of(played.after, params)
        assert np.array_equal(bayes.probability(memory, params), np.broadcast_to(truth, (4, *truth.shape)))
    assert recharges_in(turns) > 5


@settings(max_examples=15)
@given(seeds)
def test_a_belief_is_made_from_the_percepts_of_its_holder_alone(seed: int) -> None:
    """Percepts of others are scrambled; the observer's row stays."""
    rng = np.random.default_rng(seed)
    params = covered_params(rng, num_turns=6)
    turns = list(play(params, rng))
    memory = begin(turns[0].before, params, SMALL)
    k, other = rng.permutation(params.num_agents)[:2]
    for number, played in enumerate(turns):
        sight = perceive(played.after, params)
        scrambled = sight._replace(
            **{name: getattr(sight, name).copy() for name in ("utterance", "earshot", "uses_base")}
        )
        scrambled.utterance[other] = 1
        scrambled.earshot[other] = 0
        scrambled.uses_base[other] = (1 << params.num_agents) - 1
        expected, found = (
            bayes.update(memory, given, params, SMALL, np.random.default_rng(number)) for given in (sight, scrambled)
        )
        assert np.array_equal(bayes.probability(found, params)[k], bayes.probability(expected, params)[k])
        memory = expected


# Private first-hand pieces


@pytest.mark.parametrize(("num_pieces", "owners"), [(4, 1), (8, 1), (6, 2), (5, 3), (7, 1)])
def test_supposed_hands_are_balanced_and_leave_no_piece_out(num_pieces: int, owners: int) -> None:
    params = Params(num_agents=4, num_pieces=num_pieces, owners=owners, private_first_hand=True)
    state = rules.deal(chance.draw_deal(np.random.default_rng(0), params, (20,)), params)
    hands = begin(state, params).first_hand  # [agent, observer, particle, world]
    has = np.stack([(hands >> p) & 1 for p in range(num_pieces)])
    assert np.all(has.sum(axis=1) == owners)
    sizes = has.sum(axis=0)
    assert np.all(sizes.max(axis=0) - sizes.min(axis=0) <= 1)
    for k in range(4):
        assert np.all(hands[k, k] == state.first_hand[k])
    assert all(len(np.unique(hands[(k + 1) % 4, k, :, 0])) > 2 for k in range(4))


def test_a_private_piece_heard_belongs_to_nobody_else() -> None:
    params = Params(private_first_hand=True)
    state = start(params, [(1, 1), (2, 1), (5, 5)])
    found = history(state, params, [([], [-1, 1])])
    assert 0.3 < found[0][0, 1, 1] < 0.7
    assert 0.3 < found[0][0, 2, 1] < 0.7
    assert found[1][0, 1, 1] == 1
    assert found[1][0, 2, 1] < 0.01
    assert found[1][0, 2, 2] > 0.99


def test_pieces_that_nobody_was_supposed_to_own_find_their_owner() -> None:
    """With so many pieces, none of a few possible worlds has the right hand for 1, which says all of it."""
    params = Params(num_agents=4, num_pieces=16, private_first_hand=True)
    hands = ({0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15})
    state = start(params, [(1, 1), (2, 1), (5, 5), (0, 5)], BASES, hands)
    rng, memory = np.random.default_rng(0), begin(state, params, SMALL)
    for piece in hands[1]:
        state, _ = turn(state, params, pieces=[-1, piece])
        memory = follow(memory, state, params, SMALL, rng)
    mine = memory.first_hand[:, 0]  # [agent, particle], as 0 supposes
    assert np.all(mine[1] & 0xF0 == 0xF0)
    assert np.all(mine[2:] & 0xF0 == 0)
    assert np.all(mine[0] == 0x0F)


def test_whoever_is_supposed_to_own_a_piece_is_supposed_to_know_it() -> None:
    params, rng = Params(num_pieces=6, private_first_hand=True), np.random.default_rng(0)
    memory = None
    for played in play(params, rng, (20,)):
        memory = memory or begin(played.before, params)
        memory = follow(memory, played.after, params, BAYES, rng)
        assert np.all(memory.first_hand & ~memory.knowledge == 0)


# Refusals


@pytest.mark.parametrize("switches", [{"vision": 2}, {"decay": 3}])
def test_worlds_it_does_not_cover_are_refused(switches: dict[str, Any]) -> None:
    params = Params(**switches)
    state = start(params, [(0, 0), (1, 1), (2, 2)])
    name, value = next(iter(switches.items()))
    with pytest.raises(UserError, match=f"does not support {name}={value}"):
        begin(state, params)


@pytest.mark.parametrize("switches", [{"competitive": 2}, {"move_cost": 0.5, "directions": "intended"}])
def test_rewards_that_say_too_little_count_for_nothing(switches: dict[str, Any]) -> None:
    params = Params(**switches)
    state = start(params, [(0, 0), (1, 1), (2, 2)])
    memory, sight = begin(state, params), perceive(state, params)
    untold = bayes.update(memory, sight, params, BAYES, np.random.default_rng(0))
    told = bayes.update(memory, sight, params, BAYES, np.random.default_rng(0), state.last_reward + 5)
    assert np.array_equal(untold.weight, told.weight)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"particles": 48}, "particles is 48; expected a power of two"),
        ({"particles": 2048}, "particles is 2048; expected a power of two from 2 to 1024"),
    ],
)
def test_rules_that_cannot_work_are_refused(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        BayesRule(**values)
