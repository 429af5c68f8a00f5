"""The mechanisms that make a task deep: what is to be done, who knows, what is scarce and what bars the way.

A plot says who relies on whom. Depth 1: somebody must be told what to do. Depth 2: a person must know that another
knows, because it acts before it can see the result (``link``), or has fewer messages than there are people in need
(``share``, ``divide``). Depth 3: it must know that another knows that a third knows (``chain``, ``through``).
Spec 4.3 has the rules from which these depths follow; each task is proved on its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.enacttom.tasks.skeletons.bars import BARS
from otherminds.worlds.enacttom.tasks.skeletons.choices import Choices, worker
from otherminds.worlds.enacttom.tasks.skeletons.deep_plots import chain, lookout, through
from otherminds.worlds.enacttom.tasks.skeletons.scene import Job, Scene

_MESSAGES = 4  # the most, where it does not matter how many there are
_AS_RULE = 0.3  # the share of tasks that state limits on messages as a rule of the house
JOBS = ("in", "on", "switch")  # put a thing in or on the right piece, or switch the right one on
WITH_CODE = (*JOBS, "code")  # or open a door with the right switch, and take a thing there


@dataclass(frozen=True)
class Blueprint(Choices):
    """One mechanism: a plot and the choices that compose it."""

    @property
    def depth(self) -> int:
        """The depth that its tasks are meant to have. What is kept is what is proved."""
        return PLOTS[self.plot].depth

    def build(self, scene: Scene, values: int) -> None:
        """Put the plot into a house.

        Raises:
            Unfit: if the house has no place for it.
        """
        PLOTS[self.plot].build(scene, self, values)


def blueprints() -> list[Blueprint]:
    """All mechanisms."""
    return [
        Blueprint(name, source, job, bar)
        for name, plot in PLOTS.items()
        for source, job, bar in product(plot.sources, plot.jobs, BARS)
        if bar in plot.bars and BARS[bar].fits(job)
    ]


def blueprint(name: str) -> Blueprint:
    """A mechanism by its name.

    Raises:
        UserError: if there is none.
    """
    known = {plan.name: plan for plan in blueprints()}
    if name not in known:
        raise UserError(f"there is no skeleton {name!r} (see 'otherminds list skeletons'){nearest(name, known)}")
    return known[name]


# How a person learns the value of a secret that it can tell.


def _informed(scene: Scene, source: str, secret: str, room: str, others: list[str]) -> str:
    """A person who stays in a room and knows a secret, from a note or a board that others cannot reach."""
    teller = scene.caller(room)
    if source == "board":
        scene.sign(room, secret)
        scene.bar(others, room)
    else:
        scene.note(teller, secret)
    return teller


def _state(scene: Scene, limit: str) -> None:
    """Now and then state a limit on messages as a rule of the house."""
    if scene.draw.happens(_AS_RULE):
        scene.house_rules.append(limit)


# Depth 1.


def gated(scene: Scene, plan: Choices, values: int) -> None:
    """Who can read where something belongs cannot go there."""
    actor, job, office = worker(scene, plan, values)
    teller = _informed(scene, plan.source, job.secret, office, [actor])
    scene.line(teller, actor, messages=1 + scene.draw.below(_MESSAGES))
    _finish(scene, plan, job, teller)
    scene.wish(job.secret, teller, actor)


def relay(scene: Scene, plan: Choices, values: int) -> None:
    """Lines lead one way only, so that what is to be done is handed on by somebody who has no use for it."""
    actor, job, office = worker(scene, plan, values)
    teller = _informed(scene, plan.source, job.secret, office, [actor])
    between = [scene.caller(scene.room()) for _ in range(1 if plan.bar != "none" else 2)]
    for speaker, listener in zip([teller, *between], [*between, actor], strict=True):
        scene.line(speaker, listener)
    _state(scene, "channels")
    _finish(scene, plan, job, teller)
    scene.wish(job.secret, between[-1], actor)


# Depth 2.


def link(scene: Scene, plan: Choices, values: int) -> None:
    """A lever does harm unless somebody else does the right thing, which the person at the lever never sees.

    A letter says what the right thing is. If it is lost, everything must stay as it is: whoever supposes that the
    others know what to do does harm.
    """
    actor, job, office = worker(scene, plan, values)
    lever = scene.lever(office)
    puller = scene.caller(office)
    if plan.job == "switch":
        scene.bar([actor], office)
    letter = scene.secret(f"{actor}_letter", ["lost", "read"], "informational")
    read = {letter: "read"}
    scene.goal += [
        {"if": [f"powered({lever})", job.goal]},
        job.is_tidy,
        {"if": [f"is({letter}, read)", f"powered({lever})"]},
    ]
    scene.wish(job.secret, puller, actor, when=read)
    if plan.source == "told":
        scene.note(puller, job.secret, when=read)
        scene.line(puller, actor)
    elif plan.source == "passed":  # another tells the actor, and tells the person at the lever so
        teller = scene.caller(scene.room())
        scene.note(teller, job.secret, when=read)
        scene.line(teller, actor, puller, messages=2)
    else:
        scene.note(actor, job.secret, when=read)
        scene.kinds = ["knows"]
        if plan.source == "noted":
            teller = scene.caller(scene.room())
            scene.note(teller, job.secret, actor, when=read)
            scene.line(teller, puller)
        elif plan.source == "says":
            scene.line(actor, puller)
        else:
            witness, friend = scene.caller(scene.room()), scene.caller(scene.room())
            scene.note(witness, job.secret, actor, when=read)
            scene.line(witness, friend)
            scene.line(friend, puller)
    BARS[plan.bar].build(scene, job, puller)


def watch(scene: Scene, plan: Choices, values: int) -> None:
    """As ``link``, but the right thing is written on a board, and only who sees the actor there knows that it has read.

    The person at the lever comes to the board too (``seen``), or somebody beside the board reports who was there
    (``spotted``).
    """
    actor, job, office = worker(scene, plan, values + 1)
    lever, study = scene.lever(office), scene.room()
    scene.sign(study, job.secret)
    if plan.source == "seen":
        puller = scene.resident("switch")
        scene.bar([puller], job.room)
    else:
        puller, witness = scene.caller(office), scene.caller(study)
        scene.line(witness, puller, messages=1 + scene.draw.below(_MESSAGES))
        scene.kinds = ["knows"]
    scene.bar([actor], office, verb="toggle")
    scene.goal += [{"if": [f"powered({lever})", job.goal]}, f"powered({lever})"]
    scene.wish(job.secret, puller, actor)
    BARS[plan.bar].build(scene, job, puller)


def share(scene: Scene, plan: Choices, _: int) -> None:
    """Two people need to be told, there is one message, and one of them has been told already."""
    actors = [scene.resident(plan.job), scene.resident(plan.job)]
    jobs = [scene.job(actor, plan.job, 2, scene.room()) for actor in actors]
    office = scene.room()
    teller = scene.caller(office)
    for job in jobs:
        scene.note(teller, job.secret)
        scene.goal.append(job.goal)
        scene.wish(job.secret, teller, job.actor)
    reader = scene.secret("first_reader", actors, "informational")
    for job in jobs:
        scene.note(job.actor, job.secret, when={reader: job.actor})
    scene.line(teller, *actors)
    if plan.source == "noted":
        for job in jobs:
            scene.note(teller, job.secret, job.actor, when={reader: job.actor})
    elif plan.source == "says":
        for actor in actors:
            scene.line(actor, teller)
    else:
        witness = scene.caller(scene.room())
        for job in jobs:
            scene.note(witness, job.secret, job.actor, when={reader: job.actor})
        scene.line(witness, teller)
    _state(scene, "budgets")
    BARS[plan.bar].build(scene, jobs[0], teller)


def divide(scene: Scene, plan: Choices, values: int) -> None:
    """Two people need to be told, and the last message is sent by somebody who knows that the other has been told."""
    actors = [scene.resident(plan.job), scene.resident(plan.job)]
    jobs = [scene.job(actor, plan.job, number, scene.room()) for actor, number in zip(actors, (values, 2), strict=True)]
    scene.each_alone()
    office = scene.room()
    teller = _informed(scene, plan.source, jobs[0].secret, office, actors)
    scene.note(teller, jobs[1].secret)
    scene.line(teller, *actors, messages=2)
    for job in jobs:
        scene.goal.append(job.goal)
        scene.wish(job.secret, teller, job.actor)
    _state(scene, "budgets")
    BARS[plan.bar].build(scene, jobs[0], teller)


def visit(scene: Scene, plan: Choices, values: int) -> None:
    """One of two people can read on a board what to do, and the only message is for the other, once the first has come.

    The board hangs beside the person who can send it, or beside somebody who reports who was there.
    """
    actors = [scene.resident(plan.job), scene.resident(plan.job)]
    jobs = [scene.job(actor, plan.job, number, scene.room()) for actor, number in zip(actors, (values, 2), strict=True)]
    if plan.job == "switch":  # to carry two things takes too long
        scene.each_alone()
    study = scene.room()
    scene.sign(study, jobs[0].secret)
    if plan.source == "seen":
        teller = scene.caller(study)
    else:
        teller, witness = scene.caller(scene.room()), scene.caller(study)
        scene.line(witness, teller)
    scene.note(teller, jobs[1].secret)
    scene.line(teller, *actors)
    for job in jobs:
        scene.goal.append(job.goal)
        scene.wish(job.secret, teller, job.actor)
    _state(scene, "budgets")
    BARS[plan.bar].build(scene, jobs[0], teller)


def rounds(scene: Scene, plan: Choices, _: int) -> None:
    """Three people need to be told, and there is one message for each."""
    actors = [scene.resident(plan.job) for _ in range(3)]
    jobs = [scene.job(actor, plan.job, 2, scene.room()) for actor in actors]
    scene.each_alone()
    teller = _informed(scene, plan.source, jobs[0].secret, scene.room(), actors)
    scene.line(teller, *actors, messages=len(actors))
    for job in jobs:
        scene.goal.append(job.goal)
        scene.wish(job.secret, teller, job.actor)
    for job in jobs[1:]:
        scene.note(teller, job.secret)
    _state(scene, "budgets")
    BARS[plan.bar].build(scene, jobs[0], teller)


def _finish(scene: Scene, plan: Choices, job: Job, teller: str) -> None:
    scene.goal.append(job.goal)
    BARS[plan.bar].build(scene, job, teller)


@dataclass(frozen=True)
class Plot:
    """Who relies on whom.

    Attributes:
        depth: the depth that it is meant to have.
        build: puts it into a scene.
        sources: how people can come to know.
        bars: what may stand in the way.
        jobs: what the last person may have to do.
    """

    depth: int
    build: Callable[[Scene, Choices, int], None]
    sources: tuple[str, ...]
    bars: tuple[str, ...]
    jobs: tuple[str, ...] = JOBS


_EVERY = tuple(BARS)
PLOTS: dict[str, Plot] = {
    "gated": Plot(1, gated, ("note", "board"), _EVERY, WITH_CODE),
    "relay": Plot(1, relay, ("note", "board"), ("none", "lock", "hinge", "hours"), WITH_CODE),
    "link": Plot(2, link, ("told", "passed", "noted", "says", "witness"), ("none", "lock", "hinge", "hours")),
    "watch": Plot(2, watch, ("seen", "spotted"), ("none", "lock", "hinge", "hours")),
    "share": Plot(2, share, ("noted", "says", "witness"), ("none", "lock", "inverse")),
    "divide": Plot(2, divide, ("note", "board"), ("none", "mirror", "hinge")),
    "visit": Plot(2, visit, ("seen", "spotted"), ("none", "mirror", "hinge")),
    "rounds": Plot(2, rounds, ("note", "board"), ("none",), ("switch",)),
    "chain": Plot(3, chain, ("told", "noted", "says"), ("none", "lock", "inverse", "hinge", "hours")),
    "lookout": Plot(3, lookout, ("seen", "spotted"), ("none", "lock", "hinge", "hours"), ("in", "on")),
    "through": Plot(3, through, ("noted",), ("none", "inverse", "lock")),
}
