"""SymmToM on the command line: figure and evaluate, and where all commands find trained runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otherminds.cli import symmtom_grids as grids
from otherminds.cli.models import (
    Asking,
    Connections,
    LogDir,
    PriceIn,
    PriceOut,
    Retries,
    Temperature,
    Yes,
    option,
)
from otherminds.cli.output import console, keep_result, print_json, progress
from otherminds.cli.symmtom import Json, Seed, Switches, parse_names, parse_switches
from otherminds.core.errors import UserError
from otherminds.evals.records import Record, default_folders, find_records
from otherminds.evals.symmtom_agents import find_agents, rules_of, score_agent, world_of
from otherminds.evals.symmtom_crossplay import cross_play
from otherminds.players.symmtom import EVALUATION_SEED
from otherminds.worlds.symmtom.types import Params

Runs = Annotated[
    list[Path] | None,
    typer.Option("--runs", help="A folder with trained runs; may be repeated. By default results/ and runs/symmtom."),
]
Greedy = Annotated[bool, typer.Option("--greedy", help="Learned agents take their most likely actions.")]
Out = Annotated[Path | None, typer.Option(help="Also keep the result here, with the command that made it.")]
Model = Annotated[
    str, option(help="A language model in one seat: local, or any model of Inspect, such as openai/gpt-4o-mini.")
]


def figure(
    what: Annotated[
        str, typer.Argument(help="The paper's figure 5 (w = 6) or 6 (w = 12), training curves; or a scenario by name.")
    ],
    runs: Runs = None,
    out: Annotated[Path | None, typer.Option(help="A .png, .svg or .pdf file; figure5.png by default.")] = None,
    json: Json = False,
) -> None:
    """Draw a figure of the SymmToM paper from our training runs, or a theory-of-mind test as in its figures 3 and 4."""
    if not what.isdecimal():
        from otherminds.cli.symmtom_scenarios import draw_scenario

        draw_scenario(what, out, json)
        return
    from otherminds.evals.symmtom_figures import draw_figure, panel_settings

    number = int(what)
    panel_settings(number)
    path = out or Path(f"figure{number}.png")
    curves = draw_figure(number, records_for(runs), path)
    if json:
        drawn = [{"model": c.model, "setting": c.setting, "runs": c.runs, "last": c.mean[-1]} for c in curves]
        print_json({"file": str(path), "curves": drawn})
        return
    typer.echo(f"{len(curves)} {'curve' if len(curves) == 1 else 'curves'} drawn into {path}")


def evaluate(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            help="Run directories, actor files, folders of them, or players; with --model, who fills the other seats: "
            "one for all or one each, heuristic by default."
        ),
    ] = None,
    setting: Annotated[str | None, typer.Option(help="Where to play; where each was trained by default.")] = None,
    episodes: Annotated[
        int | None,
        typer.Option(help="How many, 1000 by default; with --cross, for each pair; with --model, 10.", min=1),
    ] = None,
    seed: Seed = EVALUATION_SEED,
    set: Switches = None,
    greedy: Annotated[
        bool | None,
        typer.Option("--greedy/--sampled", help="Learned agents take their most likely actions, or draw them."),
    ] = None,
    cross: Annotated[bool, typer.Option("--cross", help="Seat every agent among every other.")] = False,
    seats: Annotated[
        str, typer.Option(help="With --cross: how many seats the row's agent has; a number, or half.")
    ] = "1",
    scenarios: Annotated[
        str, typer.Option(help="Theory-of-mind tests instead, by commas: names, files, all, twins or paper.")
    ] = "",
    engine: Annotated[str | None, typer.Option(help="jax or numpy; JAX where it is installed.")] = None,
    out: Out = None,
    json: Json = False,
    model: Model = "",
    seat: Annotated[int, option(help="The model's seat, from 0.", min=0)] = 0,
    ways: Annotated[int, option(help="In how many stagings each case of a scenario is played.", min=1)] = 1,
    probe_turns: Annotated[
        str | None, option(help="Before which turns to ask who knows what, by commas; half-way by default.")
    ] = None,
    memory: Annotated[
        int | None, option(help="Past turns that stay in the conversation; all by default.", min=0)
    ] = None,
    form: Annotated[str, option(help="free: a line; schema: structured output.")] = "free",
    retries: Retries = 1,
    connections: Connections = None,
    temperature: Temperature = None,
    log_dir: LogDir = Path("logs"),
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    yes: Yes = False,
) -> None:
    """Score agents of SymmToM over fresh episodes, alone or, with --cross, among each other; or in scenarios.

    With --model a language model takes a seat; the same command goes on where it was stopped.
    """
    if model:
        from otherminds.cli.symmtom_model import evaluate_model

        if cross or greedy is not None or engine:
            raise UserError("--cross, --greedy, --sampled and --engine are for agents; leave them out with --model")
        if scenarios and (setting or set or agents or episodes):
            raise UserError(
                "scenarios bring their own world and people; leave out agents, --setting, --set, --episodes"
            )
        asking = Asking(model, connections, temperature, log_dir, price_in, price_out, yes, json)
        task = {
            "setting": setting or "n3_w6_c3",
            "seat": seat,
            "others": agents or ["heuristic"],
            "episodes": episodes or 10,
            "seed": seed,
            "switches": parse_switches(set or []),
            "scenario": scenarios,
            "ways": ways,
            "probe_turns": probe_turns,
            "memory": memory,
            "retries": retries,
            "form": form,
        }
        keep_result(out, evaluate_model(asking, task))
        return
    if not agents:
        raise UserError("there is nobody to evaluate; name agents such as heuristic, or a language model with --model")
    episodes = episodes or 1000
    found, switches = find_agents(agents, greedy=greedy), parse_switches(set or [])
    if scenarios:
        from otherminds.cli.symmtom_scenarios import battery_pages

        if cross or setting or switches:
            raise UserError("scenarios bring their own world; leave out --cross, --setting and --set")
        tested, pages = battery_pages(found, parse_names(scenarios), episodes, seed, engine)
        keep_result(out, tested)
        if json:
            print_json(tested)
        else:
            print_pages(pages)
        return
    worlds = [world_of(agent, setting, switches) for agent in found]
    content: Any
    if cross:
        trained = [world for agent, world in zip(found, worlds, strict=True) if agent.params]
        params = (trained or worlds)[0]
        if setting is None and len(different := {rules_of(world) for world in trained}) > 1:
            raise UserError(
                f"the agents were trained in different worlds ({'; '.join(sorted(different))}); say where to play: "
                "--setting …, and --set … for its rules"
            )
        with progress("playing", len(found) ** 2) as advance:
            matrix = cross_play(params, found, episodes, seed, _seats(seats, params), engine, advance)
        content, pages = matrix.to_dict(), [grids.cross_grid(matrix)]
        if len(dict.fromkeys(matrix.models)) < len(found) or len(found) > 2:
            pages.append(grids.cross_models_grid(matrix))
    else:
        scores = []
        with progress("playing", len(found)) as advance:
            for agent, params in zip(found, worlds, strict=True):
                scores.append(score_agent(agent, params, episodes, seed, engine))
                advance(agent.label)
        content, pages = [score.to_dict() for score in scores], [grids.scores_grid(scores)]
    keep_result(out, {"result": content})
    if json:
        print_json(content)
        return
    print_pages([*pages, f"[dim]{episodes} episodes {'a pair' if cross else 'each'}, seed {seed}[/dim]"])


def records_for(
    folders: Sequence[Path] | None,
    only: str | None = None,
    settings: Sequence[str] = (),
    switches: dict[str, Any] | None = None,
) -> list[Record]:
    """The trained runs that a command is about."""
    if only == "scripted":
        return []
    found = find_records(folders or default_folders())
    if (folders or only == "trained") and not found:
        where = ", ".join(map(str, folders or default_folders())) or "results/symmtom or runs/symmtom"
        raise UserError(f"there is no finished run in {where}; train one with 'otherminds train symmtom'")
    here = [record for record in found if not settings or record.setting in settings]
    if only == "trained" and not here:
        raise UserError(f"no trained run is of {', '.join(settings)}; there are some of {_settings_of(found)}")
    if switches:
        # Whether choices without effect are ruled out is part of how an agent learns, unless it is asked for.
        here = [record for record in here if record.params == _world(record.params, switches)]
    return here


def print_pages(pages: Sequence[Any]) -> None:
    """Print tables and notes; where no terminal sets the width, as wide as the widest table."""
    page = console()
    if not page.is_terminal:
        free = page.options.update(max_width=1000)
        tables = [part for part in pages if isinstance(part, Table)]
        page.width = max([page.width, *(page.measure(table, options=free).maximum for table in tables)])
    for part in pages:
        page.print(part)


def _settings_of(records: Sequence[Record]) -> str:
    return ", ".join(dict.fromkeys(record.setting for record in records))


def _world(trained: Params, switches: dict[str, Any]) -> Params:
    return Params.from_setting(trained.setting, **{"mask_actions": trained.mask_actions, **switches})


def _seats(text: str, params: Params) -> int:
    if text == "half":
        return max(1, params.num_agents // 2)
    if not text.isdecimal():
        raise UserError(f"--seats {text!r} is not known; expected a number of seats, or half")
    return int(text)
