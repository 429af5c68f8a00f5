"""What always holds in SymmToM, whatever the rules, the board and the actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.worlds.symmtom import chance, rules
from otherminds.worlds.symmtom.types import Action, Params
from otherminds.worlds.symmtom.world import SymmToM
from tests.reference.pairing import random_params
from tests.worlds.symmtom.playing import (
    one_world,
    play,
)

seeds = st.integers(0, 2**32 - 1)


def random_turns(seed: int, worlds: int = 8) -> Any:
    rng = np.random.default_rng(seed)
    params = random_params(rng, num_turns=12)
    return params, play(params, rng, (worlds,))


@settings(max_examples=15)
@given(seeds)
def test_no_two_agents_ever_share_a_cell_or_stand_in_a_wall(seed: int) -> None:
    params, turns = random_turns(seed)
    free = {x * params.width + y for x, y in params.free_cells}
    for played in turns:
        place = played.after.x * params.width + played.after.y
        for w in range(place.shape[1]):
            assert len(set(place[:, w].tolist()) & free) == params.num_agents


@settings(max_examples=15)
@given(seeds)
def test_nobody_moves_farther_than_one_cell_nor_elsewhere_than_chosen(seed: int) -> None:
    _, turns = random_turns(seed)
    for played in turns:
        dx, dy = played.after.x - played.before.x, played.after.y - played.before.y
        assert np.all(abs(dx) + abs(dy) <= 1)
        move = played.action.move
        for choice, (right, up) in enumerate(((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))):
            assert np.all(np.isin(dx[move == choice], (0, right)) & np.isin(dy[move == choice], (0, up)))


@settings(max_examples=15)
@given(seeds)
def test_hearing_never_removes_knowledge_and_only_bases_and_decay_do(seed: int) -> None:
    params, turns = random_turns(seed)
    for before, _, _, after, _ in turns:
        lost = before.knowledge & ~after.knowledge
        assert np.all(after.first_hand & ~after.knowledge == 0)
        assert not np.any(lost & before.first_hand)
        if params.decay is None:
            assert np.all((lost == 0) | after.uses_base)


@settings(max_examples=15)
@given(seeds)
def test_nobody_learns_what_was_not_said_within_its_hearing(seed: int) -> None:
    params, turns = random_turns(seed)
    for before, _, _, after, _ in turns:
        audible = np.zeros_like(after.knowledge)
        for j in range(params.num_agents):
            audible |= np.where(after.earshot >> j & 1 == 1, after.utterance[j], np.uint32(0))
        assert np.all(after.knowledge & ~before.knowledge & ~audible == 0)


@settings(max_examples=15)
@given(seeds)
def test_nobody_says_what_it_could_not_say(seed: int) -> None:
    params, turns = random_turns(seed)
    for before, action, _, after, _ in turns:
        assert np.all(after.utterance & ~rules.speakable(before, params) == 0)
        chosen = np.where(action.piece >= 0, 1 << np.maximum(action.piece, 0), 0)
        assert np.all((after.utterance == 0) | (after.utterance == chosen))


@settings(max_examples=15)
@given(seeds)
def test_who_hears_is_heard(seed: int) -> None:
    params, turns = random_turns(seed)
    for played in turns:
        hears = played.after.earshot[:, None] >> np.arange(params.num_agents, dtype=np.uint32)[None, :, None] & 1
        assert np.array_equal(hears, hears.transpose(1, 0, 2))
        assert not np.einsum("iiw->iw", hears).any()


@settings(max_examples=15)
@given(seeds)
def test_every_reward_is_the_sum_of_its_parts(seed: int) -> None:
    """Section 14, item 6."""
    _, turns = random_turns(seed)
    for played in turns:
        parts = played.outcome
        total = parts.listening + parts.speaking + parts.base.astype(float) - parts.movement + parts.bonus
        assert np.allclose(parts.rewards, total, atol=1e-5)
        assert np.array_equal(played.after.last_reward, parts.rewards)


@settings(max_examples=15)
@given(seeds)
def test_listening_and_speaking_rewards_add_up_to_the_same(seed: int) -> None:
    """Section 14, item 6."""
    rng = np.random.default_rng(seed)
    both: dict[str, Any] = {"count_duplicates": True, "listening_reward": True, "speaking_reward": True}
    for played in play(random_params(rng, num_turns=12, **both), rng, (8,)):
        assert np.array_equal(played.outcome.listening.sum(axis=0), played.outcome.speaking.sum(axis=0))


@settings(max_examples=15)
@given(seeds)
def test_worlds_played_together_do_not_touch_each_other(seed: int) -> None:
    params, turns = random_turns(seed, worlds=3)
    for played in turns:
        for w in range(3):
            before, action = one_world(played.before, w), one_world(played.action, w)
            alone, outcome = rules.step(before, action, played.coins[:, w], params)
            for one, many in zip((*alone, *outcome), (*played.after, *played.outcome), strict=True):
                assert np.array_equal(one, np.asarray(many)[..., w])


@settings(max_examples=15)
@given(seeds)
def test_a_turn_changes_nothing_in_the_state_it_is_given(seed: int) -> None:
    _, turns = random_turns(seed, worlds=2)
    for played in turns:
        for field in played.after:  # an attempt to write in the next turn would raise
            field.flags.writeable = False


@settings(max_examples=15)
@given(seeds)
def test_agents_that_change_places_have_the_same_episode(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(rng, random_collisions=True, num_turns=12)
    world = SymmToM(params=params)
    order = rng.permutation(params.num_agents).tolist()
    _, state = world.reset(rng)
    moved = world.permute(state, order)
    for _ in range(params.num_turns):
        actions, coins = world.draw_actions(rng, state), world.draw_step(rng)
        state, outcome = rules.step(state, actions, coins, params)
        moved, moved_outcome = rules.step(
            moved, Action(*(choices[order] for choices in actions)), world.permute_step(coins, order), params
        )
        assert np.array_equal(moved_outcome.rewards, outcome.rewards[order])
        for one, other in zip(world.permute(state, order), moved, strict=True):
            assert np.array_equal(one, other)


def test_masks_name_the_choices_that_have_an_effect() -> None:
    rng = np.random.default_rng(0)
    params = Params(width=4)
    for played in play(params, rng, (50,)):
        moves, pieces = rules.legal_moves(played.before, params), rules.legal_pieces(played.before, params)
        useless = Action(np.argmin(moves, axis=1).astype(np.int32), np.argmin(pieces, axis=1).astype(np.int32))
        after, _ = rules.step(played.before, useless, played.coins, params)
        is_blocked = ~moves.all(axis=1)
        assert np.array_equal(after.x[is_blocked], played.before.x[is_blocked])
        assert np.array_equal(after.y[is_blocked], played.before.y[is_blocked])
        assert not after.utterance[~pieces.all(axis=1)].any()


def test_at_the_start_everyone_knows_its_own_pieces_and_nothing_was_said() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        params = random_params(rng)
        state = rules.deal(chance.draw_deal(rng, params, (20,)), params)
        assert np.array_equal(state.knowledge, state.first_hand)
        assert np.array_equal(state.previous_knowledge, state.first_hand)
        assert not state.utterance.any()
        assert not state.earshot.any()
        assert not state.turn.any()
