"""ToMi's files: numbered statements with a question at the end of every block, and a trace line for each block.

The story is repeated for each of its questions, and numbering restarts at 1 with every block (spec 6). ToM-bAbI's
files look the same, but a story may continue after a question, and statements end in the numbers of those present
(spec 8).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from otherminds.core.errors import UserError
from otherminds.core.fields import short
from otherminds.core.files import write_whole
from otherminds.worlds.tomi.parse import NotUnderstood, Parser, Told
from otherminds.worlds.tomi.types import Question


@dataclass(frozen=True)
class Block:
    """One question with the story before it, as a file has it.

    If the story continues after a question, ``statements`` holds all of it so far; this block adds those from
    ``since`` on.
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
    number: int = 1  # of the first line that it adds

    def lines(self, answer: str) -> list[str]:
        """The block's own lines again, with another answer."""
        own = self.statements[self.since :]
        notes = self.notes[self.since :] or ("",) * len(own)
        texts = [f"{text}{note}" for text, note in zip(own, notes, strict=True)]
        return block_lines(texts, self.question, answer, self.rest, self.number)


def read_blocks(path: str | Path, *, is_open: bool = True) -> Iterator[Block]:
    """The blocks of a file in order. A story is understood once, however many blocks repeat it or go on with it.

    Raises:
        UserError: names the line that cannot be read, and what was expected there.
    """
    lines = read_lines(path)
    parser, heard = Parser(), list[str]()  # what the parser has read
    statements, notes = list[str](), list[str]()
    start = first = since = 0  # the lines at which the story and the block begin, and the block's first statement

    def bad(at: int, why: str) -> UserError:
        return UserError(f"{path}, line {at + 1}: {why}")

    for at, line in enumerate([*lines, "1 "]):
        if at and line.startswith("1 "):
            if first < at:
                raise bad(at - 1, "the block has no question; expected 'question?<tab>answer<tab>1' at its end")
            statements, notes, start, first, since = [], [], at, at, 0
        number, space, body = line.partition(" ")
        if at == len(lines):
            return
        if not space or number != str(at - start + 1):
            raise bad(at, f"found {short(line)}, expected a line that begins with '{at - start + 1} '")
        if "?\t" not in body and not body.endswith("?"):
            text, tab, note = body.partition("\t")  # ToM-bAbI writes who is present after the statement
            statements.append(text)
            notes.append(tab + note)
            continue
        question, *fields = body.split("\t")
        if not fields or not fields[0]:
            raise bad(at, f"found {short(body)}, expected a question, a tab and its answer")
        if statements[: len(heard)] != heard:
            parser, heard = Parser(), []
        try:
            for sentence in statements[len(heard) :]:
                parser.read(sentence)
                heard.append(sentence)
            asked, told = parser.question(question), parser.told(is_open=is_open)
        except NotUnderstood as error:
            # Statements are counted without the questions between them.
            wrong = first + error.number - since if error.number < len(statements) else at
            raise bad(wrong, str(error)) from None
        told_so_far = tuple(statements), question, fields[0], tuple(fields[1:]), told, asked
        yield Block(first + 1, *told_so_far, tuple(notes) if any(notes) else (), since, first - start + 1)
        first, since = at + 1, len(statements)


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text file; expected numbered statements of ToMi") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; give the path of a ToMi file") from error
    if not text.strip():
        raise UserError(f"{path} is empty; expected numbered statements of ToMi")
    return text.rstrip("\r\n").splitlines()


def block_lines(
    statements: Sequence[str], question: str, answer: str, rest: Sequence[str] = ("1",), number: int = 1
) -> list[str]:
    """The lines of one question with its story; the original has a constant 1 after the answer (spec 6)."""
    lines = [*statements, "\t".join((question, answer, *rest))]
    return [f"{at} {line}" for at, line in enumerate(lines, number)]


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
            raise UserError(f"{path} exists already; choose another folder, or --force to replace it")


def write_blocks(blocks: Iterable[list[str]]) -> str:
    """The text of a file."""
    return "".join(f"{line}\n" for lines in blocks for line in lines)
