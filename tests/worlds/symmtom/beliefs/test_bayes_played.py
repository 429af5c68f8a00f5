"""The Bayesian belief played through: decided by its key, alike on every engine, and calibrated."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.core.mind import Policy
from otherminds.core.seeds import generator
from otherminds.worlds.symmtom import chance, rules
from otherminds.worlds.symmtom.beliefs import bayes, belief_rules
from otherminds.worlds.symmtom.beliefs.bayes import BAYES, BayesMemory, BayesRule
from otherminds.worlds.symmtom.beliefs.belief_rules import CONSERVATIVE, GREEDY
from otherminds.worlds.symmtom.bits import unpack
from otherminds.worlds.symmtom.minds import scripted
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import Params, State
from tests.worlds.symmtom.playing import Played, play

SMALL = BayesRule(particles=16)
PLAYERS = [scripted.RANDOM, scripted.HEURISTIC, scripted.BELIEF]


def begin(state: State, params: Params, rule: BayesRule) -> BayesMemory:
    return bayes.begin(perceive(state, params), params, rule)


def follow(memory: BayesMemory, state: State, params: Params, rule: BayesRule, key: Any) -> BayesMemory:
    return bayes.update(memory, perceive(state, params), params, rule, key, state.last_reward)


def episode_of(params: Params, rng: np.random.Generator, key: Any, rule: BayesRule = SMALL) -> list[Any]:
    turns = list(play(params, rng, (4,)))
    memory, found = begin(turns[0].before, params, rule), []
    for played in turns:
        memory = follow(memory, played.after, params, rule, key)
        found.append(bayes.probability(memory, params))
    return found


def test_the_same_key_gives_the_same_belief_and_another_another() -> None:
    params = Params(num_turns=20)
    first, again, other = (
        np.stack(episode_of(params, np.random.default_rng(0), np.random.default_rng(seed))) for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert np.abs(first - other).mean() < 0.1


def stacked(turns: list[Played]) -> State:
    """The states after all turns, time first, on JAX."""
    return State(*(jnp.stack(values) for values in zip(*(t.after for t in turns), strict=True)))


@pytest.mark.parametrize(
    "switches", [{}, {"private_first_hand": True, "interference": True, "move_cost": 0.25}], ids=str
)
def test_numpy_and_a_compiled_scan_find_the_same_from_the_same_random_words(
    switches: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bayes, "random_words", lambda key, shape, stream: key[stream])
    params, rng = Params(num_pieces=5, num_turns=25, **switches), np.random.default_rng(0)
    turns = list(play(params, rng, (6,)))
    shapes = {"bayes/copy": (3, 6), "bayes/speech": (3, 3, 16, 6)}
    words = {stream: rng.integers(2**32, size=(25, *shape), dtype=np.uint32) for stream, shape in shapes.items()}

    @jax.jit
    def scan(first: State, later: State, words: Any) -> Any:
        def one(memory: BayesMemory, given: Any) -> Any:
            memory = follow(memory, given[0], params, SMALL, given[1])
            return memory, (memory, bayes.probability(memory, params))

        return jax.lax.scan(one, begin(first, params, SMALL), (later, words))[1]

    compiled, found = scan(State(*map(jnp.asarray, turns[0].before)), stacked(turns), words)
    memory = begin(turns[0].before, params, SMALL)
    for number, played in enumerate(turns):
        memory = follow(memory, played.after, params, SMALL, {s: w[number] for s, w in words.items()})
        assert np.array_equal(memory.knowledge, compiled.knowledge[number])
        assert np.allclose(memory.weight, compiled.weight[number], rtol=1e-5)
        assert np.abs(bayes.probability(memory, params) - found[number]).max() < 1e-5


def test_a_jax_key_decides_as_a_generator_does() -> None:
    params = Params(num_turns=20)
    turns = list(play(params, np.random.default_rng(0), (4,)))
    first, later = State(*map(jnp.asarray, turns[0].before)), stacked(turns)

    @jax.jit
    def scan(key: Any) -> Any:
        def one(memory: BayesMemory, given: Any) -> Any:
            memory = follow(memory, given[0], params, SMALL, given[1])
            return memory, bayes.probability(memory, params)

        return jax.lax.scan(one, begin(first, params, SMALL), (later, jax.random.split(key, params.num_turns)))[1]

    found, again, other = (scan(jax.random.key(seed)) for seed in (1, 1, 2))
    plain = np.stack(episode_of(params, np.random.default_rng(0), np.random.default_rng(1)))
    assert np.array_equal(found, again)
    assert not np.array_equal(found, other)
    assert np.abs(found - plain).mean() < 0.1


# How good the probabilities are


def judged(policy: Policy, params: Params, worlds: int, seed: int) -> dict[str, Any]:
    """Probabilities about others over fresh episodes, by belief, and the truth: ``[turn, observer, other, …]`` each."""
    rng, draws = generator(seed, "world"), generator(seed, "belief")
    state = rules.deal(chance.draw_deal(rng, params, (worlds,)), params)
    sight = perceive(state, params)
    memory, mine = policy.begin(policy.look(state, params), params), begin(state, params, BAYES)
    plain = {rule: belief_rules.begin(sight, params, rule) for rule in (CONSERVATIVE, GREEDY)}
    is_other = ~np.eye(params.num_agents, dtype=bool)
    found: dict[str, list[Any]] = {"bayes": [], "conservative": [], "greedy": [], "truth": []}
    for _ in range(params.num_turns):
        action, memory = policy.act(memory, policy.look(state, params), params, rng)
        state, _ = rules.step(state, action, chance.draw_coins(rng, params, (worlds,)), params)
        mine = follow(mine, state, params, BAYES, draws)
        found["bayes"].append(bayes.probability(mine, params)[is_other])
        truth = unpack(np, state.knowledge, params.num_pieces)
        found["truth"].append(np.broadcast_to(truth, (params.num_agents, *truth.shape))[is_other])
        plain = {rule: belief_rules.update(old, perceive(state, params), params, rule) for rule, old in plain.items()}
        for rule, belief in plain.items():
            claims = np.stack([unpack(np, row, params.num_pieces) for row in belief.knows])
            found[rule.kind].append(claims[is_other])
    return {name: np.stack(values) for name, values in found.items()}


@pytest.mark.parametrize("policy", PLAYERS, ids=lambda policy: policy.name)
@pytest.mark.parametrize("setting", ["n3_w6_c3", "n4_w6_c8"])
def test_probabilities_are_nearer_the_truth_than_conservative_and_greedy_beliefs(setting: str, policy: Policy) -> None:
    found = judged(policy, Params.from_setting(setting), 24, seed=0)
    names = ("bayes", "conservative", "greedy")
    scores = {name: np.square(found[name] - found["truth"].astype(float)).mean() for name in names}
    assert scores["bayes"] < 0.8 * scores["conservative"]
    assert scores["bayes"] < 0.8 * scores["greedy"]


@pytest.mark.parametrize("policy", PLAYERS[1:], ids=lambda policy: policy.name)
def test_what_is_held_probable_comes_true_about_as_often(policy: Policy) -> None:
    found = judged(policy, Params(), 100, seed=1)
    claims, facts = found["bayes"].astype(float).reshape(-1), found["truth"].reshape(-1)
    bins = np.minimum((claims * 5).astype(int), 4)
    for number in range(5):
        is_in = bins == number
        assert is_in.sum() > 300
        assert abs(claims[is_in].mean() - facts[is_in].mean()) < 0.15
