"""Scenes of all plots in sampled houses, as tasks; without a proof, which their texts do not need."""

from __future__ import annotations

from functools import lru_cache

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.tasks.skeletons.furnish import staged
from otherminds.worlds.enacttom.tasks.skeletons.plots import blueprints
from otherminds.worlds.enacttom.types import Task

HORIZON = 12
_STEP = 37  # through the list of mechanisms, so that few scenes have many plots


@lru_cache(maxsize=2)
def furnished(number: int) -> tuple[Task, ...]:
    """Tasks of different mechanisms, each in a house of its own."""
    plans, tasks, seed = blueprints(), list[Task](), 0
    while len(tasks) < number:
        plan, draw = plans[seed * _STEP % len(plans)], Draw(seed, "text/test")
        seed += 1
        try:
            content = staged(plan, draw, 3).content(plan.name, HORIZON)
            tasks.append(parse_task({"id": plan.name, **content}))
        except UserError:  # the house has no place for it
            continue
    return tuple(tasks)
