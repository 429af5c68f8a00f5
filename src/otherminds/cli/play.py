"""``otherminds play WORLD``: episodes of any world, with any minds in its seats, recorded turn by turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from otherminds.cli import options
from otherminds.cli.output import print_result, progress, warn_of
from otherminds.core.episodes import Episode, unused_id
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.world import first_groups
from otherminds.minds.human import Quit
from otherminds.minds.play_all import play_all, situations
from otherminds.results.table import Table
from otherminds.view.default_page import page_of


@options.with_models
def play(
    world: options.WorldName,
    mind: options.Mind = None,
    seat: options.Seats = None,
    set: options.Settings = None,
    episodes: options.Episodes = 1,
    seed: options.FirstSeed = 0,
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
    options.check_models(table, models)
    items = list(first_groups(table.suite(suite, seed), size)) if suite else None
    specs = options.who_sits(table, mind, seat, items or ())
    warnings = warn_of(table.doubts(items))
    has_person = any(spec.partition(":")[0] == "human" for spec in specs.values())
    if has_person and json:
        raise UserError("a human seat needs the terminal that --json writes to; leave out --json or the human seat")
    if any(is_spoken(spec, table) for spec in specs.values()):
        from otherminds.cli.cost import announce_tables

        announce_tables(table, [specs], items, episodes, seed, budget, models)

    def named(name: str, seats: Mapping[str, str], recorded: Mapping[str, Episode]) -> str:
        name = f"{name}-{options.named_minds(seats)}"
        return unused_id(name, recorded, first=1) if has_person else name

    def number(minds: Mapping[str, Any]) -> int:
        return len(list(situations(table, minds.values(), items, episodes, seed)))

    with seated(table, specs, **models) as minds, progress("playing", number(minds), hidden=has_person) as advance:
        try:
            done = play_all(
                table, specs, items, episodes, seed, attempts, out, named=named, on_episode=lambda _: advance(),
                seating=lambda _, seats: {seat: minds[seat] for seat in seats},
            )  # fmt: skip
        except KeyboardInterrupt as stop:
            left = isinstance(stop, Quit)
            typer.echo(f"\n{'You left' if left else 'Stopped'}. Every finished turn is in {out}.", err=True)
            raise typer.Exit(0 if left else 130) from None
    if page:
        write_whole(page, page_of(table, done[-1]))
    _report(done, out, page, json, warnings)


def result_of(episode: Episode) -> dict[str, Any]:
    """The result of an episode as ``--json`` prints it, the same in all worlds."""
    end = episode.end or {}
    outcome = end.get("outcome", {})
    return {
        "episode": episode.id,
        "world": episode.world,
        "minds": episode.minds,
        "seed": episode.seed,
        "turns": len(episode.turns),
        "success": outcome.get("success"),
        "score": outcome.get("score", {}),
        "end": {name: value for name, value in end.items() if name not in ("outcome", "probes")},
        "validity": episode.validity,
        "complaints": episode.complaints,
        "doubt": episode.notes.get("doubt", ""),
    }


def _report(done: list[Episode], out: Path, page: Path | None, json: bool, warnings: Sequence[str]) -> None:
    results = [result_of(episode) for episode in done]
    rows = []
    for result in results[:20]:
        scores = ", ".join(f"{seat} {score:g}" for seat, score in result["score"].items()) or "-"
        success = {True: "yes", False: "no", None: "-"}[result["success"]]
        rows.append((result["episode"], result["turns"], success, scores))
    more = f"… and {len(results) - 20} more; for a summary, run 'otherminds score {out}'" if len(results) > 20 else ""
    notes = [
        *warnings,
        more,
        *dict.fromkeys(_never_valid(result) for result in results),
        f"wrote {page}" if page else "",
    ]
    notes.append(f"recorded in {out}; view it with: otherminds replay {out}")
    shown = Table("", ["episode", "turns", "success", "score"], rows, [*filter(None, notes)])
    print_result(json, results, shown)


def _never_valid(result: dict[str, Any]) -> str:
    """A note on seats whose replies were all refused, with the first reason."""
    mute = [seat for seat, counts in result["validity"].items() if counts["failures"] == counts["asks"]]
    reasons = [f"{seat} ({result['complaints'].get(seat, ['the mind cannot answer'])[0]})" for seat in mute]
    return f"note: no reply was accepted from {', '.join(reasons)}" if reasons else ""
