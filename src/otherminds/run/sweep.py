"""Sweeps: many commands, each with its own run directory, so that any of them can be stopped and resumed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from otherminds.core.errors import UserError
from otherminds.core.json_lines import Row, read_rows
from otherminds.run._manifest import CONFIG, read_json, refuse_other_config
from otherminds.run.directory import MANIFEST, METRICS

T = TypeVar("T")
Status = Literal["waiting", "running", "unfinished", "failed", "finished"]


@dataclass(frozen=True)
class Job:
    """One command of a sweep.

    Attributes:
        name: name in tables and messages; unique in a sweep.
        argv: arguments of the ``otherminds`` command, with which it trains in ``directory`` and continues there.
        directory: its run directory; unique in a sweep.
        config: the configuration that ``argv`` resolves to, where it is known: a finished run of another one is then
            refused instead of taken for this job's.
        target: the module, or the path of a ``.py`` file, that is run with ``argv``.
        kept: result kept from an earlier run; such a job is not run again, whatever its directory holds.
    """

    name: str
    argv: Sequence[str]
    directory: Path
    config: Mapping[str, Any] | None = field(default=None, repr=False)
    target: str = "otherminds.cli.main"
    kept: Path | None = None


@dataclass(frozen=True)
class JobProgress:
    """The progress of one job.

    A job is ``waiting`` before its run directory exists, and ``unfinished`` if it has begun and no process is known to
    work on it.
    """

    job: Job
    status: Status
    row: Row  # the last row of metrics; empty before the first
    fraction: float  # from 0 to 1, as the row's "progress" says


@dataclass(frozen=True)
class Progress:
    """The progress of a sweep."""

    jobs: tuple[JobProgress, ...]

    @classmethod
    def read(cls, jobs: Sequence[Job], running: Collection[str] = (), failed: Collection[str] = ()) -> Progress:
        """What the run directories say now; a launcher adds the names of the jobs that run and that have failed."""
        return cls(tuple(_progress(job, job.name in running, job.name in failed) for job in jobs))

    @property
    def num_finished(self) -> int:
        """The number of finished jobs."""
        return sum(job.status == "finished" for job in self.jobs)

    @property
    def percent(self) -> float:
        """Progress of the sweep in percent; all jobs count the same."""
        return 100 * sum(job.fraction for job in self.jobs) / len(self.jobs) if self.jobs else 100.0


@dataclass(frozen=True)
class Summary:
    """The outcome of a sweep."""

    finished: tuple[str, ...]
    failed: dict[str, str]  # why, with the last lines of the log, by name
    stopped: tuple[str, ...] = ()  # begun or waiting when the sweep was stopped

    @classmethod
    def of(cls, jobs: Sequence[Job], failed: Mapping[str, str], stopped: Collection[str]) -> Summary:
        """The outcome of jobs of which some have failed or were stopped, by name; all others have finished."""
        names = [job.name for job in jobs]
        return cls(
            finished=tuple(name for name in names if name not in failed and name not in stopped),
            failed={name: failed[name] for name in names if name in failed},
            stopped=tuple(name for name in names if name in stopped),
        )

    @property
    def message(self) -> str:
        """The outcome in a sentence or two."""
        total = len(self.finished) + len(self.failed) + len(self.stopped)
        parts = [f"{len(self.finished)} of {total} jobs finished"]
        if self.failed:
            parts.append(f"{len(self.failed)} failed ({', '.join(self.failed)})")
        if self.stopped:
            parts.append(f"{len(self.stopped)} stopped")
        fix = "fix the failures and " if self.failed else ""
        unfinished = f"; {fix}run the same command again to resume" if self.failed or self.stopped else ""
        return ", ".join(parts) + unfinished


def shard(jobs: Sequence[T], part: str) -> list[T]:
    """One part of a sweep, for one of several machines: ``"2/5"`` is the second of five.

    The parts do not overlap and depend on nothing but the jobs, so shard before asking which are pending.

    Raises:
        UserError: if there is no such part.
    """
    match = re.fullmatch(r"(\d+)/(\d+)", part.strip())
    if match is None:
        raise UserError(f"shard {part!r} is not of the form i/N, such as 1/4")
    index, count = int(match[1]), int(match[2])
    if count < 1:
        raise UserError(f"there is no shard {part!r}; expected at least one part, such as 1/1")
    if not 1 <= index <= count:
        raise UserError(f"there is no shard {part!r}; expected 1/{count} to {count}/{count}")
    return list(jobs[index - 1 :: count])


def pending(jobs: Sequence[Job]) -> list[Job]:
    """The jobs that have not finished yet.

    Raises:
        UserError: if two jobs share a name or a directory, or a finished run is of another configuration than its job.
    """
    for shared, count in (*_twice(job.name for job in jobs), *_twice(job.directory.resolve() for job in jobs)):
        raise UserError(f"{count} jobs of the sweep share {str(shared)!r}; give each its own name and directory")
    return [job for job in jobs if not _is_done(job)]


def _twice(values: Any) -> list[tuple[Any, int]]:
    return [(value, count) for value, count in Counter(values).items() if count > 1]


def _is_done(job: Job) -> bool:
    if _status(job) != "finished":
        return False
    if job.config is not None and job.kept is None:
        refuse_other_config(job.directory, job.config)
    return True


def _status(job: Job) -> Status:
    if job.kept is not None:
        return "finished"
    if not (job.directory / CONFIG).exists():
        return "waiting"
    try:
        is_finished = read_json(job.directory / MANIFEST).get("status") == "finished"
    except UserError:  # missing or damaged: the job itself will say so, and what to do
        is_finished = False
    return "finished" if is_finished else "unfinished"


def _progress(job: Job, is_running: bool, has_failed: bool) -> JobProgress:
    status, row = _status(job), _last_row(job)
    if status != "finished":
        status = "running" if is_running else "failed" if has_failed else status
    fraction = row.get("progress")
    if status == "finished":
        fraction = 1.0
    elif not isinstance(fraction, int | float):
        fraction = 0.0
    return JobProgress(job, status, row, min(max(float(fraction), 0.0), 1.0))


def _last_row(job: Job) -> Row:
    try:
        return (read_rows(job.directory / METRICS) or [{}])[-1]
    except (OSError, UserError):  # the job itself will say so
        return {}


def words(text: str) -> list[str]:
    """Return the words of a list separated by commas.

    Raises:
        UserError: if there are none.
    """
    parts = [word.strip() for word in text.split(",") if word.strip()]
    if not parts:
        raise UserError("a sweep needs at least one model, setting and seed")
    return parts


def numbers(text: str) -> list[int]:
    """Return seeds given by commas or as ranges, such as ``0-2``; each once.

    Raises:
        UserError: if one is not a number or a range.
    """
    seeds: list[int] = []
    for word in words(text):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", word)
        if match is None:
            raise UserError(f"seeds are {text!r}; expected numbers separated by commas, or a range such as 0-2")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise UserError(f"seed range {word!r} is reversed; write {last}-{first}")
        seeds += range(first, last + 1)
    return list(dict.fromkeys(seeds))
