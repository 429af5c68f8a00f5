"""Statements about a house: literals such as ``on(cup, table)``, and formulas of them such as goals.

``$name`` stands for the value of a secret: ``on(cup, $target)`` is true where the cup is on the table that the secret
names. ``{name}`` does so within a name: ``powered(ann_{colour})`` is ``powered(ann_red)`` where the colour is red. Only
the final state decides whether a goal is reached (W16).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.enacttom.grounded_task import Ground, Values
from otherminds.worlds.enacttom.types import Formula, Task

# Each predicate: the variable and the value that it stands for.
PREDICATES = {
    "at": ("at {0}", "{1}"),
    "open": ("open {0}", "yes"),
    "closed": ("open {0}", "no"),
    "locked": ("locked {0}", "yes"),
    "unlocked": ("locked {0}", "no"),
    "powered": ("power {0}", "yes"),
    "unpowered": ("power {0}", "no"),
    "on": ("place {0}", "on {1}"),
    "in": ("place {0}", "in {1}"),
    "held": ("place {0}", "held {1}"),
    "floor": ("place {0}", "floor {1}"),
    "flag": ("flag {0}", "yes"),
    "is": ("secret {0}", "{1}"),
}
# The predicate of a state, such as open for the variable "open fridge" and the value "yes".
_STATES = {
    (says.partition(" ")[0], value): name for name, (says, value) in PREDICATES.items() if value in ("yes", "no")
}
_LITERAL = re.compile(r"(\w+)\(([^()]*)\)")
_SECRET = re.compile(r"\$([^\s,(){}]+)|\{([^\s,(){}]+)\}")
OPPOSITES = {"powered": "unpowered", "open": "closed", "locked": "unlocked"}
OPPOSITES |= {other: name for name, other in OPPOSITES.items()}
Named = tuple[str, str, bool]  # variable, value, and whether the variable has the value


def split_literal(text: Any) -> tuple[str, list[str]]:
    """The predicate and the arguments of a literal.

    Raises:
        UserError: if it is not a literal.
    """
    match = _LITERAL.fullmatch(text.strip()) if isinstance(text, str) else None
    if not match:
        raise UserError(
            f"cannot read {text!r}; expected a condition such as on(cup, table); check commas and parentheses"
        )
    name, arguments = match[1], [part.strip() for part in match[2].split(",")]
    if name not in PREDICATES:
        raise UserError(f"unknown predicate {name!r}{nearest(name, PREDICATES)}")
    expected = 2 if "{1}" in PREDICATES[name][1] else 1
    if len(arguments) != expected or not all(arguments):
        raise UserError(f"{text!r} has {len(arguments)} arguments; expected {expected}")
    return name, arguments


def named(text: str) -> tuple[str, str]:
    """The variable and value of a literal without secrets."""
    name, arguments = split_literal(text)
    variable, value = PREDICATES[name]
    return variable.format(*arguments), value.format(*arguments)


def literal_of(variable: str, value: str) -> str:
    """A variable's value as a literal: ``place cup`` and ``on shelf`` are ``on(cup, shelf)``."""
    kind, _, name = variable.partition(" ")
    if kind == "place":
        relation, _, place = value.partition(" ")
        return f"{relation}({name}, {place})"
    if kind in ("at", "secret"):
        return f"{'at' if kind == 'at' else 'is'}({name}, {value})"
    return f"{_STATES[kind, value]}({name})"


def secrets_in(text: str) -> list[str]:
    """The secrets whose values a literal or a name stands for, in order."""
    return list(dict.fromkeys(match[1] or match[2] for match in _SECRET.finditer(text)))


def filled(text: str, values: Mapping[str, str]) -> str:
    """A literal or a name with the values of its secrets."""
    return _SECRET.sub(lambda match: values[match[1] or match[2]], text)


def combinations(secrets: Sequence[str], task: Task, text: str) -> Iterator[dict[str, str]]:
    """All combinations of values of secrets.

    Raises:
        UserError: if one is not defined; the message quotes the text that names it.
    """
    known = {secret.name: secret for secret in task.secrets}
    for secret in secrets:
        if secret not in known:
            raise UserError(f"{text!r} names the secret {secret!r}, which is not defined{nearest(secret, known)}")
    for values in product(*(known[secret].values for secret in secrets)):
        yield dict(zip(secrets, values, strict=True))


def cases(text: str, task: Task) -> Iterator[tuple[tuple[Named, ...], str]]:
    """A literal for each combination of values of the secrets that it names: the tests on them, and the literal."""
    split_literal(text)
    for values in combinations(secrets_in(text), task, text):
        yield tuple((f"secret {secret}", value, True) for secret, value in values.items()), filled(text, values)


def normal(formula: Formula, task: Task) -> Any:
    """A formula as ``("and" | "or", parts)``, ``("not", part)`` and ``("is", variable, value)``, secrets spelled out.

    Raises:
        UserError: if it is not a formula.
    """
    formula = spelled(formula, task)
    if isinstance(formula, str):
        options = [
            ("and", (*(("is", variable, value) for variable, value, _ in when), ("is", *named(text))))
            for when, text in cases(formula, task)
        ]
        return options[0][1][0] if len(options) == 1 and len(options[0][1]) == 1 else ("or", tuple(options))
    name, parts = next(iter(formula.items()))
    if name == "not":
        return "not", normal(parts, task)
    return name, tuple(normal(part, task) for part in parts)


