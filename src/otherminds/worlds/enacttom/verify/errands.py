"""Proofs in two parts: errands are what people see to beside the rest, without having to know any secret (spec 4.11).

The rest of the goal is the *core*. Its depth is that of the task if people who do not matter to the core can run the
errands meanwhile, which a policy without knowledge shows.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from otherminds.worlds.enacttom.formulas import conjuncts, shared, variables
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.types import Formula, Talk, Task
from otherminds.worlds.enacttom.verify.depth import (
    DEEPEST,
    Depth,
    check_policy,
    contrast_worlds,
    find_few,
    find_plain,
    required_depth,
    search_plain,
)
from otherminds.worlds.enacttom.verify.joint_policy import Policy
from otherminds.worlds.enacttom.verify.slice import Slice, slice_of, undressed
from otherminds.worlds.enacttom.verify.solver import SECONDS
from otherminds.worlds.enacttom.verify.stakes import simple_parts


class TwoParts(NamedTuple):
    """A task in two parts, each with a part of its goal."""

    core: Task
    errands: Task  # without messages
    runners: tuple[str, ...]  # people who run errands and have no part in what is said and known

    @property
    def alone(self) -> Slice:
        """The core while the runners wait."""
        return slice_of(ground(without_people(self.core, self.runners)))

    @property
    def beside(self) -> Slice:
        """The errands while everybody but the runners waits."""
        others = [name for name in self.core.names if name not in self.runners]
        return slice_of(ground(without_people(self.errands, others)))

    def merged(self, core: Policy, errands: Policy) -> Policy:
        """A policy for both parts, in which the runners run errands and everybody else sees to the core."""
        is_runner = [name in self.runners for name in self.core.names]
        return tuple(
            tuple(
                tuple(other if runs else mine for runs, mine, other in zip(is_runner, *acts, strict=True))
                for acts in zip(*turns, strict=True)
            )
            for turns in zip(core, errands, strict=True)
        )


@lru_cache(maxsize=256)
def two_parts(task: Task) -> TwoParts | None:
    """The two parts of a task; ``None`` if it has no errands, or nothing else."""
    task = undressed(task)
    house = ground(task)
    simple = {shared(house)[1][at] for at in simple_parts(house)}
    parts = conjuncts(house)
    kept: dict[bool, list[Formula]] = {True: [], False: []}
    for at, (formula, numbered) in enumerate(parts):
        others = {v for n, (_, many) in enumerate(parts) if n != at for part in many for v in variables(part)}
        is_apart = not any(variables(part) & others for part in numbered)
        kept[is_apart and simple.issuperset(numbered)].append(formula)
    if not kept[True] or not kept[False]:
        return None
    core = replace(task, goal={"and": kept[False]})
    # Nobody speaks about errands, and nobody wishes for anything else.
    errands = replace(task, goal={"and": kept[True]}, talk=Talk(), private={}, wishes=())
    told = {name for note in task.notes for name in (note.to, *note.knower)} | set(task.private)
    told |= {name for wish in task.wishes for name in wish.chain}
    told |= {name for speaker, heard in task.talk.channels.items() for name in (speaker, *heard)}
    part = slice_of(ground(errands)).ground
    wanted = {v for formula in conjuncts(part) for literal in formula[1] for v in variables(literal)}
    able = {deed.agent for deed in part.deeds if any(effect.variable in wanted for effect in deed.effects)}
    runners = tuple(name for at, name in enumerate(part.task.names) if at in able and name not in told)
    return TwoParts(core, errands, runners)


def without_people(task: Task, names: Collection[str]) -> Task:
    """The task in which some people do nothing and say nothing."""
    idle = tuple(replace(person, verbs=("wait",)) if person.name in names else person for person in task.people)
    budgets = {**task.talk.budgets, **dict.fromkeys(names, 0)}
    return replace(task, people=idle, talk=replace(task.talk, budgets=budgets))


def plain_depth(task: Task, *, known: int | None = None, seconds: float = SECONDS, seed: int = 0) -> Depth:
    """The depth that a task requires of minds without conventions; policy and contrast worlds are those of the task.

    Args:
        task: to prove.
        known: a depth whose contrast worlds are not needed again.
        seconds: time limit for each query to the solver.
        seed: of the solver.
    """
    parts = two_parts(task)
    if parts and parts.runners and (proved := _depth_of_parts(task, parts, known, seconds)):
        return proved
    part = slice_of(ground(task))
    proved = required_depth(part.ground, is_plain=True, known=known, seconds=seconds, seed=seed)
    return proved._replace(policy=part.lift(proved.policy), contrast=part.lift_worlds(proved.contrast))


def _depth_of_parts(task: Task, parts: TwoParts, known: int | None, seconds: float) -> Depth | None:
    """The depth of the core; ``None`` if nothing follows from it."""
    alone, beside, core = parts.alone, parts.beside, slice_of(ground(parts.core))
    errands = find_plain(beside.ground, 0, seconds)
    if not errands.is_solvable:
        return None
    for depth in range(DEEPEST + 1):
        result = find_plain(alone.ground, depth, seconds)
        if result.is_solvable is not False:
            break
    if not result.is_solvable:
        return None
    policy = parts.merged(alone.lift(result.policy), beside.lift(errands.policy))
    if check_policy(ground(task), policy):
        return None
    if not depth:
        return Depth(True, 0, 0, policy)
    below, refuted = search_plain(core.ground, depth - 1, seconds)  # runners may help with the core, too
    if refuted.is_solvable is not False:
        return None
    contrast = contrast_worlds(core.ground, below, seconds) if depth != known else ()
    return Depth(True, depth, depth, policy, core.lift_worlds(contrast))


def is_solvable(task: Task, depth: int, seconds: float = SECONDS) -> bool | None:
    """Whether minds of a depth without conventions solve a task; ``None`` if time ran out."""
    if is_refuted(task, depth, seconds):
        return False
    if parts := two_parts(task):
        by_parts = [(parts.alone.ground, depth), (parts.beside.ground, 0)]
        if parts.runners and all(find_plain(part, limit, seconds).is_solvable for part, limit in by_parts):
            return True
    return find_plain(slice_of(ground(task)).ground, depth, seconds).is_solvable


def is_refuted(task: Task, depth: int, seconds: float = SECONDS) -> bool:
    """Whether a few worlds show that minds of a depth without conventions do not solve a task, or a part of it."""
    parts = two_parts(task)
    tasks = (parts.core, parts.errands) if parts else (task,)  # a goal is no easier than any part of it
    return any(find_few(slice_of(ground(part)).ground, depth, seconds).is_solvable is False for part in tasks)
