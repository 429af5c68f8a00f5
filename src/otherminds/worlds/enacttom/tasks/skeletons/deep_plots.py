"""Plots of depth 3: somebody must know that another knows that a third knows."""

from __future__ import annotations

from otherminds.worlds.enacttom.tasks.skeletons.bars import BARS
from otherminds.worlds.enacttom.tasks.skeletons.choices import Choices, worker
from otherminds.worlds.enacttom.tasks.skeletons.scene import Scene


def chain(scene: Scene, plan: Choices, values: int) -> None:
    """Two levers and a job: each is right only if the next one follows, and nobody sees it follow.

    As in ``link``, a letter says what the job is, and nobody may act if it is lost.
    """
    actor, job, far_room = worker(scene, plan, values)
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


def lookout(scene: Scene, plan: Choices, values: int) -> None:
    """As ``chain``, but the job is written on a board, and who sees the actor there says so to whom it concerns.

    The board hangs beside the second lever (``seen``), or beside a witness who tells the person there (``spotted``).
    """
    actor, job, far_room = worker(scene, plan, values + 1)
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


def through(scene: Scene, plan: Choices, values: int) -> None:
    """One message, two people at levers, and a third whose job one of them knows to be in good hands. Through whom?"""
    actor, job, office = worker(scene, plan, values)
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
