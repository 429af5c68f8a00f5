"""The ``otherminds`` command: one verb a task, the same for every world."""

from __future__ import annotations

import sys
from typing import Annotated, Any, NoReturn, cast

import typer

from otherminds import __version__
from otherminds.cli import evaluate, evolve, play, records, verify
from otherminds.cli.help import Command, Group, limits
from otherminds.cli.options import Json
from otherminds.cli.output import console, print_json
from otherminds.core.errors import UserError, nearest
from otherminds.core.registry import KINDS, Kind, entries

EXTRAS = {  # the extra that installs each optional package
    **dict.fromkeys(("jax", "flax", "optax", "safetensors"), "train"),
    **dict.fromkeys(("pettingzoo", "gymnasium"), "rl"),
    **dict.fromkeys(("inspect_ai", "openai"), "llm"),
    "clingo": "verify",
    "PIL": "view",
    "matplotlib": "figures",
    "polars": "data",
    "ray": "cluster",
    "tensorboardX": "tensorboard",
}


def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


def list_entries(
    kind: Annotated[
        str | None,
        typer.Argument(help="Kind of entry to list, such as worlds or minds. [default: all]"),
    ] = None,
    json: Json = False,
) -> None:
    """List what is available: worlds, minds, beliefs, scenarios, suites, experiments, tasks and tables."""
    wanted = [_kind(kind)] if kind else list(KINDS)
    if json:
        print_json([vars(entry) for k in wanted for entry in entries(k)])
        return
    out = console()
    for k in wanted:
        listed = entries(k)
        out.print(f"[bold]{k}s[/bold]" + ("" if listed else "  (none yet)"))
        for entry in listed:
            world = f"[dim]{entry.world}[/dim]  " if entry.world else ""
            out.print(f"  {entry.name:<25}{world}{entry.summary}", soft_wrap=True)
        if k == "mind":
            out.print(
                "  Run directories, local, local:FILE.gguf and Inspect models (such as openai/gpt-5) are minds too."
            )


def _kind(name: str) -> Kind:
    for kind in KINDS:
        if name in (kind, f"{kind}s"):
            return kind
    raise UserError(f"unknown kind {name!r}{nearest(name, [f'{kind}s' for kind in KINDS])}")


_GROUPS = {  # verbs that need the name of a world or of a kind of file
    "new": "Create a file to start from, such as an item or an experiment.",
    "generate": "Generate a set of items.",
    "author": "Let a language model write items. Run the same command again to resume.",
    "audit": "Check a set of items for shortcuts, memorised texts, wrong labels or poor quality.",
    "train": "Train agents or models for a world. Run the same command again to resume.",
    "sweep": "Train many agents or models, or play every match of an experiment.",
    "table": "Reproduce a table from a paper, with our results next to the published figures.",
    "export": "Make a test set from a pool of evolved items.",
    "figure": "Redraw a figure of a paper, using recorded results.",
}


def make_app(only: str = "") -> typer.Typer:
    """The whole command, or with the sub-commands of one verb alone, which starts sooner."""
    app = typer.Typer(
        cls=Group,
        help="Does a mind know what others know, and does it act on it?",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",  # the other mode swallows [default: all]
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_root)
    for command in (play.play, evaluate.evaluate, evolve.evolve, records.replay, records.score, verify.verify):
        app.command(cls=Command)(command)
    app.command("list", cls=Command)(list_entries)
    groups: dict[str, typer.Typer] = {}
    for entry in entries("command"):
        verb, _, name = entry.name.partition(" ")
        if name and verb not in groups:
            groups[verb] = typer.Typer(cls=Group, help=_GROUPS.get(verb), no_args_is_help=True)
            app.add_typer(groups[verb], name=verb)
        if only in ("", verb) or not name:
            (groups[verb] if name else app).command(name or verb, cls=Command)(entry.load())
    return app


# Typer brings its own copy of Click, of which it exports the subclasses alone.
_UsageError: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def _refuse(message: str) -> NoReturn:
    typer.echo(f"error: {message or 'no command was named; choose one of those above'}", err=True)
    sys.exit(2)


def _usage(error: Any) -> str:
    """The message for a command that is called wrongly."""
    message: str = error.format_message()
    command = error.ctx.command if error.ctx else None
    if command and hasattr(error, "possibilities"):  # an unknown option
        return f"there is no option {error.option_name!r}{nearest(error.option_name, error.possibilities or ())}"
    kind = error.ctx.parent.info_name if command and error.ctx.parent else ""
    if kind in KINDS and message.startswith("Missing argument"):  # such as a table of which no name is given
        known = [entry.name for entry in entries(cast("Kind", kind), error.ctx.info_name)]
        return f"{message.rstrip('.')}{nearest('', known)}"
    if fault := _bad_number(error):
        return fault
    if command and message.startswith("No such command") and "Did you mean" not in message:
        return f"{message.rstrip('.')}; available commands: {', '.join(sorted(command.list_commands(error.ctx)))}"
    return message


def _bad_number(error: Any) -> str:
    """What is wrong with the value of an option that takes a number; empty for any other mistake."""
    option: Any = getattr(error, "param", None)
    faults: list[Any] = getattr(error.__cause__, "errors", list)()
    if not option or not faults:
        return ""
    kind = "whole number" if "int" in str(option.type_descriptor.annotation) else "number"
    bounds = limits(option)
    expected = f"a {kind} of {bounds}" if bounds else f"a {kind}"
    name = option.metavar if option.param_type_name == "argument" else option.opts[0]
    return f"{name} is {str(faults[0]['input'])!r}; expected {expected}"


def main() -> None:
    """Run the command; a user's mistake ends in one line and exit code 2, never in a traceback."""
    try:
        sys.exit(make_app(next(iter(sys.argv[1:]), ""))(standalone_mode=False) or 0)
    except _UsageError as error:
        _refuse(_usage(error))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except UserError as error:
        _refuse(str(error))
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        _refuse(f"this command needs {error.name}; install otherminds[{extra}]")
    except OSError as error:  # such as a full or failing disk, where nothing else reports it
        file = f" ({error.filename})" if error.filename else ""
        typer.echo(f"error: {error.strerror or error}{file}; fix this and run the same command again", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
