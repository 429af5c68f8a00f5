"""What each agent perceives: the vector of spec section 4, and nothing beyond what an agent may see and hear."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.worlds.symmtom.observe import layout, observation_size, observe, perceive
from otherminds.worlds.symmtom.types import Params, State
from otherminds.worlds.symmtom.world import SymmToM
from tests.reference.pairing import random_params
from tests.worlds.symmtom.playing import DOWN, LEFT, RIGHT, UP, knowing, play, start, turn

SIZES = {"n3_w6_c3": 35, "n3_w6_c6": 50, "n3_w12_c9": 65, "n4_w6_c4": 54, "n4_w12_c8": 82, "n4_w6_c12": 110}
seeds = st.integers(0, 2**32 - 1)


def blocks(state: State, params: Params, seat: int) -> dict[str, list[float]]:
    vector, at, found = observe(state, params)[seat].tolist(), 0, {}
    for name, size in layout(params):
        found[name] = vector[at : at + size]
        at += size
    return found


@pytest.mark.parametrize(("setting", "size"), SIZES.items())
def test_vectors_have_the_published_sizes(setting: str, size: int) -> None:
    params = Params.from_setting(setting)
    n, c = params.num_agents, params.num_pieces
    assert observation_size(params) == size == c * (2 * n - 1) + 6 * n + 2
    assert observation_size(params.replace(oracle=True)) == size + n * c


@pytest.mark.parametrize(
    ("switches", "extra"),
    [
        ({"positions": "absolute"}, 2),
        ({"vision": 2}, 2),
        ({"show_own_knowledge": True}, 3),
        ({"show_own_knowledge": True, "oracle": True}, 9),
        ({"show_speakable": True}, 3),
        ({"show_own_utterance": True}, 3),
        ({"show_last_reward": True}, 1),
        ({"show_turn": True}, 1),
        ({"other_bases": "observer", "directions": "intended", "displayed_knowledge": "current"}, 0),
    ],
)
def test_an_extra_block_adds_its_entries(switches: dict[str, Any], extra: int) -> None:
    params = Params(**switches)
    state = start(params, [(0, 0), (1, 0), (5, 4)])
    assert observation_size(params) == 35 + extra == observe(state, params).shape[1]


def test_the_vector_of_an_agent_in_a_corner() -> None:
    params = Params()
    state, _ = turn(start(params, [(0, 0), (1, 0), (5, 4)]), params, [UP, LEFT, DOWN], [-1, 1, 2])
    fifths = [0.0, -0.2, 1.0, 0.4]
    bases = [0.0, 0.8, 1.0, 1.0, 0.0, -0.6]
    expected = [1, 0, 0, 0, 1, -1, 0, 0, -1, *fifths, 0, 1, 0, 0, 0, 1, *bases, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert observe(state, params)[0].tolist() == np.asarray(expected, np.float32).tolist()


def test_positions_can_be_absolute() -> None:
    params = Params(positions="absolute")
    found = blocks(start(params, [(0, 5), (1, 0), (5, 4)]), params, 1)
    assert np.allclose(found["own_position"], [0.2, 0])
    assert np.allclose(found["other_positions"], [0, 1, 1, 0.8])


def test_other_bases_can_be_seen_from_the_observer() -> None:
    params = Params(other_bases="observer")
    found = blocks(start(params, [(0, 0), (1, 0), (5, 4)]), params, 0)
    assert np.allclose(found["other_bases"], [1, 1, 1, 0])


def test_the_oracle_shows_what_everyone_could_say_next() -> None:
    params = Params(oracle=True, num_pieces=2)
    state = start(params, [(0, 0), (1, 0), (5, 4)], first_hand=({0}, {1}, {0}))
    state, _ = turn(state, params, pieces=[0, 1])
    assert blocks(state, params, 0)["own_knowledge"] == [1, 0]
    state, _ = turn(state, params)
    found = blocks(state, params, 0)
    assert found["own_knowledge"] == [1, 1]
    assert found["other_knowledge"] == [1, 1, 1, 0]


def test_displayed_knowledge_can_be_current() -> None:
    params = Params(oracle=True, displayed_knowledge="current")
    state, _ = turn(start(params, [(0, 0), (1, 0), (5, 4)]), params, pieces=[0, 1])
    assert blocks(state, params, 0)["own_knowledge"] == [1, 1, 0]


def test_extra_blocks_show_the_agents_own_turn() -> None:
    params = Params(show_speakable=True, show_own_utterance=True, show_last_reward=True, show_turn=True)
    state, _ = turn(knowing(start(params, [(0, 0), (1, 0), (5, 4)]), {0, 2}, {1}, {2}), params, pieces=[2])
    found = blocks(state, params, 0)
    assert found["speakable"] == [1, 0, 1]
    assert found["own_utterance"] == [0, 0, 1]
    assert found["last_reward"] == [1]
    assert np.allclose(found["turn"], [1 / 30])


def test_first_hand_pieces_can_be_private() -> None:
    params = Params(private_first_hand=True)
    found = blocks(start(params, [(0, 0), (1, 0), (5, 4)]), params, 1)
    assert found["own_first_hand"] == [0, 1, 0]
    assert not any(found["other_first_hand"])


def test_an_agent_out_of_sight_is_all_zeros_and_its_flag_says_so() -> None:
    params = Params(vision=2)
    state, _ = turn(start(params, [(0, 0), (2, 0), (5, 4)]), params, [UP, RIGHT, LEFT], [0, 1, 2])
    found = blocks(state, params, 0)
    assert found["seen"] == [0, 0]
    for name in ("other_directions", "other_positions", "other_bases", "other_utterances"):
        assert not any(found[name])
    assert blocks(state, params, 1)["seen"] == [0, 0]
    nearer, _ = turn(start(params, [(0, 0), (2, 0), (5, 4)]), params, [UP])
    assert blocks(nearer, params, 0)["seen"] == [1, 0]
    assert blocks(nearer, params, 0)["other_positions"] == [np.float32(0.4), np.float32(-0.2), 0, 0]


@settings(max_examples=15)
@given(seeds)
def test_an_observation_does_not_change_with_what_the_agent_cannot_perceive(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(rng, num_turns=8)
    world = SymmToM(params=params)
    for played in play(params, rng):
        for agent in range(params.num_agents):
            hidden = world.hide(rng, played.after, agent)
            assert np.array_equal(observe(hidden, params)[agent], observe(played.after, params)[agent])
            for name, one, other in zip(
                perceive(hidden, params)._fields, perceive(hidden, params), perceive(played.after, params), strict=True
            ):
                assert name == "turn" or np.array_equal(one[agent], other[agent])


@settings(max_examples=15)
@given(seeds)
def test_an_observation_does_not_change_with_where_unseen_agents_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(rng, vision=1, hearing=1, oracle=False, num_turns=6)
    for played in play(params, rng):
        state = played.after
        for agent in range(params.num_agents):
            known = int(perceive(state, params).sees[agent] | state.earshot[agent])
            unseen = [j for j in range(params.num_agents) if not known >> j & 1]
            far = state._replace(base_x=state.base_x.copy(), direction_x=state.direction_x.copy())
            far.base_x[unseen] = params.width - 1 - far.base_x[unseen]
            far.direction_x[unseen] = 1 - far.direction_x[unseen]
            assert np.array_equal(observe(far, params)[agent], observe(state, params)[agent])


@settings(max_examples=15)
@given(seeds)
def test_speech_is_perceived_by_those_in_range_and_the_speaker_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(rng, num_turns=8)
    agents = range(params.num_agents)
    for played in play(params, rng):
        sight = perceive(played.after, params)
        for i in agents:
            for j in agents:
                is_near = i == j or int(played.after.earshot[i]) >> j & 1
                assert sight.utterance[i, j] == (played.after.utterance[j] if is_near else 0)


@settings(max_examples=15)
@given(seeds)
def test_every_entry_lies_within_the_bounds_of_the_space(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(rng, show_last_reward=False, num_turns=8)
    for played in play(params, rng, (4,)):
        vectors = observe(played.after, params)
        assert vectors.dtype == np.float32
        assert np.all(np.abs(vectors) <= 1)
