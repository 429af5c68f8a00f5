"""Rehearsals: scripted others that stop, and one agent that learns among them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.bits import count
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.learn import scripted_partners
from otherminds.worlds.symmtom.learn.scripted_partners import LONGEST, Rehearsal
from otherminds.worlds.symmtom.types import Action, Params, State
from tests.worlds.symmtom.learn.test_ppo import make_learner, played

PARAMS = Params.from_setting("n3_w6_c3")
WORLDS = 256


def rehearsed(share: float, turns: int) -> list[tuple[Rehearsal, State, Any, State]]:
    """Plan, state before, who was scripted and state after, turn by turn; learners stay and keep silent."""
    key = jax.random.key(3)
    plan = scripted_partners.begin(key, share, PARAMS, WORLDS)
    state = rules.deal(draw_deal(key, PARAMS, (WORLDS,)), PARAMS)
    idle = Action(jnp.zeros((3, WORLDS), jnp.int32), jnp.full((3, WORLDS), -1, jnp.int32))
    found = []
    for turn in range(turns):
        now = jax.random.fold_in(key, turn)
        plan, action, scripted = scripted_partners.follow(now, plan, state, idle, PARAMS)
        after, _ = rules.step(state, action, draw_coins(now, PARAMS, (WORLDS,)), PARAMS)
        found.append((plan, state, scripted, after))
        state = after
    return found


@pytest.mark.slow
def test_everyone_is_scripted_until_the_others_stop_and_then_one_is_free() -> None:
    for plan, state, scripted, after in rehearsed(1.0, LONGEST + 2):
        walks = np.asarray(state.turn < plan.stop)
        others = np.arange(3)[:, None] != np.asarray(plan.learner)
        np.testing.assert_array_equal(scripted, walks | others)
        moved = np.asarray((after.x != state.x) | (after.y != state.y))
        assert not moved[:, ~walks].any()
        assert moved[:, walks].any() or not walks.any()


@pytest.mark.slow
def test_scripted_agents_tell_each_other_most_of_what_they_can() -> None:
    last = rehearsed(1.0, LONGEST)[-1][3]
    known = count(np, np.asarray(last.knowledge))
    assert known.mean() > 1.5
    assert np.unique(known).tolist() == [1, 2, 3]


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_the_share_of_rehearsing_worlds_is_the_one_asked_for(share: float) -> None:
    plan = scripted_partners.begin(jax.random.key(0), share, PARAMS, 4096)
    assert abs(float(plan.happens.mean()) - share) < 0.03
    assert set(np.unique(plan.learner)) == {0, 1, 2}
    assert int(plan.stop.min()) == 0
    assert int(plan.stop.max()) == LONGEST - 1


def test_in_a_rehearsal_only_the_free_choices_of_the_learner_are_learned_from() -> None:
    _, batch, _, _ = played(make_learner(num_turns=20, rehearsals=1.0))
    assert batch.is_rehearsal.all()
    learns = np.asarray(batch.is_running)  # [turn, agent, world]
    assert (learns.any(axis=0).sum(axis=0) == 1).all()
    begins = learns.any(axis=1).argmax(axis=0)
    for world, begin in enumerate(begins):
        assert learns[begin:, :, world].any(axis=1).all()
        assert not learns[:begin, :, world].any()


@pytest.mark.slow
def test_without_rehearsals_every_choice_is_learned_from() -> None:
    _, batch, _, _ = played(make_learner())
    assert batch.is_running.all()
    assert not batch.is_rehearsal.any()
