"""Sampled houses: floor plans, doors, furniture and things, by seed."""

import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.view.shapes import to_svg
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.houses.additions import MOST_THINGS, add_furniture, add_things
from otherminds.worlds.enacttom.houses.catalogue import catalogue
from otherminds.worlds.enacttom.houses.check import faults
from otherminds.worlds.enacttom.houses.house import House
from otherminds.worlds.enacttom.houses.picture import picture
from otherminds.worlds.enacttom.houses.sample import FURNITURE, PEOPLE, ROOMS, THINGS, sample_house, sample_people
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.types import Door, Person, Room, Task, Thing
from otherminds.worlds.enacttom.view.floor_plan import plan_of

SEEDS = range(200)


@cache
def house(seed: int) -> House:
    return sample_house(Draw(seed, "houses"))


def errand(of: House, seed: int = 0) -> Task:
    """The smallest task in a house: two people, and one thing to be put elsewhere."""
    here = [part.name for part in of.furniture if part.kind == "surface"]
    thing = next(thing for thing in of.things if thing.place != f"on {here[0]}")
    content: dict[str, Any] = {
        "id": "errand",
        "title": "An errand",
        "category": "cooperative",
        "horizon": 6,
        "house": of.content(),
        "people": {name: {"room": of.hubs[0]} for name in sample_people(Draw(seed, "people"), 2)},
        "goal": f"on({thing.name}, {here[0]})",
    }
    return parse_task(content)


# The catalogue


def test_the_catalogue_is_large_enough() -> None:
    known = catalogue()
    assert len(known.rooms) >= 16
    assert len(known.furniture) >= 60
    assert len(known.things) >= 200
    assert len(known.people) >= 80
    assert len({name[0] for name in known.people}) == 26


def test_every_word_of_the_catalogue_is_a_lower_case_token() -> None:
    text = files("otherminds.worlds.enacttom.houses").joinpath("catalogue.json").read_text("utf-8")
    content = json.loads(text)
    words = [*content["people"], *(word for many in content["looks"].values() for word in many)]
    words += [name for part in ("rooms", "furniture", "things") for name in content[part]]
    assert [word for word in words if not re.fullmatch("[a-z]+(_[a-z]+)*", word)] == []


def test_no_name_can_mean_two_kinds() -> None:
    known = catalogue()
    names = [name for kind in (*known.furniture, *known.things) for many in known.names(kind) for name in many]
    names += [*known.rooms, *(f"{look}_{kind}" for kind, room in known.rooms.items() for look in room.looks)]
    names += [f"{look}_door" for look in known.doors] + [*known.people]
    assert [name for name, times in Counter(names).items() if times > 1] == []


def test_the_catalogue_refers_to_what_it_has() -> None:
    known = catalogue()
    for name, room in known.rooms.items():
        assert room.adjoins <= set(known.rooms), name
        assert (room.most > 1) == bool(room.looks), name
        assert len(room.looks) >= room.most or room.most == 1, name
    for name, piece in known.furniture.items():
        assert piece.always <= piece.rooms <= set(known.rooms), name
    for name, thing in known.things.items():
        assert thing.kept, name
        for furniture, place in thing.kept:
            assert known.furniture[furniture].kind in ("surface", "container"), name
            assert place in known.furniture[furniture].rooms, name
    holders = [name for name, piece in known.furniture.items() if piece.kind in ("surface", "container")]
    assert [name for name in holders if not any(known.things_for(name, room) for room in known.rooms)] == []


def test_bedrooms_and_bathrooms_are_not_thoroughfares_and_halls_are() -> None:
    sorts = {name: room.sort for name, room in catalogue().rooms.items()}
    assert {sorts[name] for name in ("bedroom", "bathroom", "washroom", "nursery")} == {"end"}
    assert {sorts[name] for name in ("hall", "corridor", "landing")} == {"hub"}


# Houses by seed


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sampled_house_has_no_fault(seed: int) -> None:
    made = house(seed)
    assert faults(made) == []
    for parts, (low, high) in ((made.rooms, ROOMS), (made.furniture, FURNITURE), (made.things, THINGS)):
        assert low <= len(parts) <= high
    assert all(len(made.things_at(part.name)) <= MOST_THINGS for part in made.furniture)
    assert all(made.furniture_in(room.name) for room in made.rooms)
    assert {"kitchen"} <= {made.kind_of(room.name) for room in made.rooms}


def test_one_seed_repeats_byte_for_byte_and_two_seeds_differ() -> None:
    texts = [house(seed).text() for seed in SEEDS]
    assert [sample_house(Draw(seed, "houses")).text() for seed in SEEDS[:15]] == texts[:15]
    assert len(set(texts)) == len(SEEDS)
    assert len({tuple(room.box for room in house(seed).rooms) for seed in SEEDS}) > 0.95 * len(SEEDS)


