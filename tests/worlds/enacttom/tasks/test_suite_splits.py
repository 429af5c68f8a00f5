"""The splits of the benchmark are as many, deep, large and varied as the specification says (spec 8)."""

from __future__ import annotations

from collections import Counter
from statistics import median

import pytest

from otherminds.worlds.enacttom.evolve import genes_of
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.tasks.canonical import canonical
from otherminds.worlds.enacttom.tasks.read import SHIPPED, task_names
from otherminds.worlds.enacttom.tasks.statistics import Facts
from otherminds.worlds.enacttom.verify.slice import slice_of
from tests.worlds.enacttom.tasks.splits import SPLITS, check_certificate, easiest, facts_of

SIZE = 150
MECHANICS = {  # all but commit: evolution keeps no codes, since the panels pass them
    "room_restriction", "limited_bandwidth", "restricted_communication", "remote_control", "state_mirroring",
    "inverse_state", "time_window", "interlock", "memo",
}  # fmt: skip


def everything() -> list[Facts]:
    return [one for split in SPLITS for one in facts_of(split)]


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_has_150_tasks_named_after_it(split: str) -> None:
    assert task_names(split) == [f"{split}-{number:03}" for number in range(1, SIZE + 1)]
    assert {SHIPPED[name].provenance["split"] for name in task_names(split)} == {split}


@pytest.mark.parametrize("split", SPLITS)
def test_about_a_third_of_a_split_has_each_depth(split: str) -> None:
    depths = Counter(one["depth"] for one in facts_of(split))
    assert set(depths) == {1, 2, 3}
    assert all(0.28 * SIZE <= number <= 0.38 * SIZE for number in depths.values()), depths


def test_there_are_sixty_skeletons_and_none_is_frequent() -> None:
    for name in ("skeleton", "mechanism"):
        kinds = Counter(one[name] for one in everything())
        assert len(kinds) >= 60
        assert max(kinds.values()) <= 0.05 * len(SPLITS) * SIZE, kinds.most_common(1)


def test_there_are_a_hundred_houses_and_sixty_tasks_with_private_goals() -> None:
    assert len({one["house"] for one in everything()}) >= 100
    assert sum(bool(one["mixed"]) for one in everything()) >= 60


def test_no_two_tasks_are_the_same_but_for_names_and_decoys() -> None:
    forms: dict[str, str] = {}
    for name in (name for split in SPLITS for name in task_names(split)):
        same = forms.setdefault(canonical(slice_of(ground(SHIPPED[name])).ground.task), name)
        assert same == name


@pytest.mark.parametrize("split", SPLITS)
def test_most_tasks_have_movement_and_things(split: str) -> None:
    assert sum(bool(one["moves_and_carries"]) for one in facts_of(split)) >= 0.8 * SIZE


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize(("number", "least"), [("rooms", 6), ("things", 20), ("horizon", 8)])
def test_houses_are_large_and_tasks_are_long(split: str, number: str, least: int) -> None:
    assert median(one[number] for one in facts_of(split)) >= least


@pytest.mark.parametrize("split", SPLITS)
def test_mechanics_several_messages_and_searches_occur(split: str) -> None:
    found = facts_of(split)
    assert {kind for one in found for kind in one["mechanics"]} >= MECHANICS
    budgets = {budget for one in found for budget in one["budgets"]}
    assert {1, 2} <= budgets <= {1, 2, 3, 4}
    assert any(one["searches"] for one in found)
    assert median(one["goal_things"] for one in found) >= 2
    assert max(one["goal_things"] for one in found) <= 4


@pytest.mark.parametrize("split", SPLITS)
def test_every_task_has_a_lineage_and_the_genes_that_it_was_made_from(split: str) -> None:
    for name in task_names(split):
        lineage = SHIPPED[name].provenance["lineage"]
        assert lineage["parents"]
        assert lineage["generation"] >= 1
        assert genes_of(SHIPPED[name]).skeleton.name == SHIPPED[name].provenance["skeleton"]


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_certificates_of_a_sample_hold_with_another_seed_of_the_solver(split: str, depth: int) -> None:
    check_certificate(easiest(split, depth))
