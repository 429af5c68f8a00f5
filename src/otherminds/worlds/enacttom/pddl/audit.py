"""Audits imported problems: claimed depth, proved depth, and why the two differ (spec 1.17, 10.8).

The original counts how deep K is nested in the goal. That does not measure what a mind must do: a nested K over a fact
that anybody can bring about requires nothing, and a target that nobody was told about cannot be met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from otherminds.worlds.enacttom.build import ground, rooms_in_reach
from otherminds.worlds.enacttom.formulas import holds, is_true, shared, variables
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.pddl.build import build_task
from otherminds.worlds.enacttom.pddl.forms import Form
from otherminds.worlds.enacttom.pddl.read import MIRRORS, PLACES, Problem, depth_of, facts_of
from otherminds.worlds.enacttom.types import Door, Task
from otherminds.worlds.enacttom.verify.certify import Certificate, certify
from otherminds.worlds.enacttom.verify.depth import calibrate
from otherminds.worlds.enacttom.verify.policy import SECONDS


class Reason(NamedTuple):
    """Why claim and proof differ; ``weakness`` is the number of the original's weakness in spec 1.17."""

    weakness: str
    text: str


@dataclass(frozen=True)
class Audit:
    """The audit of one problem.

    Attributes:
        problem: its name.
        claimed: nesting depth of K in its goal.
        grade: see :class:`Certificate`.
        proved: depth required without conventions; ``None`` if it cannot be solved so.
        proved_any: depth required of any minds, conventions included.
        reasons: for the difference, and other faults that the original would have missed.
        task: that was audited.
    """

    problem: str
    claimed: int
    grade: str
    proved: int | None
    proved_any: int | None
    reasons: tuple[Reason, ...]
    task: Task

    @property
    def is_honest(self) -> bool:
        """Whether the claimed depth was proved."""
        return self.grade == "solvable" and self.claimed == self.proved

    def to_json(self) -> dict[str, Any]:
        content = {name: value for name, value in vars(self).items() if name != "task"}
        reasons = [reason._asdict() for reason in self.reasons]
        extent = {"horizon": self.task.horizon, "worlds": len(self.task.worlds)}
        return {**content, "reasons": reasons, "is_honest": self.is_honest, **extent}


def audit(problem: Problem, *, horizon: int | None = None, seconds: float = SECONDS) -> Audit:
    """Compare the depth that a problem claims with what can be proved.

    Args:
        problem: to audit.
        horizon: turns; see :func:`build_task`.
        seconds: time limit for each query to the solver.

    Raises:
        MissingExtra: without clingo.
        UserError: if the problem cannot be converted into a task.
    """
    task, claimed = build_task(problem, horizon), depth_of(problem.goal)
    proof = certify(task, seconds=seconds) if _can_ever_hold(task) else Certificate("unsolvable")
    reasons = (*_impossible(problem, task, proof), *_decorative(problem, task, claimed, proof), *_others(problem, task))
    return Audit(problem.name, claimed, proof.grade, proof.depth, proof.depth_any, reasons, task)


def _impossible(problem: Problem, task: Task, proof: Certificate) -> Iterator[Reason]:
    """Why nobody can solve it."""
    sources = {*(note.about for note in task.notes), *(furniture.shows for furniture in task.furniture)}
    untold = [secret.name for secret in task.secrets if secret.name not in sources]
    if proof.grade in ("unsolvable", "signalling-only") and untold:
        yield Reason("W3", f"nobody is told what {' and '.join(untold)} is, and nothing shows it; the planner knew")
    if proof.grade != "unsolvable":
        return
    if not _can_ever_hold(task):
        facts = "; ".join(map(str, _clashing(problem))) or "its parts"
        yield Reason("W5", f"the goal can never hold: {facts} exclude each other, since a thing has one place")
        return
    house, open_house = ground(task), ground(_without_walls(task))
    for world in task.worlds:
        if calibrate(house, world) is None and calibrate(open_house, world) is not None:
            rooms = sorted({room for name in task.names for room in task.barred(name)})
            yield Reason("W8", f"every way leads through a room that somebody is barred from ({', '.join(rooms)})")
            return
    if not untold:
        yield Reason("–", f"nobody can solve it in {task.horizon} turns, whatever they agree on beforehand")


