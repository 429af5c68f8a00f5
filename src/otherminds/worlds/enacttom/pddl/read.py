"""Reads PDDL problems with knowledge goals, as the original benchmark writes them (spec 1.2, 1.8).

Extensions of the original: ``(K agent formula)`` in goals, and ``(:goal-owners (agent formula) …)``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from otherminds.core.errors import nearest
from otherminds.worlds.enacttom.pddl.s_expressions import Expression, read_expression

TYPES = ("agent", "room", "furniture", "object")
LITERALS = {  # predicates that are literals of the household
    "agent_in_room": "at", "is_open": "open", "is_closed": "closed", "is_locked": "locked", "is_unlocked": "unlocked",
    "is_powered_on": "powered", "is_powered_off": "unpowered", "is_on_top": "on", "is_inside": "in",
    "is_held_by": "held",
}  # fmt: skip
PLACES = ("is_on_top", "is_inside")  # in the original, a thing that is put somewhere is both (W5)
CONTROLS = {  # what a remote control sets
    "controls": "open",
    "controls_closed": "closed",
    "controls_unlocked": "unlocked",
    "controls_locks": "locked",
}
MIRRORS = ("mirrors", "mirrors_closed")
_PAIRS = (*PLACES, "agent_in_room", "is_in_room", "is_held_by", "is_restricted", "can_communicate")
_ARITIES = {
    **dict.fromkeys(LITERALS, 1),
    **dict.fromkeys(("is_on_floor", "is_inverse"), 1),
    **dict.fromkeys((*_PAIRS, *CONTROLS, *MIRRORS), 2),
}
_REQUIRED = ("problem", ":objects", ":init", ":goal")
_OPTIONAL = (":domain", ":requirements", ":goal-owners")
_CONNECTIVES = ("and", "or", "not")


@dataclass(frozen=True)
class Problem:
    """A problem: facts such as ``(is_open fridge_1)``, and goals over them with and, or, not and K.

    The original keeps message limits and hidden objects of the goal, with the agents who are told, in other fields.
    """

    name: str
    source: str
    objects: dict[str, str]  # with their types, in the order of the text
    init: tuple[Expression, ...]
    goal: Expression
    owners: dict[str, Expression] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    hidden: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def facts(self) -> list[Expression]:
        """All initial facts and all facts of goals."""
        goals = (self.goal, *self.owners.values())
        return [*self.init, *(fact for goal in goals for _, fact in facts_of(goal))]

    def of(self, type_: str) -> list[str]:
        """The objects of a type."""
        return [name for name, kind in self.objects.items() if kind == type_]

    def initial(self, *predicates: str) -> list[tuple[str, ...]]:
        """The objects of each initial fact with one of these predicates."""
        return [fact.arguments for fact in self.init if fact.head in predicates]


def parse_problem(text: str, source: str = "problem") -> Problem:
    """The problem in a text.

    Raises:
        UserError: if it cannot be read; the message names the line.
    """
    whole = read_expression(text, source)
    sections: dict[str, Expression] = {}
    for part in whole.parts[1:]:
        if part.head not in (*_REQUIRED, *_OPTIONAL):
            raise part.error(f"{part.head or part} is not a section{nearest(part.head, (*_REQUIRED, *_OPTIONAL))}")
        if part.head in sections:
            raise part.error(f"a second section {part.head}; expected one")
        sections[part.head] = part
    for name in _REQUIRED:
        if name not in sections:
            raise whole.error(f"section ({name} …) is missing")
    parts = {name: section.parts[1:] for name, section in sections.items()}
    problem = Problem(
        name=_single(sections["problem"]).word,
        source=source,
        objects=_objects(parts[":objects"]),
        init=tuple(map(_fact, parts[":init"])),
        goal=_goal(_single(sections[":goal"])),
        owners={_agent(part): _goal(part.parts[1]) for part in parts.get(":goal-owners", ())},
    )
    _check_names(problem)
    return problem


def depth_of(goal: Expression) -> int:
    """The nesting depth of K in a goal."""
    return max((len(chain) for chain, _ in facts_of(goal)), default=0)


def facts_of(goal: Expression) -> list[tuple[tuple[str, ...], Expression]]:
    """The facts of a goal, each with the chain of agents who are to know it."""
    if goal.head == "k":
        return [((goal.parts[1].word, *chain), fact) for chain, fact in facts_of(goal.parts[2])]
    if goal.head in _CONNECTIVES:
        return [pair for part in goal.parts[1:] for pair in facts_of(part)]
    return [((), goal)]


def _objects(words: Iterable[Expression]) -> dict[str, str]:
    """Objects with their types, from ``a b - type c``; without a type they are plain objects."""
    objects: dict[str, str] = {}
    untyped: list[str] = []
    rest = iter(words)
    for form in rest:
        if form.word != "-":
            untyped.append(form.word)
            continue
        type_ = next(rest, form)
        if type_.word not in TYPES:
            raise type_.error(f"{type_} is not a type of object; expected one of {', '.join(TYPES)}")
        objects |= dict.fromkeys(untyped, type_.word)
        untyped = []
    return objects | dict.fromkeys(untyped, "object")


def _single(form: Expression) -> Expression:
    if len(form.parts) != 2:
        raise form.error(f"{form.head} has {len(form.parts) - 1} parts; expected one")
    return form.parts[1]


def _goal(form: Expression) -> Expression:
    """The same form, if it is a goal."""
    if form.head == "b":
        raise form.error(f"{form} is about belief, which is not scored against the truth; use K")
    if form.head == "k" and (len(form.parts) != 3 or form.parts[1].is_list or not form.parts[2].is_list):
        raise form.error(f"{form} is not (K agent formula)")
    if form.head not in ("k", *_CONNECTIVES):
        return _fact(form)
    for part in (_single(form),) if form.head == "not" else form.parts[2 if form.head == "k" else 1 :]:
        _goal(part)
    return form


def _fact(form: Expression) -> Expression:
    """The same form, if it is a fact."""
    if not form.head or any(part.is_list for part in form.parts):
        raise form.error(f"{form} is not a fact such as (is_open fridge_1)")
    number, expected = len(form.arguments), _ARITIES.get(form.head)
    if expected not in (None, number):
        raise form.error(f"{form} has {number} objects; expected {form.head} of {expected} objects")
    return form


def _agent(form: Expression) -> str:
    if len(form.parts) != 2 or not form.head:
        raise form.error(f"{form} is not a pair of an agent and its value")
    return form.head


def _check_names(problem: Problem) -> None:
    """Refuse names that are not objects of the problem, or not of the expected type."""

    def check(form: Expression, names: Iterable[str], type_: str = "") -> None:
        for name in names:
            if name not in problem.objects:
                raise form.error(f"{name!r} is not among the objects")
            if type_ and problem.objects[name] != type_:
                raise form.error(f"{name!r} is not of type {type_}")

    for fact in problem.facts:
        check(fact, fact.arguments)
    for goal in (problem.goal, *problem.owners.values()):
        for chain, fact in facts_of(goal):
            check(fact, chain, "agent")
    for agent, goal in problem.owners.items():
        check(goal, [agent], "agent")
