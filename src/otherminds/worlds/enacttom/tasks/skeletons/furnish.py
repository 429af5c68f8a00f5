"""Furnishes a skeleton: draws a house and people for it, and sets the number of turns."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.houses.sample import sample_house, sample_people
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.tasks.skeletons.plots import Blueprint
from otherminds.worlds.enacttom.tasks.skeletons.scene import Scene, Unfit
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.plans import shortest_plan
from otherminds.worlds.enacttom.verify.slice import slice_of

SLACK = 1.5  # turns for each turn that is needed with full information (spec 4.2)
SHORTEST, LONGEST = 8, 14  # turns of a task
_MOST_PEOPLE = 5


def furnish(plan: Blueprint, draw: Draw, values: int = 3) -> Task:
    """A task of a skeleton in a house of its own.

    Raises:
        Unfit: if the house that was drawn has no place for it.
    """
    rooms = 6 + draw.below(4)
    house = sample_house(draw, rooms=rooms, furniture=14 + draw.below(8), things=16 + draw.below(10), closed=0)
    scene = Scene(draw, house, sample_people(draw, _MOST_PEOPLE))
    plan.build(scene, values)
    task = parse_task({"id": plan.name, **scene.content(plan.name, SHORTEST)})
    return with_turns(task)


def with_turns(task: Task) -> Task:
    """The task with as many turns as people without full information need.

    Raises:
        Unfit: if it takes too many.
    """
    for horizon in (SHORTEST, LONGEST):
        part = slice_of(ground(replace(task, horizon=horizon))).ground
        plans = [shortest_plan(part, world) for world in part.task.worlds]
        if None not in plans:
            fewest = max(len(plan or ()) for plan in plans)
            turns = max(SHORTEST, ceil(SLACK * fewest) + 1)
            if turns <= LONGEST:
                return replace(task, horizon=turns)
    raise Unfit(f"task {task.id!r} cannot be done within {LONGEST} turns")
