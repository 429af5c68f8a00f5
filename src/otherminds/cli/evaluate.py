"""``otherminds evaluate WORLD MIND…``: score minds of any kind, alone or in every pair."""

from __future__ import annotations

import json as json_text
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from otherminds.cli import options
from otherminds.cli.output import counted, print_result, progress, warn_of
from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.world import Item, World, first_groups
from otherminds.minds.find import check_minds, is_spoken, seated_for, sees_truth
from otherminds.minds.play_all import play_all
from otherminds.results.table import Table


@options.with_models
def evaluate(
    world: options.WorldName,
    minds: options.Minds,
    seat: options.Seats = None,
    set: options.Settings = None,
    episodes: options.Episodes = 100,
    seed: options.FirstSeed = 0,
    suite: options.Suite = "",
    size: options.Size = None,
    cross: options.Cross = False,
    attempts: options.Attempts = None,
    out: options.OutFolder = None,
    json: options.Json = False,
    connections: options.Connections = None,
    *,
    models: dict[str, Any],
    budget: dict[str, Any],
) -> None:
    """Score each mind on seeded episodes or on a suite, or every pair of minds with --cross.

    Without --out, a world's batch engine, if it has one, scores policies on episodes that it generates itself. Its
    scores agree with those of recorded episodes within sampling error.
    """
    table = options.open_world(world, set)
    options.check_models(table, models)
    report: dict[str, Any] = {"world": table.id, "settings": options.parse_settings(set), "suite": suite, "items": None}
    matrix = table.cross(minds, episodes, seed) if cross and not (seat or suite or out) else None
    if matrix is not None:
        report |= {"episodes": episodes, "seed": seed, "doubts": {}}
        report |= {"rows": _cells(table, matrix, episodes), "matrix": matrix}
        print_result(json, report, _matrix_table(table, matrix))
        return
    items = list(first_groups(table.suite(suite, seed), size)) if suite else None
    teams = _teams(table, minds, seat, cross, items or ())
    for specs in teams:
        check_minds(table, specs)
    if items is None:
        teams = [seated_for(specs, table.suited([*specs.values()]), None) for specs in teams]
    doubts = table.doubts(items)
    warnings = warn_of(doubts)
    spoken = [specs for specs in teams if any(is_spoken(spec, table) for spec in specs.values())]
    rows: list[dict[str, Any]] = []
    if spoken:
        from otherminds.cli.cost import announce_tables

        announce_tables(table, spoken, items, episodes, seed, budget, models)
    with progress("evaluating", len(teams), hidden=json) as advance:
        for specs in teams:
            record = out / _file_name(specs, attempts) if out else None
            if specs in spoken:
                from otherminds.llm.run import evaluate as evaluate_spoken

                done = evaluate_spoken(
                    table.id, options.parse_settings(set), specs, items=items, suite=suite, episodes=episodes,
                    seed=seed, attempts=attempts, log_dir=out / "logs" if out else Path("logs"), record=record,
                    connections=connections, **models,
                )  # fmt: skip
                summary, played, extra = done.summary, done.episodes, done.extra()
            else:
                summary, played = _played(table, specs, items, episodes, seed, attempts, record)
                extra = {}
            if json or out:
                extra |= {"per_task": per_task} if (per_task := table.per_item(played)) else {}
            rows.append(_row(table, specs, summary, extra))
            advance(options.named_minds(specs))
    count = max(int(row["summary"].get("episodes") or episodes) for row in rows)
    report |= {"items": len(items) if items is not None else None, "episodes": count, "seed": seed}
    report |= {"doubts": doubts, "rows": rows}
    shown = []
    if cross:
        report["matrix"] = _matrix(minds, rows)
        shown.append(_matrix_table(table, report["matrix"], teams[0]))
    shown.append(_rows_table(rows, f"{table.id}, {counted(count, 'episode')} each, seed {seed}", warnings))
    print_result(json, report, *shown, out=out / "summary.json" if out else None)


def _teams(
    world: World, minds: Sequence[str], seats: Sequence[str] | None, cross: bool, items: Sequence[Item] = ()
) -> list[dict[str, str]]:
    """The mind in each seat for each row: each mind alone, or each pair with the row's mind on the first side."""
    fixed = {pair.partition("=")[0] for pair in seats or ()}
    if not cross:
        return [options.who_sits(world, mind, seats, items) for mind in dict.fromkeys(minds)]
    first, second = world.sides
    if fixed & {*first, *second}:
        raise UserError(f"--cross sets seats {', '.join((*first, *second))}; leave out --seat for them")
    teams = []
    for row in minds:
        for column in minds:
            specs = options.who_sits(world, None, seats, items)
            specs |= dict.fromkeys(first, row) | dict.fromkeys(second, column)
            teams.append(specs)
    return teams


