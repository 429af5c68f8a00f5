"""What happens in a turn: the hand cases of spec section 14 and each option by hand."""

from __future__ import annotations

import pytest

from otherminds.worlds.symmtom import observe, rules
from otherminds.worlds.symmtom.types import Params, State
from tests.worlds.symmtom.playing import (
    DOWN,
    LEFT,
    RIGHT,
    STAY,
    UP,
    Cell,
    knowing,
    sets_of,
    start,
    turn,
)

APART: list[Cell] = [(0, 0), (1, 0), (5, 3)]  # 0 and 1 side by side, 2 far away
HOME: tuple[Cell, ...] = ((0, 0), (5, 5), (5, 0))  # agent 0 starts at home


def cells(state: State) -> list[Cell]:
    return list(zip(state.x.tolist(), state.y.tolist(), strict=True))


def said(state: State) -> list[set[int]]:
    return sets_of(state.utterance)


# Section 14, item 3


@pytest.mark.parametrize(("delay", "first"), [(2, 3), (1, 2)])
def test_a_heard_piece_can_be_said_from_two_turns_later(delay: int, first: int) -> None:
    params = Params(speech_delay=delay)
    state, outcome = turn(start(params, APART), params, pieces=[0])
    assert outcome.rewards.tolist() == [1, 1, 0]
    for number in (2, 3):
        state, _ = turn(state, params, pieces=[-1, 0])
        assert said(state)[1] == ({0} if number >= first else set())


def test_completing_on_the_base_pays_one_turn_later() -> None:
    params = Params(num_pieces=2)
    state, outcome = turn(start(params, APART, HOME, ({0}, {1}, {0})), params, pieces=[-1, 1])
    assert outcome.rewards[0] == 1
    assert sets_of(state.knowledge)[0] == {0, 1}
    state, outcome = turn(state, params)
    assert outcome.rewards[0] == outcome.base[0] == 4
    assert sets_of(state.knowledge)[0] == {0}


def test_a_recharge_pays_leaves_first_hand_pieces_and_one_turn_of_old_speech() -> None:
    params = Params()
    state = knowing(start(params, [(1, 1), (2, 2), (5, 5)], ((0, 1), (4, 4), (5, 0))), {0, 1, 2}, {1}, {2})
    state, outcome = turn(state, params, [LEFT])
    assert outcome.rewards.tolist() == [6, 0, 0]
    assert sets_of(state.knowledge) == sets_of(state.first_hand)
    assert sets_of(rules.speakable(state, params))[0] == {0, 1, 2}
    state, _ = turn(state, params, pieces=[2])
    assert said(state)[0] == {2}
    state, _ = turn(state, params, pieces=[2])
    assert said(state)[0] == set()


def test_two_speakers_of_one_new_piece_earn_one_each_and_the_listener_two() -> None:
    params = Params(owners=2)
    state = start(params, [(1, 1), (0, 1), (2, 1)], first_hand=({0}, {1}, {1}))
    _, outcome = turn(state, params, pieces=[-1, 1, 1])
    assert outcome.listening.tolist() == [2, 0, 0]
    assert outcome.speaking.tolist() == [0, 1, 1]


def test_neighbours_can_swap() -> None:
    params = Params()
    state, _ = turn(start(params, [(1, 1), (2, 1), (5, 3)]), params, [RIGHT, LEFT])
    assert cells(state)[:2] == [(2, 1), (1, 1)]


@pytest.mark.parametrize("coins", range(8))
def test_of_three_agents_wanting_one_cell_one_enters(coins: int) -> None:
    params = Params()
    before: list[Cell] = [(1, 2), (3, 2), (2, 1)]
    state, _ = turn(start(params, before), params, [RIGHT, LEFT, UP], coins=coins)
    assert cells(state).count((2, 2)) == 1
    assert sum(a != b for a, b in zip(cells(state), before, strict=True)) == 1


def test_each_of_three_agents_can_be_the_one_that_enters() -> None:
    params = Params()
    first = start(params, [(1, 2), (3, 2), (2, 1)])
    found = {cells(turn(first, params, [RIGHT, LEFT, UP], coins=c)[0]).index((2, 2)) for c in range(8)}
    assert found == {0, 1, 2}


