"""Decides by proof whether a task is worth keeping: eight criteria, each with its reason (spec 8).

Everything in a task must matter: without it the task must become unsolvable, deeper, shallower or shorter, or somebody
or the messages must become dispensable. Undecided within the time limit counts against the task.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import holds
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.leaks import leaks
from otherminds.worlds.enacttom.tasks.check import is_backed
from otherminds.worlds.enacttom.text.parse_text import meaning, understood
from otherminds.worlds.enacttom.text.task_text import public_text
from otherminds.worlds.enacttom.types import Note, Task
from otherminds.worlds.enacttom.verify.certify import Certificate, digest_of
from otherminds.worlds.enacttom.verify.depth import DEEPEST, Alike, check_policy
from otherminds.worlds.enacttom.verify.errands import is_refuted, is_solvable, two_parts, without_people
from otherminds.worlds.enacttom.verify.joint_policy import Search
from otherminds.worlds.enacttom.verify.plans import fewest_turns
from otherminds.worlds.enacttom.verify.slice import slice_of, undressed
from otherminds.worlds.enacttom.verify.solver import SECONDS

SLACK = 1.5  # turns required for each turn that is needed with full information (spec 4.2)


class Verdict(NamedTuple):
    """The verdict on one criterion."""

    criterion: str
    is_met: bool
    reason: str


class Judge:
    """Judges one task.

    Args:
        task: to judge.
        proved: its certificate.
        seconds: time limit for each query to the solver.

    Raises:
        UserError: if the certificate belongs to another task.
    """

    def __init__(self, task: Task, proved: Certificate, seconds: float = SECONDS) -> None:
        if proved.digest != digest_of(task):
            raise UserError(
                f"task {task.id!r} was changed after it was proved; prove it again with 'otherminds verify'"
            )
        self._task, self._proved, self._seconds = task, proved, seconds
        self._bare = undressed(task)
        part = slice_of(ground(task))
        self._part, self._is_whole = part.ground, part.is_whole
        self._parts = _parts_of(self._bare, proved.depth or 0)

    def verdicts(self) -> Iterator[Verdict]:
        """Verdicts on all criteria, the cheap ones first; only the first if the task is not even solvable."""
        # The reasons are stored in the files of shipped tasks.
        criteria: dict[str, tuple[Callable[[], str], str]] = {
            "formal quality": (self._formal, "solvable without conventions, and no shallower mind can do it"),
            "public and private": (
                lambda: leaks(ground(self._task)),
                "what is said to all is the same in every world, and to one in all that it cannot tell apart",
            ),
            "narrative": (self._narrative, "its text says what the task says"),
            "interdependence": (self._interdependence, "it cannot be done without a word"),
            "motives": (
                self._motives,
                "it cannot be done without a word, and what people want is at odds in some world",
            ),
            "people": (self._people, "nobody can be left out"),
            "secrets": (self._secrets, "no note and no sign can be left out"),
            "goal": (self._goal, "no part of the goal can be left out"),
            "mechanics": (self._mechanics, "no rule of the house can be left out"),
        }
        criteria.pop("interdependence" if self._task.category == "mixed" else "motives")
        for name, (check, reason) in criteria.items():
            fault = check()
            yield Verdict(name, not fault, fault or reason)
            if fault and name == "formal quality":
                return

    def _formal(self) -> str:
        """Spec 4.9: solvable without conventions, at a proved depth, with spare turns or a fixed schedule."""
        task, proved = self._task, self._proved
        if proved.grade != "solvable" or proved.depth is None:
            return f"it is {proved.grade}, of depth {proved.depth} ({proved.depth_any} with conventions)"
        if proved.depth < 1:
            return "nobody has to know anything"
        if fault := check_policy(ground(task), proved.policy):
            return f"the policy does not hold: {fault}"
        has_schedule = any(mechanic.kind == "time_window" for mechanic in task.mechanics)
        if not has_schedule and task.horizon < SLACK * (proved.fewest_turns or 0):
            return f"{task.horizon} turns are too few; {proved.fewest_turns} are needed with full information"
        return ""

    def _narrative(self) -> str:
        is_same = meaning(understood(public_text(self._task))) == meaning(self._task)
        return "" if is_same else "its text, read back, gives a different task"

    def _interdependence(self) -> str:
        """Depth 2 and more is reliance on what another knows; less must at least take a message."""
        if (self._proved.depth or 0) > 1:
            return ""
        return "it can be solved without messages" if self._is_solvable(_silent(self._bare)) is not False else ""

    def _motives(self) -> str:
        return self._interdependence() or _no_tension(self._task)

    def _people(self) -> str:
        solvable = ((name, self._is_solvable(without_people(self._bare, [name]))) for name in self._part.task.names)
        return _all_matter((name, answer is not False) for name, answer in solvable)

    def _secrets(self) -> str:
        task, part = self._bare, self._part.task
        notes = {_sentence(note): note for note in part.notes}
        signs = [furniture.name for furniture in part.furniture if furniture.kind == "sign"]
        return _all_matter(
            (
                f"what {note.to} is told about {note.about}",
                self._is_as_before(_without_note(task, note), is_less_known=True),
            )
            for note in notes.values()
        ) or _all_matter((name, self._is_as_before(_without_sign(task, name), is_less_known=True)) for name in signs)

    def _goal(self) -> str:
        """Checks the conjuncts of the goal as it is written."""
        task = self._bare
        written = task.goal["and"] if isinstance(task.goal, dict) and "and" in task.goal else [task.goal]
        if len(written) == 1:
            return ""
        return _all_matter(
            (f"part {at + 1} of the goal", self._is_as_before(replace(task, goal={"and": _without(written, at)})))
            for at in range(len(written))
        )

    def _mechanics(self) -> str:
        task = self._bare
        rules: dict[Any, list[int]] = {}
        for at, mechanic in enumerate(task.mechanics):
            if mechanic.kind != "memo":  # a memo is a note, which counts as a secret
                # Whatever raises the same flag is one rule of the house.
                rules.setdefault(mechanic.fields.get("raises", at), []).append(at)
        return _all_matter(
            (
                f"mechanics[{many[0]}] ({task.mechanics[many[0]].kind})",
                self._is_as_before(_without_mechanics(task, many)),
            )
            for many in rules.values()
            # What touches nothing that can matter is dressing.
            if not _is_dressing(self._part, _without_mechanics(task, many))
        )

    def _is_solvable(self, task: Task, depth: int = DEEPEST) -> bool | None:
        """Whether it is solvable without conventions up to a depth; ``None`` if time ran out."""
        return is_solvable(task, depth, self._seconds)

    def _is_as_before(self, other: Task, *, is_less_known: bool = False) -> bool:
        """Whether nothing that was proved has surely changed, in any part of the task.

        Args:
            other: The task with one thing less.
            is_less_known: Whether that thing tells people something, so that the rest may well be unsolvable.
        """
        parts = _parts_of(other, self._proved.depth or 0)
        pairs = list(zip(self._parts, parts, strict=False))
        if len(parts) != len(self._parts):
            pairs = [((self._bare, self._proved.depth or 0), (other, self._proved.depth or 0))]
        changes = [self._changes(mine, changed, depth, is_less_known) for (mine, depth), (changed, _) in pairs]
        if any(has_changed() for many in zip_longest(*changes) for has_changed in many if has_changed):
            return False
        depth_any = self._proved.depth_any or 0
        if not depth_any or not self._is_whole:
            return True  # what conventions could do with the rest of the house is not judged
        shallower = Search(ground(other), depth_any - 1, seconds=self._seconds)
        return shallower.find(seconds=self._seconds).is_solvable is not True

    def _changes(self, part: Task, other: Task, depth: int, is_less_known: bool) -> list[Callable[[], bool]]:
        """Questions whether a part has surely changed; what changes most often, and what is cheap, comes first."""
        before, after = (slice_of(ground(task)).ground for task in (part, other))
        if after.task.names != before.task.names:
            return [lambda: True]  # somebody can no longer matter
        if Alike(before) == Alike(after):
            return []
        questions: list[Callable[[], bool]] = [
            lambda: _most_turns(after) != _most_turns(before),
            lambda: bool(depth and self._is_solvable(other, depth - 1)),
        ]
        questions.insert(0 if is_less_known else 2, lambda: is_refuted(other, depth, self._seconds))
        cuts: list[Callable[[Task], Task]] = [
            _silent,
            *(partial(without_people, names=[name]) for name in before.task.names),
        ]
        questions += [partial(self._frees, part, other, cut) for cut in cuts]
        # A few worlds may not show it, and all of them take long.
        return [*questions, lambda: self._is_solvable(other, depth) is False]

    def _frees(self, part: Task, other: Task, cut: Callable[[Task], Task]) -> bool:
        """Whether a task without something can do without something else, too, and the task itself cannot."""
        return bool(self._is_solvable(cut(other)) and not self._is_solvable(cut(part)))


def _parts_of(task: Task, depth: int) -> list[tuple[Task, int]]:
    """The parts that are judged each by itself, with their depths: the core and its errands, or all in one."""
    parts = two_parts(task)
    return [(parts.core, depth), (parts.errands, 0)] if parts and parts.runners else [(task, depth)]


def _most_turns(house: Ground) -> int | None:
    """The fewest turns that are needed in the worst world; ``None`` if the goal cannot be reached in some world."""
    turns = [fewest_turns(house, world) for world in house.task.worlds]
    return None if None in turns else max(filter(None, turns), default=0)


def _all_matter(candidates: Iterable[tuple[str, bool]]) -> str:
    return next((f"{name} is not needed" for name, is_idle in candidates if is_idle), "")


def _no_tension(task: Task) -> str:
    """What is wrong with private goals (spec 3.8).

    In some world, a private goal and the shared goal cannot both be reached in the fewest turns, but the private goal
    can be reached at the cost of the shared one.
    """
    house = ground(task)
    for name, wish in task.private.items():
        if any(holds(house, wish, start) for start in house.starts.values()):
            return f"the private goal of {name} holds from the start"
        goals = (task.goal, {"and": [wish, {"not": task.goal}]}, {"and": [wish, task.goal]})
        shared, alone, both = (slice_of(ground(replace(task, goal=goal, private={}))) for goal in goals)
        if not any(
            fewest_turns(both.ground, both.world(world)) != fewest_turns(shared.ground, shared.world(world))
            and fewest_turns(alone.ground, alone.world(world)) is not None
            for world in task.worlds
        ):
            return f"the private goal of {name} never conflicts with the shared goal"
    return ""


def _is_dressing(part: Ground, other: Task) -> bool:
    """Whether a task leaves the same slice as the one that is judged."""
    left = slice_of(ground(other)).ground
    parts = ("variables", "deeds", "ticks", "sights", "starts")
    is_same = all(getattr(part, name) == getattr(left, name) for name in parts)
    return is_same and part.task.talk == left.task.talk


# The task with one thing less.


def _without(items: Iterable[Any], at: int) -> list[Any]:
    return [item for number, item in enumerate(items) if number != at]


def _silent(task: Task) -> Task:
    """Nobody says anything."""
    return replace(task, talk=replace(task.talk, budgets={}))


def _without_note(task: Task, note: Note) -> Task:
    """One note is never given, in any world, and neither are notes that this makes false."""
    rest = replace(task, notes=tuple(other for other in task.notes if _sentence(other) != _sentence(note)))
    while True:
        true = tuple(
            other
            for other in rest.notes
            if all(is_backed(rest, other, world) for world in rest.worlds if rest.applies(other, world))
        )
        if true == rest.notes:
            return rest
        rest = replace(rest, notes=true)


def _sentence(note: Note) -> tuple[str, str, tuple[str, ...]]:
    """Who is told what; the worlds in which this happens are listed one by one."""
    return note.to, note.about, note.knower


def _without_sign(task: Task, name: str) -> Task:
    """A sign shows nothing."""
    blank = tuple(replace(part, kind="fixture", shows=None) if part.name == name else part for part in task.furniture)
    return replace(task, furniture=blank)


def _without_mechanics(task: Task, many: Collection[int]) -> Task:
    """Some rules of the house are lifted, with their limits on messages or channels."""
    talk = task.talk
    for at in many:
        mechanic = task.mechanics[at]
        if mechanic.kind == "limited_bandwidth":
            talk = replace(talk, budgets={**talk.budgets, **dict.fromkeys(mechanic.fields["limits"], task.horizon)})
        elif mechanic.kind == "restricted_communication":
            everyone = {name: tuple(other for other in task.names if other != name) for name in task.names}
            talk = replace(talk, channels=everyone)
    rest = tuple(mechanic for at, mechanic in enumerate(task.mechanics) if at not in many)
    raised = {other.fields.get("raises") for other in rest}
    never = tuple(flag for flag in task.never if flag in raised)
    return replace(task, mechanics=rest, talk=talk, never=never)
