"""The tracker plans by itself: from the task and its own percepts, without certificate, solver or shared policy."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import otherminds
from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.world import Ask
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.minds.tracker import Tracker
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.tasks.read import find_task, read_task, task_names
from otherminds.worlds.enacttom.tasks.suite import contrast_of
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.certify import stored_certificate
from tests.worlds.enacttom.houses import fetch
from tests.worlds.enacttom.playing import play

SOURCE = Path(otherminds.__file__).parent.parent
WORLD = "otherminds.worlds.enacttom"
# Modules of proofs that merely define what an act stakes (spec 4.3); questions and scores use them as well.
DEFINITIONS = {f"{WORLD}.verify.stakes", f"{WORLD}.verify.task_facts"}
SAMPLE = ("cup", "lock-1", "handed_on-2", "message-6", "mixed_2-1", "stale-1", "trusted-1", "two_links-8")


def shipped(name: str) -> Task:
    return read_task(find_task(name))


def depth_of(task: Task) -> int:
    proof = stored_certificate(task)
    assert proof is not None
    assert proof.depth is not None
    return proof.depth


def contrast(task: Task) -> tuple[World, ...]:
    proof = stored_certificate(task)
    assert proof is not None
    return contrast_of(task, proof)


def sweeps(task: Task, mind: str) -> bool:
    return all((play(task, world, mind).end or {})["success"] for world in contrast(task))


@pytest.mark.parametrize("name", SAMPLE)
def test_a_tracker_sweeps_what_is_not_deeper_than_it(name: str) -> None:
    task = shipped(name)
    swept = [sweeps(task, f"tracker:depth={depth}") for depth in range(4)]
    assert swept == [depth >= depth_of(task) for depth in range(4)]


@pytest.mark.slow
def test_trackers_show_the_steps_on_all_shipped_tasks() -> None:
    tasks = [shipped(name) for name in task_names()]
    for depth in range(1, 4):
        within = [sweeps(task, f"tracker:depth={depth}") for task in tasks if depth_of(task) <= depth]
        beyond = [sweeps(task, f"tracker:depth={depth}") for task in tasks if depth_of(task) > depth]
        assert sum(within) >= 0.95 * len(within)
        assert sum(beyond) <= 0.05 * len(beyond)


@pytest.mark.parametrize("name", ["message-6", "two_links-8"])
def test_a_label_changes_nothing(name: str) -> None:
    """A task without a certificate, or with a false one, is played in the same way."""
    task = shipped(name)
    labels = [{}, {**task.certificate, "depth": 1}, {**task.certificate, "depth": 3}]
    for depth in (1, 3):
        for world in contrast(task)[:3]:
            played = play(task, world, f"tracker:depth={depth}").turns
            for label in labels:
                assert play(replace(task, certificate=label), world, f"tracker:depth={depth}").turns == played


def imports(module: str) -> Iterator[str]:
    """The modules that a module imports, those within functions included."""
    for node in ast.walk(ast.parse(file_of(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def file_of(module: str) -> Path:
    path = SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def reached(*start: str) -> set[str]:
    found: set[str] = set()
    todo = list(start)
    while todo:
        module = todo.pop()
        if module not in found and module.startswith(WORLD) and file_of(module).is_file():
            found.add(module)
            todo += imports(module)
    return found


def test_a_tracker_can_reach_neither_certificate_nor_solver_nor_policy() -> None:
    own = {module for module in reached(f"{WORLD}.minds.tracker") if module.startswith(f"{WORLD}.minds")}
    assert f"{WORLD}.minds.planning.joint" in own
    assert f"{WORLD}.minds.oracle" not in own
    assert not any(name.startswith((f"{WORLD}.verify", "clingo")) for module in own for name in imports(module))
    proofs = {module for module in reached(*own) if module.startswith(f"{WORLD}.verify.")}
    assert proofs <= DEFINITIONS
    trees = [ast.parse(file_of(module).read_text(encoding="utf-8")) for module in own]
    used = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not used & {"certificate", "provenance"}
    assert f"{WORLD}.verify.certify" in reached(f"{WORLD}.minds.oracle")  # the search does find what there is


class Absent(BaseMind):
    """Does odd acts in some turns, and what a tracker does in all others."""

    name = "absent"

    def __init__(self, odd: dict[int, Act], depth: int = 1) -> None:
        self.odd, self.inner = odd, Tracker(depth)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.inner.begin(seat, briefing, seed)

    def reply(self, ask: Ask) -> Reply:
        reply = self.inner.reply(ask)
        return Reply(self.odd[ask.turn]) if ask.probe is None and ask.turn in self.odd else reply


@pytest.mark.parametrize("name", ["placement-1", "handed_on-1", "lock-1", "mirror-1"])
@pytest.mark.parametrize("odd", [0, 1])
def test_everybody_plans_anew_after_a_partner_was_absent(name: str, odd: int) -> None:
    """Somebody does nothing in the first two turns; with two turns more, all still reach the goal."""
    task = shipped(name)
    longer = replace(task, horizon=task.horizon + 2)
    for world in task.worlds:
        seats = [Absent({1: WAIT, 2: WAIT} if who == odd else {}) for who in range(len(task.people))]
        assert (play(longer, world, seats).end or {})["success"]


def test_what_was_undone_is_done_again() -> None:
    """Ben has put the cup back and come away; both see that and start over."""
    task = fetch(horizon=9)
    for world in task.worlds:
        ben = Absent({2: "place(cup, on, shelf)", 3: "navigate(porch)"})
        assert (play(task, world, ["tracker:depth=1", ben]).end or {})["success"]


@pytest.mark.parametrize("partner", ["silent", "random"])
def test_whoever_can_do_without_a_partner_does(partner: str) -> None:
    """Nobody is barred: whoever waits in vain for the other goes to read the board and puts the cup away alone."""
    free = fetch(horizon=12, mechanics=[], talk={"channels": {"ann": ["ben"], "ben": ["ann"]}, "budgets": {"ann": 1}})
    for seed, world in enumerate(free.worlds):
        for seats in ([partner, "tracker:depth=1"], ["tracker:depth=1", partner]):
            episode = play(free, world, seats, seed)
            own = [turn["acts"][seats.index("tracker:depth=1")] for turn in episode.turns]
            assert sum(act != WAIT for act in own) >= 3
            assert (episode.end or {})["success"] or partner == "random"
