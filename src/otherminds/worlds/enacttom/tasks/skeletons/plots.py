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
from otherminds.worlds.enacttom.tasks.skeletons.scene import Job, Scene

_MESSAGES = 4  # the most, where it does not matter how many there are
_AS_RULE = 0.3  # the share of tasks that state limits on messages as a rule of the house
JOBS = ("in", "on", "switch")  # put a thing in or on the right piece, or switch the right one on
WITH_CODE = (*JOBS, "code")  # or open a door with the right switch, and take a thing there


@dataclass(frozen=True)
class Blueprint:
    """One mechanism: a plot and the choices that compose it.

    Attributes:
        plot: who relies on whom.
        source: how people come to know, as far as the plot leaves it open.
        job: what the last person has to do.
        bar: what stands in its way.
    """

    plot: str
    source: str
    job: str
    bar: str

    @property
    def name(self) -> str:
        """Such as ``link-told-in-lock``."""
        return "-".join((self.plot, self.source, self.job, self.bar))

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


def gated(scene: Scene, plan: Blueprint, values: int) -> None:
    """Who can read where something belongs cannot go there."""
    actor, job, office = _worker(scene, plan, values)
    teller = _informed(scene, plan.source, job.secret, office, [actor])
    scene.line(teller, actor, messages=1 + scene.draw.below(_MESSAGES))
    _finish(scene, plan, job, teller)
    scene.wish(job.secret, teller, actor)


def relay(scene: Scene, plan: Blueprint, values: int) -> None:
    """Lines lead one way only, so that what is to be done is handed on by somebody who has no use for it."""
    actor, job, office = _worker(scene, plan, values)
    teller = _informed(scene, plan.source, job.secret, office, [actor])
    between = [scene.caller(scene.room()) for _ in range(1 if plan.bar != "none" else 2)]
    for speaker, listener in zip([teller, *between], [*between, actor], strict=True):
        scene.line(speaker, listener)
    _state(scene, "channels")
    _finish(scene, plan, job, teller)
    scene.wish(job.secret, between[-1], actor)


# Depth 2.


def link(scene: Scene, plan: Blueprint, values: int) -> None:
    """A lever does harm unless somebody else does the right thing, which the person at the lever never sees.

    A letter says what the right thing is. If it is lost, everything must stay as it is: whoever supposes that the
    others know what to do does harm.
    """
    actor, job, office = _worker(scene, plan, values)
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


def watch(scene: Scene, plan: Blueprint, values: int) -> None:
    """As ``link``, but the right thing is written on a board, and only who sees the actor there knows that it has read.

    The person at the lever comes to the board too (``seen``), or somebody beside the board reports who was there
    (``spotted``).
    """
    actor, job, office = _worker(scene, plan, values + 1)
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


def share(scene: Scene, plan: Blueprint, _: int) -> None:
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


def divide(scene: Scene, plan: Blueprint, values: int) -> None:
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


def visit(scene: Scene, plan: Blueprint, values: int) -> None:
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


def rounds(scene: Scene, plan: Blueprint, _: int) -> None:
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


# Depth 3.


def chain(scene: Scene, plan: Blueprint, values: int) -> None:
    """Two levers and a job: each is right only if the next one follows, and nobody sees it follow.

    As in ``link``, a letter says what the job is, and nobody may act if it is lost.
    """
    actor, job, far_room = _worker(scene, plan, values)
    near_room = scene.room()
    far, near = scene.lever(far_room), scene.lever(near_room)
    middle, first = scene.caller(far_room), scene.caller(near_room)
    if plan.job == "switch":
        scene.bar([actor], far_room, near_room)
    known = ("read_silently", "read_aloud") if plan.source == "noted" else ("read",)
    letter = scene.secret(f"{actor}_letter", ["lost", *known], "informational")
    best = {letter: known[-1]}
    scene.goal += [
        {"if": [f"powered({near})", f"powered({far})"]},
        {"if": [f"powered({far})", job.goal]},
        job.is_tidy,
        {"if": [f"is({letter}, {known[-1]})", f"powered({near})"]},
    ]
    scene.wish(job.secret, first, middle, actor, when=best)
    if plan.source == "told":
        scene.note(middle, job.secret, when=best)
        scene.line(middle, actor, first, messages=2)
    else:
        for state in known:
            scene.note(actor, job.secret, when={letter: state})
        if plan.source == "noted":
            scene.note(middle, job.secret, actor, when=best)
        else:
            scene.line(actor, middle)
        scene.line(middle, first)
        scene.kinds = ["knows"]
    BARS[plan.bar].build(scene, job, middle)


