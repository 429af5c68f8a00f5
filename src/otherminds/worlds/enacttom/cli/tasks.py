"""EnactToM on the command line: prove tasks, write task files, and generate tasks."""

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
    """Whether a file has fields that only a task has."""
    import yaml

    if path.suffix not in (".yaml", ".yml", ".json") or not path.is_file():
        return False
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    try:
        content = loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError):  # the reader of tasks will name the faulty line
        return any(line.strip().strip('"').startswith("house") for line in text.splitlines())
    return isinstance(content, dict) and ("house" in content or "people" in content)


def verify_tasks(
    names: Sequence[str], *, seconds: float, write: bool, judged: bool, json: bool
) -> list[dict[str, Any]]:
    """Reports on tasks, given by name or file."""
    return [verify_task(path, seconds, write, judged, json) for path in _task_files(names)]


def _task_files(names: Sequence[str]) -> list[Path]:
    from otherminds.worlds.enacttom.tasks.read import find_task, task_names

    return [Path(find_task(name)) for name in (task_names() if list(names) == ["all"] else names)]


VERIFIER = Verifier(verify_tasks, _task_files, is_task)


def verify_task(path: Path, seconds: float, write: bool, judged: bool, json: bool) -> dict[str, Any]:
    """A report on one task: what is proved of it, and whether it ``holds``; its certificate is checked or written."""
    from otherminds.worlds.enacttom.tasks.read import read_task
    from otherminds.worlds.enacttom.verify.certify import certify, recheck, stored_certificate
    from otherminds.worlds.enacttom.verify.judge import Judge

    task = read_task(path)
    try:
        claimed = stored_certificate(task)
    except UserError:
        if not write:
            raise
        claimed = None  # it is replaced
    with console(stderr=True).status(f"{task.id}: searching for proofs", spinner="dots"):
        proved = certify(task, seconds=seconds)
        if proved.impossible is not None:
            world = task.describe(proved.impossible)
            raise UserError(
                f"{path}: cannot be solved in {task.horizon} turns where {world}, not even with full information"
            )
        is_known = proved.grade != "unknown"
        if claimed and is_known and not write and (fault := recheck(task, claimed, proved, seconds)):
            raise UserError(f"{path}: the certificate does not hold: {fault}; use --write to replace it")
        verdicts = list(Judge(task, proved, seconds).verdicts()) if judged else []
    depths = ("grade", "depth", "depth_any", "depth_secrets", "is_tight")
    report: dict[str, Any] = {
        "task": task.id,
        "worlds": len(task.worlds),
        "fewest_turns": proved.fewest_turns,
        "horizon": task.horizon,
        **{name: getattr(proved, name) for name in depths},
        "contrast_worlds": [task.describe(world) for world in proved.contrasts],
        "has_certificate": claimed is not None or write,
        "verdicts": [verdict._asdict() for verdict in verdicts],
    }
    if write:
        _write_certificate(path, proved)
    if not json:
        _show(report)
    if task.certificate and claimed is None and not write:
        raise UserError(f"{path} was changed after it was certified; use --write to write the new certificate")
    report["holds"] = proved.grade == "solvable" and all(verdict.is_met for verdict in verdicts)
    return report


def _write_certificate(path: Path, proved: Any) -> None:
    """Write a certificate into a task's file, in place of the old one; everything else stays, comments included."""
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
    """The text of a task's file without some fields."""
    kept, is_left_out = [], False
    for line in text.splitlines():
        if line[:1] not in (" ", "-", "}", "]", ""):
            is_left_out = line.partition(":")[0] in fields
        if not is_left_out:
            kept.append(line)
    return "\n".join(kept).rstrip() + "\n"


_VERDICTS = {
    "unsolvable": "unsolvable: no minds can solve it in every world, whatever they agree on beforehand",
    "unknown": "unknown: the solver ran out of time; raise the limit with --seconds",
    "signalling-only": "signalling-only: minds must agree beforehand on what silence, timing or places mean",
}


def _show(report: dict[str, Any]) -> None:
    out = console()
    out.print(
        f"[bold]{report['task']}[/bold]: {report['worlds']} worlds, {report['horizon']} turns; "
        f"{report['fewest_turns']} turns are enough with full information"
    )
    if report["grade"] in _VERDICTS:
        out.print(_VERDICTS[report["grade"]])
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
    from otherminds.core.files import write_whole
    from otherminds.worlds.enacttom.tasks.read import find_task

    if path.exists() and not force:
        raise UserError(f"{path} already exists; choose another name, or use --force")
    text = find_task(like).read_text(encoding="utf-8")
    write_whole(path, _without(text, "certificate", "provenance"))  # neither holds after the first edit
    typer.echo(f"wrote {path}; prove it with: otherminds verify {path}")


def generate(
    out: Annotated[Path, typer.Option(help="Folder for the task files.")],
    seed: options.Seed = 0,
    kinds: Annotated[
        str, typer.Option(help="Kinds with their numbers, such as message=4,two_links=2. [default: the shipped set]")
    ] = "",
    seconds: options.SolverSeconds = 60.0,
    json: options.Json = False,
) -> None:
    """Generate certified tasks from families; keep new ones that pass the judge. Run the command again to resume."""
    from otherminds.worlds.enacttom.tasks.generate import fill, slots

    wanted = slots(_counts(kinds)) if kinds else slots()
    try:
        out.mkdir(parents=True, exist_ok=True)  # fail now rather than after the first proof
    except OSError as error:
        raise UserError(f"cannot write tasks to {out}: {error.strerror}; choose another folder") from error
    report = []
    with progress("generating tasks", len(wanted), hidden=json) as advance:
        for slot, tries in fill(out, wanted, seed, seconds):
            kept = bool(tries) and not tries[-1].against
            report.append({"slot": slot, "tries": len(tries), "is_kept": kept, "against": [t.against for t in tries]})
            if not json:
                for candidate in filter(lambda candidate: candidate.against, tries):
                    text = f"{slot}, candidate {candidate.number}: {candidate.against}"
                    console(stderr=True).print(text, highlight=False)
            advance()
    empty = [str(entry["slot"]) for entry in report if not entry["is_kept"] and entry["tries"]]
    text = f"{len(wanted) - len(empty)} of {len(wanted)} tasks are in {out}"
    print_result(json, {"out": str(out), "slots": report}, text)
    if empty:
        raise UserError(f"no candidate was kept for {', '.join(empty)}; try another --seed")


def _counts(kinds: str) -> dict[str, int]:
    counts = {}
    for part in kinds.split(","):
        name, _, number = part.partition("=")
        if not number.isdecimal():
            raise UserError(f"--kinds has {part!r}; expected a kind and a number, such as message=4")
        counts[name.strip()] = int(number)
    return counts
