"""Right answers for files of ToMi's kind: labels by the ledger, checked by the second solver, with a report of causes.

The released files have 522 (train), 482 (val) and 464 (test) wrong labels, all of the second order (spec 12).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

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
    """One question of a file, with the right answer and the defects that it shows."""

    path: Path
    block: Block
    item: Item  # with the right answer
    trace: str  # the right line
    causes: tuple[str, ...]

    @property
    def is_changed(self) -> bool:
        """Whether the file has another answer."""
        return self.block.answer != self.item.answer

    @property
    def story(self) -> tuple[Path, str]:
        """The file and the story that the question belongs to."""
        return self.path, self.item.story_id


def relabel(paths: Iterable[str | Path], *, is_open: bool = True) -> list[Relabelled]:
    """Correct the labels of files in ToMi's format; the ``.trace`` beside each is read if it exists.

    Args:
        paths: the ``.txt`` files.
        is_open: whether people who enter a room see into its containers.

    Returns:
        The questions of all files, those of one story together.

    Raises:
        UserError: names the file and line that cannot be read, and what was expected there.
    """
    return [row for path in paths for row in _relabel_file(Path(path), is_open)]


def summary(rows: Sequence[Relabelled]) -> dict[str, Any]:
    """Counts of wrong labels, causes and story types, and every change, as plain data."""
    changed, stories = [row for row in rows if row.is_changed], grouped(rows, lambda row: row.story)
    wrong_stories = len({row.story for row in changed})
    types = Counter(
        (story[0].item.original_type, type_by_belief(story[0].item.story_order)) for story in stories.values()
    )
    return {
        "files": list(dict.fromkeys(str(row.path) for row in rows)),
        "stories": len(stories),
        "questions": len(rows),
        "changed": len(changed),
        "changed_by_kind": dict(Counter(row.item.group for row in changed)),
        "wrong_stories": wrong_stories,
        "perfect_reasoner": {  # score of a mind that is always right against the labels of the files, in percent
            "average": 100 * (1 - len(changed) / len(rows)),
            "joint": 100 * (1 - wrong_stories / len(stories)),
        },
        "causes": {
            cause: {
                "stories": len({row.story for row in rows if cause in row.causes}),
                "questions": sum(cause in row.causes for row in rows),
            }
            for cause in CAUSES
        },
        "types": [{"given": given, "true": true, "stories": n} for (given, true), n in sorted(types.items())],
        "changes": [
            {
                "file": str(row.path),
                "line": row.block.line,
                "question": row.block.question,
                "found": row.block.answer,
                "right": row.item.answer,
                "causes": row.causes,
            }
            for row in changed
        ],
    }


def write(rows: Sequence[Relabelled], out_dir: str | Path, *, force: bool = False) -> list[Path]:
    """Write each file again, corrected: ``.txt``, ``.trace`` and ``.jsonl`` under its own name. Returns their paths.

    Raises:
        UserError: if a file exists already, unless forced, or would replace the one that was read.
    """
    texts: dict[Path, str] = {}
    for path, asked in grouped(rows, lambda row: row.path).items():
        place = Path(out_dir) / path.name
        if place.with_suffix(".txt") in texts:
            raise UserError(f"two files are called {path.name}; relabel them one by one, into different folders")
        if place.with_suffix(".txt").resolve() == path.resolve():
            raise UserError(f"{path} would be written over by its own correction; choose another folder")
        asked.sort(key=lambda row: row.block.line)
        texts[place.with_suffix(".txt")] = write_blocks(row.block.lines(row.item.answer) for row in asked)
        texts[place.with_suffix(".trace")] = "".join(f"{row.trace}\n" for row in asked)
        texts[place.with_suffix(".jsonl")] = "".join(dump_items(row.item for row in asked))
    return write_new(texts, force=force)


def _relabel_file(path: Path, is_open: bool) -> Iterator[Relabelled]:
    blocks = list(read_blocks(path, is_open=is_open))
    trace = path.with_suffix(".trace")
    asked: list[tuple[Block, TraceLine]] = []
    for number, (block, line) in enumerate(zip(blocks, _trace_lines(trace, len(blocks)), strict=True), 1):
        try:
            asked.append((block, read_trace_line(line, block.asked)))
        except UserError as error:
            raise UserError(f"{trace}, line {number}: {error}") from None
    for story in grouped(asked, lambda pair: pair[0].statements).values():  # whose questions may stand apart
        yield from _relabel_story(path, story)


def _relabel_story(path: Path, asked: Sequence[tuple[Block, TraceLine]]) -> Iterator[Relabelled]:
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
    for (block, line), item in zip(asked, items, strict=True):
        traced, causes = frame.trace_line(block.asked, item), frame.causes(block, item, line)
        yield Relabelled(path, block, replace(item, question=block.question), traced, causes)


def _trace_lines(path: Path, number: int) -> list[str]:
    """A line of the trace for each block; empty ones where there is no trace."""
    if not path.exists():
        return [""] * number
    lines = read_lines(path)
    if len(lines) != number:
        raise UserError(f"{path}: found {len(lines)} lines, expected {number}, one for each question of the .txt file")
    return lines