def lookout(scene: Scene, plan: Blueprint, values: int) -> None:
    """As ``chain``, but the job is written on a board, and who sees the actor there says so to whom it concerns.

    The board hangs beside the second lever (``seen``), or beside a witness who tells the person there (``spotted``).
    """
    actor, job, far_room = _worker(scene, plan, values + 1)
    near_room = scene.room()
    far, near = scene.lever(far_room), scene.lever(near_room)
    middle, first = scene.caller(far_room), scene.caller(near_room)
    if plan.source == "seen":
        scene.sign(far_room, job.secret)
    else:
        study = scene.room()
        scene.sign(study, job.secret)
        scene.line(scene.caller(study), middle)
        scene.bar([actor], far_room, verb="toggle")
    scene.bar([actor], near_room, verb="toggle")
    scene.line(middle, first)
    scene.kinds = ["knows"]
    scene.goal += [
        {"if": [f"powered({near})", f"powered({far})"]},
        {"if": [f"powered({far})", job.goal]},
        f"powered({near})",
    ]
    scene.wish(job.secret, first, middle, actor)
    BARS[plan.bar].build(scene, job, middle)


def through(scene: Scene, plan: Blueprint, values: int) -> None:
    """One message, two people at levers, and a third whose job one of them knows to be in good hands. Through whom?"""
    actor, job, office = _worker(scene, plan, values)
    rooms = [scene.room(), scene.room()]
    names = [scene.furniture(room, "switch", 2) for room in rooms]
    teller = scene.caller(office)
    relays = [scene.caller(room) for room in rooms]
    side = scene.secret("safe_side", ["left", "right"])
    witness = scene.secret("witness", ["nobody", *relays], "informational")
    each = [{"only": {"of": dict(zip(("left", "right"), mine, strict=True)), "is": f"${side}"}} for mine in names]
    switches = [name for mine in names for name in mine]
    scene.goal += [
        *({"or": [right, {"none": mine}]} for right, mine in zip(each, names, strict=True)),
        {"if": [{"not": f"is({witness}, nobody)"}, {"not": {"none": switches}}]},
        {"if": [{"not": {"none": switches}}, job.goal]},
        job.is_tidy,
    ]
    scene.note(teller, side)
    for relay_ in relays:
        when = {witness: relay_}
        scene.note(actor, job.secret, when=when)
        scene.note(relay_, job.secret, actor, when=when)
        scene.note(teller, job.secret, actor, when=when)
    scene.note(teller, job.secret, relays[1], actor, when={witness: relays[1]})
    scene.line(teller, *relays)
    for relay_ in relays:
        scene.wish(side, teller, relay_, when={witness: relay_})
    scene.wish(job.secret, teller, relays[1], actor, when={witness: relays[1]})
    BARS[plan.bar].build(scene, job, teller)


def _worker(scene: Scene, plan: Blueprint, values: int) -> tuple[str, Job, str]:
    """A person who walks through the house, its job, and a room for whoever knows what to do."""
    actor = scene.resident(plan.job)
    job = scene.job(actor, plan.job, values, scene.room())
    return actor, job, scene.room()


def _finish(scene: Scene, plan: Blueprint, job: Job, teller: str) -> None:
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
    build: Callable[[Scene, Blueprint, int], None]
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
