"""Files that are there whole even after a power cut, or not at all, and that one process holds at a time."""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import time
from contextlib import suppress
from pathlib import Path

from otherminds.core.errors import UserError

PATIENCE = "OTHERMINDS_PATIENCE"  # environment variable, seconds; launchers set it for the jobs they start again
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
    sync(path.parent)


def sync(path: Path) -> None:
    """Force a file to disk that somebody else has written, or which files a folder holds.

    A rename is lost in a power cut otherwise.
    """
    if path.is_dir() and not hasattr(os, "O_DIRECTORY"):  # Windows keeps no such promise to wait for
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL or not path.is_dir():  # some network file systems sync folders by themselves
            raise
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


class Lock:
    """A lock on a file that the system lifts when its holder ends, however it ends.

    On systems and file systems without such locks, nobody is kept out.

    If ``OTHERMINDS_PATIENCE`` is set, waits that many seconds for the holder to end: a job whose launcher was killed
    needs a moment to stop.

    Raises:
        UserError: if another process holds it.
        OSError: if the file cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self._acquire()
        except BaseException:
            os.close(self._file)
            raise

    def release(self) -> None:
        """Let others in."""
        os.close(self._file)

    def _acquire(self) -> None:
        try:
            import fcntl
        except ModuleNotFoundError:  # not on this system
            return
        deadline = time.monotonic() + float(os.environ.get(PATIENCE, "0"))
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if error.errno in (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP):  # not on this file system
                    return
                if time.monotonic() >= deadline:
                    raise UserError(
                        f"{self._path.parent} is open in another process ({self._holder()}); "
                        f"wait for it to end, or choose another --out"
                    ) from error
                time.sleep(0.1)
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"process {os.getpid()} on {platform.node()}".encode(), 0)

    def _holder(self) -> str:
        return os.pread(self._file, 200, 0).decode(errors="replace") or "unknown"