@pytest.mark.parametrize("coins", [0, 7])
def test_a_stayer_is_never_displaced_and_stops_a_queue(coins: int) -> None:
    params = Params()
    before: list[Cell] = [(1, 2), (2, 2), (3, 2)]
    state, _ = turn(start(params, before), params, [RIGHT, RIGHT, STAY], coins=coins)
    assert cells(state) == before


# More of section 2


def test_one_can_follow_into_a_cell_that_is_being_left() -> None:
    params = Params()
    state, _ = turn(start(params, [(1, 2), (2, 2), (3, 2)]), params, [RIGHT] * 3)
    assert cells(state) == [(2, 2), (3, 2), (4, 2)]


def test_a_ring_of_four_turns() -> None:
    params = Params(num_agents=4)
    state = start(params, [(0, 0), (1, 0), (1, 1), (0, 1)], [(5, i) for i in range(4)], [{0}, {1}, {2}, set()])
    state, _ = turn(state, params, [RIGHT, UP, LEFT, DOWN])
    assert cells(state) == [(1, 0), (1, 1), (0, 1), (0, 0)]


@pytest.mark.parametrize(("cell", "move"), [((5, 2), RIGHT), ((0, 2), LEFT), ((2, 5), UP), ((2, 0), DOWN)])
def test_a_move_into_the_outer_wall_is_a_stay(cell: Cell, move: int) -> None:
    params = Params()
    state = start(params, [cell, (3, 3), (4, 4)])
    assert not rules.legal_moves(state, params)[0, move]
    after, _ = turn(state, params, [move])
    assert cells(after)[0] == cell
    assert (after.direction_x[0], after.direction_y[0]) == (0, 0)


@pytest.mark.parametrize("move", [RIGHT, LEFT, UP, DOWN])
def test_moves_go_where_they_say(move: int) -> None:
    params = Params()
    state, _ = turn(start(params, [(2, 2), (5, 5), (0, 5)]), params, [move])
    assert cells(state)[0] == {RIGHT: (3, 2), LEFT: (1, 2), UP: (2, 3), DOWN: (2, 1)}[move]


@pytest.mark.parametrize(("cell", "hears"), [((3, 3), True), ((3, 1), True), ((4, 2), False), ((2, 4), False)])
def test_hearing_reaches_one_cell_in_every_direction_and_no_farther(cell: Cell, hears: bool) -> None:
    params = Params()
    state, outcome = turn(start(params, [(2, 2), cell, (5, 5)]), params, pieces=[0, 1])
    assert (sets_of(state.knowledge)[0] == {0, 1}) == hears
    assert outcome.rewards[:2].tolist() == ([2, 2] if hears else [0, 0])


def test_a_wrong_choice_is_silence_but_the_move_happens() -> None:
    params = Params()
    state, outcome = turn(start(params, APART), params, [UP], pieces=[2, 0])
    assert said(state) == [set()] * 3
    assert cells(state)[0] == (0, 1)
    assert outcome.rewards.tolist() == [0, 0, 0]


def test_known_pieces_earn_nothing() -> None:
    params = Params()
    _, outcome = turn(knowing(start(params, APART), {0, 1}, {0, 1}, {2}), params, pieces=[0, 1])
    assert outcome.rewards.tolist() == [0, 0, 0]


def test_what_is_heard_in_the_turn_of_a_recharge_is_forgotten_too() -> None:
    params = Params(num_pieces=2)
    state = knowing(start(params, APART, HOME, ({0}, {1}, {0})), {0, 1}, {1}, {0})
    state, outcome = turn(state, params, pieces=[-1, 1])
    assert outcome.base[0] == 4
    assert sets_of(state.knowledge)[0] == {0}


def test_only_the_owner_uses_a_base() -> None:
    params = Params()
    state = knowing(start(params, APART, ((5, 5), (0, 0), (5, 0))), {0, 1, 2}, {1}, {2})
    state, outcome = turn(state, params)
    assert outcome.rewards.tolist() == [0, 0, 0]
    assert state.uses_base.tolist() == [False] * 3


