"""Sentences that can be written and read back: each has one form with named gaps, used both ways.

The texts of tasks are made of these forms, so that a text can be checked to mean what the task says (spec 8, the fourth
criterion of the judge). A name with a space or a comma cannot be read back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import PREDICATES, literal_of, split_literal
from otherminds.worlds.enacttom.types import Formula

_NAME = r"\[?[^\s,;:()\[\]\"]+\]?"


class Gap(NamedTuple):
    """A kind of gap in a sentence: the pattern of its words, and how to write and read its value."""

    pattern: str
    write: Callable[[Any], str] = str
    read: Callable[[str], Any] = str


@dataclass(frozen=True)
class Form:
    """A sentence with gaps, ``{gap}`` for a name or ``{gap:kind}`` for another kind of ``GAPS``.

    Attributes:
        text: the sentence.
        part: the part of a task that it describes.
        make: a function from the values of the gaps to what the sentence adds to that part.
    """

    text: str
    part: str = ""
    make: Callable[..., Any] = dict

    def write(self, **fields: Any) -> str:
        """The sentence with its gaps filled."""
        return re.sub(r"\{(\w+)(?::(\w+))?\}", lambda gap: GAPS[gap[2]].write(fields[gap[1]]), self.text)

    def read(self, line: str) -> dict[str, Any] | None:
        """The values of the gaps of a line; ``None`` if it is not of this form."""
        match = self._pattern.fullmatch(line)
        return {gap: GAPS[self._kinds[gap]].read(words) for gap, words in match.groupdict().items()} if match else None

    @cached_property
    def _kinds(self) -> dict[str, str | None]:
        return {gap[1]: gap[2] for gap in re.finditer(r"\{(\w+)(?::(\w+))?\}", self.text)}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        rest = map(re.escape, re.split(r"\{[\w:]+\}", self.text))
        gaps = (f"(?P<{gap}>{GAPS[kind].pattern})" for gap, kind in self._kinds.items())
        return re.compile(next(rest) + "".join(gap + after for gap, after in zip(gaps, rest, strict=True)))


LITERALS = {name: Form(sentence) for name, (_, _, sentence) in PREDICATES.items()}
_NOT = "it is not so that "
_ALL, _ONE, _NONE = "all of these:", "at least one of these:", "not this:"


def in_words(literal: str) -> str:
    """A literal as a sentence without a full stop; ``$target`` becomes ``[target]``, the value of the secret."""
    is_so = not literal.startswith("not ")
    name, arguments = split_literal(literal.removeprefix("not "))
    sentence = LITERALS[name].write(**dict(zip("ab", arguments, strict=False)))
    return sentence if is_so else _NOT + sentence


def from_words(sentence: str) -> str:
    """The literal of a sentence.

    Raises:
        UserError: if it does not state a literal.
    """
    sense = "not " if sentence.startswith(_NOT) else ""
    for name, form in LITERALS.items():
        arguments = form.read(sentence.removeprefix(_NOT))
        if arguments:
            return f"{sense}{name}({', '.join(arguments[gap] for gap in sorted(arguments))})"
    raise UserError(f"{sentence!r} is not a statement about a house")


def _known(words: str) -> tuple[tuple[str, ...], str]:
    *knower, about = words.removeprefix("that ").split(" knows ")
    return tuple(person.removeprefix("that ") for person in knower), about.removeprefix("what ").removesuffix(" is")


def _knowledge(known: tuple[Sequence[str], str]) -> str:
    knower, about = known
    return f"that {' knows that '.join(knower)} knows what {about} is" if knower else f"what {about} is"


def _place(words: str) -> tuple[str, str]:
    name, (thing, place) = split_literal(from_words(words))
    return thing, f"{name} {place}"


def _in_place(pair: tuple[str, str]) -> str:
    thing, place = pair
    return in_words(literal_of(f"place {thing}", place))


def _between(word: str, pattern: str, read: Callable[[str], Any]) -> Gap:
    """A gap for two values with a word between them."""
    return Gap(
        f"{pattern}{word}{pattern}", lambda both: word.join(map(str, both)), lambda s: tuple(map(read, s.split(word)))
    )


def _every(word: str, write: Callable[[Any], str], read: Callable[[str], Any]) -> Gap:
    """A gap for several values with a word between them."""
    return Gap(".+", lambda many: word.join(map(write, many)), lambda words: list(map(read, words.split(word))))


GAPS: dict[str | None, Gap] = {
    # ``$target`` is written ``[target]``.
    None: Gap(
        _NAME,
        lambda name: f"[{name[1:]}]" if name.startswith("$") else name,
        lambda word: f"${word[1:-1]}" if word.startswith("[") else word,
    ),
    "many": Gap(
        rf"{_NAME}(?:, {_NAME})*",
        lambda names: names if isinstance(names, str) else ", ".join(names),
        lambda words: tuple(words.split(", ")),
    ),
    "number": Gap(r"\d+", read=int),
    "turns": _between(" to ", r"\d+", int),
    "pair": _between(" and ", _NAME, str),
    "rest": Gap(".+"),
    "quoted": Gap(r"[^\"]+"),
    "literal": Gap(".+", in_words, from_words),
    "literals": _every(" and ", in_words, from_words),
    "values": _every(
        " and ",
        lambda pair: in_words(f"is({pair[0]}, {pair[1]})"),
        lambda words: tuple(split_literal(from_words(words))[1]),
    ),
    "place": Gap(".+", _in_place, _place),
    "knowledge": Gap(".+", _knowledge, _known),
}


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
        UserError: if it is not such a list.
    """
    rest = list(lines)
    formula = _read_part(rest, 0)
    if rest:
        raise UserError(f"{rest[0]!r} does not belong to the line above it")
    return formula


def _read_part(rest: list[str], depth: int) -> Formula:
    line = rest.pop(0) if rest else ""
    indent = f"{'  ' * depth}- "
    if not line.startswith(indent):
        raise UserError(f"{line!r} is not part of a list; expected it to begin with {indent!r}")
    text = line[len(indent) :]
    if text not in (_ALL, _ONE, _NONE):
        literal = from_words(text)
        return {"not": literal.removeprefix("not ")} if literal.startswith("not ") else literal
    parts = []
    while rest and rest[0].startswith(f"  {indent}"):
        parts.append(_read_part(rest, depth + 1))
    if text == _NONE and len(parts) != 1:
        raise UserError(f"{line!r} has {len(parts)} parts; expected one")
    if text == _NONE:
        return {"not": parts[0]}
    return {"and" if text == _ALL else "or": parts}
