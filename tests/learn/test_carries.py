"""What minds remember from turn to turn, in MADDPG's memory and in its targets (spec sections 9.3 and 9.4)."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
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
    """Random actors, and the rows of an episode of theirs."""
    learner = make_learner(belief, next_carry)
    parts = random_tree(jax.eval_shape(learner.begin).parts, 0, scale=0.3)
    play, turn, rows = compiled(learner._fresh_play)(jax.random.key(0)), compiled(learner._turn), []
    for number in range(learner.mind.params.num_turns):
        play, (row, _, _) = turn(parts, play, jax.random.key(number))
        rows.append(row)
    return parts, jnp.concatenate(rows)


def numbers_of(tree: Any) -> Any:
    return np.concatenate([np.asarray(leaf).ravel() for leaf in jax.tree.leaves(tree)])


@pytest.mark.parametrize("belief", ["estimated", "recurrent"])
def test_what_is_stored_as_left_behind_is_what_the_next_turn_starts_from(belief: str) -> None:
    _, rows = played(belief, "stored")
    turns = [make_learner(belief, "stored")._codec.unpack(part) for part in jnp.split(rows, len(rows) // WORLDS)]
    for before, after in pairwise(turns):
        np.testing.assert_array_equal(numbers_of(before.next_carry), numbers_of(after.carry[0]))
    assert np.abs(numbers_of(turns[-1].next_carry)).max() > 0.1, "the last turn's too, with no turn after it"
    assert make_learner(belief, "anew")._codec.num_words < rows.shape[1], "and takes no room where it is not used"


@pytest.mark.parametrize("next_carry", ["stored", "anew"])
@pytest.mark.parametrize("belief", ["estimated", "recurrent"])
def test_targets_start_from_it_or_from_what_target_actors_would_leave_behind_now(belief: str, next_carry: str) -> None:
    learner, (parts, rows) = make_learner(belief, next_carry), played(belief, next_carry)
    sample = compiled(learner._sample)(Replay(rows, jnp.int32(len(rows))), jnp.arange(len(rows)))
    carry = sample.next_carry
    if next_carry == "anew":
        _, carry = learner.mind.decide(parts.target_actor, sample.carry, sample.before.inputs, ())
    logits, _ = learner.mind.decide(parts.target_actor, carry, sample.after.inputs, ())
    key = jax.random.key(5)
    expected = relax(logits, exponentials(key, logits.shape, "gumbel"), axis=1)
    found = learner._target_actions(parts.target_actor, sample, key)
    np.testing.assert_allclose(found, expected.reshape((-1, len(rows))), rtol=1e-5, atol=1e-6)
    stale, _ = learner.mind.decide(parts.target_actor, sample.carry, sample.after.inputs, ())
    assert np.abs(stale - logits).max() > 0.01, "what was remembered a turn before would show"
