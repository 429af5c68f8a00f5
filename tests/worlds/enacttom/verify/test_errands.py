"""Proofs in two parts say the same as proofs of the whole task (spec 4.11)."""

from dataclasses import replace

import pytest

pytest.importorskip("clingo")

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.tasks.read import find_task, parse_task, read_task, task_names
from otherminds.worlds.enacttom.tasks.skeletons.furnish import furnish
from otherminds.worlds.enacttom.tasks.skeletons.plots import blueprint
from otherminds.worlds.enacttom.tasks.write import task_content
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify import errands
from otherminds.worlds.enacttom.verify.depth import check_policy, find_plain, required_depth
from otherminds.worlds.enacttom.verify.errands import is_solvable, plain_depth, two_parts
from otherminds.worlds.enacttom.verify.slice import slice_of


def with_errand(name: str) -> Task:
    """A shipped task, and a runner with a book to put away."""
    content = task_content(read_task(find_task(name)), is_bare=True)
    rooms, house = list(content["house"]["rooms"]), content["house"]
    content["people"]["dot"] = {"room": rooms[0], "verbs": ["navigate", "pick", "place", "wait"]}
    house["furniture"]["book_shelf"] = {"kind": "surface", "room": rooms[0]}
    house.setdefault("things", {})["book"] = {"place": f"floor {rooms[0]}"}
    content["goal"] = {"and": [content["goal"], "on(book, book_shelf)"]}
    return parse_task(content)


def agree(task: Task) -> bool | None:
    """Whether parts and whole have the same depth; ``None`` if the task has no parts."""
    parts = two_parts(task)
    if not parts or not parts.runners:
        return None
    mine, whole = plain_depth(task), required_depth(slice_of(ground(task)).ground, is_plain=True)
    assert check_policy(ground(task), mine.policy) == "" or not mine.policy
    answers = [is_solvable(task, depth) for depth in range(4)]
    expected = [whole.depth is not None and whole.depth <= depth for depth in range(4)]
    return answers == expected and (mine.depth, mine.refuted) == (whole.depth, whole.refuted)


@pytest.mark.parametrize("name", ["able-1", "cup", "one_link-1", "two_links-1"])
def test_a_task_with_an_errand_has_the_depth_of_its_core(name: str) -> None:
    task = with_errand(name)
    assert agree(task)
    assert plain_depth(task).depth == read_task(find_task(name)).certificate["depth"]


def test_the_comparison_fails_if_the_core_is_proved_at_another_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errands, "find_plain", lambda house, depth, _: find_plain(house, depth + 1))
    assert agree(with_errand("one_link-1")) is False


@pytest.mark.slow
def test_a_furnished_task_with_an_errand_has_the_depth_of_its_core() -> None:
    task = furnish(blueprint("link-told-switch-none"), Draw(1, "errands"), values=2)
    parts = two_parts(task)
    assert parts
    assert len(parts.runners) == 1
    assert plain_depth(task).depth == 2
    assert agree(task)


def test_somebody_who_is_told_something_is_no_runner() -> None:
    task = with_errand("message-1")
    parts = two_parts(task)
    assert parts
    assert parts.runners == ("dot",)
    told = two_parts(replace(task, notes=(*task.notes, replace(task.notes[0], to="dot"))))
    assert told
    assert told.runners == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", task_names())
def test_every_classic_task_keeps_its_depth_with_an_errand(name: str) -> None:
    assert agree(with_errand(name)) is not False
