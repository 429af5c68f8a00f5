"""Lists in parentheses, with where they stand: what is left of Lisp in PDDL.

The ``pddl`` package reads the language proper. Goals that speak of knowledge, and sections of our own, are read here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from otherminds.core.errors import UserError

_TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


@dataclass(frozen=True)
class Form:
    """A word, or a list of forms; ``line`` counts from 1, ``start`` and ``end`` are places in the text."""

    word: str
    parts: tuple[Form, ...]
    line: int
    start: int
    end: int

    @property
    def is_list(self) -> bool:
        """Whether it stands in parentheses."""
        return not self.word

    @property
    def head(self) -> str:
        """The first word of a list; empty if there is none."""
        return self.parts[0].word if self.parts else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words after the first of a list."""
        return tuple(part.word for part in self.parts[1:])

    def __str__(self) -> str:
        return self.word if self.word else f"({' '.join(map(str, self.parts))})"


def fact(*words: str) -> Form:
    """A predicate and its objects, from no place in a text."""
    return Form("", tuple(Form(word, (), 0, 0, 0) for word in words), 0, 0, 0)


def read_form(text: str, where: str) -> Form:
    """The one form of a text; words are made lower case, as PDDL does not tell them apart.

    Raises:
        UserError: if parentheses do not match, or there is more or less than one form.
    """
    stack: list[tuple[int, int, list[Form]]] = []
    found: list[Form] = []
    for match in _TOKEN.finditer(text):
        token, line = match[0], text.count("\n", 0, match.start()) + 1
        if token.startswith(";"):
            continue
        if token == "(":
            stack.append((match.start(), line, []))
            continue
        if token == ")":
            if not stack:
                raise UserError(f"{where}, line {line}: a parenthesis closes that was never opened")
            start, first, parts = stack.pop()
            form = Form("", tuple(parts), first, start, match.end())
        else:
            form = Form(token.lower(), (), line, match.start(), match.end())
        (stack[-1][2] if stack else found).append(form)
    if stack:
        raise UserError(f"{where}, line {stack[-1][1]}: a parenthesis opens that is never closed")
    if len(found) != 1 or not found[0].is_list:
        raise UserError(f"{where} holds {len(found)} forms; expected one, (define …)")
    return found[0]


def blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with spans made blank; lines stay where they are, so that errors name the right one."""
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text
