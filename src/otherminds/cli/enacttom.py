"""EnactToM on the command line: prove how deep a mind must look for a task."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.output import console, print_json
from otherminds.core.errors import UserError

_GRADES = {True: "solvable", False: "unsolvable", None: "unknown"}


def is_task(target: str) -> bool:
    """Whether a file is a task's: it has a house."""
    path = Path(target)
    if path.suffix not in (".yaml", ".yml", ".json") or not path.is_file():
        return False
    try:
        return any(
            line.strip().strip('"').startswith("house") for line in path.read_text(encoding="utf-8").splitlines()
        )
    except (OSError, UnicodeDecodeError):
        return False


def verify_task(path: Path, seconds: float, json: bool) -> None:
    """Whether a task can be solved, by whom, and the proof that no shallower mind can."""
    from otherminds.worlds.enacttom.build import ground
    from otherminds.worlds.enacttom.read import read_task
    from otherminds.worlds.enacttom.verify.calibrate import calibrate
    from otherminds.worlds.enacttom.verify.depth import check_policy, required_depth

    task = read_task(path)
    house, out = ground(task), console(stderr=True)
    plans = [calibrate(house, world) for world in task.worlds]
    if None in plans:
        world = task.worlds[plans.index(None)]
        raise UserError(
            f"{path}: nobody can do it in {task.horizon} turns where {_named(task, world)}, all secrets known"
        )
    with out.status("looking for proofs", spinner="dots") as status:
        found = required_depth(house, seconds=seconds, on_step=lambda what: status.update(f"looking for {what}"))
        wrong = check_policy(house, found.policy) if found.policy else ""
    if wrong:
        raise UserError(f"{path}: solver and simulator disagree: {wrong}; please report this")
    report: dict[str, Any] = {
        "task": task.id,
        "worlds": len(task.worlds),
        "fewest_turns": max(len(plan) for plan in plans if plan is not None),
        "horizon": task.horizon,
        "grade": _GRADES[found.is_solvable],
        "depth": found.depth,
        "refuted_depths": list(found.refuted),
        "contrast_worlds": [_named(task, world) for world in found.contrast],
    }
    if json:
        print_json(report)
    else:
        _show(report)
    if found.is_solvable is not True or found.depth is None:
        raise typer.Exit(1)


def _show(report: dict[str, Any]) -> None:
    out = console()
    out.print(
        f"[bold]{report['task']}[/bold]: {report['worlds']} worlds; {report['fewest_turns']} turns are enough for who "
        f"knows everything, and there are {report['horizon']}"
    )
    if report["grade"] == "unsolvable":
        out.print("unsolvable: no team can do it in every world, whatever it agrees on beforehand")
    elif report["grade"] == "unknown":
        out.print("unknown: the solver ran out of time; give it more with --seconds")
    elif report["depth"] is None:
        refuted = ", ".join(map(str, report["refuted_depths"])) or "none"
        out.print(f"solvable; the depth is not known (refuted: {refuted}); give the solver more time with --seconds")
    else:
        out.print(f"solvable at depth {report['depth']}; proved: no team of a lower depth can do it")
        for world in report["contrast_worlds"]:
            out.print(f"  contrast world: {world}")


def _named(task: Any, world: tuple[int, ...]) -> str:
    return ", ".join(f"{secret.name} = {secret.values[at]}" for secret, at in zip(task.secrets, world, strict=True))


def new_task(
    path: Annotated[Path, typer.Argument(help="The file to write, such as mine.yaml.")],
    like: Annotated[str, typer.Option(help="Which task to start from.")] = "cup",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write a task of the household to start from; prove it with 'otherminds verify'."""
    from otherminds.core.files import write_whole
    from otherminds.worlds.enacttom.read import find_task

    if path.exists() and not force:
        raise UserError(f"{path} is there already; choose another name, or give --force")
    write_whole(path, find_task(like).read_text(encoding="utf-8"))
    typer.echo(f"wrote {path}; prove it with: otherminds verify {path}")
