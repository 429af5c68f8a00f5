"""The solver against all policies, tried one by one, on small tasks drawn at random."""

from collections import Counter
from typing import Any

import pytest

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.tasks.read import find_task, parse_task, read_task, task_names
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import stored_certificate
from otherminds.worlds.enacttom.verify.depth import required_depth
from otherminds.worlds.enacttom.verify.joint_policy import Search
from tests.worlds.enacttom.houses import chain, memo
from tests.worlds.enacttom.verify import brute

FEW, MANY = 12, 440


def small(seed: int) -> Task:
    """Two or three people, each with a lever or two, notes and perhaps a message; whoever acts may rely on others."""
    draw = Draw(seed, "enacttom/small")
    names = ["ann", "ben", "cleo"][: 2 + draw.below(2)]
    is_chain = len(names) == 3 and draw.happens(0.5)
    rooms = ["one", "two", "three"]
    where = {name: rooms[0] if draw.happens(0.2) else rooms[at] for at, name in enumerate(names)}
    lamps = ["lamp1", "lamp2"]
    secrets: dict[str, Any] = {"right": {"values": lamps}}
    levels = ["none", *reversed(names)]
    secrets["known"] = {"values": levels, "sort": "informational"}
    doer = names[-1]
    notes: list[dict[str, Any]] = []
    for at, level in enumerate(levels[1:], 1):
        when = {"known": level}
        notes.append({"to": doer, "about": "right", "when": when})
        for higher in range(2, at + 1):
            knower = list(reversed(levels[1:higher]))
            notes.append({"to": levels[higher], "about": "right", "knower": knower, "when": when})
        if is_chain and draw.happens(0.7):
            notes.append({"to": names[0], "about": "right", "knower": doer, "when": when})
    if draw.happens(0.12):  # nobody was told after all where all must act: it cannot be done
        notes = [note for note in notes if note["when"]["known"] != names[0]]
    levers = [f"lever_{name}" for name in names[:-1]]
    follow = [*levers[1:], "$right"]
    goal: list[Any] = [
        {"or": [f"unpowered({lever})", f"powered({then})"]} for lever, then in zip(levers, follow, strict=True)
    ]
    goal += [{"or": [f"unpowered({lamp})", f"is(right, {lamp})"]} for lamp in lamps]
    goal.append({"or": [{"not": f"is(known, {names[0]})"}, f"powered({levers[0]})"]})
    talks = len(names) == 2 and draw.happens(0.6)  # with three and two turns there are too many policies
    horizon = 2 if talks else 1
    mechanics: list[dict[str, Any]] = [{"kind": "commit", "furniture": one} for one in (*levers, *lamps)]
    if horizon == 2:
        mechanics.append({"kind": "time_window", "turns": [2, 2]})
    return parse_task(
        {
            "id": f"small{seed}",
            "title": "Small",
            "category": "cooperative",
            "horizon": horizon,
            "house": {
                "rooms": {room: {} for room in rooms},
                "furniture": {
                    **{f"lever_{name}": {"kind": "switch", "room": where[name]} for name in names[:-1]},
                    **{lamp: {"kind": "switch", "room": where[doer]} for lamp in lamps},
                },
            },
            "people": {name: {"room": where[name], "verbs": ["toggle", "tell", "wait"]} for name in names},
            "secrets": secrets,
            "notes": notes,
            "mechanics": mechanics,
            "talk": {
                "channels": {doer: [names[0]]} if talks else {},
                "budgets": {doer: 1} if talks else {},
                "windows": {doer: [1, 1]} if talks else {},
                "kinds": ["knows"],
            },
            "goal": {"and": goal},
        }
    )


def compare(seeds: range) -> Counter[int | None]:
    """How many tasks of each depth both agree on; those with too many policies to try are left out."""
    found: Counter[int | None] = Counter()
    for seed in seeds:
        house = ground(small(seed))
        try:
            tried = {depth: brute.exists(house, depth) for depth in (0, 1, 2, 3, None)}
        except brute.TooMany:
            continue
        assert {depth: Search(house, depth).find().is_solvable for depth in tried} == tried, seed
        found[next((depth for depth in range(4) if tried[depth]), None)] += 1
    return found


def test_the_solver_finds_a_policy_where_there_is_one_and_none_where_there_is_none() -> None:
    assert len(compare(range(FEW))) >= 3  # of several depths


@pytest.mark.slow
def test_the_solver_agrees_on_many_tasks_of_every_depth() -> None:
    found = compare(range(MANY))
    assert sum(found.values()) >= 200
    assert all(found[depth] >= 40 for depth in (1, 2, 3)), found
    assert found[None] >= 10  # some cannot be done at all


def test_the_comparison_notices_a_theory_that_is_one_level_short(monkeypatch: pytest.MonkeyPatch) -> None:
    house = ground(chain(values=2))
    assert brute.exists(house, 3)
    assert not brute.exists(house, 2)
    real = brute._theories
    monkeypatch.setattr(brute, "_theories", lambda g, s, c, depth: real(g, s, c, depth - 1))
    assert not brute.exists(house, 3)
    assert Search(house, 3).find().is_solvable


@pytest.mark.parametrize("task", [memo(), chain(values=2)], ids=lambda task: task.id)
def test_no_shallower_policy_that_a_local_search_finds_solves_all_contrast_worlds(task: Task) -> None:
    house, proved = ground(task), required_depth(ground(task))
    assert proved.depth is not None
    assert brute.climb(house, proved.depth - 1, proved.contrast, steps=150, seed=0) < len(proved.contrast)


def test_the_local_search_finds_what_there_is() -> None:
    house = ground(chain(values=2))
    contrast = required_depth(house).contrast
    assert brute.climb(house, 3, contrast, steps=1500, seed=0) == len(contrast)


@pytest.mark.slow
def test_no_tight_task_of_the_set_is_swept_by_a_shallower_policy_that_a_local_search_finds() -> None:
    tried = 0
    for name in task_names():
        task = read_task(find_task(name))
        proved = stored_certificate(task)
        if proved and proved.is_tight and proved.depth:
            tried += 1
            best = brute.climb(ground(task), proved.depth - 1, proved.contrast, steps=200, seed=0)
            assert best < len(proved.contrast), name
    assert tried >= 16
