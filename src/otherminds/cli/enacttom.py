"""EnactToM on the command line: prove how deep a mind must look for a task, and see who can do it."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps, loads
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli import options
from otherminds.cli.output import console, print_result, progress
from otherminds.cli.verify import Verifier
from otherminds.core.errors import UserError


def is_task(path: Path) -> bool:
    """Whether a file is meant to be a task's: it has some of the fields that only a task has."""
    import yaml

    if path.suffix not in (".yaml", ".yml", ".json") or not path.is_file():
        return False
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    try:
        content = loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError):  # whoever reads it will say where it is damaged
        return any(line.strip().strip('"').startswith("house") for line in text.splitlines())
    return isinstance(content, dict) and ("house" in content or "people" in content)


def verify_tasks(
    names: Sequence[str], *, seconds: float, write: bool, judged: bool, json: bool
) -> list[dict[str, Any]]:
    """The proofs of tasks by name or file."""
    return [verify_task(path, seconds, write, judged, json) for path in _task_files(names)]


def _task_files(names: Sequence[str]) -> list[Path]:
    from otherminds.worlds.enacttom.read import find_task, task_names

    return [Path(find_task(name)) for name in (task_names() if list(names) == ["all"] else names)]


VERIFIER = Verifier(verify_tasks, _task_files, is_task)


def verify_task(path: Path, seconds: float, write: bool, judged: bool, json: bool) -> dict[str, Any]:
    """Whether a task can be solved, the proof that no shallower mind can, and whether its certificate holds."""
    from otherminds.worlds.enacttom.read import read_task
    from otherminds.worlds.enacttom.verify.certify import certify, recheck, stored_certificate
    from otherminds.worlds.enacttom.verify.judge import judge

    task = read_task(path)
    try:
        claimed = stored_certificate(task)
    except UserError:
        if not write:
            raise
        claimed = None  # it is replaced
    with console(stderr=True).status("looking for proofs", spinner="dots") as status:
        found = certify(task, seconds=seconds, on_step=lambda what: status.update(f"looking for {what}"))
        if found.impossible is not None:
            where = task.describe(found.impossible)
            raise UserError(
                f"{path}: nobody can do it in {task.horizon} turns where {where}, even who knows all secrets"
            )
        is_known = found.grade != "unknown"
        if claimed and is_known and not write and (wrong := recheck(task, claimed, found, seconds)):
            raise UserError(f"{path}: the certificate does not hold: {wrong}; give --write to replace it")
        verdicts = judge(task, found, seconds) if judged else []
    report: dict[str, Any] = {
        "task": task.id,
        "worlds": len(task.worlds),
        "fewest_turns": found.fewest_turns,
        "horizon": task.horizon,
        "grade": found.grade,
        "depth": found.depth,
        "depth_any": found.depth_any,
        "depth_secrets": found.depth_secrets,
        "is_tight": found.is_tight,
        "contrast_worlds": [task.describe(world) for world in found.contrasts],
        "has_certificate": claimed is not None or write,
        "verdicts": [verdict.to_json() for verdict in verdicts],
    }
    if write:
        _write_certificate(path, found)
    if not json:
        _show(report)
    if task.certificate and claimed is None and not write:
        raise UserError(f"{path} was changed after it was certified; give --write to put the new certificate there")
    report["holds"] = found.grade == "solvable" and all(verdict.is_met for verdict in verdicts)
    return report


def _write_certificate(path: Path, proved: Any) -> None:
    """Into the file, in place of one that is there; the rest stays as it is, comments too."""
    import yaml

    from otherminds.core.files import write_whole
    from otherminds.worlds.enacttom.verify.certify import certificate_content

    content = {"certificate": certificate_content(proved)}
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("{"):  # JSON, or YAML written as such
        whole = loads(text) if path.suffix == ".json" else yaml.safe_load(text)
        write_whole(path, dumps({**whole, **content}, indent=1, ensure_ascii=False) + "\n")
        return
    block = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
    write_whole(path, _without(text, "certificate") + block)


