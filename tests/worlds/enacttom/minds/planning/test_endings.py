"""Goals that forbid a lever unless something is done: furnished tasks that take several steps by several people."""

from typing import Any

import pytest

pytest.importorskip("clingo")

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.formulas import shared
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.minds.planning.endings import MOST, endings
from otherminds.worlds.enacttom.minds.planning.knowledge import knowledge
from otherminds.worlds.enacttom.minds.planning.relaxed_problem import RelaxedSolver
from otherminds.worlds.enacttom.minds.planning.rules import rules_of
from otherminds.worlds.enacttom.tasks.skeletons.furnish import furnish
from otherminds.worlds.enacttom.tasks.skeletons.plots import blueprint
from otherminds.worlds.enacttom.types import Task
from tests.worlds.enacttom.houses import fetch
from tests.worlds.enacttom.playing import play

CUP = "on(cup, $target)"


def lever(goal: Any, lamps: int = 1) -> Task:
    """The task of the cup, with lamps in Ann's reach."""
    furniture = {
        "board": {"kind": "sign", "room": "study", "shows": "target"},
        "shelf": {"kind": "surface", "room": "hall"},
        **{f"table{number}": {"kind": "surface", "room": "kitchen"} for number in (1, 2)},
        **{f"lamp{number}": {"kind": "switch", "room": "study"} for number in range(lamps)},
    }
    rooms: dict[str, Any] = {"porch": {}, "study": {}, "hall": {}, "kitchen": {}}
    doors = {"d1": ["porch", "study"], "d2": ["porch", "hall"], "d3": ["hall", "kitchen"]}
    house = {
        "rooms": rooms,
        "doors": {name: {"rooms": ends} for name, ends in doors.items()},
        "furniture": furniture,
        "things": {"cup": {"place": "on shelf"}},
    }
    return fetch(values=2, horizon=5 + lamps, house=house, goal=goal)


def named(house: Ground, goal_endings: list[dict[int, frozenset[int]]] | None) -> list[dict[str, set[str]]]:
    return [
        {house.variables[v]: {house.domains[v][x] for x in values} for v, values in ending.items()}
        for ending in goal_endings or []
    ]


def test_no_ending_contradicts_itself_or_the_world() -> None:
    house = ground(lever({"and": [{"if": ["powered(lamp0)", CUP]}, "powered(lamp0)"]}))
    for at, world in enumerate(house.task.worlds):
        assert named(house, endings(house, world, shared(house))) == [
            {"power lamp0": {"yes"}, "place cup": {f"on table{at + 1}"}}
        ]


def test_an_ending_that_is_part_of_another_is_left_out() -> None:
    either = {"and": [{"if": ["powered(lamp0)", CUP]}, {"or": ["unpowered(lamp0)", CUP]}]}
    house = ground(lever(either))
    assert named(house, endings(house, house.task.worlds[0], shared(house))) == [
        {"power lamp0": {"no"}},
        {"place cup": {"on table1"}},
    ]


def test_whoever_wants_the_lever_is_advised_to_do_what_it_asks_for() -> None:
    house = ground(lever({"and": [{"if": ["powered(lamp0)", CUP]}, "powered(lamp0)"]}))
    knows = knowledge(house, 2)
    world = house.task.worlds[0]
    start = knows.begin(world)
    relaxed = RelaxedSolver(rules_of(knows, world), start).solve(start)
    assert relaxed is not None
    assert "pick(cup)" in relaxed.acts[1]


def test_a_goal_with_very_many_endings_is_taken_part_by_part() -> None:
    lamps = [{"or": [f"powered(lamp{at})", f"powered(lamp{at + 1})"]} for at in range(0, 14, 2)]
    task = lever({"and": [CUP, *lamps]}, lamps=14)
    house = ground(task)
    assert 2 ** len(lamps) > MOST
    assert endings(house, task.worlds[0], shared(house)) is None
    assert all((play(task, world, "tracker:depth=1").end or {})["success"] for world in task.worlds)


@pytest.mark.parametrize(
    ("name", "seed"), [("link-noted-in-lock", 1), pytest.param("chain-noted-on-none", 1, marks=pytest.mark.slow)]
)
def test_a_furnished_task_is_swept_at_its_depth_and_not_before(name: str, seed: int) -> None:
    plan = blueprint(name)
    task = furnish(plan, Draw(seed, name), values=2)
    for depth in (plan.depth - 1, plan.depth):
        done = [(play(task, world, f"tracker:depth={depth}").end or {})["success"] for world in task.worlds]
        assert all(done) == (depth == plan.depth)
