"""MADDPG's updates against plain NumPy, worked out by hand: layers, slopes, clipping, Adam and targets."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.learn import maddpg
from otherminds.worlds.symmtom.learn.codec import Codec, StoredTurn
from otherminds.worlds.symmtom.learn.configs import MaddpgConfig
from otherminds.worlds.symmtom.learn.maddpg import Maddpg, MaddpgState, Parts, clip_each
from otherminds.worlds.symmtom.learn.replay import ActorCriticInputs, ReplayBuffer, Sample, Sampler
from otherminds.worlds.symmtom.minds.belief_parts import BELIEFS
from otherminds.worlds.symmtom.observe import observation_size, observe
from otherminds.worlds.symmtom.types import Params
from tests.worlds.symmtom.learn.by_hand import Adam, Learned, applied, exact, layered, of, relaxed, updated
from tests.worlds.symmtom.learn.making import compiled, make_mind, on_jax, random_tree, spoken_turns

Array = Any
BATCH, UNITS = 5, 4
# Large steps, so that an update in the wrong order or with the wrong target shows.
CONFIG = MaddpgConfig(
    episodes=8, worlds=2, update_period=4, batch=BATCH, capacity=48, learning_rate=0.05, target_rate=0.3,
    discount=0.8, clip=0.5, logit_penalty=0.02, width=UNITS, chunk_episodes=8,
)  # fmt: skip
CASES: dict[str, dict[str, Any]] = {
    "beliefs and masks": {"belief": "conservative", "mask_actions": True},
    "estimates": {"belief": "estimated"},
    "estimates, anew": {"belief": "estimated", "next_carry": "anew"},
    "recurrent actors": {"belief": "recurrent"},
    "recurrent actors, anew": {"belief": "recurrent", "next_carry": "anew"},
}
QUICK = ("beliefs and masks", "estimates, anew", "recurrent actors")


# From the learner's trees to those of each agent


def adam_of(state: Any, agent: int) -> Adam:
    inner = state[1][0]
    mean, square = of(exact((inner.mu, inner.nu)), agent)
    return Adam(mean, square, int(inner.count[agent]))


def everyone_in(parts: Parts, agents: int = 3) -> list[Learned]:
    weights = exact(parts[:4])
    optimisers = parts[4:]
    return [Learned(*of(weights, i), *(adam_of(each, i) for each in optimisers)) for i in range(agents)]


def assert_close(found: Any, expected: Any) -> None:
    jax.tree.map(partial(np.testing.assert_allclose, rtol=1e-4, atol=1e-5), found, expected)


@cache
def make_learner(belief: str = "none", **changes: Any) -> Maddpg:
    switches = {"num_turns": 6} | {name: changes.pop(name) for name in ("num_turns", "mask_actions") if name in changes}
    config = MaddpgConfig(**(CONFIG.__dict__ | changes))
    return Maddpg(make_mind(belief, units=UNITS, **switches), config, seed=1)


@cache
def shapes_of(learner: Maddpg) -> MaddpgState:
    shapes: MaddpgState = jax.eval_shape(learner.begin)
    return shapes


def random_parts(learner: Maddpg, seed: int = 0) -> Parts:
    """In the middle of training: Adam's means and counts matter, which at its first step do not."""
    parts: Parts = jax.tree.map(np.asarray, random_tree(shapes_of(learner).parts, seed, scale=0.4))

    def middle(state: Any) -> Any:
        inner = state[1][0]
        moved = inner._replace(nu=jax.tree.map(lambda v: 0.1 * v * v, inner.nu), count=inner.count + 7)
        moved = moved._replace(mu=jax.tree.map(lambda v: 0.2 * v, inner.mu))
        return (state[0], (moved, *state[1][1:]))

    return parts._replace(
        actor_optimiser=middle(parts.actor_optimiser), critic_optimiser=middle(parts.critic_optimiser)
    )


@cache
def shapes_of_sample(learner: Maddpg) -> Sample:
    training = shapes_of(learner)
    index = jnp.zeros(BATCH, jnp.int32)
    shapes: Sample = jax.eval_shape(learner._sampler.rebuild, training.replay, index)
    return shapes


