"""SymmToM on the command line: play and table."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otherminds import __version__
from otherminds.cli.output import console, print_json, progress
from otherminds.core.episodes import EpisodeWriter, read_episodes
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.players import Player, Policy
from otherminds.core.registry import find
from otherminds.evals.symmtom_tables import TITLES, Row, paper_tables, table_rows
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params

Setting = Annotated[str, typer.Option(help="Agents, width and pieces.")]
Switches = Annotated[
    list[str] | None,
    typer.Option("--set", help="A parameter of the world, such as vision=2 or competitive=3; may be repeated."),
]
Seed = Annotated[int, typer.Option(help="Decides everything that is left to chance.")]
Json = Annotated[bool, typer.Option("--json", help="Print for programs.")]


def play(
    setting: Setting = "n3_w6_c3",
    players: Annotated[str, typer.Option(help="One player for all seats, or one for each, by commas.")] = "belief",
    seat: Annotated[
        list[str] | None, typer.Option(help="A player for one seat, such as 0=human; may be repeated.")
    ] = None,
    episodes: Annotated[int, typer.Option(help="How many.", min=1)] = 1,
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="Where to record the episodes.")] = Path("episodes.jsonl"),
    set: Switches = None,
    notes: Annotated[bool, typer.Option("--notes", help="A person may keep notes, shown every turn.")] = False,
    rewatch: Annotated[bool, typer.Option("--rewatch", help="A person may page back through its own turns.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Print the board after every turn.")] = False,
    json: Json = False,
) -> None:
    """Play SymmToM and record every turn. The same command continues where it was stopped."""
    from otherminds.players.symmtom.human import Quit
    from otherminds.players.symmtom.match import episode_id, play_episode

    params = Params.from_setting(setting, **parse_switches(set or []))
    seats = _seats(params, players, seat or [], notes, rewatch)
    names = [s.name for s in seats]
    has_person = "human" in names
    conditions = {"notes": notes, "rewatch": rewatch} if has_person else {}
    if has_person and json:
        raise UserError("a person needs the terminal that --json takes; leave out --json or the human seat")
    done = []
    with EpisodeWriter(out) as writer, progress("playing", episodes, hidden=has_person or show) as advance:
        recorded = {e.id: e for e in read_episodes(out)} if out.stat().st_size else {}
        for number in range(seed, seed + episodes):
            name = episode_id(params, names, number)
            if has_person:
                name = _unused(name, recorded)
            if name in recorded and recorded[name].end is not None:
                done.append(recorded[name])
            else:
                try:
                    watch = _shower(params) if show else None
                    done.append(play_episode(params, seats, number, writer, id=name, notes=conditions, on_turn=watch))
                except Quit:
                    typer.echo(f"You left the table. The turns so far are in {out}.", err=True)
                    raise typer.Exit(0) from None
            advance()
    results = [{"episode": e.id, "players": e.players, "scores": (e.end or {})["scores"]} for e in done]
    if json:
        print_json(results)
        return
    _print_scores(results)
    typer.echo(f"recorded in {out}; look at it with: otherminds replay {out}")


def table(
    number: Annotated[int, typer.Argument(help="The paper's table: 1, 4, 5, 6 or 7.")],
    players: Annotated[str, typer.Option(help="Players, by commas.")] = "heuristic,belief,oracle",
    settings: Annotated[str, typer.Option(help="Settings by commas; all twelve by default.")] = "",
    episodes: Annotated[int, typer.Option(help="How many for each row.")] = 20_000,
    seed: Seed = 0,
    engine: Annotated[str | None, typer.Option(help="jax or numpy; JAX where it is installed.")] = None,
    set: Switches = None,
    out: Annotated[Path | None, typer.Option(help="Also keep the rows here, with the command that made them.")] = None,
    json: Json = False,
) -> None:
    """Reproduce a table of the SymmToM paper with players of ours beside the published figures."""
    chosen = _names(settings) or list(PAPER_SETTINGS)
    who = _names(players)
    with progress("playing", len(chosen) * len(who)) as advance:
        rows = table_rows(
            number, who, chosen, episodes, seed, engine, parse_switches(set or []),
            on_row=lambda row: advance(f"{row.player} in {row.setting}"),
        )  # fmt: skip
    if out:
        made = {"command": f"otherminds {' '.join(sys.argv[1:])}", "version": __version__}
        kept = {**made, "table": number, "rows": [row.to_dict() for row in rows]}
        write_whole(out, json_module.dumps(kept, indent=1) + "\n")
    if json:
        print_json([row.to_dict() for row in rows])
        return
    page = console()
    page.print(_players_grid(number, rows))
    page.print(f"[dim]{episodes} episodes each, seed {seed}; ± sd over episodes[/dim]")
    if not set and any(setting in PAPER_SETTINGS for setting in chosen):
        page.print(_published_grid(paper_tables()[f"table{number}"]["models"], chosen))


def _players_grid(number: int, rows: Sequence[Row]) -> Table:
    digits = 1 if number == 1 else 2
    players = list(dict.fromkeys(row.player for row in rows))
    cells = {(row.player, row.setting): row for row in rows}
    published = {row.player for row in rows if row.paper is not None}
    grid = Table(title=f"SymmToM, table {number}: {TITLES[number]}", title_justify="left")
    grid.add_column("setting", no_wrap=True)
    for player in players:
        grid.add_column(player, justify="right", no_wrap=True)
        if player in published:
            grid.add_column("[cyan]published[/cyan]", justify="right", no_wrap=True)
    for setting in dict.fromkeys(row.setting for row in rows):
        line = [setting]
        for player in players:
            row = cells[player, setting]
            line.append(f"{row.mean:.{digits}f} [dim]±{row.sd:.{digits}f}[/dim]")
            if player in published:
                line.append("" if row.paper is None else f"[cyan]{row.paper:g} ±{row.paper_sd:g}[/cyan]")
        grid.add_row(*line)
    return grid


def _published_grid(models: dict[str, Any], settings: Sequence[str]) -> Table:
    learned = [model for model in models if model != "Heuristic"]
    grid = Table("setting", title="published, learned agents", title_justify="left")
    for model in learned:
        grid.add_column(model.replace("MADDPG-", "MADDPG\n"), justify="right")
    for setting in settings:
        values = [models[model].get(setting) for model in learned]
        grid.add_row(setting, *("" if value is None else f"{value['value']:g}" for value in values), style="cyan")
    return grid


def parse_switches(pairs: Sequence[str]) -> dict[str, Any]:
    """``name=value`` words as parameters; a value is JSON where it can be, else text."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UserError(f"--set {pair!r} is not of the form name=value")
        lowered = {"True": "true", "False": "false", "None": "null"}.get(value, value)
        try:
            found[name.replace("-", "_")] = json_module.loads(lowered)
        except ValueError:
            found[name.replace("-", "_")] = value
    return found


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _seats(params: Params, players: str, seats: Sequence[str], notes: bool, rewatch: bool) -> list[Player | Policy]:
    names = _names(players)
    if len(names) == 1:
        names = names * params.num_agents
    if len(names) != params.num_agents:
        raise UserError(
            f"{len(names)} players for {params.num_agents} seats; name one for all or one for each (--players a,b,…)"
        )
    for pair in seats:
        number, equals, name = pair.partition("=")
        if not equals or not number.isdecimal() or int(number) >= params.num_agents:
            raise UserError(f"--seat {pair!r} is not of the form seat=player with seat 0 to {params.num_agents - 1}")
        names[int(number)] = name
    return [_seated(name, notes, rewatch) for name in names]


def _seated(name: str, notes: bool, rewatch: bool) -> Player | Policy:
    found = find("player", name, "symmtom").load()
    if name == "human":
        person: Player = found(notes=notes, rewatch=rewatch)
        return person
    policy: Policy = found
    return policy


def _unused(name: str, recorded: dict[str, Any]) -> str:
    """People never play the same episode twice, so each sitting has a name of its own."""
    number = 1
    while f"{name}-{number}" in recorded:
        number += 1
    return f"{name}-{number}"


def _shower(params: Params) -> Any:
    from otherminds.worlds.symmtom.draw import terminal

    return lambda state: typer.echo(terminal(state, params) + "\n")


def _print_scores(results: Sequence[dict[str, Any]]) -> None:
    grid = Table("episode", "player", "seat", "reward")
    for result in results[:20]:
        for i, (player, score) in enumerate(zip(result["players"], result["scores"], strict=True)):
            grid.add_row(result["episode"] if i == 0 else "", player, str(i), f"{score:g}")
    out = console()
    out.print(grid)
    if len(results) > 20:
        out.print(f"… and {len(results) - 20} more; 'otherminds score FILE' sums them up")
