"""PDDL problems with goals that speak of knowledge, as the original benchmark writes them (spec 1.2, 1.8).

Beside the language proper there are ``(K agent formula)`` in goals and ``(:goal-owners (agent formula) …)``, which are
the original's, and what it keeps in other fields: ``(:message-limits (agent 1) …)``, ``(:horizon 5)`` and ``(:hidden
(table_2 :told ann :among table_1 table_2) …)``, the objects of the goal that not everybody is told of.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from otherminds.core.errors import MissingExtra, UserError, nearest
from otherminds.worlds.enacttom.pddl.forms import Form, blanked, read_form
from otherminds.worlds.enacttom.pddl.words import arities

_OWN = (":goal-owners", ":message-limits", ":hidden", ":horizon")
_WORDS = (":as", ":among", ":told", ":shown")
_CONNECTIVES = ("and", "or", "not")
TYPES = ("agent", "room", "furniture", "door", "item", "object")  # things are items or plain objects


@dataclass(frozen=True)
class Hidden:
    """An object of the goal that not everybody is told of."""

    value: str
    line: int
    name: str = ""
    among: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Problem:
    """What a problem says: facts such as ``(is_open fridge_1)``, and goals of them with and, or, not and K."""

    name: str
    where: str
    objects: dict[str, str]  # with their types, in the order of the text
    init: tuple[Form, ...]
    goal: Form
    owners: dict[str, Form] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    hidden: tuple[Hidden, ...] = ()
    horizon: int | None = None

    @property
    def facts(self) -> list[Form]:
        """All facts that it speaks of: those at first, and those of its goals."""
        goals = (self.goal, *self.owners.values())
        return [*self.init, *(fact for goal in goals for _, fact in facts_of(goal))]

    def of(self, type_: str) -> list[str]:
        """The objects of a type."""
        return [name for name, found in self.objects.items() if found == type_]

    def said(self, *predicates: str) -> list[tuple[str, ...]]:
        """The objects of each fact at first that has one of these predicates."""
        return [fact.arguments for fact in self.init if fact.head in predicates]


def read_problem(path: str | Path, domain: str | Path | None = None) -> Problem:
    """The problem of a file; with a domain, its types and predicates are held to it.

    Raises:
        MissingExtra: without the ``pddl`` package.
        UserError: if it cannot be read; the message names the line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        rules = Path(domain).read_text(encoding="utf-8") if domain else None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path if domain is None else f'{path} or {domain}'}: {error}") from error
    return parse_problem(text, str(path), rules)


def parse_problem(text: str, where: str = "problem", domain: str | None = None) -> Problem:
    """The same from its text."""
    whole = read_form(text, where)
    sections = {part.head: part for part in whole.parts if part.is_list}
    for name in ("problem", ":objects", ":init", ":goal"):
        if name not in sections:
            raise UserError(f"{where}, line {whole.line}: there is no ({name} …)")
    goal = _goal(_only(sections[":goal"], where), where)
    plain = blanked(text, [(part.start, part.end) for part in whole.parts if part.head in _OWN])
    # The parser is given the goal's facts alone: it knows no K, and takes no "or" in a problem.
    facts = " ".join(str(fact) for _, fact in facts_of(goal))
    plain = f"{plain[: goal.start]}(and {facts}){blanked(plain, [(goal.start, goal.end)])[goal.start :]}"
    objects, rules = _checked(plain, where, domain)
    ordered = [part.word for part in sections[":objects"].parts if part.word in objects]
    problem = Problem(
        name=sections["problem"].parts[1].word,
        where=where,
        objects={name: objects[name] for name in ordered},
        init=tuple(_fact(part, where) for part in sections[":init"].parts[1:]),
        goal=goal,
        owners={_head(part, where): _goal(part.parts[1], where) for part in _rest(sections, ":goal-owners")},
        limits={_head(part, where): _number(part, where) for part in _rest(sections, ":message-limits")},
        hidden=tuple(_hidden(part, where) for part in _rest(sections, ":hidden")),
        horizon=_number(sections[":horizon"], where) if ":horizon" in sections else None,
    )
    _check_names(problem)
    if rules is not None:
        _hold_to(problem, rules)
    return problem


def depth_of(goal: Form) -> int:
    """How deep knowledge is nested in a goal, as it is written."""
    return max((len(chain) for chain, _ in facts_of(goal)), default=0)


def facts_of(goal: Form) -> list[tuple[tuple[str, ...], Form]]:
    """The facts of a goal, each with the chain of those who are to know it."""
    if goal.head == "k":
        return [((goal.parts[1].word, *chain), fact) for chain, fact in facts_of(goal.parts[2])]
    if goal.head in _CONNECTIVES:
        return [pair for part in goal.parts[1:] for pair in facts_of(part)]
    return [((), goal)]


def _checked(text: str, where: str, domain: str | None) -> tuple[dict[str, str], Any]:
    """The objects with their types, and the domain, as the ``pddl`` package reads the language proper."""
    try:
        from lark.exceptions import LarkError
        from pddl.exceptions import PDDLError
    except ModuleNotFoundError as error:
        raise MissingExtra(f"PDDL needs {error.name}; install otherminds[verify]") from error
    what, rules = "problem", None
    try:
        problem = _parser("problem")(text)
        if domain is not None:
            what = "domain"
            rules = _parser("domain")(domain)
    except (LarkError, PDDLError) as error:
        line = getattr(error, "line", None)
        at = f", line {line}" if isinstance(line, int) and line > 0 else ""
        said = " ".join(str(error).split())[:200]
        raise UserError(f"{where}{at if what == 'problem' else ''}: not a PDDL {what}: {said}") from error
    found = {str(one.name): str(one.type_tag or "object") for one in problem.objects}
    for name, type_ in found.items():
        if type_ not in TYPES:
            raise UserError(f"{where}: {name} is a {type_!r}; expected one of {', '.join(TYPES)}")
    return found, rules


