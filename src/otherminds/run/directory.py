"""Run directories: a folder that holds everything about one run.

    config.json      the resolved configuration
    metrics.jsonl    one row a step
    manifest.json    versions, seed, hashes, times, status
    episodes/  checkpoints/

Run the same command again to resume. One process at a time holds a folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import TEMPORARY, Lock, reason, remove_temporary, sha256, sync, write_whole
from otherminds.core.json_lines import JsonLines, Row, read_rows, to_json
from otherminds.run import checkpoint
from otherminds.run._manifest import CONFIG, Manifest, config_hash, read_json, refuse_other_config

METRICS, MANIFEST, LOCK, LOG = "metrics.jsonl", "manifest.json", ".lock", "log.txt"
_FOLDERS = ("episodes", "checkpoints")


@dataclass(frozen=True)
class RunRecord:
    """The content of a run directory when it was read."""

    path: Path
    config: dict[str, Any]
    manifest: dict[str, Any]  # empty if the run was killed at its very beginning
    metrics: list[Row]

    @property
    def is_finished(self) -> bool:
        """Whether the run has finished."""
        return self.manifest.get("status") == "finished"

    def changed_files(self) -> list[str]:
        """The final files that are missing or have changed since the run wrote them."""
        files: dict[str, str] = self.manifest.get("files", {})
        return [
            name
            for name, noted in files.items()
            if not (self.path / name).is_file() or sha256(self.path / name) != noted
        ]


class RunDirectory:
    """A run directory held open by the process that trains. Made by ``open``; use it in a ``with`` block."""

    def __init__(self, path: Path, config: dict[str, Any], manifest: Manifest, lock: Lock) -> None:
        self.path = path
        self.config = config
        self._manifest = manifest
        self._lock = lock
        read_rows(path / METRICS)  # refuses a damaged file before anything is added to it
        self._metrics = JsonLines(path / METRICS)

    @classmethod
    def open(cls, path: str | Path, config: Mapping[str, Any], command: Sequence[str] = ()) -> RunDirectory:
        """Begin a run, or continue the run with the same configuration.

        Args:
            path: created if necessary.
            config: resolved configuration, which determines the result; ``seed`` is noted in the manifest.
            command: the command line, for the manifest.

        Raises:
            UserError: if the folder belongs to another configuration, is open in another process, or is not a
                run directory. Nothing in it is changed then.
        """
        path, wanted = Path(path), json.loads(to_json(config))
        _refuse_foreign(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
            lock = Lock(path / LOCK)
        except OSError as error:
            raise UserError(f"cannot make the run directory {path}: {reason(error)}; choose another --out") from error
        try:
            remove_temporary(path)
            if (path / CONFIG).exists():
                refuse_other_config(path, wanted)
            else:
                write_whole(path / CONFIG, to_json(wanted, indent=2) + "\n")
            manifest = Manifest.open(path / MANIFEST, wanted.get("seed"), config_hash(wanted), command)
            for folder in _FOLDERS:
                (path / folder).mkdir(exist_ok=True)
            return cls(path, wanted, manifest, lock)
        except BaseException as error:
            lock.release()
            if isinstance(error, OSError):
                raise UserError(f"cannot write to the run directory {path}: {reason(error)}") from error
            raise

    @staticmethod
    def read(path: str | Path) -> RunRecord:
        """The content of a run directory; another process may be writing to it.

        Raises:
            UserError: if it is not a run directory; the message says what it holds.
        """
        path = Path(path)
        if not (path / CONFIG).is_file():
            raise UserError(f"{path} is not a run directory: {_content(path)}; expected a folder with {CONFIG}")
        manifest = read_json(path / MANIFEST) if (path / MANIFEST).exists() else {}
        return RunRecord(path, read_json(path / CONFIG), manifest, read_rows(path / METRICS))

    @property
    def is_finished(self) -> bool:
        """Whether the run has finished; then there is nothing left to do."""
        return self._manifest.is_finished

    @property
    def checkpoints(self) -> Path:
        """Where checkpoints go."""
        return self.path / "checkpoints"

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a row to the metrics. It must say its ``step``; write it before that step's checkpoint.

        Not-a-number and infinity are written as null. For a resumed run to equal an uninterrupted one, a row may hold
        nothing that differs from one execution to the next, such as times.
        """
        if not isinstance(row.get("step"), Integral):
            raise ValueError(f"a row of metrics needs a whole number as 'step'; found {row.get('step')!r}")
        self._refuse_if_finished()
        self._metrics.append(row)

    def metrics(self) -> list[Row]:
        """All rows so far."""
        return read_rows(self.path / METRICS)

    def save(self, step: int, arrays: Mapping[str, Any], metadata: Mapping[str, str]) -> None:
        """Save a checkpoint, as ``checkpoint.save`` does, once the metrics up to it are safely on disk."""
        self._refuse_if_finished()
        self._metrics.sync()
        checkpoint.save(self.checkpoints, step, arrays, metadata)
        self._manifest.write()

    def resume(self, warn: Callable[[str], None] | None = None) -> checkpoint.Checkpoint | None:
        """The newest good checkpoint, with the metrics rewound to it; ``None`` if the run begins.

        Args:
            warn: called with a line about each damaged checkpoint that was set aside.

        Raises:
            UserError: if no checkpoint is good any more, or the metrics are not one row for each step up to it.
        """
        self._refuse_if_finished()
        saved = checkpoint.latest(self.checkpoints, warn)
        if saved is not None:
            self._refuse_missing_rows(saved.step)
        self._metrics.keep(saved.step if saved is not None else 0)
        return saved

    def result(self, name: str) -> dict[str, Any]:
        """A JSON object among the final files of a finished run.

        Raises:
            UserError: if it is missing, or no longer what the run wrote.
        """
        path, noted = self.path / name, self._manifest.content["files"].get(name)
        if not path.is_file() or sha256(path) != noted:
            finding = "was changed after the run finished" if path.is_file() else "is missing"
            raise UserError(
                f"{path} {finding}; restore it from a copy, or train again: choose another --out, or remove {self.path}"
            )
        return read_json(path)

    def finish(self, files: Iterable[str | Path] = ()) -> None:
        """Declare the run finished, and note the hashes of its final files.

        Afterwards ``checkpoint.tidy`` may remove the checkpoints.

        Args:
            files: files that the run has written, as paths within its directory, besides configuration and metrics.
        """
        self._refuse_if_finished()
        self._metrics.sync()
        names = [CONFIG, METRICS, *(Path(file).as_posix() for file in files)]
        for name in names:
            sync(self.path / name)  # the manifest must not survive a power cut that its files do not
        self._manifest.finish({name: sha256(self.path / name) for name in dict.fromkeys(names)})

    def close(self) -> None:
        """Let others open the directory."""
        # On a full disk the times of this session may be lost, but not the error that brought us here.
        with suppress(UserError):
            self._manifest.close()
        self._metrics.close()
        self._lock.release()

    def _refuse_missing_rows(self, step: int) -> None:
        """Refuse to resume if rows are missing, since they would shift all later ones unnoticed."""
        steps = [row.get("step") for row in self.metrics()]
        if steps[:step] != list(range(1, step + 1)):
            missing = [number for number in range(1, step + 1) if number not in steps]
            lacks = f"no rows for steps {', '.join(map(str, missing[:5]))}{' and more' if missing[5:] else ''}"
            raise UserError(
                f"{self.path / METRICS} has {lacks if missing else 'duplicate or unordered rows'}; expected one row "
                f"for each of the steps 1 to {step}, the last checkpoint. Restore the file from a copy, then run "
                f"the same command again; or choose another --out to start again"
            )

    def _refuse_if_finished(self) -> None:
        if self.is_finished:
            raise ValueError(f"the run in {self.path} has finished and cannot be changed")

    def __enter__(self) -> RunDirectory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _refuse_foreign(path: Path) -> None:
    """Refuse folders that hold something else. A launcher's log and the remains of a killed start are accepted."""
    if (path / CONFIG).exists() or not (path.exists() or path.is_symlink()):
        return
    ours = {LOCK, LOG, *_FOLDERS}
    if path.is_dir() and all(item.name in ours or item.name.endswith(TEMPORARY) for item in path.iterdir()):
        return
    raise UserError(f"{path} is not a run directory: {_content(path)}; choose another --out, nothing was changed")


def _content(path: Path) -> str:
    if not path.exists():
        return "there is no such folder"
    if not path.is_dir():
        return "it is a file"
    names = sorted(item.name for item in path.iterdir())
    return f"it holds {', '.join(names[:5])}{' and more' if len(names) > 5 else ''}" if names else "it is empty"
