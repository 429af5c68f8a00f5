"""The tools that an author has for one task. They need no model, and say what is wrong in words that it can act on.

The goal comes first: until it can be read, every other tool refuses. A task is judged only as it was verified.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from otherminds.core.errors import UserError
from otherminds.core.yaml_lines import read_lines
from otherminds.worlds.enacttom.author.pool import Pool
from otherminds.worlds.enacttom.formulas import written_literals
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.leaks import leaks
from otherminds.worlds.enacttom.tasks.read import parse_text
from otherminds.worlds.enacttom.types import Formula, Task
from otherminds.worlds.enacttom.verify.certify import REASONS, Certificate, certificate_content, certify
from otherminds.worlds.enacttom.verify.judge import SLACK, Judge, Verdict
from otherminds.worlds.enacttom.verify.plans import shortest_plan
from otherminds.worlds.enacttom.verify.slice import slice_of

WRITING = ("write_goal", "write_task")  # the tools that take a text
TOOLS = (*WRITING, "check", "calibrate", "verify", "judge")
_FENCE = re.compile(r"^\s*```\w*\n(.*?)\n?```\s*$", re.DOTALL)
_GIVEN = ("certificate", "provenance")  # fields that the tools write


class Workbench:
    """One task in the making.

    Args:
        pool: Pool that a task must not repeat.
        seconds: Time limit for each query to the solver.

    Attributes:
        calls: Number of calls of each tool so far.
        faults: What each refused or failed call found, the last one last.
        verdicts: Verdicts of the judge on the task as it is; empty if it was changed since.
    """

    def __init__(self, pool: Pool, seconds: float) -> None:
        self._pool, self._seconds = pool, seconds
        self._goal: Formula = None
        self._text = ""
        self._proved: Certificate | None = None
        self.calls: Counter[str] = Counter()
        self.faults: list[str] = []
        self.verdicts: list[Verdict] = []

    @property
    def passes(self) -> bool:
        """Whether the task as it is meets all criteria of the formal judge."""
        return bool(self.verdicts) and all(verdict.is_met for verdict in self.verdicts)

    def use(self, tool: str, content: str = "") -> str:
        """Use a tool and return what it says.

        Raises:
            UserError: if it refuses, or the task is not as it must be; the message says what to do.
        """
        self.calls[tool] += 1
        known: dict[str, Callable[[], str]] = {
            "write_goal": lambda: self._write_goal(content),
            "write_task": lambda: self._write_task(content),
            "check": self._check,
            "calibrate": self._calibrate,
            "verify": self._verify,
            "judge": self._judge,
        }
        try:
            if tool != "write_goal" and self._goal is None:
                raise UserError(f"{tool} is refused: there is no goal yet; write it first with write_goal")
            return known[tool]()
        except UserError as error:
            self.faults.append(f"{tool}: {error}")
            raise

    def task(self) -> Task:
        """The task as it is.

        Raises:
            UserError: if it cannot be read; the message names the field and the line.
        """
        if not self._text:
            raise UserError("there is no task yet; write it with write_task")
        return parse_text(self._text, "task", added={"goal": self._goal, "id": "draft"})

    def proved(self) -> Task:
        """The task as it was verified, with its certificate.

        Raises:
            UserError: if it was changed since.
        """
        if self._proved is None:
            raise UserError("the current task has not been verified; use verify first")
        return replace(self.task(), certificate=certificate_content(self._proved))

    def _write_goal(self, text: str) -> str:
        goal = read_lines(_bare(text), "goal", "task").value()
        if isinstance(goal, dict) and list(goal) == ["goal"]:
            goal = goal["goal"]
        try:
            literals = written_literals(goal)
        except UserError as error:
            torn = "; inside [ ] put every literal into quotes" if "[" in text and '"' not in text else ""
            raise UserError(f"the goal cannot be read: {error}{torn}") from error
        if not literals:
            raise UserError("the goal has no literal; expected one such as on(cup, $target)")
        self._goal = goal
        self._forget()
        return f"The goal can be read: {', '.join(literals)}. Now write the rest with write_task."

    def _write_task(self, text: str) -> str:
        bare = _bare(text)
        content = read_lines(bare, "task", "task").value()
        if not isinstance(content, dict):
            raise UserError(f"the task is {type(content).__name__}; expected fields such as title, house and people")
        for field in _GIVEN:
            if field in content:
                raise UserError(f"the task has the field {field!r}, which is added for you; leave it out")
        if "goal" in content and content["goal"] != self._goal:
            raise UserError(
                "the task has a different goal from the one you wrote; leave out the goal, or change it with write_goal"
            )
        self._text = bare
        self._forget()
        return f"The task has {len(bare.splitlines())} lines. Now use check."

    def _check(self) -> str:
        task = self.task()
        if leak := leaks(ground(task)):
            raise UserError(f"the texts give too much away: {leak}")
        if copied := self._pool.copy_of(task):
            raise UserError(
                f"this is {copied} with other names or another number of copies; change who knows what, who must act "
                f"on it, or what stands in the way"
            )
        people, worlds = len(task.people), len(task.worlds)
        return f"The task can be read: {people} people, {worlds} worlds, {task.horizon} turns. Now use calibrate."

    def _calibrate(self) -> str:
        task = self.task()
        part = slice_of(ground(task))
        turns: dict[str, int] = {}
        for world in part.ground.task.worlds:
            plan = shortest_plan(part.ground, world, self._seconds)
            case = task.describe(part.lift_worlds([world])[0]) or "the only world"
            if plan is None:
                raise UserError(
                    f"the task is impossible where {case}: even people who know every secret cannot reach the goal in "
                    f"{task.horizon} turns; give more turns, or clear the way"
                )
            turns[case] = len(plan)
        fewest = max(turns.values())
        if fewest == 0:
            raise UserError(f"the task is trivial: {REASONS['trivial']}; change the goal or where things are at first")
        slack = "" if task.horizon >= SLACK * fewest else f" {task.horizon} turns may be too few: give {SLACK:g} times."
        return f"With every secret public, {fewest} turns are enough in every world.{slack} Now use verify."

    def _verify(self) -> str:
        self._forget()
        task = self.task()
        proved = certify(task, seconds=self._seconds)
        if proved.verdict != "solvable" or proved.depth is None:
            raise UserError(f"it is {proved.verdict}: {REASONS.get(proved.verdict, 'no depth was proved')}")
        if proved.depth == 0:
            raise UserError(
                "it has depth 0: nobody has to know anything; hide what somebody must act on, with three values or "
                "more, and let only another person learn it"
            )
        self._proved = proved
        contrast = "; ".join(task.describe(world) for world in proved.contrasts)
        return (
            f"It is solvable at depth {proved.depth} and no less ({proved.depth_any} for people with conventions). "
            f"Shallower people fail in one of these worlds: {contrast}. Now use judge."
        )

    def _judge(self) -> str:
        task = self.proved()
        assert self._proved is not None
        self.verdicts = list(Judge(task, self._proved, self._seconds).verdicts())
        lines = [f"{'met' if v.is_met else 'NOT MET'}: {v.criterion}: {v.reason}" for v in self.verdicts]
        if not self.passes:
            failed = sum(not verdict.is_met for verdict in self.verdicts)
            raise UserError("\n".join((f"{failed} of the criteria are not met; change the task", *lines)))
        self._check()
        return "\n".join(lines)

    def _forget(self) -> None:
        """Drop what was proved of an earlier text."""
        self._proved, self.verdicts = None, []


def _bare(text: str) -> str:
    """A text without the marks of a code block around it."""
    fenced = _FENCE.match(text)
    return (fenced[1] if fenced else text).rstrip()
