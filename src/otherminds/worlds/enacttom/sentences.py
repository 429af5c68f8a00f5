"""Sentences that can be written and read back: each has one form with named gaps, used both ways.

Whatever a task's text says is said in these forms, so that a text can be checked to mean what the task does (8, the
fourth criterion of the judge). Names stand in gaps as they are; one with a space or a comma in it cannot be read back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import split_literal
from otherminds.worlds.enacttom.types import Formula

_NAME = r"\[?[^\s,;:()\[\]\"]+\]?"
_GAPS = {"many": rf"{_NAME}(?:, {_NAME})*", "number": r"\d+", "rest": r".+", "quoted": r"[^\"]+"}
Fields = dict[str, str]


@dataclass(frozen=True)
class Form:
    """A sentence with gaps: ``{name}``, ``{names:many}``, ``{turn:number}``, ``{said:rest}`` or ``{flag:quoted}``."""

    text: str

    def write(self, **fields: object) -> str:
        """The sentence with its gaps filled; several names are put one after the other."""
        words = {
            name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            for name, value in fields.items()
        }
        return re.sub(r"\{(\w+)(?::\w+)?\}", lambda gap: words[gap[1]], self.text)

    def read(self, line: str) -> Fields | None:
        """What is in the gaps of a line; ``None`` if it is not of this form."""
        match = self._pattern.fullmatch(line)
        return match.groupdict() if match else None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = re.split(r"\{(\w+)(?::(\w+))?\}", self.text)
        found = re.escape(parts[0])
        for name, kind, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            found += f"(?P<{name}>{_GAPS.get(kind, _NAME)}){re.escape(after)}"
        return re.compile(found)


# What each literal is in words; the gaps are its arguments.
LITERALS: dict[str, Form] = {
    "at": Form("{a} stands in {b}"),
    "open": Form("{a} is open"),
    "closed": Form("{a} is closed"),
    "locked": Form("{a} is locked"),
    "unlocked": Form("{a} is unlocked"),
    "powered": Form("{a} is on"),
    "unpowered": Form("{a} is off"),
    "on": Form("{a} is on {b}"),
    "in": Form("{a} is in {b}"),
    "held": Form("{b} holds {a}"),
    "floor": Form("{a} is on the floor of {b}"),
    "flag": Form('the flag "{a:quoted}" is raised'),
    "is": Form("the secret {a} is {b}"),
}
_NOT = "it is not so that "
_ALL, _ONE, _NONE = "all of these:", "at least one of these:", "not this:"
# What a variable's value is as a literal.


def in_words(literal: str) -> str:
    """A literal as a sentence, without its full stop; ``$target`` is ``[target]``, that which the secret names."""
    is_so = not literal.startswith("not ")
    name, arguments = split_literal(literal.removeprefix("not "))
    shown = [f"[{one[1:]}]" if one.startswith("$") else one for one in arguments]
    said = LITERALS[name].write(**dict(zip("ab", shown, strict=False)))
    return said if is_so else _NOT + said


def from_words(said: str) -> str:
    """The literal that a sentence says.

    Raises:
        UserError: if it says none.
    """
    sense = "not " if said.startswith(_NOT) else ""
    for name, form in LITERALS.items():
        found = form.read(said.removeprefix(_NOT))
        if found:
            return f"{sense}{name}({', '.join(_argument(found[gap]) for gap in sorted(found))})"
    raise UserError(f"{said!r} says nothing that can be so in a house")


def _argument(word: str) -> str:
    return f"${word[1:-1]}" if word.startswith("[") else word


def formula_lines(formula: Formula, depth: int = 0) -> Iterator[str]:
    """A formula as a list with sub-lists, a line for each of its parts."""
    indent = f"{'  ' * depth}- "
    if isinstance(formula, str):
        yield indent + in_words(formula)
        return
    ((kind, parts),) = formula.items()
    if kind == "not" and isinstance(parts, str):
        yield indent + _NOT + in_words(parts)
        return
    yield indent + {"and": _ALL, "or": _ONE, "not": _NONE}[kind]
    for part in parts if kind != "not" else [parts]:
        yield from formula_lines(part, depth + 1)


def read_formula(lines: Sequence[str]) -> Formula:
    """The formula of such a list.

    Raises:
        UserError: if it is none.
    """
    rest = list(lines)
    found = _read_part(rest, 0)
    if rest:
        raise UserError(f"{rest[0]!r} belongs to nothing above it")
    return found


def _read_part(rest: list[str], depth: int) -> Formula:
    line = rest.pop(0) if rest else ""
    indent = f"{'  ' * depth}- "
    if not line.startswith(indent):
        raise UserError(f"{line!r} is no part of a list; expected it to begin with {indent!r}")
    said = line[len(indent) :]
    if said not in (_ALL, _ONE, _NONE):
        literal = from_words(said)
        return {"not": literal.removeprefix("not ")} if literal.startswith("not ") else literal
    parts = []
    while rest and rest[0].startswith(f"  {indent}"):
        parts.append(_read_part(rest, depth + 1))
    if said == _NONE and len(parts) != 1:
        raise UserError(f"{line!r} has {len(parts)} parts; expected one")
    if said == _NONE:
        return {"not": parts[0]}
    return {"and" if said == _ALL else "or": parts}