def random_sample(learner: Maddpg, seed: int = 0) -> Sample:
    """Transitions that no play led to: every entry is a number of its own, but for what is either so or not."""
    rng, shapes = np.random.default_rng(seed), shapes_of_sample(learner)

    def numbers(leaf: Any) -> Array:
        return rng.standard_normal(leaf.shape).astype(np.float32)

    def facts(leaf: Any) -> Array:
        return (rng.random(leaf.shape) < 0.5).astype(leaf.dtype)

    def view(shapes: ActorCriticInputs) -> ActorCriticInputs:
        evidence, allowed = jax.tree.map(facts, (shapes.inputs.evidence, shapes.allowed))
        if learner.mind.params.mask_actions:
            allowed[:, [0, 5]] = True
        inputs = jax.tree.map(numbers, shapes.inputs._replace(evidence=()))._replace(evidence=evidence)
        return ActorCriticInputs(inputs, allowed, numbers(shapes.seen))

    carry, next_carry = jax.tree.map(numbers, (shapes.carry, shapes.next_carry))
    if learner.mind.kind == "estimating":  # estimates lie between 0 and 1
        carry, next_carry = jax.tree.map(lambda leaf: np.abs(np.sin(leaf)), (carry, next_carry))
    stored = np.stack([relaxed(each, np.ones_like(each)) for each in numbers(shapes.stored)])
    return shapes._replace(
        before=view(shapes.before), after=view(shapes.after), carry=carry, next_carry=next_carry,
        stored=stored, rewards=3 * numbers(shapes.rewards),
    )  # fmt: skip


@pytest.fixture
def noises(monkeypatch: pytest.MonkeyPatch) -> tuple[Array, Array]:
    """The noise of an agent's own action and of everyone's next action, given instead of drawn."""
    rng, width = np.random.default_rng(9), make_learner().mind.num_outputs
    own = rng.exponential(size=(width, BATCH)).astype(np.float32)
    following = rng.exponential(size=(3, width, BATCH)).astype(np.float32)
    given = {own.shape: own, following.shape: following}
    monkeypatch.setattr(maddpg, "exponentials", lambda key, shape, stream: jnp.asarray(given[shape]))
    return own, following


@cache
def update_of(learner: Maddpg) -> Any:
    """With the noises above, which are the same in all tests."""
    return compiled(learner._update_agent)


@pytest.mark.parametrize("agent", [0, 1, 2])
def test_an_update_is_the_one_worked_out_by_hand(noises: tuple[Array, Array], agent: int) -> None:
    learner = make_learner()
    parts, sample = random_parts(learner), random_sample(learner)
    everyone = everyone_in(parts)
    expected, error = updated(everyone, agent, sample, *noises, CONFIG)
    found, losses = update_of(learner)(parts, jnp.asarray(agent), on_jax(sample), jax.random.key(0))
    assert_close(everyone_in(found)[agent], expected)
    assert float(losses["critic_loss"]) == pytest.approx(error, rel=1e-4)
    for other in {0, 1, 2} - {agent}:
        assert_close(everyone_in(found)[other], everyone[other])


@pytest.mark.parametrize(
    "changes",
    [
        {"discount": 0.0, "clip": 0.01},
        {"logit_penalty": 5.0},
        *(pytest.param(c, marks=pytest.mark.slow) for c in ({"clip": 1e6}, {"logit_penalty": 0.0})),
    ],
)
def test_the_update_follows_its_configuration(noises: tuple[Array, Array], changes: dict[str, float]) -> None:
    learner = make_learner(**changes)
    parts, sample = random_parts(learner), random_sample(make_learner())
    expected, _ = updated(everyone_in(parts), 1, sample, *noises, learner.config)
    by_default, _ = updated(everyone_in(parts), 1, sample, *noises, CONFIG)
    found, _ = update_of(learner)(parts, jnp.asarray(1), on_jax(sample), jax.random.key(0))
    assert_close(everyone_in(found)[1], expected)
    with pytest.raises(AssertionError):
        assert_close(everyone_in(found)[1], by_default)


@pytest.mark.parametrize("case", [pytest.param(c, marks=() if c in QUICK else pytest.mark.slow) for c in CASES])
def test_an_update_is_the_one_worked_out_by_hand_for_other_minds(noises: tuple[Array, Array], case: str) -> None:
    """Targets go on from what the memory says of the turn before, or from what they make of it anew."""
    learner = make_learner(**CASES[case])
    parts, sample = random_parts(learner), random_sample(learner)
    network = layered if learner.mind.kind == "feedforward" else applied(learner.mind.network)
    expected, error = updated(everyone_in(parts), 1, exact(sample), *noises, learner.config, network)
    found, losses = update_of(learner)(parts, jnp.asarray(1), on_jax(sample), jax.random.key(0))
    assert_close(everyone_in(found)[1], expected)
    assert float(losses["critic_loss"]) == pytest.approx(error, rel=1e-4)


