"""Families draw valid tasks; the generator proves and judges them, and goes on where it was."""

from pathlib import Path

import pytest

pytest.importorskip("clingo")

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.tasks.canonical import canonical
from otherminds.worlds.enacttom.tasks.generate import FIRST, KINDS, candidates, examine, fill, slots
from otherminds.worlds.enacttom.tasks.read import parse_task, read_task, task_names
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import recheck, stored_certificate


def drawn(kind: str, seed: int = 0, which: int = 0) -> Task:
    made = KINDS[kind]
    return parse_task({"id": kind, **made.make(Draw(seed, kind), **made.parameters()[which])})


@pytest.mark.parametrize("kind", KINDS)
def test_every_choice_of_every_kind_gives_a_task(kind: str) -> None:
    for which in range(len(KINDS[kind].parameters())):
        task = drawn(kind, which, which)
        assert 2 <= len(task.people) <= 4
        assert (task.category == "mixed") == bool(task.private) == kind.startswith("mixed")
        assert task.wishes


def test_a_candidate_of_another_depth_or_with_something_idle_is_not_kept() -> None:
    task = drawn("one_link")
    assert "depth 2" in examine(task, 3)[1]
    assert examine(task, 2)[1] == ""
    content = KINDS["one_link"].make(Draw(0, "idle"))
    content["people"]["guest"] = {"room": next(iter(content["house"]["rooms"])), "verbs": ["wait"]}
    assert examine(parse_task({"id": "idle", **content}), 2)[1] == "people: guest does not matter"


def test_slots_are_filled_once_and_in_the_same_way(tmp_path: Path) -> None:
    wanted = slots({"one_link": 2})
    assert all(filled.is_written and not filled.was_there for filled in fill(tmp_path, wanted, seed=3))
    texts = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert sorted(texts) == ["one_link-1.yaml", "one_link-2.yaml"]
    again = list(fill(tmp_path, wanted, seed=3))
    assert all(filled.was_there and not filled.tries for filled in again)
    (tmp_path / "one_link-2.yaml").unlink()  # as if it had been killed
    assert list(fill(tmp_path, wanted, seed=3))
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == texts
    one, two = (read_task(path) for path in sorted(tmp_path.iterdir()))
    assert canonical(one) != canonical(two)
    with pytest.raises(UserError, match="seed 3, not 4"):
        list(fill(tmp_path, wanted, seed=4))


def test_what_is_known_is_not_drawn_again() -> None:
    known = {canonical(drawn("lock", which=which)): f"lock-{which}" for which in range(2)}
    found = list(candidates("lock-1", "lock", 0, known))
    assert len(found) == len(KINDS["lock"].parameters()) == 2
    assert all(one.is_copy for one in found)
    assert {one.against for one in found} == {f"the same as {name} but for names and order" for name in known.values()}


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(UserError, match="no kind of task 'massage'"):
        slots({"massage": 1})


def shipped() -> list[Task]:
    from otherminds.worlds.enacttom.tasks.read import find_task

    return [read_task(find_task(name)) for name in task_names() if name != "cup"]


def test_the_first_set_is_as_large_deep_and_mixed_as_promised() -> None:
    tasks = shipped()
    assert len(tasks) == sum(FIRST.values()) >= 60
    proofs = [stored_certificate(task) for task in tasks]
    depths = [proof.depth for proof in proofs if proof]
    assert len(depths) == len(tasks)
    assert all(depths.count(depth) >= 15 for depth in (1, 2, 3))
    tight = [proof.depth for proof in proofs if proof and proof.is_tight]
    assert all(tight.count(depth) >= 8 for depth in (2, 3))
    families = [task.provenance["family"] for task in tasks]
    assert max(map(families.count, families)) <= len(tasks) / 4
    assert len(set(families)) == 7
    assert {task.category for task in tasks} == {"cooperative", "mixed"}
    assert all(len(task.provenance["judged"]) == 8 for task in tasks)
    used = {one.kind for task in tasks for one in task.mechanics}
    assert {"room_restriction", "restricted_communication", "remote_control", "state_mirroring"} <= used
    assert {"time_window", "memo"} <= used


def test_a_shipped_task_comes_out_of_the_command_that_made_it() -> None:
    task = next(task for task in shipped() if task.id == "one_link-1")
    assert task.provenance["seed"] == 0
    *_, last = candidates("one_link-1", "one_link", 0, {})
    assert last.task == task


@pytest.mark.slow
@pytest.mark.parametrize("task", shipped(), ids=lambda task: task.id)
def test_shipped_certificates_hold_with_another_seed_of_the_solver(task: Task) -> None:
    from otherminds.worlds.enacttom.verify.certify import certify

    claimed = stored_certificate(task)
    assert claimed is not None
    assert recheck(task, claimed, certify(task, seed=7)) == ""
