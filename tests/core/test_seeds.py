"""Named streams of chance."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from otherminds.core.seeds import child_seed, generator, jax_key, random_words

NAMES = ["env/3", "env/30", "init", "shuffle", "players", ""]
WORDS = 1 << 16


def words_of(seed: int, stream: str = "coins", shape: tuple[int, ...] = (WORDS,)) -> Any:
    return np.asarray(random_words(jax.random.key(seed), shape, stream))


def worst_byte(words: Any) -> float:
    """How far the four bytes of the words are from uniform, in standard deviations of chi-square."""
    bytes_ = words.astype("<u4").reshape(-1).view(np.uint8).reshape(-1, 4)
    expected = len(bytes_) / 256
    chi = [float((((np.bincount(bytes_[:, b], minlength=256) - expected) ** 2) / expected).sum()) for b in range(4)]
    return max(abs(value - 255) / math.sqrt(2 * 255) for value in chi)


@pytest.mark.parametrize("seed", [0, 1, 2**40, -3])
def test_a_child_seed_repeats_and_fits_any_generator(seed: int) -> None:
    for name in NAMES:
        assert child_seed(seed, name) == child_seed(seed, name)
        assert 0 <= child_seed(seed, name) < 2**63


def test_child_seeds_differ_by_name_and_by_seed() -> None:
    seeds = [child_seed(seed, name) for seed in range(100) for name in NAMES]
    assert len(set(seeds)) == len(seeds)


def test_adding_a_consumer_shifts_no_other() -> None:
    def draws(names: list[str]) -> dict[str, list[float]]:
        return {name: generator(0, name).random(8).tolist() for name in names}

    assert draws(["env/0", "init"]).items() <= draws(["first", "env/0", "added", "init"]).items()


def test_a_generator_repeats_by_name_and_seed_and_changes_with_either() -> None:
    first = generator(1, "env").random(64).tolist()
    assert generator(1, "env").random(64).tolist() == first
    assert generator(2, "env").random(64).tolist() != first
    assert generator(1, "init").random(64).tolist() != first


def test_a_jax_key_repeats_by_name_and_seed_and_changes_with_either() -> None:
    def data(seed: int, name: str) -> list[int]:
        found: list[int] = jax.random.key_data(jax_key(seed, name)).tolist()
        return found

    assert data(1, "env") == data(1, "env")
    assert len({tuple(data(seed, name)) for seed in range(20) for name in NAMES}) == 20 * len(NAMES)


@pytest.mark.parametrize("shape", [(), (3,), (2, 5), (0, 4)])
def test_words_have_the_shape_asked_for_on_both_engines(shape: tuple[int, ...]) -> None:
    for key in (np.random.default_rng(0), jax.random.key(0)):
        words = random_words(key, shape, "coins")
        assert words.shape == shape
        assert words.dtype == np.uint32


def test_a_numpy_generator_advances() -> None:
    rng = np.random.default_rng(0)
    first, second = (random_words(rng, (64,), "coins").tolist() for _ in range(2))
    assert first != second
    assert random_words(np.random.default_rng(0), (64,), "coins").tolist() == first


def test_a_jax_key_gives_the_same_words_compiled_or_not() -> None:
    draw = jax.jit(lambda key: random_words(key, (3, 100), "coins"))
    assert np.array_equal(draw(jax.random.key(5)), words_of(5, shape=(3, 100)))


def test_old_style_jax_keys_give_the_same_words() -> None:
    old = jax.random.key_data(jax.random.key(5))
    assert np.array_equal(random_words(old, (100,), "coins"), words_of(5, shape=(100,)))


def test_words_of_many_keys_at_once_are_those_of_each_key() -> None:
    keys = jax.random.split(jax.random.key(0), 5)
    together = jax.vmap(lambda key: random_words(key, (10,), "coins"))(keys)
    alone = jnp.stack([random_words(key, (10,), "coins") for key in keys])
    assert np.array_equal(together, alone)


@pytest.mark.parametrize("seed", [0, 1, 2, 12345])
def test_words_of_a_key_are_uniform_in_every_byte(seed: int) -> None:
    assert worst_byte(words_of(seed)) < 8


def test_words_of_split_keys_at_one_position_are_uniform_in_every_byte() -> None:
    keys = jax.random.split(jax.random.key(0), WORDS)
    assert worst_byte(np.asarray(jax.vmap(lambda key: random_words(key, (1,), "deal"))(keys))) < 8


def test_words_of_successive_keys_at_one_position_are_uniform_in_every_byte() -> None:
    keys = jax.vmap(jax.random.key)(np.arange(WORDS))
    assert worst_byte(np.asarray(jax.vmap(lambda key: random_words(key, (1,), "deal"))(keys))) < 8


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda: words_of(0, "coins"), lambda: words_of(0, "deal")),
        (lambda: words_of(0), lambda: words_of(1)),
        (lambda: words_of(0)[1:], lambda: words_of(0)[:-1]),
        (lambda: words_of(7), lambda: np.roll(words_of(7), 256)),
    ],
    ids=["streams", "keys", "positions", "distant positions"],
)
def test_two_sequences_have_nothing_to_do_with_each_other(one: Callable[[], Any], other: Callable[[], Any]) -> None:
    a, b = one(), other()
    assert worst_byte(a ^ b) < 8
    assert worst_byte(a - b) < 8


def test_every_bit_is_set_half_the_time_whatever_the_bit_before() -> None:
    words = words_of(3)
    bits = (words[:, None] >> np.arange(32, dtype=np.uint32)) & 1
    assert np.all(np.abs(bits.mean(axis=0) - 0.5) < 0.02)
    assert np.all(np.abs((bits[:, 1:] ^ bits[:, :-1]).mean(axis=0) - 0.5) < 0.02)
    assert np.all(np.abs((bits[1:] ^ bits[:-1]).mean(axis=0) - 0.5) < 0.02)
