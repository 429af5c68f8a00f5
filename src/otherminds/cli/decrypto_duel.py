"""Two teams of Decrypto against each other on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table

from otherminds.cli.output import console, print_json, progress
from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in
from otherminds.core.errors import UserError
from otherminds.players.decrypto.match import play_duel
from otherminds.worlds.decrypto.duel import deal_duel, points
from otherminds.worlds.decrypto.types import ROLES, Role

if TYPE_CHECKING:
    from otherminds.players.decrypto.human import Terminal
    from otherminds.worlds.decrypto.world import Decrypto


def team(text: str) -> dict[Role, str]:
    """Alice, Bob and Eve of a team, by slashes; one name stands for all three.

    Raises:
        UserError: if there are two, or more than three.
    """
    names = [name.strip() for name in text.split("/")]
    if len(names) == 1:
        names *= 3
    if len(names) != len(ROLES) or not all(names):
        raise UserError(f"--against {text!r} has {len(names)} players; expected Alice/Bob/Eve, or one for all three")
    return dict(zip(ROLES, names, strict=True))


def play_teams(
    world: Decrypto,
    teams: tuple[Mapping[Role, str], Mapping[Role, str]],
    terminal: Terminal,
    *,
    games: int,
    seed: int,
    timeout: int,
    record: Path,
    json: bool,
) -> None:
    """Play duels and record both games of each; those that are recorded are not played again."""
    from otherminds.cli.decrypto_play import seated

    name = "-".join(["duel", *teams[0].values(), "against", *teams[1].values()])
    rows: list[dict[str, Any]] = []
    with ExitStack() as stack:
        first, second = (stack.enter_context(seated(names, terminal, timeout)) for names in teams)
        writer = stack.enter_context(EpisodeWriter(record))
        advance = stack.enter_context(progress("playing", games, hidden=json))
        known = recorded_in(record)
        for number in range(seed, seed + games):
            ids = [f"{name}-{number}-{side}" for side in ("first", "second")]
            episodes = [known[one] for one in ids if one in known]
            if len(episodes) < len(ids):
                duel, played = play_duel(deal_duel(world.words, number, world.rules), (first, second))
                episodes = list(played)
                for episode, one in zip(episodes, ids, strict=True):
                    episode.id = one
                    episode.notes["points"] = list(points(duel))
                    if one not in known:
                        _write(writer, episode)
            rows.append(_row(number, episodes))
            advance()
    if json:
        print_json(rows)
        return
    _show(rows)
    typer.echo(f"recorded in {record}; look at a team's game with: otherminds replay {record} --episode NUMBER")


def _write(writer: EpisodeWriter, episode: Episode) -> None:
    turns, end = list(episode.turns), dict(episode.end or {})
    episode.turns.clear()
    writer.begin(episode)
    for turn in turns:
        writer.turn(episode, turn)
    writer.finish(episode, end)


def _row(seed: int, episodes: list[Episode]) -> dict[str, Any]:
    end = episodes[0].end or {}
    return {"seed": seed, "winner": end["winner"], "turns": end["turns"], "points": episodes[0].notes["points"]}


def _show(rows: list[dict[str, Any]]) -> None:
    grid = Table("seed", "winner", "turns", "points")
    for row in rows[:20]:
        grid.add_row(str(row["seed"]), row["winner"], str(row["turns"]), " : ".join(map(str, row["points"])))
    out = console()
    out.print(grid)
    won = Counter(row["winner"] for row in rows)
    if len(rows) > 1:
        out.print(
            f"{len(rows)} duels: the first team won {won['first']}, the second {won['second']}, {won['draw']} drawn"
        )
