"""Play household tasks on the command line: people, our players and language models, in any seats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.output import console, print_json, progress
from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in, unused_id
from otherminds.core.errors import UserError, nearest
from otherminds.minds.terminal import Quit, Terminal
from otherminds.players.enacttom.seating import who_plays
from otherminds.players.enacttom.seats import Seat

HUMAN, USUAL = "human", "oracle"


def play(
    task: Annotated[str, typer.Argument(help="A task's file, or the name of a shipped one, such as cup.")] = "cup",
    seats: Annotated[
        str,
        typer.Option(
            help="Who plays whom, as ann=human,ben=tracker:depth=1; a player alone fills the other seats. "
            "human, a player, or a language model such as local or openai/gpt-4o-mini."
        ),
    ] = USUAL,
    world: Annotated[
        str, typer.Option(help="What is hidden, as target=red_table, several by commas; the rest is drawn.")
    ] = "",
    runs: Annotated[int, typer.Option(help="How many, with one seed after the other.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="Of the first run: draws the world, and for players that draw.")] = 0,
    probes: Annotated[bool, typer.Option("--probes", help="Ask everybody in passing what they know.")] = False,
    record: Annotated[Path, typer.Option("--record", "--out", help="Where to record the runs.")] = Path(
        "episodes.jsonl"
    ),
    show: Annotated[bool, typer.Option("--show", help="Print what everybody does each turn.")] = False,
    timeout: Annotated[int, typer.Option(help="Seconds for each call of a language model.", min=1)] = 120,
    json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Play a household task and record every turn. The same command goes on where it was stopped."""
    from otherminds.players.enacttom.match import new_episode
    from otherminds.worlds.enacttom.world import EnactToM

    house = EnactToM(task)
    names = who_plays(seats, house.task.names, USUAL)
    has_person = HUMAN in names
    if has_person and json:
        raise UserError("a person needs the terminal that --json takes; leave out --json or the human seat")
    worlds = [_world(house, world, number) for number in range(seed, seed + runs)]
    terminal = Terminal(people=names.count(HUMAN), show=typer.echo)
    done: list[Episode] = []
    with (
        seated(names, terminal, timeout) as players,
        EpisodeWriter(record) as writer,
        progress("playing", runs, hidden=has_person or show) as advance,
    ):
        known = recorded_in(record, whole=False)
        for number, chosen in enumerate(worlds, seed):
            episode = new_episode(house.ground, chosen, players, number)
            episode.id = "-".join([house.task.id, *names, ".".join(map(str, chosen)), str(number)])
            if has_person and episode.id in known:
                episode.id = unused_id(episode.id, known)
            found = known.get(episode.id)
            if found and (found.start, found.config) != (episode.start, episode.config):
                raise UserError(f"{record} has another run called {episode.id!r}; choose another file with --record")
            if found and found.end is not None:
                done.append(found)
            else:
                watch = _watcher(house.task.names) if show else lambda _: None
                done.append(_recorded(house, chosen, players, episode, writer, watch, probes))
            advance()
    results = [summary(one) for one in done]
    if json:
        print_json(results)
        return
    out = console()
    for one in results:
        reached = "reached" if one["success"] else "not reached"
        out.print(f"{one['episode']}: the goal was {reached}; {one['turns']} turns, progress {one['progress']:.2f}")
        if has_person:
            out.print(f"It was the world with {one['world'] or 'nothing hidden'}.")
    out.print(f"recorded in {record}; look at it with: otherminds replay {record}", soft_wrap=True)


@contextmanager
def seated(names: Sequence[str], terminal: Terminal, timeout: int) -> Iterator[list[Seat]]:
    """A player for each person, with whatever must run beside a language model."""
    from otherminds.evals.inspect.enacttom_run import speaking
    from otherminds.evals.inspect.models import is_language_model
    from otherminds.players.enacttom.find import find_seat
    from otherminds.players.enacttom.person import Person

    models = {at: name for at, name in enumerate(names) if is_language_model(name)}
    found: dict[int, Seat] = {}
    for at, name in enumerate(names):
        if at not in models:
            found[at] = Person(terminal=terminal) if name == HUMAN else find_seat(name)
    with ExitStack() as stack:
        if models:
            found |= stack.enter_context(speaking(models, timeout))
        yield [found[at] for at in range(len(names))]


