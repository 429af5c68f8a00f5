"""The exact small world of spec 9.1, by enumeration."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from math import log

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.minds.small_world import (
    CODES,
    SmallWorld,
    accuracies,
    alice,
    draw_world,
    eve,
    literal_bob,
)


def test_production_and_alice_are_probabilities() -> None:
    world = draw_world(0, 2)
    assert world.production.sum(axis=1) == pytest.approx(np.ones(10))
    assert alice(world, 3, 3).sum(axis=(0, 1, 2)) == pytest.approx(np.ones(22))
    assert eve(world).sum(axis=-1) == pytest.approx(np.ones((10, 10, 10)))


@cache
def _chance_by_loops(world: SmallWorld, digit: int, hint: int) -> float:
    belief = [1.0] * 10
    for word in range(10):
        for past in world.past[digit]:
            belief[word] *= world.production[word, past]
    return float(sum(b * world.production[word, hint] for word, b in enumerate(belief)) / sum(belief))


def _by_loops(world: SmallWorld, hints: tuple[int, ...]) -> tuple[list[float], list[float]]:
    """Literal Bob's and Eve's posterior, in the plainest way."""
    bob, listener, left = [], [], set(world.left.tolist())
    for at, code in enumerate(permutations(range(4), 3)):
        if at not in left:
            continue
        known = unknown = 1.0
        for digit, hint in zip(code, hints, strict=True):
            known *= world.production[world.keywords[digit], hint]
            unknown *= _chance_by_loops(world, digit, hint)
        bob.append(float(known))
        listener.append(float(unknown))
    return [value / sum(bob) for value in bob], [value / sum(listener) for value in listener]


@pytest.mark.parametrize("history", [0, 2])
def test_posteriors_and_alice_are_the_equations_in_loops(history: int) -> None:
    world, lam, alpha = draw_world(3, history), 2.0, 1.5
    spoken = {}
    for hints in product(range(10), repeat=3):
        bob, listener = _by_loops(world, hints)
        if hints in ((0, 1, 2), (7, 3, 3)):
            assert literal_bob(world)[hints] == pytest.approx(bob)
            assert eve(world)[hints] == pytest.approx(listener)
        digits = CODES[world.left[4]]
        prior = np.prod(
            [world.production[world.keywords[digit], hint] for digit, hint in zip(digits, hints, strict=True)]
        )
        spoken[hints] = float(prior) * np.exp(alpha * (log(bob[4]) + lam * log(1 - listener[4])))
    total = sum(spoken.values())
    found = alice(world, lam, alpha)[..., 4]
    assert [found[hints] for hints in spoken] == pytest.approx([value / total for value in spoken.values()], rel=1e-6)
    assert found != pytest.approx(alice(world, lam + 1, alpha)[..., 4], rel=1e-6) or not history


@pytest.mark.parametrize(("history", "lam", "alpha"), [(1, 3, 3), (3, 1, 3), (3, 3, 1), (3, 3, 3), (2, 10, 0.5)])
def test_bob_who_models_alice_modelling_eve_is_never_worse(history: int, lam: float, alpha: float) -> None:
    gains = []
    for seed in range(40):
        found = accuracies(draw_world(seed, history), lam, alpha)
        assert found.bob2 >= found.bob1 - 1e-12
        assert found.bob2 >= found.bob0 - 1e-12
        gains.append(found.bob2 - found.bob1)
    assert max(gains) > 0.005, "and in some worlds much better: the comparison can fail"


@pytest.mark.parametrize(("history", "lam"), [(3, 0.0), (1, 0.0), (0, 3.0)])
def test_the_two_bobs_are_equal_if_there_is_nothing_about_eve_to_know(history: int, lam: float) -> None:
    for seed in range(20):
        found = accuracies(draw_world(seed, history), lam, 3.0)
        assert found.bob2 == pytest.approx(found.bob1, abs=1e-12)
    assert accuracies(draw_world(0, 0), 3.0, 3.0).eve == pytest.approx(1 / 24)


def test_modelling_eve_costs_her_and_bob() -> None:
    plain, wary = ([accuracies(draw_world(seed, 3), lam, 3.0) for seed in range(40)] for lam in (0.0, 3.0))
    assert np.mean([one.eve for one in wary]) < np.mean([one.eve for one in plain]) - 0.2
    assert np.mean([one.bob2 for one in wary]) < np.mean([one.bob2 for one in plain])


def test_worlds_repeat_with_the_seed_and_refuse_nonsense() -> None:
    assert (draw_world(1, 2).production == draw_world(1, 2).production).all()
    assert (draw_world(1, 2).production != draw_world(2, 2).production).any()
    with pytest.raises(UserError):
        draw_world(0, -1)
