"""Text files, files that are written whole or not at all, even if the power fails, and locks."""

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
TEMPORARY = ".tmp"  # suffix of a file while it is written; its name begins with a dot
_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your disk quota is used up",
    errno.EFBIG: "the file is larger than this system allows (ulimit -f)",
}


def read_text(path: str | Path, expected: str) -> str:
    """Return the text of a file.

    Raises:
        UserError: if it cannot be read as text; the message says what was ``expected``.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text file; expected {expected}") from None
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: str | Path, error: OSError) -> UserError:
    """The error for a file of the user's that is missing or cannot be read."""
    return UserError(f"cannot read {path}: {error.strerror}; check the path")


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file atomically, creating its folder if necessary.

    Raises:
        UserError: if it cannot be written; the old file is kept then.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_durably(path, content.encode() if isinstance(content, str) else content)
    except OSError as error:
        advice = "free space there and run the same command again" if is_about_space(error) else "choose another path"
        raise UserError(f"cannot write {path}: {reason(error)}; {advice}") from error


def write_durably(path: Path, content: bytes) -> None:
    """Write a file under another name, force it to disk, then rename it.

    Raises:
        OSError: if it cannot be written; nothing of it is left behind then.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY}")
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


def remove_temporary(folder: Path) -> None:
    """Remove what writes that were killed left behind. The caller must be the only writer in the folder."""
    for temporary in folder.glob(f".*{TEMPORARY}"):
        temporary.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Force a file that was written elsewhere, or the entries of a folder, to disk.

    A rename is lost in a power cut otherwise.
    """
    if path.is_dir() and not hasattr(os, "O_DIRECTORY"):  # Windows has nothing to wait for
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
    """Return the hash of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def reason(error: OSError) -> str:
    """Return what went wrong with a write, in words."""
    return _REASONS.get(error.errno or 0, error.strerror or str(error))


def is_about_space(error: OSError) -> bool:
    """Return whether freeing space would help."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


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
