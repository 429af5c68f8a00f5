"""EnactToM on the command line: prove tasks, write task files, and generate tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from json import dumps, loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from otherminds.cli import options
from otherminds.cli.output import console, print_result, progress
from otherminds.cli.verify import Verifier, count_fields
from otherminds.core.errors import UserError

if TYPE_CHECKING:
    from otherminds.worlds.enacttom.types import Task
    from otherminds.worlds.enacttom.verify.certify import Certificate
    from otherminds.worlds.enacttom.verify.judge import Verdict


_OF_TASKS = ("house", "people", "secrets", "talk", "goal", "mechanics", "notes", "category", "wishes", "private")
_SURELY = 100  # a JSON file can only be a task


def resembles(path: Path) -> int:
    """How many fields of a task a file has."""
    if path.suffix == ".json":
        return _SURELY
    return count_fields(path, _OF_TASKS) if path.suffix in (".yaml", ".yml") else 0


def verify_tasks(
    names: Sequence[str], *, seconds: float, write: bool, judged: bool, json: bool
) -> list[dict[str, Any]]:
    """Reports on tasks, given by name or file."""
    return [verify_task(path, seconds, write, judged, json) for path in _task_files(names)]


def _task_files(names: Sequence[str]) -> list[Path]:
    """The files of tasks; the name of a suite stands for its tasks, and ``all`` for those of the small suite."""
    from otherminds.worlds.enacttom.tasks.read import CLASSIC, find_task, task_names

    wanted = [CLASSIC] if list(names) == ["all"] else names
    return [Path(find_task(task)) for name in wanted for task in task_names(name) or [name]]


VERIFIER = Verifier(verify_tasks, _task_files, resembles)


def verify_task(path: Path, seconds: float, write: bool, judged: bool, json: bool) -> dict[str, Any]:
    """A report on one task: what is proved of it, and whether it ``holds``; its certificate is checked or written.

    A certificate that still holds is written with the digest of the task as it is now; otherwise the new one is.
    """
    from otherminds.worlds.enacttom.tasks.read import read_task
    from otherminds.worlds.enacttom.verify.certify import certify, fault_of, recheck
    from otherminds.worlds.enacttom.verify.judge import Judge

    task = read_task(path)
    fault = fault_of(task)
    claimed = _claimed(task, write)
    with console(stderr=True).status(f"{task.id}: searching for proofs", spinner="dots"):
        proved = certify(task, seconds=seconds)
        is_compared = claimed is not None and proved.grade != "unknown"
        wrong = recheck(task, claimed, proved, seconds) if claimed and is_compared else "there is no certificate"
        if is_compared and wrong and not write and claimed and claimed.digest == proved.digest:
            raise UserError(f"{path}: the certificate does not hold: {wrong}; use --write to replace it")
        verdicts = list(Judge(task, proved, seconds).verdicts()) if judged else []
    report = _report(task, proved, has_certificate=not fault or write, verdicts=verdicts)
    if write:
        _write_certificate(path, replace(claimed, digest=proved.digest) if claimed and not wrong else proved)
    if not json:
        _show(report)
    if task.certificate and fault and not write:
        raise UserError(f"{path}: {fault}; use --write to write the new certificate")
    return report


def _claimed(task: Task, write: bool) -> Certificate | None:
    """The certificate in a task's file. One that cannot be read is an error only if it is of the task as it is now."""
    from otherminds.worlds.enacttom.verify.certify import claimed_certificate, digest_of

    try:
        return claimed_certificate(task)
    except UserError:
        if write or task.certificate.get("digest") != digest_of(task):
            return None  # it is replaced, or refused as a whole
        raise


