"""What minds believe and remember from turn to turn, in MADDPG's memory and in its targets (spec 9.3 and 9.4)."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.learn.codec import StoredTurn
from otherminds.worlds.symmtom.learn.configs import MaddpgConfig
from otherminds.worlds.symmtom.learn.maddpg import Maddpg
from otherminds.worlds.symmtom.learn.replay import ReplayBuffer, Sample
from tests.worlds.symmtom.learn.making import compiled, make_mind, random_tree

WORLDS = 2
TURNS = 8  # of an episode
REMEMBERING = ("estimated", pytest.param("recurrent", marks=pytest.mark.slow))


@cache
def make_learner(belief: str, kind: str = "", **options: Any) -> Maddpg:
    config = MaddpgConfig(
        episodes=8, worlds=WORLDS, update_period=4, batch=5, capacity=48, width=4, chunk_episodes=8, **options
    )  # fmt: skip
    return Maddpg(make_mind(belief, kind, units=4), config, seed=1)


@cache
def played(learner: Maddpg, number: int = TURNS + 1) -> tuple[Any, list[Any], Any]:
    """Random actors, the worlds before and after each turn, and the rows of an episode and of some further turns."""
    parts = random_tree(jax.eval_shape(learner.begin).parts, 0, scale=0.3)
    plays, turn, rows = [compiled(learner._fresh_play)(jax.random.key(0))], compiled(learner._turn), []
    for each in range(number):
        play, (row, _, _) = turn(parts, plays[-1], jax.random.key(each))
        plays.append(play)
        rows.append(row)
    return parts, plays, jax.tree.map(lambda *turns: jnp.concatenate(turns), *rows)


def size_of(rows: StoredTurn) -> int:
    return int(rows.state.turn.shape[0])


def sampled(learner: Maddpg, index: Any, number: int = TURNS + 1) -> Sample:
    """Rows as they are learned from."""
    _, _, rows = played(learner, number)
    memory = ReplayBuffer(rows, jnp.int32(size_of(rows)))
    sample: Sample = compiled(learner._sampler.rebuild)(memory, jnp.asarray(index))
    return sample


def assert_near(found: Any, expected: Any) -> None:
    """Up to what 8 or 16 bits lose."""
    for ours, theirs in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=0.02)


@pytest.mark.parametrize("name", REMEMBERING)
def test_what_a_turn_left_behind_is_read_from_the_next_row_even_where_an_episode_ended(name: str) -> None:
    learner = make_learner(name)
    parts, _, rows = played(learner)
    sample = sampled(learner, range(size_of(rows) - WORLDS))
    _, carry = compiled(learner.mind.decide)(parts.actor, sample.carry, sample.before.inputs, ())
    assert_near(sample.next_carry, carry)
    for leaf in jax.tree.leaves(sample.next_carry):
        assert np.abs(leaf[..., -WORLDS:]).max() > 0.1, "the last turn leaves something behind"


@pytest.mark.parametrize("name", REMEMBERING)
def test_an_episode_begins_with_nothing_whatever_the_one_before_left_behind(name: str) -> None:
    rows = played(make_learner(name))[2]
    for leaf in jax.tree.leaves(sampled(make_learner(name), range(size_of(rows))).carry):
        assert not leaf[..., :WORLDS].any()
        assert leaf[..., WORLDS:-WORLDS].any()
        assert not leaf[..., -WORLDS:].any()
    sizes = [make_learner(name, **options)._codec.num_bytes for options in ({}, {"next_carry": "anew"})]
    assert sizes[0] == sizes[1], "to store it takes no more room"


@pytest.mark.parametrize(
    "belief", ["greedy", *(pytest.param(b, marks=pytest.mark.slow) for b in ("second-order", "bayesian"))]
)
def test_beliefs_before_and_after_a_turn_are_those_of_the_time_even_where_an_episode_ends(belief: str) -> None:
    """The rows of an episode and of the first turn of the next, against the belief rule turn by turn."""
    learner = make_learner(belief)
    _, plays, rows = played(learner)
    sample = sampled(learner, range(size_of(rows) - WORLDS))
    mind = learner.mind

    def told(state: Any, said: Any) -> Any:
        return mind.inputs(mind.look(state), said)

    def last(rows: Any, belief: Any, key: Any) -> Any:
        """What is told after the last turn: its state is gone with the episode, but not from the rows."""
        turn = learner._codec.unpack(rows)
        state, _ = rules.step(turn.state, turn.action, turn.coins, mind.params)
        return told(state, mind.revise(belief, mind.look(state), key)[1])

    tell, tell_last = compiled(told), compiled(last)
    for turn in range(TURNS):
        here = slice(turn * WORLDS, (turn + 1) * WORLDS)
        before, after = (tell(play.state, play.belief) for play in plays[turn : turn + 2])
        np.testing.assert_allclose(sample.before.inputs.belief[..., here], before.belief, atol=1.001 / 255)
        if turn == TURNS - 1:
            last_rows = jax.tree.map(lambda row: row[(TURNS - 1) * WORLDS : TURNS * WORLDS], rows)
            fresh, after = after, tell_last(last_rows, plays[turn].memory.belief, jax.random.key(turn))
            assert np.abs(fresh.belief - after.belief).max() > 0.5, "an episode begins with another belief"
        np.testing.assert_allclose(sample.after.inputs.belief[..., here], after.belief, atol=1.001 / 255)
        np.testing.assert_allclose(sample.after.inputs.vector[..., here], after.vector)


def test_in_a_ring_that_was_written_round_the_next_row_may_be_the_first() -> None:
    learner = make_learner("estimated")
    _, _, rows = played(learner)
    shift, index = 5 * WORLDS, jnp.arange(size_of(rows) - WORLDS)
    ring = ReplayBuffer(jax.tree.map(lambda row: jnp.roll(row, shift, axis=0), rows), jnp.int32(size_of(rows) + shift))
    found = compiled(learner._sampler.rebuild)(ring, (index + shift) % size_of(rows))
    jax.tree.map(np.testing.assert_array_equal, found, sampled(learner, index))


@pytest.mark.parametrize(
    ("options", "count", "drawn"),
    [
        ({}, 52, set(range(48)) - {2, 3}),  # a ring of 48 rows written round and 4 further, two worlds
        ({}, 20, set(range(18))),
        ({"next_carry": "anew"}, 20, set(range(20))),
    ],
)
def test_only_turns_of_which_everything_is_there_are_drawn(
    options: dict[str, Any], count: int, drawn: set[int]
) -> None:
    """The newest wait for their next row."""
    learner = make_learner("estimated", **options)
    memory = jax.eval_shape(learner.begin).replay._replace(count=jnp.int32(count))
    found = learner._sampler.draw(memory, jax.random.key(0), (2000,))
    assert set(np.asarray(found).tolist()) == drawn
