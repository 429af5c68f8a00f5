"""What an imported problem claims of its depth, what can be proved of it, and why the two differ (spec 1.17, 10.8).

The original counts how deep K is nested in the goal. That is no measure of what a mind must do: a nested K over a fact
that anybody can bring about asks for nothing, and a target that nobody was told of cannot be met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from otherminds.worlds.enacttom.build import ground, rooms_in_reach
from otherminds.worlds.enacttom.formulas import holds, is_true, shared, variables
from otherminds.worlds.enacttom.pddl.build import build_task
from otherminds.worlds.enacttom.pddl.forms import Form
from otherminds.worlds.enacttom.pddl.read import Problem, depth_of, facts_of
from otherminds.worlds.enacttom.pddl.words import MIRRORS
from otherminds.worlds.enacttom.types import Door, Task
from otherminds.worlds.enacttom.verify.certify import Certificate, certify
from otherminds.worlds.enacttom.verify.depth import calibrate
from otherminds.worlds.enacttom.verify.policy import SECONDS


@dataclass(frozen=True)
class Reason:
    """Why claim and proof differ; ``weakness`` is the original's, by its number in spec 1.17."""

    weakness: str
    text: str


@dataclass(frozen=True)
class Audit:
    """Of one problem.

    Attributes:
        problem: its name.
        claimed: how deep K is nested in its goal.
        grade: that was proved, see :class:`Certificate`.
        proved: the depth that it takes without conventions; ``None`` where it cannot be solved so.
        proved_any: the depth that any team needs.
        reasons: for the difference, and whatever else the original would have missed.
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
        """Whether what is claimed is what was proved."""
        return self.grade == "solvable" and self.claimed == self.proved

    def to_json(self) -> dict[str, Any]:
        found = asdict(replace(self, task=None))  # type: ignore[arg-type]
        found.pop("task")
        return {**found, "is_honest": self.is_honest, "horizon": self.task.horizon, "worlds": len(self.task.worlds)}


def audit(problem: Problem, *, horizon: int | None = None, seconds: float = SECONDS) -> Audit:
    """Hold a problem to what can be proved of it.

    Args:
        problem: as it was read.
        horizon: turns; see :func:`build_task`.
        seconds: for each question to the solver.

    Raises:
        MissingExtra: without clingo.
        UserError: if it cannot be made a task.
    """
    task, claimed = build_task(problem, horizon), depth_of(problem.goal)
    is_sound = _can_ever_hold(task)
    found = certify(task, seconds=seconds) if is_sound else Certificate("unsolvable")
    reasons = (*_impossible(problem, task, found), *_decorative(problem, task, claimed, found), *_others(problem, task))
    return Audit(problem.name, claimed, found.grade, found.depth, found.depth_any, reasons, task)


def _impossible(problem: Problem, task: Task, found: Certificate) -> Iterator[Reason]:
    """Why nobody can do it."""
    untold = [one.name for one in task.secrets if not _has_source(task, one.name)]
    if found.grade in ("unsolvable", "signalling-only") and untold:
        yield Reason("W3", f"nobody is told what {' and '.join(untold)} is, and nothing shows it; the planner knew")
    if found.grade != "unsolvable":
        return
    if not _can_ever_hold(task):
        facts = "; ".join(str(fact) for fact in _clashing(problem)) or "its parts"
        yield Reason("W5", f"the goal can never hold: {facts} exclude each other, for a thing has one place")
        return
    house, open_house = ground(task), ground(_without_walls(task))
    for world in task.worlds:
        if calibrate(house, world) is None and calibrate(open_house, world) is not None:
            rooms = sorted({room for name in task.names for room in task.barred(name)})
            yield Reason("W8", f"every way leads through a room that somebody is barred from ({', '.join(rooms)})")
            return
    if not untold:
        yield Reason("–", f"no team can do it in {task.horizon} turns, whatever it agrees on")


def _decorative(problem: Problem, task: Task, claimed: int, found: Certificate) -> Iterator[Reason]:
    """K that nobody's act depends on."""
    if found.grade != "solvable" or found.depth is None:
        return
    if claimed < found.depth:  # the contrary of decorative K: no weakness that has a number
        nests = f"nests K {claimed} deep" if claimed else "has no K at all"
        yield Reason("–", f"the goal {nests}, and yet what people must do for it takes depth {found.depth}")
    if claimed <= found.depth:
        return
    if not task.secrets:
        yield Reason("W1", "nothing is hidden: everybody can act without knowing what anybody knows")
    hidden = {one.value for one in problem.hidden}
    for chain, fact in facts_of(problem.goal):
        if len(chain) > found.depth:
            who = " of ".join(f"K({name})" for name in chain)
            why = "no act depends on who knows it" if hidden & set(fact.arguments) else "it is not hidden from anybody"
            yield Reason("W1", f"line {fact.line}: {who} over {fact} is decorative: {why}")


