"""Audits imported problems: claimed depth, proved depth, and why the two differ (spec 1.17, 10.8).

The original counts how deep K is nested in the goal. That does not measure what a mind must do: a nested K over a fact
that anybody can bring about requires nothing, and a target that nobody was told about cannot be met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from otherminds.worlds.enacttom.pddl.convert import build_task
from otherminds.worlds.enacttom.pddl.read import PLACES, Problem, depth_of, facts_of
from otherminds.worlds.enacttom.pddl.s_expressions import Expression
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import Certificate, certify
from otherminds.worlds.enacttom.verify.solver import SECONDS


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
        reasons: for the difference.
        task: that was audited.
    """

    problem: str
    claimed: int
    grade: str
    proved: int | None
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
        problem: the problem.
        horizon: turns; see :func:`build_task`.
        seconds: time limit for each query to the solver.

    Raises:
        MissingExtra: without clingo.
        UserError: if the problem cannot be converted into a task.
    """
    task, claimed = build_task(problem, horizon), depth_of(problem.goal)
    proof = certify(task, seconds=seconds)
    reasons = (*_impossible(problem, task, proof), *_decorative(problem, task, claimed, proof))
    return Audit(problem.name, claimed, proof.grade, proof.depth, reasons, task)


def _impossible(problem: Problem, task: Task, proof: Certificate) -> Iterator[Reason]:
    """Reasons why the task cannot be solved."""
    untold = [f"which_{target}" for target, knowers in problem.hidden.items() if not knowers]
    if proof.grade in ("unsolvable", "signalling-at-best", "signalling-only") and untold:
        yield Reason("W3", f"nobody is told what {' and '.join(untold)} is, although the original planner knew it")
    if proof.grade != "unsolvable":
        return
    if facts := "; ".join(map(str, _clashing(problem))):
        yield Reason("W5", f"the goal can never hold: {facts} exclude each other, since a thing has one place")
    elif not untold:
        yield Reason("–", f"nobody can solve it in {task.horizon} turns, whatever they agree on beforehand")


def _decorative(problem: Problem, task: Task, claimed: int, proof: Certificate) -> Iterator[Reason]:
    """K that no act depends on."""
    if proof.grade != "solvable" or proof.depth is None:
        return
    if claimed < proof.depth:  # the opposite of decorative K; it has no number in spec 1.17
        nests = f"nests K {claimed} deep" if claimed else "has no K at all"
        yield Reason("–", f"the goal {nests}, but the acts that it needs require depth {proof.depth}")
    if claimed <= proof.depth:
        return
    if not task.secrets:
        yield Reason("W1", "nothing is hidden: everybody can act without knowing what anybody knows")
    for chain, fact in facts_of(problem.goal):
        if len(chain) > proof.depth:
            knowers = " of ".join(f"K({name})" for name in chain)
            is_hidden = bool(problem.hidden.keys() & set(fact.arguments))
            why = "no act depends on who knows it" if is_hidden else "it is not hidden from anybody"
            yield Reason("W1", f"line {fact.line}: {knowers} over {fact} is decorative: {why}")


def _clashing(problem: Problem) -> list[Expression]:
    """Required facts of the goal that put one thing in several places."""
    places: dict[str, dict[tuple[str, ...], Expression]] = {}
    for fact in _required(problem.goal):
        if fact.head in (*PLACES, "is_held_by"):
            places.setdefault(fact.arguments[0], {}).setdefault(fact.arguments, fact)
    return [fact for facts in places.values() if len(facts) > 1 for fact in facts.values()]


def _required(goal: Expression) -> list[Expression]:
    """The facts of a goal that must all hold."""
    if goal.head in ("and", "k"):
        return [fact for part in goal.parts[1:] if part.is_list for fact in _required(part)]
    return [] if goal.head in ("or", "not") else [goal]