def _decorative(problem: Problem, task: Task, claimed: int, proof: Certificate) -> Iterator[Reason]:
    """K that no act depends on."""
    if proof.grade != "solvable" or proof.depth is None:
        return
    if claimed < proof.depth:  # the contrary of decorative K, which is not among the numbered weaknesses
        nests = f"nests K {claimed} deep" if claimed else "has no K at all"
        yield Reason("–", f"the goal {nests}, but the acts that it needs require depth {proof.depth}")
    if claimed <= proof.depth:
        return
    if not task.secrets:
        yield Reason("W1", "nothing is hidden: everybody can act without knowing what anybody knows")
    hidden = {secret.value for secret in problem.hidden}
    for chain, fact in facts_of(problem.goal):
        if len(chain) > proof.depth:
            knowers = " of ".join(f"K({name})" for name in chain)
            why = "no act depends on who knows it" if hidden & set(fact.arguments) else "it is not hidden from anybody"
            yield Reason("W1", f"line {fact.line}: {knowers} over {fact} is decorative: {why}")


def _others(problem: Problem, task: Task) -> Iterator[Reason]:
    """Other faults that the original would have missed."""
    goals = facts_of(problem.goal)
    for chain, fact in goals:
        for name in chain[-1:]:
            rooms = _rooms_of(problem, task, fact)
            if len(rooms) == 1 and not rooms & set(rooms_in_reach(task, task.people[task.names.index(name)])):
                yield Reason("W4", f"line {fact.line}: {name} can never be where {fact} could be seen")
    if problem.initial(*MIRRORS):
        yield Reason("W7", "mirrors work both ways here; the original plans with one direction and runs both")
    if problem.initial("is_inverse"):
        yield Reason("W6", "inverse furniture opens when it is closed; in the original's plans it is open and closed")
    for agent, limit in problem.limits.items():
        listeners = {name for chain, _ in goals for name in chain if name != agent}
        if any(agent in hidden.told for hidden in problem.hidden) and 0 < limit < len(listeners):
            costs = "a broadcast costs 1 at run time and one each in the original's planner"
            yield Reason("W9", f"{agent} has {limit} messages, and {len(listeners)} are to know; {costs}")
    house = ground(task)
    for agent, wish in task.private.items():
        if all(holds(house, wish, start) for start in house.starts.values()):
            yield Reason("W16", f"the private goal of {agent} holds from the start")


def _can_ever_hold(task: Task) -> bool:
    """Whether the goal can hold in every world, in any state at all, reachable or not.

    Each variable is decided on its own: all conjuncts about it alone must allow a common value.
    """
    house = ground(task)
    return all(_agrees(house, dict(enumerate(house.starts[world]))) for world in task.worlds)


def _agrees(house: Ground, start: dict[int, int]) -> bool:
    allowed: dict[int, set[int]] = {}
    for part in shared(house)[1]:
        free = [v for v in variables(part) if not house.variables[v].startswith("secret ")]
        if len(free) == 1:
            [v] = free
            values = {x for x in range(len(house.domains[v])) if is_true(part, {**start, v: x})}
            allowed[v] = allowed.get(v, values) & values
    return all(allowed.values())


def _clashing(problem: Problem) -> list[Form]:
    """Facts of the goal that put one thing in several places."""
    places: dict[str, dict[tuple[str, ...], Form]] = {}
    for _, fact in facts_of(problem.goal):
        if fact.head in (*PLACES, "is_held_by"):
            places.setdefault(fact.arguments[0], {}).setdefault(fact.arguments, fact)
    return [fact for facts in places.values() if len(facts) > 1 for fact in facts.values()]


def _without_walls(task: Task) -> Task:
    """The same house with a door between any two rooms, as in the original's planner."""
    names = [room.name for room in task.rooms]
    doors = [Door(f"{a}~{b}", (a, b)) for at, a in enumerate(names) for b in names[:at]]
    return replace(task, doors=(*task.doors, *doors))


def _rooms_of(problem: Problem, task: Task, fact: Form) -> set[str]:
    """The rooms in which a fact can be seen, as far as it names them or furniture in them."""
    rooms = {furniture.name: furniture.room for furniture in task.furniture} | {r: r for r in problem.of("room")}
    return {rooms[name] for name in fact.arguments if name in rooms}
