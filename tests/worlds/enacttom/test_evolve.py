"""Household tasks evolve: their genes are changed, and what is built from them is proved."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.run.breeder import Refused
from otherminds.worlds.enacttom.evolve import ADDITIONS, TaskBreeder, genes_of
from otherminds.worlds.enacttom.tasks.read import SHIPPED, parse_task, read_task
from otherminds.worlds.enacttom.tasks.skeletons.furnish import furnished
from otherminds.worlds.enacttom.tasks.skeletons.plots import Blueprint, blueprint
from otherminds.worlds.enacttom.tasks.write import task_content
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import fault_of
from otherminds.worlds.enacttom.world import EnactToM
from tests.plugin import invoke


@pytest.fixture(scope="module")
def breeder() -> TaskBreeder:
    return TaskBreeder(EnactToM())


def built(breeder: TaskBreeder, make: Any) -> Task:
    """The first task that a house has room for."""
    for seed in range(30):
        try:
            task = make(Draw(seed, "evolve"))
        except Refused:
            continue
        assert isinstance(task, Task)
        return task
    raise AssertionError("no house has room for it")


@pytest.fixture(scope="module")
def parent(breeder: TaskBreeder) -> Task:
    """One who knows, one who acts."""
    task = built(breeder, breeder.fresh)
    about = {"skeleton": Blueprint("gated", "note", "in", "none").name, "values": 3, "additions": []}
    return built(breeder, lambda draw: breeder.mutate(replace(task, provenance=about), "source", draw))


@pytest.mark.parametrize("part", ["plot", "source", "job", "bar"])
def test_a_part_of_the_skeleton_becomes_another(breeder: TaskBreeder, parent: Task, part: str) -> None:
    before, after = genes_of(parent), genes_of(built(breeder, lambda draw: breeder.mutate(parent, part, draw)))
    assert getattr(before.skeleton, part) != getattr(after.skeleton, part)
    assert (before.values, before.additions) == (after.values, after.additions)


def test_the_number_of_values_changes(breeder: TaskBreeder, parent: Task) -> None:
    child = built(breeder, lambda draw: breeder.mutate(parent, "values", draw))
    assert genes_of(child).values != genes_of(parent).values
    assert genes_of(child).values in [len(secret.values) for secret in child.secrets if secret.sort == "objective"]


def test_additions_are_made_once_kept_and_cut(breeder: TaskBreeder, parent: Task) -> None:
    task = parent
    for name in ADDITIONS:
        task = built(breeder, lambda draw, task=task, name=name: breeder.mutate(task, name, draw))
        with pytest.raises(Refused, match="already added"):
            breeder.mutate(task, name, Draw(0, "again"))
    assert genes_of(task).additions == tuple(ADDITIONS)
    assert len(task.people) == len(parent.people) + 2, "a relay and a listener who does not matter"
    idle = {person.name for person in task.people if set(person.verbs) == {"navigate", "wait"}}
    assert any(idle & set(heard) for heard in task.talk.channels.values())
    assert [mechanic.kind for mechanic in task.mechanics].count("time_window") == 1
    assert next(note.about for note in task.notes).startswith("last_used_"), "the rumour is told first"
    assert task.category == "mixed"
    assert any(secret.name.startswith("last_used_") for secret in task.secrets), "a rumour"
    assert any(not door["open"] for door in task_content(task)["house"]["doors"].values())
    less = built(breeder, lambda draw: breeder.mutate(task, "cut", draw))
    assert len(genes_of(less).additions) == len(ADDITIONS) - 1
    with pytest.raises(Refused, match="there is no addition"):
        breeder.mutate(parent, "cut", Draw(0, "cut"))


def test_two_additions_are_made_at_once(breeder: TaskBreeder, parent: Task) -> None:
    child = built(breeder, lambda draw: breeder.mutate(parent, "pile", draw))
    assert len(set(genes_of(child).additions)) == 2


def test_a_skeleton_with_rare_mechanics_keeps_the_depth(breeder: TaskBreeder, parent: Task) -> None:
    child = built(breeder, lambda draw: breeder.mutate(parent, "unusual", draw))
    rare = {mechanic.kind for mechanic in child.mechanics} & {"state_mirroring", "inverse_state", "commit"}
    assert rare
    assert genes_of(child).skeleton.depth == genes_of(parent).skeleton.depth
    assert {f"tasks with {kind}" for kind in rare} <= set(breeder.niches(child))
    assert "tasks without rare mechanics" in breeder.niches(parent)


def test_every_wrong_switch_of_a_code_raises_the_alarm() -> None:
    task = furnished(blueprint("gated-note-code-none"), Draw(1, "c"))
    (code,) = [secret for secret in task.secrets if secret.name.startswith("switch_of_")]
    alarms = [mechanic.fields["furniture"] for mechanic in task.mechanics if mechanic.kind == "commit"]
    assert sorted(alarms) == sorted(code.values)


def test_a_relay_stands_between_two_people(breeder: TaskBreeder, parent: Task) -> None:
    child = built(breeder, lambda draw: breeder.mutate(parent, "add-relay", draw))
    (speaker, heard), (relay, last) = child.talk.channels.items()
    assert heard == (relay,)
    assert last != (speaker,)
    assert child.talk.budgets[relay] == 1


def test_a_cross_has_parts_and_additions_of_both(breeder: TaskBreeder, parent: Task) -> None:
    about = {"skeleton": "gated-note-on-lock", "values": 2, "additions": ["close-door"]}
    other = replace(parent, provenance=about)
    child = genes_of(built(breeder, lambda draw: breeder.cross(parent, other, draw)))
    one, two = genes_of(parent).skeleton, genes_of(other).skeleton
    assert child.skeleton not in (one, two)
    assert all(getattr(child.skeleton, name) in (getattr(one, name), getattr(two, name)) for name in vars(one))
    assert child.additions == ("close-door",)


def test_the_same_stream_gives_the_same_task(breeder: TaskBreeder, parent: Task) -> None:
    def made(seed: int) -> Task | str:
        try:
            return breeder.mutate(parent, "job", Draw(seed, "same"))
        except Refused as refused:
            return str(refused)

    assert made(1) == made(1)
    assert made(1) != made(2)


def test_names_and_decoys_make_no_new_task(breeder: TaskBreeder, parent: Task) -> None:
    content = json.loads(json.dumps(task_content(parent, is_bare=True)).replace(f'"{parent.names[0]}"', '"zora"'))
    assert breeder.key(parse_task(content)) == breeder.key(parent)
    assert breeder.key(SHIPPED["lock-1"]) != breeder.key(SHIPPED["able-1"])


def test_runs_take_turns_in_contrast_worlds(breeder: TaskBreeder) -> None:
    task = SHIPPED["message-1"]
    worlds = [breeder.items(task, run)[0].data.world for run in range(6)]
    assert len(set(worlds)) > 1
    assert set(worlds) <= set(task.worlds)


def test_a_task_without_genes_or_proof_is_refused(breeder: TaskBreeder, parent: Task) -> None:
    with pytest.raises(UserError, match="no readable lineage"):
        genes_of(SHIPPED["cup"])
    with pytest.raises(UserError, match="no valid certificate"):
        breeder.items(parent, 0)


@pytest.mark.slow
def test_a_tiny_pool_evolves_and_every_task_in_it_is_proved(tmp_path: Path) -> None:
    words = (
        "--against",
        "greedy",
        "--first",
        "1",
        "--size",
        "1",
        "--band",
        "0,1",
        "--episodes",
        "1",
        "--seed",
        "10",
        "--json",
    )
    report = json.loads(invoke("evolve", "enacttom", *words, "--out", "pool", cwd=tmp_path))
    assert (report["first"], report["evolved"]) == (1, 1)
    for name in ("first/first-1", "evolved/evolved-1"):
        task = read_task(tmp_path / "pool" / f"{name}.yaml")
        assert fault_of(task) == ""
        assert task.id == name.partition("/")[2]
        assert {"parents", "operator", "seed"} <= set(task.provenance["lineage"])