def test_the_last_turn_truncates() -> None:
    params = Params(num_turns=2)
    state, outcome = turn(start(params, APART), params)
    assert not outcome.truncated
    state, outcome = turn(state, params)
    assert outcome.truncated
    assert not outcome.terminated
    assert state.turn == 2


# Switches and options


def test_hearing_before_moving_uses_the_cells_left() -> None:
    params = Params(hear_before_move=True)
    state, outcome = turn(start(params, [(1, 1), (2, 1), (5, 5)]), params, [LEFT, RIGHT], pieces=[0])
    assert outcome.rewards.tolist() == [1, 1, 0]
    assert cells(state)[:2] == [(0, 1), (3, 1)]


def test_a_duplicate_can_count_once_for_the_listener_and_still_for_every_speaker() -> None:
    params = Params(owners=2, count_duplicates=False)
    state = start(params, [(1, 1), (0, 1), (2, 1)], first_hand=({0}, {1}, {1}))
    _, outcome = turn(state, params, pieces=[-1, 1, 1])
    assert outcome.rewards.tolist() == [1, 1, 1]


def test_the_base_can_pay_in_the_turn_that_completes() -> None:
    params = Params(num_pieces=2, base_pays_at_once=True)
    state, outcome = turn(start(params, APART, HOME, ({0}, {1}, {0})), params, pieces=[-1, 1])
    assert (outcome.rewards[0], outcome.base[0]) == (5, 4)
    assert sets_of(state.knowledge)[0] == {0}


def test_the_base_can_need_entering() -> None:
    params = Params(base_needs_entering=True)
    state = knowing(start(params, APART, HOME), {0, 1, 2}, {1}, {2})
    state, outcome = turn(state, params)
    assert outcome.base[0] == 0
    state, _ = turn(state, params, [UP])
    state, outcome = turn(state, params, [DOWN])
    assert outcome.base[0] == 6


def test_forgotten_pieces_can_be_unspeakable() -> None:
    params = Params(speak_forgotten=False)
    state = knowing(start(params, APART, HOME), {0, 1, 2}, {1}, {2})
    state, _ = turn(state, params)
    assert sets_of(rules.speakable(state, params))[0] == {0}


@pytest.mark.parametrize("coins", [0, 7])
def test_without_random_collisions_the_lower_index_enters(coins: int) -> None:
    params = Params(random_collisions=False)
    state, _ = turn(start(params, [(1, 2), (3, 2), (5, 5)]), params, [RIGHT, LEFT], coins=coins)
    assert cells(state)[:2] == [(2, 2), (3, 2)]


def test_a_coin_decides_who_stays_in_a_collision() -> None:
    params = Params()
    first = start(params, [(1, 2), (3, 2), (5, 5)])
    assert cells(turn(first, params, [RIGHT, LEFT], coins=0)[0])[:2] == [(1, 2), (2, 2)]
    assert cells(turn(first, params, [RIGHT, LEFT], coins=1)[0])[:2] == [(2, 2), (3, 2)]


def test_swaps_can_be_forbidden() -> None:
    params = Params(swaps=False)
    state, _ = turn(start(params, [(1, 1), (2, 1), (5, 3)]), params, [RIGHT, LEFT])
    assert cells(state)[:2] == [(1, 1), (2, 1)]


def test_two_voices_at_once_can_drown_each_other() -> None:
    params = Params(interference=True)
    state, outcome = turn(start(params, [(1, 1), (0, 1), (2, 1)]), params, pieces=[-1, 1, 2])
    assert sets_of(state.knowledge)[0] == {0}
    assert outcome.rewards.tolist() == [0, 0, 0]


def test_one_voice_is_heard_where_two_would_drown() -> None:
    params = Params(interference=True)
    state, outcome = turn(start(params, [(1, 1), (0, 1), (2, 1)]), params, pieces=[-1, 1, 0])
    assert sets_of(state.knowledge)[0] == {0, 1}
    assert outcome.rewards.tolist() == [1, 1, 0]


