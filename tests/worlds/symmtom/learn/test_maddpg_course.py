"""How a training with MADDPG begins and goes: its protocol, when it learns, what it keeps, critics that remember."""

from __future__ import annotations

from dataclasses import asdict

import jax
import numpy as np
import pytest

from otherminds.worlds.symmtom.learn.configs import MaddpgConfig
from otherminds.worlds.symmtom.learn.maddpg import Maddpg, Parts
from otherminds.worlds.symmtom.minds.belief_parts import find_belief
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy
from otherminds.worlds.symmtom.types import Params
from tests.worlds.symmtom.learn.making import SMALL, compiled
from tests.worlds.symmtom.learn.test_maddpg import make_learner

# Where training begins


def test_the_protocol_is_the_papers_unless_told_otherwise() -> None:
    """The table of spec section 10, and what sections 9.1 and 9.3 choose."""
    protocol = {
        "episodes": 60_000, "learning_rate": 0.001, "target_rate": 0.005, "discount": 0.95, "batch": 1024,
        "capacity": 1_000_000, "update_period": 100, "clip": 0.5, "logit_penalty": 0.001, "width": 64,
        "chunk_episodes": 1000,
    }  # fmt: skip
    given = asdict(MaddpgConfig())
    assert {name: given[name] for name in protocol} == protocol
    for setting, first_update in (("n3_w6_c3", 30_720), ("n4_w12_c12", 61_440)):
        mind = BeliefPolicy(Params.from_setting(setting), find_belief("none"))
        assert MaddpgConfig().filled(mind).warm_up == first_update
        assert mind.width == 64


@pytest.mark.parametrize("belief", ["none", "estimated", "recurrent"])
def test_fresh_networks_have_the_weights_of_glorot_and_no_biases(belief: str) -> None:
    """Spec section 9.1. Cells too: that they forget little at first is added to their gates."""
    mind = BeliefPolicy(Params(**SMALL), find_belief(belief))
    learner = Maddpg(mind, MaddpgConfig(capacity=100), seed=1)
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
