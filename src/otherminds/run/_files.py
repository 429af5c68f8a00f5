"""Files that are there whole even after a power cut, or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
from contextlib import suppress
from pathlib import Path

TEMPORARY = ".tmp"  # how the name of a file ends while it is written; it begins with a dot


def write_durably(path: Path, content: bytes) -> None:
    """Write a file under another name, force it to disk, then rename it. One writer a file.

    Raises:
        OSError: if it cannot be written; nothing of it is left behind then.
    """
    temporary = path.with_name(f".{path.name}{TEMPORARY}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Force to disk which files a folder holds: a rename is lost in a power cut otherwise."""
    if not hasattr(os, "O_DIRECTORY"):  # Windows keeps no such promise to wait for
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some network file systems sync folders by themselves
            raise
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Force a file to disk that somebody else has written."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256(path: Path) -> str:
    """The hash of a file's content, read piece by piece."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def why(error: OSError) -> str:
    """What went wrong with a write, in words."""
    if error.errno == errno.ENOSPC:
        return "the disk is full"
    if error.errno == errno.EDQUOT:
        return "your disk quota is used up"
    if error.errno == errno.EFBIG:
        return "the file is larger than this system allows (ulimit -f)"
    return error.strerror or str(error)