def _others(problem: Problem, task: Task) -> Iterator[Reason]:
    """What else the original would have got wrong here."""
    for chain, fact in facts_of(problem.goal):
        for name in chain[-1:]:
            if _room_of(problem, task, fact) not in (None, *rooms_in_reach(task, task.people[task.names.index(name)])):
                yield Reason("W4", f"line {fact.line}: {name} can never be where {fact} could be seen")
    if problem.said(*MIRRORS):
        yield Reason("W7", "mirrors work both ways here; in the original's planner one way, and both when it runs")
    if problem.said("is_inverse"):
        yield Reason("W6", "what is inverse opens when it is closed; the original's planner has it open and closed")
    for who, limit in problem.limits.items():
        listeners = {name for chain, _ in facts_of(problem.goal) for name in chain if name != who}
        if any(who in one.told for one in problem.hidden) and 0 < limit < len(listeners):
            yield Reason("W9", f"{who} has {limit} to say and {len(listeners)} are to know; a broadcast costs 1 at run "
                         "time and one each in the original's planner. Here a message has one listener")  # fmt: skip
    house = ground(task)
    for who, wish in task.private.items():
        if all(holds(house, wish, house.starts[world]) for world in task.worlds):
            yield Reason("W16", f"the private goal of {who} holds from the start")


def _has_source(task: Task, secret: str) -> bool:
    told = any(note.about == secret for note in task.notes)
    return told or any(one.shows == secret for one in task.furniture)


def _can_ever_hold(task: Task) -> bool:
    """Whether the goal holds in any state at all, reachable or not, in every world.

    Each conjunction is decided one variable at a time: what two parts ask of one variable must agree.
    """
    house = ground(task)
    return all(_agrees(shared(house), dict(enumerate(house.starts[world])), house) for world in task.worlds)


def _agrees(goal: Any, start: dict[int, int], house: Any) -> bool:
    asked: dict[int, set[int]] = {}
    for part in goal[1]:
        free = [v for v in variables(part) if not house.variables[v].startswith("secret ")]
        if len(free) == 1:  # a part about one variable: the values that it allows
            allowed = {x for x in range(len(house.domains[free[0]])) if is_true(part, {**start, free[0]: x})}
            asked[free[0]] = asked.get(free[0], allowed) & allowed
    return all(asked.values())


def _clashing(problem: Problem) -> list[Form]:
    """Facts of the goal that put one thing in several places."""
    places: dict[str, list[Form]] = {}
    for _, fact in facts_of(problem.goal):
        if fact.head in ("is_on_top", "is_inside", "is_held_by"):
            mine = places.setdefault(fact.arguments[0], [])
            if all(fact.arguments != other.arguments for other in mine):
                mine.append(fact)
    return [fact for mine in places.values() if len(mine) > 1 for fact in mine]


def _without_walls(task: Task) -> Task:
    """The same house with a door between any two rooms, as the original's planner has it."""
    names = [room.name for room in task.rooms]
    doors = [Door(f"{a}~{b}", (a, b)) for at, a in enumerate(names) for b in names[:at]]
    return replace(task, doors=(*task.doors, *doors))


def _room_of(problem: Problem, task: Task, fact: Form) -> str | None:
    """Where a fact can be seen, if that is one room."""
    rooms = {one.name: one.room for one in task.furniture}
    found = {rooms[name] for name in fact.arguments if name in rooms}
    found |= {name for name in fact.arguments if name in problem.of("room")}
    return next(iter(found)) if len(found) == 1 else None
