"""``otherminds audit enacttom``: compares the depth that PDDL problems claim with what can be proved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli.options import Json, SolverSeconds
from otherminds.cli.output import console, print_result
from otherminds.core.files import write_whole


def audit(
    files: Annotated[
        list[Path],
        typer.Argument(help="PDDL problems with knowledge goals (K), or task files (.json) of the original benchmark."),
    ],
    horizon: Annotated[
        int | None, typer.Option(help="Number of turns in each task. [default: enough to solve it]", min=1)
    ] = None,
    seconds: SolverSeconds = 120.0,
    out: Annotated[Path | None, typer.Option(help="Folder for the converted tasks.")] = None,
    json: Json = False,
) -> None:
    """Compare the depth that PDDL problems claim with the depth that can be proved, and explain any difference."""
    from otherminds.worlds.enacttom.pddl.audit import audit as audit_problem
    from otherminds.worlds.enacttom.pddl.original import read_problem
    from otherminds.worlds.enacttom.tasks.write import task_text

    # Read all files before the first proof, which may take long.
    problems = list(map(read_problem, files))
    audits = []
    with console(stderr=True).status("searching for proofs", spinner="dots") as status:
        for problem in problems:
            status.update(f"{problem.name}: searching for proofs")
            audits.append(audit_problem(problem, horizon=horizon, seconds=seconds))
    lines = []
    for result in audits:
        if out:
            write_whole(out / f"{result.task.id}.yaml", task_text(result.task))
        proved = f"depth {result.proved}" if result.proved is not None else result.grade
        verdict = "as claimed" if result.is_honest else "not as claimed"
        lines.append(f"{result.problem}: claimed depth {result.claimed}, proved {proved}: {verdict}")
        lines += [f"  {reason.weakness:<4}{reason.text}" for reason in result.reasons]
    print_result(json, [result.to_json() for result in audits], *lines)
