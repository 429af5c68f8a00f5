"""Evaluations from Python: what they will take, and a run that the same call continues after a kill.

Runs are Inspect's eval sets: a log is written sample by sample, a task whose log is whole is not run again, and one
whose log stops in the middle goes on from there, as long as questions, prompts, model and options are the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path
from typing import Any

from rich.text import Text

from otherminds.core.errors import MissingExtra, UserError
from otherminds.worlds.tomi.scores import Mark, Scores, sum_up

ALL = "all"
# Rough: a token of English is about four letters; a reply is a few words or, where it may be led up to, some sentences.
_LETTERS_A_TOKEN = 4
_REPLY, _THOUGHT = 8, 120


@dataclass(frozen=True)
class Plan:
    """What an evaluation will take, roughly, before it starts."""

    samples: int
    tokens_in: int
    tokens_out: int
    price: float | None = None  # in the currency of the prices; None if none were given

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Evaluated:
    """One finished task."""

    phrasing: str
    log: str  # the file
    samples: int
    scores: Scores | None  # none for the contamination probe
    metrics: dict[str, float | None]  # everything that Inspect's log has; none where it has no value
    tokens_in: int  # as counted by the model's provider, all attempts together
    tokens_out: int

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "scores": self.scores.to_json() if self.scores else None}


def tomi_tasks(phrasing: str = "plain", **options: Any) -> list[Any]:
    """The task for each phrasing: one by name, several by commas, or ``all``; options are those of the task."""
    tomi = _tomi()
    names = list(dict.fromkeys(name.strip() for name in phrasing.split(",") if name.strip()))
    if phrasing == ALL:
        names = tomi.phrasings(options.get("prompts", tomi.VERSION))
    if options.get("contamination"):
        names = names[:1]  # it has a prompt of its own
    if isinstance(options.get("items"), str | Path):
        options["items"] = str(Path(options["items"]).resolve())
    return [tomi.tomi(phrasing=name, **options) for name in names]


def plan(
    tasks: Sequence[Any], price_in: float | None = None, price_out: float | None = None, limit: int | None = None
) -> Plan:
    """What tasks will take, with at most so many samples each; prices are for a million tokens."""
    samples = [sample for task in tasks for sample in task.dataset[:limit]]
    tokens_in = sum(len(str(sample.input)) for sample in samples) // _LETTERS_A_TOKEN
    tokens_out = sum(_THOUGHT if "Answer:" in str(sample.input) else _REPLY for sample in samples)
    price = None
    if price_in is not None or price_out is not None:
        price = ((price_in or 0.0) * tokens_in + (price_out or 0.0) * tokens_out) / 1e6
    return Plan(len(samples), tokens_in, tokens_out, price)


def evaluate_tomi(
    model: Any,
    *,
    log_dir: str | Path = "logs",
    phrasing: str = "plain",
    limit: int | None = None,
    display: str = "none",
    config: dict[str, Any] | None = None,
    **options: Any,
) -> list[Evaluated]:
    """Evaluate a language model on ToMi. The same call after a kill goes on where it was, and repeats nothing.

    Args:
        model: ``local``, the name of any model of Inspect such as ``openai/gpt-4o-mini``, or one of its models.
        log_dir: where logs are written and looked for.
        phrasing: of the prompt; several by commas, or ``all``.
        limit: at most so many questions of each phrasing.
        display: how Inspect shows progress: full, rich, plain or none.
        config: how the model generates, such as temperature or max_connections.
        options: of the task ``otherminds/tomi``.

    Raises:
        UserError: if the evaluation did not finish; the message says why and what is kept.
    """
    tasks = tomi_tasks(phrasing, **options)
    return [
        evaluated(log) for log in run_tasks(tasks, model, log_dir=log_dir, limit=limit, display=display, config=config)
    ]


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

    Raises:
        UserError: if they did not all finish.
    """
    inspect_ai = _inspect()
    from inspect_ai.log import read_eval_log

    folder = Path(log_dir).resolve()
    with _resolved(model, config or {}) as found, redirect_stdout(sys.stderr):
        is_done, headers = inspect_ai.eval_set(
            list(tasks),
            log_dir=str(folder),
            model=found,
            limit=limit,
            display=display,
            log_buffer=1,  # what is answered is on disk
            log_dir_allow_dirty=True,
            retry_attempts=1,
            max_tasks=1,
        )
    logs = [read_eval_log(header.location) for header in headers]
    if not is_done:
        reasons = {log.error.message for log in logs if log.error} or {"it was stopped"}
        raise UserError(
            f"the evaluation did not finish ({'; '.join(sorted(reasons))}); what was answered is kept in {folder}, "
            f"and the same command goes on from there"
        )
    order = {str(task.version): at for at, task in enumerate(tasks)}  # a version says all that tells tasks apart
    return sorted(logs, key=lambda log: order[str(log.eval.task_version)])


@contextmanager
def _resolved(model: Any, config: dict[str, Any]) -> Iterator[Any]:
    """The model, and whatever must run beside it."""
    from inspect_ai.model import GenerateConfig, get_model

    from otherminds.evals.inspect.local import LOCAL, local_model

    if model == LOCAL:
        with local_model(**config) as served:
            yield served
    elif isinstance(model, str) and model.startswith("mockllm/"):
        # Left to itself the mock model counts tokens, for which it would fetch a file from the network.
        yield get_model(model, custom_outputs=_mocked, config=GenerateConfig(**config), memoize=False)
    elif isinstance(model, str):
        yield _provided(model, GenerateConfig(**config))
    else:
        yield model


def _provided(model: str, config: Any) -> Any:
    """A model of one of Inspect's providers.

    Raises:
        UserError: if there is no such provider, or its package or key is missing.
    """
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import get_model

    try:
        return get_model(model, config=config)
    except (ImportError, ValueError, PrerequisiteError) as error:
        why = " ".join(Text.from_markup(str(getattr(error, "message", error))).plain.split())
        raise UserError(f"model {model!r} cannot be used: {why}") from error


def _mocked(_input: Any, _tools: Any, _choice: Any, _config: Any) -> Any:
    from inspect_ai.model import ModelOutput, ModelUsage

    output = ModelOutput.from_content("mockllm/model", "Default output from mockllm/model")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def evaluated(log: Any) -> Evaluated:
    """What a whole log of the ToMi task comes to."""
    from otherminds.evals.inspect.tomi_metrics import marks_of

    found: list[Mark] = [mark for sample in log.samples or [] if (mark := marks_of(sample.scores or {})) is not None]
    usage = list((log.stats.model_usage or {}).values())
    return Evaluated(
        phrasing=str(log.eval.task_args.get("phrasing", "")),
        log=str(log.location).removeprefix("file://"),
        samples=len(log.samples or []),
        scores=sum_up(found, left_out=int((log.eval.metadata or {}).get("left_out", 0))) if found else None,
        metrics={
            name: None if isnan(one.value) else one.value
            for score in log.results.scores
            for name, one in score.metrics.items()
        },
        tokens_in=sum(
            one.input_tokens + (one.input_tokens_cache_read or 0) + (one.input_tokens_cache_write or 0) for one in usage
        ),
        tokens_out=sum(one.output_tokens for one in usage),
    )


def _inspect() -> Any:
    try:
        import inspect_ai
    except ModuleNotFoundError as error:
        raise MissingExtra(f"language models need {error.name}; install otherminds[llm]") from error
    return inspect_ai


def _tomi() -> Any:
    _inspect()
    from otherminds.evals.inspect import tomi

    return tomi
