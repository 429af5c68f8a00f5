"""Play Decrypto on the command line: people, our players and language models, in any roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otherminds.cli.decrypto_duel import play_teams, team
from otherminds.cli.output import console, print_json, progress
from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in, unused_id
from otherminds.core.errors import UserError
from otherminds.minds.terminal import Quit, Terminal
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.human import Human
from otherminds.players.decrypto.match import new_episode
from otherminds.players.decrypto.match import play as play_game
from otherminds.players.decrypto.seats import Seat
from otherminds.players.decrypto.telling import turn_fields
from otherminds.worlds.decrypto.rules import ending
from otherminds.worlds.decrypto.types import ROLES, Game, Role, Turn
from otherminds.worlds.decrypto.world import Decrypto

HUMAN = "human"
_WHO = "human, a player (see 'otherminds list players'), or a language model such as local or openai/gpt-4o-mini."
_SUMMARY = (
    "Turn {last_turn}: the code was {last_code} ({last_hints}). Bob guessed {last_bob}, Eve {last_eve}. "
    "This brought {last_tokens}."
)


def play(
    alice: Annotated[str, typer.Option(help=f"Who gives hints: {_WHO}")] = "glove",
    bob: Annotated[str, typer.Option(help="Who guesses, knowing the keywords.")] = "glove",
    eve: Annotated[str, typer.Option(help="Who guesses, having only listened.")] = "glove",
    against: Annotated[
        str | None,
        typer.Option(help="A second team, as Alice/Bob/Eve or one for all: both hint, and each hears the other."),
    ] = None,
    games: Annotated[int, typer.Option(help="How many.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="Of the first game: decides keywords and codes.")] = 0,
    kind: Annotated[str, typer.Option(help="Of keywords: all, concrete or abstract.")] = "all",
    bank: Annotated[Path | None, typer.Option(help="A file of keywords instead of ours.")] = None,
    hints: Annotated[str, typer.Option(help="Against the rules: off, report or strict.")] = "report",
    guesses: Annotated[str, typer.Option(help="With a digit twice: lenient or strict.")] = "strict",
    play_on: Annotated[
        bool, typer.Option("--play-on", help="Interceptions do not end the game, as when people's games are collected.")
    ] = False,
    record: Annotated[Path, typer.Option("--record", "--out", help="Where to record the games.")] = Path(
        "episodes.jsonl"
    ),
    show: Annotated[bool, typer.Option("--show", help="Print what every turn came to.")] = False,
    timeout: Annotated[int, typer.Option(help="Seconds for each call of a language model.", min=1)] = 120,
    json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Play Decrypto and record every turn. The same command goes on where it was stopped."""
    names: dict[Role, str] = {"alice": alice, "bob": bob, "eve": eve}
    has_person = HUMAN in names.values()
    if has_person and json:
        raise UserError("a person needs the terminal that --json takes; leave out --json or the human role")
    world = Decrypto(
        str(bank) if bank else None, kind, hints=hints, guesses=guesses, stops_at_interceptions=not play_on
    )
    others = team(against) if against else {}
    terminal = Terminal(people=[*names.values(), *others.values()].count(HUMAN), show=typer.echo)
    if others:
        if play_on:
            raise UserError("two teams play for interceptions; leave out --play-on or --against")
        play_teams(world, (names, others), terminal, games=games, seed=seed, timeout=timeout, record=record, json=json)
        return
    done: list[Episode] = []
    with (
        seated(names, terminal, timeout) as seats,
        EpisodeWriter(record) as writer,
        progress("playing", games, hidden=has_person or show) as advance,
    ):
        known = recorded_in(record, whole=False)
        for number in range(seed, seed + games):
            game = world.deal(number)
            episode = new_episode(game, seats)
            episode.id = _name(names, number, kind)
            recorded = known.get(episode.id)
            if has_person and recorded:
                episode.id = unused_id(episode.id, known)
            elif recorded and (recorded.start, recorded.config) != (episode.start, episode.config):
                raise UserError(f"{record} has another game called {episode.id!r}; choose another file with --record")
            if recorded and recorded.end is not None and not has_person:
                done.append(recorded)
            else:
                watch = _watcher(terminal, has_person, show)
                done.append(_recorded(game, seats, episode, writer, watch, record, done))
            advance()
    results = [summary(episode) for episode in done]
    if json:
        print_json(results)
        return
    print_games(results)
    typer.echo(f"recorded in {record}; look at it with: otherminds replay {record}")