def test_every_kind_of_room_and_nearly_every_other_kind_occurs() -> None:
    known, seen = catalogue(), Counter[str]()
    for seed in SEEDS:
        parts = (house(seed).rooms, house(seed).furniture, house(seed).things)
        seen.update(known.kind_of(part.name) for many in parts for part in many)
    assert [kind for kind in known.rooms if kind not in seen] == []
    for kinds in (known.furniture, known.things):
        assert sum(kind in seen for kind in kinds) >= 0.9 * len(kinds)


def test_kitchen_and_dining_room_are_beside_each_other() -> None:
    both = [made for made in map(house, SEEDS) if made.rooms_of("dining_room")]
    assert len(both) > 20
    assert all("kitchen" in made.beside("dining_room") for made in both)


def test_some_houses_have_two_ways_and_some_doors_can_be_closed() -> None:
    houses = list(map(house, SEEDS))
    assert sum(len(made.doors) >= len(made.rooms) for made in houses) > 0.2 * len(houses)
    shares = [sum(not door.is_open for door in made.doors) / len(made.doors) for made in houses]
    assert 0.2 < sum(shares) / len(shares) < 0.4
    assert not any(door.is_locked or door.one_way for made in houses for door in made.doors)


@pytest.mark.parametrize("seed", SEEDS[:40])
def test_a_house_has_the_sizes_that_are_asked_for(seed: int) -> None:
    rooms = 6 + seed % 5
    made = sample_house(Draw(seed, "asked"), rooms=rooms, furniture=20, things=15, closed=2, locked=1, one_way=1)
    assert faults(made) == []
    assert (len(made.rooms), len(made.furniture), len(made.things)) == (rooms, 20, 15)
    assert sum(door.is_locked for door in made.doors) == sum(door.one_way for door in made.doors) == 1
    assert sum(not door.is_open for door in made.doors) == 3
    around = replace(made, doors=tuple(door for door in made.doors if not door.one_way))
    assert all(around.path(made.hubs[0], room.name) for room in made.rooms)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"rooms": 4}, "cannot have 4 rooms; expected 5 to 10"),
        ({"furniture": 31}, "31 furniture"),
        ({"things": 9}, "9 things"),
        ({"locked": -1}, "-1 locked doors"),
        ({"rooms": 5, "one_way": 9}, "ask for fewer such doors"),
    ],
)
def test_a_house_that_cannot_be_is_refused(asked: dict[str, int], message: str) -> None:
    with pytest.raises(UserError, match=message):
        sample_house(Draw(0, "houses"), **asked)


# Houses in use


@pytest.mark.parametrize("seed", [*SEEDS[:15], *(pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS[15:])])
def test_a_house_can_be_played_in_and_drawn(seed: int) -> None:
    task = errand(house(seed), seed)
    assert House(task.rooms, task.doors, task.furniture, task.things) == house(seed)
    reachable = {deed.name for deed in ground(task).deeds if deed.verb == "navigate"}
    assert reachable == {f"navigate({room.name})" for room in task.rooms}
    plan = plan_of(task)
    assert all(opening.is_gap for opening in plan.openings)


