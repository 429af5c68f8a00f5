"""SymmToM on the command line: train and sweep."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli import training
from otherminds.cli.options import Json, Seed, parse_settings
from otherminds.cli.output import print_result
from otherminds.core.errors import need
from otherminds.worlds.symmtom.cli.options import Setting, Switches


def train(
    setting: Setting = "n3_w6_c3",
    algorithm: Annotated[str, typer.Option(help="Training algorithm: maddpg, ppo or imitation.")] = "maddpg",
    belief: Annotated[str, typer.Option(help="Belief module of the agents; see 'otherminds list beliefs'.")] = "none",
    seed: Seed = 0,
    episodes: Annotated[int | None, typer.Option(help="Number of episodes. [default: the algorithm's]")] = None,
    set: Switches = None,
    option: training.Options = None,
    network: training.Network = None,
    out: training.RunFolder = None,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write the training curves for TensorBoard.")
    ] = False,
    json: Json = False,
) -> None:
    """Train agents for SymmToM. Run the same command again to resume."""
    from otherminds.worlds.symmtom.evals.runs import place_of
    from otherminds.worlds.symmtom.learn.train import resolve, run_training

    config = resolve(
        setting, algorithm, belief, seed, parse_settings(set), *training.recipe(option, network, episodes=episodes)
    )
    out = out or Path("runs", "symmtom") / place_of(config)
    board = _tensorboard(out) if tensorboard else None

    def note(chunk: Any) -> str:
        if board:
            board(chunk.row)
        speed = chunk.row["episodes"] / chunk.row["step"] / chunk.seconds
        return f"reward {chunk.row['reward']:.1f}, {chunk.row['episodes']:,} episodes, {speed:,.0f} a second"

    with training.training_bar(f"{config['name']} {config['setting']}", note) as (show, warn):
        result = run_training(config, out, sys.argv, show, warn)
    score = result["evaluation"]
    line = (
        f"reward per agent {score['reward']:.1f} (sd over episodes {score['reward_sd']:.1f}, {score['episodes']} fresh "
        f"episodes), best after {result['best_step'] * result['chunk_episodes']:,} training episodes; in {out}"
    )
    print_result(json, result, line)


def _tensorboard(out: Path) -> Callable[[dict[str, Any]], None]:
    """Writes rows of metrics as event files into the run directory."""
    board = need("tensorboardX", "--tensorboard needs tensorboardX", "tensorboard")
    made: list[Any] = []

    def write(row: dict[str, Any]) -> None:
        if not made:  # now the run directory is ours
            made.append(board.SummaryWriter(str(out / "tensorboard")))
        for name, value in row.items():
            if isinstance(value, float):
                made[0].add_scalar(name, value, row["episodes"])
        made[0].flush()

    return write


@training.sweeping
def sweep(
    models: Annotated[
        str, typer.Option(help="Models as ALGORITHM-BELIEF, separated by commas; 'paper' for the paper's six models.")
    ] = "paper",
    settings: Annotated[
        str, typer.Option(help="Settings, separated by commas; 'all' for the paper's twelve settings.")
    ] = "n3_w6_c3",
    seeds: training.Seeds = "0",
    episodes: Annotated[
        int | None, typer.Option(help="Number of episodes of each run. [default: the algorithm's]")
    ] = None,
    set: Switches = None,
    option: training.Options = None,
    network: training.Network = None,
    out: training.Folder = Path("runs/symmtom"),
    json: Json = False,
    *,
    launch: dict[str, Any],
) -> None:
    """Train every combination of models, settings and seeds, each in its own run directory.

    Run the same command again to resume.
    """
    from otherminds.worlds.symmtom.evals.runs import keep, kept_at
    from otherminds.worlds.symmtom.learn.train import plan

    jobs = plan(models, settings, seeds, out, parse_settings(set), *training.recipe(option, network, episodes=episodes))
    training.run_sweep(jobs, json, kept_at, lambda job, folder: keep(job.directory, folder), **launch)
