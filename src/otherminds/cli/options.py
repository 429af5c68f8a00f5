"""Every option that commands share, defined once. Its name means the same in every command."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, get_origin

import typer
import yaml

import otherminds
from otherminds.core.errors import UserError, nearest
from otherminds.core.world import Item, World
from otherminds.llm.options import OPTIONS, ModelOptions

_MODEL = "Language models"

WorldName = Annotated[
    str, typer.Argument(metavar="WORLD", help="World to play, such as symmtom; see 'otherminds list worlds'.")
]
Minds = Annotated[
    list[str],
    typer.Argument(
        metavar="MIND...",
        help="Minds to evaluate. Each one takes every seat that is not set with --seat; see 'otherminds list minds'.",
    ),
]
Mind = Annotated[
    str | None,
    typer.Option("--mind", help="Mind for every seat that is not set with --seat. [default: set by the world]"),
]
Seats = Annotated[
    list[str] | None,
    typer.Option("--seat", metavar="SEAT=MIND", help="Mind for one seat, such as alice=human. May be repeated."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Option of the world, such as task=cup for EnactToM. May be repeated."
    ),
]
Suite = Annotated[
    str,
    typer.Option(
        "--suite", help="Named set of test items to play instead of seeded episodes; see 'otherminds list suites'."
    ),
]
Size = Annotated[
    int | None,
    typer.Option("--size", help="Number of groups (families or tasks) of the suite to play. [default: all]", min=1),
]
Episodes = Annotated[int, typer.Option("--episodes", help="Number of episodes to play, with consecutive seeds.", min=1)]
Seed = Annotated[int, typer.Option("--seed", help="Random seed.", min=0)]
FirstSeed = Annotated[
    int, typer.Option("--seed", help="Random seed; with several episodes, the seed of the first one.", min=0)
]
Cross = Annotated[
    bool,
    typer.Option(
        "--cross",
        help="Pair every mind with every other and print the matrix of scores. --seat sets the seats outside the pair.",
    ),
]
Attempts = Annotated[
    int | None,
    typer.Option(
        "--attempts",
        help="Attempts at a valid reply before the world's default reply is used. [default: set by the world]",
        min=1,
    ),
]
Page = Annotated[Path | None, typer.Option("--page", help="File for the replay page (HTML) of the last episode.")]
Out = Annotated[Path, typer.Option("--out", help="File for the episode records (JSON lines).")]
OutFolder = Annotated[
    Path | None,
    typer.Option(
        "--out", help="Folder for the episode records and summary.json. Run the same command again to resume."
    ),
]
LogFolder = Annotated[Path, typer.Option("--out", help="Folder for the logs. Run the same command again to resume.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
OutFile = Annotated[
    Path | None, typer.Option("--out", help="JSON file for the result and the command that produced it.")
]
Figure = Annotated[
    Path | None,
    typer.Option("--out", help="File for the figure, ending in .svg, .png or .pdf. [default: named after the figure]"),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]
SolverSeconds = Annotated[
    float, typer.Option("--seconds", help="Time limit for each query to the solver, in seconds.", min=0)
]
Yes = Annotated[
    bool, typer.Option("--yes", "-y", help="Start without asking for confirmation.", rich_help_panel=_MODEL)
]


def _model(name: str, help: str, least: float | None = None) -> Any:
    return typer.Option(f"--{name.replace('_', '-')}", help=help, rich_help_panel=_MODEL, min=least)


Connections = Annotated[
    int | None, _model("connections", "Maximum number of concurrent requests. [default: the provider's limit]", 1)
]


def _shared(name: str, kind: Any, default: Any = None) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


_MODELS = [
    _shared(
        name, Annotated[str if get_origin(kind) is Literal else kind, _model(name, *shown)], getattr(ModelOptions, name)
    )
    for name, (kind, shown) in OPTIONS.items()
    if name != "method"  # an option of single minds
]
_PRICES = {"price_in": "Price per million input tokens", "price_out": "Price per million output tokens"}
_BUDGET = [
    *(
        _shared(name, Annotated[float | None, _model(name, f"{text}, used to estimate the cost.", 0)])
        for name, text in _PRICES.items()
    ),
    _shared("yes", Yes, False),
]


def with_groups(command: Callable[..., None], **groups: Sequence[inspect.Parameter]) -> Callable[..., None]:
    """Give a command groups of shared options. It receives each group as a dictionary of that name."""
    signature = inspect.signature(command, eval_str=True)
    own = [parameter for name, parameter in signature.parameters.items() if name not in groups]
    parameters = [*own, *(option for group in groups.values() for option in group)]

    @wraps(command)
    def run(**arguments: Any) -> None:
        given = {name: {option.name: arguments.pop(option.name) for option in group} for name, group in groups.items()}
        command(**arguments, **given)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def with_models(command: Callable[..., None], without: Sequence[str] = (), **defaults: Any) -> Callable[..., None]:
    """Give a command the options of language models.

    It receives how they are asked as the dictionary ``models``, and what they may cost as ``budget``.

    Args:
        command: Function of the command.
        without: Names of options that have no effect there.
        defaults: Defaults that differ from the usual ones.
    """
    used = [option.replace(default=defaults.get(option.name, option.default)) for option in _MODELS]
    return with_groups(command, models=[option for option in used if option.name not in without], budget=_BUDGET)


def check_models(world: World, models: Mapping[str, Any]) -> None:
    """Refuse wrong options of language models, even if only scripted minds play.

    Raises:
        UserError: if a value is out of range, or the world has no such prompts or phrasing.
    """
    from otherminds.llm.prompts import load_prompts

    used = ModelOptions(**models)
    load_prompts(world, used.prompts, used.phrasing)


def parse_settings(pairs: Sequence[str] | None, flag: str = "--set", example: str = "task=cup") -> dict[str, Any]:
    """``KEY=VALUE`` words as a dictionary; values are read as YAML, so that 2 is a number and true a switch."""
    settings: dict[str, Any] = {}
    for pair in pairs or ():
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise UserError(f"{flag} {pair!r} is not of the form KEY=VALUE, such as {example}")
        settings[name.replace("-", "_")] = _value(text)
    return settings


def _value(text: str) -> Any:
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        return text
    if isinstance(value, str) and value[:1] in "+-.0123456789":
        try:
            return float(value)  # YAML takes 1e-3 for text
        except ValueError:
            return value
    return text if isinstance(value, dict) else value


def open_world(name: str, settings: Sequence[str] | None = None) -> World:
    """The world of a name with its options set."""
    world: World = otherminds.make(name, **parse_settings(settings))
    return world


def who_sits(world: World, mind: str | None, seats: Sequence[str] | None, items: Sequence[Item] = ()) -> dict[str, str]:
    """The name of a mind for each seat of the world, or of the items that are played.

    Raises:
        UserError: if there is no such seat, or one is set twice.
    """
    known = list(dict.fromkeys(seat for item in items or (None,) for seat in world.seats_of(item)))
    chosen: dict[str, str] = {}
    for pair in seats or ():
        seat, equals, name = pair.partition("=")
        if not equals or not name:
            raise UserError(f"--seat {pair!r} is not of the form SEAT=MIND, such as {known[0]}=human")
        if seat not in known:
            raise UserError(f"there is no seat {seat!r}{nearest(seat, known)}")
        if seat in chosen:
            raise UserError(f"seat {seat!r} is set twice, to {chosen[seat]} and {name}; set it once")
        chosen[seat] = name
    return {seat: chosen.get(seat, mind or world.default_mind) for seat in known}


def named_minds(specs: Mapping[str, str]) -> str:
    """The minds at a table as one text, for the names of episodes and rows."""
    names = list(dict.fromkeys(specs.values()))
    return names[0] if len(names) == 1 else ",".join(f"{seat}={name}" for seat, name in specs.items())
