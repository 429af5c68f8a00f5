"""S-expressions with their line numbers: the syntax of PDDL."""

from __future__ import annotations

import re
from dataclasses import dataclass

from otherminds.core.errors import UserError

_TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


@dataclass(frozen=True)
class Expression:
    """A word, or a list of forms.

    Attributes:
        word: empty for a list.
        parts: of a list.
        line: counted from 1.
        source: file or field that it was read from, for error messages.
    """

    word: str
    parts: tuple[Expression, ...] = ()
    line: int = 0
    source: str = ""

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

    def error(self, message: str) -> UserError:
        """An error that names source and line."""
        return UserError(f"{self.source}, line {self.line}: {message}")

    def __str__(self) -> str:
        return self.word if self.word else f"({' '.join(map(str, self.parts))})"


def make_fact(*words: str) -> Expression:
    """A predicate and its objects that stand in no text."""
    return Expression("", tuple(map(Expression, words)))


def read_expression(text: str, source: str) -> Expression:
    """The single list of a text. Words are converted to lower case, since PDDL ignores case.

    Raises:
        UserError: if parentheses do not match, or the text is not a single list.
    """
    stack: list[tuple[int, list[Expression]]] = []
    forms: list[Expression] = []
    for match in _TOKEN.finditer(text):
        token, line = match[0], text.count("\n", 0, match.start()) + 1
        if token.startswith(";"):
            continue
        if token == "(":
            stack.append((line, []))
            continue
        if token == ")":
            if not stack:
                raise UserError(f"{source}, line {line}: unmatched closing parenthesis")
            first, parts = stack.pop()
            form = Expression("", tuple(parts), first, source)
        else:
            form = Expression(token.lower(), (), line, source)
        (stack[-1][1] if stack else forms).append(form)
    if stack:
        raise UserError(f"{source}, line {stack[-1][0]}: unmatched opening parenthesis")
    if len(forms) != 1 or not forms[0].is_list:
        hint = f". To check a YAML task, use 'otherminds verify {source}'" if source.endswith((".yaml", ".yml")) else ""
        raise UserError(f"{source} is not a PDDL problem; expected a file with a single (define …){hint}")
    return forms[0]