def _without(text: str, *fields: str) -> str:
    """A task's file without some fields."""
    kept, is_left_out = [], False
    for line in text.splitlines():
        if line[:1] not in (" ", "-", "}", "]", ""):
            is_left_out = line.partition(":")[0] in fields
        if not is_left_out:
            kept.append(line)
    return "\n".join(kept).rstrip() + "\n"


_VERDICTS = {
    "unsolvable": "unsolvable: no team can do it in every world, whatever it agrees on beforehand",
    "unknown": "unknown: the solver ran out of time; give it more with --seconds",
    "signalling-only": "signalling-only: it takes a team that has agreed on what silence, timing or places mean",
}


def _show(report: dict[str, Any]) -> None:
    out = console()
    out.print(
        f"[bold]{report['task']}[/bold]: {report['worlds']} worlds; {report['fewest_turns']} turns are enough for who "
        f"knows everything, and there are {report['horizon']}"
    )
    if report["grade"] in _VERDICTS:
        out.print(_VERDICTS[report["grade"]])
        return
    tight = "tight" if report["is_tight"] else f"teams with conventions need {report['depth_any']}"
    out.print(f"solvable at depth {report['depth']} without conventions ({tight}); lower depths are refuted")
    for world in report["contrast_worlds"]:
        out.print(f"  contrast world: {world}")
    for verdict in report["verdicts"]:
        out.print(f"  {'met' if verdict['is_met'] else 'not met'}: {verdict['criterion']}: {verdict['reason']}")


def new_task(
    path: Annotated[Path, typer.Argument(help="File to write, such as mine.yaml.")],
    like: Annotated[str, typer.Option(help="Task to start from; see 'otherminds list tasks'.")] = "cup",
    force: options.Force = False,
) -> None:
    """Write the template of an EnactToM task. Check your own with 'otherminds verify FILE'."""
    from otherminds.core.files import write_whole
    from otherminds.worlds.enacttom.read import find_task

    if path.exists() and not force:
        raise UserError(f"{path} is there already; choose another name, or give --force")
    text = find_task(like).read_text(encoding="utf-8")
    write_whole(path, _without(text, "certificate", "provenance"))  # neither will be true of what becomes of it
    typer.echo(f"wrote {path}; prove it with: otherminds verify {path}")


def generate(
    out: Annotated[Path, typer.Option(help="Folder for the task files.")],
    seed: options.Seed = 0,
    kinds: Annotated[
        str,
        typer.Option(
            help="Kinds of tasks with the number of each, such as message=4,two_links=2. [default: the standard set]"
        ),
    ] = "",
    seconds: options.SolverSeconds = 60.0,
    json: options.Json = False,
) -> None:
    """Generate certified tasks: draw them from families, prove and judge them, and keep the new ones.

    Run the same command again to resume.
    """
    from otherminds.worlds.enacttom.generate import fill, slots

    wanted = slots(_counts(kinds)) if kinds else slots()
    try:
        out.mkdir(parents=True, exist_ok=True)  # rather now than after the first proof
    except OSError as error:
        raise UserError(f"cannot write tasks to {out}: {error.strerror}; choose another folder") from error
    report = []
    with progress("making tasks", len(wanted), hidden=json) as advance:
        for slot, tries in fill(out, wanted, seed, seconds):
            kept = bool(tries) and not tries[-1].against
            report.append({"slot": slot, "tries": len(tries), "is_kept": kept, "against": [t.against for t in tries]})
            if not json:
                for one in tries:
                    if one.against:
                        console(stderr=True).print(f"{slot}, candidate {one.number}: {one.against}", highlight=False)
            advance()
    empty = [str(one["slot"]) for one in report if not one["is_kept"] and one["tries"]]
    text = f"{len(wanted) - len(empty)} of {len(wanted)} tasks are in {out}"
    print_result(json, {"out": str(out), "slots": report}, text)
    if empty:
        raise UserError(f"nothing worth keeping was drawn for {', '.join(empty)}; try another --seed")


def _counts(kinds: str) -> dict[str, int]:
    found = {}
    for part in kinds.split(","):
        name, _, number = part.partition("=")
        if not number.isdecimal():
            raise UserError(f"--kinds has {part!r}; expected a kind and how many, such as message=4")
        found[name.strip()] = int(number)
    return found
