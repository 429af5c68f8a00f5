"""EE's estimate against plain loops over the paper's equations, its slopes, and the signature of all networks."""

from __future__ import annotations

import itertools
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.worlds.symmtom.minds.network_policy import PolicyMemory, Sight
from otherminds.worlds.symmtom.minds.networks import Cell, Critic, Estimating, Inputs, TurnEvidence
from otherminds.worlds.symmtom.types import State
from tests.worlds.symmtom.learn.making import compiled, make_mind, make_variables, random_tree, states, thoughts

Array = Any
N, C, BATCH, UNITS = 4, 3, 40, 6


class Revising(Estimating):
    """The estimate itself instead of logits, with the same variables."""

    @nn.compact
    def __call__(self, carry: Any, inputs: Any) -> Any:
        return self.revise(carry, inputs)


class Guessing(Estimating):
    """What speakers are thought to have said."""

    @nn.compact
    def __call__(self, carry: Any, inputs: Any) -> Any:
        return self.guess(carry, inputs.near)


def random_evidence(seed: int, batch: int = BATCH) -> tuple[Array, TurnEvidence]:
    """A belief of many numbers, some columns complete or nearly so, and any evidence."""
    rng = np.random.default_rng(seed)
    before = rng.random((N, C, batch))
    before = np.where(rng.random(before.shape) < 0.4, np.round(before), before)
    before = np.where(rng.random((N, 1, batch)) < 0.3, 1.0, before)
    before = np.where(rng.random((N, 1, batch)) < 0.2, np.maximum(before, 0.9), before)
    piece = rng.integers(-1, C, (N, batch))
    said = (np.arange(C)[None, :, None] == piece[:, None]).astype(float)
    near = np.triu(rng.random((batch, N, N)) < 0.5, 1)
    near = np.moveaxis(near | near.swapaxes(1, 2), 0, -1).astype(float)
    for speaker in range(1, N):
        said[speaker] *= near[0, speaker]  # the others' speech only as far as it was heard
    uses_base = (rng.random((N, batch)) < 0.5).astype(float)
    first_hand = (rng.random((N, C, batch)) < 0.2).astype(float)
    parts = (said, near, uses_base, first_hand, np.zeros((C, batch)))
    return np.float32(before), TurnEvidence(*(np.float32(part) for part in parts))


def make_params(network: Estimating, seed: int = 0) -> Any:
    before, evidence = random_evidence(0, 1)
    shapes = jax.eval_shape(lambda: network.init(jax.random.key(0), before, evidence))
    return random_tree(shapes, seed)


def guess_by_loops(params: Any, before: Array, near: Array) -> Array:
    """U of spec section 9.4 for one entry of the batch, ``[speaker, piece]``."""
    layers = [params["params"][name] for name in ("guess_0", "guess_1", "guess_out")]
    found = np.zeros((N, C))
    for speaker in range(N):
        listeners = [near[speaker, j] * before[j] for j in range(N) if j != speaker]
        x = np.concatenate([before[speaker], *listeners])
        for number, layer in enumerate(layers):
            x = x @ np.asarray(layer["kernel"], np.float64) + np.asarray(layer["bias"], np.float64)
            x = np.maximum(x, 0) if number < 2 else x
        weight = np.exp(x - x.max())
        found[speaker] = weight / weight.sum()
    return found


def revise_by_loops(before: Array, e: TurnEvidence, guess: Array, options: dict[str, Any]) -> Array:
    """K(t) from K(t-1) for one entry of the batch, ``[subject, piece]``."""
    found = np.zeros((N, C))
    for j in range(N):
        sources = np.zeros(C)
        for i in range(C):
            s0 = e.said[0, i] * e.near[0, j]
            s1 = max(e.said[k, i] * e.near[0, k] * e.near[k, j] for k in range(N))
            unsaid = 1.0
            for k in range(N):
                # Speakers other than the agent itself that it did not hear, for listeners other than itself.
                counts = j != 0 and k != 0 and not e.near[0, k]
                if e.near[j, k] and (counts or options.get("literal_guess")):
                    unsaid *= 1 - guess[k, i]
            sources[i] = s0 + s1 + (1 - unsaid)
        erases = e.uses_base[j] and before[j].sum() >= C - 1e-6
        for i in range(C):
            total = 100 * e.first_hand[j, i] + before[j, i] + min(1.0, sources[i]) - (2.0 if erases else 0.0)
            found[j, i] = min(1.0, max(0.0, total))
    return found


OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "literal": {"literal_guess": True},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_an_estimate_is_revised_by_the_equations_of_the_paper(options: dict[str, Any]) -> None:
    network = Revising(5 + C, UNITS, **options)
    before, evidence = random_evidence(1)
    params = make_params(network)
    knows = jax.jit(network.apply)(params, before, evidence)
    guess = jax.jit(Guessing(5 + C, UNITS, **options).apply)(params, before, evidence)
    for entry in range(BATCH):
        one = TurnEvidence(*(part[..., entry] for part in evidence))
        expected_guess = guess_by_loops(params, before[..., entry], one.near)
        np.testing.assert_allclose(guess[..., entry], expected_guess, rtol=0, atol=1e-5)
        expected = revise_by_loops(before[..., entry].astype(np.float64), one, expected_guess, options)
        np.testing.assert_allclose(knows[..., entry], expected, rtol=0, atol=1e-4)
    if options:
        usual = jax.jit(Revising(5 + C, UNITS).apply)(params, before, evidence)
        assert not np.allclose(usual, knows, atol=1e-3), "this reading is told from the usual one"


def test_almost_complete_is_not_complete() -> None:
    before = np.full((N, C, 1), 0.9, np.float32)
    nothing = np.zeros((N, C, 1), np.float32)
    evidence = TurnEvidence(nothing, np.zeros((N, N, 1)), np.ones((N, 1)), nothing, nothing[0])
    network = Revising(5 + C, UNITS)
    estimate: Any = network.apply(make_params(network), before, evidence)
    assert np.allclose(estimate, 0.9)


def test_what_was_learned_twice_is_still_erased_by_a_recharge() -> None:
    """Spec section 13, row 26: the sum of sources is clipped first."""
    before, nothing = np.ones((N, C, 1), np.float32), np.zeros((N, C, 1), np.float32)
    said = nothing.copy()
    said[0, 0] = said[1, 0] = 1  # the agent and another say piece 0 to agent 2
    near = np.zeros((N, N, 1), np.float32)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        near[a, b] = near[b, a] = 1
    evidence = TurnEvidence(said, near, np.ones((N, 1)), nothing, nothing[0])
    network = Revising(5 + C, UNITS)
    found: Any = network.apply(make_params(network), before, evidence)
    assert np.array_equal(found, nothing)


def test_the_guesses_learn_by_the_right_slopes() -> None:
    """Against central differences, in double precision."""
    network = Revising(5 + C, UNITS)
    before, evidence = random_evidence(3, 8)
    # Away from 0 and 1 and from recharges, where an estimate has a slope everywhere.
    before = 0.3 * before
    evidence = evidence._replace(first_hand=0 * evidence.first_hand, uses_base=0 * evidence.uses_base)
    weights = np.random.default_rng(4).standard_normal(before.shape)
    params = make_params(network)
    with jax.enable_x64(True):
        exact = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float64), params)
        seen = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float64), (before, evidence))
        total = jax.jit(lambda p: (network.apply(p, *seen) * weights).sum())
        slopes = jax.jit(jax.grad(total))(exact)
        leaves, structure = jax.tree.flatten(exact)
        rng, steepest = np.random.default_rng(5), 0.0
        for at, (leaf, slope) in enumerate(zip(leaves, jax.tree.leaves(slopes), strict=True)):
            for _ in range(4):
                place = tuple(int(rng.integers(size)) for size in leaf.shape)

                def shifted(by: float, at: int = at, place: tuple[int, ...] = place) -> float:
                    moved = list(leaves)
                    moved[at] = leaves[at].at[place].add(by)
                    return float(total(jax.tree.unflatten(structure, moved)))

                expected = (shifted(1e-5) - shifted(-1e-5)) / 2e-5
                assert float(slope[place]) == pytest.approx(expected, rel=1e-4, abs=1e-7)
                steepest = max(steepest, abs(expected))
    assert steepest > 1e-2


def follow_estimate(
    seen: list[State], seed: int, network: dict[str, Any] | None = None, **switches: Any
) -> list[tuple[Any, Any]]:
    """What every agent knows, and its estimate, along an episode: ``[agent, slot, piece, world]`` each."""
    mind = make_mind("estimated", network=network, **switches)
    estimate = Revising(mind.num_outputs, 8, **(network or {}))
    weights = make_variables(mind, seed)
    params = jax.tree.map(lambda leaf: leaf[0], weights)

    @compiled
    def follow(carry: Any, sight: Sight, said: Any) -> Any:
        inputs = mind.inputs(sight, said)
        assert isinstance(inputs, Inputs)
        evidence = inputs.evidence
        assert isinstance(evidence, TurnEvidence)
        before = jnp.concatenate([evidence.known_before[:, None], carry], axis=1)
        return jax.vmap(lambda b, e: estimate.apply(params, b, e))(before, evidence)

    found: list[tuple[Any, Any]] = []
    carry = None
    for state, (sight, said) in zip(seen, thoughts(mind, seen), strict=True):
        carry = mind.begin(sight).carry if carry is None else carry
        knows = follow(carry, sight, said)
        carry = knows[:, 1:]
        pieces = np.arange(mind.params.num_pieces, dtype=np.uint32)[:, None]
        found.append(((state.knowledge[:, None] >> pieces) & 1, np.asarray(knows)))
    return found


