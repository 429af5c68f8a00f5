"""One source of rules on two engines: the same to the bit, in batches, one by one, and across episodes."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import jax
import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom import chance, metrics, rules
from otherminds.worlds.symmtom.beliefs import belief_rules
from otherminds.worlds.symmtom.beliefs.belief_rules import ATTENTIVE, CONSERVATIVE, GREEDY, ZEROTH, BeliefRule
from otherminds.worlds.symmtom.envs import env
from otherminds.worlds.symmtom.envs.engines import Engine
from otherminds.worlds.symmtom.observe import observation_size, observe, perceive
from otherminds.worlds.symmtom.types import Action, Params, State
from tests.reference.pairing import random_params
from tests.worlds.symmtom.playing import keys_of, lively_action, play

PLAIN = Params()
SHORT = Params(num_agents=2, width=4, num_pieces=1, num_turns=3)
DUEL = Params(num_agents=2, width=4, num_pieces=1, competitive=2, hearing=1)

# Chosen so that together they set every switch that changes what is computed.
MIXTURES = [
    (Params(), CONSERVATIVE),
    (
        Params(num_agents=4, num_pieces=12, oracle=True, show_speakable=True, show_turn=True, show_last_reward=True),
        GREEDY,
    ),
    (
        Params(
            num_agents=2,
            num_pieces=6,
            width=7,
            interference=True,
            decay=3,
            vision=2,
            hear_before_move=True,
            private_first_hand=True,
            directions="intended",
        ),
        ATTENTIVE,
    ),
    (
        Params(
            middle_block=True,
            swaps=False,
            random_collisions=False,
            start_on_base=False,
            base="proportional",
            base_pays_at_once=True,
            owners=2,
            positions="absolute",
            other_bases="observer",
            move_cost=0.1,
        ),
        BeliefRule("greedy", credit_speaker=True),
    ),
    (
        Params(
            num_agents=5,
            width=4,
            num_pieces=2,
            competitive=2,
            bonus=0.3,
            base_reward=0.7,
            base_needs_entering=True,
            speech_delay=1,
            count_duplicates=False,
            show_own_knowledge=True,
            displayed_knowledge="current",
        ),
        ZEROTH,
    ),
    (
        Params(
            width=5,
            num_pieces=32,
            base="constant",
            speak_forgotten=False,
            speaking_reward=False,
            show_own_utterance=True,
            num_turns=11,
        ),
        BeliefRule("conservative"),
    ),
]


def everything(
    before: State, belief: belief_rules.Belief, action: Action, coins: Any, params: Params, rule: BeliefRule
) -> dict[str, Any]:
    """All that is computed of a turn."""
    observations, state, rewards, terminated, truncated, info = env.step_with(coins, before, action, params)
    _, outcome = rules.step(before, action, coins, params)
    sight = perceive(state, params)
    return {
        "state": state,
        "observations": observations,
        "rewards": rewards,
        "ends": (terminated, truncated),
        "info": info,
        "outcome": outcome,
        "sight": sight,
        "belief": belief_rules.update(belief, sight, params, rule),
        "metrics": metrics.measure(before, action, state, outcome, params),
    }


@lru_cache(maxsize=64)
def compiled(params: Params, rule: BeliefRule) -> Any:
    return jax.jit(partial(everything, params=params, rule=rule))


@lru_cache(maxsize=64)
def compiled_step(params: Params) -> Any:
    return jax.jit(partial(env.step_auto_reset, params=params))


@lru_cache(maxsize=64)
def compiled_reset(params: Params, worlds: tuple[int, ...] = ()) -> Any:
    return jax.jit(partial(env.reset, params=params, worlds=worlds))


def assert_same(one: Any, other: Any) -> None:
    """Equal to the bit, in values, shapes and types."""
    leaves, tree = jax.tree.flatten(one)
    others, other_tree = jax.tree.flatten(other)
    assert str(tree) == str(other_tree)
    for a, b in zip(map(np.asarray, leaves), map(np.asarray, others), strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert a.tobytes() == b.tobytes()


def compare_engines(params: Params, rule: BeliefRule, worlds: tuple[int, ...], seed: int = 0) -> None:
    rng = np.random.default_rng(seed)
    deal = chance.draw_deal(rng, params, worlds)
    state = rules.deal(deal, params)
    assert_same(state, jax.jit(partial(rules.deal, params=params))(deal))
    belief = belief_rules.begin(perceive(state, params), params, rule)
    for _ in range(params.num_turns):
        action, coins = lively_action(rng, state, params), chance.draw_coins(rng, params, worlds)
        here = everything(state, belief, action, coins, params, rule)
        assert_same(here, compiled(params, rule)(state, belief, action, coins))
        state, belief = here["state"], here["belief"]


@pytest.mark.parametrize(("params", "rule"), MIXTURES, ids=range(len(MIXTURES)))
def test_numpy_and_jax_are_the_same_to_the_bit_over_whole_episodes(params: Params, rule: BeliefRule) -> None:
    compare_engines(params, rule, (130,))


@pytest.mark.parametrize("worlds", [(), (2,), (3, 2)], ids=str)
def test_numpy_and_jax_are_the_same_for_any_shape_of_worlds(worlds: tuple[int, ...]) -> None:
    params = Params(num_agents=2, width=4, num_pieces=2, num_turns=6, decay=2)
    compare_engines(params, CONSERVATIVE, worlds)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_numpy_and_jax_are_the_same_for_any_mixture_of_switches(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rule = BeliefRule("greedy" if seed % 2 else "conservative", credit_speaker=bool(seed % 3))
    compare_engines(random_params(rng), rule, (100,), seed)


def test_the_rules_run_on_jax_without_compiling() -> None:
    with jax.disable_jit():
        rng = np.random.default_rng(0)
        state = rules.deal(chance.draw_deal(rng, SHORT, (6,)), SHORT)
        action, coins = lively_action(rng, state, SHORT), chance.draw_coins(rng, SHORT, (6,))
        on_jax = jax.tree.map(jax.numpy.asarray, (state, action, coins))
        assert_same(rules.step(state, action, coins, SHORT), rules.step(on_jax[0], on_jax[1], on_jax[2], SHORT))


def types_of(values: Any) -> Any:
    return jax.tree.map(lambda a: (str(a.dtype), a.shape), values)


def test_documented_types_hold_on_both_engines() -> None:
    wanted = dict.fromkeys(State._fields, "int32")
    wanted |= dict.fromkeys(("first_hand", "knowledge", "previous_knowledge", "utterance", "earshot"), "uint32")
    wanted |= {"uses_base": "bool", "last_reward": "float32"}
    rng, key = np.random.default_rng(0), jax.random.key(0)
    action = Action(np.zeros((2, 2), np.int32), np.zeros((2, 2), np.int32))
    first = env.reset(rng, SHORT, (2,))
    later = env.step(rng, first[1], action, SHORT)
    for world in (first[1], later[1]):
        assert {name: str(a.dtype) for name, a in world._asdict().items()} == wanted
    assert types_of(later[0]) == ("float32", (2, observation_size(SHORT), 2))
    assert types_of(later[2:5]) == (("float32", (2, 2)), ("bool", (2,)), ("bool", (2,)))
    assert types_of(later[5]["action_mask"]) == {"move": ("bool", (2, 5, 2)), "piece": ("bool", (2, 1, 2))}
    first_on_jax = jax.eval_shape(partial(env.reset, params=SHORT, worlds=(2,)), key)
    assert types_of(first_on_jax) == types_of(first)
    for step in (env.step, env.step_auto_reset):
        assert types_of(jax.eval_shape(partial(step, params=SHORT), key, first_on_jax[1], action)) == types_of(later)


# vmap


def test_many_keys_at_once_give_what_each_gives_alone() -> None:
    keys = jax.random.split(jax.random.key(0), 4)
    observations, states = jax.jit(jax.vmap(partial(env.reset, params=SHORT)))(keys)
    zero = Action(np.ones((2,), np.int32), np.zeros((2,), np.int32))
    step = jax.vmap(partial(env.step_auto_reset, params=SHORT), in_axes=(0, 0, None))
    together = jax.jit(step)(keys, states, zero)
    for k, key in enumerate(keys):
        alone_observations, alone = compiled_reset(SHORT)(key)
        assert_same((alone_observations, alone), jax.tree.map(lambda a, k=k: a[k], (observations, states)))
        assert_same(compiled_step(SHORT)(key, alone, zero), jax.tree.map(lambda a, k=k: a[k], together))


def test_an_episode_runs_inside_scan() -> None:
    def turn(state: State, key: Any) -> tuple[State, Any]:
        move = jax.random.randint(key, (2, 6), 0, 5)
        _, state, rewards, *_ = env.step_auto_reset(key, state, Action(move, move * 0), SHORT)
        return state, rewards

    @jax.jit
    def run(key: Any) -> tuple[State, Any]:
        _, state = env.reset(key, SHORT, (6,))
        found: tuple[State, Any] = jax.lax.scan(turn, state, jax.random.split(key, 10))
        return found

    state, rewards = run(jax.random.key(0))
    assert rewards.shape == (10, 2, 6)
    assert np.asarray(state.turn).tolist() == [10 % 3] * 6


# Auto-reset


def resetter(engine: str, params: Params, worlds: tuple[int, ...]) -> Any:
    return compiled_reset(params, worlds) if engine == "jax" else partial(env.reset, params=params, worlds=worlds)


def stepper(engine: str, params: Params) -> Any:
    return compiled_step(params) if engine == "jax" else partial(env.step_auto_reset, params=params)


@pytest.mark.parametrize("engine", ["numpy", "jax"])
@pytest.mark.parametrize("worlds", [(), (6,)], ids=str)
def test_a_finished_world_is_replaced_by_a_fresh_one(engine: str, worlds: tuple[int, ...]) -> None:
    keys = keys_of(engine, 0, 8)
    rng = np.random.default_rng(1)
    _, state = resetter(engine, SHORT, worlds)(keys[0])
    for number, key in enumerate(keys[1:], start=1):
        action = lively_action(rng, jax.tree.map(np.asarray, state), SHORT)
        observations, after, _, terminated, truncated, info = stepper(engine, SHORT)(key, state, action)
        is_last = number % SHORT.num_turns == 0
        assert np.all(np.asarray(truncated) == is_last)
        assert not np.any(terminated)
        assert np.all(np.asarray(after.turn) == number % SHORT.num_turns)
        fresh = State(*(np.asarray(a) for a in after))
        assert_same(observations, observe(fresh, SHORT))
        assert_same(info["action_mask"], env.action_mask(fresh, SHORT))
        if is_last:
            assert np.array_equal(after.knowledge, after.first_hand)
            assert not np.any(after.utterance)
            assert not np.array_equal(info["final_observation"], observations)
        else:
            assert_same(info["final_observation"], observations)
        state = after


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_the_final_observation_is_that_of_the_last_turn(engine: str) -> None:
    rng = np.random.default_rng(0)
    state = rules.deal(chance.draw_deal(rng, SHORT, (6,)), SHORT)._replace(turn=np.full(6, 2, np.int32))
    action = lively_action(rng, state, SHORT)
    key, same_key = (keys_of(engine, 7, 1)[0] for _ in range(2))
    coins = chance.draw_coins(same_key, SHORT, (6,))
    final, *_ = env.step_with(np.asarray(coins), state, action, SHORT)
    *_, info = stepper(engine, SHORT)(key, state, action)
    assert_same(info["final_observation"], final)


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_only_the_worlds_that_ended_are_replaced(engine: str) -> None:
    rng = np.random.default_rng(0)
    state = rules.deal(chance.draw_deal(rng, DUEL, (3,)), DUEL)
    # World 1 is one recharge from its end: agent 0 stands at home, knows the only piece and has won once.
    everything_known = np.ones_like(state.knowledge)
    state = state._replace(
        x=state.x.copy(), y=state.y.copy(), base_x=state.x.copy(), base_y=state.y.copy(),
        knowledge=everything_known, correct_uses=np.asarray([[0, 1, 0], [0, 0, 0]], np.int32),
    )  # fmt: skip
    stay = Action(np.zeros((2, 3), np.int32), np.full((2, 3), -1, np.int32))
    _, after, rewards, terminated, truncated, _ = stepper(engine, DUEL)(keys_of(engine, 3, 1)[0], state, stay)
    assert np.asarray(terminated).tolist() == [False, True, False]
    assert not np.any(truncated)
    assert np.asarray(after.turn).tolist() == [1, 0, 1]
    assert np.asarray(after.correct_uses).tolist() == [[1, 0, 1], [1, 0, 1]]
    assert np.asarray(rewards)[:, 1].tolist() == [1 + 1, 1 - 1]


# Seeds


def episode(engine: str, seed: int, params: Params = PLAIN, turns: int = 70) -> list[Any]:
    """Two episodes and more, with everything that depends on chance."""
    keys, players = keys_of(engine, seed, turns), np.random.default_rng(99)
    _, state = resetter(engine, params, (4,))(keys[0])
    found: list[Any] = [state]
    for key in keys[1:]:
        action = lively_action(players, jax.tree.map(np.asarray, state), params)
        observations, state, rewards, *_ = stepper(engine, params)(key, state, action)
        found.append((observations, state, rewards))
    return found


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_a_seed_repeats_whole_episodes(engine: str) -> None:
    assert_same(episode(engine, 5), episode(engine, 5))


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_another_seed_gives_other_episodes(engine: str) -> None:
    one, other = episode(engine, 5), episode(engine, 6)
    assert not np.array_equal(one[0].x, other[0].x)
    assert not np.array_equal(one[31][1].first_hand, other[31][1].first_hand)  # the second episode


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_coins_fall_both_ways_and_otherwise_with_another_seed(engine: str) -> None:
    one, other = (np.asarray(chance.draw_coins(keys_of(engine, s, 1)[0], PLAIN, (5_000,))) for s in (5, 6))
    assert not np.array_equal(one, other)
    for q in range(len(PLAIN.pairs)):
        assert abs((one >> q & 1).mean() - 0.5) < 0.05


# One world behind the small interface


@pytest.mark.parametrize(
    "params",
    [PLAIN, DUEL, Params(num_agents=10, width=8, num_pieces=32, num_turns=4)],
    ids=["plain", "duel", "large"],
)
def test_both_engines_step_one_world_alike(params: Params) -> None:
    ours, theirs = Engine("numpy", params), Engine("jax", params)
    rng = np.random.default_rng(0)
    turns = list(play(params, rng))
    for engine in (ours, theirs):
        engine.load(turns[0].before)
    for played in turns:
        one, other = (engine.step(played.coins, played.action) for engine in (ours, theirs))
        for a, b in zip(one.observations, other.observations, strict=True):
            assert_same(a, b)
        assert one.earned == other.earned
        assert [reward for reward, *_ in one.earned] == played.outcome.rewards.tolist()
        assert (one.terminated, one.truncated) == (other.terminated, other.truncated)
        assert_same(one.masks, other.masks)
        for a, b, c in zip(ours.state(), theirs.state(), played.after, strict=True):
            assert_same(a, b)
            assert_same(a, c)


def test_an_unknown_engine_suggests_the_nearest() -> None:
    with pytest.raises(UserError, match="unknown engine 'jaxx'; did you mean 'jax'"):
        Engine("jaxx", PLAIN)