@pytest.mark.parametrize("seed", SEEDS[:4])
def test_a_picture_shows_every_part_inside_its_room(seed: int) -> None:
    made = house(seed)
    drawn = to_svg(picture(made, tuple(Person(name, made.hubs[0]) for name in ("ada", "ben", "cleo"))))
    for name in made.names - {door.name for door in made.doors}:
        assert f">{name.replace('_', ' ')[:20]}" in drawn
    plan = plan_of(errand(made))
    right = max(x + width for x, _, width, _ in plan.rooms.values())
    chips = [tuple(map(float, chip)) for chip in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', drawn)]
    assert chips
    assert all(x + width <= right + 1 for x, width in chips)


def test_a_plan_without_people_can_be_drawn() -> None:
    assert "The floor plan of a house: " in to_svg(picture(house(0)))


def test_rooms_are_found_by_their_place() -> None:
    for made in map(house, SEEDS[:50]):
        assert made.hubs == made.rooms_of("hall", "corridor", "landing")
        assert {made.kind_of(room) for room in made.dead_ends} >= {"bedroom"}
        (neighbour,) = made.beside(made.dead_ends[0])
        assert made.dead_ends[0] in made.beside(neighbour)
        assert made.path(made.dead_ends[0], neighbour) == [made.dead_ends[0], neighbour]
        assert made.path(made.dead_ends[0], made.dead_ends[-1], around=[neighbour]) == []


def test_free_furniture_is_empty() -> None:
    made = house(1)
    for room in made.rooms:
        free = made.free(room.name)
        assert sorted(free) == sorted([*made.free(room.name, "surface"), *made.free(room.name, "container")])
        assert not any(made.things_at(name) for name in free)
        assert set(made.furniture_in(room.name, "surface")) - set(free) <= {
            thing.place.removeprefix("on ") for thing in made.things
        }


@pytest.mark.parametrize("kind", ["surface", "container", "switch"])
@pytest.mark.parametrize("seed", SEEDS[:10])
def test_pieces_that_differ_by_an_adjective_can_be_added_to_any_room(kind: str, seed: int) -> None:
    for room in house(seed).rooms:
        more, names = add_furniture(house(seed), Draw(seed, "more"), room.name, kind, 4)
        assert faults(more) == []
        assert len(set(names)) == 4
        assert len({more.kind_of(name) for name in names}) == 1
        assert {part.kind for part in more.furniture if part.name in names} == {kind}
        assert more.without(*names) == house(seed)


def test_a_wanted_kind_of_furniture_is_added_or_refused() -> None:
    made = house(0)
    more, (name,) = add_furniture(made, Draw(0, "more"), "kitchen", "kitchen_cupboard")
    assert name.endswith("_kitchen_cupboard")
    assert faults(more) == []
    with pytest.raises(UserError, match="a bathtub does not belong in a kitchen"):
        add_furniture(made, Draw(0, "more"), "kitchen", "bathtub")
    with pytest.raises(UserError, match="unknown furniture 'kitchen_cupbord'; did you mean 'kitchen_cupboard'"):
        add_furniture(made, Draw(0, "more"), "kitchen", "kitchen_cupbord")
    with pytest.raises(UserError, match="not enough names for 2 more of kind fridge"):
        add_furniture(made, Draw(0, "more"), "kitchen", "fridge", 2)
    with pytest.raises(UserError, match="there is no 'kitchin' in this house; did you mean 'kitchen'"):
        add_furniture(made, Draw(0, "more"), "kitchin", "surface")


def test_things_are_added_where_they_are_kept() -> None:
    made, (counter,) = house(0), house(0).furniture_in("kitchen", "surface")[:1]
    bare = made.without(*made.things_at(counter))
    more, names = add_things(bare, Draw(0, "more"), 3, at=[counter], kind="mug")
    assert faults(more) == []
    assert more.things_at(counter) == names
    assert all(name.endswith("_mug") for name in names)
    with pytest.raises(UserError, match="room for only 4 of 9 more things"):
        add_things(bare, Draw(0, "more"), 9, at=[counter])
    with pytest.raises(UserError, match="unknown thing 'mugg'; did you mean 'mug'"):
        add_things(bare, Draw(0, "more"), kind="mugg")


def test_doors_can_be_changed() -> None:
    made = house(0)
    name = made.doors[0].name
    changed = made.with_door(name, is_open=False, is_locked=True)
    assert [door for door in changed.doors if door.is_locked] == [
        Door(name, made.doors[0].rooms, is_open=False, is_locked=True)
    ]
    with pytest.raises(UserError, match="there is no door 'front'"):
        made.with_door("front", is_open=True)


def test_people_have_different_initials() -> None:
    groups = [sample_people(Draw(seed, "people")) for seed in SEEDS]
    assert {len(names) for names in groups} == set(range(PEOPLE[0], PEOPLE[1] + 1))
    assert all(len({name[0] for name in names}) == len(names) for names in groups)
    assert len({name for names in groups for name in names}) > 100
    assert sample_people(Draw(7, "people")) == groups[7]


# The check itself


def flat(one: str, other: str) -> House:
    """Two rooms and a door."""
    return House((Room(one, (0, 0, 4, 4)), Room(other, (4, 0, 4, 4))), (Door("glass_door", (one, other)),))


def test_each_fault_is_found() -> None:
    made = house(0)
    first, second, *_ = made.rooms
    (bedroom,) = made.doors_of(made.rooms_of("bedroom")[0])
    broken = {
        "overlap": replace(made, rooms=(first, replace(second, box=first.box), *made.rooms[2:])),
        "cannot be reached": replace(made, doors=made.doors[1:]),
        "is the name of 2 parts": replace(made, things=(*made.things, made.things[0])),
        "is not in the catalogue": replace(made, things=(*made.things, Thing("table_of_ben", "on x"))),
        "is not made of lower-case words": replace(made, things=(*made.things, Thing("mug2", "on x"))),
        "is not kept": replace(made, things=(*made.things, Thing("blue_sleeping_bag", "on kitchen_counter"))),
        "where nothing can be": replace(made, things=(*made.things, Thing("jigsaw", "on nothing"))),
        "does not belong": replace(made, furniture=tuple(replace(part, room="kitchen") for part in made.furniture)),
        "is not in a wall": replace(made, rooms=(*made.rooms[:-1], replace(made.rooms[-1], box=(90, 90, 4, 4)))),
        "nobody should cross": replace(made, doors=(*made.doors, replace(bedroom, name="glass_door"))),
        "is open and locked": made.with_door(made.doors[0].name, is_open=True, is_locked=True),
        "do not adjoin": replace(
            made, doors=(*made.doors, Door("glass_door", (made.rooms_of("bedroom")[0], "kitchen")))
        ),
        "is named neither": replace(made, doors=(replace(made.doors[0], name="door"), *made.doors[1:])),
        "which does not exist": replace(made, rooms=made.rooms[:-1]),
        "there is no hall": flat("kitchen", "pantry"),
        "bedroom has no adjective, though there are 2": flat("bedroom", "guest_bedroom"),
    }
    assert faults(made) == []
    for fault, wrong in broken.items():
        assert any(fault in found for found in faults(wrong)), fault