def test_the_middle_block_is_wall() -> None:
    params = Params(width=4, middle_block=True)
    state = start(params, [(0, 1), (3, 3), (0, 3)], ((0, 0), (3, 0), (1, 0)))
    assert rules.legal_moves(state, params)[0].tolist() == [True, False, False, True, True]
    assert cells(turn(state, params, [RIGHT])[0])[0] == (0, 1)


def test_only_a_real_move_costs() -> None:
    params = Params(move_cost=0.25)
    _, outcome = turn(start(params, [(0, 0), (2, 2), (4, 4)]), params, [LEFT, UP, STAY])
    assert outcome.rewards.tolist() == [0, -0.25, 0]


@pytest.mark.parametrize(("name", "paid"), [("listening_reward", [1, 0, 0]), ("speaking_reward", [0, 1, 0])])
def test_knowledge_spreads_when_a_part_of_the_reward_is_off(name: str, paid: list[int]) -> None:
    params = Params.from_dict({name: False})
    state, outcome = turn(start(params, APART), params, pieces=[0])
    assert outcome.rewards.tolist() == paid
    assert sets_of(state.knowledge)[1] == {0, 1}


def test_a_proportional_base_pays_by_the_piece_and_always_resets() -> None:
    params = Params(base="proportional")
    state = knowing(start(params, APART, HOME), {0, 1}, {1}, {2})
    state, outcome = turn(state, params)
    assert outcome.base.tolist() == [4, 0, 0]
    assert sets_of(state.knowledge)[0] == {0}
    assert state.correct_uses.tolist() == [0, 0, 0]


def test_a_constant_base_pays_every_turn_and_forgets_nothing() -> None:
    params = Params(base="constant", base_reward=2.5)
    state = knowing(start(params, APART, HOME), {0, 1}, {1}, {2})
    for _ in range(2):
        state, outcome = turn(state, params)
        assert outcome.base.tolist() == [2.5, 0, 0]
    assert sets_of(state.knowledge)[0] == {0, 1}


def test_a_piece_not_heard_again_is_forgotten_after_its_lifetime() -> None:
    params = Params(decay=2)
    state, known = start(params, APART), []
    for piece in (0, -1, -1, 0, -1, 0, -1, -1):
        state, _ = turn(state, params, pieces=[piece])
        known.append(0 in sets_of(state.knowledge)[1])
    assert known == [True, True, False, True, True, True, True, False]


def test_first_hand_pieces_never_decay() -> None:
    params = Params(decay=1)
    state = start(params, APART)
    for _ in range(5):
        state, _ = turn(state, params)
    assert sets_of(state.knowledge) == [{0}, {1}, {2}]


def test_the_second_recharge_ends_a_competitive_trial() -> None:
    params = Params(num_pieces=2, competitive=2, owners=2)
    state = start(params, APART, HOME, ({0, 1}, {1}, {0}))
    state, outcome = turn(state, params)
    assert outcome.rewards.tolist() == [4, 0, 0]
    assert not outcome.terminated
    state, outcome = turn(state, params)
    assert outcome.rewards.tolist() == [8, -4, -4]
    assert outcome.terminated


def test_all_who_reach_the_goal_in_one_turn_win() -> None:
    params = Params(num_pieces=2, competitive=2, bonus=1.5)
    state = start(params, APART, ((0, 0), (1, 0), (5, 0)), ({0, 1}, {0, 1}, {0}))
    for _ in range(2):
        state, outcome = turn(state, params)
    assert outcome.bonus.tolist() == [1.5, 1.5, -1.5]


def test_a_direction_can_be_the_intended_one() -> None:
    params = Params(directions="intended")
    state, _ = turn(start(params, [(0, 0), (2, 2), (4, 4)]), params, [LEFT, UP, STAY])
    heading_x, heading_y = observe.directions(state, params)
    assert (heading_x.tolist(), heading_y.tolist()) == ([-1, 0, 0], [0, 1, 0])
    assert (state.direction_x[0], state.direction_y[0]) == (0, 0)  # it was blocked all the same
