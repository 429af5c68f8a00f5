"""``otherminds play WORLD``: episodes of any world, with any minds in its seats, recorded turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer
from rich.table import Table as Grid

from otherminds.cli import options
from otherminds.cli.output import console, print_json, progress
from otherminds.core.episodes import Episode, EpisodeWriter, recorded_in, unused_id
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.match import Table
from otherminds.core.match import play as play_tables
from otherminds.core.world import Item, Session, World
from otherminds.minds.recorded import RecordedMind
from otherminds.minds.terminal import Quit


def play(
    world: options.WorldName,
    mind: options.Mind = None,
    seat: options.Seats = None,
    set: options.Settings = None,
    episodes: options.Episodes = 1,
    seed: options.Seed = 0,
    suite: options.Suite = "",
    size: options.Size = None,
    attempts: options.Attempts = None,
    out: options.Out = Path("episodes.jsonl"),
    page: options.Page = None,
    json: options.Json = False,
    timeout: options.Timeout = 120,
    temperature: options.Temperature = None,
    probe_temperature: options.ProbeTemperature = None,
    max_tokens: options.MaxTokens = None,
    form: options.Form = "auto",
    phrasing: options.Phrasing = "",
    memory: options.Memory = None,
) -> None:
    """Play episodes of a world and record every turn. Run the same command again to resume."""
    from otherminds.minds.find import seated, seated_for

    table = options.open_world(world, set)
    specs = options.who_sits(table, mind, seat)
    has_person = any(spec.partition(":")[0] == "human" for spec in specs.values())
    if has_person and json:
        raise UserError("a person needs the terminal that --json uses; leave out --json or the human seat")
    models: dict[str, Any] = {
        "timeout": timeout,
        "temperature": temperature,
        "probe_temperature": probe_temperature,
        "max_tokens": max_tokens,
        "form": form,
        "phrasing": phrasing,
        "memory": memory,
    }
    done: list[Episode] = []
    items = list(chosen_items(table, suite, size, seed)) if suite else []
    everybody = {seat: spec for item in (None, *items) for seat, spec in seated_for(specs, table, item).items()}
    with seated(table, everybody, **models) as minds, EpisodeWriter(out) as writer:
        tasks = list(_tasks(table, minds, items, episodes, seed))
        known = recorded_in(out, whole=False)
        with progress("playing", len(tasks), hidden=has_person) as advance:
            for number, item, recorded in tasks:
                for one in minds.values():
                    if isinstance(one, RecordedMind):
                        one.turn_to(recorded)
                session = table.open(number, item)
                name = f"{session.episode.id}-{options.named_minds(specs)}"
                session.episode.id = unused_id(name, known, first=1) if has_person else name
                here = {seat: minds[seat] for seat in table.seats_of(item)}
                done.append(_recorded(session, here, writer, known.get(session.episode.id), attempts))
                advance()
    if page:
        write_whole(page, table.page(done[-1]))
    _report(table, done, out, page, json)


def _tasks(
    world: World, minds: Any, items: Sequence[Item], episodes: int, seed: int
) -> Iterator[tuple[int, Item | None, int]]:
    """The seed, the item and the number of the recorded episode of each table to play."""
    recorded = [mind for mind in minds.values() if isinstance(mind, RecordedMind)]
    if recorded:
        if items:
            raise UserError("--suite has no effect with recorded:FILE, whose episodes are played again; leave it out")
        for number, episode in enumerate(recorded[0].episodes):
            yield episode.seed, world.item_of(episode), number
    elif items:
        for item in items:
            yield seed, item, 0
    else:
        for number in range(seed, seed + episodes):
            yield number, None, 0


def chosen_items(world: World, suite: str, size: int | None, seed: int) -> Iterator[Item]:
    """The items of a suite: those of its first ``size`` groups, or all."""
    groups: set[str] = set()
    for item in world.suite(suite, seed):
        groups.add(item.group or item.id)
        if size is not None and len(groups) > size:
            return
        yield item


def _recorded(
    session: Session, minds: Any, writer: EpisodeWriter, known: Episode | None, attempts: int | None
) -> Episode:
    """An episode that is on disk turn by turn, so that whoever leaves loses nothing."""
    if known is not None and (known.start, known.config) != (session.episode.start, session.episode.config):
        raise UserError(f"{writer.path} has another episode called {known.id!r}; choose another file with --out")
    if known is not None and known.end is not None:
        return known
    try:
        for episode in play_tables(
            [Table(session, minds)], attempts=attempts, watch=lambda one: writer.follow(one.episode)
        ):
            writer.whole(episode)
    except KeyboardInterrupt as stop:  # a person who leaves raises one
        left = isinstance(stop, Quit)
        typer.echo(f"\n{'You left' if left else 'Stopped'}. The turns so far are in {writer.path}.", err=True)
        raise typer.Exit(0 if left else 130) from None
    return session.episode


def result_of(world: World, episode: Episode) -> dict[str, Any]:
    """What ``--json`` prints of an episode, the same in all worlds."""
    end = episode.end or {}
    outcome = end.get("outcome", {})
    return {
        "episode": episode.id,
        "world": episode.world,
        "minds": dict(zip(world.seats, episode.players, strict=False)),
        "seed": episode.seed,
        "turns": len(episode.turns),
        "success": outcome.get("success"),
        "score": outcome.get("score", {}),
        "end": {name: value for name, value in end.items() if name not in ("outcome", "probes")},
        "validity": episode.validity,
    }


def _report(world: World, done: list[Episode], out: Path, page: Path | None, json: bool) -> None:
    results = [result_of(world, episode) for episode in done]
    if json:
        print_json(results)
        return
    grid = Grid("episode", "turns", "success", *world.seats)
    for result in results[:20]:
        scores = [f"{result['score'][seat]:g}" if seat in result["score"] else "-" for seat in world.seats]
        success = {True: "yes", False: "no", None: "-"}[result["success"]]
        grid.add_row(result["episode"], str(result["turns"]), success, *scores)
    page_out = console()
    page_out.print(grid)
    if len(results) > 20:
        page_out.print(f"… and {len(results) - 20} more; 'otherminds score {out}' sums them up")
    if page:
        page_out.print(f"wrote {page}", soft_wrap=True)
    with suppress(ValueError):
        page_out.print(f"recorded in {out}; look at it with: otherminds replay {out}", soft_wrap=True)
