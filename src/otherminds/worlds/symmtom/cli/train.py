"""SymmToM on the command line: train and sweep."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.options import Json, Seed, parse_settings
from otherminds.cli.output import print_json
from otherminds.cli.training import Cores, Folder, Keep, Nice, Retries, Seeds, run_sweep, training_bar
from otherminds.core.errors import MissingExtra
from otherminds.worlds.symmtom.cli.options import Setting, Switches

Options = Annotated[
    list[str] | None,
    typer.Option("--option", help="Field of the algorithm's configuration, such as batch=256. May be repeated."),
]
Network = Annotated[
    list[str] | None, typer.Option("--network", help="Field of the network's configuration. May be repeated.")
]


def train(
    setting: Setting = "n3_w6_c3",
    algorithm: Annotated[str, typer.Option(help="Training algorithm: maddpg, ppo or imitation.")] = "maddpg",
    belief: Annotated[str, typer.Option(help="Belief module of the agents; see 'otherminds list beliefs'.")] = "none",
    seed: Seed = 0,
    episodes: Annotated[int | None, typer.Option(help="Number of episodes. [default: the algorithm's]")] = None,
    set: Switches = None,
    option: Options = None,
    network: Network = None,
    out: Annotated[Path | None, typer.Option(help="Run directory. [default: a directory under runs/]")] = None,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write the training curves for TensorBoard.")
    ] = False,
    json: Json = False,
) -> None:
    """Train agents of SymmToM. Run the same command again to resume."""
    from otherminds.worlds.symmtom.evals.runs import place_of
    from otherminds.worlds.symmtom.learn.train import resolve, run_training

    config = resolve(setting, algorithm, belief, seed, *_recipe(set, option, network, episodes))
    out = out or Path("runs", "symmtom") / place_of(config)
    board = _tensorboard(out) if tensorboard else None

    def note(chunk: Any) -> str:
        if board:
            board(chunk.row)
        speed = chunk.row["episodes"] / chunk.row["step"] / chunk.seconds
        return f"reward {chunk.row['reward']:.1f}, {chunk.row['episodes']:,} episodes, {speed:,.0f} a second"

    with training_bar(f"{config['name']} {config['setting']}", note) as (show, warn):
        result = run_training(config, out, sys.argv, show, warn)
    if json:
        print_json(result)
        return
    score = result["evaluation"]
    typer.echo(
        f"reward per agent {score['reward']:.1f} (sd over episodes {score['reward_sd']:.1f}, {score['episodes']} fresh "
        f"episodes), best after {result['best_step'] * result['chunk_episodes']:,} training episodes; in {out}"
    )


def _recipe(
    switches: list[str] | None, options: list[str] | None, network: list[str] | None, episodes: int | None
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What differs from the usual world, algorithm and network."""
    chosen = parse_settings(options, "--option") | ({} if episodes is None else {"episodes": episodes})
    return parse_settings(switches), chosen, parse_settings(network, "--network")


def _tensorboard(out: Path) -> Callable[[dict[str, Any]], None]:
    """Writes rows of metrics as event files into the run directory."""
    try:
        from tensorboardX import SummaryWriter
    except ModuleNotFoundError as error:
        raise MissingExtra("--tensorboard needs tensorboardX; install otherminds[tensorboard]") from error
    made: list[Any] = []

    def write(row: dict[str, Any]) -> None:
        if not made:  # now the run directory is ours
            made.append(SummaryWriter(str(out / "tensorboard")))
        for name, value in row.items():
            if isinstance(value, float):
                made[0].add_scalar(name, value, row["episodes"])
        made[0].flush()

    return write


def sweep(
    models: Annotated[
        str, typer.Option(help="Models as ALGORITHM-BELIEF, separated by commas; 'paper' for the six of the paper.")
    ] = "paper",
    settings: Annotated[
        str, typer.Option(help="Settings, separated by commas; 'all' for the twelve of the paper.")
    ] = "n3_w6_c3",
    seeds: Seeds = "0",
    episodes: Annotated[
        int | None, typer.Option(help="Number of episodes of each run. [default: the algorithm's]")
    ] = None,
    set: Switches = None,
    option: Options = None,
    network: Network = None,
    out: Folder = Path("runs/symmtom"),
    keep: Keep = None,
    shard: Annotated[
        str | None,
        typer.Option(help="Part of the runs to train, such as 2/5 for the second of five machines. [default: all]"),
    ] = None,
    launcher: Annotated[
        str, typer.Option(help="Launcher: local (one process per core) or ray (tasks on a Ray cluster).")
    ] = "local",
    address: Annotated[
        str | None, typer.Option(help="Address of a Ray cluster; needs --launcher ray. [default: start one here]")
    ] = None,
    cores: Cores = None,
    nice: Nice = 0,
    retries: Retries = 2,
    json: Json = False,
) -> None:
    """Train every combination of models, settings and seeds, each in its own run directory.

    Run the same command again to resume.
    """
    from otherminds.run import sweep as sweeps
    from otherminds.worlds.symmtom.evals.runs import keep as keep_run
    from otherminds.worlds.symmtom.evals.runs import kept_at
    from otherminds.worlds.symmtom.learn.train import plan

    jobs = plan(models, settings, seeds, out, *_recipe(set, option, network, episodes))
    mine = sweeps.shard(jobs, shard) if shard else jobs
    run_sweep(
        mine, json, keep, kept_at, lambda job, folder: keep_run(job.directory, folder), launcher, address,
        cores=cores, nice=nice, retries=retries,
    )  # fmt: skip
