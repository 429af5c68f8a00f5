"""Small stories of the original's making, written by hand: Ann moves the fig, Bob observes, Cat is the third."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from otherminds.worlds.tomi.files.babi_format import Block, read_blocks, write_blocks
from otherminds.worlds.tomi.parse import understand
from otherminds.worlds.tomi.text import Choose

OPENING = ("Ann entered the barn.", "Bob entered the barn.", "The fig is in the jar.")
ACTIONS = {
    "M": "Ann moved the fig to the tin.",
    "X": "Bob exited the barn.",
    "R": "Bob entered the barn.",
    "r": "Bob entered the loft.",
    "Y": "Ann exited the barn.",
}
QUESTIONS = (
    "Where was the fig at the beginning?",
    "Where will Ann look for the fig?",
    "Where does Ann think that Bob searches for the fig?",
    "Where is the fig really?",
    "Where will Bob look for the fig?",
    "Where does Bob think that Ann searches for the fig?",
)


def tell(skeleton: str, inserted: Mapping[int, str] | None = None) -> list[str]:
    """A skeleton in words, with further sentences at some places of the finished story."""
    statements = [*OPENING, *(ACTIONS[letter] for letter in skeleton.split())]
    for place, sentence in sorted((inserted or {}).items()):
        statements.insert(place, sentence)
    return statements


def same_words(sentences: Sequence[str]) -> Choose:
    """For a teller to tell a story in the same words again; what stands in a room is always said in one way."""
    kinds = [understood[:2] for sentence in sentences if (understood := understand(sentence))]
    forms = iter([form for kind, form in kinds if kind != "furnish"])
    return lambda kind: next(forms)


def block(statements: Sequence[str], question: str, answer: str) -> list[str]:
    """The lines of one question."""
    numbered = [f"{number} {text}" for number, text in enumerate(statements, 1)]
    return [*numbered, f"{len(numbered) + 1} {question}\t{answer}\t1"]


def write_story(path: Path, statements: Sequence[str], labels: Sequence[str], trace: Sequence[str] = ()) -> Path:
    """A file of one story with its six questions, and a trace beside it if one is given."""
    asked = zip(QUESTIONS, labels, strict=True)
    path.write_text(write_blocks(block(statements, question, label) for question, label in asked), "utf-8")
    if trace:
        path.with_suffix(".trace").write_text("".join(f"{line}\n" for line in trace), "utf-8")
    return path


def good_blocks(path: Path) -> list[Block]:
    """The blocks of a file."""
    return list(read_blocks(path))
