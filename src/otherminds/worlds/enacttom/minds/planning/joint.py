"""A plan for all worlds that may be the case, in which everybody acts identically where it knows the same.

Each world gets a course of action of its own. Where two courses ask different acts of a person who cannot distinguish
them, the search branches: one of the acts is done in both worlds, or neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.minds.planning.knowledge import Key, Knowledge, Situation
from otherminds.worlds.enacttom.minds.planning.rules import rules_of
from otherminds.worlds.enacttom.minds.planning.search import Bounds, Course, Search
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.types import World

Barred = frozenset[tuple[Key, Act]]
SITUATIONS = 400  # the most to consider in one search of a world
_BRANCHES = 40  # the most ways of settling who does what
_MENDINGS = 8  # attempts at a plan whose acts are right in every world where they would be done


@dataclass(frozen=True)
class JointPlan:
    """A joint plan.

    Attributes:
        acts: what a person does, by what it can act on. It waits where there is nothing.
        solved: the worlds in which the goal is reached.
    """

    acts: Mapping[Key, Act] = field(default_factory=dict)
    solved: frozenset[World] = frozenset()


class Planner:
    """Plans from situations that a person considers possible, one for each world.

    Args:
        knowledge: the bits of the task.
        roots: the situation in each world.
        until: the last turn of the plan. [default: the horizon]
        idle: people who are expected to do nothing.
        limit: the most situations to consider in one search of a world.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        roots: Mapping[World, Situation],
        until: int | None = None,
        idle: frozenset[int] = frozenset(),
        limit: int = SITUATIONS,
    ) -> None:
        self._knowledge, self._roots = knowledge, roots
        self._until = knowledge.ground.task.horizon if until is None else until
        self._searches = {
            world: Search(rules_of(knowledge, world), root, self._until, idle, limit) for world, root in roots.items()
        }

    def plan(self) -> JointPlan:
        """A plan for as many worlds as possible; in the others everybody goes as far as it knows to be right."""
        barred: Barred = frozenset()
        for _ in range(_MENDINGS):
            courses = self._courses(barred)
            acts, wrong = self._completed(courses, barred)
            if not wrong:
                break
            barred |= wrong
        return JointPlan(acts, frozenset(courses))

    def _courses(self, barred: Barred) -> dict[World, Course]:
        alone = {world: search.find(Bounds(barred=barred)) for world, search in self._searches.items()}
        hopeful = {world: course for world, course in alone.items() if course.is_success}
        self._left = _BRANCHES
        settled = self._settle(self._alike(hopeful, barred), {}, barred)
        if settled is not None:
            return settled
        orders = (list(hopeful), list(reversed(hopeful)))
        return max((self._one_by_one(order, barred) for order in orders), key=len)

    def _alike(self, courses: Mapping[World, Course], barred: Barred) -> dict[World, Course]:
        """Courses that agree as far as possible with those of the worlds before them."""
        bounds, alike = Bounds(barred=barred), dict[World, Course]()
        for world in courses:
            course = self._searches[world].find(bounds)
            alike[world] = course if course.is_success else courses[world]
            _enter(bounds.usual, bounds.near, alike[world])
        return alike

    def _settle(
        self, courses: dict[World, Course], fixed: Mapping[Key, Act], barred: Barred
    ) -> dict[World, Course] | None:
        """Courses that agree, found by branching at the first disagreement; ``None`` if there are none."""
        self._left -= 1
        disagreement = _disagreement(courses.values())
        if disagreement is None:
            return courses
        key, acts = disagreement
        branches = [({**fixed, key: act}, barred) for act in acts]
        branches.append((dict(fixed), barred | {(key, act) for act in acts}))
        for more, less in branches:
            if self._left < 0:
                return None
            changed = self._changed(courses, more, less)
            settled = self._settle(changed, more, less) if changed is not None else None
            if settled is not None:
                return settled
        return None

    def _changed(
        self, courses: Mapping[World, Course], fixed: Mapping[Key, Act], barred: Barred
    ) -> dict[World, Course] | None:
        """The courses, with new ones for worlds whose course is no longer allowed; ``None`` if one has none."""
        bounds, new = Bounds(fixed, barred), dict(courses)
        kept = {world: course for world, course in courses.items() if _is_within(course, fixed, barred)}
        for course in kept.values():
            _enter(bounds.usual, bounds.near, course)
        for world in courses:
            if world not in kept:
                new[world] = self._searches[world].find(bounds)
                if not new[world].is_success:
                    return None
                _enter(bounds.usual, bounds.near, new[world])
        return new

    def _one_by_one(self, worlds: Iterable[World], barred: Barred) -> dict[World, Course]:
        """Courses for worlds in an order, each bound by those before it; worlds that then have none are left out."""
        courses: dict[World, Course] = {}
        fixed: dict[Key, Act] = {}
        near: set[int] = set()
        for world in worlds:
            course = self._searches[world].find(Bounds(fixed, barred, near=near))
            if course.is_success:
                courses[world] = course
                _enter(fixed, near, course)
        return courses

    def _completed(self, courses: Mapping[World, Course], barred: Barred) -> tuple[dict[Key, Act], Barred]:
        """The acts of all courses and of attempts in the other worlds, and acts that would be wrong there."""
        acts: dict[Key, Act] = {}
        near: set[int] = set()
        for course in courses.values():
            _enter(acts, near, course)
        wrong: set[tuple[Key, Act]] = set()
        for world, root in self._roots.items():
            if world in courses:
                continue
            _enter(acts, near, self._searches[world].find(Bounds(acts, barred, near=near)))
            conditions, situation = rules_of(self._knowledge, world).conditions, root
            while situation.state.turn < self._until:
                people = range(len(situation.histories))
                keys = [self._knowledge.key(world, situation, person) for person in people]
                done = [acts.get(key, WAIT) for key in keys]
                wrong |= {
                    (key, act)
                    for person, (key, act) in enumerate(zip(keys, done, strict=True))
                    if act != WAIT and not conditions.allows(situation, person, act)
                }
                situation, _ = self._knowledge.after(situation, done)
        return acts, frozenset(wrong)


def _enter(acts: dict[Key, Act], near: set[int], course: Course) -> None:
    for keys, done in course.steps:
        for key, act in zip(keys, done, strict=True):
            acts.setdefault(key, act)
            near.add(key.history)


def _is_within(course: Course, fixed: Mapping[Key, Act], barred: Barred) -> bool:
    return all(
        fixed.get(key, act) == act and (key, act) not in barred
        for keys, done in course.steps
        for key, act in zip(keys, done, strict=True)
    )


def _disagreement(courses: Iterable[Course]) -> tuple[Key, list[Act]] | None:
    """The first moment at which a person is to do several things, with the acts, most frequent first."""
    chosen: dict[Key, Counter[Act]] = {}
    turns: dict[Key, int] = {}
    for course in courses:
        for turn, (keys, done) in enumerate(course.steps):
            for key, act in zip(keys, done, strict=True):
                chosen.setdefault(key, Counter())[act] += 1
                turns[key] = turn
    open_keys = [key for key, acts in chosen.items() if len(acts) > 1]
    if not open_keys:
        return None
    key = min(open_keys, key=lambda candidate: turns[candidate])  # the first of these, in the order of worlds
    return key, [act for act, _ in chosen[key].most_common()]
