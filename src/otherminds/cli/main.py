"""The ``otherminds`` command: one verb a task, the same for every world."""

from __future__ import annotations

import sys
from typing import Annotated, Any, NoReturn

import typer

from otherminds import __version__
from otherminds.cli import (
    decrypto,
    decrypto_experiment,
    enacttom,
    enacttom_pddl,
    enacttom_results,
    evaluate,
    models,
    play,
    records,
    symmtom_learn,
    symmtom_results,
    symmtom_scenarios,
    symmtom_table,
    tomi,
    tomi_learn,
    tomi_look,
    tomi_relabel,
    verify,
)
from otherminds.cli.options import Json
from otherminds.cli.output import console, print_json
from otherminds.cli.renamed import new_spelling
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


app = typer.Typer(
    help="Does a mind know what others know, and does it act on it?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
table = typer.Typer(help="Reproduce a table of a paper, our minds beside the published figures.", no_args_is_help=True)
train = typer.Typer(help="Train agents of a world. Run the same command again to resume.", no_args_is_help=True)
sweep = typer.Typer(help="Train many agents of a world, or play many of them against each other.", no_args_is_help=True)
figure = typer.Typer(help="Draw a figure of a paper from our runs.", no_args_is_help=True)
generate = typer.Typer(help="Make a set of stories, games or tasks.", no_args_is_help=True)
audit = typer.Typer(help="Look for shortcuts: can a set be passed without theory of mind?", no_args_is_help=True)
new = typer.Typer(help="Write a new file of some kind to start from.", no_args_is_help=True)
app.add_typer(new, name="new")
app.add_typer(generate, name="generate")
app.add_typer(audit, name="audit")
app.add_typer(train, name="train")
app.add_typer(sweep, name="sweep")
app.add_typer(table, name="table")
app.add_typer(figure, name="figure")
new.command("scenario")(symmtom_scenarios.new_scenario)
new.command("task")(enacttom.new_task)
new.command("pddl")(enacttom_pddl.export)
new.command("experiment")(decrypto_experiment.new_experiment)
train.command("symmtom")(symmtom_learn.train)
sweep.command("symmtom")(symmtom_learn.sweep)
table.command("symmtom")(symmtom_table.table)
figure.command("symmtom")(symmtom_results.figure)
table.command("enacttom")(enacttom_results.table)
generate.command("enacttom")(enacttom.generate)
generate.command("tomi")(tomi.generate)
audit.command("tomi")(tomi.audit)
audit.command("contamination")(models.contamination)
audit.command("enacttom")(enacttom_pddl.audit)
table.command("tomi")(tomi.table)
table.command("decrypto")(decrypto.table)
train.command("tomi")(tomi_learn.train)
sweep.command("tomi")(tomi_learn.sweep)
figure.command("tomi")(tomi_look.figure_tomi)
figure.command("enacttom")(enacttom_results.figure)
sweep.command("decrypto")(decrypto_experiment.sweep)
figure.command("decrypto")(decrypto_experiment.figure)
app.command("relabel")(tomi_relabel.relabel)
app.command("play")(play.play)
app.command("evaluate")(evaluate.evaluate)
app.command("replay")(records.replay)
app.command("score")(records.score)
app.command("verify")(verify.verify)
app.command("score-answers")(tomi_look.score_answers_file)
app.command("replay-story")(tomi_look.replay_tomi)


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


@app.command("list")
def list_entries(
    kind: Annotated[
        str | None,
        typer.Argument(help="Kind of entry, such as worlds or minds. [default: all]"),
    ] = None,
    json: Json = False,
) -> None:
    """List what there is: worlds, minds, beliefs, scenarios, suites, experiments, tasks and tables."""
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
        if k == "mind":
            out.print("  Run directories, local, local:FILE.gguf and models of Inspect (openai/gpt-5) are minds too.")


def _kind(name: str) -> Kind:
    for kind in KINDS:
        if name in (kind, f"{kind}s"):
            return kind
    raise UserError(f"there is nothing called {name!r} to list{nearest(name, [f'{kind}s' for kind in KINDS])}")


# Typer brings its own copy of Click, of which it exports the subclasses alone.
_UsageError: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def _refuse(message: str) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    sys.exit(2)


def main() -> None:
    """Run the command; a user's mistake ends in one line and exit code 2, never in a traceback."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except _UsageError as error:
        option = getattr(error, "option_name", None)
        known = getattr(error, "possibilities", None)
        _refuse(f"there is no option {option!r}{new_spelling(option, known)}" if option else error.format_message())
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except UserError as error:
        _refuse(str(error))
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        _refuse(f"this needs {error.name}; install otherminds[{extra}]")
    except OSError as error:  # a disk that fails or is full where no message of its own says so
        where = f" ({error.filename})" if error.filename else ""
        typer.echo(f"error: {error.strerror or error}{where}; fix this and run the same command again", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
