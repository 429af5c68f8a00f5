"""Puts existing task files to a council of judging models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from otherminds.core.errors import UserError
from otherminds.llm.options import ModelOptions
from otherminds.llm.prompts import hashes
from otherminds.llm.run import log_path, run_task, tokens_used
from otherminds.llm.samples import digest_of
from otherminds.llm.task import with_model_options
from otherminds.worlds.enacttom.author.council import TIMEOUT, agreement, load_rubric, row_of, vote
from otherminds.worlds.enacttom.author.write import council_of, roles_of
from otherminds.worlds.enacttom.tasks.read import find_task, read_task
from otherminds.worlds.enacttom.verify.certify import digest_of as digest_of_task
from otherminds.worlds.enacttom.verify.certify import stored_certificate

_VOTE = "vote"  # where a sample's store has the vote


def assess(
    tasks: Sequence[str | Path],
    judges: Sequence[Any],
    *,
    log_dir: str | Path = "logs",
    connections: int | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The votes of a council on tasks, and how far its members agree. The same call resumes, and asks nothing twice.

    Args:
        tasks: Names or files of tasks.
        judges: Models that judge: names, or models of Inspect.
        log_dir: Folder of the logs.
        connections: Number of requests at once.
        options: Options of :class:`otherminds.llm.options.ModelOptions`.

    Returns:
        ``tasks`` (each with ``task``, ``file``, ``passes`` and ``ballots``), ``agreement``, ``log``, ``tokens_in`` and
        ``tokens_out``.
    """
    roles = roles_of(judges)
    made = enacttom_council(list(map(str, tasks)), len(roles), **options)
    log = run_task(made, roles, log_dir=log_dir, connections=connections)
    votes = [{**sample.metadata, **sample.store[_VOTE]} for sample in log.samples or []]
    read, written = tokens_used(log)
    counts = {"log": log_path(log), "tokens_in": read, "tokens_out": written}
    return {"tasks": votes, "agreement": agreement(votes), **counts}


@task
@with_model_options
def enacttom_council(tasks: str | list[str] = "cup", judges: int = 1, **options: Any) -> Task:
    """Score the quality of household tasks on eight criteria.

    Args:
        tasks: Names or files of tasks.
        judges: Number of judges; their models have the roles judge_1, judge_2, and so on.
        options: Options of :class:`otherminds.llm.options.ModelOptions`.

    Raises:
        UserError: if there is no judge or no such task, or one is given twice.
    """
    if judges < 1:
        raise UserError("there is no judge; name at least one model")
    usual = ModelOptions(**{"timeout": TIMEOUT, **options})
    samples: dict[str, Sample] = {}
    for name in [tasks] if isinstance(tasks, str) else tasks:
        path = find_task(name)
        about = {"task": path.stem, "file": str(path), "digest": digest_of_task(read_task(path))}
        if path.stem in samples:
            raise UserError(f"the task {path.stem!r} is listed twice; list each task once")
        samples[path.stem] = Sample(id=path.stem, input=f"Assess {path.stem}.", metadata=about)
    if not samples:
        raise UserError("there is no task to assess; name at least one file")
    used = hashes(load_rubric(usual.prompts).values())
    return Task(
        dataset=MemoryDataset(list(samples.values()), name="enacttom_council"),
        solver=council_vote(judges, usual.changed()),
        scorer=agreed(),
        version=digest_of([*samples.values()], used, usual.changed()),
        metadata={"prompts": used},
    )


@solver
def council_vote(judges: int, options: dict[str, Any] | None = None) -> Solver:
    """Let every judge score the sample's task."""
    usual = ModelOptions(**(options or {}))

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 the protocol names it
        household = read_task(state.metadata["file"])
        proved = stored_certificate(household)
        depth, council = proved.depth if proved else None, council_of(judges)
        ballots = await vote(household, depth, council, load_rubric(usual.prompts), usual)
        state.store.set(_VOTE, row_of(household, ballots))
        return state

    return solve


@scorer(metrics=[mean()])
def agreed() -> Scorer:
    """Whether every judge passes the task."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 the protocol names it
        voted: dict[str, Any] = state.store.get(_VOTE, {})
        return Score(value=float(voted.get("passes", False)))

    return score
