"""SymmToM on the command line: play, and what all its commands share."""

from __future__ import annotations

import json as json_module
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otherminds import load_agent
from otherminds.cli.output import console, print_json, progress
from otherminds.core.episodes import EpisodeWriter, recorded_in, unused_id
from otherminds.core.errors import UserError
from otherminds.core.players import Player, Policy
from otherminds.core.registry import find
from otherminds.worlds.symmtom.types import Params

DEFAULT_SETTING = "n3_w6_c3"
Setting = Annotated[str, typer.Option(help="Agents, width and pieces.")]
Switches = Annotated[
    list[str] | None,
    typer.Option("--set", help="A parameter of the world, such as vision=2 or competitive=3; may be repeated."),
]
Seed = Annotated[int, typer.Option(help="Decides everything that is left to chance.", min=0)]
Json = Annotated[bool, typer.Option("--json", help="Print for programs.")]


def play(
    setting: Annotated[
        str | None, typer.Option(help=f"Agents, width and pieces; {DEFAULT_SETTING} by default.")
    ] = None,
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
    scenario: Annotated[
        str, typer.Option(help="A theory-of-mind test instead, such as contact_w6 or contact_w6:apart.")
    ] = "",
    html: Annotated[Path | None, typer.Option(help="With --scenario: where to write the page.")] = None,
    json: Json = False,
) -> None:
    """Play SymmToM and record every turn. The same command continues where it was stopped."""
    from otherminds.players.symmtom.human import Quit
    from otherminds.players.symmtom.match import episode_id, play_episode

    if scenario:
        from otherminds.cli.symmtom_scenarios import play_scenario

        given = {
            "--setting": setting,
            "--seat": seat,
            "--set": set,
            "--show": show,
            "--notes": notes,
            "--rewatch": rewatch,
            "--episodes": episodes != 1,
        }
        ignored = [name for name, value in given.items() if value]
        if ignored or len(parse_names(players)) != 1:
            raise UserError(
                "a scenario has one free seat, one trial, its own world and a page to look at; name one player"
                f"{', and leave out ' if ignored else ''}{', '.join(ignored)}"
            )
        play_scenario(scenario, _seated(players, notes, rewatch), seed, out, html, json)
        return
    if html:
        raise UserError("--html goes with --scenario; the page of an episode is made by 'otherminds replay'")
    params = Params.from_setting(setting, **parse_switches(set or []))
    seats = _seats(params, players, seat or [], notes, rewatch)
    names = [s.name for s in seats]
    has_person = "human" in names
    conditions = {"notes": notes, "rewatch": rewatch} if has_person else {}
    if has_person and json:
        raise UserError("a person needs the terminal that --json takes; leave out --json or the human seat")
    done = []
    with EpisodeWriter(out) as writer, progress("playing", episodes, hidden=has_person or show) as advance:
        recorded = recorded_in(out, whole=False)
        for number in range(seed, seed + episodes):
            name = episode_id(params, names, number)
            if has_person:
                name = unused_id(name, recorded, first=1)
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


def parse_names(text: str) -> list[str]:
    """Names that were given by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _seats(params: Params, players: str, seats: Sequence[str], notes: bool, rewatch: bool) -> list[Player | Policy]:
    names = parse_names(players)
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
    if Path(name).exists():  # a run directory or an actor file
        trained: Policy = load_agent(name)
        return trained
    found = find("mind", name, "symmtom").load()
    if name == "human":
        person: Player = found(notes=notes, rewatch=rewatch)
        return person
    policy: Policy = found
    return policy


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
