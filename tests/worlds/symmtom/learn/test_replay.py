"""The replay memory: what a row gives back, how exactly, and in how little room."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.learn.codec import Codec, StoredTurn
from otherminds.worlds.symmtom.learn.configs import MaddpgConfig
from otherminds.worlds.symmtom.learn.maddpg import Maddpg, Parts
from otherminds.worlds.symmtom.learn.replay import ReplayBuffer, add
from otherminds.worlds.symmtom.minds.belief_parts import find_belief
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import Action, Params, State
from tests.reference.pairing import random_params
from tests.worlds.symmtom.learn.making import make_mind, make_variables, on_jax, spoken_turns

# Every switch that changes what a state holds, the sizes at which fields are widest, and those without any choice.
WORLDS: dict[str, dict[str, Any]] = {
    "paper": {},
    "competitive": {"competitive": 2, "num_turns": 30},
    "decay": {"decay": 3},
    "intended": {"directions": "intended"},
    "last reward": {"show_last_reward": True, "move_cost": 0.1},
    "all": {"competitive": 3, "decay": 2, "directions": "intended", "show_last_reward": True, "oracle": True},
    "ten agents": {"num_agents": 10, "width": 6, "num_pieces": 10},
    "32 pieces": {"num_pieces": 32},
    "width 64": {"width": 64, "num_turns": 320, "hearing": 31},
    "largest": {"num_agents": 10, "num_pieces": 32, "width": 64, "hearing": 31, "competitive": 2},
    "two agents, one piece": {"num_agents": 2, "num_pieces": 1},
}


def random_turns(mind: BeliefPolicy, seed: int, worlds: int = 3, num_turns: int = 8) -> tuple[StoredTurn, State, Any]:
    """Played turns side by side, with whatever beliefs, soft actions and carries; then the states and rewards after."""
    params, rng = mind.params, np.random.default_rng(seed)
    played = list(spoken_turns(params, seed, worlds, min(num_turns, params.num_turns)))
    before, action, coins, after, outcome = jax.tree.map(lambda *parts: np.concatenate(parts, axis=-1), *played)
    size = before.turn.shape[0]
    said, carry, _ = jax.eval_shape(lambda: mind.example(size))

    def belief() -> Any:
        if said.dtype == jnp.uint32:
            return jnp.asarray(rng.integers(0, 2**32, said.shape, np.uint64).astype(np.uint32) & params.all_pieces)
        return jnp.asarray(rng.random(said.shape, np.float32))

    def remembered(leaf: Any) -> Any:
        numbers = rng.random(leaf.shape, np.float32)
        return jnp.asarray(numbers if mind.kind == "estimating" else 4 * numbers - 2)

    before, action, coins = on_jax((before, action, coins))
    soft = rng.random((params.num_agents, mind.num_outputs, size), np.float32)
    carry = jax.tree.map(remembered, carry)
    return StoredTurn(before, action, jnp.asarray(soft), coins, belief(), belief(), carry), after, outcome.rewards


def kept(mind: BeliefPolicy, turn: StoredTurn) -> StoredTurn:
    """The turns after their time in the memory, on NumPy arrays."""
    codec = Codec(mind)
    rows = jax.jit(codec.pack)(turn)
    found = jax.tree.map(lambda row: (row.shape[1:], row.dtype), rows)
    assert found == jax.tree.map(lambda row: (row.shape, row.dtype), codec.row)
    again: StoredTurn = jax.tree.map(np.asarray, jax.jit(codec.unpack)(rows))
    return again


def kept_fields(params: Params) -> list[str]:
    """What of a state matters for the future or is shown; the rest need not be kept."""
    unused = set()
    if params.competitive is None:
        unused.add("correct_uses")
    if params.directions == "realised":
        unused.add("chosen_move")
    if not params.show_last_reward:
        unused.add("last_reward")
    return [name for name in State._fields if name not in unused]


def assert_rebuilt(mind: BeliefPolicy, seed: int) -> None:
    """A row gives the state back to the bit, and the rules make of it what was played."""
    params = mind.params
    turn, after, rewards = random_turns(mind, seed)
    found = kept(mind, turn)
    for name in kept_fields(params):
        ours, theirs = getattr(turn.state, name), getattr(found.state, name)
        assert ours.dtype == theirs.dtype, name
        assert np.array_equal(ours, theirs), name
    assert np.array_equal(found.action.move, turn.action.move)
    assert np.array_equal(found.action.piece, turn.action.piece)
    again, outcome = rules.step(found.state, found.action, found.coins, params)
    for name in State._fields:
        if name != "correct_uses" or params.competitive:
            assert np.array_equal(getattr(again, name), getattr(after, name)), name
    assert np.array_equal(outcome.rewards, rewards)
    before = jax.tree.map(np.asarray, turn.state)
    for view in (params, params.replace(oracle=True)):
        assert np.array_equal(observe(found.state, view), observe(before, view))
        assert np.array_equal(observe(again, view), observe(after, view))


@pytest.mark.parametrize("switches", WORLDS.values(), ids=WORLDS)
def test_a_row_and_the_rules_give_back_what_was_played(switches: dict[str, Any]) -> None:
    assert_rebuilt(make_mind(**switches), seed=1)


@settings(max_examples=2)
@given(st.integers(0, 2**32 - 1))
def test_a_row_and_the_rules_give_back_what_was_played_under_any_options(seed: int) -> None:
    params = random_params(np.random.default_rng(seed), num_turns=8)
    assert_rebuilt(BeliefPolicy(params, find_belief("none"), 8), seed)


@pytest.mark.parametrize("belief", ["zeroth", "conservative", "second-order"])
@pytest.mark.parametrize("pieces", [3, 32])
def test_sets_that_a_belief_says_are_kept_exactly(belief: str, pieces: int) -> None:
    mind = make_mind(belief, num_pieces=pieces)
    turn, _, _ = random_turns(mind, 2)
    found = kept(mind, turn)
    assert np.array_equal(found.belief, turn.belief)
    if belief != "second-order":  # which is read from the next row
        assert np.array_equal(found.next_belief, turn.next_belief)


def test_likelihoods_that_a_belief_says_are_kept_in_steps_of_a_255th() -> None:
    mind = make_mind("bayesian")
    turn, _, _ = random_turns(mind, 2)
    found, pieces = kept(mind, turn).belief, mind.params.num_pieces
    assert np.allclose(found[:, pieces:], turn.belief[:, pieces:], rtol=0, atol=1.001 / 255)
    own = (np.asarray(turn.state.knowledge)[:, None] >> np.arange(pieces)[:, None]) & 1
    assert np.array_equal(found[:, :pieces], own), "what an agent knows itself is in the state"


def test_pieces_stay_soft_and_moves_are_the_choice() -> None:
    mind = make_mind(num_pieces=4)
    turn, _, _ = random_turns(mind, 3)
    moves = np.moveaxis(np.eye(5)[turn.action.move], -1, 1)
    expected = np.concatenate([moves, turn.stored[:, 5:]], axis=1)
    assert np.allclose(kept(mind, turn).stored, expected, rtol=0, atol=1 / 65535)


def test_certain_actions_stay_certain() -> None:
    mind = make_mind()
    turn, _, _ = random_turns(mind, 3)
    turn = turn._replace(stored=jnp.round(turn.stored))
    assert np.array_equal(kept(mind, turn).stored[:, 5:], turn.stored[:, 5:])


def test_estimates_are_carried_in_steps_of_a_255th() -> None:
    mind = make_mind("estimated")
    turn, _, _ = random_turns(mind, 4)
    carry, found = turn.carry, kept(mind, turn).carry
    assert found.shape == carry.shape
    assert np.allclose(found, carry, rtol=0, atol=1.001 / 255)
    nearly = turn._replace(carry=jnp.full_like(carry, 0.9995))
    assert (kept(mind, nearly).carry < 1).all(), "nearly certain is not certain: it would count as complete"
    certain = turn._replace(carry=jnp.round(carry))
    assert np.array_equal(kept(mind, certain).carry, certain.carry)


@pytest.mark.parametrize("options", [{"kind": "recurrent"}, {"kind": "symmetric", "network": {"is_recurrent": True}}])
def test_recurrent_states_are_carried_as_float16(options: dict[str, Any]) -> None:
    mind = make_mind("recurrent", **options)
    turn, _, _ = random_turns(mind, 5)
    found = kept(mind, turn).carry
    assert str(jax.tree.structure(found)) == str(jax.tree.structure(turn.carry))
    for theirs, ours in zip(jax.tree.leaves(found), jax.tree.leaves(turn.carry), strict=True):
        assert np.array_equal(theirs, ours.astype(jnp.float16).astype(jnp.float32))


@pytest.mark.parametrize("belief", ["none", "conservative", "second-order", "estimated", "wary"])
@pytest.mark.parametrize("setting", ["n3_w6_c3", "n4_w12_c12"])
def test_a_million_rows_take_at_most_330_megabytes(setting: str, belief: str) -> None:
    mind = BeliefPolicy(Params.from_setting(setting), find_belief(belief))
    assert 1_000_000 * Codec(mind, reads_on=True).num_bytes <= 330e6
    assert 1_000_000 * Codec(mind).num_bytes <= 330e6


def test_recurrent_agents_take_256_bytes_more_each() -> None:
    params = Params.from_setting("n4_w12_c12")
    plain, recurrent = (Codec(BeliefPolicy(params, find_belief(name))).num_bytes for name in ("none", "recurrent"))
    assert recurrent - plain == 256 * params.num_agents


def test_the_oldest_rows_give_way() -> None:
    def numbered(*numbers: int) -> StoredTurn:
        values = jnp.asarray(numbers)
        return StoredTurn(State(*(values for _ in State._fields)), Action(values, values), *(values for _ in range(5)))

    replay = ReplayBuffer(numbered(*[0] * 6), jnp.zeros((), jnp.int32))
    for first in (0, 2, 4, 6, 8):
        replay = add(replay, numbered(first, first + 1))
    assert replay.rows.coins.tolist() == [6, 7, 8, 9, 4, 5]
    assert int(replay.count) == 10


@pytest.mark.parametrize("belief", ["greedy", "estimated"])
def test_the_next_row_of_a_world_is_what_the_rules_make_of_this_one(belief: str) -> None:
    """What a training records of its own play, over the ends of two episodes."""
    mind, worlds = make_mind(belief, num_turns=4), 2
    config = MaddpgConfig(2, worlds, 4, 2, capacity=16, width=8, chunk_episodes=2)
    learner = Maddpg(mind, config, seed=3)
    parts = Parts(make_variables(mind, sets=3), *(None,) * 5)  # only actors play
    play = jax.jit(learner._fresh_play)(jax.random.key(5))
    take_turn, rows = jax.jit(learner._turn), []
    for number in range(8):
        play, (row, _, ended) = take_turn(parts, play, jax.random.key(number))
        assert int(ended) == (worlds if number % 4 == 3 else 0)
        rows.append(row)
    played = jax.tree.map(lambda *turn: jnp.concatenate(turn), *rows)
    turns: StoredTurn = jax.tree.map(np.asarray, jax.jit(learner._codec.unpack)(played))
    after, outcome = rules.step(turns.state, turns.action, turns.coins, mind.params)
    assert turns.state.turn.tolist() == [t % 4 for t in range(8) for _ in range(worlds)]
    for row in range(len(outcome.truncated) - worlds):
        if bool(outcome.truncated[row]):
            continue
        for name in kept_fields(mind.params):
            ours, following = getattr(after, name)[..., row], getattr(turns.state, name)[..., row + worlds]
            assert np.array_equal(ours, following), name
        if belief == "greedy":
            assert np.array_equal(turns.next_belief[..., row], turns.belief[..., row + worlds])
    first = turns.state.turn == 0
    assert np.array_equal(turns.state.knowledge[:, first], turns.state.first_hand[:, first])
