"""SymmToM on the command line: train and sweep."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn

from otherminds.cli.output import console, print_json
from otherminds.cli.symmtom import Json, Seed, Setting, Switches, parse_switches

Options = Annotated[
    list[str] | None,
    typer.Option("--option", help="A field of the algorithm's configuration, such as batch=256; may be repeated."),
]
Network = Annotated[
    list[str] | None, typer.Option("--network", help="A further field of the network; may be repeated.")
]


def train(
    setting: Setting = "n3_w6_c3",
    algorithm: Annotated[str, typer.Option(help="maddpg or ppo.")] = "maddpg",
    belief: Annotated[str, typer.Option(help="How the agents model others; see 'otherminds list beliefs'.")] = "none",
    seed: Seed = 0,
    episodes: Annotated[int | None, typer.Option(help="How many; the algorithm's default otherwise.")] = None,
    set: Switches = None,
    option: Options = None,
    network: Network = None,
    out: Annotated[Path | None, typer.Option(help="The run directory; by default one under runs/.")] = None,
    json: Json = False,
) -> None:
    """Train agents of SymmToM. Killed at any moment, the same command continues where it was."""
    from otherminds.learn.symmtom.train import default_directory, resolve, run_training

    options = parse_switches(option or [], "--option")
    if episodes is not None:
        options["episodes"] = episodes
    switches = parse_switches(set or [])
    config = resolve(setting, algorithm, belief, seed, switches, options, parse_switches(network or [], "--network"))
    out = out or default_directory(config)
    err = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, console=err, disable=not err.is_terminal, transient=True) as bar:
        task = bar.add_task(f"{config['name']} {config['setting']}", total=1.0, note="compiling")

        def show(chunk: Any) -> None:
            speed = chunk.row["episodes"] / chunk.row["step"] / chunk.seconds
            note = (
                f"reward {chunk.row['reward']:.1f}, {chunk.row['episodes']:,} episodes, "
                f"{speed:,.0f} a second, {_minutes(chunk.remaining)} left"
            )
            bar.update(task, completed=chunk.row["progress"], note=note)
            if not err.is_terminal:
                typer.echo(note, err=True)

        result = run_training(config, out, sys.argv, show, lambda line: typer.echo(f"warning: {line}", err=True))
    if json:
        print_json(result)
        return
    score = result["evaluation"]
    typer.echo(
        f"reward per agent {score['reward']:.1f} (sd over episodes {score['reward_sd']:.1f}, {score['episodes']} fresh "
        f"episodes), best after {result['best_step'] * result['chunk_episodes']:,} training episodes; in {out}"
    )


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
