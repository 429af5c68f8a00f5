"""Language models that write tasks, and councils that score them, on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from otherminds.cli import options
from otherminds.cli.cost import announce
from otherminds.cli.output import counted, print_result
from otherminds.core.errors import UserError

if TYPE_CHECKING:
    from otherminds.llm.cost import CostEstimate

_COUNCIL = "Models on the council, separated by commas, such as openai/gpt-5,anthropic/claude-sonnet-4-5."
# For the estimate, in tokens: rules and brief, what a call and its result add, a task with the rubric, and scores.
_RULES, _EXCHANGE, _QUESTION, _SCORES = 1500, 450, 1800, 450
_TIMEOUT = 600  # seconds for one call: replies are long


@partial(options.with_models, without=("probe_temperature", "phrasing"), timeout=_TIMEOUT)
def author(
    model: Annotated[
        str,
        typer.Option("--model", help="Language model that writes the tasks, such as openai/gpt-5 or local:qwen-1.5b."),
    ],
    number: Annotated[int, typer.Option("--number", help="Target number of tasks in the pool.", min=1)] = 1,
    judges: Annotated[str, typer.Option("--judges", help=f"{_COUNCIL} [default: only the formal judge]")] = "",
    out: Annotated[
        Path, typer.Option("--out", help="Folder for the pool. Run the same command again to resume.")
    ] = Path("authored"),
    seed: options.Seed = 0,
    like: Annotated[str, typer.Option("--like", help="Name or file of a task to start from.")] = "",
    replies: Annotated[int, typer.Option("--replies", help="Maximum number of model replies per task.", min=1)] = 40,
    seconds: options.SolverSeconds = 60.0,
    json: options.Json = False,
    connections: options.Connections = None,
    *,
    models: dict[str, Any],
    budget: dict[str, Any],
) -> None:
    """Let a language model write tasks with the verifier's tools, and keep those that the judge accepts."""
    from otherminds.worlds.enacttom.author.council import agreement_line
    from otherminds.worlds.enacttom.author.pool import Pool
    from otherminds.worlds.enacttom.author.write import author as write_tasks
    from otherminds.worlds.enacttom.author.write import roles_of

    council = _names(judges)
    roles_of(council)
    missing = len(Pool(out, like).missing(number))
    if missing:
        total = _cost(missing, replies, models["memory"], len(council))
        what = f"{counted(missing, 'task')} to write, at most {counted(total.requests, 'request')}"
        announce(what, total, [model, *council], **budget)
    done = write_tasks(
        model, number, out=out, judges=council, seed=seed, like=like, replies=replies, seconds=seconds,
        connections=connections, **models,
    )  # fmt: skip
    kept = [f"{row['file']}: depth {row['depth']}, {row['title']}" for row in done["tasks"]]
    failed = [
        f"{row['slot']}: not kept; replies used: {row['replies']}; last problem: {row['reason']}"
        for row in done["sessions"]
        if not row["is_kept"]
    ]
    more = " Run the same command again to continue." if len(done["tasks"]) < number else ""
    ended = (
        f"{len(done['tasks'])} of {counted(number, 'task')} in {out}, {done['found']} of them from earlier runs.{more}"
    )
    agreed = [agreement_line(done["agreement"])] if done["agreement"] else []
    print_result(json, done, *kept, *failed, ended, *agreed)


@partial(options.with_models, without=("probe_temperature", "phrasing", "memory"), timeout=_TIMEOUT)
def audit_tasks(
    tasks: Annotated[list[str], typer.Argument(metavar="TASK...", help="Task names or files.")],
    judges: Annotated[str, typer.Option("--judges", help=_COUNCIL)],
    out: options.LogFolder = Path("logs"),
    json: options.Json = False,
    connections: options.Connections = None,
    *,
    models: dict[str, Any],
    budget: dict[str, Any],
) -> None:
    """Have a council of language models score tasks on eight criteria. A task passes if every model passes it."""
    from otherminds.llm.cost import CostEstimate
    from otherminds.results.table import Table
    from otherminds.worlds.enacttom.author.assess import assess
    from otherminds.worlds.enacttom.author.council import CRITERIA, agreement_line
    from otherminds.worlds.enacttom.author.write import roles_of

    council = _names(judges)
    roles_of(council)
    if not council:
        raise UserError("--judges names no model; expected one or more, such as openai/gpt-5")
    requests = len(tasks) * len(council)
    total = CostEstimate(0, requests, requests * _QUESTION, requests * _SCORES)
    what = f"{counted(len(tasks), 'task')} to assess, {counted(requests, 'request')}"
    announce(what, total, council, **budget)
    assessed = assess(tasks, council, log_dir=out, connections=connections, **models)
    rows = [
        (
            voted["task"],
            ballot["judge"],
            "unreadable" if ballot["problem"] else "passes" if ballot["passes"] else "fails",
            *(ballot["scores"].get(name) for name in CRITERIA),
            ballot["mean"],
        )
        for voted in assessed["tasks"]
        for ballot in voted["ballots"]
    ]
    table = Table("quality of tasks, 0 to 10", ["task", "judge", "verdict", *CRITERIA, "mean"], rows, texts=3)
    passed = sum(voted["passes"] for voted in assessed["tasks"])
    ended = f"{passed} of {counted(len(assessed['tasks']), 'task')} passed by every judge"
    print_result(json, assessed, table, ended, agreement_line(assessed["agreement"]))


def _names(judges: str) -> list[str]:
    return [name.strip() for name in judges.split(",") if name.strip()]


def _cost(sessions: int, replies: int, memory: int | None, judges: int) -> CostEstimate:
    """The most that authors ask: every reply is used, and the council sits once for each task."""
    from otherminds.llm.cost import CostEstimate

    past: Sequence[int] = [at if memory is None else min(at, memory) for at in range(replies)]
    read = sum(_RULES + _EXCHANGE * before for before in past) + judges * _QUESTION
    written = replies * _EXCHANGE // 2 + judges * _SCORES
    return CostEstimate(0, sessions * (replies + judges), sessions * read, sessions * written)
