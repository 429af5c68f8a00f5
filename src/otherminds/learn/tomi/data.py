"""Where questions to learn from come from: generators by name, or a folder of exported questions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.tomi.items import Item, read_items

SPLITS = ("train", "val", "test")
ORIGINAL = ("original/released", "original/code")
BABI = ("tom-easy", "tom", "tom-easy/noise", "tom/noise")  # noise is in val and test alone, as published
_SIZES: dict[str, dict[str, int]] = {  # the papers' where there are any; validation is smaller where that is enough
    "original": {"train": 999, "val": 999, "test": 999},
    "babi": {"train": 1000, "val": 50, "test": 1000},
    "corrected": {"train": 4_000, "val": 200, "test": 1_000},
}


def sources() -> list[str]:
    """The names of all generators."""
    from otherminds.worlds.tomi.knobs import PRESETS

    return [*ORIGINAL, *BABI, *PRESETS]


def is_original(source: str) -> bool:
    """Whether a set follows the papers, whose ambiguous questions are scored like all others."""
    return source in (*ORIGINAL, *BABI)


def usual_sizes(source: str) -> dict[str, int]:
    """The size of each split unless told otherwise, counted as in :func:`load_items`.

    Raises:
        UserError: if there is no such source.
    """
    if Path(source).is_dir():
        return {}
    if source not in sources():
        hint = nearest(source, sources())
        raise UserError(
            f"there are no data {source!r}{hint} A folder with train.jsonl, val.jsonl and test.jsonl is fine"
        )
    kind = "original" if source in ORIGINAL else "babi" if source in BABI else "corrected"
    return dict(_SIZES[kind])


def load_items(source: str, split: str, size: int, seed: int) -> list[Item]:
    """The questions of a split; the same arguments give the same questions.

    Args:
        source: the name of a generator, or a folder with ``train.jsonl``, ``val.jsonl`` and ``test.jsonl``.
        split: train, val or test.
        size: stories; of corrected sets, families; of ToM-bAbI, questions of each of the twelve kinds; of a folder, all
            are read.
        seed: of the set.

    Raises:
        UserError: if there is no such source or split.
    """
    if split not in SPLITS:
        raise UserError(f"there is no split {split!r}{nearest(split, SPLITS)}")
    if Path(source).is_dir():
        return list(read_items(Path(source) / f"{split}.jsonl"))
    usual_sizes(source)
    if source in ORIGINAL:
        from otherminds.worlds.tomi import original

        mode: Any = source.partition("/")[2]
        return [item for story in original.stories(mode, size, seed, split) for item in story.items()]
    if source in BABI:
        return _babi(source, split, size, seed)
    from otherminds.worlds.tomi import generate

    return generate.make_items(source, size, seed, split)


def _babi(source: str, split: str, each: int, seed: int) -> list[Item]:
    """So many questions of each kind about each kind of chapter (spec 8)."""
    from otherminds.worlds.tomi import babi

    task: babi.Task = "easy" if source.startswith("tom-easy") else "full"
    if split == "train":
        return [item for story in babi.training(task, seed, each) for item in story.items()]
    noise = babi.NOISE if source.endswith("/noise") else 0.0
    pairs = [(chapter, asks) for chapter in babi.CHAPTERS for asks in babi.QUESTIONS]
    sets = (babi.held_out(task, split, chapter, asks, seed, each, noise) for chapter, asks in pairs)
    return [item for stories in sets for story in stories for item in story.items()]


def load_splits(source: str, sizes: Mapping[str, int], seed: int) -> dict[str, list[Item]]:
    """All three splits."""
    return {split: load_items(source, split, sizes.get(split, 0), seed) for split in SPLITS}
