"""Proofs on what of a house can matter say the same as proofs on the whole house (spec 4.10)."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("clingo")

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.formulas import is_reached, literals, shared
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.rules import begin, step
from otherminds.worlds.enacttom.tasks.skeletons.furnish import furnish
from otherminds.worlds.enacttom.tasks.skeletons.plots import blueprint
from otherminds.worlds.enacttom.verify import joint_policy
from otherminds.worlds.enacttom.verify.certify import certify
from otherminds.worlds.enacttom.verify.depth import check_policy, required_depth
from otherminds.worlds.enacttom.verify.joint_policy import Search
from otherminds.worlds.enacttom.verify.plans import shortest_plan
from otherminds.worlds.enacttom.verify.relevance import Relevance
from otherminds.worlds.enacttom.verify.slice import Slice, slice_of
from otherminds.worlds.enacttom.verify.task_facts import facts
from tests.worlds.enacttom.anyhouse import any_house
from tests.worlds.enacttom.houses import fetch
from tests.worlds.enacttom.verify.breadth_first import plan_by_breadth


def seen_facts(part: Slice) -> Any:
    """The facts of a whole house, in which only what is in the slice counts as perceived."""
    kept_deeds = {(part.ground.task.names[deed.agent], deed.name) for deed in part.ground.deeds}

    def filtered(house: Ground, *options: Any) -> Iterator[str]:
        for fact in facts(house, *options):
            if house is part.whole:
                if (match := re.match(r"sight\(\d+,\d+,(\d+),", fact)) and (
                    house.variables[int(match[1])] not in part.ground.variables
                ):
                    continue
                if match := re.match(r"shows\(d\((\d+)\)\)", fact):
                    deed = house.deeds[int(match[1])]
                    if (house.task.names[deed.agent], deed.name) not in kept_deeds:
                        continue
                if (match := re.match(r"audible\((\d+),", fact)) and (
                    house.audible[int(match[1])][0] not in part.ground.task.audible
                ):
                    continue
            yield fact

    return filtered


def agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> bool | None:
    """Whether slice and whole have the same depth; ``None`` if nothing can be left out."""
    part = slice_of(ground(any_house(seed)))
    if part.is_whole:
        return None
    mine = required_depth(part.ground, is_plain=True)
    with monkeypatch.context() as patch:
        patch.setattr(joint_policy, "facts", seen_facts(part))
        whole = required_depth(part.whole, is_plain=True)
    assert check_policy(part.whole, part.lift(mine.policy)) == "" or not mine.policy
    return (mine.depth, mine.refuted) == (whole.depth, whole.refuted)


def test_the_slice_has_the_depth_of_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    results = [agree(seed, monkeypatch) for seed in range(12)]
    assert results.count(True) >= 6
    assert False not in results


@pytest.mark.slow
def test_the_slices_of_three_hundred_houses_have_their_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    results = [agree(seed, monkeypatch) for seed in range(420)]
    assert results.count(True) >= 300
    assert False not in results


def test_a_slice_that_lost_what_matters_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison fails if only what the goal names counts, and not what its ways depend on."""
    monkeypatch.setattr(Relevance, "_variables", lambda self: {v for v, _ in literals(shared(self.ground))})
    slice_of.cache_clear()
    is_noticed = any(agree(seed, monkeypatch) is False for seed in range(24))
    slice_of.cache_clear()
    assert is_noticed


def test_a_furnished_house_is_cut_down_to_its_skeleton() -> None:
    task = furnish(blueprint("gated-note-in-none"), Draw(1, "slice"), values=3)
    part = slice_of(ground(task))
    assert len(part.ground.task.things) == 2
    assert len(part.ground.deeds) < len(part.whole.deeds) / 5
    proved = certify(task)
    assert proved.depth == 1
    assert check_policy(part.whole, proved.policy) == ""


@pytest.mark.parametrize("seed", range(12))
def test_shortest_plans_are_as_short_as_breadth_first_search_finds_them(seed: int) -> None:
    house = ground(any_house(seed))
    part = slice_of(house)
    for world in house.task.worlds:
        plan, other = shortest_plan(part.ground, part.world(world)), plan_by_breadth(house, world)
        assert (plan is None) == (other is None)
        if plan is None or other is None:
            continue
        assert len(plan) == len(other)
        state = begin(part.ground, part.world(world))
        for acts in plan:
            state, _ = step(part.ground, state, acts)
        assert is_reached(part.ground, state.values)


def test_the_time_limit_holds_for_grounding_too() -> None:
    house = ground(fetch(values=12, horizon=400))
    started = time.monotonic()
    result = Search(house, 1, is_plain=True, seconds=0.2).find(seconds=0.2)
    assert result.is_solvable is None
    assert time.monotonic() - started < 60  # without a limit it takes many minutes


def test_a_wait_that_ends_early_is_not_taken_for_the_end_of_time() -> None:
    from otherminds.worlds.enacttom.verify.solver import solve

    class Handle:
        """Wakes up early three times before it has an answer."""

        def __init__(self) -> None:
            self.waits, self.is_cancelled = 0, False

        def __enter__(self) -> "Handle":
            return self

        def __exit__(self, *_: object) -> None: ...

        def wait(self, _: float) -> bool:
            self.waits += 1
            return self.waits > 3

        def cancel(self) -> None:
            self.is_cancelled = True

        def get(self) -> Any:
            return type("Result", (), {"satisfiable": None if self.is_cancelled else True})()

    class Control:
        def solve(self, **_: Any) -> Handle:
            return Handle()

    assert solve(Control(), [], 60).is_satisfiable is True
    assert solve(Control(), [], -1).is_satisfiable is None
