"""Runs a sweep on a Ray cluster, or on a Ray that it starts on this machine.

All machines have otherminds installed and share a file system: run directories are where jobs meet, so a job that
loses its machine continues on another.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

from otherminds.core.errors import UserError, need
from otherminds.run import local
from otherminds.run.directory import LOG
from otherminds.run.one_core import GRACE
from otherminds.run.sweep import Job, Progress, Summary, pending

_POLL = 0.1


class JobFailed(Exception):
    """A job ended with an exit code that is worth another try."""


def launch(
    jobs: Sequence[Job],
    *,
    address: str | None = None,
    retries: int = 2,
    on_change: Callable[[Progress], None] | None = None,
    refresh: float = 1.0,
) -> Summary:
    """Run all jobs that have not finished; return the outcome of each.

    As ``local.launch``, with these differences: Ray decides where and when a job runs, and a job is also started again
    when its machine or worker dies. A Ray that this process is connected to already is used and left running.

    Args:
        jobs: with distinct names and directories. Their paths must mean the same on every machine.
        address: of a running cluster, ``"auto"`` for one on this machine; by default a Ray is started here and ended.
        retries: as for ``local.launch``, like all that follow.

    Raises:
        MissingExtra: if Ray is not installed.
        UserError: if jobs clash, or there is no cluster at that address.
    """
    todo = pending(jobs)
    if not todo:
        return Summary.of(jobs, {}, ())
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import: Ray reports its use to its makers otherwise
    ray = need("ray", "running on a cluster needs ray", "cluster")
    is_ours = not ray.is_initialized()
    failed: dict[str, str] = {}
    with local.StopRequests() as stop:
        try:
            if is_ours:
                _connect(ray, address)
                stop.install()  # Ray has taken SIGTERM
            work = ray.remote(_work).options(num_cpus=1, max_retries=retries, retry_exceptions=[JobFailed])
            tasks = {work.remote(job, os.getcwd()): job for job in todo}
            waiting = list(tasks)
            try:
                while waiting and not stop.count:
                    ended, waiting = ray.wait(waiting, timeout=refresh)
                    for task in ended:
                        if (reason := _reason(ray, task)) is not None:
                            failed[tasks[task].name] = f"{reason}\n{local.log_tail(tasks[task])}"
                    if on_change is not None:
                        on_change(_progress(jobs, {tasks[task].name for task in waiting}, failed))
            finally:
                _cancel(ray, waiting, stop)
            # A job may have finished while it was asked to stop.
            stopped = {tasks[task].name for task in waiting if _reason(ray, task, wait=False) is not None}
        finally:
            if is_ours:
                ray.shutdown()
    return Summary.of(jobs, failed, stopped)


def _connect(ray: Any, address: str | None) -> None:
    quiet = {"log_to_driver": False, "logging_level": "error"}
    if address is None:
        ray.init(address="local", num_cpus=local.allowed_cores(), include_dashboard=False, **quiet)
        return
    try:
        ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise UserError(f"cannot join a Ray cluster at {address!r}: {error}; start one with 'ray start'") from error


def _work(job: Job, cwd: str) -> str | None:
    """Run a job on the machine that Ray has chosen; why it failed, or ``None``.

    Raises:
        JobFailed: to be tried again.
    """
    process = local.start_job(job, cwd)
    try:
        while process.poll() is None:
            time.sleep(_POLL)  # short, since Ray cancels by an exception that only comes between calls
    finally:
        local.stop_jobs([process])
    if process.returncode not in (0, local.MISTAKE):
        raise JobFailed(f"exit code {process.returncode}")
    return None if process.returncode == 0 else f"exit code {process.returncode}"


def _reason(ray: Any, task: Any, wait: bool = True) -> str | None:
    """Why a task failed, or ``None`` if it did not."""
    try:
        reason: str | None = ray.get(task, timeout=None if wait else 0)
    except ray.exceptions.RayError as error:
        return (str(error).strip().splitlines() or [type(error).__name__])[-1]
    return reason


def _progress(jobs: Sequence[Job], active: Collection[str], failed: Collection[str]) -> Progress:
    # Ray does not tell which tasks it has begun; those that have a log have been, at least once.
    begun = {job.name for job in jobs if job.name in active and (job.directory / LOG).exists()}
    return Progress.read(jobs, begun, failed)


def _cancel(ray: Any, tasks: Sequence[Any], stop: local.StopRequests) -> None:
    for task in tasks:
        ray.cancel(task)
    deadline = time.monotonic() + 2 * GRACE
    rest = list(tasks)
    while rest and stop.count < 2 and time.monotonic() < deadline:
        rest = ray.wait(rest, num_returns=len(rest), timeout=_POLL)[1]
    for task in rest:
        ray.cancel(task, force=True)