def _played(
    world: World,
    specs: Mapping[str, str],
    items: Sequence[Item] | None,
    episodes: int,
    seed: int,
    attempts: int | None,
    record: Path | None,
) -> tuple[dict[str, float | None], list[Episode]]:
    """Summary and episodes of one table's minds; from a batch engine, which has no episodes, if none are to be kept.

    Trained minds play where they were trained if no option of the world is set.
    """
    if items is None:
        world = world.suited([*specs.values()])
    if record is None and items is None and not any(spec.startswith("recorded:") for spec in specs.values()):
        batch = world.batch(specs, episodes, seed)
        if batch is not None:
            return batch, []
    done = play_all(world, specs, items, episodes, seed, attempts, record)
    return world.summary(done), done


def _row(
    world: World, specs: Mapping[str, str], summary: Mapping[str, float | None], extra: Mapping[str, Any]
) -> dict[str, Any]:
    seeing = list(dict.fromkeys(spec for seat, spec in specs.items() if sees_truth(spec, world, seat)))
    return {"minds": dict(specs), "summary": dict(summary), "sees_truth": seeing, **extra}


def summary_table(columns: Mapping[str, Mapping[str, float | None]], title: str, notes: Sequence[str] = ()) -> Table:
    """The measures of summaries, one summary a column."""
    names = dict.fromkeys(name for column in columns.values() for name, value in column.items() if value is not None)
    rows = [(name.replace("_", " "), *(column.get(name) for column in columns.values())) for name in names]
    return Table(title, ["", *columns], rows, notes)


def _rows_table(rows: Sequence[Mapping[str, Any]], title: str, warnings: Sequence[str]) -> Table:
    columns = {options.named_minds(row["minds"]) + (" *" if row["sees_truth"] else ""): row["summary"] for row in rows}
    has_reference = any(row["sees_truth"] for row in rows)
    reference = ["* sees the truth; for reference only"] if has_reference else []
    return summary_table(columns, title, [*warnings, *reference])


def _matrix(minds: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Success by row and column, or the score where there is no success."""
    measure = "success" if any(row["summary"].get("success") is not None for row in rows) else "score"
    cells = iter(row["summary"].get(measure) for row in rows)
    return {"minds": minds, measure: [[next(cells) for _ in minds] for _ in minds]}


def _cells(world: World, matrix: Mapping[str, Any], episodes: int) -> list[dict[str, Any]]:
    """The rows of a matrix that a batch engine has played, one a cell."""
    return [
        {
            "minds": specs,
            "summary": {"episodes": float(episodes), "score": score},
            "sees_truth": [mind for mind in dict.fromkeys(specs.values()) if mind in matrix["sees_truth"]],
        }
        for specs, score in zip(_teams(world, matrix["minds"], None, True), chain(*matrix["score"]), strict=True)
    ]


def _matrix_table(world: World, matrix: Mapping[str, Any], seats: Mapping[str, str] | None = None) -> Table:
    first, second = (_listed(side) for side in world.sides)
    minds, measure = matrix["minds"], "success" if "success" in matrix else "score"
    rows = [(mind, *cells) for mind, cells in zip(minds, matrix[measure], strict=True)]
    others = [f"; {spec} as {seat}" for seat, spec in (seats or {}).items() if all(seat not in s for s in world.sides)]
    return Table(f"{measure.capitalize()} (rows: {first}; columns: {second}{''.join(others)})", ["", *minds], rows)


def _listed(seats: Sequence[str]) -> str:
    *others, last = seats
    return f"{', '.join(others)} and {last}" if others else last


def _file_name(specs: Mapping[str, str], attempts: int | None) -> str:
    """A readable file name that is unique for the minds and the number of attempts."""
    name = options.named_minds(specs)
    plain = "".join(letter if letter.isalnum() or letter in "-_.=," else "_" for letter in name)[:80]
    if plain == name and attempts is None:
        return f"{name}.jsonl"
    return f"{plain}-{sha256(json_text.dumps([dict(specs), attempts]).encode()).hexdigest()[:8]}.jsonl"
