"""ToMi's files: numbered statements with a question at the end of every block, and a trace line for each block.

The story is repeated for each of its questions, and numbering restarts at 1 with every block (spec 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from otherminds.core.errors import UserError
from otherminds.core.files import read_text, write_whole
from otherminds.core.form_fields import short
from otherminds.worlds.tomi.parse import NotUnderstood, ParsedStory, Parser
from otherminds.worlds.tomi.types import Question


@dataclass(frozen=True)
class Block:
    """One question with its story, as in a file."""

    line: int  # of the file, from 1, where it begins
    statements: tuple[str, ...]
    question: str
    answer: str
    rest: tuple[str, ...]  # further fields after the answer, such as the number of a supporting fact
    parsed: ParsedStory
    asked: Question

    def lines(self, answer: str) -> list[str]:
        """The block's lines again, with another answer."""
        return block_lines(self.statements, self.question, answer, self.rest)


def read_blocks(path: str | Path, *, is_open: bool = True) -> Iterator[Block]:
    """The blocks of a file in order. A story is understood once, however many blocks repeat it."""
    parser, heard = Parser(), list[str]()  # what the parser has read
    statements, at = list[str](), -1

    def bad(at: int, why: str) -> UserError:
        return UserError(f"{path}, line {at + 1}: {why}")

    without = "the block has no question; expected 'question?<tab>answer<tab>1' at its end"
    for at, line in enumerate(read_lines(path)):
        number, space, body = line.partition(" ")
        expected = len(statements) + 1
        if statements and space and number == "1":
            raise bad(at - 1, without)
        if not space or number != str(expected):
            raise bad(at, f"found {short(line)}, expected a line that begins with '{expected} '")
        if "?\t" not in body and not body.endswith("?"):
            statements.append(body)
            continue
        question, *fields = body.split("\t")
        if not fields or not fields[0]:
            raise bad(at, f"found {short(body)}, expected a question, a tab and its answer")
        first = at - len(statements)
        try:
            if statements != heard:
                parser, heard = Parser(statements), statements
            asked, parsed = parser.question(question), parser.parsed(is_open=is_open)
        except NotUnderstood as error:
            raise bad(first + error.number, str(error)) from None
        yield Block(first + 1, tuple(statements), question, fields[0], tuple(fields[1:]), parsed, asked)
        statements = []
    if statements:
        raise bad(at, without)


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file."""
    text = read_text(path, "numbered statements of ToMi")
    if not text.strip():
        raise UserError(f"{path} is empty; expected numbered statements of ToMi")
    return text.rstrip("\r\n").splitlines()


def block_lines(statements: Sequence[str], question: str, answer: str, rest: Sequence[str] = ("1",)) -> list[str]:
    """The lines of one question with its story; the original has a constant 1 after the answer (spec 6)."""
    lines = [*statements, "\t".join((question, answer, *rest))]
    return [f"{at} {line}" for at, line in enumerate(lines, 1)]


def write_new(texts: Mapping[Path, str], *, force: bool) -> list[Path]:
    """Write files, and return their paths; unless forced, refuse to replace any."""
    if not force:
        refuse_existing(texts)
    for path, text in texts.items():
        write_whole(path, text)
    return list(texts)


def refuse_existing(paths: Iterable[Path]) -> None:
    """Raise an error if a file exists."""
    for path in paths:
        if path.exists():
            raise UserError(f"{path} already exists; choose another folder, or use --force to replace it")


def write_blocks(blocks: Iterable[list[str]]) -> str:
    """The text of a file."""
    return "".join(f"{line}\n" for lines in blocks for line in lines)