def spelled(formula: Formula, task: Task) -> Formula:
    """A formula whose outermost part is a literal or one of and, or, not; shorthands are spelled out.

    Raises:
        UserError: if it is not a formula.
    """
    if isinstance(formula, str):
        return formula
    is_one = isinstance(formula, dict) and len(formula) == 1
    name: str = next(iter(formula)) if is_one else ""
    parts: Any = formula[name] if is_one else None
    is_list = isinstance(parts, Sequence) and not isinstance(parts, str)
    if name == "not" or (name in ("and", "or") and is_list):
        return formula
    if name == "if" and is_list and len(parts) == 2:
        return {"or": [{"not": parts[0]}, parts[1]]}
    if name == "none" and is_list:
        return {"and": [f"unpowered({switch})" for switch in parts]}
    if name == "only" and isinstance(parts, dict) and set(parts) == {"of", "is"} and isinstance(parts["is"], str):
        return _only(parts["of"], parts["is"], task)
    raise UserError(
        f"{formula!r} is not a formula; expected a literal, or one of and, or, not, if: [condition, then], "
        "none: [switches], only: {of: [switches], is: switch}"
    )


def _only(switches: Any, which: str, task: Task) -> Formula:
    """Of these switches, one is on and no other. A mapping gives the switch for each value of a secret."""
    secrets = secrets_in(which)
    names = list(switches.values()) if isinstance(switches, dict) else list(switches)
    options = []
    for values in combinations(secrets, task, which):
        chosen = filled(which, values)
        if isinstance(switches, dict):
            chosen = switches.get(chosen, "")
        if chosen not in names:
            raise UserError(f"only: {which!r} may be {filled(which, values)!r}, which is not one of {', '.join(names)}")
        told = [f"is({secret}, {value})" for secret, value in values.items()]
        options.append({"and": [*told, *(f"{'' if name == chosen else 'un'}powered({name})" for name in names)]})
    return options[0] if len(options) == 1 else {"or": options}


def written_literals(formula: Formula) -> list[str]:
    """The literals of a formula as it is written, before there is a task that it could refer to.

    Raises:
        UserError: if it is not a formula.
    """
    if isinstance(formula, str):
        split_literal(formula)
        return [formula.strip()]
    if isinstance(formula, dict) and len(formula) == 1:
        name, parts = next(iter(formula.items()))
        if name in ("and", "or") and isinstance(parts, list):
            return [literal for part in parts for literal in written_literals(part)]
        if name == "not":
            return written_literals(parts)
    raise UserError(f"{formula!r} is not a formula; expected a literal, or one of and, or, not")


def holds(ground: Ground, formula: Formula, values: Values) -> bool:
    """Whether a formula is true in a state."""
    return is_true(_numbered(ground, normal(formula, ground.task)), values)


def is_reached(ground: Ground, values: Values) -> bool:
    """Whether the shared goal is reached, and no forbidden flag is raised."""
    return is_true(shared(ground), values)


@lru_cache(maxsize=512)
def shared(ground: Ground) -> Any:
    """The shared goal by numbers of variables: ``("and", parts)``. Forbidden flags are among the parts."""
    flags = [("not", ("is", f"flag {name}", "yes")) for name in ground.task.never]
    parts = [*_parts(normal(ground.task.goal, ground.task)), *flags]
    return "and", tuple(_numbered(ground, part) for part in parts)


def conjuncts(ground: Ground) -> list[tuple[Formula, tuple[Any, ...]]]:
    """The parts of the shared goal as they are written, each with its parts by numbers of variables."""
    goal = ground.task.goal
    written = goal["and"] if isinstance(goal, dict) and "and" in goal else [goal]
    return [(part, tuple(_numbered(ground, inner) for inner in _parts(normal(part, ground.task)))) for part in written]


def progress(ground: Ground, values: Values) -> float:
    """The share of the goal's parts that hold."""
    parts = shared(ground)[1]
    return sum(is_true(part, values) for part in parts) / len(parts)


def _parts(formula: Any) -> list[Any]:
    """The parts of nested conjunctions."""
    return [inner for part in formula[1] for inner in _parts(part)] if formula[0] == "and" else [formula]


def variables(formula: Any) -> frozenset[int]:
    """The variables of a numbered formula."""
    return frozenset(variable for variable, _ in literals(formula))


@lru_cache(maxsize=512)
def spoken(ground: Ground) -> frozenset[tuple[int, int]]:
    """The settings that matter to the goal: those it names, and both values of each binary variable in it."""
    goal = shared(ground)
    both = ((v, x) for v in variables(goal) if len(ground.domains[v]) == 2 for x in (0, 1))
    return frozenset((v, x) for v, x in (*literals(goal), *both) if v >= len(ground.task.secrets))


def reportable(ground: Ground) -> list[tuple[int, int]]:
    """The facts that can be told: only those that matter to the goal, so that proofs cover all messages."""
    return sorted((v, x) for v, x in spoken(ground) if not ground.variables[v].startswith("flag "))


def literals(formula: Any) -> Iterator[tuple[Any, Any]]:
    """The variables and values that a normal or numbered formula names."""
    kind, *rest = formula
    if kind == "is":
        yield rest[0], rest[1]
        return
    for part in rest[0] if kind in ("and", "or") else rest:
        yield from literals(part)


def _numbered(ground: Ground, formula: Any) -> Any:
    kind, *rest = formula
    if kind == "is":
        test = ground.test(*rest)
        return "is", test.variable, test.value
    if kind == "not":
        return "not", _numbered(ground, rest[0])
    return kind, tuple(_numbered(ground, part) for part in rest[0])


def is_true(formula: Any, values: Values | Mapping[int, int]) -> bool:
    """Whether a numbered formula is true of a state, or of any mapping from variables to values."""
    kind, *rest = formula
    if kind == "is":
        return bool(values[rest[0]] == rest[1])
    if kind == "not":
        return not is_true(rest[0], values)
    return (all if kind == "and" else any)(is_true(part, values) for part in rest[0])
