"""Statistics of sets of tasks: how deep, large and varied they are, and where they come from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from json import dumps
from statistics import median
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.tasks.canonical import mechanism
from otherminds.worlds.enacttom.text.task_text import public_text
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import Certificate, stored_certificate
from otherminds.worlds.enacttom.verify.slice import slice_of

Facts = dict[str, Any]
NUMBERS = (  # facts with a median and a range
    "rooms", "doors", "furniture", "things", "people", "walkers", "secrets", "worlds", "horizon", "fewest_turns",
    "messages", "goal_things", "words",
)  # fmt: skip
CLAIMS = ("tight", "mixed", "moves", "carries", "moves_and_carries", "searches")  # facts that are true or false
COUNTS = ("depth", "skeleton", "mechanics", "budgets", "people", "goal_things", "operator", "generation", "additions")


def facts(task: Task) -> Facts:
    """What statistics say about a task: plain data.

    ``moves`` and ``carries`` say what the certified policy does in some world; ``searches``, whether the place of a
    thing is a secret and may be a container. ``mechanism`` is that of what can matter in the task; it stands for the
    skeleton where a task does not name one. ``house`` is that of the rooms and the doors between them.

    Raises:
        UserError: if the task has no certificate, or was changed since.
    """
    proof = stored_certificate(task)
    if proof is None:
        raise UserError(f"task {task.id!r} has no valid certificate; prove it with 'otherminds verify --write'")
    lineage: Mapping[str, Any] = task.provenance.get("lineage", {})
    verbs = _verbs(proof)
    moves, carries = "navigate" in verbs, "place" in verbs
    core = mechanism(slice_of(ground(task)).ground.task)
    goal = set(re.findall(r"\w+", dumps([task.goal, *task.private.values()])))
    return {
        "task": task.id,
        "depth": proof.depth,
        "depth_any": proof.depth_any,
        "tight": proof.is_tight,
        "mixed": bool(task.private),
        "skeleton": task.provenance.get("skeleton", core),
        "mechanism": core,
        "house": _plan(task),
        "rooms": len(task.rooms),
        "doors": len(task.doors),
        "furniture": len(task.furniture),
        "things": len(task.things),
        "people": len(task.people),
        "walkers": sum("navigate" in person.verbs for person in task.people),
        "secrets": len(task.secrets),
        "worlds": len(task.worlds),
        "horizon": task.horizon,
        "fewest_turns": proof.fewest_turns,
        "messages": sum(task.talk.budgets.get(name, 0) for name in task.speakers),
        "budgets": sorted({task.talk.budgets.get(name, 0) for name in task.speakers}),
        "mechanics": sorted({mechanic.kind for mechanic in task.mechanics}),
        "goal_things": sum(thing.name in goal for thing in task.things),
        "moves": moves,
        "carries": carries,
        "moves_and_carries": moves and carries,
        "searches": any(place.startswith("in ") for thing in task.things for place in thing.places),
        "words": len(public_text(task).split()),
        "operator": lineage.get("operator"),
        "generation": lineage.get("generation"),
        "additions": list(task.provenance.get("additions", ())),
    }


def _verbs(proof: Certificate) -> set[str]:
    """The verbs of all acts in a certified policy."""
    acts: Iterable[Act] = (act for turns in proof.policy for joint in turns for act in joint)
    return {"tell" if isinstance(act, Message) else act.partition("(")[0] for act in acts}


def _plan(task: Task) -> str:
    """A hash of the rooms of a house and of the doors between them."""
    doors = sorted(sorted(door.rooms) for door in task.doors)
    return sha256(repr((sorted(room.name for room in task.rooms), doors)).encode()).hexdigest()[:16]


def statistics(tasks: Sequence[Facts]) -> dict[str, Any]:
    """The distributions over some tasks, from their facts, as plain data."""
    counts = {name: Counter(str(value) for task in tasks for value in _listed(task[name])) for name in COUNTS}
    return {
        "tasks": len(tasks),
        "skeletons": len({task["skeleton"] for task in tasks}),
        "mechanisms": len({task["mechanism"] for task in tasks}),
        "houses": len({task["house"] for task in tasks}),
        **{name: sum(bool(task[name]) for task in tasks) for name in CLAIMS},
        "tight_by_depth": dict(sorted(Counter(str(task["depth"]) for task in tasks if task["tight"]).items())),
        "numbers": {name: _range([task[name] for task in tasks]) for name in NUMBERS} if tasks else {},
        "counts": {name: dict(sorted(count.items(), key=_order)) for name, count in counts.items()},
    }


def _listed(value: Any) -> Sequence[Any]:
    """The values of a fact, which may be one or a list."""
    return value if isinstance(value, list) else [value] if value is not None else []


def _order(count: tuple[str, int]) -> tuple[int, str]:
    """Numbers by size, names by the alphabet."""
    return (int(count[0]), "") if count[0].isdecimal() else (0, count[0])


def _range(values: Sequence[int]) -> dict[str, float]:
    return {"median": float(median(values)), "low": min(values), "high": max(values)}
