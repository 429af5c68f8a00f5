"""Right answers for files of ToMi's kind: labels by the ledger, checked by the second solver, with a report of causes.

The released files have 522 (train), 482 (val) and 464 (test) wrong labels, all of the second order (spec 12).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from otherminds.core.errors import UserError
from otherminds.worlds.tomi import perspective
from otherminds.worlds.tomi.defects import CAUSES, Frame, TraceLine, read_trace_line
from otherminds.worlds.tomi.files import Block, read_blocks, read_lines, write_blocks, write_new
from otherminds.worlds.tomi.itemise import Asked, Source, story_items
from otherminds.worlds.tomi.items import Item, dump_items, grouped
from otherminds.worlds.tomi.knobs import SPLITS
from otherminds.worlds.tomi.original_rules import type_by_belief
from otherminds.worlds.tomi.rules import ImpossibleStory, simulate
from otherminds.worlds.tomi.rules import answer as right_answer


@dataclass(frozen=True)
class Relabelled:
    """One question of a file, with the right answer and what was wrong."""

    block: Block
    item: Item  # with the right answer
    trace: str  # the right line
    causes: tuple[str, ...]

    @property
    def is_changed(self) -> bool:
        """Whether the file has another answer."""
        return self.block.answer != self.item.answer


@dataclass(frozen=True)
class RelabelledFile:
    """A file and its questions, by story."""

    path: Path
    stories: tuple[tuple[Relabelled, ...], ...]

    def rows(self) -> Iterator[Relabelled]:
        """Every question."""
        return chain.from_iterable(self.stories)


@dataclass(frozen=True)
class Count:
    """How much has one cause."""

    stories: int
    questions: int


@dataclass(frozen=True)
class Report:
    """What relabelling found, over all files."""

    files: tuple[RelabelledFile, ...]

    def stories(self) -> Iterator[tuple[Relabelled, ...]]:
        """Every story, as its questions."""
        return chain.from_iterable(file.stories for file in self.files)

    @property
    def num_stories(self) -> int:
        """How many were read."""
        return sum(len(file.stories) for file in self.files)

    @property
    def num_questions(self) -> int:
        """How many were read."""
        return sum(len(story) for story in self.stories())

    @property
    def changed(self) -> dict[str, int]:
        """Wrong labels by kind of question: memory, reality, first order, …"""
        return dict(Counter(row.item.group for story in self.stories() for row in story if row.is_changed))

    @property
    def wrong_stories(self) -> int:
        """How many have a wrong label."""
        return sum(any(row.is_changed for row in story) for story in self.stories())

    @property
    def causes(self) -> dict[str, Count]:
        """How much each known defect explains."""
        found = [[row.causes for row in story] for story in self.stories()]
        return {
            cause: Count(
                sum(any(cause in causes for causes in story) for story in found),
                sum(cause in causes for story in found for causes in story),
            )
            for cause in CAUSES
        }

    @property
    def types(self) -> dict[tuple[str, str], int]:
        """Stories by the type they were given and the true one; the first is empty without a trace."""
        return dict(
            Counter(
                (story[0].item.original_type, type_by_belief(story[0].item.story_order)) for story in self.stories()
            )
        )


def relabel(paths: Iterable[str | Path], *, is_open: bool = True) -> Report:
    """Read files of ToMi's kind, with the ``.trace`` beside each if there is one, and put their labels right.

    Args:
        paths: the ``.txt`` files.
        is_open: whoever enters a room sees into its containers.

    Raises:
        UserError: names the file and line that cannot be read, and what was expected there.
    """
    return Report(tuple(_relabel_file(Path(path), is_open) for path in paths))


def write(report: Report, out_dir: str | Path, *, force: bool = False) -> list[Path]:
    """Write each file again, put right: ``.txt``, ``.trace`` and ``.jsonl`` under its own name. Returns their paths.

    Raises:
        UserError: if one is there already, unless forced, or would take the place of what was read.
    """
    texts: dict[Path, str] = {}
    for file in report.files:
        place = Path(out_dir) / file.path.name
        if place.with_suffix(".txt") in texts:
            raise UserError(f"two files are called {file.path.name}; relabel them one by one, into different folders")
        if place.with_suffix(".txt").resolve() == file.path.resolve():
            raise UserError(f"{file.path} would be written over by its own correction; choose another folder")
        rows = sorted(file.rows(), key=lambda row: row.block.line)
        texts[place.with_suffix(".txt")] = write_blocks(row.block.lines(row.item.answer) for row in rows)
        texts[place.with_suffix(".trace")] = "".join(f"{row.trace}\n" for row in rows)
        texts[place.with_suffix(".jsonl")] = "".join(dump_items(row.item for row in rows))
    return write_new(texts, force=force)


def _relabel_file(path: Path, is_open: bool) -> RelabelledFile:
    blocks = list(read_blocks(path, is_open=is_open))
    trace = path.with_suffix(".trace")
    asked: list[tuple[Block, TraceLine]] = []
    for number, (block, line) in enumerate(zip(blocks, _trace_lines(trace, len(blocks)), strict=True), 1):
        try:
            asked.append((block, read_trace_line(line, block.asked)))
        except UserError as error:
            raise UserError(f"{trace}, line {number}: {error}") from None
    stories = grouped(asked, lambda pair: pair[0].statements)  # whose questions may stand apart
    return RelabelledFile(path, tuple(_relabel_story(path, story) for story in stories.values()))


def _relabel_story(path: Path, asked: Sequence[tuple[Block, TraceLine]]) -> tuple[Relabelled, ...]:
    """The questions of one story."""
    block, told = asked[-1][0], asked[-1][0].told
    names, story = told.names, told.story
    try:
        history = simulate(story)
    except ImpossibleStory as error:
        at = told.origins.index(error.number)
        where = f"{path}, line {block.line + max(0, at - block.since)}"
        raise UserError(f"{where}: {block.statements[at]!r} cannot happen in this story: {error.why}") from None
    right = []
    for block, _ in asked:
        where = f"{path}, line {block.line + len(block.statements) - block.since}"
        answer = right_answer(block.asked, history, names)
        if answer is None:
            raise UserError(f"{where}: the story does not say enough to answer {block.question!r}")
        if block.asked.kind == "belief":
            second = perspective.believed(story, block.asked.chain, block.asked.object)
            if second is None or names.containers[second] != answer:
                raise RuntimeError(f"{where}: the ledger says {answer}, taking perspectives does not: a bug of ours")
        right.append(Asked(block.asked, answer))
    source = Source(next((split for split in SPLITS if split in path.stem), ""), "relabelled", 0, path.name)
    items = story_items(story, names, block.statements, right, source, asked[0][1].type)
    frame = Frame(story, names, history, [each.question for each in right])
    return tuple(
        Relabelled(
            block,
            replace(item, question=block.question),
            frame.trace_line(block.asked, item),
            frame.causes(block, item, line),
        )
        for (block, line), item in zip(asked, items, strict=True)
    )


def _trace_lines(path: Path, number: int) -> list[str]:
    """A line of the trace for each block; empty ones where there is no trace."""
    if not path.exists():
        return [""] * number
    lines = read_lines(path)
    if len(lines) != number:
        raise UserError(f"{path}: found {len(lines)} lines, expected {number}, one for each question of the .txt file")
    return lines
