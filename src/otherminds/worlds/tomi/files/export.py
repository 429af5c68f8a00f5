"""Sets of stories as files: JSON lines, bAbI text, Parquet with a dataset card, and a manifest that says what they are.

A set is made in blocks, each written whole, so that an interrupted command can be run again to resume, with any number
of processes; the bytes are the same. Memory does not grow with the size of a set.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest, need
from otherminds.core.files import sha256, sync, write_whole
from otherminds.core.json_lines import to_json
from otherminds.worlds.tomi.files.babi_format import block_lines, refuse_existing, write_blocks
from otherminds.worlds.tomi.files.items import dump_items, read_items
from otherminds.worlds.tomi.stories.generate import VERSION, iter_items
from otherminds.worlds.tomi.stories.original import question_class
from otherminds.worlds.tomi.stories.presets import Knobs, check_split

FORMATS = {"jsonl": ("jsonl",), "babi": ("txt", "trace"), "parquet": ("parquet",)}  # endings of its files
BLOCK = 250  # families in a block
_POLARS = ("polars", "Parquet needs polars", "data")


@dataclass(frozen=True)
class Set:
    """Description of a set to generate."""

    knobs: Knobs
    label: str  # the preset's name
    seed: int
    sizes: dict[str, int]  # families of each split
    is_private: bool = False  # files and manifest give the hash of the seed, not the seed

    def __post_init__(self) -> None:
        """Refuse unknown splits and empty sizes."""
        for split, size in self.sizes.items():
            check_split(split)
            if size < 1:
                raise UserError(f"size {size} of {split}; expected at least 1 family")

    @property
    def description(self) -> str:
        """Everything that determines its files."""
        return json.dumps([VERSION, self.label, asdict(self.knobs), self.seed, self.sizes], sort_keys=True)

    @property
    def canary(self) -> str:
        """A string to search training data for."""
        return f"otherminds tomi canary {hashlib.sha256(self.description.encode()).hexdigest()[:32]}"


def write_set(
    wanted: Set,
    out: Path,
    formats: tuple[str, ...] = ("jsonl",),
    *,
    workers: int = 1,
    force: bool = False,
    on_block: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Make a set of stories in a folder, and return its manifest.

    Raises:
        UserError: if files would be overwritten, unless forced, or cannot be written.
    """
    if not formats:
        raise UserError(f"no format is named; expected one or more of {', '.join(FORMATS)}, separated by commas")
    for name in formats:
        if name not in FORMATS:
            raise UserError(f"there is no format {name!r}{nearest(name, FORMATS)}")
    if "parquet" in formats:
        need(*_POLARS)  # before anything is made that could not be finished
    names = [f"{split}.{ending}" for split in wanted.sizes for name in formats for ending in FORMATS[name]]
    names += ["README.md"] if "parquet" in formats else []
    parts = out / ".blocks"
    note, content = parts / "set.json", json.dumps([wanted.description, wanted.is_private, formats])
    if not note.exists() or note.read_text() != content:  # else the same command was stopped here
        if not force:
            refuse_existing(out / name for name in (*names, "manifest.json"))
        shutil.rmtree(parts, ignore_errors=True)  # blocks of another set
        write_whole(note, content)
    _make_blocks(wanted, parts, workers, on_block)
    # Everything is made in the folder of blocks, and moved to its place when it is whole.
    counts: dict[str, Counter[str]] = {split: Counter() for split in wanted.sizes}
    for split in wanted.sizes:
        with (parts / f"{split}.jsonl").open("wb") as whole:
            for path in sorted(parts.glob(f"{split}-*.jsonl")):
                with path.open("rb") as block:
                    counts[split].update(json.loads(block.readline()))
                    shutil.copyfileobj(block, whole)
        if "babi" in formats:
            _write_babi(parts, split)
        if "parquet" in formats:
            lazy = need(*_POLARS).scan_ndjson(parts / f"{split}.jsonl", infer_schema_length=10_000)
            lazy.drop("events", "beliefs").sink_parquet(parts / f"{split}.parquet")
    if "parquet" in formats:
        write_whole(parts / "README.md", _card(wanted))
    hidden = hashlib.sha256(f"otherminds tomi seed {wanted.seed}".encode()).hexdigest()
    manifest = {
        "generator": f"otherminds tomi {VERSION}",
        "preset": wanted.label,
        "knobs": asdict(wanted.knobs),
        **({"seed_sha256": hidden} if wanted.is_private else {"seed": wanted.seed}),
        "counts": {split: dict(count) for split, count in counts.items()},
        "sha256": {name: sha256(parts / name) for name in names},
        "canary": wanted.canary,
    }
    for name in names:
        sync(parts / name)
        (parts / name).replace(out / name)
    write_whole(out / "manifest.json", to_json(manifest, indent=1) + "\n")
    shutil.rmtree(parts)
    return manifest


def _make_blocks(wanted: Set, parts: Path, workers: int, on_block: Callable[[], None]) -> None:
    missing = []
    for split, size in wanted.sizes.items():
        for first in range(0, size, BLOCK):
            path = parts / f"{split}-{first:09d}.jsonl"
            if path.exists():
                on_block()
            else:
                missing.append((wanted, path, split, first, min(BLOCK, size - first)))
    if workers == 1:
        for block in missing:
            _make_block(*block)
            on_block()
        return
    # New processes rather than copies of this one, which may hold threads of JAX.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_make_block, *block) for block in missing]):
            done.result()
            on_block()


def _make_block(wanted: Set, path: Path, split: str, first: int, number: int) -> None:
    """Write the questions of some families, after a line of counts."""
    items = list(iter_items(wanted.knobs, wanted.label, number, wanted.seed, split, first, is_full=True))
    if wanted.is_private:
        items = [replace(item, seed=-1) for item in items]
    count = {
        "families": len({item.family_id for item in items}),
        "stories": len({item.story_id for item in items}),
        "questions": len(items),
        "ambiguous": sum(item.ambiguous for item in items),
    }
    write_whole(path, "".join((f"{to_json(count)}\n", *dump_items(items))))


def _write_babi(parts: Path, split: str) -> None:
    with (
        (parts / f"{split}.txt").open("w", encoding="utf-8") as text,
        (parts / f"{split}.trace").open("w", encoding="utf-8") as trace,
    ):
        for item in read_items(parts / f"{split}.jsonl"):
            text.write(write_blocks([block_lines(item.story, item.question, item.answer)]))
            tokens = [
                "_".join(str(e[k]) for k in ("type", "agent", "room", "container") if k in e) for e in item.events
            ]
            kind = question_class(item.qtype, item.order, "_".join(item.chain), item.false_vs_reality)
            trace.write(",".join((*tokens, kind, f"order_{item.story_order}\n")))


def _card(wanted: Set) -> str:
    template = Path(__file__).with_name("card.md").read_text("utf-8")
    splits = "\n".join(f"  - split: {split}\n    path: {split}.parquet" for split in wanted.sizes)
    sizes = ", ".join(f"{size} families ({split})" for split, size in wanted.sizes.items())
    return template.format(label=wanted.label, splits=splits, version=VERSION, sizes=sizes, canary=wanted.canary)
