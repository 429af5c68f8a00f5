"""Scripted players do what their scripts say, the same on both engines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from otherminds.worlds.symmtom import record
from otherminds.worlds.symmtom.minds import scripted
from otherminds.worlds.symmtom.minds.rollout import rollout
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params, State

PAPER = dict(zip(PAPER_SETTINGS, (39, 53, 58, 37, 58, 71, 60, 74, 74, 59, 86, 99), strict=True))
PAPER_SD = dict(zip(PAPER_SETTINGS, (11, 13, 13, 12, 15, 15, 15, 15, 16, 18, 18, 18), strict=True))
SCRIPTED_BELIEF = dict(zip(PAPER_SETTINGS, (66, 89, 103, 62, 93, 116, 101, 133, 154, 94, 138, 172), strict=True))
POLICIES = [
    scripted.STILL,
    scripted.RANDOM,
    scripted.HEURISTIC,
    scripted.BELIEF,
    scripted.BELIEF_ZEROTH,
    scripted.BELIEF_GREEDY,
    scripted.ORACLE,
]


def board(cells: Any, bases: Any, first_hand: Any, **switches: Any) -> tuple[Params, State]:
    params = Params(num_agents=len(cells), width=6, num_pieces=sum(map(len, first_hand)), **switches)
    return params, record.start_state(params, {"cells": cells, "bases": bases, "first_hand": first_hand})


def choices(policy: Any, params: Params, state: State) -> tuple[list[int], list[int]]:
    sight = policy.look(state, params)
    action, _ = policy.act(policy.begin(sight, params), sight, params, np.random.default_rng(0))
    return [int(m) for m in action.move], [int(p) for p in action.piece]


def test_heuristic_walks_along_x_first_to_the_centre_and_says_its_first_piece() -> None:
    params, state = board([(0, 0), (3, 0), (3, 3)], [(5, 5), (0, 5), (5, 0)], [[1], [0], [2]])
    moves, pieces = choices(scripted.HEURISTIC, params, state)
    assert moves == [scripted.RIGHT, scripted.UP, scripted.STAY]
    assert pieces == [1, 0, 2]


def test_heuristic_says_its_pieces_in_turn() -> None:
    params, state = board([(0, 0), (5, 5)], [(1, 1), (2, 2)], [[0, 2], [1]])
    memory = scripted.HEURISTIC.begin(perceive(state, params), params)
    said = []
    for _ in range(4):
        action, memory = scripted.HEURISTIC.act(memory, perceive(state, params), params, None)
        said.append(int(action.piece[0]))
    assert said == [0, 2, 0, 2]


def test_believer_says_what_its_neighbour_is_thought_to_lack() -> None:
    params, state = board([(0, 0), (0, 1), (5, 5)], [(1, 1), (2, 2), (3, 3)], [[0, 1], [2], [3]])
    state = state._replace(  # agent 1 has heard piece 0 from agent 0 already
        knowledge=state.knowledge | np.asarray([0, 1, 0], dtype=np.uint32),
        previous_knowledge=state.knowledge,
    )
    assert choices(scripted.ORACLE, params, state)[1][0] == 1


def test_believer_goes_home_when_it_knows_everything() -> None:
    params, state = board([(0, 3), (5, 5)], [(4, 3), (0, 0)], [[0, 1, 2], []])
    assert choices(scripted.BELIEF, params, state)[0][0] == scripted.RIGHT


def test_who_has_nothing_to_say_is_silent() -> None:
    params, state = board([(0, 3), (5, 5)], [(4, 3), (0, 0)], [[0], []])
    for policy in (scripted.HEURISTIC, scripted.BELIEF):
        assert choices(policy, params, state)[1][1] == -1


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: str(policy.name))
def test_a_rollout_repeats_with_its_seed_and_changes_with_it(policy: Any) -> None:
    params = Params(num_agents=3, width=5, num_pieces=4)
    first, again, other = (rollout(params, policy, seed, 40, "numpy") for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    if policy is not scripted.STILL:
        assert not np.array_equal(first.reward, other.reward)


@pytest.mark.slow
def test_tracking_others_pays_and_knowing_them_pays_more() -> None:
    params = Params.from_setting("n4_w6_c8")
    zeroth, belief, oracle = (
        float(rollout(params, policy, 0, 1500, "jax").reward.mean())
        for policy in (scripted.BELIEF_ZEROTH, scripted.BELIEF, scripted.ORACLE)
    )
    assert zeroth + 10 < belief < oracle - 10


def test_both_engines_score_a_policy_alike() -> None:
    params = Params.from_setting("n3_w6_c3")
    ours, theirs = (rollout(params, scripted.HEURISTIC, 0, 4000, engine).reward.mean() for engine in ("numpy", "jax"))
    assert abs(ours - theirs) < 1.0  # four standard errors of a difference of means


def test_an_episode_that_ends_early_counts_no_turn_after_its_end() -> None:
    params = Params.from_setting("n3_w6_c3", competitive=2, bonus=100)
    tally = rollout(params, scripted.BELIEF, 0, 300, "numpy")
    assert tally.correct_base_uses.max() <= 2
    assert set(np.unique(tally.bonus)) <= {-100.0, 0.0, 100.0}


@pytest.mark.parametrize("setting", ["n3_w6_c3", pytest.param("n4_w12_c12", marks=pytest.mark.slow)])
def test_heuristic_and_believer_reach_their_published_figures(setting: str) -> None:
    check_setting(setting, 4000, margin=1.5)


@pytest.mark.slow
@pytest.mark.parametrize("setting", PAPER_SETTINGS)
def test_all_twelve_settings_reach_their_published_figures(setting: str) -> None:
    check_setting(setting, 20_000, margin=1.5)


def check_setting(setting: str, episodes: int, margin: float) -> None:
    params = Params.from_setting(setting)
    scores = rollout(params, scripted.HEURISTIC, 0, episodes, "jax").reward.mean(axis=0)
    assert abs(scores.mean() - PAPER[setting]) < margin
    assert abs(scores.std() - PAPER_SD[setting]) < 2.5
    belief = rollout(params, scripted.BELIEF, 0, episodes, "jax").reward.mean()
    assert belief > SCRIPTED_BELIEF[setting] - 2
