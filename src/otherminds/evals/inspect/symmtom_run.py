"""A language model in SymmToM, from Python: its task, what it will take, and what it came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path
from typing import Any

from otherminds.evals.inspect.run import Takes, log_path, need_inspect, run_tasks, tokens_used

# Tokens, as measured on n3_w6_c3; a reply is a line, before which a model may think a little.
_RULES, _TURN, _REPLY = 340, 170, 30


@dataclass(frozen=True)
class Evaluated:
    """One finished task."""

    log: str  # the file
    samples: int  # episodes, or trials of scenarios
    metrics: dict[str, float | None]  # by score; its standard error under the same name with "±"
    tokens_in: int  # as counted by the model's provider, all attempts together
    tokens_out: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def symmtom_tasks(**options: Any) -> list[Any]:
    """The task, in a list for :func:`otherminds.evals.inspect.run.run_tasks`; options are the task's."""
    need_inspect()
    from otherminds.evals.inspect.symmtom import symmtom

    return [symmtom(**options)]


def takes(memory: int | None = None) -> Callable[[Any], Takes]:
    """What an episode or trial will take, if so many past turns stay in the conversation and none ends early."""

    def count(sample: Any) -> Takes:
        about = sample.metadata
        first, last = about["turns"]
        probes = {int(turn): len(pieces) for turn, pieces in about["probes"].items()}
        requests = tokens = 0
        for turn in range(first, last):
            kept = turn if memory is None else min(turn, memory)
            asked = 1 + probes.get(turn, 0)
            requests += asked
            tokens += asked * (_RULES + _TURN + kept * (_TURN + _REPLY))
        return Takes(requests, tokens, requests * _REPLY)

    return count


def evaluate_symmtom(
    model: Any,
    *,
    log_dir: str | Path = "logs",
    limit: int | None = None,
    display: str = "none",
    config: dict[str, Any] | None = None,
    **options: Any,
) -> Evaluated:
    """Evaluate a language model in SymmToM. The same call after a kill goes on where it was.

    Args:
        model: as in :func:`otherminds.evals.inspect.run.run_tasks`, as are those down to ``config``.
        log_dir: where logs are written and looked for.
        limit: at most so many episodes or trials.
        display: how Inspect shows progress.
        config: how the model generates.
        options: of the task ``otherminds/symmtom``.

    Raises:
        UserError: if the evaluation did not finish; the message says why and what is kept.
    """
    tasks = symmtom_tasks(**options)
    (log,) = run_tasks(tasks, model, log_dir=log_dir, limit=limit, display=display, config=config)
    return evaluated(log)


def evaluated(log: Any) -> Evaluated:
    """What a whole log of the SymmToM task comes to."""
    found: dict[str, float | None] = {}
    samples = log.samples or []
    # Of a single episode, or of the twins of a single staging, there is no error to tell, though Inspect says 0.
    is_single = len({(sample.metadata or {}).get("pair", sample.id) for sample in samples}) < 2
    for score in log.results.scores:
        for name, one in score.metrics.items():
            label = {"mean": score.name, "stderr": f"{score.name} ±"}.get(name, name)
            found[label] = None if isnan(one.value) or (name == "stderr" and is_single) else one.value
    return Evaluated(log_path(log), len(samples), found, *tokens_used(log))
