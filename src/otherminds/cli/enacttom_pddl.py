"""EnactToM on the command line: PDDL problems in, with an audit of what they claim, and tasks out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli.options import Json, SolverSeconds
from otherminds.cli.output import console, print_result
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole


def audit(
    files: Annotated[
        list[Path],
        typer.Argument(help="PDDL problems with knowledge goals (K), or task files (.json) of the original benchmark."),
    ],
    domain: Annotated[
        Path | None, typer.Option(help="PDDL domain that defines their types and predicates. [default: none]")
    ] = None,
    horizon: Annotated[
        int | None, typer.Option(help="Number of turns allowed. [default: as the problem says, or computed]", min=1)
    ] = None,
    seconds: SolverSeconds = 120.0,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the converted tasks. [default: none are written]")
    ] = None,
    json: Json = False,
) -> None:
    """Compare the claimed depth of PDDL problems with the depth that can be proved, and explain differences."""
    from otherminds.worlds.enacttom.pddl.audit import audit as look
    from otherminds.worlds.enacttom.pddl.original import read_original
    from otherminds.worlds.enacttom.pddl.read import read_problem
    from otherminds.worlds.enacttom.write import task_text

    # Before anything that takes long.
    problems = [read_original(path) if path.suffix == ".json" else read_problem(path, domain) for path in files]
    found = []
    with console(stderr=True).status("looking for proofs", spinner="dots") as status:
        for problem in problems:
            status.update(f"{problem.name}: looking for proofs")
            found.append(look(problem, horizon=horizon, seconds=seconds))
    if out:
        for one in found:
            write_whole(out / f"{one.task.id}.yaml", task_text(one.task))
    lines = []
    for result in found:
        proved = f"depth {result.proved}" if result.proved is not None else result.grade
        verdict = "as claimed" if result.is_honest else "not as claimed"
        lines.append(f"{result.problem}: claims depth {result.claimed}, proved is {proved}: {verdict}")
        lines += [f"  {reason.weakness:<4}{reason.text}" for reason in result.reasons]
    print_result(json, [result.to_json() for result in found], *lines)


def export(
    task: Annotated[str, typer.Argument(help="File of a task, or the name of one; see 'otherminds list tasks'.")],
    out: Annotated[Path, typer.Option(help="Folder for domain.pddl and problem.pddl.")],
    world: Annotated[int, typer.Option(help="Number of the world whose secrets the goal names.", min=0)] = 0,
    plain: Annotated[
        bool, typer.Option("--plain", help="Leave out knowledge goals and hidden facts, for classical planners.")
    ] = False,
    json: Json = False,
) -> None:
    """Write an EnactToM task as PDDL: a domain, and a problem in one of its worlds."""
    from otherminds.worlds.enacttom.pddl.words import domain_text
    from otherminds.worlds.enacttom.pddl.write import problem_text
    from otherminds.worlds.enacttom.read import find_task, read_task

    found = read_task(find_task(task))
    if world >= len(found.worlds):
        raise UserError(f"task {found.id!r} has worlds 0 to {len(found.worlds) - 1}; found {world}")
    written = {"domain.pddl": domain_text(), "problem.pddl": problem_text(found, found.worlds[world], is_plain=plain)}
    for name, text in written.items():
        write_whole(out / name, text)
    paths = [str(out / name) for name in written]
    print_result(json, {"files": paths}, f"wrote {' and '.join(paths)}")