def test_each_tensor_is_clipped_by_itself() -> None:
    slopes = {"large": jnp.asarray([3.0, 4.0]), "small": jnp.asarray([[0.03], [0.04]])}
    clipped, _ = clip_each(0.5).update(slopes, clip_each(0.5).init(slopes))
    assert np.allclose(clipped["large"], [0.3, 0.4])
    assert np.array_equal(clipped["small"], slopes["small"])


def test_agents_learn_in_order_and_see_the_targets_of_those_before(
    noises: tuple[Array, Array], monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = make_learner()
    parts = random_parts(learner)
    samples = [random_sample(learner, seed) for seed in range(3)]  # a draw of its own for each
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *samples)
    numbered = jnp.repeat(jnp.arange(3)[:, None], BATCH, axis=1)

    def rebuilt(_: Sampler, replay: Any, index: Array) -> Any:
        return jax.tree.map(lambda leaf: leaf[index[0]], stacked)

    monkeypatch.setattr(Sampler, "draw", lambda *_: numbered)
    monkeypatch.setattr(Sampler, "rebuild", rebuilt)
    start = everyone_in(parts)
    everyone, apart = list(start), list(start)
    for agent, sample in enumerate(samples):
        everyone[agent], _ = updated(everyone, agent, sample, *noises, CONFIG)
        apart[agent], _ = updated(start, agent, sample, *noises, CONFIG)
    nothing = jax.tree.map(lambda leaf: jnp.ones(leaf.shape, leaf.dtype), shapes_of(learner).replay)
    found, _ = compiled(learner._update)(parts, nothing, jax.random.key(0))
    assert_close(everyone_in(found), everyone)
    with pytest.raises(AssertionError):
        assert_close(everyone_in(found), apart)


# From the memory to transitions


def filled(learner: Maddpg, first: int = 0) -> tuple[ReplayBuffer, StoredTurn]:
    """A memory of one played episode from some turn on, and its turns; the rest of the memory is empty."""
    mind, worlds = learner.mind, 2
    played = list(spoken_turns(mind.params, 4, worlds))[first:]
    before, action, coins, _, _ = jax.tree.map(lambda *parts: jnp.concatenate(parts, axis=-1), *played)
    size = before.turn.shape[0]
    rng = np.random.default_rng(0)
    said, carry, _ = jax.eval_shape(lambda: mind.example(size))
    soft = rng.random((3, mind.num_outputs, size), np.float32)
    beliefs = [jnp.asarray(rng.integers(0, 8, said.shape, np.uint32)) for _ in range(2)]
    turn = StoredTurn(before, action, jnp.asarray(soft), coins, beliefs[0], beliefs[1], carry)
    codec = Codec(mind)
    kept = jax.jit(codec.pack)(turn)
    rest = learner.config.capacity - size
    rows = jax.tree.map(lambda row: jnp.concatenate([row, jnp.zeros((rest, *row.shape[1:]), row.dtype)]), kept)
    exact: StoredTurn = jax.tree.map(np.asarray, jax.jit(codec.unpack)(kept))
    return ReplayBuffer(rows, jnp.asarray(size)), exact


def rows_of(sample: Sample, turn: StoredTurn) -> list[int]:
    """Which turns a sample holds, by the actions in it."""
    known = [turn.stored[..., k] for k in range(turn.stored.shape[-1])]

    def number(stored: Array) -> int:
        (found,) = [k for k, each in enumerate(known) if np.array_equal(each, stored)]
        return found

    return [number(each) for each in np.moveaxis(np.asarray(sample.stored), -1, 0)]


def critic_view(turn_state: Any, params: Params) -> Array:
    """What critics see of each turn: the observations of all agents, one after the other."""
    vectors = observe(turn_state, params)
    return np.stack([np.concatenate([vectors[i, :, k] for i in range(3)]) for k in range(vectors.shape[-1])])