def _report(task: Task, proved: Certificate, *, has_certificate: bool, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """What is proved of a task, as plain data."""
    from otherminds.worlds.enacttom.tasks.canonical import canonical, mechanism

    depths = ("depth", "depth_any", "depth_secrets", "is_tight")
    is_sound = proved.verdict == "solvable" and all(verdict.is_met for verdict in verdicts)
    return {
        "task": task.id,
        "worlds": len(task.worlds),
        "fewest_turns": proved.fewest_turns,
        "horizon": task.horizon,
        "grade": proved.verdict,
        "reason": _reason(task, proved),
        **{name: getattr(proved, name) for name in depths},
        "depth_written": max((len(wish.chain) for wish in task.wishes), default=None),
        "contrast_worlds": [task.describe(world) for world in proved.contrasts],
        "canonical": canonical(task),
        "skeleton": mechanism(task),
        "has_certificate": has_certificate,
        "verdicts": [verdict._asdict() for verdict in verdicts],
        "holds": is_sound,
    }


def _reason(task: Task, proved: Certificate) -> str:
    """Why a task is not fit for a benchmark; empty if it is."""
    if proved.impossible is not None:
        in_world = f" where {task.describe(proved.impossible)}" if task.secrets else ""
        return f"it cannot be solved in {task.horizon} turns{in_world}, even with full information"
    from otherminds.worlds.enacttom.verify.certify import REASONS

    return REASONS.get(proved.verdict, "")


def _write_certificate(path: Path, proved: Any) -> None:
    """Write a certificate into a task's file, in place of the old one; everything else stays, comments included."""
    import yaml

    from otherminds.core.files import write_whole
    from otherminds.worlds.enacttom.tasks.write import content_text
    from otherminds.worlds.enacttom.verify.certify import certificate_content

    content = {"certificate": certificate_content(proved)}
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("{"):  # JSON, or YAML written as such
        whole = loads(text) if path.suffix == ".json" else yaml.safe_load(text)
        write_whole(path, dumps({**whole, **content}, indent=1, ensure_ascii=False) + "\n")
        return
    write_whole(path, _replaced(text, {"certificate": content_text(content)}))


def _replaced(text: str, blocks: Mapping[str, str]) -> str:
    """The text of a task's file with new blocks for some fields, each in place of the old field or at the end."""
    kept, is_replaced, left = list[str](), False, dict(blocks)
    for line in text.splitlines():
        if line[:1] not in (" ", "-", "}", "]", ""):
            name = line.partition(":")[0]
            is_replaced = name in blocks
            if is_replaced:
                kept += left.pop(name, "").splitlines()
        if not is_replaced:
            kept.append(line)
    ended = ["\n".join(kept).rstrip("\n"), *(block.rstrip("\n") for block in left.values())]
    return "\n".join(filter(None, ended)) + "\n"


def _show(report: dict[str, Any]) -> None:
    out = console()
    enough = f"; {report['fewest_turns']} turns are enough with full information"
    turns = "" if report["fewest_turns"] is None else enough
    out.print(f"[bold]{report['task']}[/bold]: {report['worlds']} worlds, {report['horizon']} turns{turns}")
    written = report["depth_written"]
    if written is not None:
        proved = "none" if report["depth"] is None else report["depth"]
        out.print(f"depth of its K-goals: written {written}, proved {proved}")
    if report["reason"]:
        out.print(f"{report['grade']}: {report['reason']}")
        return
    tight = "tight" if report["is_tight"] else f"minds with conventions need {report['depth_any']}"
    out.print(f"solvable at depth {report['depth']} without conventions ({tight}); lower depths are refuted")
    for world in report["contrast_worlds"]:
        out.print(f"  contrast world: {world}")
    for verdict in report["verdicts"]:
        out.print(f"  {'met' if verdict['is_met'] else 'not met'}: {verdict['criterion']}: {verdict['reason']}")


def new_task(
    path: Annotated[Path, typer.Argument(help="File to write, such as mine.yaml.")],
    like: Annotated[str, typer.Option(help="Task to copy.")] = "cup",
    force: options.Force = False,
) -> None:
    """Write a household task to start from; prove it with 'otherminds verify'."""
    from otherminds.core.files import read_text, write_whole
    from otherminds.worlds.enacttom.tasks.read import A_TASK, SUFFIX, find_task

    path = path if path.suffix else path.with_suffix(SUFFIX)
    if path.suffix != SUFFIX:
        raise UserError(f"{path} should end in {SUFFIX}")
    if path.exists() and not force:
        raise UserError(f"{path} already exists; choose another name, or use --force")
    text = read_text(find_task(like), A_TASK)
    write_whole(path, _replaced(text, {"certificate": "", "provenance": ""}))  # neither holds after the first edit
    typer.echo(f"wrote {path}; prove it with: otherminds verify {path}")


def generate(
    out: Annotated[Path, typer.Option(help="Folder for the task files.")],
    number: Annotated[int, typer.Option("--number", help="Number of tasks.", min=1)] = 9,
    seed: options.Seed = 0,
    name: Annotated[str, typer.Option(help="Prefix of the task names.")] = "task",
    depth: Annotated[
        list[int] | None, typer.Option(help="Depth of the tasks. May be repeated. [default: 1, 2 and 3 in turn]")
    ] = None,
    skeleton: Annotated[
        list[str] | None,
        typer.Option(help="Skeleton of the tasks; see 'otherminds list skeletons'. May be repeated. [default: all]"),
    ] = None,
    seconds: options.SolverSeconds = 60.0,
    json: options.Json = False,
) -> None:
    """Generate certified tasks from skeletons in sampled houses. Run the same command again to resume."""
    from otherminds.worlds.enacttom.tasks.generate import DEPTHS, fill, slots

    wanted = slots(number, seed, name=name, depths=depth or DEPTHS, skeletons=skeleton or ())
    try:
        out.mkdir(parents=True, exist_ok=True)  # fail now rather than after the first proof
    except OSError as error:
        raise UserError(f"cannot write tasks to {out}: {error.strerror}; choose another folder") from error
    done = []
    with progress("generating tasks", len(wanted), hidden=json) as advance:
        for filled in fill(out, wanted, seed, seconds):
            done.append(filled)
            if not json:
                for candidate in filter(lambda candidate: candidate.against, filled.tries):
                    text = f"{filled.slot.name}, candidate {candidate.number}: {candidate.against}"
                    console(stderr=True).print(text, highlight=False)
            advance()
    empty = [each.slot.name for each in done if not (each.was_there or each.is_written)]
    there = sum(each.was_there for each in done)
    counts = {"wanted": len(done), "written": len(done) - there - len(empty), "found": there}
    text = f"{counts['written']} of {counts['wanted']} tasks written to {out}; {there} already existed"
    slot_reports = [
        {
            "slot": each.slot.name,
            "skeleton": each.slot.skeleton.name,
            "tries": len(each.tries),
            "is_kept": each.is_written,
            "was_there": each.was_there,
            "against": [candidate.against for candidate in each.tries],
        }
        for each in done
    ]
    print_result(json, {"out": str(out), **counts, "slots": slot_reports}, text)
    if empty:
        raise UserError(f"no candidate passed for {', '.join(empty)}; the reasons are above; try another --seed")
