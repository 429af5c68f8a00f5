"""The observation in words and as a map: all that is in the vector, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.text import ObservationBlocks, board, describe
from otherminds.worlds.symmtom.types import Params, State
from otherminds.worlds.symmtom.world import SymmToM
from tests.reference.pairing import random_params
from tests.worlds.symmtom.playing import LEFT, UP, Cell, knowing, play, sets_of, start, turn

CORNER: list[Cell] = [(0, 0), (1, 0), (5, 4)]
seeds = st.integers(0, 2**32 - 1)


def words(state: State, params: Params, seat: int = 0) -> str:
    return describe(observe(state, params)[seat], params, seat)


def picture(state: State, params: Params, seat: int = 0) -> str:
    return board(observe(state, params)[seat], params, seat)


def heard(pieces: list[int], **switches: Any) -> str:
    params = Params(**switches)
    state, _ = turn(start(params, CORNER), params, pieces=pieces)
    return words(state, params)


def test_the_whole_text_of_a_corner() -> None:
    params = Params()
    state, _ = turn(start(params, CORNER), params, [UP, LEFT], [-1, 1, 2])
    assert words(state, params).split("\n") == [
        "You are agent 0 of 3 on a 6 by 6 board with 3 pieces of information (0 to 2).",
        "You own piece 0 first-hand. You moved up last turn.",
        "Your base is 4 up from you. There is wall left.",
        "Agent 1 is 1 down from you. It moved left last turn. Its base is 5 right and 5 up from it."
        " It owns piece 1. You heard it say piece 1.",
        "Agent 2 is 5 right and 3 up from you. It did not move last turn. Its base is 4 down from it."
        " It owns piece 2. You heard nothing from it.",
    ]


def test_the_whole_map_of_a_corner() -> None:
    params = Params()
    state, _ = turn(start(params, CORNER), params, [UP, LEFT])
    assert picture(state, params).split("\n") == [
        " #  a  .  .  .  .  b",
        " #  .  .  .  .  .  2",
        " #  .  .  .  .  .  .",
        " #  .  .  .  .  .  .",
        " #  0  .  .  .  .  .",
        " #  1  .  .  .  .  c",
    ]


def test_pieces_heard_are_named_by_their_speaker() -> None:
    assert "Agent 1 " in heard([-1, 1])
    assert "You heard it say piece 1." in heard([-1, 1])
    assert "You heard it say" not in heard([-1, -1, 2])


def test_silence_and_speech_out_of_range_read_alike() -> None:
    assert heard([-1, -1, 2]) == heard([-1, -1, -1])


def test_an_agent_out_of_sight_is_said_to_be() -> None:
    params = Params(vision=2)
    text = words(start(params, CORNER), params)
    assert "Agent 2 is out of sight. It owns piece 2. You heard nothing from it." in text
    assert "Agent 1 is 1 right from you." in text


def test_an_agent_out_of_sight_is_not_on_the_map() -> None:
    params = Params(vision=2)
    map_of_it = picture(start(params, CORNER), params)
    assert "2" not in map_of_it
    assert "c" not in map_of_it
    assert "1" in map_of_it


def test_private_pieces_are_not_named() -> None:
    params = Params(private_first_hand=True)
    assert "It owns" not in words(start(params, CORNER), params)


def test_extra_blocks_are_put_into_words() -> None:
    params = Params(
        positions="absolute",
        oracle=True,
        show_speakable=True,
        show_own_utterance=True,
        show_last_reward=True,
        show_turn=True,
    )
    state, _ = turn(knowing(start(params, CORNER), {0, 1}, {1}, {1, 2}), params, [UP], [0])
    text = words(state, params)
    for sentence in (
        "Turn 1 of 30 has been played.",
        "You stand on cell (0, 1).",
        "Your knowledge is shown as pieces 0 and 1.",
        "You can now say pieces 0 and 1.",
        "You said piece 0.",
        "Your last reward was 1.",
        "It knows pieces 1 and 2.",
    ):
        assert sentence in text
    state, _ = turn(state, params)
    assert "You said nothing." in words(state, params)


def test_an_agent_that_knows_where_it_is_gets_a_map_of_the_whole_board() -> None:
    params = Params(positions="absolute", width=4, middle_block=True)
    state = start(params, [(0, 0), (3, 1), (0, 3)], ((3, 3), (0, 0), (1, 3)))
    assert picture(state, params).split("\n") == [
        " 2  c  .  a",
        " .  #  #  .",
        " .  #  #  1",
        " 0b .  .  .",
    ]


def test_ten_agents_fit_on_a_map() -> None:
    params = Params(num_agents=10, width=12, num_pieces=10, positions="absolute")
    first = next(play(params, np.random.default_rng(0))).before
    rows = picture(first, params, 9).split("\n")
    assert len(rows) == 12
    assert all(str(agent) in "".join(rows) for agent in range(10))


@settings(max_examples=15)
@given(seeds)
def test_words_and_map_are_made_from_the_vector_alone(seed: int) -> None:
    """States that differ in what cannot be perceived read alike, and so does a bare copy of the vector."""
    rng = np.random.default_rng(seed)
    params = random_params(rng, num_turns=5)
    world = SymmToM(params=params)
    for played in play(params, rng):
        for seat in range(params.num_agents):
            vector = observe(played.after, params)[seat]
            hidden = world.hide(rng, played.after, seat)
            for render in (describe, board):
                text = render(vector, params, seat)
                assert render(vector.tolist(), params, seat) == text
                assert render(observe(hidden, params)[seat], params, seat) == text


@settings(max_examples=15)
@given(seeds)
def test_a_reading_gives_back_what_is_in_sight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(rng, num_turns=5)
    for played in play(params, rng):
        state = played.after
        for seat in range(params.num_agents):
            view = ObservationBlocks(observe(state, params)[seat], params, seat)
            v = params.vision if params.vision is not None else params.width
            away = {
                j: (int(state.x[j] - state.x[seat]), int(state.y[j] - state.y[seat])) for j in range(params.num_agents)
            }
            near = {j for j, (x, y) in away.items() if max(abs(x), abs(y)) <= v}
            assert view.places() == {j: away[j] for j in near - {seat}}
            assert view.bases() == {
                j: (int(state.base_x[j] - state.x[seat]), int(state.base_y[j] - state.y[seat])) for j in near
            }
            assert set(view.pieces("own_first_hand")) == sets_of(state.first_hand)[seat]
            for j in view.others:
                pieces = view.pieces("other_utterances", j)
                is_near = int(state.earshot[seat]) >> j & 1
                assert set(pieces) == (sets_of(state.utterance)[j] if is_near else set())


@pytest.mark.parametrize("setting", ["n2_w4_c1", "n4_w64_c32"])
def test_positions_survive_the_way_through_fractions(setting: str) -> None:
    params = Params.from_setting(setting, positions="absolute")
    for played in play(params.replace(num_turns=5), np.random.default_rng(0)):
        for seat in range(params.num_agents):
            found = ObservationBlocks(observe(played.after, params)[seat], params, seat).cells("own_position")
            assert found[seat] == (played.after.x[seat], played.after.y[seat])
