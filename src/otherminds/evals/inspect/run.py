"""Evaluations of any world: what they will take, and a run that the same call continues after a kill.

Runs are Inspect's eval sets: a log is written sample by sample, a task whose log is whole is not run again, and one
whose log stops in the middle goes on from there, as long as questions, prompts, model and options are the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from copy import copy
from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from otherminds.core.errors import MissingExtra, UserError, nearest
from otherminds.evals.inspect.models import refusal, resolved, resolved_by_role
from otherminds.evals.inspect.templates import SUFFIX

ALL = "all"  # every phrasing
LETTERS_A_TOKEN = 4  # of English, roughly


class Takes(NamedTuple):
    """What one sample will take, roughly."""

    requests: int
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True)
class Plan:
    """What an evaluation will take, roughly, before it starts."""

    samples: int
    tokens_in: int
    tokens_out: int
    price: float | None = None  # in the currency of the prices; None if none were given
    requests: int | None = None  # without those that ask again after a reply that cannot be read

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def plan(
    tasks: Sequence[Any],
    takes: Callable[[Any], Takes],
    price_in: float | None = None,
    price_out: float | None = None,
    limit: int | None = None,
) -> Plan:
    """What tasks will take, with at most so many samples each; prices are for a million tokens."""
    every = [takes(sample) for task in tasks for sample in task.dataset[:limit]]
    requests, tokens_in, tokens_out = (sum(part) for part in zip(*every, strict=True))
    price = None
    if price_in is not None or price_out is not None:
        price = ((price_in or 0.0) * tokens_in + (price_out or 0.0) * tokens_out) / 1e6
    return Plan(len(every), tokens_in, tokens_out, price, requests)


def phrasing_names(phrasing: str, known: Sequence[str]) -> list[str]:
    """The phrasings that are meant: one by name, several by commas, or all that are known.

    Raises:
        UserError: if none is.
    """
    names = list(dict.fromkeys(name.strip() for name in phrasing.split(",") if name.strip()))
    if not names:
        raise UserError(f"phrasing is {phrasing!r}; expected {', '.join(known)}, a file, or {ALL}")
    if names == [ALL]:
        return list(known)
    for name in names:
        if name not in known and not name.endswith(SUFFIX):
            raise UserError(
                f"there is no phrasing {name!r}{nearest(name, known)} (or name a {SUFFIX} file of your own)"
            )
    return names


def run_tasks(
    tasks: Sequence[Any],
    model: Any,
    *,
    log_dir: str | Path = "logs",
    limit: int | None = None,
    display: str = "none",
    config: dict[str, Any] | None = None,
) -> list[Any]:
    """Run tasks of any world, or go on with them, and give their whole logs in the order of the tasks.

    Args:
        tasks: of Inspect; their versions tell them apart.
        model: ``local``, the name of any model of Inspect such as ``openai/gpt-4o-mini``, or one of its models.
        log_dir: where logs are written and looked for.
        limit: at most so many samples of each task.
        display: how Inspect shows progress: full, rich, plain or none.
        config: how the model generates, such as temperature or max_connections.

    Raises:
        UserError: if they did not all finish; the message says why and what is kept.
    """
    inspect_ai = need_inspect()
    from inspect_ai.log import read_eval_log

    folder = _made(Path(log_dir).resolve())
    with resolved(model, config or {}) as found, redirect_stdout(sys.stderr):
        try:
            is_done, headers = inspect_ai.eval_set(
                list(tasks),
                log_dir=str(folder),
                model=found,
                limit=limit,
                display=display,
                log_buffer=1,  # what is answered is on disk
                log_realtime=False,  # what Inspect would restore from its buffer after a kill has no store: no record
                log_dir_allow_dirty=True,
                retry_attempts=1,
                max_tasks=1,
            )
        except Exception as error:
            why = refusal(error)
            if why is None:
                raise
            raise UserError(f"the evaluation cannot start: {why}") from error
    logs = [read_eval_log(header.location) for header in headers]
    if not is_done:
        reasons = {log.error.message for log in logs if log.error} or {"it was stopped"}
        raise UserError(
            f"the evaluation did not finish ({'; '.join(sorted(reasons))}); what was answered is kept in {folder}, "
            f"and the same command goes on from there"
        )
    order = {str(task.version): at for at, task in enumerate(tasks)}  # a version says all that tells tasks apart
    return sorted(logs, key=lambda log: order[str(log.eval.task_version)])


def run_cast(
    tasks: Sequence[Any],
    model: Any,
    roles: Mapping[str, Any] | None = None,
    *,
    log_dir: str | Path = "logs",
    limit: int | None = None,
    display: str = "none",
    config: dict[str, Any] | None = None,
    max_tokens: int | None = None,
) -> list[Any]:
    """Run tasks with a model for each role, or go on with them, and give their whole logs.

    Args:
        tasks: of Inspect.
        model: of all roles that have none of their own: a name, or a model of Inspect.
        roles: models by role.
        log_dir: where logs are written and looked for.
        limit: at most so many samples of each task.
        display: how Inspect shows progress.
        config: how the models generate, such as temperature.
        max_tokens: that they may write in a reply.

    Raises:
        UserError: if they did not all finish.
    """
    need_inspect()
    from inspect_ai import task_with

    limits = {} if max_tokens is None else {"max_tokens": max_tokens}
    with resolved_by_role({"": model, **(roles or {})}, {**(config or {}), **limits}) as found:
        main = found.pop("")
        # Inspect writes the role into the model, so that each role has one of its own.
        cast = {role: copy(one) for role, one in found.items()}
        seated = [task_with(one, model_roles=cast) for one in tasks] if cast else list(tasks)
        return run_tasks(seated, main, log_dir=log_dir, limit=limit, display=display)


def tokens_used(log: Any) -> tuple[int, int]:
    """The tokens read and written as counted by the model's provider, all attempts together."""
    usage = list((log.stats.model_usage or {}).values())
    read = sum(
        one.input_tokens + (one.input_tokens_cache_read or 0) + (one.input_tokens_cache_write or 0) for one in usage
    )
    return read, sum(one.output_tokens for one in usage)


def metrics_of(log: Any) -> dict[str, float | None]:
    """What a log's scores come to, by name; ``None`` where there was nothing to measure."""
    found: dict[str, float | None] = {}
    for score in log.results.scores:
        for name, one in score.metrics.items():
            is_of_samples = name in ("mean", "stderr")
            label = (score.name if name == "mean" else f"{score.name}_stderr") if is_of_samples else name
            found[label] = None if isnan(one.value) else one.value
    return found


def log_path(log: Any) -> str:
    """The file of a log."""
    return str(log.location).removeprefix("file://")


def need_inspect() -> Any:
    """Inspect, if it is installed.

    Raises:
        MissingExtra: names the extra that brings it.
    """
    try:
        import inspect_ai
    except ModuleNotFoundError as error:
        raise MissingExtra(f"language models need {error.name}; install otherminds[llm]") from error
    return inspect_ai


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot write logs into {folder}: {error.strerror}; choose another --log-dir") from error
    return folder
