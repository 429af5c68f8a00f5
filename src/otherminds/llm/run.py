"""Evaluations of any world with language models. The same call resumes one that was killed.

Runs are Inspect's eval sets: a log is written sample by sample, a task whose log is whole is not run again, and one
whose log is incomplete is resumed, as long as episodes, prompts, models and options are the same.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from copy import copy
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in
from otherminds.core.errors import UserError
from otherminds.core.registry import split_version
from otherminds.core.world import Item
from otherminds.llm.models import need_inspect, refusal, resolved_by_role
from otherminds.llm.options import RECORD


@dataclass(frozen=True)
class Evaluated:
    """A finished evaluation."""

    logs: tuple[str, ...]  # the files
    episodes: list[Episode]
    summary: dict[str, float | None]
    tokens_in: int  # as counted by the models' providers, all attempts together
    tokens_out: int

    def extra(self) -> dict[str, Any]:
        """Logs and token counts, as plain data."""
        return {"logs": list(self.logs), "tokens_in": self.tokens_in, "tokens_out": self.tokens_out}


def evaluate(
    world: str,
    settings: Mapping[str, Any] | None,
    seats: Mapping[str, Any],
    *,
    items: Sequence[Item] | None = None,
    log_dir: str | Path = "logs",
    record: str | Path | None = None,
    connections: int | None = None,
    **options: Any,
) -> Evaluated:
    """Play episodes with language models in some seats. The same call after a kill resumes; no episode is played twice.

    Args:
        world: Name of the world.
        settings: Options of the world.
        seats: Mind for each seat: its name, or a model of Inspect.
        items: Items of the suite to play; all by default.
        log_dir: Folder of the logs, old and new.
        record: File for the records of the episodes.
        connections: Number of requests at once.
        options: Further options of :func:`otherminds.llm.task.make_task`, those of models included.

    Raises:
        UserError: if no seat has a language model, or the run did not finish; the message says why and what is kept.
    """
    need_inspect()
    from otherminds.llm.options import ModelOptions, split_model
    from otherminds.llm.samples import is_model, make_world
    from otherminds.llm.task import TASKS
    from otherminds.llm.task import world as any_world

    made = make_world(world, settings or {})
    specs = {seat: str(mind) for seat, mind in seats.items()}
    spoken = {
        specs[seat]: split_model(mind, made, ModelOptions())[0] if isinstance(mind, str) else mind
        for seat, mind in seats.items()
        if is_model(specs[seat], made)
    }
    if not spoken:
        raise UserError("no seat has a language model; name one with its provider, such as openai/gpt-5, or local")
    base = split_version(made.id)[0]
    chosen = None if items is None else [item.id for item in items]
    arguments = {"seats": specs, "set": dict(settings or {}), "items": chosen, **options}
    task = TASKS[base](**arguments) if base in TASKS else any_world(world=made.id, **arguments)
    # Items may have seats of their own, and models that are given as such may share a name.
    sitting = {seat: spec for sample in task.dataset for seat, spec in (sample.metadata or {})["seats"].items()}
    given_as_such = {seat: model for seat, model in seats.items() if not isinstance(model, str)}
    models = {seat: spoken[spec] for seat, spec in sitting.items() if spec in spoken} | given_as_such
    log = run_task(task, models, log_dir=log_dir, connections=connections)
    if record is not None:
        write_records(log, record)
    played = episodes_of(log)
    return Evaluated((log_path(log),), played, made.summary(played), *tokens_used(log))


def run_task(
    task: Any,
    models: Mapping[str, Any],
    *,
    log_dir: str | Path = "logs",
    connections: int | None = None,
) -> Any:
    """Run a task or resume it, and return its whole log.

    Args:
        task: Task of Inspect.
        models: Model for each seat: its name, or a model of Inspect. Inspect evaluates the first.
        log_dir: Folder of the logs, old and new.
        connections: Number of requests at once; the provider's limit by default.

    Raises:
        UserError: if it did not finish.
    """
    inspect_ai = need_inspect()
    from inspect_ai import task_with
    from inspect_ai.log import read_eval_log

    folder = Path(log_dir).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot write logs to {folder}: {error.strerror}; choose another folder") from error
    config = {} if connections is None else {"max_connections": connections}
    with resolved_by_role(models, config) as resolved, redirect_stdout(sys.stderr):
        # Inspect writes the role into the model, so each role needs its own copy.
        cast = {role: copy(model) for role, model in resolved.items()}
        try:
            is_done, headers = inspect_ai.eval_set(
                [task_with(task, model_roles=cast)],
                log_dir=str(folder),
                model=next(iter(resolved.values())),
                display="none",
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
    (log,) = [read_eval_log(header.location) for header in headers]
    if not is_done:
        why = log.error.message if log.error else "it was stopped"
        raise UserError(
            f"the evaluation did not finish ({why}); finished answers are kept in {folder}. "
            f"Run the same command again to resume"
        )
    return log


def episodes_of(log: Any) -> list[Episode]:
    """The episodes of a log that were played to their end; a limit of Inspect's may have cut others short."""
    return [Episode.from_lines(lines) for sample in log.samples or [] if (lines := sample.store.get(RECORD))]


def write_records(log: Any, path: str | Path) -> int:
    """Append the episodes of a log to a file that other commands read, and return the number of episodes added.

    Each episode is written once, also when an evaluation is resumed or extended. The same episode counts as another
    if other minds play it, or if they are used or prompted differently.
    """
    known, written = set(recorded_in(path)), 0
    with EpisodeWriter(path) as writer:
        for episode in episodes_of(log):
            episode.id = f"{episode.id}-{_conditions(log, episode)}"
            if episode.id not in known:
                writer.whole(episode)
                known.add(episode.id)
                written += 1
    return written


def _conditions(log: Any, episode: Episode) -> str:
    """A short hash of the conditions of an episode: the same in every run with the same options."""
    header = episode.header()
    begun = {name: header[name] for name in ("world", "config", "start")} | {"players": list(episode.minds.values())}
    how = [step.params for step in log.plan.steps]  # attempts, and how the models are used
    prompts = (log.eval.metadata or {}).get("prompts")
    whole = json.dumps([begun, how, prompts], sort_keys=True, default=str)
    return sha256(whole.encode()).hexdigest()[:12]


def tokens_used(log: Any) -> tuple[int, int]:
    """The tokens read and written as counted by the models' providers, all attempts together."""
    usage = list((log.stats.model_usage or {}).values())
    read = sum(
        use.input_tokens + (use.input_tokens_cache_read or 0) + (use.input_tokens_cache_write or 0) for use in usage
    )
    return read, sum(use.output_tokens for use in usage)


def log_path(log: Any) -> str:
    """The file of a log."""
    return str(log.location).removeprefix("file://")
