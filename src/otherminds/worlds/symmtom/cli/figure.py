"""SymmToM on the command line: figure, and where all commands find trained runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.options import Json
from otherminds.cli.output import counted, print_result
from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.evals.runs import Record, default_folders, find_records
from otherminds.worlds.symmtom.types import Params

Results = Annotated[
    list[Path] | None,
    typer.Option("--results", help="Folder of training runs. May be repeated. [default: results/ and runs/symmtom]"),
]
Greedy = Annotated[
    bool, typer.Option("--greedy", help="Let trained agents take their most likely actions instead of sampling.")
]
Out = Annotated[Path | None, typer.Option(help="JSON file for the result and the command that produced it.")]


def figure(
    name: Annotated[
        str, typer.Argument(help="Number of the paper's figure, 5 (w = 6) or 6 (w = 12), or the name of a scenario.")
    ],
    results: Results = None,
    out: Annotated[
        Path | None,
        typer.Option(help="File for the figure, ending in .svg, .png or .pdf. [default: named after the figure]"),
    ] = None,
    json: Json = False,
) -> None:
    """Draw training curves as in the SymmToM paper's figures 5 and 6, or a scenario as in its figures 3 and 4."""
    if not name.isdecimal():
        from otherminds.worlds.symmtom.cli.scenarios import draw_scenario

        draw_scenario(name, out, json)
        return
    from otherminds.worlds.symmtom.evals.figures import draw_figure, panel_settings

    number = int(name)
    panel_settings(number)
    path = out or Path(f"figure{number}.png")
    curves = draw_figure(number, records_for(results), path)
    drawn = [{"model": c.model, "setting": c.setting, "runs": c.runs, "last": c.mean[-1]} for c in curves]
    print_result(json, {"file": str(path), "curves": drawn}, f"{counted(len(curves), 'curve')} drawn into {path}")


def records_for(
    folders: Sequence[Path] | None,
    only: str | None = None,
    settings: Sequence[str] = (),
    switches: dict[str, Any] | None = None,
) -> list[Record]:
    """The trained runs that a command is about."""
    if only == "scripted":
        return []
    records = find_records(folders or default_folders())
    if (folders or only == "trained") and not records:
        places = ", ".join(map(str, folders or default_folders())) or "results/symmtom or runs/symmtom"
        raise UserError(f"there is no finished run in {places}; train one with 'otherminds train symmtom'")
    here = [record for record in records if not settings or record.setting in settings]
    if only == "trained" and not here:
        others = ", ".join(dict.fromkeys(record.setting for record in records))
        raise UserError(f"no trained run has setting {', '.join(settings)}; found runs with {others}")
    if switches:
        # Whether choices without effect are ruled out is part of how an agent learns, unless it is asked for.
        worlds = [{"mask_actions": record.params.mask_actions} | switches for record in here]
        pairs = zip(here, worlds, strict=True)
        here = [record for record, world in pairs if record.params == Params.from_setting(record.setting, **world)]
    return here