@pytest.mark.parametrize("truth", [pytest.param(False, marks=pytest.mark.slow), True])
def test_transitions_are_rebuilt_with_what_critics_see(truth: bool) -> None:
    learner = make_learner("conservative", critic_sees_truth=truth)
    replay, turn = filled(learner)
    params = learner.mind.params
    sample = jax.jit(learner._sampler.rebuild)(replay, jnp.asarray([3, 0, 7, 7, 1]))
    after, outcome = rules.step(turn.state, turn.action, turn.coins, params)
    view = params.replace(oracle=truth)
    now, following = critic_view(turn.state, view), critic_view(after, view)
    assert not np.array_equal(turn.belief, turn.next_belief)
    assert rows_of(sample, turn) == [3, 0, 7, 7, 1]
    for entry, row in enumerate(rows_of(sample, turn)):
        assert np.array_equal(sample.before.seen[:, entry], now[row])
        assert np.array_equal(sample.after.seen[:, entry], following[row])
        assert np.array_equal(sample.rewards[:, entry], outcome.rewards[:, row])
        assert np.array_equal(sample.before.inputs.vector[..., entry], observe(turn.state, params)[..., row])
        assert np.array_equal(sample.after.inputs.vector[..., entry], observe(after, params)[..., row])
        for view, said in ((sample.before, turn.belief), (sample.after, turn.next_belief)):
            flags = [
                [said[agent, slot, row] >> piece & 1 for slot in range(3) for piece in range(3)] for agent in range(3)
            ]
            assert np.array_equal(view.inputs.belief[..., entry], flags)


def test_every_agent_learns_from_a_draw_of_its_own_from_the_whole_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = make_learner("conservative", critic_sees_truth=False)
    replay, turn = filled(learner)
    seen: list[list[int]] = []
    learner_of_rows = learner._update_agent

    def noting(parts: Parts, agent: Array, sample: Sample, key: Any) -> Any:
        jax.debug.callback(lambda s: seen.append(rows_of(s, turn)), sample)  # fails on rows that were never filled
        return learner_of_rows(parts, agent, sample, key)

    monkeypatch.setattr(learner, "_update_agent", noting)
    update, parts = jax.jit(learner._update), random_parts(learner)
    for key in range(10):
        update(parts, replay, jax.random.key(key))
    jax.effects_barrier()  # type: ignore[no-untyped-call]
    assert len(seen) == 30
    assert all(len({tuple(batch) for batch in seen[at : at + 3]}) == 3 for at in range(0, 30, 3))
    assert {row for batch in seen for row in batch} == set(range(int(replay.count)))


def test_the_last_turn_of_an_episode_is_worth_what_may_follow_it(noises: tuple[Array, Array]) -> None:
    """No done flag is ever set: targets look through the time limit (spec section 10)."""
    learner = make_learner()
    replay, turn = filled(learner, first=5)
    assert set(turn.state.turn.tolist()) == {learner.mind.params.num_turns - 1}
    drawn = learner._sampler.draw(replay, jax.random.key(0), (BATCH,))
    sample = jax.jit(learner._sampler.rebuild)(replay, drawn)
    parts = random_parts(learner)
    _, error = updated(everyone_in(parts), 0, exact(sample), *noises, CONFIG)
    _, without = updated(
        everyone_in(parts), 0, exact(sample), *noises, MaddpgConfig(**(CONFIG.__dict__ | {"discount": 0.0}))
    )
    _, losses = update_of(learner)(parts, jnp.asarray(0), sample, jax.random.key(0))
    assert float(losses["critic_loss"]) == pytest.approx(error, rel=1e-4)
    assert abs(error - without) > 1e-2


def critic_sees_truth(learner: Maddpg) -> bool:
    """By the entries of the critics' first layer."""
    rows = shapes_of(learner).parts.critic["params"]["kernel"].shape[1]
    params, actions = learner.mind.params, 3 * learner.mind.num_outputs
    sizes = {3 * observation_size(params.replace(oracle=truth)) + actions: truth for truth in (False, True)}
    return sizes[rows]


@pytest.mark.parametrize("belief", BELIEFS)
def test_critics_see_the_truth_where_the_paper_has_it(belief: str) -> None:
    """Spec section 13, row 34: not in MADDPG and RMADDPG, whose agents have no belief."""
    assert critic_sees_truth(make_learner(belief)) == (belief not in ("none", "recurrent"))


@pytest.mark.parametrize(
    ("belief", "asked", "expected"),
    [("none", True, True), ("conservative", False, False)],
)
def test_critics_see_the_truth_if_asked_to(belief: str, asked: bool, expected: bool) -> None:
    assert critic_sees_truth(make_learner(belief, critic_sees_truth=asked)) == expected
