"""A language model on ToMi, from Python: which tasks there are, what they will take, and what they came to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path
from typing import Any

from otherminds.evals.inspect.run import (
    LETTERS_A_TOKEN,
    Takes,
    log_path,
    need_inspect,
    phrasing_names,
    run_tasks,
    tokens_used,
)
from otherminds.worlds.tomi.scores import Mark, Scores, sum_up

_REPLY, _THOUGHT = 8, 120  # tokens: a few words or, where the answer may be led up to, some sentences


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
    """The task for each phrasing: one by name, several by commas, or ``all``; options are those of the task.

    Raises:
        UserError: if no phrasing is named, or an option is wrong.
    """
    need_inspect()
    from otherminds.evals.inspect import tomi

    names = phrasing_names(phrasing, tomi.phrasings(options.get("prompts", tomi.VERSION)))
    if options.get("contamination"):
        names = names[:1]  # it has a prompt of its own
    if isinstance(options.get("items"), str | Path):
        options["items"] = str(Path(options["items"]).resolve())
    return [tomi.tomi(phrasing=name, **options) for name in names]


def takes(sample: Any) -> Takes:
    """What a question will take."""
    text = str(sample.input)
    if "sentences" in (sample.metadata or {}):  # a story to complete
        return Takes(1, len(text) // LETTERS_A_TOKEN, len(str(sample.target)) // LETTERS_A_TOKEN)
    return Takes(1, len(text) // LETTERS_A_TOKEN, _THOUGHT if "Answer:" in text else _REPLY)


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
        model: as in :func:`otherminds.evals.inspect.run.run_tasks`, as are those down to ``config``.
        log_dir: where logs are written and looked for.
        phrasing: of the prompt; several by commas, or ``all``.
        limit: at most so many questions of each phrasing.
        display: how Inspect shows progress.
        config: how the model generates.
        options: of the task ``otherminds/tomi``.

    Raises:
        UserError: if the evaluation did not finish; the message says why and what is kept.
    """
    tasks = tomi_tasks(phrasing, **options)
    return [
        evaluated(log) for log in run_tasks(tasks, model, log_dir=log_dir, limit=limit, display=display, config=config)
    ]


def evaluated(log: Any) -> Evaluated:
    """What a whole log of the ToMi task comes to."""
    from otherminds.evals.inspect.tomi_metrics import marks_of

    found: list[Mark] = [mark for sample in log.samples or [] if (mark := marks_of(sample.scores or {})) is not None]
    return Evaluated(
        str(log.eval.task_args.get("phrasing", "")),
        log_path(log),
        len(log.samples or []),
        sum_up(found, left_out=int((log.eval.metadata or {}).get("left_out", 0))) if found else None,
        {
            name: None if isnan(one.value) else one.value
            for score in log.results.scores
            for name, one in score.metrics.items()
        },
        *tokens_used(log),
    )
