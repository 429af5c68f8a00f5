"""One job as a process: start it, stop it, read the end of its log. What all launchers share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from otherminds.core.errors import UserError
from otherminds.run._files import why
from otherminds.run._lock import PATIENCE
from otherminds.run.directory import LOG
from otherminds.run.pinned import GRACE
from otherminds.run.sweep import Job

MISTAKE = 2  # exit code for what a user must mend: trying again does not help
_POLL = 0.05


def start(job: Job, nice: int = 0, cwd: str | None = None) -> subprocess.Popen[bytes]:
    """Start a job on a core of its own; what it prints goes to ``log.txt`` in its directory.

    Raises:
        UserError: if its directory cannot be made.
    """
    command = [sys.executable, "-m", "otherminds.run.pinned", str(nice), job.target, *job.argv]
    directory = Path(cwd or ".") / job.directory
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / LOG).open("ab") as log:
            log.write(f"--- {' '.join(job.argv)}\n".encode())
            log.flush()
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,  # held open: the job ends when this process does
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                # A job that was left behind by a killed launcher needs a moment to let go of the run.
                env={**os.environ, "PYTHONUNBUFFERED": "1", PATIENCE: str(3 * GRACE)},
                start_new_session=True,  # Ctrl-C reaches the launcher only, which then stops its jobs
            )
    except OSError as error:
        raise UserError(f"cannot start {job.name} in {directory}: {why(error)}") from error


def stop(processes: Sequence[subprocess.Popen[bytes]], is_urgent: Callable[[], bool] = lambda: False) -> None:
    """Ask jobs to end, and end those that do not."""
    for process in processes:
        _signal(process, signal.SIGTERM)
    deadline = time.monotonic() + GRACE
    while any(process.poll() is None for process in processes):
        if is_urgent() or time.monotonic() > deadline:
            for process in processes:
                _signal(process, signal.SIGKILL)
        time.sleep(_POLL)
    for process in processes:
        close(process)


def close(process: subprocess.Popen[bytes]) -> None:
    """Let go of a process that has ended."""
    process.wait()
    if process.stdin is not None:
        process.stdin.close()


def tail(job: Job, lines: int = 10) -> str:
    """The last lines of a job's log."""
    path = job.directory / LOG
    try:
        with path.open("rb") as log:
            log.seek(max(0, os.fstat(log.fileno()).st_size - (1 << 14)))
            text = log.read().decode(errors="replace")
    except OSError as error:
        return f"(its log cannot be read: {path}: {error.strerror})"
    return "\n".join(text.splitlines()[-lines:])


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)  # with everything the job has started itself


class StopRequests:
    """Counts Ctrl-C and SIGTERM while a launcher runs, instead of ending it in the middle."""

    def __init__(self) -> None:
        self.count = 0
        self._before: dict[int, Any] = {}

    def install(self) -> None:
        """Take over both signals; again if somebody else has taken them meanwhile."""
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may; it then gets the signals
        for number in (signal.SIGINT, signal.SIGTERM):
            before = signal.signal(number, self._note)
            self._before.setdefault(number, before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.count += 1

    def __enter__(self) -> StopRequests:
        self.install()
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
