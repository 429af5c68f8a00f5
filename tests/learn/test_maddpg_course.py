"""How a training with MADDPG begins and goes: its protocol, when it learns, what it keeps, critics that remember."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.learn.symmtom.codec import Codec
from otherminds.learn.symmtom.maddpg import Maddpg, Parts
from otherminds.learn.symmtom.protocol import MaddpgConfig
from otherminds.learn.symmtom.replay import Replay
from otherminds.players.symmtom import learned as players
from otherminds.players.symmtom.believing import find_belief
from otherminds.players.symmtom.mind import BeliefPolicy
from otherminds.players.symmtom.rollout import rollout
from otherminds.worlds.symmtom.types import Params
from tests.learn.making import SMALL, compiled, random_tree
from tests.learn.test_maddpg import critic_view, make_learner, shapes_of

# Where training begins


def test_the_protocol_is_the_papers_unless_told_otherwise() -> None:
    """The table of spec section 10, and what sections 9.1 and 9.3 choose."""
    protocol = {
        "episodes": 60_000, "learning_rate": 0.001, "target_rate": 0.005, "discount": 0.95, "batch": 1024,
        "capacity": 1_000_000, "update_period": 100, "clip": 0.5, "logit_penalty": 0.001, "width": 64,
        "chunk_episodes": 1000, "stored_action": "mixed", "critic_is_recurrent": False, "validation_episodes": 0,
    }  # fmt: skip
    given = asdict(MaddpgConfig())
    assert {name: given[name] for name in protocol} == protocol
    for setting, first_update in (("n3_w6_c3", 30_720), ("n4_w12_c12", 61_440)):
        mind = BeliefPolicy(Params.from_setting(setting), find_belief("none"))
        assert MaddpgConfig().filled(mind).warm_up == first_update
        assert mind.width == 64


@pytest.mark.parametrize(("belief", "is_recurrent"), [("none", False), ("estimated", False), ("recurrent", True)])
def test_fresh_networks_have_the_weights_of_glorot_and_no_biases(belief: str, is_recurrent: bool) -> None:
    """Spec section 9.1. Cells too: that they forget little at first is added to their gates."""
    mind = BeliefPolicy(Params(**SMALL), find_belief(belief))
    learner = Maddpg(mind, MaddpgConfig(capacity=100, critic_is_recurrent=is_recurrent), seed=1)
    parts: Parts = jax.tree.map(np.asarray, compiled(learner.begin)().parts)
    for path, leaf in jax.tree.leaves_with_path((parts.actor, parts.critic)):
        name = path[-1].key
        if name == "bias":
            assert not leaf.any()
            continue
        assert name == "kernel"
        for kernel in leaf:
            bound = np.sqrt(6 / sum(kernel.shape))
            assert 0.9 * bound < np.abs(kernel).max() <= bound * (1 + 1e-6)
            assert abs(np.abs(kernel).mean() - bound / 2) < bound / np.sqrt(kernel.size), "all are equally likely"
        assert not np.array_equal(leaf[0], leaf[1]), "agents do not begin alike"
    for found, expected in zip(parts[2:4], parts[:2], strict=True):
        jax.tree.map(np.testing.assert_array_equal, found, expected)  # targets begin as copies


# When updates happen


@pytest.mark.slow
def test_the_first_update_waits_for_the_memory_and_then_one_comes_each_period() -> None:
    """A batch of 5 and episodes of 6 turns: the memory must hold 30 turns, and it gains 4 for each period."""
    learner = make_learner()
    training = learner.begin()
    start = jax.tree.map(np.asarray, training.parts)
    training, metrics = learner.chunk(training)
    assert int(training.replay.count) == 48
    expected = len([held for held in range(4, 49, 4) if held >= 30])
    for optimiser in (training.parts.actor_optimiser, training.parts.critic_optimiser):
        assert optimiser[1][0].count.tolist() == [expected] * 3
    assert metrics["critic_loss"] > 0
    changed = jax.tree.map(lambda a, b: not np.array_equal(a, b), start.actor, training.parts.actor)
    assert all(jax.tree.leaves(changed))


@pytest.mark.slow
def test_nothing_is_learned_before_the_warm_up_is_over() -> None:
    learner = make_learner(warm_up=49, episodes=16)
    training = learner.begin()
    start = jax.tree.map(np.asarray, training.parts)
    training, metrics = learner.chunk(training)
    for before, after in zip(jax.tree.leaves(start), jax.tree.leaves(training.parts), strict=True):
        assert np.array_equal(before, after)
    assert np.isnan(metrics["critic_loss"]), "no loss is not a loss of zero"
    assert "score" not in metrics, "the best actor is chosen by training itself"


@pytest.mark.parametrize("capacity", [20, 48, 64])
def test_a_memory_is_restored_from_the_journals_of_the_last_chunks(capacity: int) -> None:
    """Chunks add 48 rows: more than the memory holds, as many, or so that it is full in the middle of one."""
    learner = make_learner(capacity=capacity)
    words = Codec(learner.mind).num_words
    rows, count, journals = np.zeros((capacity, words), np.uint32), 0, []
    training = random_tree(shapes_of(learner), 0)
    rng = np.random.default_rng(0)
    for _ in range(4):
        for row in rng.integers(0, 2**32, (48, words), np.uint64).astype(np.uint32):
            rows[count % capacity] = row
            count += 1
        training = training._replace(replay=Replay(jnp.asarray(rows), jnp.asarray(count)))
        journals.append(learner.journal(training))
    saved = learner.saved(training)
    assert saved.replay.rows.size == 0
    restored = learner.restored(saved, journals[-learner.num_journals :])
    assert np.array_equal(restored.replay.rows, rows)
    assert int(restored.replay.count) == count


# Which actor is kept (spec section 13, row 37)


@pytest.mark.slow
def test_the_best_actor_may_be_chosen_by_episodes_that_nothing_is_learned_from() -> None:
    learner = make_learner(validation_episodes=2000)
    training, metrics = learner.chunk(learner.begin())
    agent = players.Learned("pupil", learner.mind, training.parts.actor)
    rewards = np.asarray(rollout(learner.mind.params, agent, 5, 2000, "jax").reward, np.float64).mean(axis=0)
    error = np.sqrt(2 / len(rewards)) * rewards.std()
    assert abs(metrics["score"] - rewards.mean()) < 4 * error
    assert metrics["score"] != metrics["reward"]
    _, again = learner.chunk(learner.begin())
    assert again["score"] == metrics["score"], "the same episodes each time"


# Critics that remember (spec section 13, row 35)


@pytest.mark.parametrize("stored", ["mixed", *(pytest.param(s, marks=pytest.mark.slow) for s in ("soft", "hard"))])
def test_recurrent_critics_start_from_what_they_remembered_at_the_time(stored: str) -> None:
    learner = make_learner(critic_is_recurrent=True, stored_action=stored)
    training = random_tree(shapes_of(learner), 0, scale=0.1)
    fresh = jax.jit(learner._fresh_play)(jax.random.key(0))
    turn, unpack = jax.jit(learner._turn), jax.jit(learner._codec.unpack)
    play, turns, largest = fresh, [], 0.0
    for number in range(learner.mind.params.num_turns):
        play, (rows, _, _) = turn(training.parts, play, jax.random.key(number))
        turns.append(unpack(rows))
    assert not any(leaf.any() for leaf in jax.tree.leaves(turns[0].carry)), "an episode begins with nothing"
    for before, after in pairwise(turns):
        seen = critic_view(before.state, learner.mind.params)
        for agent in range(3):
            mine = jax.tree.map(lambda leaf, agent=agent: leaf[agent], (training.parts.critic, before.carry[1]))
            _, expected = learner._critic.apply(*mine, seen.T, before.stored.reshape((-1, 2)))
            found = jax.tree.map(lambda leaf, agent=agent: leaf[agent], after.carry[1])
            for ours, theirs in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
                np.testing.assert_allclose(ours, theirs, atol=2e-3)  # kept with 16 bits
                largest = max(largest, float(np.abs(theirs).max()))
    assert largest > 0.1, "critics that remember nothing would show nothing"
    assert not any(leaf.any() for leaf in jax.tree.leaves(play.critic_carry)), "nor is anything kept for the next one"


@pytest.mark.slow
def test_every_weight_of_recurrent_critics_learns() -> None:
    learner = make_learner(critic_is_recurrent=True)
    training = learner.begin()
    start = jax.tree.map(np.asarray, training.parts.critic)
    training, _ = learner.chunk(training)
    changed = jax.tree.map(lambda a, b: not np.array_equal(a, b), start, training.parts.critic)
    assert all(jax.tree.leaves(changed))
