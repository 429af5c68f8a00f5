"""Corrected labels for files in ToMi's format, by the ledger and checked by the second solver, with a report of causes.

The released files have 522 (train), 482 (val) and 464 (test) wrong labels, all of the second order (spec 12).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from otherminds.core.errors import UserError
from otherminds.core.summary import grouped
from otherminds.results.table import Table
from otherminds.worlds.tomi import second_solver
from otherminds.worlds.tomi.files.babi_format import Block, read_blocks, read_lines, write_blocks, write_new
from otherminds.worlds.tomi.files.items import LabelledQuestion, dump_items
from otherminds.worlds.tomi.files.make_items import Asked, Source, story_items
from otherminds.worlds.tomi.rules import History, ImpossibleStory, simulate
from otherminds.worlds.tomi.rules import answer as right_answer
from otherminds.worlds.tomi.stories.original import question_class, trace, type_by_belief
from otherminds.worlds.tomi.stories.presets import SPLITS
from otherminds.worlds.tomi.types import Enter, Move, Names, Question, Story

CAUSES = {
    "D1": "a false second-order belief labelled as true: one agent sees that the object has moved, "
    "unseen by the other, who has left",
    "D2": "a third agent's entry changed what the two others think of each other",
    "D3": "the evidence leaves the question open",
    "D4": "a container appears in two rooms",
    "D5": "the story type does not match the beliefs in the story",
    "D6": "the trace does not follow the order of the story",
    "D7": "the trace numbers agents by order of entry, not by role",
    "other": "a wrong label that no known defect explains",
}


class TraceLine(NamedTuple):
    """A line of a trace; empty where a file has none."""

    tokens: list[str]
    role: int | None  # the number of the agent asked about, where it names one
    type: str  # of the story


def read_trace_line(line: str, asked: Question) -> TraceLine:
    """Parse a line of a trace; an empty line says nothing."""
    if not line:
        return TraceLine([], None, "")
    *tokens, kind, type_ = ("", "", *line.split(","))
    parts, expected = kind.split("_"), question_class(asked.kind, asked.order, 0, is_tom=False)
    # Whatever the number of the agent and the label, which are what may be wrong.
    if parts[:2] != expected.split("_")[:2]:
        raise UserError(f"found a question of class {kind!r}, expected one such as {expected!r} before the story type")
    role = int(parts[2]) if len(parts) > 2 and parts[2].isdecimal() else None
    return TraceLine([token for token in tokens if token], role, type_)


class StoryFrame:
    """A story's roles, and what follows from them for traces and causes."""

    def __init__(self, story: Story, names: Names, history: History, asked: Sequence[Question]) -> None:
        self._story, self._history, self._containers = story, history, names.containers
        thing = asked[0].object
        movers = [event.agent for event in story.events if isinstance(event, Move) and event.object == thing]
        queried = [agent for question in asked for agent in question.chain]
        # The mover is role 0 and the other whose beliefs are asked for role 1 (spec 4).
        self._roles = tuple(dict.fromkeys([*movers[:1], *queried, *range(story.num_agents)]))
        self._main = story.homes[history.trail[thing][0]]
        self._tokens = trace(story, self._roles, self._main)

    def trace_line(self, question: Question, item: LabelledQuestion) -> str:
        """The right line of a trace: in true order, agents by role, the type by beliefs."""
        role = self._roles.index(question.chain[0]) if question.chain else 0
        kind = question_class(item.qtype, item.order, role, item.false_vs_reality)
        return ",".join([*self._tokens, kind, type_by_belief(item.story_order)])

    def causes(self, block: Block, item: LabelledQuestion, line: TraceLine) -> tuple[str, ...]:
        """Every defect that shows in a question or in its line of the trace."""
        is_wrong = {
            self._cause(block.asked, block.answer): block.answer != item.answer,
            "D3": item.ambiguous,
            "D5": line.type not in ("", type_by_belief(item.story_order)),
            # A trace of other words than the original's says nothing about order.
            "D6": line.tokens != self._tokens and sorted(line.tokens) == sorted(self._tokens),
            "D7": line.role not in (None, self._roles.index(block.asked.chain[0]) if block.asked.chain else None),
        }
        return tuple(cause for cause, is_so in is_wrong.items() if is_so)

    def _cause(self, question: Question, label: str) -> str:
        """Why a label is wrong, as far as the known defects explain it: all of them put reality for a belief."""
        thing, chain = question.object, question.chain
        truth, believed = self._history.contents[thing], self._history.beliefs.belief
        if question.order not in (1, 2) or label != self._containers[truth]:
            return "other"
        if question.order == 2 and all(believed((agent,), thing) == truth for agent in chain):
            return "D1"
        entries = [event for event in self._story.events if isinstance(event, Enter)]
        if question.order == 2 and any(e.agent not in chain and e.room == self._main for e in entries):
            return "D2"
        # An agent asked about, or a third agent, went where the container seems to stand as well.
        went = any((e.agent in chain) == (question.order == 1) and e.room != self._main for e in entries)
        return "D4" if went else "other"


