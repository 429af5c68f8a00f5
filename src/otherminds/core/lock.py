"""Locks on files: one process at a time."""

from __future__ import annotations

import errno
import os
import platform
import time
from pathlib import Path

from otherminds.core.errors import UserError

PATIENCE = "OTHERMINDS_PATIENCE"  # environment variable, seconds; launchers set it for the jobs they start again


class Lock:
    """A lock on a file, which the system releases when its holder ends.

    On systems and file systems without such locks, every process gets in.

    If ``OTHERMINDS_PATIENCE`` is set, waits that many seconds for the holder to end: a job whose launcher was killed
    needs a moment to stop.

    Raises:
        UserError: if another process holds it.
        OSError: if the file cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if not acquire(self._file, patience=float(os.environ.get(PATIENCE, "0"))):
                raise UserError(
                    f"{path.parent} is in use by another process ({self._holder()}); "
                    f"wait for it to end, or choose another --out"
                )
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"process {os.getpid()} on {platform.node()}".encode(), 0)
        except BaseException:
            os.close(self._file)
            raise

    def release(self) -> None:
        """Let others in."""
        os.close(self._file)

    def _holder(self) -> str:
        return os.pread(self._file, 200, 0).decode(errors="replace") or "unknown"


def acquire(file: int, patience: float = 0.0) -> bool:
    """Lock an open file for this process, and return whether it has the lock.

    Args:
        file: Descriptor of the file. The lock ends when it is closed.
        patience: Seconds to wait for another process to release the lock.
    """
    try:
        import fcntl
    except ModuleNotFoundError:  # this system has no such locks
        return True
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError as error:
            if error.errno in (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP):  # this file system has none
                return True
            if time.monotonic() >= deadline:
                return False
        time.sleep(0.1)
