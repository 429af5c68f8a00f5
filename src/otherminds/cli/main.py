"""The ``otherminds`` command: one verb a task, one sub-command a world."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from otherminds import __version__
from otherminds.cli import (
    decrypto,
    decrypto_evaluate,
    decrypto_experiment,
    decrypto_play,
    enacttom,
    enacttom_pddl,
    enacttom_results,
    records,
    symmtom,
    symmtom_learn,
    symmtom_results,
    symmtom_scenarios,
    symmtom_table,
    tomi,
    tomi_evaluate,
    tomi_learn,
    tomi_look,
    tomi_relabel,
)
from otherminds.cli.output import console, print_json
from otherminds.core.errors import UserError, nearest
from otherminds.core.registry import KINDS, Kind, entries

EXTRAS = {  # what brings each package that a command may miss
    **dict.fromkeys(("jax", "flax", "optax", "safetensors"), "train"),
    **dict.fromkeys(("pettingzoo", "gymnasium"), "rl"),
    **dict.fromkeys(("inspect_ai", "openai"), "llm"),
    **dict.fromkeys(("clingo", "pddl"), "verify"),
    "PIL": "view",
    "matplotlib": "figures",
    "polars": "data",
    "ray": "cluster",
    "tensorboardX": "tensorboard",
}


class FileOrWorld(TyperGroup):
    """A verb for files of any world, with a form of its own for some: ``replay FILE`` and ``replay tomi``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Whatever is no world is meant for files."""
        is_plain = bool(args) and args[0] not in self.commands and args[0] not in ctx.help_option_names
        return super().parse_args(ctx, ["file", *args] if is_plain else args)


app = typer.Typer(
    help="Does a mind know what others know, and does it act on it?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
play = typer.Typer(help="Play episodes of a world, with agents or a person in any seat.", no_args_is_help=True)
table = typer.Typer(
    help="Reproduce a table of a paper, our players beside the published figures.", no_args_is_help=True
)
train = typer.Typer(help="Train agents of a world; the same command continues a run.", no_args_is_help=True)
sweep = typer.Typer(help="Train many agents of a world, or play many of them against each other.", no_args_is_help=True)
figure = typer.Typer(help="Draw a figure of a paper from our runs.", no_args_is_help=True)
evaluate = typer.Typer(help="Score agents over fresh episodes, alone or among each other.", no_args_is_help=True)
generate = typer.Typer(help="Make a set of stories, games or tasks.", no_args_is_help=True)
audit = typer.Typer(help="Look for shortcuts: can a set be passed without theory of mind?", no_args_is_help=True)
replay = typer.Typer(
    cls=FileOrWorld, help="Look at a recorded episode, or at a story with who believes what.", no_args_is_help=True
)
score = typer.Typer(cls=FileOrWorld, help="Sum up recorded episodes, or score a file of answers.", no_args_is_help=True)
new = typer.Typer(help="Write a new file of some kind to start from.", no_args_is_help=True)
app.add_typer(new, name="new")
app.add_typer(replay, name="replay")
app.add_typer(score, name="score")
app.add_typer(generate, name="generate")
app.add_typer(audit, name="audit")
app.add_typer(play, name="play")
app.add_typer(train, name="train")
app.add_typer(sweep, name="sweep")
app.add_typer(table, name="table")
app.add_typer(figure, name="figure")
app.add_typer(evaluate, name="evaluate")
new.command("scenario")(symmtom_scenarios.new_scenario)
new.command("task")(enacttom.new_task)
new.command("pddl")(enacttom_pddl.export)
new.command("experiment")(decrypto_experiment.new_experiment)
play.command("symmtom")(symmtom.play)
play.command("decrypto")(decrypto_play.play)
train.command("symmtom")(symmtom_learn.train)
sweep.command("symmtom")(symmtom_learn.sweep)
table.command("symmtom")(symmtom_table.table)
figure.command("symmtom")(symmtom_results.figure)
table.command("enacttom")(enacttom_results.table)
evaluate.command("symmtom")(symmtom_results.evaluate)
evaluate.command("decrypto")(decrypto_evaluate.evaluate)
generate.command("enacttom")(enacttom.generate)
generate.command("tomi")(tomi.generate)
audit.command("tomi")(tomi.audit)
audit.command("enacttom")(enacttom_pddl.audit)
table.command("tomi")(tomi.table)
table.command("decrypto")(decrypto.table)
train.command("tomi")(tomi_learn.train)
sweep.command("tomi")(tomi_learn.sweep)
evaluate.command("tomi")(tomi_evaluate.evaluate)
figure.command("tomi")(tomi_look.figure_tomi)
figure.command("enacttom")(enacttom_results.figure)
replay.command("file")(records.replay)
replay.command("tomi")(tomi_look.replay_tomi)
score.command("file")(records.score)
score.command("decrypto")(decrypto_experiment.score)
sweep.command("decrypto")(decrypto_experiment.sweep)
figure.command("decrypto")(decrypto_experiment.figure)
score.command("tomi")(tomi_evaluate.score)
app.command("relabel")(tomi_relabel.relabel)
app.command("verify")(records.verify)


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


@app.command("list")
def list_entries(
    kind: Annotated[str | None, typer.Argument(help="worlds, players, beliefs or scenarios; all by default")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Show what there is: worlds, players, beliefs, scenarios."""
    wanted = [_kind(kind)] if kind else list(KINDS)
    if json:
        print_json([vars(entry) for k in wanted for entry in entries(k)])
        return
    out = console()
    for k in wanted:
        found = entries(k)
        out.print(f"[bold]{k}s[/bold]" + ("" if found else "  (none yet)"))
        for entry in found:
            where = f"[dim]{entry.world}[/dim]  " if entry.world else ""
            out.print(f"  {entry.name:<25}{where}{entry.summary}", soft_wrap=True)


def _kind(name: str) -> Kind:
    for kind in KINDS:
        if name in (kind, f"{kind}s"):
            return kind
    raise UserError(f"there is nothing called {name!r} to list{nearest(name, [f'{kind}s' for kind in KINDS])}")


def main() -> None:
    """Run the command; a user's mistake ends in one line and exit code 2, never in a traceback."""
    try:
        app()
    except UserError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(2)
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        typer.echo(f"error: this needs {error.name}; install otherminds[{extra}]", err=True)
        sys.exit(2)
    except OSError as error:  # a disk that fails or is full where no message of its own says so
        where = f" ({error.filename})" if error.filename else ""
        typer.echo(f"error: {error.strerror or error}{where}; mend that, then give the same command again", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
