"""A house as a picture, drawn as an episode in it is drawn before the first turn."""

from __future__ import annotations

from dataclasses import replace

from otherminds.view.shapes import Scene
from otherminds.worlds.enacttom import record
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.houses.house import House
from otherminds.worlds.enacttom.rules import begin
from otherminds.worlds.enacttom.session import Moment
from otherminds.worlds.enacttom.types import Person, Task, every_world
from otherminds.worlds.enacttom.view.draw import house_scene


def picture(house: House, people: tuple[Person, ...] = ()) -> Scene:
    """The floor plan with doors, furniture and things, and with people if there are any (four at most)."""
    task = Task(
        id="house",
        title="A house",
        category="cooperative",
        horizon=1,
        rooms=house.rooms,
        doors=house.doors,
        furniture=house.furniture,
        things=house.things,
        people=people,
        goal={"and": []},
        worlds=every_world(()),
    )
    (world,) = task.worlds
    in_it = ground(task)
    scene = house_scene(Moment(begin(in_it, world), None, {}), record.TaskInWorld(in_it, world))
    rooms = ", ".join(room.name.replace("_", " ") for room in house.rooms)
    return replace(scene, description=f"The floor plan of a house: {rooms}.")
