"""The Bayesian belief: what later evidence, recharges and speech say of the past."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from otherminds.worlds.symmtom.beliefs import belief_rules
from otherminds.worlds.symmtom.beliefs.bayes import BAYES, BayesRule, shares
from otherminds.worlds.symmtom.beliefs.belief_rules import CONSERVATIVE
from otherminds.worlds.symmtom.beliefs.speech_model import BABBLE, RECITE, TELL, Manner
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import Params, State
from tests.worlds.symmtom.beliefs.bayesian import BASES, MANY, SMALL, Choices, begin, follow, history
from tests.worlds.symmtom.playing import (
    DOWN,
    LEFT,
    RIGHT,
    STAY,
    UP,
    Cell,
    knowing,
    start,
    turn,
)

# What evidence says of the past (spec 12.5 and 12.6, from the turn of the unheard utterance)

RED, GREEN, BLUE, YELLOW = range(4)


def test_of_two_pieces_an_unheard_speaker_may_have_said_each_is_about_as_probable() -> None:
    params = Params()
    cells: list[Cell] = [(1, 2), (4, 3), (3, 2)]
    state = start(params, cells, [(0, 5), (5, 0), (0, 0)], ({0}, {1}, {0, 2}))
    for x in (0, 2):
        found = history(state, params, [([], [-1, -1, x])], BayesRule(256, (RECITE,)))[-1]
        assert 0.35 < found[RED, GREEN, 0] < 0.6
        assert 0.35 < found[RED, GREEN, 2] < 0.6
        assert 0.85 < found[RED, GREEN, 0] + found[RED, GREEN, 2] <= 1
        assert found[BLUE, GREEN, x] == 1


def retroactive(x: int, variant: str, is_told: bool = True) -> tuple[list[Any], State, Params]:
    """Blue says x to green and yellow; four turns later green betrays what it heard (H), or red's reward does (R).

    Others are taken to tell what is wanted whenever they can: the scripts are silent otherwise, and a mind that has to
    learn how others speak would suppose that blue, too, was silent.
    """
    params = Params(num_agents=4, num_pieces=4)
    state = start(params, [(1, 2), (4, 3), (3, 2), (4, 1)], BASES, ({0, 2}, {1}, {0, 2}, {3}))
    last = [-1, x] if variant == "H" else [0]
    turns: list[Choices] = [
        ([], [-1, -1, x]),
        ([UP, STAY, LEFT], []),
        ([RIGHT, STAY, DOWN], []),
        ([RIGHT, STAY, LEFT], []),
        ([STAY, STAY, LEFT], last),
    ]
    return history(state, params, turns, BayesRule(256, (TELL,)), is_told), state, params


@pytest.mark.parametrize("variant", ["H", "R"])
@pytest.mark.parametrize("x", [0, 2])
def test_later_evidence_about_one_listener_tells_what_the_other_heard(x: int, variant: str) -> None:
    found, _, _ = retroactive(x, variant)
    other = 2 - x
    assert 0.35 < found[-2][RED, YELLOW, x] < 0.65
    assert 0.35 < found[-2][RED, YELLOW, other] < 0.65
    assert found[-1][RED, YELLOW, x] >= 0.95
    assert found[-1][RED, YELLOW, other] <= 0.05


@pytest.mark.parametrize("x", [0, 2])
def test_without_its_reward_red_cannot_tell(x: int) -> None:
    found, _, _ = retroactive(x, "R", is_told=False)
    assert 0.35 < found[-1][RED, YELLOW, 0] < 0.65
    assert 0.35 < found[-1][RED, YELLOW, 2] < 0.65


@pytest.mark.parametrize("x", [0, 2])
def test_the_reward_for_speaking_is_told_from_all_that_came_with_it(x: int) -> None:
    """Red speaks as it moves onto a base that pays, and hears something new in the same turn."""
    params = Params(num_agents=4, num_pieces=4, base="constant", base_reward=3.5, move_cost=0.75)
    bases: list[Cell] = [(3, 3), (5, 5), (2, 5), (5, 0)]
    state = start(params, [(1, 2), (4, 3), (3, 2), (4, 1)], bases, ({0, 2}, {1}, {0, 2}, {3}))
    turns: list[Choices] = [
        ([], [-1, -1, x]),
        ([UP, STAY, LEFT], []),
        ([RIGHT, STAY, DOWN], []),
        ([RIGHT, STAY, LEFT], [0, 1]),
    ]
    found = history(state, params, turns, BayesRule(256, (TELL,)))
    assert found[-1][RED, YELLOW, x] >= 0.95
    assert found[-1][RED, YELLOW, 2 - x] <= 0.05


@pytest.mark.parametrize("variant", ["H", "R"])
def test_a_conservative_mind_draws_no_such_conclusion(variant: str) -> None:
    _, state, params = retroactive(0, variant)
    belief = belief_rules.begin(perceive(state, params), params, CONSERVATIVE)
    moves = [[], [UP, STAY, LEFT], [RIGHT, STAY, DOWN], [RIGHT, STAY, LEFT], [STAY, STAY, LEFT]]
    says = [[-1, -1, 0], [], [], [], [-1, 0] if variant == "H" else [0]]
    for choice, pieces in zip(moves, says, strict=True):
        state, _ = turn(state, params, choice, pieces)
        belief = belief_rules.update(belief, perceive(state, params), params, CONSERVATIVE)
    assert belief.knows[RED, YELLOW] & 0b101 == 0


# Recharges and speech as evidence


def test_who_says_right_after_its_base_what_it_lacked_before_has_just_forgotten_it() -> None:
    """1 knows 0 and 1 and is told 2 out of 0's hearing, uses its base, and says 2 to 0 in the next turn."""
    params = Params()
    state = start(params, [(1, 1), (3, 1), (4, 1)], [(5, 5), (3, 1), (0, 5)], ({0}, {0, 1}, {2}))
    turns: list[Choices] = [([], [-1, -1, 2]), ([STAY, STAY, RIGHT], []), ([STAY, LEFT], [-1, 2])]
    for rule in (MANY, SMALL):
        found = history(state, params, turns, rule)
        assert 0 < found[1][0, 1, 2] < 1
        assert found[-1][0, 1, 2] == 0
        assert found[-1][0, 1, 1] == 1


