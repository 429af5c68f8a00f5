"""ToMi's files: numbered statements with a question at the end of every block, and a trace line for each block.

The story is repeated for each of its questions, and numbering restarts at 1 with every block (spec 6). ToM-bAbI's
files look the same, but a story may go on after a question, and statements carry the numbers of those present.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from otherminds.core.errors import UserError
from otherminds.worlds.tomi.parse import NotUnderstood, Parser, Told
from otherminds.worlds.tomi.types import Question


class BadBlock(UserError):
    """A block that cannot be read. ``end`` is where the next one begins."""

    def __init__(self, message: str, end: int) -> None:
        super().__init__(message)
        self.end = end


@dataclass(frozen=True)
class Block:
    """One question with the story before it, as a file has it."""

    line: int  # of the file, from 1, where it begins
    statements: tuple[str, ...]
    question: str
    answer: str
    rest: tuple[str, ...]  # further fields after the answer, such as the number of a supporting fact
    told: Told
    asked: Question

    def lines(self, answer: str | None = None) -> list[str]:
        """The block again, with its own answer or another."""
        numbered = [f"{number} {text}" for number, text in enumerate(self.statements, 1)]
        fields = (self.question, self.answer if answer is None else answer, *self.rest)
        return [*numbered, f"{len(numbered) + 1} " + "\t".join(fields)]


def read_blocks(path: str | Path, *, is_open: bool = True) -> Iterator[Block | BadBlock]:
    """The blocks of a file in order; one that cannot be read comes as the error that says why.

    Raises:
        UserError: if the file itself cannot be read.
    """
    lines = read_lines(path)
    start = 0
    while start < len(lines):
        end = start + 1
        while end < len(lines) and not lines[end].startswith("1 "):
            end += 1
        try:
            yield _block(path, lines, start, end, is_open)
        except BadBlock as error:
            yield error
        start = end


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file.

    Raises:
        UserError: if it cannot be read or is empty.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text file; expected numbered statements of ToMi") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; give the path of a ToMi file") from error
    lines = text.splitlines()
    if not any(line.strip() for line in lines):
        raise UserError(f"{path} is empty; expected numbered statements of ToMi")
    return lines


def _block(path: str | Path, lines: list[str], start: int, end: int, is_open: bool) -> Block:
    def bad(number: int, why: str) -> BadBlock:
        return BadBlock(f"{path}, line {number + 1}: {why}", end)

    parser, statements = Parser(), []
    for at in range(start, end):
        number, space, body = lines[at].partition(" ")
        if not space or number != str(at - start + 1):
            raise bad(at, f"found {_short(lines[at])}, expected a statement that begins with '{at - start + 1} '")
        if "?\t" in body or body.endswith("?"):
            break
        text = body.partition("\t")[0]  # ToM-bAbI writes who is present after the statement
        try:
            parser.read(text)
        except NotUnderstood as error:
            raise bad(at, str(error)) from None
        statements.append(text)
    else:
        raise bad(end - 1, "the block has no question; expected 'question?<tab>answer<tab>1' at its end")
    question, *fields = body.split("\t")
    if not fields or not fields[0]:
        raise bad(at, f"found {_short(body)}, expected a question, a tab and its answer")
    if at + 1 < end:
        raise bad(
            at + 1, f"found {_short(lines[at + 1])} after the question, expected a new block that begins with '1 '"
        )
    try:
        asked = parser.question(question)
        told = parser.told(is_open=is_open)
    except NotUnderstood as error:
        raise bad(at, str(error)) from None
    return Block(start + 1, tuple(statements), question, fields[0], tuple(fields[1:]), told, asked)


def write_blocks(blocks: Iterable[list[str]]) -> str:
    """The text of a file."""
    return "".join(f"{line}\n" for lines in blocks for line in lines)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
