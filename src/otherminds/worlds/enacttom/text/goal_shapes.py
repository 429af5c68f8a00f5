"""Finds in a formula the shapes that have a short sentence: implications, switches of which one is right, all off.

A goal may be written as a normal form or with shorthands (see ``formulas.spelled``); both are brought into the same
shape, from which the sentence is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from otherminds.worlds.enacttom.formulas import OPPOSITES, spelled, split_literal
from otherminds.worlds.enacttom.types import Formula, Task

_CASE = tuple[str, ...]  # the values of some secrets


def parts_of(formula: Formula, task: Task) -> list[Formula]:
    """The parts of a goal that must all hold, in their shapes."""
    shaped = shape(formula, task)
    return _children(shaped, "and")


def shape(formula: Formula, task: Task) -> Formula:
    """A formula in its shape: literals, ``not`` of a literal, and, or, if, none and only."""
    return _shaped(_pushed(formula, task), task)


def _children(formula: Formula, kind: str) -> list[Formula]:
    return formula[kind] if isinstance(formula, dict) and kind in formula else [formula]


def _joined(kind: str, parts: Sequence[Formula]) -> Formula:
    """Parts joined by and, or; those that are joined in the same way are taken apart first, and copies left out."""
    flat = [inner for part in parts for inner in _children(part, kind)]
    unique = [part for at, part in enumerate(flat) if part not in flat[:at]]
    return unique[0] if len(unique) == 1 else {kind: unique}


def _pushed(formula: Formula, task: Task, *, is_so: bool = True) -> Formula:
    """A formula of and, or, literals, and ``not`` of literals alone."""
    formula = spelled(formula, task)
    if isinstance(formula, str):
        return formula if is_so else negated(formula, task)
    kind, parts = next(iter(formula.items()))
    if kind == "not":
        return _pushed(parts, task, is_so=not is_so)
    kind = kind if is_so else {"and": "or", "or": "and"}[kind]
    return _joined(kind, [_pushed(part, task, is_so=is_so) for part in parts])


def negated(literal: str, task: Task) -> Formula:
    """The negation of a literal, as a literal if there is one."""
    name, arguments = split_literal(literal)
    if name in OPPOSITES and not any(sign in literal for sign in "${"):
        return f"{OPPOSITES[name]}({arguments[0]})"
    if name == "is" and not any(sign in literal for sign in "${"):
        values = task.secrets[task.secret(arguments[0])].values
        if len(values) == 2 and arguments[1] in values:
            return f"is({arguments[0]}, {values[1 - values.index(arguments[1])]})"
    return {"not": literal}


def _shaped(formula: Formula, task: Task) -> Formula:
    if isinstance(formula, dict) and "and" in formula:
        parts = [_shaped(part, task) for part in formula["and"]]
        off = [split_literal(part)[1][0] for part in parts if _says(part, "unpowered")]
        if len(off) > 1:
            parts = [*(part for part in parts if not _says(part, "unpowered")), {"none": off}]
        return _joined("and", parts)
    if isinstance(formula, dict) and "or" in formula:
        return _either(formula["or"], task)
    return formula


def _says(formula: Formula, predicate: str) -> bool:
    return isinstance(formula, str) and formula.startswith(f"{predicate}(")


def _either(options: Sequence[Formula], task: Task) -> Formula:
    """The shape of a disjunction."""
    cases: dict[Any, dict[_CASE, Any]] = {}
    rest: list[Formula] = []
    for option in options:
        key, case, name = _case(option)
        if key is None or case in cases.setdefault(key, {}):
            rest.append(option)
        else:
            cases[key][case] = name, option
    shaped: list[Formula] = []
    for key, by_case in cases.items():
        short = _short(key, {case: name for case, (name, _) in by_case.items()}, task)
        if short is None:
            rest += [option for _, option in by_case.values()]
        else:
            shaped.append(short)
    parts = [*shaped, *(_shaped(option, task) for option in rest)]
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2 and is_same_set(*parts):
        return {"or": parts}
    return _implication(parts, task)


def is_same_set(first: Formula, second: Formula) -> bool:
    """Whether two formulas are ``only`` and ``none`` of the same switches."""
    if not (isinstance(first, dict) and isinstance(second, dict) and "only" in first and "none" in second):
        return False
    return set(switches_of(first["only"])) == set(second["none"])


def switches_of(only: Mapping[str, Any]) -> list[str]:
    """The switches of an ``only``."""
    return list(only["of"].values()) if isinstance(only["of"], dict) else list(only["of"])


def _case(option: Formula) -> tuple[Any, _CASE, str]:
    """What kind of case a conjunction is, the values that it is about, and the name that it gives for them."""
    parts = _children(option, "and")
    if not all(isinstance(part, str) and "$" not in part and "{" not in part for part in parts):
        return None, (), ""
    tests = [split_literal(part)[1] for part in parts if _says(part, "is")]
    rest = [split_literal(part) for part in parts if not _says(part, "is")]
    secrets, case = tuple(secret for secret, _ in tests), tuple(value for _, value in tests)
    on, off = ([arguments[0] for name, arguments in rest if name == which] for which in ("powered", "unpowered"))
    if tests and len(on) == 1 and off and len(rest) == 1 + len(off):
        return ("only", secrets, tuple(sorted([*on, *off]))), case, on[0]
    if tests and len(rest) == 1:
        name, arguments = rest[0]
        end = "_".join(case)
        if arguments[-1] == end or arguments[-1].endswith(f"_{end}"):
            return (name, secrets, tuple(arguments[:-1]), arguments[-1].removesuffix(end)), case, arguments[-1]
    return None, (), ""


def _short(key: Any, names: dict[_CASE, str], task: Task) -> Formula | None:
    """The shorthand for cases that cover all values of their secrets; ``None`` if there is none."""
    kind, secrets, *rest = key
    if len(names) < 2 or len(names) != prod(len(task.secrets[task.secret(secret)].values) for secret in secrets):
        return None
    if kind != "only":
        return f"{kind}({', '.join((*rest[0], _template(rest[1], secrets)))})"
    case, name = next(iter(names.items()))
    start = name.removesuffix("_".join(case))
    if all(name == start + "_".join(case) for case, name in names.items()):
        listed = list(names.values())
        return {"only": {"of": [*listed, *(other for other in rest[0] if other not in listed)],
                         "is": _template(start, secrets)}}  # fmt: skip
    by_value = {value: name for (value, *_), name in names.items()}
    if len(secrets) == 1 and set(by_value.values()) == set(rest[0]):
        return {"only": {"of": by_value, "is": f"${secrets[0]}"}}
    return None


def _template(start: str, secrets: Sequence[str]) -> str:
    if not start and len(secrets) == 1:
        return f"${secrets[0]}"
    return start + "_".join(f"{{{secret}}}" for secret in secrets)


def _implication(parts: Sequence[Formula], task: Task) -> Formula:
    """A disjunction, with those parts that are denials made into a condition."""
    denials = [part for part in parts if _denied(part, task) is not None]
    rest = [part for part in parts if part not in denials]
    if not denials or (not rest and len(denials) < 2):
        return _joined("or", parts)
    if not rest:
        rest = [denials.pop()]
    return {"if": [_joined("and", [_denied(part, task) for part in denials]), _joined("or", rest)]}


def _denied(part: Formula, task: Task) -> Formula | None:
    """What a part denies, if it can be put as a condition."""
    if isinstance(part, dict) and "none" in part:
        return _joined("or", [f"powered({name})" for name in part["none"]])
    if isinstance(part, dict):
        return part.get("not")
    if any(_says(part, name) for name in ("unpowered", "closed", "is")) and "$" not in part and "{" not in part:
        return negated(part, task)
    return None