@dataclass(frozen=True)
class Relabelled:
    """One question of a file, with the right answer and the defects that it shows."""

    path: Path
    block: Block
    item: LabelledQuestion  # with the right answer
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
    """Correct the labels of ToMi's ``.txt`` files; the ``.trace`` beside each is read if it exists.

    The questions of one story come together. Files and lines that cannot be read are named in the error.
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


def as_tables(rows: Sequence[Relabelled]) -> list[Table]:
    """Changes in each file, their causes and, where there is a trace, story types as given and as they are."""
    record, parts = summary(rows), grouped(rows, lambda row: str(row.path))
    if len(parts) > 1:
        parts["all"] = list(rows)
    labels = []
    for name, part in parts.items():
        counts = summary(part)
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(counts["changed_by_kind"].items()))
        labels.append(
            (name, kinds or None, *(counts[key] for key in ("stories", "questions", "changed", "wrong_stories")))
        )
    score = record["perfect_reasoner"]
    note = (
        f"a perfect reader, scored against the original labels: {score['average']:.1f} average, "
        f"{score['joint']:.1f} joint"
    )
    heads = ("file", "of these", "stories", "questions", "changed labels", "stories with one")
    causes = [
        # Types and traces are wrong for a whole story.
        (cause, CAUSES[cause], count["stories"], "" if cause in ("D5", "D6", "D7") else count["questions"])
        for cause, count in record["causes"].items()
    ]
    types = [[str(value).replace("_", " ") for value in row.values()] for row in record["types"]]
    tables = [
        Table("Labels", heads, labels, [note], texts=2),
        Table("Causes", ("", "what is wrong", "stories", "questions"), causes, texts=2),
        Table("Story types", ("given", "true", "stories"), types, texts=2),
    ]
    has_trace = any(row["given"] for row in record["types"])
    return tables if has_trace else tables[:2]


def write(rows: Sequence[Relabelled], out_dir: str | Path, *, force: bool = False) -> list[Path]:
    """Write each file again, corrected: ``.txt``, ``.trace`` and ``.jsonl`` under its own name. Returns their paths."""
    texts: dict[Path, str] = {}
    for path, asked in grouped(rows, lambda row: row.path).items():
        place = Path(out_dir) / path.name
        if place.with_suffix(".txt") in texts:
            raise UserError(f"two files are called {path.name}; relabel them one by one, into different folders")
        if place.with_suffix(".txt").resolve() == path.resolve():
            raise UserError(f"{path} would be replaced by its own correction; choose another folder")
        asked.sort(key=lambda row: row.block.line)
        texts[place.with_suffix(".txt")] = write_blocks(row.block.lines(row.item.answer) for row in asked)
        texts[place.with_suffix(".trace")] = "".join(f"{row.trace}\n" for row in asked)
        texts[place.with_suffix(".jsonl")] = "".join(dump_items(row.item for row in asked))
    return write_new(texts, force=force)


def _relabel_file(path: Path, is_open: bool) -> Iterator[Relabelled]:
    blocks, trace = list(read_blocks(path, is_open=is_open)), path.with_suffix(".trace")
    lines = read_lines(trace) if trace.exists() else [""] * len(blocks)
    if len(lines) != len(blocks):
        raise UserError(
            f"{trace}: found {len(lines)} lines, expected {len(blocks)}, one for each question of the .txt file"
        )
    asked: list[tuple[Block, TraceLine]] = []
    for number, (block, line) in enumerate(zip(blocks, lines, strict=True), 1):
        try:
            asked.append((block, read_trace_line(line, block.asked)))
        except UserError as error:
            raise UserError(f"{trace}, line {number}: {error}") from None
    for story in grouped(asked, lambda pair: pair[0].statements).values():  # whose questions may stand apart
        yield from _relabel_story(path, story)


def _relabel_story(path: Path, asked: Sequence[tuple[Block, TraceLine]]) -> Iterator[Relabelled]:
    block, parsed = asked[-1][0], asked[-1][0].parsed
    names, story = parsed.names, parsed.story
    try:
        history = simulate(story)
    except ImpossibleStory as error:
        at = parsed.origins.index(error.number)
        raise UserError(
            f"{path}, line {block.line + at}: {block.statements[at]!r} cannot happen in this story: {error.why}"
        ) from None
    right = []
    for block, _ in asked:
        line_name = f"{path}, line {block.line + len(block.statements)}"
        answer = right_answer(block.asked, history, names)
        if answer is None:
            raise UserError(f"{line_name}: the story does not say enough to answer {block.question!r}")
        if block.asked.kind == "belief":
            second = second_solver.believed(story, block.asked.chain, block.asked.object)
            if second is None or names.containers[second] != answer:
                raise RuntimeError(
                    f"{line_name}: the ledger and the perspective solver disagree on {answer}; please report this bug"
                )
        right.append(Asked(block.asked, answer))
    source = Source(next((split for split in SPLITS if split in path.stem), ""), "relabelled", 0, path.name)
    items = story_items(story, names, block.statements, right, source, asked[0][1].type)
    frame = StoryFrame(story, names, history, [pair.question for pair in right])
    for (block, line), item in zip(asked, items, strict=True):
        traced, causes = frame.trace_line(block.asked, item), frame.causes(block, item, line)
        yield Relabelled(path, block, replace(item, question=block.question), traced, causes)
