"""Runs a sweep on this machine: one process a core, started again where one dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import PATIENCE, reason
from otherminds.run.directory import LOG
from otherminds.run.one_core import GRACE
from otherminds.run.sweep import Job, Progress, Summary, pending

MISTAKE = 2  # exit code for errors that a user must fix: trying again does not help
_POLL = 0.05


def launch(
    jobs: Sequence[Job],
    *,
    cores: int | None = None,
    retries: int = 2,
    on_change: Callable[[Progress], None] | None = None,
    refresh: float = 1.0,
) -> Summary:
    """Run all jobs that have not finished; return the outcome of each.

    A job that fails is started again with the same command, which continues its run; a user's mistake (exit code 2) is
    not. Ctrl-C or SIGTERM stops all jobs, so that the same sweep can be continued later; a second one does not wait
    for them.

    Args:
        jobs: with distinct names and directories.
        cores: number of jobs to run at once, each pinned to a core. [default: one for every core of this process]
        retries: number of times a failing job is started again.
        on_change: called with the progress when a job starts or ends, and every ``refresh`` seconds.
        refresh: seconds between two calls of ``on_change``.

    Raises:
        UserError: if jobs clash, or fewer cores are available.
    """
    if cores is not None and not 1 <= cores <= allowed_cores():
        raise UserError(
            f"the number of cores is {cores}; expected 1 to {allowed_cores()}, as many as this process may use"
        )
    cores = cores or allowed_cores()
    waiting = deque(pending(jobs))
    running: dict[str, tuple[Job, subprocess.Popen[bytes]]] = {}
    tries: Counter[str] = Counter()
    failed: dict[str, str] = {}
    shown = 0.0

    def show() -> None:
        nonlocal shown
        shown = time.monotonic()
        if on_change is not None:
            on_change(Progress.read(jobs, running, failed))

    with StopRequests() as stop:
        try:
            while (waiting or running) and not stop.count:
                while waiting and len(running) < cores:
                    job = waiting.popleft()
                    try:
                        running[job.name] = (job, start_job(job))
                        tries[job.name] += 1
                    except UserError as error:  # the others may still succeed
                        failed[job.name] = str(error)
                    show()
                time.sleep(_POLL)
                for name, (job, process) in list(running.items()):
                    code = process.poll()
                    if code is None:
                        continue
                    close_job(process)
                    del running[name]
                    if code not in (0, MISTAKE) and tries[name] <= retries:
                        waiting.appendleft(job)
                    elif code != 0:
                        failed[name] = f"exit code {code} on attempt {tries[name]}\n{log_tail(job)}"
                    show()
                if time.monotonic() - shown >= refresh:
                    show()
        finally:
            stop_jobs([process for _, process in running.values()], lambda: stop.count > 1)
    # A job may have finished while it was asked to stop.
    stopped = {name for name, (_, process) in running.items() if process.returncode != 0}
    return Summary.of(jobs, failed, stopped | {job.name for job in waiting})


def allowed_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_job(job: Job, cwd: str | None = None) -> subprocess.Popen[bytes]:
    """Start a job on its own core; its output goes to ``log.txt`` in its directory.

    Raises:
        UserError: if its directory cannot be made.
    """
    command = [sys.executable, "-m", "otherminds.run.one_core", job.target, *job.argv]
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
        raise UserError(f"cannot start {job.name} in {directory}: {reason(error)}") from error


def stop_jobs(processes: Sequence[subprocess.Popen[bytes]], is_urgent: Callable[[], bool] = lambda: False) -> None:
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
        close_job(process)


def close_job(process: subprocess.Popen[bytes]) -> None:
    """Let go of a process that has ended."""
    process.wait()
    if process.stdin is not None:
        process.stdin.close()


def log_tail(job: Job, lines: int = 10) -> str:
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