def summary(episode: Episode) -> dict[str, Any]:
    """What a run came to."""
    from otherminds.worlds.enacttom.record import task_of

    task, end = task_of(episode), episode.end or {}
    hidden = zip(task.secrets, episode.start["world"], strict=True)
    return {
        "episode": episode.id,
        "players": episode.players,
        "world": ", ".join(f"{secret.name} = {secret.values[at]}" for secret, at in hidden),
        "turns": len(episode.turns),
        "success": end["success"],
        "progress": end["progress"],
        **({"counts": end["counts"]} if "counts" in end else {}),
    }


def _world(house: Any, given: str, seed: int) -> tuple[int, ...]:
    """The world of a seed, among those in which the given secrets have the given values."""
    from otherminds.core.seeds import Draw

    task = house.task
    wanted = dict(part.strip().partition("=")[::2] for part in given.split(",") if part.strip())
    known = {secret.name: secret.values for secret in task.secrets}
    for name, value in wanted.items():
        if name not in known:
            raise UserError(f"--world: {name!r} is not hidden here{nearest(name, known)}")
        if value not in known[name]:
            raise UserError(f"--world: {name} cannot be {value!r}{nearest(value, known[name])}")
    if not wanted:
        drawn: tuple[int, ...] = house.draw_world(seed)
        return drawn
    fitting = [one for one in task.worlds if all(task.value(one, name) == value for name, value in wanted.items())]
    if not fitting:
        raise UserError(f"--world {given!r} is not possible in task {task.id!r}; leave out one of the secrets")
    return Draw(seed, "enacttom/world").pick(fitting)


def _recorded(
    house: Any,
    world: tuple[int, ...],
    players: Sequence[Seat],
    episode: Episode,
    writer: EpisodeWriter,
    watch: Callable[[dict[str, Any]], None],
    has_probes: bool,
) -> Episode:
    """A run that is on disk turn by turn, so that whoever leaves loses nothing."""
    from otherminds.players.enacttom.language import LanguagePlayer
    from otherminds.players.enacttom.match import play as play_run

    models = {name: one for name, one in zip(house.task.names, players, strict=True) if isinstance(one, LanguagePlayer)}
    told = dict.fromkeys(models, 0)

    def on_turn(turn: dict[str, Any]) -> None:
        exchanges = []
        for name, one in models.items():
            exchanges += one.notes()[told[name] :]
            told[name] = len(one.notes())
        writer.turn(episode, {**turn, **({"exchanges": exchanges} if exchanges else {})})
        watch(turn)

    writer.begin(episode)
    try:
        _, whole = play_run(house.ground, world, players, episode.seed, has_probes=has_probes, on_turn=on_turn)
    except KeyboardInterrupt as error:  # a person's Quit is one
        left = isinstance(error, Quit)
        typer.echo(f"\n{'You left the house' if left else 'Stopped'}. The turns so far are in {writer.path}.", err=True)
        raise typer.Exit(0 if left else 130) from None
    counts = {name: one.counts for name, one in models.items()}
    writer.finish(episode, {**(whole.end or {}), **({"counts": counts} if counts else {})})
    return episode


def _watcher(names: Sequence[str]) -> Callable[[dict[str, Any]], None]:
    def watch(turn: dict[str, Any]) -> None:
        typer.echo(f"turn {turn['turn']}")
        for name, act, refused in zip(names, turn["acts"], turn["refused"], strict=True):
            said = act
            if not isinstance(act, str):
                said = f"tell({', '.join([*(names[one] for one in act['tell']), *act['atoms']])})"
            typer.echo(f"  {name}: {said}{f' - {refused}' if refused else ''}")

    return watch
