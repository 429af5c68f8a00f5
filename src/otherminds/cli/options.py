"""Every option that commands share, defined once. Its name means the same in every command."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from otherminds.core.errors import UserError, nearest
from otherminds.core.registry import find
from otherminds.core.world import Item, World

_MODEL = "Language models"

WorldName = Annotated[str, typer.Argument(metavar="WORLD", help="A world, such as symmtom. 'otherminds list worlds'.")]
Minds = Annotated[
    list[str], typer.Argument(metavar="MIND...", help="Minds to evaluate, each in all seats. 'otherminds list minds'.")
]
Mind = Annotated[str | None, typer.Option("--mind", help="Mind for every seat that is not set with --seat.")]
Seats = Annotated[
    list[str] | None,
    typer.Option("--seat", metavar="SEAT=MIND", help="Mind for one seat, such as alice=human. May be repeated."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="An option of the world, such as task=cup. May be repeated."),
]
Suite = Annotated[str, typer.Option("--suite", help="Named set of test items to play instead of episodes by seed.")]
Size = Annotated[int | None, typer.Option("--size", help="Groups of the suite to play. [default: all]", min=1)]
Episodes = Annotated[int, typer.Option("--episodes", help="Number of episodes, one seed after the other.", min=1)]
Seed = Annotated[int, typer.Option("--seed", help="Seed of all chance, or of the first episode.", min=0)]
Cross = Annotated[bool, typer.Option("--cross", help="Seat every mind with every other and print the matrix.")]
Attempts = Annotated[
    int | None,
    typer.Option("--attempts", help="Attempts at a reply before the default stands. [default: the world's]", min=1),
]
Page = Annotated[Path | None, typer.Option("--page", help="File for the replay page of the last episode.")]
Out = Annotated[Path, typer.Option("--out", help="File for the episode records. Run the same command again to resume.")]
OutFolder = Annotated[
    Path | None, typer.Option("--out", help="Folder for records and the summary. Run the same command again to resume.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
OutFile = Annotated[
    Path | None, typer.Option("--out", help="File for the result, as JSON with the command that made it.")
]
Figure = Annotated[Path | None, typer.Option("--out", help="File for the figure: .svg, .png or .pdf.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
SolverSeconds = Annotated[float, typer.Option("--seconds", help="Seconds for each question to the solver.", min=0)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Start without asking.", rich_help_panel=_MODEL)]


def _model(*names: str, help: str, **kind: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=_MODEL, **kind)


Timeout = Annotated[int, _model("--timeout", help="Seconds for one call, after which it costs an attempt.", min=1)]
Temperature = Annotated[float | None, _model("--temperature", help="Temperature of acts. [default: model's]", min=0)]
ProbeTemperature = Annotated[
    float | None,
    _model("--probe-temperature", help="Temperature of probes. [default: --temperature]", min=0),
]
MaxTokens = Annotated[int | None, _model("--max-tokens", help="Most tokens in a reply. [default: model's]", min=1)]
Connections = Annotated[int | None, _model("--connections", help="Requests at once. [default: the provider's]", min=1)]
Form = Annotated[str, _model("--form", help="Replies: free text, structured output, or auto for what suits.")]
Prompts = Annotated[str, _model("--prompts", help="Version of the prompts. [default: the newest]")]
Phrasing = Annotated[str, _model("--phrasing", help="Wording of the prompts, where the world has several.")]
Memory = Annotated[int | None, _model("--memory", help="Past turns kept in the conversation. [default: all]", min=0)]
PriceIn = Annotated[float | None, _model("--price-in", help="Price of a million input tokens.", min=0)]
PriceOut = Annotated[float | None, _model("--price-out", help="Price of a million output tokens.", min=0)]


_MODELS: dict[str, tuple[Any, Any]] = {  # how language models are asked, with defaults
    "timeout": (Timeout, 120),
    "temperature": (Temperature, None),
    "probe_temperature": (ProbeTemperature, None),
    "max_tokens": (MaxTokens, None),
    "form": (Form, "auto"),
    "prompts": (Prompts, ""),
    "phrasing": (Phrasing, ""),
    "memory": (Memory, None),
}
_BUDGET: dict[str, tuple[Any, Any]] = {"price_in": (PriceIn, None), "price_out": (PriceOut, None), "yes": (Yes, False)}


def with_models(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of language models.

    It receives how they are asked as the dictionary ``models``, and what they may cost as ``budget``.
    """
    signature = inspect.signature(command, eval_str=True)
    own = [parameter for name, parameter in signature.parameters.items() if name not in ("models", "budget")]
    added = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)
        for name, (kind, default) in {**_MODELS, **_BUDGET}.items()
    ]

    @wraps(command)
    def run(**given: Any) -> None:
        models, budget = ({name: given.pop(name) for name in names} for names in (_MODELS, _BUDGET))
        command(**given, models=models, budget=budget)

    run.__signature__ = signature.replace(parameters=own + added)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in own + added}
    return run


def parse_settings(pairs: Sequence[str] | None, flag: str = "--set") -> dict[str, Any]:
    """``KEY=VALUE`` words as a dictionary; values are read as YAML, so that 2 is a number and true a switch."""
    settings: dict[str, Any] = {}
    for pair in pairs or ():
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise UserError(f"{flag} {pair!r} is not of the form KEY=VALUE")
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
    """The world of a name with its options set.

    Raises:
        UserError: if there is no such world or option.
    """
    make = find("world", name).load()
    given = parse_settings(settings)
    try:
        world: World = make(**given)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        known = [one for one in inspect.signature(make).parameters if one not in ("self", "params")]
        odd = next((key for key in given if key not in known), "")
        raise UserError(f"{name} has no option {odd!r}{nearest(odd, known)}") from error
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
    """The minds of a table in one word, for the names of episodes and rows."""
    names = list(dict.fromkeys(specs.values()))
    return names[0] if len(names) == 1 else ",".join(f"{seat}={name}" for seat, name in specs.items())
