"""A folder of tasks that passed, with their lineage, and the record of all sessions and votes that led there."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import remove_temporary, write_whole
from otherminds.core.json_lines import JsonLines, Row, read_rows
from otherminds.core.secrets import redact
from otherminds.worlds.enacttom.tasks.canonical import mechanism
from otherminds.worlds.enacttom.tasks.read import find_task, read_task, task_names
from otherminds.worlds.enacttom.tasks.write import content_text, task_content
from otherminds.worlds.enacttom.types import Task

_SLOT = "authored"


class Pool:
    """A pool of authored tasks.

    Args:
        folder: Folder of the pool; it is made when something is written.
        parent: Name or file of a task that authors start from; copies of it are refused too.
    """

    def __init__(self, folder: str | Path, parent: str = "") -> None:
        self.folder = Path(folder)
        self.parent = read_task(find_task(parent)) if parent else None

    def file(self, slot: str) -> Path:
        """The file of a slot."""
        return self.folder / f"{slot}.yaml"

    def files(self) -> list[Path]:
        """The files of all authored tasks, in the order of their numbers."""
        files = {path.stem.removeprefix(f"{_SLOT}-"): path for path in self.folder.glob(f"{_SLOT}-*.yaml")}
        return [files[number] for number in sorted(filter(str.isdecimal, files), key=int)]

    def missing(self, number: int) -> list[str]:
        """The first free slots, one for each task that the pool lacks."""
        free = (slot for at in count(1) if not self.file(slot := f"{_SLOT}-{at}").exists())
        return list(islice(free, max(number - len(self.files()), 0)))

    def copy_of(self, task: Task) -> str:
        """The task of the pool or of the package that a task repeats, but for names and numbers; empty if none."""
        same = mechanism(task)
        if self.parent is not None and mechanism(self.parent) == same:
            return f"the task {self.parent.id!r} that you started from"
        for path in sorted(self.folder.glob("*.yaml")):
            if _mechanism_in(path, path.stat().st_mtime_ns) == same:
                return f"the task {path.stem!r} of the pool"
        return f"the known task {_shipped()[same]!r}" if same in _shipped() else ""

    def add(self, slot: str, task: Task, lineage: Mapping[str, Any]) -> Path:
        """Write a task with its certificate and its lineage into a slot.

        Raises:
            UserError: if the slot is taken.
        """
        path = self.file(slot)
        if path.exists():
            raise UserError(f"{path} already exists; choose another folder")
        whole = replace(task, id=slot, provenance={"authored": dict(lineage)})
        write_whole(path, content_text(redact(task_content(whole))))
        return path

    def note(self, kind: str, row: Mapping[str, Any]) -> None:
        """Append a row to ``sessions.jsonl`` or ``votes.jsonl``."""
        with closing(JsonLines(self.folder / f"{kind}.jsonl")) as lines:
            lines.append(redact(dict(row)))

    def noted(self, kind: str) -> list[Row]:
        """The rows so far."""
        return read_rows(self.folder / f"{kind}.jsonl")

    def open(self) -> None:
        """Make the folder, and remove what a killed run left half written.

        Raises:
            UserError: if it cannot be made, or a task in it cannot be read.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot write tasks to {self.folder}: {error.strerror}; choose another folder") from error
        remove_temporary(self.folder)
        for path in sorted(self.folder.glob("*.yaml")):
            _mechanism_in(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4096)
def _mechanism_in(path: Path, changed: int) -> str:  # noqa: ARG001 a file that has changed is read again
    return mechanism(read_task(path))


@lru_cache(maxsize=1)
def _shipped() -> dict[str, str]:
    """The first task of the package with each mechanism."""
    return {mechanism(read_task(find_task(name))): name for name in reversed(task_names())}
