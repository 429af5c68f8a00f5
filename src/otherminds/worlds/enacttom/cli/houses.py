"""Houses on the command line: print one, or draw it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli import options
from otherminds.cli.output import print_json
from otherminds.core.errors import UserError, either

_FORMATS = (".yaml", ".svg", ".png")


def new_house(
    seed: options.Seed = 0,
    out: Annotated[
        Path | None, typer.Option(help="File to write: .yaml, or a picture (.svg, .png). [default: print YAML]")
    ] = None,
    rooms: Annotated[int | None, typer.Option(help="Number of rooms, 5 to 10. [default: random]")] = None,
    furniture: Annotated[
        int | None, typer.Option(help="Number of pieces of furniture, 12 to 30. [default: random]")
    ] = None,
    things: Annotated[int | None, typer.Option(help="Number of things, 10 to 40. [default: random]")] = None,
    closed: Annotated[int | None, typer.Option(help="Number of closed doors. [default: random, about a third]")] = None,
    locked: Annotated[int, typer.Option(help="Number of locked doors.")] = 0,
    one_way: Annotated[int, typer.Option(help="Number of one-way doors.")] = 0,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Generate a house from a seed: rooms, doors, furniture and things, for use in your own tasks."""
    from otherminds.core.files import write_whole
    from otherminds.core.seeds import Draw
    from otherminds.view.pixels import save_png
    from otherminds.view.shapes import to_svg
    from otherminds.worlds.enacttom.houses.picture import picture
    from otherminds.worlds.enacttom.houses.sample import sample_house

    if out is not None and out.suffix not in _FORMATS:
        raise UserError(f"--out is {str(out)!r}; expected a name that ends in {either(_FORMATS)}")
    if out is not None and out.exists() and not force:
        raise UserError(f"{out} already exists; choose another name, or use --force")
    house = sample_house(
        Draw(seed, "house"),
        rooms=rooms, furniture=furniture, things=things, closed=closed, locked=locked, one_way=one_way,
    )  # fmt: skip
    if out is None and not json:
        typer.echo(house.text(), nl=False)
    elif out is not None:
        if out.suffix == ".png":
            save_png(picture(house), out, scale=2)
        else:
            write_whole(out, house.text() if out.suffix == ".yaml" else to_svg(picture(house)))
        if not json:
            typer.echo(f"wrote {out}")
    if json:
        print_json({"seed": seed, "house": house.content(), "file": str(out) if out else None})
