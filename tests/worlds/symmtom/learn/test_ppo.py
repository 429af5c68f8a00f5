"""PPO: advantages, the clipped loss, and that training sees the decisions that were made."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.worlds.symmtom.learn.ppo import Batch, Ppo, PpoConfig, PpoState, advantages, likelihood
from otherminds.worlds.symmtom.types import Action
from tests.worlds.symmtom.learn.by_hand import Adam, Improved, exact, improved
from tests.worlds.symmtom.learn.making import compiled, make_mind, random_tree

Array = Any
SMALL = PpoConfig(episodes=8, worlds=4, iterations=2, minibatches=2, width=8)
MINDS: dict[str, dict[str, Any]] = {
    "situation": {"belief": "attentive", "kind": "symmetric"},
    "recurrent situation": {"belief": "recurrent", "kind": "symmetric", "network": {"is_recurrent": True}},
    "recurrent": {"belief": "recurrent"},
    "estimating": {"belief": "estimated"},
    "likelihoods": {"belief": "bayesian", "kind": "symmetric"},
}


@cache
def make_learner(mind: str = "situation", num_turns: int = 6, competitive: int | None = None, **changes: Any) -> Ppo:
    config = PpoConfig(**(SMALL.__dict__ | changes))
    world: dict[str, Any] = {"num_turns": num_turns, "mask_actions": True, "competitive": competitive}
    return Ppo(make_mind(**MINDS[mind], **world), config, seed=1)


@cache
def shapes_of(learner: Ppo) -> PpoState:
    shapes: PpoState = jax.eval_shape(learner.begin)
    return shapes


@cache
def played(learner: Ppo, seed: int = 0) -> tuple[Any, Batch, Any, float]:
    """An actor, a batch that it played, what its networks carried into it, and the mean reward."""
    actor = random_tree(shapes_of(learner).actor, seed)
    batch, reward, carry = jax.jit(learner._play)(actor, jax.random.key(seed))
    return actor, batch, carry, float(reward)


# Formulas


def test_advantages_are_those_of_a_plain_loop_and_nothing_counts_after_an_early_end() -> None:
    rng = np.random.default_rng(0)
    turns, worlds, discount, trace = 7, 5, 0.9, 0.7
    reward, value = (rng.normal(size=(turns, worlds)).astype(np.float32) for _ in range(2))
    ends = [7, 1, 4, 6, 2]  # the number of turns played in each world
    is_running = np.asarray([[turn < end for end in ends] for turn in range(turns)])
    kept = jnp.asarray(np.where(is_running, reward, 0))
    found = advantages(kept, jnp.asarray(value), jnp.asarray(is_running), discount, trace)
    for world, end in enumerate(ends):
        expected = np.zeros(turns)
        for turn in range(end):
            for later in range(turn, end):
                following = value[later + 1, world] if later + 1 < end else 0.0
                surprise = reward[later, world] + discount * following - value[later, world]
                expected[turn] += (discount * trace) ** (later - turn) * surprise
        np.testing.assert_allclose(found[:, world], expected, rtol=1e-4, atol=1e-5)


def test_the_likelihood_of_an_action_is_the_product_of_two_softmaxes() -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(size=(6, 9)).astype(np.float32)
    action = Action(rng.integers(0, 5, 6), rng.integers(0, 4, 6))
    found = likelihood(jnp.asarray(logits), Action(*map(jnp.asarray, action)))
    for row in range(6):
        weight = np.exp(logits[row].astype(np.float64))
        move, piece = weight[:5] / weight[:5].sum(), weight[5:] / weight[5:].sum()
        assert found[row] == pytest.approx(np.log(move[action.move[row]] * piece[action.piece[row]]), rel=1e-4)


def test_the_loss_is_the_clipped_one_with_values_and_entropies() -> None:
    """Ratios from far below to far above the clip, on both sides of zero advantage, in episodes that end early."""
    learner = make_learner()
    config, rng = learner.config, np.random.default_rng(2)
    actor, batch, carry, _ = played(learner)
    critic = random_tree(shapes_of(learner).critic, 3)
    shape = batch.reward.shape
    is_running = np.broadcast_to(np.arange(shape[0])[:, None, None] < np.asarray([6, 2, 4, 1]), shape)
    shift = rng.uniform(-0.7, 0.7, shape)
    advantage, target = rng.normal(size=shape), 3 * rng.normal(size=shape)
    batch = batch._replace(is_running=jnp.asarray(is_running), log_likelihood=batch.log_likelihood - shift)
    given = (jnp.asarray(advantage, jnp.float32), jnp.asarray(target, jnp.float32))
    loss, facts = jax.jit(learner._loss)((actor, critic), batch, carry, *given, 0.03)
    logits = np.asarray(jax.jit(learner._logits)(actor, carry, batch), np.float64)
    value = np.asarray(jax.jit(learner._value)(critic, batch), np.float64)

    total = {"gain": 0.0, "value": 0.0, "move": 0.0, "piece": 0.0}
    for at in zip(*np.nonzero(is_running), strict=True):
        ratio = np.exp(shift[at])
        bounded = min(max(ratio, 1 - config.clip), 1 + config.clip)
        total["gain"] += min(ratio * advantage[at], bounded * advantage[at])
        error = abs(value[at] - target[at])
        total["value"] += 0.5 * error**2 if error <= 2 else 2 * (error - 1)
        for name, block in (("move", logits[at][:5]), ("piece", logits[at][5:])):
            chance = np.exp(block - block.max())
            chance = chance[chance > 0] / chance.sum()
            total[name] -= float((chance * np.log(chance)).sum())
    mean = {name: amount / is_running.sum() for name, amount in total.items()}
    expected = config.value_weight * mean["value"] - mean["gain"] - 0.03 * (mean["move"] + mean["piece"])
    assert float(loss) == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert float(facts["value_loss"]) == pytest.approx(mean["value"], rel=1e-3)
    assert float(facts["move_entropy"]) == pytest.approx(mean["move"], rel=1e-3)
    assert float(facts["piece_entropy"]) == pytest.approx(mean["piece"], rel=1e-3)


# Playing


@pytest.mark.parametrize(
    "mind", [pytest.param(m, marks=() if m in ("situation", "estimating") else pytest.mark.slow) for m in MINDS]
)
def test_training_unrolls_a_mind_to_the_decisions_it_made_turn_by_turn(mind: str) -> None:
    learner = make_learner(mind)
    actor, batch, carry, _ = played(learner)
    logits = jax.jit(learner._logits)(actor, carry, batch)
    np.testing.assert_allclose(likelihood(logits, batch.action), batch.log_likelihood, rtol=1e-3, atol=1e-3)
    assert np.ptp(batch.log_likelihood) > 0.5


@pytest.mark.parametrize("mind", [pytest.param("recurrent situation", marks=pytest.mark.slow), "estimating"])
def test_what_a_mind_remembers_matters_for_what_it_decides(mind: str) -> None:
    """Otherwise the test above would show nothing."""
    learner = make_learner(mind)
    actor, batch, carry, _ = played(learner)
    other = jax.tree.map(lambda leaf: leaf + 0.7, carry)
    logits = jax.jit(learner._logits)
    assert not np.allclose(logits(actor, other, batch)[1], logits(actor, carry, batch)[1], atol=1e-2)


def test_what_is_ruled_out_is_never_played() -> None:
    _, batch, _, _ = played(make_learner())
    allowed = np.asarray(batch.allowed)  # [turn, agent, entry, world]
    turn, agent, world = np.indices(batch.action.move.shape)
    assert allowed[turn, agent, np.asarray(batch.action.move), world].all()
    assert allowed[turn, agent, 5 + np.asarray(batch.action.piece), world].all()
    assert not allowed.all()


@pytest.mark.slow
def test_the_same_choice_of_worlds_is_taken_of_everything() -> None:
    for mind in ("situation", "estimating", "recurrent"):
        learner = make_learner(mind)
        actor, batch, carry, _ = played(learner)
        chosen = jnp.asarray([3, 1])
        part, part_carry, reward = jax.jit(learner._pick)(chosen, batch, carry, batch.reward)
        logits = jax.jit(learner._logits)
        whole = logits(actor, carry, batch)[:, :, chosen]
        np.testing.assert_allclose(logits(actor, part_carry, part), whole, rtol=1e-3, atol=1e-3)
        assert np.array_equal(reward, batch.reward[:, :, chosen])
        assert np.array_equal(part.action.move, batch.action.move[:, :, chosen])
        assert np.array_equal(part.truth, batch.truth[:, :, chosen])


@pytest.mark.slow
def test_an_episode_that_ended_early_earns_nothing_more() -> None:
    learner = make_learner(num_turns=60, competitive=2, worlds=32, episodes=64)
    _, batch, _, reward = played(learner)
    is_running = np.asarray(batch.is_running)
    assert not is_running.all(), "no trial was ever won: the test shows nothing"
    assert is_running[0].all()
    assert not (is_running[1:] & ~is_running[:-1]).any(), "what has ended does not go on"
    assert not np.asarray(batch.reward)[~is_running].any()
    assert reward == pytest.approx(float(np.asarray(batch.reward).sum(0).mean()), rel=1e-4)


# Learning


def test_agents_have_one_set_of_parameters() -> None:
    shapes = shapes_of(make_learner())
    for leaf in jax.tree.leaves((shapes.actor, shapes.critic)):
        assert leaf.shape[0] == 1


def test_a_central_critic_is_shown_what_others_really_know_and_an_independent_one_is_not() -> None:
    """The actor never is: see the tests of minds."""
    central, independent = make_learner(), make_learner(centralised_critic=False)
    state = central._deal(jax.random.key(0))
    knowing = state._replace(knowledge=state.knowledge | jnp.uint32(0b011))
    assert np.any(state.knowledge != knowing.knowledge)
    assert not np.array_equal(central._truth(state), central._truth(knowing))
    assert independent._truth(state).size == 0
    _, batch, _, _ = played(central)
    critic = random_tree(shapes_of(central).critic, 3)
    value = jax.jit(central._value)
    assert not np.allclose(value(critic, batch), value(critic, batch._replace(truth=1 - batch.truth)))


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.slow
def test_agents_learn_from_their_own_reward_or_the_teams(share: float) -> None:
    """Who of the team earned it makes a difference, or none."""
    learner = make_learner(team_share=share)
    _, batch, carry, _ = played(learner)
    training = random_tree(shapes_of(learner), 0)._replace(mean=jnp.zeros(()), deviation=jnp.ones(()))
    rewards = jnp.asarray(np.random.default_rng(0).random(batch.reward.shape), jnp.float32)
    improve = jax.jit(learner._improve)
    ours, theirs = (
        improve(training, batch._replace(reward=each), carry, jax.random.key(7))[0]
        for each in (rewards, jnp.roll(rewards, 1, axis=1))
    )
    assert np.allclose(ours.deviation, theirs.deviation, rtol=1e-5) == bool(share)


def test_an_improvement_is_the_one_worked_out_by_hand() -> None:
    """In the middle of training, with large slopes, on episodes that end early; one agent rehearses in the last world.

    What it does not choose itself, at first and of the others, is not learned from.
    """
    changes = {"episodes": 16, "team_share": 0.7, "max_norm": 0.1, "learning_rate": 0.02, "entropy": 0.5}
    learner = Ppo(make_mind("recurrent", num_turns=6), PpoConfig(**(SMALL.__dict__ | changes)), seed=1)
    rng, key = np.random.default_rng(4), jax.random.key(5)
    batch, _, carry = jax.tree.map(
        np.asarray, random_tree(jax.eval_shape(learner._play, shapes_of(learner).actor, key), 2)
    )
    turn, agent, world = np.indices(batch.reward.shape)
    runs = turn < np.asarray([6, 2, 4, 6])[world]
    batch = batch._replace(
        action=Action(rng.integers(0, 5, runs.shape), rng.integers(0, 3, runs.shape)),
        log_likelihood=rng.uniform(-3.2, -2.2, runs.shape).astype(np.float32),  # about 1 in 15
        reward=np.where(runs, 3 + rng.normal(size=runs.shape), 0).astype(np.float32),
        is_running=runs & ((world < 3) | ((agent == 1) & (turn >= 2))),
        is_rehearsal=world == 3,
    )
    training = random_tree(shapes_of(learner), 3)._replace(mean=jnp.asarray(4.0), done=jnp.asarray(1))
    inner = training.optimiser[1]
    inner = inner._replace(count=jnp.asarray(7), nu=jax.tree.map(jnp.square, inner.nu))
    training = training._replace(optimiser=(training.optimiser[0], inner), deviation=jnp.asarray(2.5))

    weights, means, squares = exact(((training.actor, training.critic), inner.mu, inner.nu))
    now = Improved(weights, Adam(means, squares, 7), 4.0, 2.5)
    orders = [jax.random.permutation(each, 4) for each in jax.random.split(key, learner.config.epochs)]
    parts = np.concatenate(orders).reshape((-1, 2)).tolist()
    expected, norms = improved(learner, now, 1 / 4, batch, carry, parts)
    found, _ = compiled(learner._improve)(training, batch, carry, key)

    assert min(norms) > 2 * learner.config.max_norm, "else nothing shows whether slopes are clipped"
    after = found.optimiser[1]
    changed = Improved((found.actor, found.critic), Adam(after.mu, after.nu, after.count), found.mean, found.deviation)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5), changed, expected)
    assert int(found.done) == 2


@pytest.mark.slow
def test_a_chunk_is_some_batches_and_learning_moves_every_part() -> None:
    learner = make_learner()
    assert (learner.num_chunks, learner.chunk_episodes) == (1, 8)
    start = learner.begin()
    after, metrics = learner.chunk(start)
    assert int(after.done) == 2
    moved = jax.tree.map(
        lambda a, b: not np.array_equal(a, b), (start.actor, start.critic), (after.actor, after.critic)
    )
    assert np.mean(jax.tree.leaves(moved)) > 0.8
    assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves((after.actor, after.critic)))
    assert {"reward", "value_loss", "move_entropy", "piece_entropy", "divergence"} <= metrics.keys()
