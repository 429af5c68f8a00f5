"""SymmToM on the command line: what all its commands share."""

from __future__ import annotations

import json as json_module
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from otherminds.core.errors import UserError

Setting = Annotated[str, typer.Option(help="Agents, width and pieces.")]
Switches = Annotated[
    list[str] | None,
    typer.Option("--set", help="A parameter of the world, such as vision=2 or competitive=3; may be repeated."),
]
Minds = Annotated[
    list[str] | None,
    typer.Option("--mind", help="A policy by name, run directory or actor file; by commas, or may be repeated."),
]
Seed = Annotated[int, typer.Option(help="Decides everything that is left to chance.", min=0)]
Json = Annotated[bool, typer.Option("--json", help="Print for programs.")]


def parse_switches(pairs: Sequence[str], flag: str = "--set") -> dict[str, Any]:
    """``name=value`` words as parameters; a value is JSON where it can be, else text."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UserError(f"{flag} {pair!r} is not of the form name=value")
        lowered = {"True": "true", "False": "false", "None": "null"}.get(value, value)
        try:
            found[name.replace("-", "_")] = json_module.loads(lowered)
        except ValueError:
            found[name.replace("-", "_")] = value
    return found


def parse_names(*texts: str) -> list[str]:
    """Names that were given by commas."""
    return [name.strip() for text in texts for name in text.split(",") if name.strip()]
