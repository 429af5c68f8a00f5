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
