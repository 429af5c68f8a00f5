"""The fewest turns that a task needs in a world with full information (spec 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.types import Talk, World
from otherminds.worlds.enacttom.verify.joint_policy import act_of
from otherminds.worlds.enacttom.verify.slice import slice_of
from otherminds.worlds.enacttom.verify.solver import SECONDS, OutOfTime, grounded, rules, solve
from otherminds.worlds.enacttom.verify.task_facts import facts

Plan = tuple[tuple[Act, ...], ...]  # [turn][person]
# The goal is to hold after T turns.
_BY = """
{ by(T) } :- moment(T).
:- by(T), goal(F), world(W), not true(W,T,F).
:- by(T), act(_,_,U,A), A != wait, U >= T.
"""
_FEW_ACTS = "#minimize { 1,I,T : act(I,_,T,A), A != wait }."  # nobody does what is not needed


def calibrate(ground: Ground, world: World, seconds: float = SECONDS) -> Plan | None:
    """The shortest plan of a whole house in a world with full information; ``None`` if there is none in time."""
    part = slice_of(ground)
    plan = shortest_plan(part.ground, part.world(world), seconds)
    return None if plan is None else part.lift_turns(plan)


@lru_cache(maxsize=4096)
def shortest_plan(ground: Ground, world: World, seconds: float = SECONDS) -> Plan | None:
    """The shortest plan in a world for people who know everything; ``None`` if there is none within the horizon.

    Raises:
        OutOfTime: if there is no answer within the time limit.
    """
    found = _first(ground, world, seconds, _FEW_ACTS)
    if found is None:
        return None
    turns, symbols = found
    acts: dict[tuple[int, int], Act] = {}
    for symbol in symbols:
        person, _, turn, act = symbol.arguments
        acts[turn.number, person.number] = act_of(ground, person.number, world, act)
    people = range(len(ground.task.people))
    return tuple(tuple(acts.get((turn, i), WAIT) for i in people) for turn in range(turns))


@lru_cache(maxsize=4096)
def fewest_turns(ground: Ground, world: World, seconds: float = SECONDS) -> int | None:
    """The length of the shortest plan, which is found faster than the plan; ``None`` if there is none.

    Raises:
        OutOfTime: if there is no answer within the time limit.
    """
    found = _first(ground, world, seconds)
    return None if found is None else found[0]


def _first(ground: Ground, world: World, seconds: float, *wanted: str) -> tuple[int, Sequence[Any]] | None:
    """The first turn by which the goal can hold, and the acts of a plan for that; ``None`` if there is none."""
    task = ground.task
    silent = replace(ground, task=replace(task, talk=Talk()))
    program = [rules("dynamics"), *facts(silent, [world]), _BY, *wanted]
    control = grounded(program, {"horizon": task.horizon}, seconds)
    if control is not None:
        moments = {atom.symbol.arguments[0].number: atom for atom in control.symbolic_atoms.by_signature("by", 1)}
        for turns in range(task.horizon + 1):
            answer = solve(control, [moments[turns].symbol], seconds)
            if answer.is_satisfiable:
                return turns, answer.symbols
            if answer.is_satisfiable is None:
                break
        else:
            return None
    raise OutOfTime(f"task {task.id!r}: no plan with full information was found within {seconds:g} seconds")
