"""An append-only file of JSON objects, one a line, that a crash cannot spoil."""

from __future__ import annotations

import errno
import json
import math
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import acquire, is_about_space, reason

Row = dict[str, Any]


class JsonLines:
    """Appends rows to a file, one whole line at a time. One process at a time may write to a file.

    A last line torn by a crash is cut off when the file is opened.

    Args:
        path: File to append to. Its folder is made where needed.
        opening: Bytes that every such file begins with. A file with another beginning is left alone.
        kind: Name of such a file in the error for any other, such as "an episode record".

    Raises:
        UserError: if the file cannot be written, is open in another process, or is of another kind.
    """

    def __init__(self, path: Path, opening: bytes = b"", kind: str = "a JSON Lines file") -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise UserError(f"cannot write {path}: {reason(error)}; choose another path") from error
        try:
            if not acquire(self._file):
                raise UserError(f"another process is writing to {path}; wait for it or choose another path")
            content = os.pread(self._file, os.fstat(self._file).st_size, 0)
            if not content.startswith(opening[: len(content)]):
                raise UserError(f"{path} exists and is not {kind}; choose another path")
            self._repair(content)
        except BaseException:
            self.close()
            raise

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a row. It is with the system when this returns, so that only a power cut can lose it until ``sync``."""
        # One write for the whole line: a crash leaves it whole or torn at the very end.
        line = (to_json(row) + "\n").encode()
        size = os.fstat(self._file).st_size
        try:
            if os.write(self._file, line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            with suppress(OSError):  # a device has no size
                os.ftruncate(self._file, size)
            advice = "Free space" if is_about_space(error) else "Fix this"
            raise UserError(
                f"cannot write to {self.path}: {reason(error)}; all earlier lines are kept. {advice} and run the same "
                f"command again"
            ) from error

    def keep(self, count: int) -> None:
        """Drop all rows after the first ``count``."""
        ends = [end for end, _ in _whole_rows(self.path.read_bytes(), self.path)]
        if count < len(ends):
            os.ftruncate(self._file, ends[count - 1] if count else 0)

    def sync(self) -> None:
        """Force everything to disk."""
        os.fsync(self._file)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def _repair(self, content: bytes) -> None:
        """Finish or drop a last line that was cut short."""
        start = content.rfind(b"\n") + 1
        if start == len(content):
            return
        if parse_row(content[start:]) is not None:  # only the line end is missing
            os.write(self._file, b"\n")
        else:
            os.ftruncate(self._file, start)


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file, which another process may be writing; none if there is no file yet.

    Raises:
        UserError: if a line other than the last is damaged.
    """
    return [row for _, row in _whole_rows(path.read_bytes(), path)] if path.exists() else []


def to_json(value: Any, indent: int | None = None) -> str:
    """JSON that every tool reads: NumPy and JAX values as numbers and lists, not-a-number and infinity as null."""
    separators = (",", ":") if indent is None else None
    return json.dumps(_plain(value), separators=separators, indent=indent, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return _plain(value.tolist()) if hasattr(value, "tolist") else value


def _whole_rows(content: bytes, path: Path) -> list[tuple[int, Row]]:
    """Every whole row, after the offset of its end (line end included, even if that is missing)."""
    rows, end = [], 0
    lines = content.split(b"\n")
    for number, line in enumerate(lines, start=1):
        end += len(line) + 1
        row = parse_row(line)
        if row is not None:
            rows.append((end, row))
        elif number < len(lines):
            raise UserError(
                f"{path}, line {number}: expected a JSON object, found {line[:40]!r}; the file was damaged or edited. "
                f"Fix that line or restore the file from a copy, then run the same command again; "
                f"or choose another --out to start again"
            )
    return rows


def parse_row(line: bytes) -> Row | None:
    """The object that a line holds; ``None`` if it holds none."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None
