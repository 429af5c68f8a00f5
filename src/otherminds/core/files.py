"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from otherminds.core.errors import UserError


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file so that a reader never finds half of it, making its folder where needed.

    Raises:
        UserError: if it cannot be written; nothing is left behind then.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_bytes(content.encode() if isinstance(content, str) else content)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}; choose another path") from error
