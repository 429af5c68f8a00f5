"""Rollouts with different policies in different seats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.evals.agents import find_agents
from otherminds.worlds.symmtom.evals.batch_play import by_model, cross
from otherminds.worlds.symmtom.minds import EVALUATION_SEED
from otherminds.worlds.symmtom.minds.rollout import rollout, rollout_seats
from otherminds.worlds.symmtom.minds.scripted import BELIEF, HEURISTIC, RANDOM, STILL
from otherminds.worlds.symmtom.types import Params
from otherminds.worlds.symmtom.world import SymmToM
from tests.worlds.symmtom.evals.making import config_of, write_actor

PARAMS = Params.from_setting("n3_w4_c3")


def same(a: Any, b: Any) -> None:
    for left, right in zip(a, b, strict=True):
        np.testing.assert_array_equal(left, right)


def test_who_sits_nowhere_changes_nothing() -> None:
    found = rollout_seats(PARAMS, [BELIEF, RANDOM], [0, 0, 0], 5, 7, "jax", batch=3)
    same(found.tally, rollout_seats(PARAMS, [BELIEF, STILL], [0, 0, 0], 5, 7, "jax", batch=3).tally)


@pytest.mark.slow
def test_agents_of_one_kind_keep_their_own_variables_and_manner(tmp_path: Path) -> None:
    """They share a compiled program, and nothing else."""
    for seed in range(2):
        write_actor(tmp_path / f"{seed}.safetensors", config_of("maddpg-none", "n3_w4_c3", seed))
    first, second = (find_agents([tmp_path / f"{seed}.safetensors"])[0].policy for seed in range(2))
    greedy = find_agents([tmp_path / "0.safetensors"], greedy=True)[0].policy

    def tally(*policies: Any, seat: int) -> Any:
        return rollout_seats(PARAMS, policies, [seat] * 3, 5, 20, "jax").tally

    same(tally(first, second, seat=0), tally(first, greedy, seat=0))
    same(tally(first, second, seat=1), tally(greedy, second, seat=1))
    assert not np.array_equal(tally(first, second, seat=0).speaking, tally(second, first, seat=0).speaking)
    assert not np.array_equal(tally(first, second, seat=0).speaking, tally(greedy, second, seat=0).speaking)


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_everyone_sits_where_the_seating_says(engine: str) -> None:
    """Who never moves nor speaks never gains by speaking; the seats of episodes go round."""
    seating = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    found = rollout_seats(PARAMS, [STILL, HEURISTIC], seating, 0, 31, engine, batch=10)
    speaking = np.asarray(found.tally.speaking)
    assert found.owner[:, :4].T.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 1, 1]]
    assert speaking[found.owner == 0].sum() == 0
    assert (speaking[found.owner == 1].reshape(-1) > 0).mean() > 0.5


def test_another_seed_gives_other_episodes() -> None:
    first, again, other = (
        rollout_seats(PARAMS, [RANDOM, BELIEF], [0, 1, 1], seed, 20, "jax").tally.reward for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


@pytest.mark.parametrize("seating", [[0, 1], [0, 1, 2], [0, -1, 0]])
def test_a_seating_that_does_not_fit_is_refused(seating: list[int]) -> None:
    with pytest.raises(UserError, match="does not fit 3 seats and 2 policies"):
        rollout_seats(PARAMS, [STILL, BELIEF], seating, 0, 1, "numpy")


def cross_play(setting: str, names: list[str], episodes: int, seed: int, **options: Any) -> Any:
    """Rewards of the row's seats and of the others, and the standard error of the first, ``[row, column]`` each."""
    found = cross(SymmToM(setting), names, episodes, seed, engine="numpy", **options)
    assert found is not None
    return (np.asarray(found[name]) for name in ("score", "partners", "standard_error"))


def test_cross_play_gives_the_rows_agent_its_own_reward() -> None:
    reward, partners, error = cross_play("n3_w4_c3", ["still", "heuristic"], 60, 3)
    assert reward[0, 0] == partners[0, 0] == 0.0
    assert reward[1, 0] < reward[1, 1], "among those who say nothing there is less to hear"
    assert reward[1, 0] > 0.0, "it tells them what it has"
    assert reward[0, 1] > 0.0, "listening pays even for those who stand still"
    assert (error >= 0).all()


def test_cross_play_with_oneself_is_plain_play() -> None:
    reward, partners, _ = cross_play("n3_w4_c3", ["heuristic"], 30, 3)
    plain = np.asarray(rollout(PARAMS, HEURISTIC, 3, 30, "numpy").reward, np.float64)
    own = [plain[episode % 3, episode] for episode in range(30)]
    assert reward[0, 0] == pytest.approx(np.mean(own))
    assert 2 / 3 * partners[0, 0] + reward[0, 0] / 3 == pytest.approx(plain.mean())


def test_half_of_the_seats_go_to_the_row() -> None:
    setting, minds = "n4_w4_c4", ["still", "heuristic"]
    two, _, _ = cross_play(setting, minds, 40, EVALUATION_SEED, row_seats=2)
    _, partners, _ = cross_play(setting, minds, 40, EVALUATION_SEED, row_seats=3)
    assert two[1, 0] > partners[0, 1], "two speakers have more to tell and to hear than one"
    with pytest.raises(UserError, match="expected 1 to 3 of 4"):
        cross_play(setting, ["still"], 40, EVALUATION_SEED, row_seats=4)


def test_a_summary_tells_training_partners_from_strangers() -> None:
    matrix, _, _ = cross_play("n3_w4_c3", ["still", "heuristic", "belief"], 12, EVALUATION_SEED)
    first, second = (by_model(models, matrix) for models in ("aab", "abc"))
    assert first[0]["together"] == pytest.approx((matrix[0, 0] + matrix[1, 1]) / 2)
    assert first[0]["same_model"] == pytest.approx((matrix[0, 1] + matrix[1, 0]) / 2)
    assert first[0]["other_models"] == pytest.approx((matrix[0, 2] + matrix[1, 2]) / 2)
    assert second[0]["same_model"] is None
