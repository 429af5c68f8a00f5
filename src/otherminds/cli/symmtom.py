"""SymmToM on the command line: what all its commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Setting = Annotated[str, typer.Option(help="Agents, width and pieces.")]
Switches = Annotated[
    list[str] | None,
    typer.Option("--set", help="A parameter of the world, such as vision=2 or competitive=3; may be repeated."),
]
Minds = Annotated[
    list[str] | None,
    typer.Option("--mind", help="A policy by name, run directory or actor file; by commas, or may be repeated."),
]


def parse_names(*texts: str) -> list[str]:
    """Names that were given by commas."""
    return [name.strip() for text in texts for name in text.split(",") if name.strip()]
