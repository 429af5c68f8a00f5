"""Verified checkpoints: each is checked before it is used, and the last good one is never at risk.

A checkpoint is one file, ``step-000012-HASH.safetensors``, named after its step and the SHA-256 of its content. It is
renamed into place when it is complete, so a save that is killed leaves nothing that looks like a checkpoint.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import TEMPORARY, is_about_space, reason, remove_temporary, write_durably
from otherminds.run.arrays import Arrays, pack, unpack

_CHECKPOINT = re.compile(r"step-(\d+)(?:-([0-9a-f]+))?\.safetensors")
_OURS = re.compile(rf"\.?{_CHECKPOINT.pattern}(\.corrupt|.*{re.escape(TEMPORARY)})?")
_KEPT = 2  # checkpoints: the newest, and the one before, should the newest be damaged


@dataclass(frozen=True)
class Checkpoint:
    """A verified checkpoint."""

    step: int
    arrays: Arrays
    metadata: dict[str, str]


def save(folder: str | Path, step: int, arrays: Mapping[str, Any], metadata: Mapping[str, str]) -> None:
    """Save a checkpoint, then delete those that are no longer kept. Only one process may save to a folder.

    Args:
        folder: created if necessary.
        step: greater than that of every checkpoint in the folder.
        arrays: the whole state, by name.
        metadata: names and values in words.

    Raises:
        UserError: if it cannot be written. Nothing of it is left behind and every earlier checkpoint is kept.
    """
    folder = Path(folder)
    earlier = _found(folder)
    previous = max(earlier, default=None)
    if previous is not None and step <= previous:
        raise ValueError(f"step {step} is not after step {previous}, the newest checkpoint in {folder}")
    content = pack(arrays, metadata)
    path = folder / f"step-{step:06}-{_hash(content)}.safetensors"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_durably(path, content)
    except OSError as error:
        path.unlink(missing_ok=True)
        kept = (
            "there is no earlier checkpoint"
            if previous is None
            else f"the last good checkpoint (step {previous}) is kept"
        )
        space = max(1, len(content) >> 20)
        advice = f"Free at least {space} MB there" if is_about_space(error) else "Fix this"
        raise UserError(
            f"cannot save the checkpoint of step {step} to {folder}: {reason(error)}; {kept}. "
            f"{advice} and run the same command again to resume"
        ) from error
    for old in sorted(earlier)[: 1 - _KEPT]:
        earlier[old].unlink(missing_ok=True)


def latest(folder: str | Path, warn: Callable[[str], None] | None = None) -> Checkpoint | None:
    """The newest intact checkpoint; ``None`` if there is no checkpoint.

    Damaged ones are set aside under names that end in ``.corrupt``, and remains of a save that was killed are removed;
    so only the process that trains may call this.

    Args:
        folder: may be missing.
        warn: called with a line about each checkpoint that was set aside.

    Raises:
        UserError: if all checkpoints are damaged, or one cannot be read. Nothing is changed then.
    """
    folder = Path(folder)
    remove_temporary(folder)
    newest, damaged = None, dict[int, Path]()
    for step, path in sorted(_found(folder).items(), reverse=True):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise UserError(
                f"cannot read the checkpoint of step {step} in {folder}: {reason(error)}. "
                f"Fix this and run the same command again to resume"
            ) from error
        if path.stem.endswith(f"-{_hash(content)}"):
            newest = Checkpoint(step, *unpack(content))
            break
        damaged[step] = path
    findings = [f"step {step}: {path.name} does not match the hash in its name" for step, path in damaged.items()]
    if damaged and newest is None:
        raise UserError(
            f"no checkpoint in {folder} is intact ({'; '.join(findings)}), so this run cannot continue. "
            f"Restore the damaged files from a copy, or remove {folder.parent} to start again"
        )
    for path, finding in zip(damaged.values(), findings, strict=True):
        path.replace(path.with_name(f"{path.name}.corrupt"))
        if warn is not None:
            warn(f"a checkpoint in {folder} is damaged and was set aside as *.corrupt; {finding}")
    return newest


def tidy(folder: str | Path) -> None:
    """Remove all checkpoints, for a run that has finished."""
    for path in Path(folder).glob("*"):
        if _OURS.fullmatch(path.name):
            path.unlink(missing_ok=True)


def _found(folder: Path) -> dict[int, Path]:
    """All checkpoints in a folder by step, good or not."""
    paths = {path: _CHECKPOINT.fullmatch(path.name) for path in folder.glob("step-*")}
    return {int(match[1]): path for path, match in paths.items() if match}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
