"""Is a task worth keeping? Eight criteria, each decided by proof, with its reason (spec 8).

Everything in a task must matter: take it away, and the task must become unsolvable, deeper, shallower or shorter, or
somebody or the messages must become dispensable. What the solver cannot decide in time counts against the task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.formulas import holds
from otherminds.worlds.enacttom.leaks import leaks
from otherminds.worlds.enacttom.texts import public_text
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.understood import meaning, understood
from otherminds.worlds.enacttom.verify import variants
from otherminds.worlds.enacttom.verify.certify import Certificate, digest_of
from otherminds.worlds.enacttom.verify.depth import DEEPEST, calibrate, check_policy
from otherminds.worlds.enacttom.verify.policy import SECONDS, Search

SLACK = 1.5  # turns that there must be, for each that is needed by who knows everything (spec 4.2)


@dataclass(frozen=True)
class Verdict:
    """On one criterion."""

    criterion: str
    is_met: bool
    reason: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class Judge:
    """Of one task, with what was proved of it.

    Args:
        task: to judge.
        proved: its certificate.
        seconds: for each question to the solver.
    """

    def __init__(self, task: Task, proved: Certificate, seconds: float = SECONDS) -> None:
        self._task, self._proved, self._seconds = task, proved, seconds

    def verdicts(self) -> Iterator[Verdict]:
        """On all criteria, the cheap ones first; the rest are not looked at once the task is not even solvable."""
        order: tuple[tuple[str, Callable[[], str]], ...] = (
            ("formal quality", self._formal),
            ("public and private", lambda: leaks(ground(self._task))),
            ("narrative", self._narrative),
            ("motives" if self._task.category == "mixed" else "interdependence", self._interdependence),
            ("people", self._people),
            ("secrets", self._secrets),
            ("goal", self._goal),
            ("mechanics", self._mechanics),
        )
        for name, check in order:
            wrong = check()
            yield Verdict(name, not wrong, wrong or _REASONS[name])
            if wrong and name == "formal quality":
                return

    def _formal(self) -> str:
        """Spec 4.9: solvable without conventions, at a proved depth, with turns to spare or a fixed schedule."""
        task, proved = self._task, self._proved
        if proved.grade != "solvable" or proved.depth is None or proved.depth_any is None:
            return f"it is {proved.grade}, of depth {proved.depth} ({proved.depth_any} with conventions)"
        if proved.depth < 1:
            return "nobody has to know anything"
        if wrong := check_policy(ground(task), proved.policy):
            return f"the policy does not hold: {wrong}"
        has_schedule = any(one.kind == "time_window" for one in task.mechanics)
        if not has_schedule and task.horizon < SLACK * (proved.fewest_turns or 0):
            return f"{task.horizon} turns are too few; {proved.fewest_turns} are needed by who knows everything"
        return ""

    def _narrative(self) -> str:
        is_same = meaning(understood(public_text(self._task))) == meaning(self._task)
        return "" if is_same else "who reads its text reads another task"

    def _interdependence(self) -> str:
        if self._is_solvable(variants.without_messages(self._task)) is not False:
            return "it can be done without a word"
        return _tension(self._task) if self._task.category == "mixed" else ""

    def _people(self) -> str:
        return _all_matter(
            (name, self._is_solvable(variants.without_person(self._task, name)) is not False)
            for name in self._task.names
        )

    def _secrets(self) -> str:
        task = self._task
        sentences = {variants.sentence(note): note for note in task.notes}
        notes = (
            (f"what {n.to} is told of {n.about}", self._is_as_before(variants.without_note(task, n)))
            for n in sentences.values()
        )
        signs = (
            (one.name, self._is_as_before(variants.without_sign(task, one.name)))
            for one in task.furniture
            if one.kind == "sign"
        )
        return _all_matter(notes) or _all_matter(signs)

    def _goal(self) -> str:
        """Of the parts of the goal as it is written."""
        task = self._task
        written = task.goal["and"] if isinstance(task.goal, dict) and "and" in task.goal else [task.goal]
        if len(written) == 1:
            return ""
        return _all_matter(
            (f"part {at + 1} of the goal", self._is_as_before(variants.without_part(task, written, at)))
            for at in range(len(written))
        )

    def _mechanics(self) -> str:
        return _all_matter(
            (f"mechanics[{at}] ({one.kind})", self._is_as_before(variants.without_mechanic(self._task, at)))
            for at, one in enumerate(self._task.mechanics)
            if one.kind != "memo"  # a memo is a note, which is looked at as a secret
        )

    def _is_solvable(self, task: Task, depth: int = DEEPEST) -> bool | None:
        """Whether without conventions, at this depth or below; ``None`` if there was no time to find out."""
        return Search(ground(task), depth, is_plain=True).find(seconds=self._seconds).is_solvable

    def _is_as_before(self, other: Task) -> bool:
        """Whether nothing that was proved has changed for sure, the quickest to find out first."""
        proved = self._proved
        depth, depth_any = proved.depth or 0, proved.depth_any or 0
        house = ground(other)
        plans = [calibrate(house, world) for world in other.worlds]
        if any(plan is None for plan in plans) or max(len(plan or ()) for plan in plans) != proved.fewest_turns:
            return False
        if self._is_solvable(other, depth) is False or (depth and self._is_solvable(other, depth - 1)):
            return False
        if self._is_solvable(variants.without_messages(other)):
            return False
        if any(self._is_solvable(variants.without_person(other, name)) for name in other.names):
            return False
        return not depth_any or Search(house, depth_any - 1).find(seconds=self._seconds).is_solvable is not True


def _all_matter(found: Iterable[tuple[str, bool]]) -> str:
    return next((f"{name} does not matter" for name, is_idle in found if is_idle), "")


_REASONS = {
    "formal quality": "solvable without conventions, and no shallower mind can do it",
    "public and private": "what is said to all is the same in every world, and to one in all that it cannot tell apart",
    "narrative": "its text says what the task says",
    "interdependence": "it cannot be done without a word",
    "motives": "it cannot be done without a word, and what people want is at odds in some world",
    "people": "nobody can be left out",
    "secrets": "no note and no sign can be left out",
    "goal": "no part of the goal can be left out",
    "mechanics": "no rule of the house can be left out",
}


def _tension(task: Task) -> str:
    """What is wrong with private goals: each must be wished for in vain where all do what the team needs (spec 3.8).

    Somewhere the shared goal and what people want cannot all be had in the fewest turns, while what someone wants could
    be had at the cost of the others.
    """
    if not task.private:
        return "nobody wants anything for itself"
    house = ground(task)
    for who, wish in task.private.items():
        if any(holds(house, wish, start) for start in house.starts.values()):
            return f"{who} has what it wants from the start"
        alone = ground(variants.with_goal(task, wish, {"not": task.goal}))
        both = ground(variants.with_goal(task, wish, task.goal))
        if not any(
            _fewest(both, world) != _fewest(house, world) and calibrate(alone, world) is not None
            for world in task.worlds
        ):
            return f"what {who} wants is never at odds with the shared goal"
    return ""


def _fewest(house: Any, world: Any) -> int | None:
    plan = calibrate(house, world)
    return None if plan is None else len(plan)


def judge(task: Task, proved: Certificate, seconds: float = SECONDS) -> list[Verdict]:
    """All verdicts on a task.

    Raises:
        UserError: if the certificate is of another task.
    """
    if proved.digest != digest_of(task):
        raise UserError(f"task {task.id!r} was changed after it was proved; prove it again with 'otherminds verify'")
    return list(Judge(task, proved, seconds).verdicts())
