"""Runs a sweep on this machine: one process a core, started again where one dies."""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from subprocess import Popen

from otherminds.core.errors import UserError
from otherminds.run import _process
from otherminds.run.sweep import Job, Progress, Summary, pending

_POLL = 0.05


def launch(
    jobs: Sequence[Job],
    *,
    cores: int | None = None,
    nice: int = 0,
    retries: int = 2,
    on_change: Callable[[Progress], None] | None = None,
    refresh: float = 1.0,
) -> Summary:
    """Run all jobs that have not finished; say what came of each.

    A job that fails is started again with the same command, which continues its run; a user's mistake (exit code 2) is
    not. Ctrl-C or SIGTERM stops all jobs, so that the same sweep can be continued later; a second one does not wait
    for them.

    Args:
        jobs: with distinct names and directories.
        cores: how many jobs to run at once, each pinned to a core; by default one for every core this process may use.
        nice: how much to step back behind other programs, from 0 to 19.
        retries: how often to start a failing job again.
        on_change: is given the progress when a job starts or ends, and every so often in between.
        refresh: how often, in seconds.

    Raises:
        UserError: if jobs clash, or there are not that many cores.
    """
    if cores is not None and not 1 <= cores <= allowed_cores():
        raise UserError(f"{cores} cores were asked for; this process may use 1 to {allowed_cores()}")
    cores = cores or allowed_cores()
    waiting = deque(pending(jobs))
    running: dict[str, tuple[Job, Popen[bytes]]] = {}
    tries: Counter[str] = Counter()
    failed: dict[str, str] = {}
    shown = 0.0

    def show() -> None:
        nonlocal shown
        shown = time.monotonic()
        if on_change is not None:
            on_change(Progress.read(jobs, running, failed))

    with _process.StopRequests() as stop:
        try:
            while (waiting or running) and not stop.count:
                while waiting and len(running) < cores:
                    job = waiting.popleft()
                    try:
                        running[job.name] = (job, _process.start(job, nice=nice))
                        tries[job.name] += 1
                    except UserError as error:  # the others may still succeed
                        failed[job.name] = str(error)
                    show()
                time.sleep(_POLL)
                for name, (job, process) in list(running.items()):
                    code = process.poll()
                    if code is None:
                        continue
                    _process.close(process)
                    del running[name]
                    if code not in (0, _process.MISTAKE) and tries[name] <= retries:
                        waiting.appendleft(job)
                    elif code != 0:
                        failed[name] = f"exit code {code} at try {tries[name]}\n{_process.tail(job)}"
                    show()
                if time.monotonic() - shown >= refresh:
                    show()
        finally:
            _process.stop([process for _, process in running.values()], lambda: stop.count > 1)
    # A job may have finished while it was asked to stop.
    stopped = {name for name, (_, process) in running.items() if process.returncode != 0}
    return Summary.of(jobs, failed, stopped | {job.name for job in waiting})


def allowed_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
