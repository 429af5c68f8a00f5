"""``check_world`` passes sound worlds and catches each kind of broken one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import otherminds
from otherminds.core.errors import UserError
from otherminds.testing import array_checks, check_world
from otherminds.testing.check import _run
from otherminds.worlds.symmtom.minds import scripted
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import Action, State
from otherminds.worlds.symmtom.world import SymmToM

CONFIGURATIONS: list[dict[str, Any]] = [
    {"setting": "n4_w6_c8", "vision": 2, "oracle": True},
    {"setting": "n3_w5_c9", "mask_actions": True, "private_first_hand": True, "decay": 6, "middle_block": True},
]


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=lambda options: "-".join(map(str, options)))
def test_every_configuration_keeps_every_promise(options: dict[str, Any]) -> None:
    report = check_world(otherminds.make("symmtom-v0", **options), episodes=2)
    skipped = [check.name for check in report.checks if check.result == "skipped"]
    assert len(report.checks) == 17
    assert len(skipped) <= 1, skipped  # knowledge may not pay, or there are no two episodes that look alike


def fails(check: Callable[[Any, int, int], str], world: Any) -> bool:
    """Whether a world fails one check; all of them would take ten times as long."""
    return _run("", check, world, 0, 2).result == "failed"


def test_a_seed_that_is_ignored_is_caught() -> None:
    class Ignores(SymmToM):
        def reset(self, key: Any, worlds: int | tuple[int, ...] = ()) -> Any:
            return super().reset(np.random.default_rng(0), worlds)

        def draw_step(self, rng: np.random.Generator) -> Any:
            return super().draw_step(np.random.default_rng(0))

        def draw_actions(self, rng: np.random.Generator, state: State) -> Action:
            return super().draw_actions(np.random.default_rng(0), state)

    assert fails(array_checks.determinism, Ignores())


def test_hidden_state_outside_the_state_is_caught() -> None:
    class Drifts(SymmToM):
        turns = 0

        def step_with(self, coins: Any, state: State, actions: Action) -> Any:
            self.turns += 1
            observations, state, rewards, *rest = super().step_with(coins, state, actions)
            return observations, state, rewards + self.turns % 7, *rest

    assert fails(array_checks.determinism, Drifts())


def test_a_leak_is_caught() -> None:
    class Leaks(SymmToM):
        def observe(self, state: State) -> Any:
            return super().observe(state) + state.knowledge.sum() % 2

        def step_with(self, coins: Any, state: State, actions: Action) -> Any:
            _, state, *rest = super().step_with(coins, state, actions)
            return self.observe(state), state, *rest

    assert fails(array_checks.no_leak, Leaks())


def test_seeing_beyond_sight_is_caught() -> None:
    class Sees(SymmToM):
        def observe(self, state: State) -> Any:
            return observe(state, self.params.replace(vision=None, show_turn=True, show_last_reward=True))

        def step_with(self, coins: Any, state: State, actions: Action) -> Any:
            _, state, *rest = super().step_with(coins, state, actions)
            return self.observe(state), state, *rest

    assert fails(array_checks.no_leak, Sees("n3_w6_c3", vision=1))


def test_seeing_private_pieces_is_caught() -> None:
    class Sees(SymmToM):
        def observe(self, state: State) -> Any:
            return observe(state, self.params.replace(private_first_hand=False))

        def step_with(self, coins: Any, state: State, actions: Action) -> Any:
            _, state, *rest = super().step_with(coins, state, actions)
            return self.observe(state), state, *rest

    assert fails(array_checks.no_leak, Sees("n3_w6_c3", private_first_hand=True))


def test_a_favourite_agent_is_caught() -> None:
    class Favours(SymmToM):
        def step_with(self, coins: Any, state: State, actions: Action) -> Any:
            observations, state, rewards, *rest = super().step_with(coins, state, actions)
            gift = np.asarray([1.0, 0.0, 0.0], dtype=np.float32)
            return observations, state, rewards + gift, *rest

    assert fails(array_checks.symmetry, Favours())


def test_perfect_information_is_caught() -> None:
    class Open(SymmToM):
        def hide(self, rng: np.random.Generator, state: State, agent: int) -> State:
            return state

    assert fails(array_checks.imperfect, Open())


def test_agents_that_see_nobody_are_caught() -> None:
    class Blind(SymmToM):
        def observe(self, state: State) -> Any:
            return np.zeros_like(super().observe(state))

    assert fails(array_checks.others, Blind())


def test_a_world_in_which_knowledge_does_not_pay_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    informed, uninformed = scripted.BELIEF, scripted.BELIEF_ZEROTH
    monkeypatch.setattr(scripted, "BELIEF", uninformed)
    monkeypatch.setattr(scripted, "BELIEF_ZEROTH", informed)
    assert fails(array_checks.information_seeking, SymmToM())


def test_engines_that_differ_are_caught() -> None:
    class Differs(SymmToM):
        def step_with(self, coins: Any, state: State, actions: Action) -> Any:
            observations, state, rewards, *rest = super().step_with(coins, state, actions)
            return observations, state, rewards + isinstance(rewards, np.ndarray), *rest

    assert fails(array_checks.engines_agree, Differs())


def test_a_broken_world_raises_with_the_whole_report() -> None:
    class Short(SymmToM):
        @property
        def observation_shape(self) -> tuple[int, ...]:
            return (1,)

    with pytest.raises(AssertionError, match="promised shape"):
        check_world(Short(), episodes=1)


def test_something_else_is_refused() -> None:
    with pytest.raises(UserError, match="not a world"):
        check_world(object())  # type: ignore[arg-type]
