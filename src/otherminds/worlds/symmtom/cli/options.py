"""SymmToM on the command line: what all its commands share."""

from __future__ import annotations

import re
from typing import Annotated

import typer

Setting = Annotated[str, typer.Option(help="Number of agents, width and number of pieces, such as n3_w6_c3.")]
Switches = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Parameter of the world, such as vision=2 or competitive=3. May be repeated."
    ),
]
Minds = Annotated[
    list[str] | None,
    typer.Option(
        "--mind",
        help="Mind to add to the table: a name, run directory or actor file. May be repeated, or separated by commas.",
    ),
]


def parse_names(*texts: str) -> list[str]:
    """Names separated by commas. A further option of a mind, as in ``planner:order=1,particles=64``, stays with it."""
    names: list[str] = []
    for text in texts:
        for position, part in enumerate(part.strip() for part in text.split(",") if part.strip()):
            if position and ":" in names[-1] and re.match(r"[a-z_]+=", part):
                names[-1] += f",{part}"
            else:
                names.append(part)
    return names
