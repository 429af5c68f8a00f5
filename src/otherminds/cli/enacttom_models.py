"""Language models in the household on the command line: what a run takes, the run, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.table import Table

from otherminds.cli.models import Asking
from otherminds.cli.output import console
from otherminds.core.errors import UserError

_VALIDITY = {
    "attempts": "attempts for each act",
    "unreadable": "replies that could not be read",
    "unspoken": "texts that said nothing",
    "failed": "calls that failed",
    "defaults": "acts that waiting stands for",
    "refused": "acts that the house refused",
    "probes_unanswered": "questions that were not answered",
}


def evaluate_language_models(
    model: str,
    tasks: Sequence[str] | None,
    seats: str,
    *,
    runs: int,
    seed: int,
    out: Path | None,
    asking: dict[str, Any],
    max_tokens: int | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Play tasks with a language model in every seat that is not given to somebody else, sweeps included.

    Args:
        model: ``local``, or any model of Inspect.
        tasks: names or files; all shipped ones if there are none.
        seats: others in some seats, such as ``ann=greedy``; they may be language models too.
        runs: of each task.
        seed: of the order of worlds.
        out: a folder for the records.
        asking: how models are used (see :class:`~otherminds.cli.models.Asking`).
        max_tokens: that a model may write in a reply.
        options: of the task ``otherminds/enacttom``.

    Returns:
        A report as other teams have it, with the plan, and what could not be read.
    """
    from otherminds.evals.enacttom.bench import Team, record_of
    from otherminds.evals.enacttom.scores import score_records, summary
    from otherminds.evals.inspect import enacttom_run as run
    from otherminds.evals.inspect.models import is_free
    from otherminds.evals.inspect.records import episodes_of, write_records
    from otherminds.evals.inspect.run import need_inspect, run_cast

    need_inspect()
    from otherminds.evals.inspect.enacttom import ALL, enacttom, find_tasks

    names = ",".join(tasks) if tasks else ALL
    told, roles = with_roles(seats, [one.names for one in find_tasks(names)])
    made = enacttom(tasks=names, seats=told, runs=runs, seed=seed, sweep=True, **options)
    who = " ".join([model, *filter(None, (part.strip() for part in seats.split(",")))])
    goes_ahead = asking["yes"] or all(map(is_free, (model, *roles.values())))
    runner = partial(run_cast, model=model, roles=roles, max_tokens=max_tokens)
    expected, (log,) = Asking(who, **{**asking, "yes": goes_ahead}).run([made], run.takes, runner)
    if out:
        write_records([log], record_of(out, Team(who)))
    episodes = episodes_of(log)
    for episode in episodes:
        episode.notes["team"] = who
    ((_, scored),) = score_records(episodes).items()
    done = run.evaluated(log)
    beside = {name: done.metrics.get(name) for name in _VALIDITY}
    spent = {"tokens_in": done.tokens_in, "tokens_out": done.tokens_out, "log": done.log}
    told_of = {"tasks": [one.entry.task.id for one in scored], "runs": runs, "seed": seed}
    return {**told_of, "teams": [summary(who, scored)], "plan": expected, "validity": beside, **spent}


def with_roles(seats: str, houses: Sequence[Sequence[str]]) -> tuple[str, dict[str, str]]:
    """What the task is told of the seats, and the further models by role.

    Raises:
        UserError: if a model's seat is not the same in all tasks.
    """
    from otherminds.evals.inspect.enacttom_play import LANGUAGE, role_of
    from otherminds.evals.inspect.models import is_language_model

    parts, roles = [], {}
    for part in filter(None, (part.strip() for part in seats.split(","))):
        person, _, player = part.partition("=")
        if is_language_model(player):
            places = {names.index(person) if person in names else -1 for names in houses}
            if len(places) > 1 or -1 in places:
                raise UserError(f"--seats: {person!r} has not the same seat in all tasks; evaluate them one by one")
            roles[role_of(places.pop())] = player
            player = LANGUAGE
        parts.append(f"{person}={player}" if player else part)
    return ",".join([*parts, LANGUAGE]), roles


def show_validity(found: dict[str, Any]) -> None:
    """What could not be read, apart from what was done."""
    grid = Table(title="for each act or question of the model", title_justify="left")
    grid.add_column("what")
    grid.add_column("share", justify="right")
    for name, words in _VALIDITY.items():
        value = found["validity"][name]
        grid.add_row(words, "–" if value is None else f"{value:.2f}")
    out = console()
    out.print(grid)
    out.print(
        f"[dim]{found['tokens_in']} tokens read, {found['tokens_out']} written; log: {found['log']}[/dim]",
        soft_wrap=True,
    )
