"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from otherminds.core.errors import UserError


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file atomically, creating its folder if necessary.

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
        fix = "free space there and run the same command again" if is_about_space(error) else "choose another path"
        raise UserError(f"cannot write {path}: {error.strerror}; {fix}") from error


def is_about_space(error: OSError) -> bool:
    """Whether freeing space would help."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)
