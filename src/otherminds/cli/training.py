"""Trainings and sweeps of any world: their shared options, and bars on a terminal or lines elsewhere."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from otherminds.cli.options import parse_settings, with_groups
from otherminds.cli.output import console, print_result
from otherminds.core.errors import UserError, nearest
from otherminds.run import sweep
from otherminds.run.sweep import Job

Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="KEY=VALUE", help="Field of the training configuration, such as batch=64. May be repeated."
    ),
]
Network = Annotated[
    list[str] | None,
    typer.Option(
        "--network", metavar="KEY=VALUE", help="Field of the network configuration, such as width=20. May be repeated."
    ),
]
RunFolder = Annotated[Path | None, typer.Option("--out", help="Run directory. [default: a directory under runs/]")]
Seeds = Annotated[str, typer.Option(help="Seeds, separated by commas or as a range, such as 0-2.")]
Folder = Annotated[Path, typer.Option("--out", help="Folder for the run directories.")]


def recipe(
    options: Sequence[str] | None, network: Sequence[str] | None, **usual: int | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields set with --option and --network. Fields that have options of their own take precedence where given."""
    given = {name: value for name, value in usual.items() if value is not None}
    return parse_settings(options, "--option", "batch=64") | given, parse_settings(network, "--network", "width=20")


@contextmanager
def training_bar(
    title: str, note: Callable[[Any], str]
) -> Iterator[tuple[Callable[[Any], None], Callable[[str], None]]]:
    """Yield the callbacks of a training: one for every chunk, one for warnings.

    Args:
        title: name of the training.
        note: returns a line about the state of the training, given a chunk.
    """
    err = console(stderr=True)
    with _bar(err) as bar:
        task = bar.add_task(title, total=1.0, note="compiling")

        def show(chunk: Any) -> None:
            line = f"{note(chunk)}, {_minutes(chunk.remaining)} left"
            bar.update(task, completed=chunk.row["progress"], note=line)
            if not err.is_terminal:
                typer.echo(line, err=True)

        try:
            yield show, lambda line: typer.echo(f"warning: {line}", err=True)
        except KeyboardInterrupt:
            typer.echo("stopped; run the same command again to resume from the last checkpoint", err=True)
            raise typer.Exit(130) from None


@contextmanager
def sweep_board(
    jobs: Sequence[Job], copy: Callable[[Job], object]
) -> Iterator[tuple[Callable[[sweep.Progress], None], dict[str, str]]]:
    """Show a line for each running job and one for the sweep.

    The result of each run is copied as soon as the run has finished, so that a killed sweep loses none.

    Args:
        jobs: runs of the sweep.
        copy: copies the result of a run to where it is kept.

    Yields:
        The callback of a launcher, and the reasons why results are not kept, by run.
    """
    err, finished = console(stderr=True), -1
    copied, failed = set[str](), dict[str, str]()

    def keep(progress: sweep.Progress) -> None:
        for entry in progress.jobs:
            name = entry.job.name
            if entry.status == "finished" and not entry.job.kept and name not in copied:
                copied.add(name)
                try:
                    copy(entry.job)
                except UserError as error:  # the others are still kept
                    failed[name] = f"results not kept: {error}"

    with _bar(err) as bar:
        whole = bar.add_task(f"{len(jobs)} runs", total=100.0, note="")
        lines = {job.name: bar.add_task(job.name, total=1.0, note="", visible=False) for job in jobs}

        def show(progress: sweep.Progress) -> None:
            nonlocal finished
            keep(progress)
            bar.update(whole, completed=progress.percent, note=f"{progress.num_finished} finished")
            for entry in progress.jobs:
                reward = entry.row.get("reward")
                note = f"reward {reward:.1f}" if isinstance(reward, float) else "starting"
                is_shown = entry.status == "running"
                bar.update(lines[entry.job.name], completed=entry.fraction, note=note, visible=is_shown)
            if not err.is_terminal and progress.num_finished != finished:
                finished = progress.num_finished
                typer.echo(f"{finished} of {len(jobs)} runs finished", err=True)

        yield show, failed
        keep(sweep.Progress.read(jobs))  # also what had finished before


def run_sweep(
    jobs: Sequence[Job],
    as_json: bool,
    find: Callable[[Mapping[str, Any], Path], Path | None],
    copy: Callable[[Job, Path], object],
    *,
    keep: Annotated[
        Path | None,
        typer.Option(help="Folder that receives the results of finished runs. Runs found there are not trained again."),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(help="Part of the runs to train, such as 2/5 for the second of five machines. [default: all]"),
    ] = None,
    launcher: Annotated[
        str, typer.Option(help="Launcher: local (one process per core) or ray (tasks on a Ray cluster).")
    ] = "local",
    address: Annotated[
        str | None,
        typer.Option(help="Address of a Ray cluster; needs --launcher ray. [default: start one on this machine]"),
    ] = None,
    cores: Annotated[
        int | None, typer.Option(help="Number of runs to train at once on this machine. [default: one per core]")
    ] = None,
    retries: Annotated[int, typer.Option(help="Maximum number of times a failed run is resumed.", min=0)] = 2,
) -> None:
    """Train all jobs and print the outcome; exit with code 1 if anything is missing.

    Its keyword arguments are options of every sweep; see :func:`sweeping`.

    Args:
        jobs: what to train.
        as_json: print for programs.
        find: returns where the result of a configuration is kept in a folder, if it is.
        copy: copies the result of a run to a folder.
    """
    if launcher not in ("local", "ray"):
        raise UserError(f"there is no launcher {launcher!r}{nearest(launcher, ('local', 'ray'))}")
    if launcher == "local" and address:
        raise UserError("--address applies only to --launcher ray; the local launcher uses this machine")
    if launcher == "ray" and cores:
        raise UserError("--cores applies only to the local launcher; a Ray cluster runs one job per core")
    jobs = sweep.shard(jobs, shard) if shard else jobs
    if keep:
        jobs = [replace(job, kept=find(job.config, keep) if job.config else None) for job in jobs]
        if count := sum(job.kept is not None for job in jobs):
            typer.echo(
                f"{count} of {len(jobs)} runs already have results in {keep} and will not be trained again", err=True
            )
    with sweep_board(jobs, lambda job: copy(job, keep) if keep else None) as (show, not_kept):
        if launcher == "ray":
            from otherminds.run import ray

            summary = ray.launch(jobs, address=address, retries=retries, on_change=show)
        else:
            from otherminds.run import local

            summary = local.launch(jobs, cores=cores, retries=retries, on_change=show)
    failed = {**summary.failed, **not_kept}
    print_result(as_json, {"finished": summary.finished, "failed": failed, "stopped": summary.stopped}, summary.message)
    if not as_json:
        for name, reason in failed.items():
            typer.echo(f"{name}: {reason}", err=True)
    if failed or summary.stopped:
        raise typer.Exit(1)


def sweeping(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of :func:`run_sweep`. It receives them as the dictionary ``launch``."""
    parameters = inspect.signature(run_sweep, eval_str=True).parameters.values()
    return with_groups(command, launch=[option for option in parameters if option.kind is option.KEYWORD_ONLY])


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


def _bar(err: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[note]}"))
    return Progress(*columns, console=err, disable=not err.is_terminal, transient=True)
