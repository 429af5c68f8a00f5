"""Whatever people do, the house stays one: everything is somewhere, budgets hold, and the same acts give the same."""

import os
import subprocess
import sys
from collections import deque
from hashlib import sha256

import pytest

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.rules import State, TurnResult, begin, is_over, step
from tests.worlds.enacttom.anyhouse import any_act, any_house

HOUSES, FEW, MANY = 25, 300, 10_000


def check(house: Ground, before: State, after: State, outcome: TurnResult) -> None:
    """What must hold after any turn."""
    task, values = house.task, after.values
    assert all(0 <= value < len(house.domains[at]) for at, value in enumerate(values))
    for thing in task.things:  # in one place, that there is
        how, _, where = house.domains[at := house.index[f"place {thing.name}"]][values[at]].partition(" ")
        assert how in ("on", "in", "held", "floor")
        assert where in (*(one.name for one in task.furniture), *(one.name for one in task.rooms), *task.names)
    for name in task.names:  # each has one hand, and takes up nothing while it is full
        held, had = (
            sum(_value(house, at, f"place {t.name}") == f"held {name}" for t in task.things) for at in (after, before)
        )
        assert held <= max(1, had)
    for agent, name in enumerate(task.names):
        moved = values[house.rooms_of[agent]] != before.values[house.rooms_of[agent]]
        assert not (moved and _value(house, after, f"at {name}") in task.barred(name))
        spent = isinstance(outcome.acts[agent], Message) and not outcome.refused[agent]
        assert before.budgets[agent] - after.budgets[agent] == int(spent)
        assert after.budgets[agent] >= 0
    for at, variable in enumerate(house.variables):
        if variable.startswith("secret "):
            assert values[at] == before.values[at]
        if variable.startswith("flag "):
            assert values[at] >= before.values[at]  # what is done is done
    # What is refused changes nothing; of what was thwarted, whatever nobody contradicted is done all the same.
    if all(outcome.refused) and "thwarted" not in "".join(outcome.refused) and not house.ticks:
        assert values == before.values


def _value(house: Ground, state: State, variable: str) -> str:
    at = house.index[variable]
    return house.domains[at][state.values[at]]


def run(seed: int, *, is_checked: bool = True) -> str:
    """A run of wild acts; its hash."""
    house, draw = ground(any_house(seed % HOUSES, horizon=8)), Draw(seed, "enacttom/wild")
    world = draw.pick(house.task.worlds)
    state, seen = begin(house, world), sha256()
    while not is_over(house, state):
        acts = [any_act(house, state, world, agent, draw) for agent in range(len(house.task.people))]
        after, outcome = step(house, state, acts)
        if is_checked:
            check(house, state, after, outcome)
            assert step(house, state, acts) == (after, outcome)
        state = after
        seen.update(repr((state, outcome)).encode())
    return seen.hexdigest()


def test_the_house_stays_one_under_wild_play() -> None:
    hashes = [run(seed) for seed in range(FEW)]
    assert hashes == [run(seed, is_checked=False) for seed in range(FEW)]
    assert len(set(hashes)) > 0.9 * FEW  # runs differ


@pytest.mark.slow
def test_the_house_stays_one_in_ten_thousand_runs() -> None:
    for seed in range(MANY):
        run(seed)


def test_runs_are_the_same_in_every_process() -> None:
    """Nothing depends on the order in which Python happens to keep sets and names."""
    code = "from tests.worlds.enacttom.test_rules_invariants import run; print(*(run(seed) for seed in range(30)))"
    found = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": number}, capture_output=True, check=True
        ).stdout
        for number in ("1", "2")
    ]
    assert found[0] == found[1]
    assert len(found[0].split()) == 30


def test_the_checks_notice_a_house_that_comes_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget that is not spent, and a secret that changes."""
    real = step

    def generous(house: Ground, state: State, acts: list[object]) -> tuple[State, TurnResult]:
        after, outcome = real(house, state, acts)  # type: ignore[arg-type]
        return State(after.turn, after.values, state.budgets, after.done), outcome

    def fickle(house: Ground, state: State, acts: list[object]) -> tuple[State, TurnResult]:
        after, outcome = real(house, state, acts)  # type: ignore[arg-type]
        return State(after.turn, (1 - after.values[0], *after.values[1:]), after.budgets, after.done), outcome

    for broken in (generous, fickle):
        monkeypatch.setattr(sys.modules[__name__], "step", broken)
        with pytest.raises(AssertionError):
            deque(map(run, range(FEW)), maxlen=0)
