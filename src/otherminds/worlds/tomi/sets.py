"""Questions from anywhere by one name: a generator, a folder or file of exported questions, or a ToMi file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, cast

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.tomi import babi, generate, original
from otherminds.worlds.tomi.files import BadBlock, Block, read_blocks
from otherminds.worlds.tomi.itemise import Asked, Source, story_items
from otherminds.worlds.tomi.items import Item, read_items
from otherminds.worlds.tomi.knobs import PRESETS
from otherminds.worlds.tomi.vocabulary import Pools

SPLITS = generate.SPLITS
ORIGINAL = ("original/released", "original/code")
BABI = {"tom-easy": "easy", "tom": "full"}
# Stories of each split, those of the papers; of presets, families.
USUAL: dict[str, dict[str, int]] = {
    "original": {"train": 999, "val": 999, "test": 999},
    "babi": {"train": 12_000, "val": 12_000, "test": 12_000},
    "corrected": {"train": 4_000, "val": 200, "test": 1_000},
}


def sources() -> tuple[str, ...]:
    """The names of all generators."""
    return (*ORIGINAL, *BABI, *PRESETS)


def is_of_papers(source: str) -> bool:
    """Whether a set follows the papers, which score ambiguous questions like all others."""
    return source in ORIGINAL or source in BABI or Path(source).suffix == ".txt"


def usual_sizes(source: str) -> dict[str, int]:
    """How many stories each split has unless told otherwise (families, of presets); none for files.

    Raises:
        UserError: if there is no such source.
    """
    if Path(source).exists():
        return {}
    check_source(source)
    return dict(USUAL["original" if source in ORIGINAL else "babi" if source in BABI else "corrected"])


def check_source(source: str) -> None:
    """Refuse what is neither a generator nor there.

    Raises:
        UserError: suggests the nearest.
    """
    if source not in sources() and not Path(source).exists():
        known = nearest(source, sources())
        raise UserError(f"there are no questions {source!r}{known} (or give a file, or a folder with test.jsonl)")


def load_items(
    source: str, split: str, size: int, seed: int = 0, pools: Pools | None = None, **knobs: Any
) -> list[Item]:
    """The questions of a split; the same arguments give the same questions.

    Args:
        source: the name of a generator; a ToMi file (.txt); a file (.jsonl) or a folder of exported questions.
        split: train, val or test.
        size: stories, or families where stories have twins; of files, all are read.
        seed: of the set.
        pools: other words, for the original modes.
        knobs: of a preset, turned.

    Raises:
        UserError: if there is no such source, split or knob.
    """
    check_source(source)
    if split not in SPLITS:
        raise UserError(f"there is no split {split!r}{nearest(split, SPLITS)}")
    if knobs and source not in PRESETS:
        raise UserError(f"{source} has no knobs to turn; they belong to presets: {', '.join(PRESETS)}")
    path = Path(source)
    if path.is_dir():
        return list(read_items(path / f"{split}.jsonl"))
    if source in ORIGINAL:
        mode = cast(Literal["released", "code"], source.partition("/")[2])
        return [item for story in original.stories(mode, size, seed, split, pools) for item in story.items()]
    if source in BABI:
        return list(_babi_items(source, split, size, seed, pools))
    if source in PRESETS:
        return generate.make_items(source, size, seed, split, **knobs)
    return list(file_items([path]) if path.suffix == ".txt" else read_items(path))


def load_splits(source: str, sizes: dict[str, int], seed: int) -> dict[str, list[Item]]:
    """All three splits."""
    return {split: load_items(source, split, sizes.get(split, 0), seed) for split in SPLITS}


def file_items(paths: Iterable[Path]) -> Iterator[Item]:
    """The questions of ToMi files, with the files' own answers.

    Raises:
        UserError: names the file and the line that cannot be read.
    """
    for path in paths:
        for _, blocks in groupby(_good(read_blocks(path)), key=lambda block: block.statements):
            story = list(blocks)
            asked = [Asked(block.asked, block.answer) for block in story]
            told = story[-1].told
            source = Source(path.stem, "file", 0, path.name)
            yield from story_items(told.story, told.names, story[-1].statements, asked, source, "")


def _good(blocks: Iterable[Block | BadBlock]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, BadBlock):
            raise block
        yield block


def _babi_items(source: str, split: str, size: int, seed: int, pools: Pools | None) -> Iterator[Item]:
    task = cast(Literal["easy", "full"], BABI[source])
    pairs = len(babi.CHAPTERS) * len(babi.QUESTIONS)
    if size < 5 * pairs and split == "train":
        raise UserError(f"{size} stories of {source}; expected at least {5 * pairs} to train on")
    each = max(1, size // pairs)
    if split == "train":
        for story in babi.training(task, seed, each - each % 5, pools=pools):
            yield from story.items()
        return
    for chapter in babi.CHAPTERS:
        for asks in babi.QUESTIONS:
            for story in babi.held_out(task, split, chapter, asks, seed, each, noise=0.0, pools=pools):
                yield from story.items()
