"""How depths of related tasks compare: conventions, budgets, windows and names; proofs with other seeds (9.5, 9.3)."""

import json
import re
from dataclasses import replace

import pytest

from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.tasks.write import task_content
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.depth import check_policy
from otherminds.worlds.enacttom.verify.joint_policy import Search
from tests.worlds.enacttom.houses import chain, fetch, letter, memo
from tests.worlds.enacttom.verify.test_depth_by_brute_force import small

pytest.importorskip("clingo")
FEW, MANY = 6, 150
NEVER = 9  # deeper than anything: no policy at all


def depth(task: Task, *, is_plain: bool = False, seed: int = 0) -> int:
    """The least depth at which there is a policy, with conventions or without."""
    house = ground(task)
    for deep in range(4):
        found = Search(house, deep, is_plain=is_plain, seed=seed).find()
        assert found.is_solvable is not None
        if found.is_solvable:
            assert not check_policy(house, found.policy)
            return deep
    return NEVER


def richer(task: Task) -> Task:
    """Everybody may send one message more."""
    budgets = {name: 1 + task.talk.budgets.get(name, 0) for name in task.talk.channels}
    mechanics = tuple(one for one in task.mechanics if one.kind != "limited_bandwidth")
    return replace(task, mechanics=mechanics, talk=replace(task.talk, budgets=budgets))


def unhurried(task: Task) -> Task:
    """Without windows on what can be done."""
    return replace(task, mechanics=tuple(one for one in task.mechanics if one.kind != "time_window"))


def renamed(task: Task) -> Task:
    """The same with other names for people, in another order."""
    names = {name: f"p{len(task.names) - at}" for at, name in enumerate(task.names)}
    text = re.sub(rf"\b({'|'.join(names)})\b", lambda match: names[match[1]], json.dumps(task_content(task)))
    content = json.loads(text)
    content["people"] = dict(sorted(content["people"].items()))
    return parse_task(content)


def check(task: Task) -> None:
    """All that must hold of a task."""
    plain, free = depth(task, is_plain=True), depth(task)
    assert free <= plain, "conventions never ask for more"
    if task.talk.channels:
        assert depth(richer(task)) <= free, "more messages never ask for more of any team"
        assert depth(richer(task), is_plain=True) <= plain, "nor of one without conventions"
    if any(one.kind == "time_window" for one in task.mechanics):
        assert depth(unhurried(task)) <= free, "nor does more time"
    other = renamed(task)
    assert other.names != task.names
    assert (depth(other, is_plain=True), depth(other)) == (plain, free), "names are nothing"


@pytest.mark.parametrize(
    "task", [chain(values=2), fetch(values=2, horizon=4), pytest.param(memo(), marks=pytest.mark.slow)]
)
def test_worked_tasks_are_no_deeper_with_more_messages_time_or_other_names(task: Task) -> None:
    check(task)


@pytest.mark.slow
def test_drawn_tasks_are_no_deeper_with_more_messages_time_or_other_names() -> None:
    for seed in range(FEW):
        check(small(seed))


@pytest.mark.slow
def test_so_are_many() -> None:
    for task in (letter(), *(small(seed) for seed in range(FEW, MANY))):
        check(task)


@pytest.mark.slow
def test_without_windows_the_letter_is_shallower_for_teams_with_conventions() -> None:
    """So that the comparison is not empty: time can be a signal (4.7)."""
    assert depth(unhurried(letter())) < depth(letter())


@pytest.mark.parametrize(
    "task",
    [chain(values=2), pytest.param(memo(), marks=pytest.mark.slow), pytest.param(letter(), marks=pytest.mark.slow)],
)
def test_what_is_refuted_is_refuted_with_other_seeds_of_the_solver(task: Task) -> None:
    house = ground(task)
    for is_plain in (False, True):
        for deep in range(4):
            found = {Search(house, deep, is_plain=is_plain, seed=seed).find().is_solvable for seed in (0, 7)}
            assert len(found) == 1
            assert None not in found


def test_refutations_of_drawn_tasks_hold_with_another_seed_too() -> None:
    refuted = 0
    for number in range(FEW):
        house = ground(small(number))
        for deep in range(3):
            found = Search(house, deep).find().is_solvable
            refuted += found is False
            assert Search(house, deep, seed=number + 1).find().is_solvable == found
    assert refuted > FEW