@lru_cache(maxsize=2)
def _parser(what: str) -> Any:
    """A parser of the package; to make one takes longer than to read a file."""
    from pddl.parser.domain import DomainParser
    from pddl.parser.problem import ProblemParser

    return ProblemParser() if what == "problem" else DomainParser()


def _hold_to(problem: Problem, rules: Any) -> None:
    """Refuse facts whose predicate the domain does not have, or has for other objects. The package does not look."""
    known = {str(one.name): [set(map(str, term.type_tags)) for term in one.terms] for one in rules.predicates}
    parents = {str(name): str(parent or "object") for name, parent in rules.types.items()}

    def kinds(type_: str) -> set[str]:
        return {type_, "object"} if type_ not in parents else {type_, *kinds(parents[type_])}

    for fact in problem.facts:
        here = f"{problem.where}, line {fact.line}: {fact}"
        if fact.head not in known:
            raise UserError(f"{here}: the domain has no such predicate{nearest(fact.head, known)}")
        wanted = known[fact.head]
        if len(wanted) != len(fact.arguments):
            raise UserError(f"{here}: the domain has {fact.head} of {len(wanted)} objects")
        for name, tags in zip(fact.arguments, wanted, strict=True):
            if tags and not tags & kinds(problem.objects[name]):
                raise UserError(
                    f"{here}: {name} is a {problem.objects[name]}; the domain has {' or '.join(sorted(tags))}"
                )


def _only(section: Form, where: str) -> Form:
    if len(section.parts) != 2:
        raise UserError(
            f"{where}, line {section.line}: {section.head} holds {len(section.parts) - 1} forms; expected one"
        )
    return section.parts[1]


def _goal(form: Form, where: str) -> Form:
    """The same form, if it is a goal."""
    if form.head == "b":
        raise UserError(f"{where}, line {form.line}: {form} speaks of belief, which has no truth to score; use K")
    if form.head == "k" and (len(form.parts) != 3 or form.parts[1].is_list or not form.parts[2].is_list):
        raise UserError(f"{where}, line {form.line}: {form} is not (K agent formula)")
    if form.head not in ("k", *_CONNECTIVES):
        return _fact(form, where)
    for part in (_only(form, where),) if form.head == "not" else form.parts[2 if form.head == "k" else 1 :]:
        _goal(part, where)
    return form


def _fact(form: Form, where: str) -> Form:
    """The same form, if it is a fact."""
    if not form.head or any(part.is_list for part in form.parts):
        raise UserError(f"{where}, line {form.line}: {form} is no fact such as (is_open fridge_1)")
    number, wanted = len(form.arguments), arities().get(form.head)
    if wanted not in (None, number):
        raise UserError(f"{where}, line {form.line}: {form} names {number}; expected {form.head} of {wanted} objects")
    return form


def _rest(sections: dict[str, Form], name: str) -> tuple[Form, ...]:
    return sections[name].parts[1:] if name in sections else ()


def _head(form: Form, where: str) -> str:
    if len(form.parts) != 2 or not form.head:
        raise UserError(f"{where}, line {form.line}: {form} is not an agent with what is its own")
    return form.head


def _number(form: Form, where: str) -> int:
    word = form.parts[-1].word
    if not word.isdecimal():
        raise UserError(f"{where}, line {form.line}: {form} has {word!r}; expected a whole number")
    return int(word)


def _hidden(form: Form, where: str) -> Hidden:
    fields: dict[str, list[str]] = {word: [] for word in _WORDS}
    current: list[str] | None = None
    for part in form.parts[1:]:
        if part.word in fields:
            current = fields[part.word]
        elif current is None or part.is_list:
            raise UserError(f"{where}, line {form.line}: {part} in {form}; expected {', '.join(_WORDS)} and names")
        else:
            current.append(part.word)
    among, told, shown = (tuple(fields[word]) for word in _WORDS[1:])
    return Hidden(form.head, form.line, "_".join(fields[":as"]), among, told, shown)


def _check_names(problem: Problem) -> None:
    """Whatever facts speak of must be among the objects."""

    def check(names: tuple[str, ...], line: int, of: str | None = None) -> None:
        for name in names:
            if name not in problem.objects or (of and problem.objects[name] != of):
                what = f"no {of}" if of and name in problem.objects else "not among the objects"
                raise UserError(f"{problem.where}, line {line}: {name!r} is {what}")

    for fact in problem.facts:
        check(fact.arguments, fact.line)
    line = problem.init[0].line if problem.init else 1
    for goal in (problem.goal, *problem.owners.values()):
        for chain, fact in facts_of(goal):
            check(chain, fact.line, "agent")
    for name in (*problem.owners, *problem.limits):
        check((name,), line, "agent")
    for one in problem.hidden:
        check((one.value, *one.among), one.line)
        check(one.told, one.line, "agent")
        check(one.shown, one.line, "furniture")
