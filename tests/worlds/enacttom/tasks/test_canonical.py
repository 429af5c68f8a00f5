"""Tasks that are the same but for names and order have one canonical form; skeletons ignore numbers of copies too."""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.tasks.canonical import canonical, mechanism
from otherminds.worlds.enacttom.tasks.read import find_task, parse_task, read_task, task_names
from otherminds.worlds.enacttom.tasks.write import task_content
from otherminds.worlds.enacttom.types import Task
from tests.worlds.enacttom.houses import chain, fetch, letter, memo

SHIPPED = {name: read_task(find_task(name)) for name in task_names()}
_PLAIN = ("kind", "verbs", "sort", "category", "broadcast_cost", "kinds", "set", "id", "title")  # no names below these
_ORDERED = ("chain", "knower", "turns", "windows", "box", "place", "values")
_BY_NAME = ("rooms", "doors", "furniture", "things", "people", "secrets", "private", "channels", "budgets", "windows",
            "limits", "when")  # fmt: skip


def disguised(task: Task, draw: Draw) -> Task:
    """The task with other names for everything, and everything whose order means nothing in another order."""
    content = task_content(task, is_bare=True)
    parts = (task.rooms, task.doors, task.furniture, task.things, task.people, task.secrets)
    old = {part.name for many in parts for part in many} | {v for secret in task.secrets for v in secret.values}
    fresh = [f"n{number}" for number in range(len(old))]
    draw.shuffle(fresh)
    names = dict(zip(sorted(old), fresh, strict=True))
    for secret in task.secrets:  # other orders of values; places of things follow them
        order = list(range(len(secret.values)))
        draw.shuffle(order)
        content["secrets"][secret.name]["values"] = [secret.values[at] for at in order]
        for thing in task.things:
            if thing.depends_on == secret.name:
                content["house"]["things"][thing.name]["place"] = [thing.places[at] for at in order]

    def renamed(value: Any, key: str = "", is_named: bool = False) -> Any:
        if isinstance(value, dict):
            is_named = key in _BY_NAME or is_named
            rows = [
                (names.get(name, name) if is_named else name, renamed(part, "" if is_named else name, key == "worlds"))
                for name, part in value.items()
            ]
            if is_named:
                draw.shuffle(rows)
            return dict(rows)
        if isinstance(value, list):
            inner = "" if key in ("and", "or", "notes", "mechanics", "wishes", "worlds") else key
            parts = [renamed(part, inner, key == "worlds") for part in value]
            if key not in _ORDERED:
                draw.shuffle(parts)
            return parts
        if not isinstance(value, str) or key in _PLAIN:
            return value
        return re.sub(r"[\w-]+", lambda word: names.get(word[0], word[0]), value)

    return parse_task(renamed(content))


def groups(form: Callable[[Task], str]) -> list[list[str]]:
    same = defaultdict(list)
    for name, task in SHIPPED.items():
        same[form(task)].append(name)
    return list(same.values())


@pytest.mark.parametrize("name", SHIPPED)
def test_names_and_order_do_not_count(name: str) -> None:
    other = disguised(SHIPPED[name], Draw(0, f"disguise/{name}"))
    assert not set(other.names) & set(SHIPPED[name].names)
    assert canonical(other) == canonical(SHIPPED[name])
    assert mechanism(other) == mechanism(SHIPPED[name])


def test_the_shipped_tasks_that_are_the_same_are_found() -> None:
    same = [["cup", "placement-4"], ["message-1", "message-3"], ["message-2", "message-8"],
            ["mixed_1-2", "mixed_1-3"], ["mixed_2-1", "mixed_2-2"]]  # fmt: skip
    assert sorted(group for group in groups(canonical) if len(group) > 1) == same


def test_the_shipped_tasks_have_twenty_two_skeletons() -> None:
    found = groups(mechanism)
    assert len(found) == 22
    assert ["lock-1", "lock-2"] in found  # three and four places
    assert next(group for group in found if "mixed_3-1" in group) == [
        "mixed_3-1",
        "mixed_3-2",
        "trusted-1",
        "trusted-3",
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (fetch(), fetch(horizon=6)),
        (fetch(), fetch(budget=2)),
        (fetch(), fetch(values=4)),
        (fetch(), fetch(goal={"not": "on(cup, $target)"})),
        (fetch(), fetch(people={"ann": {"room": "porch"}, "ben": {"room": "kitchen"}})),
        (fetch(), fetch(category="mixed", private={"ann": "on(cup, shelf)"})),
        (memo(), memo(acknowledge=False)),
        (letter(), letter(windows=False)),
        (letter(), letter(audible=False)),
        (chain(), chain(mechanics=[])),
    ],
)
def test_what_changes_the_task_changes_its_form(one: Task, other: Task) -> None:
    assert canonical(one) != canonical(other)


def test_a_skeleton_ignores_numbers_of_copies_and_what_is_audible_or_private() -> None:
    assert mechanism(fetch()) == mechanism(fetch(values=5)) != mechanism(fetch(budget=2))
    assert mechanism(fetch()) == mechanism(fetch(category="mixed", private={"ann": "on(cup, shelf)"}))
    assert mechanism(letter()) == mechanism(letter(audible=False)) != mechanism(letter(windows=False))
    assert mechanism(memo(values=2)) == mechanism(memo(values=3)) != mechanism(memo(acknowledge=False))


def test_ways_of_writing_the_same_limits_do_not_count() -> None:
    bare = {**task_content(fetch(), is_bare=True), "talk": {"channels": {"ann": ["ben"]}, "budgets": {"ann": 1}}}
    bare["mechanics"] = [one for one in bare["mechanics"] if one["kind"] == "room_restriction"]
    assert canonical(parse_task(bare)) == canonical(fetch())


def _passages(*rings: int) -> Task:
    """Empty rooms in rings, joined by doors to the next."""
    rooms = [f"r{ring}_{at}" for ring, size in enumerate(rings) for at in range(size)]
    doors = {
        f"d{ring}_{at}": {"rooms": [f"r{ring}_{at}", f"r{ring}_{(at + 1) % size}"]}
        for ring, size in enumerate(rings)
        for at in range(size)
    }
    house = task_content(fetch(), is_bare=True)["house"]
    return fetch(
        house={
            **house,
            "rooms": {**house["rooms"], **{room: {} for room in rooms}},
            "doors": {**house["doors"], **doors},
        }
    )


def test_rings_that_colours_cannot_tell_apart_are_told_apart() -> None:
    """Six rooms in a ring and two rings of three look alike from every room: only individualisation helps."""
    assert canonical(_passages(6)) != canonical(_passages(3, 3))
    assert canonical(_passages(3, 3)) == canonical(disguised(_passages(3, 3), Draw(1, "rings")))
    assert canonical(_passages(3, 4)) == canonical(_passages(4, 3))


def test_many_equal_copies_cost_little() -> None:
    """Without automorphisms, twelve equal cups would be 479,001,600 labellings."""
    house = task_content(fetch(), is_bare=True)["house"]
    cups = {f"cup{number}": {"place": "on shelf"} for number in range(12)}
    many = fetch(house={**house, "things": {**house["things"], **cups}})
    assert canonical(many) == canonical(disguised(many, Draw(2, "cups"))) != canonical(fetch())
