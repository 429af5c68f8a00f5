"""``otherminds play WORLD``: episodes of any world, with any minds in its seats, recorded turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer

from otherminds.cli import options
from otherminds.cli.output import print_result, progress
from otherminds.core.episodes import Episode, EpisodeWriter, check_resumed, recorded_in, unused_id
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.match import Table
from otherminds.core.match import play as play_tables
from otherminds.core.world import Item, Session, World
from otherminds.evals.table import Table as ResultTable
from otherminds.minds.playing import situations
from otherminds.minds.terminal import Quit


@options.with_models
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
    *,
    models: dict[str, Any],
    budget: dict[str, Any],
) -> None:
    """Play episodes of a world and record every turn. Run the same command again to resume."""
    from otherminds.minds.find import is_spoken, seated

    table = options.open_world(world, set)
    named = [mind or "", *(pair.partition("=")[2] for pair in seat or ())]
    has_person = any(spec.partition(":")[0] == "human" for spec in named)
    if has_person and json:
        raise UserError("a person needs the terminal that --json uses; leave out --json or the human seat")
    items = list(chosen_items(table, suite, size, seed)) if suite else None
    specs = options.who_sits(table, mind, seat, items or ())
    if any(is_spoken(spec, table) for spec in specs.values()):
        from otherminds.cli.models import announce

        announce(table, [specs], items, episodes, seed, **budget, **models)
    done: list[Done] = []
    with seated(table, specs, **models) as minds, EpisodeWriter(out) as writer:
        known = recorded_in(out, whole=False)
        number = episodes if items is None else len(items)
        with progress("playing", number, hidden=has_person) as advance:
            for first, item in situations(table, minds.values(), items, episodes, seed):
                session, seats = table.open(first, item), table.seats_of(item)
                name = f"{session.episode.id}-{options.named_minds({seat: specs[seat] for seat in seats})}"
                session.episode.id = unused_id(name, known, first=1) if has_person else name
                here = {seat: minds[seat] for seat in seats}
                done.append(Done(_recorded(session, here, writer, known.get(session.episode.id), attempts), seats))
                advance()
    if page:
        write_whole(page, table.page(done[-1].episode))
    _report(done, out, page, json)


class Done(NamedTuple):
    """An episode that was played, and the seats that it had."""

    episode: Episode
    seats: tuple[str, ...]


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
    if known is not None:
        check_resumed(known, session.episode, writer.path)
        if known.end is not None:
            return known
    try:
        for episode in play_tables(
            [Table(session, minds)], attempts=attempts, watch=lambda one: writer.follow(one.episode)
        ):
            writer.whole(episode)
    except KeyboardInterrupt as stop:  # a person who leaves raises one
        session.leave()
        writer.follow(session.episode)
        left = isinstance(stop, Quit)
        typer.echo(f"\n{'You left' if left else 'Stopped'}. Everything up to here is in {writer.path}.", err=True)
        raise typer.Exit(0 if left else 130) from None
    return session.episode


def result_of(done: Done) -> dict[str, Any]:
    """What ``--json`` prints of an episode, the same in all worlds."""
    episode, end = done.episode, done.episode.end or {}
    outcome = end.get("outcome", {})
    return {
        "episode": episode.id,
        "world": episode.world,
        "minds": dict(zip(done.seats, episode.players, strict=True)),
        "seed": episode.seed,
        "turns": len(episode.turns),
        "success": outcome.get("success"),
        "score": outcome.get("score", {}),
        "end": {name: value for name, value in end.items() if name not in ("outcome", "probes")},
        "validity": episode.validity,
        "complaints": episode.complaints,
    }


def _report(done: list[Done], out: Path, page: Path | None, json: bool) -> None:
    results = [result_of(each) for each in done]
    rows = []
    for result in results[:20]:
        scores = ", ".join(f"{seat} {score:g}" for seat, score in result["score"].items()) or "-"
        success = {True: "yes", False: "no", None: "-"}[result["success"]]
        rows.append((result["episode"], result["turns"], success, scores))
    more = f"… and {len(results) - 20} more; 'otherminds score {out}' sums them up" if len(results) > 20 else ""
    notes = [more, *dict.fromkeys(_never_valid(result) for result in results), f"wrote {page}" if page else ""]
    notes.append(f"recorded in {out}; look at it with: otherminds replay {out}")
    shown = ResultTable("", ["episode", "turns", "success", "score"], rows, [*filter(None, notes)])
    print_result(json, results, shown)


def _never_valid(result: dict[str, Any]) -> str:
    """A note on seats of which no reply was taken, with the first reason."""
    mute = [seat for seat, counts in result["validity"].items() if counts["failures"] == counts["asks"]]
    reasons = [f"{seat} ({result['complaints'].get(seat, ['it cannot answer'])[0]})" for seat in mute]
    return f"note: no reply was taken from {', '.join(reasons)}" if reasons else ""
