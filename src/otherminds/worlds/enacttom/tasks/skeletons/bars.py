"""What stands in the way of a job: locked doors, lids that follow others, rules of the furniture, and time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from otherminds.worlds.enacttom.tasks.skeletons.scene import Job, Scene, Unfit

HOURS = (7, 12)  # the turns in which furniture with opening hours can be used


def nothing(_: Scene, __: Job, ___: str) -> None:
    """Nothing stands in the way."""


def lock(scene: Scene, job: Job, _: str, delay: int = 0) -> None:
    """The door to the job is locked, and only a keeper somewhere else can open it."""
    doors = scene.house.doors_of(job.room)
    if len(doors) != 1:
        raise Unfit("the room of the job has several doors")
    scene.house = scene.house.with_door(doors[0].name, is_open=False, is_locked=True)
    switch = _kept_switch(scene)
    late = {"delay": delay} if delay else {}
    scene.mechanics.append(
        {"kind": "remote_control", "trigger": switch, "when": "on", "target": doors[0].name, "set": "unlocked", **late}
    )


def _kept_switch(scene: Scene) -> str:
    """A switch that nobody but its keeper can reach."""
    room = scene.room()
    scene.bar(list(scene.people), room, verb="toggle")
    scene.caller(room)
    return scene.lever(room)


def timer(scene: Scene, job: Job, helper: str) -> None:
    """As ``lock``, but the door opens two turns later."""
    lock(scene, job, helper, delay=2)


def mirror(scene: Scene, job: Job, helper: str) -> None:
    """The lids of the containers only move with those of other containers, beside the helper."""
    room = scene.people[helper]["room"]
    lids = scene.furniture(room, "container", len(job.furniture))
    scene.people[helper]["verbs"] = ["open", "close", "tell", "wait"]
    scene.people[job.actor]["verbs"] = ["navigate", "pick", "place", "wait"]
    scene.mechanics += [
        {"kind": "state_mirroring", "between": [lid, own]} for lid, own in zip(lids, job.furniture, strict=True)
    ]


def inverse(scene: Scene, job: Job, _: str) -> None:
    """The lids work the wrong way round: somebody who can only close things opens them."""
    scene.people[job.actor]["verbs"] = ["navigate", "close", "pick", "place", "tell", "wait"]
    scene.mechanics += [{"kind": "inverse_state", "furniture": name} for name in job.furniture]


def hinge(scene: Scene, job: Job, _: str) -> None:
    """The furniture can be used only while a switch is on, which a keeper somewhere else has to turn on."""
    switch = _kept_switch(scene)
    scene.mechanics.append({"kind": "interlock", "furniture": list(job.furniture), "while": [f"powered({switch})"]})


def hours(scene: Scene, job: Job, _: str) -> None:
    """The furniture cannot be used in the first turns."""
    scene.mechanics.append({"kind": "time_window", "furniture": list(job.furniture), "turns": list(HOURS)})


@dataclass(frozen=True)
class Bar:
    """What stands in the way of a job.

    Attributes:
        build: puts it into a scene, for a job and somebody who helps.
        jobs: the kinds of jobs that it can bar.
        leaves_lids: whether others may open things; else they could do so for the actor.
    """

    build: Callable[[Scene, Job, str], None]
    jobs: tuple[str, ...] = ("in", "on", "switch", "code")
    leaves_lids: bool = True

    def fits(self, job: str) -> bool:
        """Whether it can bar a kind of job."""
        return job in self.jobs


JOBS = ("in", "on", "switch")  # that are not behind a locked door anyway
BARS: dict[str, Bar] = {
    "none": Bar(nothing),
    "lock": Bar(lock, JOBS),
    "timer": Bar(timer, JOBS),
    "mirror": Bar(mirror, ("in",), leaves_lids=False),
    "inverse": Bar(inverse, ("in",), leaves_lids=False),
    "hinge": Bar(hinge),
    "hours": Bar(hours),
}
