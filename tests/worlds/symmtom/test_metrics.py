"""The post-hoc metrics of spec section 6: by hand, in JAX for many worlds, and from records."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import numpy as np
import pytest

from otherminds.worlds.symmtom import chance, metrics, record, rules
from otherminds.worlds.symmtom.metrics import Tally
from otherminds.worlds.symmtom.types import Action, Params, State
from tests.worlds.symmtom.playing import (
    DOWN,
    LEFT,
    RIGHT,
    STAY,
    UP,
    Cell,
    knowing,
    lively_action,
    play,
    recorded,
    start,
    turn,
)

PARAMS = Params()
PAIR: list[Cell] = [(0, 0), (1, 0), (5, 5)]  # 0 and 1 side by side
HOME: tuple[Cell, ...] = ((0, 0), (5, 4), (5, 0))  # agent 0 stands at home


def measured(
    state: State, moves: list[int], pieces: list[int], params: Params = PARAMS, coins: int = 0
) -> dict[str, list[float]]:
    after, outcome = turn(state, params, moves, pieces, coins)
    n = params.num_agents
    action = Action(
        np.asarray([*moves, *[STAY] * (n - len(moves))], np.int32),
        np.asarray([*pieces, *[-1] * (n - len(pieces))], np.int32),
    )
    tally = metrics.measure(state, action, after, outcome, params)
    return {name: values.tolist() for name, values in tally._asdict().items()}


# Unsuccessful base use


def test_standing_at_home_without_all_pieces_counts_every_turn() -> None:
    found = measured(start(PARAMS, PAIR, HOME), [], [])
    assert found["unsuccessful_base_uses"] == [1, 0, 0]
    assert found["unsuccessful_base_entries"] == [0, 0, 0]


def test_coming_home_without_all_pieces_counts_as_entry_too() -> None:
    found = measured(start(PARAMS, [(0, 1), (3, 3), (5, 5)], HOME), [DOWN], [])
    assert found["unsuccessful_base_uses"] == found["unsuccessful_base_entries"] == [1, 0, 0]


def test_a_recharge_is_a_correct_use() -> None:
    found = measured(knowing(start(PARAMS, PAIR, HOME), {0, 1, 2}, {1}, {2}), [], [])
    assert found["correct_base_uses"] == [1, 0, 0]
    assert found["unsuccessful_base_uses"] == [0, 0, 0]
    assert found["base"] == [6, 0, 0]


# Wrong pieces


def test_a_piece_that_cannot_be_said_yet_is_wrong_though_known() -> None:
    state = start(PARAMS, PAIR)
    state = state._replace(knowledge=np.asarray([0b011, 0b010, 0b100], np.uint32))
    found = measured(state, [], [1, 1, 2])
    assert found["wrong_pieces"] == [1, 0, 0]
    assert found["wrong_pieces_current"] == [0, 0, 0]


def test_a_piece_just_forgotten_can_be_said_though_not_known() -> None:
    state = knowing(start(PARAMS, PAIR), {0, 1}, {1}, {2})._replace(knowledge=np.asarray([1, 2, 4], np.uint32))
    found = measured(state, [], [1, 1, 2])
    assert found["wrong_pieces"] == [0, 0, 0]
    assert found["wrong_pieces_current"] == [1, 0, 0]


# Useless pieces


def test_telling_what_all_near_know_is_useless_if_there_was_something_to_tell() -> None:
    found = measured(knowing(start(PARAMS, PAIR), {0, 2}, {0, 1}, {2}), [], [0, 1])
    assert found["useless_pieces"] == [1, 0, 0]


def test_telling_what_all_near_know_is_not_useless_if_there_was_nothing_to_tell() -> None:
    assert measured(knowing(start(PARAMS, PAIR), {0}, {0, 1}, {2}), [], [0])["useless_pieces"] == [0, 0, 0]


def test_talking_to_nobody_is_never_useless() -> None:
    assert measured(start(PARAMS, PAIR), [], [-1, -1, 2])["useless_pieces"] == [0, 0, 0]


def test_silence_is_never_useless() -> None:
    assert measured(knowing(start(PARAMS, PAIR), {0, 2}, {0, 1}, {2}), [], [1])["useless_pieces"] == [0, 0, 0]


def test_a_piece_new_to_one_of_two_listeners_is_not_useless() -> None:
    state = knowing(start(PARAMS, [(1, 1), (0, 1), (2, 1)]), {0, 1}, {0, 1}, {2})
    assert measured(state, [], [0])["useless_pieces"] == [0, 0, 0]


# Useless moves


@pytest.mark.parametrize(("move", "counts"), [(LEFT, 1), (RIGHT, 0), (UP, 1), (STAY, 0)])
def test_moving_away_from_everyone_who_knows_something_else_is_useless(move: int, counts: int) -> None:
    state = start(PARAMS, [(2, 2), (4, 2), (5, 2)])
    assert measured(state, [move], [])["useless_moves"] == [counts, 0, 0]


def test_moving_nearer_to_one_of_them_is_not_useless() -> None:
    assert measured(start(PARAMS, [(2, 2), (4, 2), (0, 2)]), [LEFT], [])["useless_moves"] == [0, 0, 0]


def test_moves_of_whoever_knows_everything_are_never_useless() -> None:
    state = knowing(start(PARAMS, [(2, 2), (4, 2), (5, 2)]), {0, 1, 2}, {1}, {2})
    assert measured(state, [LEFT], [])["useless_moves"] == [0, 0, 0]


def test_moves_among_those_who_know_the_same_are_never_useless() -> None:
    state = knowing(start(PARAMS, [(2, 2), (4, 2), (5, 2)]), {0, 1}, {0, 1}, {0, 1})
    assert measured(state, [LEFT], [])["useless_moves"] == [0, 0, 0]


def test_a_blocked_move_is_no_move() -> None:
    assert measured(start(PARAMS, [(0, 2), (4, 2), (5, 2)]), [LEFT], [])["useless_moves"] == [0, 0, 0]


def test_a_step_aside_is_farther_by_manhattan_and_as_far_by_chebyshev() -> None:
    found = measured(start(PARAMS, [(2, 2), (4, 2), (5, 2)]), [UP], [])
    assert found["useless_moves"] == [1, 0, 0]
    assert found["useless_moves_chebyshev"] == [0, 0, 0]


def test_distance_can_be_judged_by_where_the_others_went() -> None:
    state = knowing(start(PARAMS, [(2, 2), (3, 3), (5, 5)]), {0}, {1}, {0})
    found = measured(state, [UP, DOWN], [])
    assert found["useless_moves"] == [0, 0, 0]
    assert found["useless_moves_after"] == [1, 1, 0]


# Further logs


def test_hearing_what_one_knows_is_logged_by_the_utterance() -> None:
    state = knowing(start(PARAMS, [(1, 1), (0, 1), (2, 1)]), {0, 1}, {0, 1}, {0, 2})
    found = measured(state, [], [-1, 1, 2])
    assert found["known_pieces_heard"] == [1, 0, 0]
    assert found["turns_in_range"] == [1, 1, 1]


def test_rewards_are_logged_by_their_parts() -> None:
    params = Params(move_cost=0.5)
    found = measured(start(params, [(0, 0), (2, 0), (5, 5)]), [RIGHT], [0, 1], params)
    assert found["listening"] == [1, 1, 0]
    assert found["speaking"] == [1, 1, 0]
    assert found["movement"] == [0.5, 0, 0]
    assert found["reward"] == [1.5, 2, 0]


def test_the_papers_tables_name_counts_that_exist() -> None:
    assert set(metrics.PAPER_TABLES) == {4, 5, 6, 7}
    assert set(metrics.PAPER_TABLES.values()) <= set(Tally._fields)


# Batches and records


def batch_tally(params: Params, seed: int, worlds: int) -> tuple[Tally, list[Any]]:
    """The counts of a batch, made inside one compiled function for each turn, and the turns."""

    @jax.jit
    def count(total: Tally, is_running: Any, before: State, action: Action, coins: Any) -> tuple[Tally, Any]:
        after, outcome = rules.step(before, action, coins, params)
        turn = metrics.measure(before, action, after, outcome, params)
        return metrics.add(total, turn, is_running), is_running & ~(outcome.terminated | outcome.truncated)

    turns = list(play(params, np.random.default_rng(seed), (worlds,)))
    total, is_running = metrics.nothing(turns[0].before), np.ones(worlds, bool)
    for played in turns:
        total, is_running = count(total, is_running, played.before, played.action, played.coins)
    assert not np.any(is_running)
    return Tally(*(np.asarray(values) for values in total)), turns


@pytest.mark.parametrize(
    "params",
    [
        Params(num_pieces=4),
        Params(num_agents=4, width=4, num_pieces=2, competitive=2, interference=True, move_cost=0.25),
    ],
    ids=["plain", "competitive"],
)
def test_counts_of_a_batch_in_jax_are_those_of_every_episodes_record(params: Params) -> None:
    worlds = 12
    total, turns = batch_tally(params, 0, worlds)
    for w in range(worlds):
        episode = recorded(turns, params, w)
        assert episode.end is not None
        again = record.play_again(episode).tally()
        for name, values in again._asdict().items():
            assert values.tolist() == getattr(total, name)[:, w].tolist() == episode.end["metrics"][name], name
            assert values.dtype == getattr(total, name).dtype


def test_a_world_that_has_ended_is_not_counted_on() -> None:
    params = Params(num_agents=2, width=4, num_pieces=1, competitive=2)
    total, turns = batch_tally(params, 1, 30)
    ended = np.asarray([bool(np.any([t.outcome.terminated[w] for t in turns[:-1]])) for w in range(30)])
    assert ended.any()
    assert np.all(total.correct_base_uses[:, ended].max(axis=0) == 2)


def test_adding_turns_is_counting_them_together() -> None:
    rng = np.random.default_rng(0)
    state = rules.deal(chance.draw_deal(rng, PARAMS, (5,)), PARAMS)
    total, found = metrics.nothing(state), []
    for _ in range(4):
        action = lively_action(rng, state, PARAMS)
        after, outcome = rules.step(state, action, chance.draw_coins(rng, PARAMS, (5,)), PARAMS)
        found.append(metrics.measure(state, action, after, outcome, PARAMS))
        total, state = metrics.add(total, found[-1]), after
    for name, values in total._asdict().items():
        assert np.array_equal(values, sum(getattr(t, name) for t in found)), name


def test_counts_start_from_nothing_on_both_engines() -> None:
    state = rules.deal(chance.draw_deal(np.random.default_rng(0), PARAMS, (2,)), PARAMS)
    empty = metrics.nothing(state)
    assert not any(values.any() for values in empty)
    on_jax = jax.eval_shape(partial(metrics.nothing), state)
    assert [(v.dtype, v.shape) for v in on_jax] == [(v.dtype, v.shape) for v in empty]