@contextmanager
def seated(names: Mapping[Role, str], terminal: Terminal, timeout: int) -> Iterator[dict[Role, Seat]]:
    """A player for each role, with whatever must run beside a language model."""
    from otherminds.evals.inspect.decrypto_run import speaking
    from otherminds.evals.inspect.models import is_language_model

    models = {role: name for role, name in names.items() if is_language_model(name)}
    with ExitStack() as stack:
        seats = stack.enter_context(speaking(models, timeout)) if models else {}
        for role, name in names.items():
            if role not in models:
                seats[role] = Human(terminal=terminal) if name == HUMAN else find_seat(name, role)
        yield seats


def _recorded(
    game: Game,
    seats: Mapping[Role, Seat],
    episode: Episode,
    writer: EpisodeWriter,
    watch: Callable[[dict[str, Any]], None],
    record: Path,
    done: list[Episode],
) -> Episode:
    """A game that is on disk turn by turn, so that whoever leaves loses nothing."""

    def on_turn(turn: dict[str, Any]) -> None:
        writer.turn(episode, turn)
        watch(turn)

    writer.begin(episode)
    try:
        played, whole = play_game(game, seats, on_turn=on_turn)
    except KeyboardInterrupt as error:  # a person's Quit is one
        if done:
            print_games([summary(one) for one in done])
        left = isinstance(error, Quit)
        typer.echo(f"\n{'You left the table' if left else 'Stopped'}. The turns so far are in {record}.", err=True)
        raise typer.Exit(0 if left else 130) from None
    official = {} if game.rules.stops_at_interceptions else {"official": official_end(played)}
    writer.finish(episode, {**(whole.end or {}), **official})
    return episode


def official_end(game: Game) -> dict[str, Any]:
    """How and when the game would have ended, had interceptions counted."""
    strict = replace(game, rules=replace(game.rules, stops_at_interceptions=True))
    for number in range(1, len(game.turns) + 1):
        found = ending(replace(strict, turns=game.turns[:number]))
        if found is not None:
            return {"ending": found, "turns": number}
    return {"ending": None, "turns": len(game.turns)}


def _watcher(terminal: Terminal, has_person: bool, show: bool) -> Callable[[dict[str, Any]], None]:
    def watch(turn: dict[str, Any]) -> None:
        if not has_person and not show:
            return
        played = Turn(*(tuple(turn[name]) for name in ("code", "hints", "bob", "eve")))
        terminal.say(_SUMMARY.format(**turn_fields(played, turn["turn"])))
        if has_person:
            terminal.line("Enter goes on> ")

    return watch


def summary(episode: Episode) -> dict[str, Any]:
    """What a game came to."""
    turns = episode.turns
    return {
        "episode": episode.id,
        "players": episode.players,
        "keywords": episode.start["keywords"],
        **(episode.end or {}),
        "miscommunications": sum(turn["bob"] != turn["code"] for turn in turns),
        "interceptions": sum(turn["eve"] == turn["code"] for turn in turns),
        "failures": {role: sum(role in turn["failures"] for turn in turns) for role in ROLES},
    }


def print_games(results: list[dict[str, Any]]) -> None:
    """One line a game."""
    grid = Table("game", "ended", "turns", "miscommunications", "interceptions")
    for one in results[:20]:
        cells = (one["turns"], one["miscommunications"], one["interceptions"])
        grid.add_row(one["episode"], str(one["ending"]), *map(str, cells))
    out = console()
    out.print(grid)
    if len(results) > 1:
        turns = sum(one["turns"] for one in results) / len(results)
        won = sum(one["ending"] == "survived" for one in results)
        out.print(f"{len(results)} games: {turns:.2f} turns on average, {won} survived")


def _name(names: Mapping[Role, str], seed: int, kind: str) -> str:
    return "-".join(["decrypto", *names.values(), *([] if kind == "all" else [kind]), str(seed)])