def test_who_says_a_piece_long_after_its_base_has_not_forgotten_it() -> None:
    """As above, but 1 was told after it had used its base."""
    params = Params()
    state = start(params, [(1, 1), (3, 1), (4, 1)], [(5, 5), (4, 2), (0, 5)], ({0}, {0, 1}, {2}))
    turns: list[Choices] = [
        ([], [-1, -1, 2]),
        ([STAY, STAY, RIGHT], []),
        ([STAY, STAY, RIGHT], []),
        ([RIGHT], [-1, 2]),
    ]
    found = history(state, params, turns, MANY)
    assert 0 < found[1][0, 1, 2] < 1
    assert found[-1][0, 1, 2] == 1


def standing_by(pieces: list[int], manner: Manner) -> float:
    """How probable 0 holds it that 1 knows 2, when 2 may have told it and 1 then says this in 0's hearing."""
    params = Params(num_pieces=4)
    state = start(params, [(1, 1), (3, 1), (4, 1)], [(5, 5), (0, 5), (5, 0)], ({0}, {1, 3}, {2}))
    turns: list[Choices] = [([], []), ([STAY, STAY, RIGHT], []), ([RIGHT], pieces)]
    return float(history(state, params, turns, BayesRule(256, (manner,)))[-1][0, 1, 2])


def test_silence_tells_that_somebody_has_little_to_say() -> None:
    """A babbler that knew one piece more would be silent less often; any piece it has is as good to it."""
    assert standing_by([-1, -1], BABBLE) < standing_by([-1, 1], BABBLE) - 0.05


def test_choosing_another_piece_tells_against_having_a_wanted_one() -> None:
    """2 has told 1 its piece with odds of 8 to 4. If it has, 1 says with 1 in 13 what 0 knows; if not, with 1 in 5."""
    params, manner = Params(), Manner(greed=8.0, silence=4.0)
    state = start(params, [(1, 1), (3, 1), (4, 1)], [(5, 5), (0, 5), (5, 0)], ({0, 1}, {1}, {2}))
    turns: list[Choices] = [([], []), ([STAY, STAY, RIGHT], []), ([RIGHT], [-1, 1])]
    found = history(state, params, turns, BayesRule(1024, (manner,)))
    assert found[2][0, 1, 2] == pytest.approx(2 / 3, abs=0.05)
    assert found[3][0, 1, 2] == pytest.approx((2 / 3 / 13) / (2 / 3 / 13 + 1 / 3 / 5), abs=0.05)


def test_the_manner_of_others_is_learned() -> None:
    """Two agents side by side: 1 is silent in half of its turns, although it can always speak."""
    params = Params(num_agents=2, num_pieces=4, width=4, num_turns=30)
    state = start(params, [(0, 0), (1, 0)], [(3, 3), (0, 3)], ({0, 1}, {2, 3}))
    rng, memory = np.random.default_rng(0), begin(state, params)
    for number in range(12):
        state, _ = turn(state, params, pieces=[-1, 2 if number % 2 else -1])
        memory = follow(memory, state, params, BAYES, rng)
    babbles = shares(memory.weight, [memory.manner == 0])[0, 1, 0]
    assert babbles > 0.95


def test_evidence_that_no_possible_world_foresaw_is_believed_all_the_same() -> None:
    """1 has secretly known 2 all along."""
    params = Params()
    state = knowing(start(params, [(1, 1), (2, 1), (5, 5)]), {0}, {1, 2}, {2})
    found = history(state, params, [([], []), ([], [-1, 2]), ([], [])], SMALL)
    assert [float(p[0, 1, 2]) for p in found] == [0, 0, 1, 1]
