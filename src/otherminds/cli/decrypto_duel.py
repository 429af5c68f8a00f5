"""Two teams of Decrypto against each other on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table

from otherminds.cli.output import console, print_json, progress
from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in
from otherminds.core.errors import UserError
from otherminds.minds.terminal import Quit
from otherminds.players.decrypto.match import play_duel
from otherminds.worlds.decrypto.duel import Duel, deal_duel, points
from otherminds.worlds.decrypto.record import play_again
from otherminds.worlds.decrypto.rules import ending
from otherminds.worlds.decrypto.types import ROLES, Role

if TYPE_CHECKING:
    from otherminds.minds.terminal import Terminal
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

    if any(one.partition(":")[0] == "perfect" for team in teams for one in team.values()):
        raise UserError("player 'perfect' knows the codes of games, not of duels; take another")
    name = "-".join(["duel", *teams[0].values(), "against", *teams[1].values()])
    rows: list[dict[str, Any]] = []
    with ExitStack() as stack:
        first, second = (stack.enter_context(seated(names, terminal, timeout)) for names in teams)
        writer = stack.enter_context(EpisodeWriter(record))
        advance = stack.enter_context(progress("playing", games, hidden=json))
        known = recorded_in(record, whole=False)
        for number in range(seed, seed + games):
            ids = [f"{name}-{number}-{side}" for side in ("first", "second")]
            dealt = deal_duel(world.words, number, world.rules)
            episodes = [known[one] for one in ids if one in known]
            _check_same(episodes, dealt, record)
            if not episodes or episodes[0].end is None:
                try:
                    duel, played = play_duel(dealt, (first, second))
                except Quit:
                    typer.echo(f"\nYou left the table. The duels so far are in {record}; this one is not.", err=True)
                    raise typer.Exit(0) from None
                episodes = [replace(one, id=new) for one, new in zip(played, ids, strict=True)]
                for episode in episodes:
                    episode.notes["points"] = list(points(duel))
                _write(writer, episodes)
            elif episodes[1].end is None:
                _finish(writer, *episodes)
            rows.append(_row(number, episodes))
            advance()
    if json:
        print_json(rows)
        return
    _show(rows)
    typer.echo(f"recorded in {record}; look at a team's game with: otherminds replay {record} --episode NUMBER")


def _write(writer: EpisodeWriter, episodes: list[Episode]) -> None:
    """All turns of both games before either ends, so that a kill never leaves one game of a duel without the other."""
    ends = [episode.end or {} for episode in episodes]
    for episode in episodes:
        shell = replace(episode, turns=[], end=None)
        writer.begin(shell)
        for turn in episode.turns:
            writer.turn(shell, turn)
    for episode, end in zip(episodes, ends, strict=True):
        writer.finish(episode, end)


def _finish(writer: EpisodeWriter, first: Episode, second: Episode) -> None:
    """Write the end of the second game, before which a kill came."""
    game = play_again(second).states[-1]
    writer.finish(second, {**(first.end or {}), "ending": ending(game), "turns": len(game.turns)})


def _check_same(episodes: list[Episode], dealt: Duel, record: Path) -> None:
    """Refuse to take games of another bank or other rules for these."""
    keywords = [list(game.keywords) for game in dealt.games]
    for episode in episodes:
        if episode.start["keywords"] not in keywords or episode.config != asdict(dealt.games[0].rules):
            raise UserError(f"{record} has another game called {episode.id!r}; choose another file with --record")


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
