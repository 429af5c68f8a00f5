"""Whether a state is what was wished for. The final state decides: what did not last does not count (W16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from otherminds.worlds.enacttom.ground import Ground, Values
from otherminds.worlds.enacttom.literals import normal
from otherminds.worlds.enacttom.types import Formula


def holds(ground: Ground, formula: Formula, values: Values) -> bool:
    """Whether a formula is true in a state."""
    return is_true(_numbered(ground, normal(formula, ground.task)), values)


def is_reached(ground: Ground, values: Values) -> bool:
    """Whether the shared goal is, and no flag that must not be raised."""
    return is_true(shared(ground), values)


@lru_cache(maxsize=512)
def shared(ground: Ground) -> Any:
    """The shared goal by numbers of variables: ``("and", parts)``, flags that must not be raised among the parts."""
    flags = [("not", ("is", f"flag {name}", "yes")) for name in ground.task.never]
    parts = [*_parts(normal(ground.task.goal, ground.task)), *flags]
    return "and", tuple(_numbered(ground, part) for part in parts)


def progress(ground: Ground, values: Values) -> float:
    """The share of the goal's parts that hold."""
    parts = shared(ground)[1]
    return sum(is_true(part, values) for part in parts) / len(parts)


def _parts(formula: Any) -> list[Any]:
    """All that must hold, where that is a list of lists."""
    return [one for part in formula[1] for one in _parts(part)] if formula[0] == "and" else [formula]


def variables(formula: Any) -> frozenset[int]:
    """The variables that a numbered formula speaks of."""
    return frozenset(variable for variable, _ in literals(formula))


@lru_cache(maxsize=512)
def spoken(ground: Ground) -> frozenset[tuple[int, int]]:
    """The settings that the goal speaks of: those it names, and both of whatever is one thing or the other."""
    goal = shared(ground)
    both = ((v, x) for v in variables(goal) if len(ground.domains[v]) == 2 for x in (0, 1))
    return frozenset((v, x) for v, x in (*literals(goal), *both) if v >= len(ground.task.secrets))


def reportable(ground: Ground) -> list[tuple[int, int]]:
    """The facts that can be told: what the goal speaks of, so that a proof covers all that can be said."""
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
    """Whether a numbered formula is true of a state, or of anything that gives variables values."""
    kind, *rest = formula
    if kind == "is":
        return bool(values[rest[0]] == rest[1])
    if kind == "not":
        return not is_true(rest[0], values)
    return (all if kind == "and" else any)(is_true(part, values) for part in rest[0])
