"""Floor plans: rooms are as large as what is in them, and things wrap at the wall."""

from dataclasses import replace

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.houses.sample import sample_house
from otherminds.worlds.enacttom.types import Furniture, Task, Thing, every_world
from otherminds.worlds.enacttom.view.floor_plan import HEAD, LINE, flow, plan_of


def task_in(seed: int) -> Task:
    house = sample_house(Draw(seed, "plans"))
    return Task(
        id="plan",
        title="A plan",
        category="cooperative",
        horizon=1,
        rooms=house.rooms,
        doors=house.doors,
        furniture=house.furniture,
        things=house.things,
        people=(),
        goal={"and": []},
        worlds=every_world(()),
    )


def test_chips_continue_on_the_next_line_where_the_wall_is() -> None:
    assert flow([50, 50, 50, 50], start=100, left=30, right=210) == [(100, 0), (154, 0), (30, 1), (84, 1)]
    assert flow([500], start=30, left=30, right=210) == [(30, 0)]  # too long for any line
    assert flow([], start=30, left=30, right=210) == []


def test_walls_stay_shared_and_rooms_apart_when_squares_are_stretched() -> None:
    for seed in range(30):
        task = task_in(seed)
        plan = plan_of(task)
        boxes = {room.name: room.box for room in task.rooms if room.box}
        for one in boxes:
            for other in boxes:
                for side in (0, 1):
                    was, now = (
                        (many[one][side] + many[one][side + 2], many[other][side]) for many in (boxes, plan.rooms)
                    )
                    assert (was[0] <= was[1]) == (now[0] <= now[1] + 1e-6)
                    assert (was[0] == was[1]) == (abs(now[0] - now[1]) < 1e-6)


def test_a_crowded_room_is_drawn_higher_and_the_others_beside_it_stay_narrow() -> None:
    task = task_in(0)
    room = task.rooms[-1]
    pieces = tuple(Furniture(f"shelf_{at}", "surface", room.name) for at in range(12))
    things = tuple(Thing(f"a_rather_long_name_{at}", "on shelf_0") for at in range(20))
    crowded = replace(task, furniture=(*task.furniture, *pieces), things=(*task.things, *things))
    before, after = plan_of(task), plan_of(crowded)
    assert after.rooms[room.name][3] > before.rooms[room.name][3]
    assert after.rooms[room.name][3] >= HEAD + LINE * 16  # twelve pieces, one of them with several lines of things
    assert after.width < 2 * before.width
