"""Loads sets of questions by name: a generator, a folder or file of exported questions, or a ToMi file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.core.summary import grouped
from otherminds.worlds.tomi.files.babi_format import read_blocks
from otherminds.worlds.tomi.files.items import LabelledQuestion, read_set
from otherminds.worlds.tomi.files.make_items import Asked, Source, story_items
from otherminds.worlds.tomi.stories import generate, original, tom_babi
from otherminds.worlds.tomi.stories.presets import PRESETS, SPLITS, check_split

ORIGINAL: dict[str, original.Mode] = {f"original/{mode}": mode for mode in original.MODES}
BABI: dict[str, tom_babi.Task] = {"tom-easy": "easy", "tom": "full"}


def sources() -> tuple[str, ...]:
    """The names of all generators."""
    return (*ORIGINAL, *BABI, *PRESETS)


def is_of_papers(source: str) -> bool:
    """Whether a set follows the papers, which score ambiguous questions like all others."""
    return source in ORIGINAL or source in BABI or Path(source).suffix == ".txt"


def usual_sizes(source: str) -> dict[str, int]:
    """The default size of each split, counted as in :func:`load_items`; none for files.

    The papers' where there are any; validation is smaller where that is enough.
    """
    check_source(source)
    if source in ORIGINAL:
        return {"train": 999, "val": 999, "test": 999}
    if source in BABI:
        return {"train": 1000, "val": 50, "test": 1000}
    return {"train": 4_000, "val": 200, "test": 1_000} if source in PRESETS else {}


def check_source(source: str) -> None:
    """Raise an error unless the source is a preset or an existing path."""
    if source not in sources() and not Path(source).exists():
        name = nearest(source, sources()).removeprefix("; expected one of ")
        name = f"name a preset: {name}" if not name.startswith(";") else name.removeprefix("; ")
        raise UserError(f"there is no file or folder {source!r}; check the path, or {name}")


def load_items(source: str, split: str, size: int, seed: int = 0, **knobs: Any) -> list[LabelledQuestion]:
    """The questions of a split; the same arguments give the same questions.

    Args:
        source: the name of a generator; a ToMi file (.txt); a file (.jsonl) or a folder of exported questions.
        split: train, val or test.
        size: stories; of presets, families; of ToM-bAbI, questions of each of the twelve kinds; of files, all are read.
        seed: of the set.
        knobs: changes to the knobs of a preset.
    """
    check_source(source)
    check_split(split)
    if source in PRESETS:
        return generate.make_items(source, size, seed, split, **knobs)
    if knobs:
        raise UserError(f"{source} has no parameters; expected a preset: {', '.join(PRESETS)}")
    if source in ORIGINAL:
        return [item for story in original.stories(ORIGINAL[source], size, seed, split) for item in story.items()]
    if source in BABI:
        return list(tom_babi.items(BABI[source], split, seed, size))
    return read_files(Path(source), split)


def read_files(path: Path, split: str = "test") -> list[LabelledQuestion]:
    """The questions of a file; of a folder, those of a split, or of all its files where it has no splits."""
    if not path.exists():
        raise UserError(
            f"there is no file or folder {str(path)!r}; expected questions (.jsonl), a ToMi file (.txt) or a folder; "
            f"check the path"
        )
    if path.is_dir():
        has_splits = any((path / f"{name}.jsonl").exists() for name in SPLITS)
        families = [] if has_splits else sorted(path.glob("*.jsonl"), key=lambda file: (len(file.name), file.name))
        return [item for file in families for item in read_set(file)] or read_set(path / f"{split}.jsonl")
    return list(file_items(path)) if path.suffix == ".txt" else read_set(path)


def file_items(path: Path) -> Iterator[LabelledQuestion]:
    """The questions of a ToMi file, with the file's own answers."""
    for story in grouped(read_blocks(path), lambda block: block.statements).values():  # which may stand apart
        asked = [Asked(block.asked, block.answer) for block in story]
        parsed, source = story[-1].parsed, Source(path.stem, "file", 0, path.name)
        try:
            yield from story_items(parsed.story, parsed.names, story[-1].statements, asked, source, "")
        except UserError as error:
            raise UserError(f"{path}, line {story[0].line}: {error}") from None
