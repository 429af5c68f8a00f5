"""ToMi's files: numbered statements with a question at the end of every block, and a trace line for each block.

The story is repeated for each of its questions, and numbering restarts at 1 with every block (spec 6). ToM-bAbI's
files look the same, but a story may go on after a question, and statements carry the numbers of those present (spec 8).
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
    """One question with the story before it, as a file has it.

    Where the story goes on after a question, ``statements`` are all of it so far, of which those from ``since`` on are
    this block's own.
    """

    line: int  # of the file, from 1, where it begins
    statements: tuple[str, ...]
    question: str
    answer: str
    rest: tuple[str, ...]  # further fields after the answer, such as the number of a supporting fact
    told: Told
    asked: Question
    notes: tuple[str, ...] = ()  # what follows each statement on its line, from the tab on; none at all in ToMi
    since: int = 0
    number: int = 1  # of the first line of its own

    def lines(self, answer: str | None = None) -> list[str]:
        """The block's own lines again, with its own answer or another."""
        own = self.statements[self.since :]
        notes = self.notes[self.since :] or ("",) * len(own)
        numbered = [f"{self.number + i} {text}{note}" for i, (text, note) in enumerate(zip(own, notes, strict=True))]
        fields = (self.question, self.answer if answer is None else answer, *self.rest)
        return [*numbered, f"{self.number + len(own)} " + "\t".join(fields)]


def read_blocks(path: str | Path, *, is_open: bool = True) -> Iterator[Block | BadBlock]:
    """The blocks of a file in order; one that cannot be read comes as the error that says why.

    After an error, reading goes on where the next line is numbered 1.

    Raises:
        UserError: if the file itself cannot be read.
    """
    lines = read_lines(path)
    reader = _Reader(path, lines, is_open)
    start = 0
    while start < len(lines):
        end = start + 1
        while end < len(lines) and not lines[end].startswith("1 "):
            end += 1
        try:
            yield from reader.blocks(start, end)
        except BadBlock as error:
            yield error
        start = end


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file.

    Raises:
        UserError: if it cannot be read or is empty.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text file; expected numbered statements of ToMi") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; give the path of a ToMi file") from error
    if not text.strip():
        raise UserError(f"{path} is empty; expected numbered statements of ToMi")
    return text.rstrip("\r\n").splitlines()


class _Reader:
    """Reads one file. It understands a story once, however many blocks repeat it or go on with it."""

    def __init__(self, path: str | Path, lines: list[str], is_open: bool) -> None:
        self.path, self.lines, self.is_open = path, lines, is_open
        self._parser = Parser()
        self._heard: list[str] = []  # what the parser has read

    def blocks(self, start: int, end: int) -> Iterator[Block]:
        """The blocks from a line numbered 1 up to the next such line."""
        statements: list[str] = []
        notes: list[str] = []
        first, since = start, 0
        for at in range(start, end):
            number, space, body = self.lines[at].partition(" ")
            if not space or number != str(at - start + 1):
                expected = f"a line that begins with '{at - start + 1} '"
                raise self._bad(at, end, f"found {_short(self.lines[at])}, expected {expected}")
            if "?\t" not in body and not body.endswith("?"):
                text, tab, note = body.partition("\t")  # ToM-bAbI writes who is present after the statement
                statements.append(text)
                notes.append(tab + note)
                continue
            question, *fields = body.split("\t")
            if not fields or not fields[0]:
                raise self._bad(at, end, f"found {_short(body)}, expected a question, a tab and its answer")
            try:
                self._hear(statements)
                asked, told = self._parser.question(question), self._parser.told(is_open=self.is_open)
            except NotUnderstood as error:
                self._parser, self._heard = Parser(), []
                # Statements are counted without the questions between them.
                wrong = first + error.number - since if error.number < len(statements) else at
                raise self._bad(wrong, end, str(error)) from None
            told_so_far = tuple(statements), question, fields[0], tuple(fields[1:]), told, asked
            yield Block(first + 1, *told_so_far, tuple(notes) if any(notes) else (), since, first - start + 1)
            first, since = at + 1, len(statements)
        if first < end:
            raise self._bad(end - 1, end, "the block has no question; expected 'question?<tab>answer<tab>1' at its end")

    def _hear(self, statements: list[str]) -> None:
        if statements[: len(self._heard)] != self._heard:
            self._parser, self._heard = Parser(), []
        for sentence in statements[len(self._heard) :]:
            self._parser.read(sentence)
            self._heard.append(sentence)

    def _bad(self, at: int, end: int, why: str) -> BadBlock:
        return BadBlock(f"{self.path}, line {at + 1}: {why}", end)


def write_blocks(blocks: Iterable[list[str]]) -> str:
    """The text of a file."""
    return "".join(f"{line}\n" for lines in blocks for line in lines)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
