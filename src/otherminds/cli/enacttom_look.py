"""EnactToM on the command line: figures of what teams do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli.enacttom_evaluate import Json, recorded
from otherminds.cli.output import print_json
from otherminds.core.errors import UserError, nearest


def figure(
    what: Annotated[str, typer.Argument(help="functional-literal: what teams do against what they say; or depth.")],
    records: Annotated[list[Path], typer.Argument(help="Folders or files of runs, as 'evaluate enacttom' keeps them.")],
    out: Annotated[Path | None, typer.Option(help="A .svg, .png or .pdf file.")] = None,
    json: Json = False,
) -> None:
    """Draw what teams do against what they say, or how often they succeed at each depth."""
    from otherminds.evals.enacttom.figures import FIGURES

    if what not in FIGURES:
        raise UserError(f"there is no figure {what!r} of EnactToM{nearest(what, FIGURES)}")
    path = out or Path(f"enacttom_{what}.svg")
    drawn = FIGURES[what](recorded(records), path)
    if json:
        print_json({"file": str(path), "drawn": drawn})
    else:
        typer.echo(f"wrote {path}")
