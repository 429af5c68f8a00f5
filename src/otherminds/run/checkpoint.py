"""Verified checkpoints: each is checked before it is used, and the last good one is never at risk.

A checkpoint is ``step-000012.safetensors`` beside ``step-000012.json``, which holds its hash and lists the journals it
needs with theirs. A journal, ``journal-000012.safetensors``, is what was added to an append-only memory since the
checkpoint before: saving costs the new part only, and restoring reads the last few. The state is renamed into place
last, so a save that is killed anywhere leaves nothing that looks like a checkpoint.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from otherminds.core.errors import UserError
from otherminds.core.files import TEMPORARY, is_about_space, reason, remove_temporary, sha256, write_durably
from otherminds.run.arrays import Arrays, pack, unpack

_OURS = re.compile(rf"(step|journal)-\d+\.(safetensors|json)(\.corrupt)?|\.(step|journal)-.*{re.escape(TEMPORARY)}")
_KEPT = 2  # checkpoints: the newest, and the one before, should the newest be damaged
_CHANGED = "is cut short or damaged (its hash differs)"


class _Hashed(NamedTuple):
    """A file and what its content must hash to."""

    path: Path
    sha256: str


@dataclass(frozen=True)
class Checkpoint:
    """A verified checkpoint."""

    step: int
    arrays: Arrays
    metadata: dict[str, str]
    _journals: tuple[_Hashed, ...] = field(default=(), repr=False)

    def journals(self) -> Iterator[Arrays]:
        """The journals up to this step, oldest first, each read when its turn comes."""
        for journal in self._journals:
            yield unpack(_read_verified(journal)).arrays


class _Damaged(Exception):
    """A file is not what was written."""

    def __init__(self, path: Path, finding: str) -> None:
        super().__init__(f"{path.name} {finding}")
        self.path = path


def save(
    folder: str | Path,
    step: int,
    arrays: Mapping[str, Any],
    metadata: Mapping[str, str],
    journal: Mapping[str, Any] | None = None,
    keep_journals: int = 0,
) -> None:
    """Save a checkpoint, then delete those that are no longer kept. One process a folder.

    Args:
        folder: made where needed.
        step: greater than that of every checkpoint in the folder.
        arrays: the whole state, by name.
        metadata: names and values in words.
        journal: what the memory gained since the checkpoint before; ``None`` if nothing.
        keep_journals: how many journals, counted back from this step, make up the memory.

    Raises:
        UserError: if it cannot be written. Nothing of it is left behind and every earlier checkpoint is kept.
    """
    folder = Path(folder)
    previous = max(_steps(folder), default=None)
    if keep_journals < (journal is not None):
        raise ValueError(f"keep_journals={keep_journals}: what is saved here would not be kept")
    if previous is not None and step <= previous:
        raise ValueError(f"step {step} is not after step {previous}, the newest checkpoint in {folder}")

    content = pack(arrays, metadata)
    journals = list(_journals_of(folder, previous)) if previous is not None else []
    size = len(content)
    written = [_state(folder, step), _index(folder, step)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if journal is not None:
            path = folder / f"journal-{step:06}.safetensors"
            journal_content = pack(journal)
            size += len(journal_content)
            written.append(path)
            write_durably(path, journal_content)
            journals.append(_Hashed(path, hashlib.sha256(journal_content).hexdigest()))
        journals = journals[len(journals) - min(keep_journals, len(journals)) :]
        index = {
            "step": step,
            "sha256": hashlib.sha256(content).hexdigest(),
            "journals": [{"file": item.path.name, "sha256": item.sha256} for item in journals],
        }
        write_durably(_index(folder, step), (json.dumps(index | {"seal": _seal(index)}, indent=1) + "\n").encode())
        write_durably(_state(folder, step), content)
    except OSError as error:
        for path in written:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        raise UserError(_cannot_save(folder, step, previous, size, error)) from error
    _prune(folder)


def latest(folder: str | Path, warn: Callable[[str], None] | None = None) -> Checkpoint | None:
    """The newest checkpoint that is whole, with all its journals; ``None`` if there is none.

    Damaged ones are set aside under names that end in ``.corrupt``, and remains of a save that was killed are removed;
    so only the process that trains may call this.

    Args:
        folder: may be missing.
        warn: called with a line about each checkpoint that was set aside.

    Raises:
        UserError: if there are some and none is whole, or one cannot be read. Nothing is changed then: a journal that
            is restored from a copy makes them whole again.
    """
    folder = Path(folder)
    remove_temporary(folder)
    newest, damaged = None, dict[int, _Damaged]()
    for step in sorted(_steps(folder), reverse=True):
        try:
            newest = _load(folder, step)
            break
        except _Damaged as error:
            damaged[step] = error
        except OSError as error:
            raise UserError(
                f"cannot read the checkpoint of step {step} in {folder}: {reason(error)}. "
                f"Fix this and run the same command again to resume"
            ) from error
    if damaged and newest is None:
        findings = "; ".join(f"step {step}: {damage}" for step, damage in damaged.items())
        raise UserError(
            f"no checkpoint in {folder} is whole ({findings}), so this run cannot continue. "
            f"Restore the damaged files from a copy, or remove {folder.parent} to start again"
        )
    for step, damage in damaged.items():
        for path in {_state(folder, step), _index(folder, step), damage.path}:
            if path.exists():
                path.replace(path.with_name(f"{path.name}.corrupt"))
        if warn is not None:
            warn(f"checkpoint of step {step} in {folder} set aside as *.corrupt: {damage}")
    return newest


def tidy(folder: str | Path) -> None:
    """Remove all checkpoints and journals, for a run that has finished."""
    for path in sorted(Path(folder).glob("*"), reverse=True):  # states before what they need
        if _OURS.fullmatch(path.name):
            path.unlink(missing_ok=True)


def _state(folder: Path, step: int) -> Path:
    return folder / f"step-{step:06}.safetensors"


def _index(folder: Path, step: int) -> Path:
    return folder / f"step-{step:06}.json"


def _steps(folder: Path) -> list[int]:
    """The steps of all checkpoints in a folder, good or not."""
    matches = (re.fullmatch(r"step-(\d+)\.safetensors", path.name) for path in folder.glob("step-*.safetensors"))
    return [int(match[1]) for match in matches if match]


def _journals_of(folder: Path, step: int) -> tuple[_Hashed, ...]:
    try:
        return _read_index(folder, step)[1]
    except _Damaged as damage:
        # Going on would leave a gap in the memory that no later checkpoint shows.
        raise UserError(
            f"cannot save after step {step} in {folder}: {damage}. "
            f"Run the same command again to resume from the newest intact checkpoint"
        ) from damage


def _read_index(folder: Path, step: int) -> tuple[_Hashed, tuple[_Hashed, ...]]:
    """A checkpoint's state and journals, with the hashes they must have."""
    path = _index(folder, step)
    if not path.exists():
        raise _Damaged(path, "is missing")
    try:
        index = json.loads(path.read_bytes())
        if index.pop("seal") != _seal(index) or index["step"] != step:
            raise ValueError("not what was written")
        state = _Hashed(_state(folder, step), str(index["sha256"]))
        # Only the name counts, so that no index can point outside of its folder.
        journals = tuple(_Hashed(folder / Path(item["file"]).name, str(item["sha256"])) for item in index["journals"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _Damaged(path, _CHANGED) from error
    return state, journals


def _seal(index: Mapping[str, Any]) -> str:
    """An index vouches for all other files; this vouches for the index."""
    return hashlib.sha256(json.dumps(index, sort_keys=True).encode()).hexdigest()


def _load(folder: Path, step: int) -> Checkpoint:
    state, journals = _read_index(folder, step)
    content = unpack(_read_verified(state))
    for journal in journals:
        if not journal.path.exists():
            raise _Damaged(journal.path, "is missing")
        if sha256(journal.path) != journal.sha256:
            raise _Damaged(journal.path, _CHANGED)
    return Checkpoint(step, content.arrays, content.metadata, journals)


def _read_verified(file: _Hashed) -> bytes:
    content = file.path.read_bytes()
    if hashlib.sha256(content).hexdigest() != file.sha256:
        raise _Damaged(file.path, _CHANGED)
    return content


def _prune(folder: Path) -> None:
    """Delete what the newest checkpoints do not need."""
    needed = set()
    for step in sorted(_steps(folder))[-_KEPT:]:
        needed |= {_state(folder, step), _index(folder, step)}
        with suppress(_Damaged):  # then it needs nothing any more; ``latest`` will set it aside
            needed |= {journal.path for journal in _read_index(folder, step)[1]}
    # Sorted backwards, states go before their indices and journals: a kill in between leaves no broken checkpoint.
    for path in sorted(folder.glob("*-*"), reverse=True):
        if _OURS.fullmatch(path.name) and not path.name.endswith(".corrupt") and path not in needed:
            path.unlink(missing_ok=True)


def _cannot_save(folder: Path, step: int, previous: int | None, size: int, error: OSError) -> str:
    kept = "there is no earlier one" if previous is None else f"the last good checkpoint (step {previous}) is kept"
    advice = f"Free at least {max(1, size >> 20)} MB there" if is_about_space(error) else "Fix this"
    return (
        f"cannot save the checkpoint of step {step} to {folder}: {reason(error)}; {kept}. "
        f"{advice} and run the same command again to resume"
    )
