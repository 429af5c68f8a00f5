"""SymmToM on the command line: what all its commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Setting = Annotated[str, typer.Option(help="Number of agents, width and number of pieces, such as n3_w6_c3.")]
Switches = Annotated[
    list[str] | None,
    typer.Option("--set", help="Parameter of the world, such as vision=2 or competitive=3. May be repeated."),
]
Minds = Annotated[
    list[str] | None,
    typer.Option(
        "--mind", help="Policy to add: a name, run directory or actor file. May be repeated, or separated by commas."
    ),
]


def parse_names(*texts: str) -> list[str]:
    """Names that were given by commas."""
    return [name.strip() for text in texts for name in text.split(",") if name.strip()]
