"""Furnishes a skeleton: draws a house and people for it, adds what looks as if it mattered, and sets the turns."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.houses.sample import sample_house, sample_people
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.tasks.skeletons.bars import BARS
from otherminds.worlds.enacttom.tasks.skeletons.plots import Blueprint
from otherminds.worlds.enacttom.tasks.skeletons.scene import Job, Scene, Unfit
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.plans import fewest_turns
from otherminds.worlds.enacttom.verify.slice import slice_of

SLACK = 1.5  # turns for each turn that is needed with full information (spec 4.2)
SHORTEST, LONGEST = 8, 14  # turns of a task
MOST_PEOPLE = 5
# The least number, and how many numbers are possible. More would make texts longer than people want to read (spec 8).
_ROOMS, _FURNITURE, _THINGS = (6, 2), (12, 1), (18, 3)
_LEFT = 20  # things in a house at the end
_CARRIED = 2  # the least number of things in a goal, with errands
WITH_ERRANDS = 8  # the most worlds of a task that gets errands; proofs in more would take too long
_GUESTS = 0.2  # the share of houses with a person who does not matter
_RUMOURS = 0.2  # the share of houses with a secret that does not matter


def furnish(plan: Blueprint, draw: Draw, name: str = "task", *, values: int = 3, is_mixed: bool = False) -> Task:
    """A task of a skeleton in a house of its own.

    Args:
        plan: the skeleton.
        draw: source of everything else.
        name: of the task.
        values: how many values the secret of its job has.
        is_mixed: whether somebody has a private goal.

    Raises:
        Unfit: if the house that was drawn has no place for it, or it takes too long there.
    """
    return with_turns(furnished(plan, draw, name, values=values, is_mixed=is_mixed))


def furnished(plan: Blueprint, draw: Draw, name: str = "task", *, values: int = 3, is_mixed: bool = False) -> Task:
    """As ``furnish``, but with the most turns that a task can have.

    Raises:
        Unfit: if the house that was drawn has no place for it.
    """
    scene = staged(plan, draw, values)
    if is_mixed:
        _tempt(scene, draw)
    if len(scene.people) < MOST_PEOPLE and draw.happens(_GUESTS):
        scene.guest()
    if draw.happens(_RUMOURS):
        _rumour(scene, draw)
    return parse_task({"id": name, **scene.content(_title(scene, draw), LONGEST)})


def staged(plan: Blueprint, draw: Draw, values: int) -> Scene:
    """A house with what a skeleton needs, and nothing that does not matter but decoys of its own.

    Raises:
        Unfit: if the house that was drawn has no place for it.
    """
    rooms, furniture, things = (least + draw.below(range_) for least, range_ in (_ROOMS, _FURNITURE, _THINGS))
    house = sample_house(draw, rooms=rooms, furniture=furniture, things=things, closed=0)
    scene = Scene(draw, house, sample_people(draw, MOST_PEOPLE))
    try:
        plan.build(scene, values)
        things = sum(bool(job.thing) for job in scene.jobs)
        # Whoever needs a code to get through has no time for anything else, so that a room of an errand needs no bar.
        if (
            plan.job != "code"
            and things < _CARRIED
            and len(scene.people) < MOST_PEOPLE
            and scene.worlds <= WITH_ERRANDS
        ):
            scene.errand(_CARRIED - things, has_lids=BARS[plan.bar].leaves_lids)
        scene.clear(_LEFT)
    except Unfit:
        raise
    except UserError as error:  # the house has no more names or places for what the plot asks for
        raise Unfit(str(error)) from error
    return scene


def with_turns(task: Task) -> Task:
    """The task with as many turns as people without full information need.

    Raises:
        Unfit: if it takes too many.
    """
    for horizon in (SHORTEST, LONGEST):
        part = slice_of(ground(replace(task, horizon=horizon))).ground
        needed = [fewest_turns(part, world) for world in part.task.worlds]
        if None not in needed:
            fewest = max(number or 0 for number in needed)
            turns = max(SHORTEST, ceil(SLACK * fewest) + 1)
            if turns <= LONGEST:
                return replace(task, horizon=turns)
    raise Unfit(f"task {task.id!r} cannot be done within {LONGEST} turns")


def _tempt(scene: Scene, draw: Draw) -> None:
    """Somebody would like its job to be done in one way, whatever is right."""
    job = draw.pick(scene.jobs)
    choice = draw.pick(job.furniture)
    scene.private[job.actor] = f"{job.relation}({job.thing}, {choice})" if job.thing else f"powered({choice})"


def _rumour(scene: Scene, draw: Draw) -> None:
    """A note about something that has nothing to do with the goal."""
    about, values = draw.pick(_RUMOURED)
    scene.note(draw.pick(list(scene.people)), scene.secret(about, values))


_RUMOURED = (
    ("bus_number", ("seven", "nine")),
    ("dinner_time", ("six", "eight")),
    ("wifi_password", ("sunflower", "marmalade")),
    ("locker_number", ("twelve", "forty")),
    ("winning_colour", ("red", "blue")),
)
_TITLES_OF_THINGS = ("The {thing} and the {room}", "Where to put the {thing}", "A place for the {thing}")
_TITLES_OF_SWITCHES = ("The right {kind} in the {room}", "Which {kind}?", "Light in the {room}")


def _title(scene: Scene, draw: Draw) -> str:
    job: Job = scene.jobs[0]
    words = {
        "thing": job.thing.replace("_", " "),
        "room": job.room.replace("_", " "),
        "kind": scene.house.kind_of(job.furniture[0]).replace("_", " "),
    }
    return draw.pick(_TITLES_OF_THINGS if job.thing else _TITLES_OF_SWITCHES).format(**words)