def test_an_estimate_begins_with_what_everyone_has_first_hand() -> None:
    params = make_mind().params
    first = states(params, 0, 20, 1)[:1]
    ((_, knows),) = follow_estimate(first, 0)
    for k in range(3):
        for slot, agent in enumerate([k, *(j for j in range(3) if j != k)]):
            expected = (first[0].first_hand[agent] >> np.arange(3, dtype=np.uint32)[:, None]) & 1
            assert np.array_equal(knows[k, slot], expected)


@pytest.mark.parametrize("switches", [{}, {"num_agents": 4, "num_pieces": 8}, {"hear_before_move": True}])
def test_an_agent_estimates_its_own_knowledge_exactly(switches: dict[str, Any]) -> None:
    switches = {"num_turns": 30} | switches
    seen = states(make_mind(**switches).params, 1, 40)
    recharges = sum(int((a.correct_uses - b.correct_uses).sum()) for b, a in itertools.pairwise(seen))
    assert recharges > 20
    for truth, knows in follow_estimate(seen, 2, **switches):
        assert np.array_equal(knows[:, 0], truth)


def test_guessing_as_printed_an_agent_takes_what_was_said_near_it_for_known() -> None:
    """The paper's A.4 guesses for every listener: who is near anyone soon seems to know all, the agent itself too."""
    mind = make_mind("estimated", network={"literal_guess": True}, num_turns=30)
    seen = states(mind.params, 1, 40)
    weights, carry, wrong = make_variables(mind, 2), None, []
    decide, believes = compiled(mind.decide), compiled(mind.believes)
    for state, (sight, said) in zip(seen, thoughts(mind, seen), strict=True):
        memory = mind.begin(sight) if carry is None else PolicyMemory((), carry)
        _, carry = decide(weights, memory.carry, mind.inputs(sight, said), ())
        report = np.asarray(believes(PolicyMemory((), carry), sight))
        truth = (state.knowledge[:, None] >> np.arange(3, dtype=np.uint32)[:, None]) & 1
        for k in range(3):
            slots = [k, *(j for j in range(3) if j != k)]
            assert np.array_equal(report[k, slots], carry[k]), "what it reports is what it carries"
        own = np.stack([report[k, k] for k in range(3)])
        assert (own >= (state.first_hand[:, None] >> np.arange(3, dtype=np.uint32)[:, None]) & 1).all()
        wrong.append(float(np.abs(own - truth).mean()))
    assert wrong[0] == 0, "it begins with its first-hand pieces"
    assert wrong[-1] > 0.1, "and does not know what it knows"


def test_a_critics_value_is_the_last_of_three_plain_layers() -> None:
    """It adds up what is seen and done in two parts; together they are one layer."""
    critic, rng = Critic(UNITS), np.random.default_rng(0)
    seen, actions = rng.standard_normal((5, 7)).astype(np.float32), rng.standard_normal((3, 7)).astype(np.float32)
    params = random_tree(jax.eval_shape(lambda: critic.init(jax.random.key(0), seen, actions)), 0)
    p = params["params"]
    x = np.concatenate([seen, actions]).T
    x = np.maximum(x @ p["kernel"] + p["bias"], 0)
    x = np.maximum(x @ p["Dense_0"]["kernel"] + p["Dense_0"]["bias"], 0)
    expected = (x @ p["Dense_1"]["kernel"] + p["Dense_1"]["bias"])[:, 0]
    found: Any = critic.apply(params, seen, actions)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_a_cell_keeps_writes_and_shows_by_its_gates() -> None:
    """Gates in the order of the public program: write, new, keep, show; one is added before it forgets."""
    network, rng = Cell(UNITS), np.random.default_rng(0)
    cell, out, entries = (rng.standard_normal((size, 7)).astype(np.float32) for size in (UNITS, UNITS, 3))
    params = random_tree(jax.eval_shape(lambda: network.init(jax.random.key(0), (cell, out), entries)), 0)
    layer = params["params"]["Dense_0"]
    rows = layer["kernel"].T @ np.concatenate([entries, out]) + layer["bias"][:, None]
    write, new, keep, show = (rows[k * UNITS : (k + 1) * UNITS] for k in range(4))
    expected = cell / (1 + np.exp(-keep - 1)) + np.tanh(new) / (1 + np.exp(-write))
    shown = np.tanh(expected) / (1 + np.exp(-show))
    result: Any = network.apply(params, (cell, out), entries)
    found, (new_cell, new_out) = result
    np.testing.assert_allclose(new_cell, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found, shown, rtol=1e-4, atol=1e-5)
    assert np.array_equal(found, new_out)
