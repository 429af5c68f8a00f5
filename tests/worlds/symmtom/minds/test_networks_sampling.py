"""From logits to actions."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from otherminds.worlds.symmtom.minds.networks import choose, exponentials, relax

RNG = np.random.default_rng(0)
LOGITS = RNG.normal(size=(3, 4, 9)).astype(np.float32)
NOISE = RNG.exponential(size=LOGITS.shape).astype(np.float32)


def test_a_relaxed_action_is_the_softmax_of_logits_with_gumbel_noise_block_by_block() -> None:
    scores = LOGITS.astype(np.float64) - np.log(NOISE)
    expected = np.concatenate(
        [np.exp(b) / np.exp(b).sum(-1, keepdims=True) for b in np.split(scores, [5], axis=-1)], -1
    )
    np.testing.assert_allclose(relax(jnp.asarray(LOGITS), jnp.asarray(NOISE)), expected, rtol=1e-4)


def test_logits_far_from_zero_neither_overflow_nor_vanish() -> None:
    shifted = relax(jnp.asarray(LOGITS) + 1e4, jnp.asarray(NOISE))
    assert np.allclose(shifted, relax(jnp.asarray(LOGITS), jnp.asarray(NOISE)), atol=1e-2)
    assert np.allclose(shifted[..., :5].sum(-1), 1)


def test_the_largest_entry_of_each_block_is_chosen() -> None:
    action = choose(jnp.asarray(LOGITS))
    assert np.array_equal(action.move, LOGITS[..., :5].argmax(-1))
    assert np.array_equal(action.piece, LOGITS[..., 5:].argmax(-1))
    assert action.move.dtype == action.piece.dtype == jnp.int32


def test_actions_are_drawn_as_often_as_their_softmax_says() -> None:
    draws = 20_000
    logits = jnp.broadcast_to(jnp.asarray(LOGITS[0, 0]), (draws, 9))
    action = choose(relax(logits, exponentials(jax.random.key(3), logits.shape, "test")))
    for chosen, block in ((action.move, LOGITS[0, 0, :5]), (action.piece, LOGITS[0, 0, 5:])):
        expected = np.exp(block) / np.exp(block).sum()
        found = np.bincount(np.asarray(chosen), minlength=len(block)) / draws
        assert np.all(np.abs(found - expected) < 5 * np.sqrt(expected * (1 - expected) / draws) + 1e-3)


def test_what_is_ruled_out_is_never_chosen() -> None:
    logits = jnp.broadcast_to(jnp.asarray([-1e9, 0, -1e9, -1e9, -1e9, -1e9, -1e9, -30.0, -1e9]), (5_000, 9))
    action = choose(relax(logits, exponentials(jax.random.key(4), logits.shape, "test")))
    assert set(np.asarray(action.move).tolist()) == {1}
    assert set(np.asarray(action.piece).tolist()) == {2}


def test_noise_is_positive_finite_and_exponential() -> None:
    noise = np.asarray(exponentials(jax.random.key(5), (50_000,), "test"))
    assert noise.min() > 0
    assert np.isfinite(noise).all()
    assert abs(noise.mean() - 1) < 0.03
    assert abs((noise > 1).mean() - np.exp(-1)) < 0.02


def test_streams_of_one_key_differ_and_a_stream_repeats_itself() -> None:
    one, again, other = (np.asarray(exponentials(jax.random.key(6), (8,), s)) for s in ("a", "a", "b"))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    from_numpy = exponentials(np.random.default_rng(0), (8,), "a")
    assert np.array_equal(from_numpy, exponentials(np.random.default_rng(0), (8,), "a"))
