"""Right answers for files of ToMi's kind: labels by the ledger, checked by the second solver, with a report of causes.

The released files have 522 (train), 482 (val) and 464 (test) wrong labels, all of the second order (spec 12).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.worlds.tomi import perspective
from otherminds.worlds.tomi.defects import CAUSES, Frame, TraceLine, read_trace_line
from otherminds.worlds.tomi.files import BadBlock, Block, read_blocks, read_lines, write_blocks
from otherminds.worlds.tomi.itemise import Asked, Source, story_items
from otherminds.worlds.tomi.items import Item, dump_items
from otherminds.worlds.tomi.original_rules import type_by_belief
from otherminds.worlds.tomi.parse import NotUnderstood, Parser
from otherminds.worlds.tomi.rules import ImpossibleStory, simulate
from otherminds.worlds.tomi.rules import answer as right_answer

_SPLITS = ("train", "val", "test")


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
    """A file read."""

    path: Path
    stories: tuple[tuple[Relabelled, ...], ...]
    bad: tuple[str, ...]  # why each block that was left out could not be read

    def rows(self) -> Iterator[Relabelled]:
        """Every question."""
        for story in self.stories:
            yield from story


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
        for file in self.files:
            yield from file.stories

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

    @property
    def bad(self) -> list[str]:
        """Why each block that was left out could not be read."""
        return [why for file in self.files for why in file.bad]


def relabel(paths: Iterable[str | Path], *, skip_bad: bool = False, is_open: bool = True) -> Report:
    """Read files of ToMi's kind, with the ``.trace`` beside each if there is one, and put their labels right.

    Args:
        paths: the ``.txt`` files.
        skip_bad: leave out what cannot be read, and list it, instead of stopping.
        is_open: whoever enters a room sees into its containers.

    Raises:
        UserError: names the file and line that cannot be read, and what was expected there.
    """
    found = tuple(_relabel_file(Path(path), skip_bad, is_open) for path in paths)
    if not any(file.stories for file in found):
        raise UserError("there is no story to relabel; expected files of numbered statements with questions")
    return Report(found)


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
        texts[place.with_suffix(".txt")] = write_blocks(_lines(rows))
        texts[place.with_suffix(".trace")] = "".join(f"{row.trace}\n" for row in rows)
        texts[place.with_suffix(".jsonl")] = "".join(dump_items(row.item for row in rows))
    there = [path for path in texts if path.exists()]
    if there and not force:
        raise UserError(f"{there[0]} is there already; choose another folder, or --force to write over it")
    for path, text in texts.items():
        write_whole(path, text)
    return list(texts)


def _lines(rows: Iterable[Relabelled]) -> Iterator[list[str]]:
    """The blocks with right answers; where what a story goes on from was left out, the story is told in full."""
    end = 0  # where the block before ends, unless it was told in full
    for row in rows:
        block = row.block
        if block.number > 1 and block.line != end:
            yield replace(block, since=0, number=1).lines(row.item.answer)
            continue
        lines = block.lines(row.item.answer)
        end = block.line + len(lines)
        yield lines


def _relabel_file(path: Path, skip_bad: bool, is_open: bool) -> RelabelledFile:
    blocks = list(read_blocks(path, is_open=is_open))
    trace = path.with_suffix(".trace")
    lines = _trace_lines(trace, len(blocks))
    stories: list[tuple[Relabelled, ...]] = []
    bad: list[str] = []
    groups: dict[tuple[str, ...], list[tuple[int, Block | BadBlock]]] = {}
    for at, block in enumerate(blocks):  # the questions of a story may stand apart
        groups.setdefault(_statements(block), []).append((at, block))
    for group in groups.values():
        asked: list[tuple[Block, TraceLine]] = []
        wrong: list[UserError] = []
        for at, block in group:
            if isinstance(block, BadBlock):
                wrong.append(block)
                continue
            try:
                asked.append((block, read_trace_line(lines[at], block.asked)))
            except UserError as error:
                wrong.append(UserError(f"{trace}, line {at + 1}: {error}"))
        rows = _relabel_story(path, asked, wrong) if asked else ()
        if wrong and not skip_bad:
            raise wrong[0]
        bad += map(str, wrong)
        if rows:
            stories.append(rows)
    return RelabelledFile(path, tuple(stories), tuple(bad))


def _relabel_story(
    path: Path, asked: Sequence[tuple[Block, TraceLine]], wrong: list[UserError]
) -> tuple[Relabelled, ...]:
    """The questions of one story. Those that have no answer are left out, and why is added to what is wrong."""
    told = asked[-1][0].told
    names, story = told.names, told.story
    try:
        history = simulate(story)
    except ImpossibleStory as error:
        wrong += [_impossible(path, block, error) for block, _ in asked]
        return ()
    kept, right = [], []
    for block, line in asked:
        where = f"{path}, line {block.line + len(block.statements) - block.since}"
        answer = right_answer(block.asked, history, names)
        if answer is None:
            wrong.append(UserError(f"{where}: the story does not say enough to answer {block.question!r}"))
            continue
        if block.asked.kind == "belief":
            second = perspective.believed(told.story, block.asked.chain, block.asked.object)
            if second is None or names.containers[second] != answer:
                raise RuntimeError(f"{where}: the ledger says {answer}, taking perspectives does not: a bug of ours")
        kept.append((block, line))
        right.append(Asked(block.asked, answer))
    if not kept:
        return ()
    source = Source(next((split for split in _SPLITS if split in path.stem), ""), "relabelled", 0, path.name)
    items = story_items(story, names, kept[0][0].statements, right, source, kept[0][1].type)
    frame = Frame(story, names, history, [one.question for one in right])
    return tuple(
        Relabelled(
            block,
            replace(item, question=block.question),
            frame.trace_line(block.asked, item),
            frame.causes(block, item, line),
        )
        for (block, line), item in zip(kept, items, strict=True)
    )


def _impossible(path: Path, block: Block, error: ImpossibleStory) -> UserError:
    """Which statement cannot be true where it stands."""
    parser = Parser()
    for at, sentence in enumerate(block.statements):
        parser.read(sentence)
        try:
            simulate(parser.told(is_open=block.told.story.is_open).story)
        except NotUnderstood:  # so far; what follows tells where something is
            continue
        except ImpossibleStory:
            line = block.line + max(0, at - block.since)
            return UserError(f"{path}, line {line}: {sentence!r} cannot happen in this story: {error.why}")
    return UserError(f"{path}, line {block.line}: {error}")


def _trace_lines(path: Path, number: int) -> list[str]:
    """A line of the trace for each block; empty ones where there is no trace."""
    if not path.exists():
        return [""] * number
    lines = read_lines(path)
    if len(lines) != number:
        raise UserError(f"{path}: found {len(lines)} lines, expected {number}, one for each question of the .txt file")
    return lines


def _statements(block: Block | BadBlock) -> tuple[str, ...]:
    return block.statements if isinstance(block, Block) else (str(block),)
