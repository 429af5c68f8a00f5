"""What minds remember from turn to turn, in MADDPG's memory and in its targets (spec sections 9.3 and 9.4)."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.learn.symmtom.maddpg import Maddpg, MaddpgConfig
from otherminds.learn.symmtom.replay import Replay
from otherminds.players.symmtom.sampling import exponentials, relax
from tests.learn.making import compiled, make_mind, random_tree

WORLDS = 2


@cache
def make_learner(belief: str, next_carry: Any) -> Maddpg:
    config = MaddpgConfig(
        episodes=8, worlds=WORLDS, update_period=4, batch=5, capacity=48, width=4, chunk_episodes=8,
        next_carry=next_carry,
    )  # fmt: skip
    return Maddpg(make_mind(belief, units=4), config, seed=1)


@cache
def played(belief: str, next_carry: str) -> tuple[Any, Any]:
    """Random actors, and their rows of an episode and of the first turn of the next."""
    learner = make_learner(belief, next_carry)
    parts = random_tree(jax.eval_shape(learner.begin).parts, 0, scale=0.3)
    play, turn, rows = compiled(learner._fresh_play)(jax.random.key(0)), compiled(learner._turn), []
    for number in range(learner.mind.params.num_turns + 1):
        play, (row, _, _) = turn(parts, play, jax.random.key(number))
        rows.append(row)
    return parts, jnp.concatenate(rows)


def sampled(belief: str, next_carry: str, size: int) -> Any:
    """The first rows as they are learned from."""
    rows = played(belief, next_carry)[1]
    memory = Replay(rows, jnp.int32(len(rows)))
    return compiled(make_learner(belief, next_carry)._sample)(memory, jnp.arange(size))


@pytest.mark.parametrize("belief", ["estimated", "recurrent"])
def test_what_a_turn_left_behind_is_read_from_the_next_row_even_where_an_episode_ended(belief: str) -> None:
    learner, (parts, rows) = make_learner(belief, "stored"), played(belief, "stored")
    sample = sampled(belief, "stored", len(rows) - WORLDS)
    _, expected = learner.mind.decide(parts.actor, sample.carry, sample.before.inputs, ())
    for found, by_hand in zip(jax.tree.leaves(sample.next_carry), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(found, by_hand, atol=0.02)  # from a carry of 8 or 16 bits
        assert np.abs(by_hand[..., -WORLDS:]).max() > 0.1, "the last turn leaves something behind"


@pytest.mark.parametrize("belief", ["estimated", "recurrent"])
def test_an_episode_begins_with_nothing_whatever_the_one_before_left_behind(belief: str) -> None:
    rows = played(belief, "stored")[1]
    for leaf in jax.tree.leaves(sampled(belief, "stored", len(rows)).carry):
        assert not leaf[..., :WORLDS].any()
        assert leaf[..., WORLDS:-WORLDS].any()
        assert not leaf[..., -WORLDS:].any()
    assert make_learner(belief, "anew")._codec.num_words == rows.shape[1], "to store it takes no more room"


def test_the_newest_turns_wait_for_their_next_row() -> None:
    """Of a ring of 48 rows that has been written round and 4 further, two worlds."""
    learner = make_learner("estimated", "stored")
    for count, newest in ((52, {2, 3}), (20, {18, 19})):
        memory = Replay(jnp.zeros((48, 1), jnp.uint32), jnp.int32(count))
        drawn = {int(i) for k in range(200) for i in np.ravel(learner._draw(memory, jax.random.key(k)))}
        assert drawn == set(range(min(count, 48))) - newest


@pytest.mark.parametrize("next_carry", ["stored", "anew"])
@pytest.mark.parametrize("belief", ["estimated", "recurrent"])
def test_targets_start_from_it_or_from_what_target_actors_would_leave_behind_now(belief: str, next_carry: str) -> None:
    learner, (parts, rows) = make_learner(belief, next_carry), played(belief, next_carry)
    size = len(rows) - WORLDS
    sample = sampled(belief, next_carry, size)
    carry = sample.next_carry
    if next_carry == "anew":
        _, carry = learner.mind.decide(parts.target_actor, sample.carry, sample.before.inputs, ())
    logits, _ = learner.mind.decide(parts.target_actor, carry, sample.after.inputs, ())
    key = jax.random.key(5)
    expected = relax(logits, exponentials(key, logits.shape, "gumbel"), axis=1)
    found = learner._target_actions(parts.target_actor, sample, key)
    np.testing.assert_allclose(found, expected.reshape((-1, size)), rtol=1e-5, atol=1e-6)
    stale, _ = learner.mind.decide(parts.target_actor, sample.carry, sample.after.inputs, ())
    assert np.abs(stale - logits).max() > 0.01, "what was remembered a turn before would show"
