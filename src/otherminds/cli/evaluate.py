"""``otherminds evaluate WORLD MIND…``: what minds of any kind come to, alone or everyone with everyone."""

from __future__ import annotations

import json as json_text
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from otherminds.cli import options
from otherminds.cli.output import console, keep_result, print_json, progress
from otherminds.cli.play import chosen_items
from otherminds.core.errors import UserError
from otherminds.core.world import Item, World
from otherminds.minds.find import check_minds, is_spoken, sees_truth
from otherminds.minds.playing import play_all


def evaluate(
    world: options.WorldName,
    minds: options.Minds,
    seat: options.Seats = None,
    set: options.Settings = None,
    episodes: options.Episodes = 100,
    seed: options.Seed = 0,
    suite: options.Suite = "",
    size: options.Size = None,
    cross: options.Cross = False,
    attempts: options.Attempts = None,
    out: options.OutFolder = None,
    json: options.Json = False,
    timeout: options.Timeout = 120,
    temperature: options.Temperature = None,
    probe_temperature: options.ProbeTemperature = None,
    max_tokens: options.MaxTokens = None,
    connections: options.Connections = None,
    form: options.Form = "auto",
    prompts: options.Prompts = "",
    phrasing: options.Phrasing = "",
    memory: options.Memory = None,
    price_in: options.PriceIn = None,
    price_out: options.PriceOut = None,
    yes: options.Yes = False,
) -> None:
    """Score minds over fresh episodes or a suite, each in all seats that --seat leaves, or all pairs with --cross."""
    table = options.open_world(world, set)
    if cross and not (seat or suite or out):
        matrix = table.cross(minds, episodes, seed)
        if matrix is not None:
            _show_cross(table, matrix, json)
            return
    items = list(chosen_items(table, suite, size, seed)) if suite else None
    teams = _teams(table, minds, seat, cross, items or ())
    for specs in teams:
        check_minds(table, specs)
    models: dict[str, Any] = {
        "timeout": timeout,
        "temperature": temperature,
        "probe_temperature": probe_temperature,
        "max_tokens": max_tokens,
        "form": form,
        "prompts": prompts,
        "phrasing": phrasing,
        "memory": memory,
    }
    spoken = [specs for specs in teams if any(is_spoken(spec, table) for spec in specs.values())]
    rows: list[dict[str, Any]] = []
    if spoken:
        from otherminds.cli.models import announce

        announce(table, spoken, items, episodes, seed, yes=yes, price_in=price_in, price_out=price_out, **models)
    with progress("evaluating", len(teams), hidden=json) as advance:
        for specs in teams:
            where = out / _file_name(specs, attempts) if out else None
            if specs in spoken:
                from otherminds.llm.run import evaluate as evaluate_spoken

                done = evaluate_spoken(
                    table, options.parse_settings(set), specs, items=items, suite=suite, episodes=episodes, seed=seed,
                    attempts=attempts, log_dir=(out or Path("logs")) / "logs", record=where,
                    connections=connections, **models,
                )  # fmt: skip
                rows.append(_row(table, specs, done.summary, done.extra()))
            else:
                rows.append(_row(table, specs, _played(table, specs, items, episodes, seed, attempts, where)))
            advance(options.named_minds(specs))
    report = {
        "world": table.id,
        "settings": options.parse_settings(set),
        "suite": suite,
        "items": len(items) if items is not None else None,
        "episodes": max(int(row["summary"].get("episodes") or episodes) for row in rows),
        "seed": seed,
        "rows": rows,
    }
    if out:
        keep_result(out / "summary.json", report)
    if json:
        print_json(report)
        return
    if cross:
        _show_matrix(table, minds, rows)
    _show(rows, title=f"{table.id}, {report['episodes']} episodes each, seed {seed}")


def _teams(
    world: World, minds: Sequence[str], seats: Sequence[str] | None, cross: bool, items: Sequence[Item] = ()
) -> list[dict[str, str]]:
    """Who sits where, for each row: each mind alone, or each pair with the row's mind on the first side."""
    fixed = {pair.partition("=")[0] for pair in seats or ()}
    if not cross:
        return [options.who_sits(world, mind, seats, items) for mind in dict.fromkeys(minds)]
    first, second = world.sides
    if fixed & {*first, *second}:
        raise UserError(f"--cross seats {', '.join((*first, *second))} itself; leave out --seat for them")
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
    where: Path | None,
) -> dict[str, float | None]:
    """The summary of one table's minds: from a batch engine where no record is wanted and there is one."""
    if where is None and items is None and not any(spec.startswith("recorded:") for spec in specs.values()):
        batch = world.batch(specs, episodes, seed)
        if batch is not None:
            return batch
    return world.summary(play_all(world, specs, items, episodes, seed, attempts, where))


def _row(
    world: World, specs: Mapping[str, str], summary: Mapping[str, float | None], extra: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    seeing = list(dict.fromkeys(spec for seat, spec in specs.items() if sees_truth(spec, world, seat)))
    return {"minds": dict(specs), "summary": dict(summary), "sees_truth": seeing, **(extra or {})}


def _show(rows: Sequence[Mapping[str, Any]], title: str) -> None:
    names = list(dict.fromkeys(name for row in rows for name, value in row["summary"].items() if value is not None))
    out = console()
    grid = Grid(title=title, title_justify="left")
    grid.add_column("")
    for row in rows:
        mark = " *" if row["sees_truth"] else ""
        grid.add_column(escape(options.named_minds(row["minds"])) + mark, justify="right")
    for name in names:
        grid.add_row(name.replace("_", " "), *(number(row["summary"].get(name)) for row in rows))
    if not out.is_terminal:
        out.width = max(out.width, out.measure(grid, options=out.options.update(max_width=2000)).maximum)
    out.print(grid)
    if any(row["sees_truth"] for row in rows):
        out.print("* sees the truth: a reference, not a contender")


def _show_matrix(world: World, minds: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Success, or the score where there is no success, by row and column."""
    first, second = world.sides
    which = "success" if any(row["summary"].get("success") is not None for row in rows) else "score"
    grid = Grid(title=f"{which}: {', '.join(first)} by row, {', '.join(second)} by column", title_justify="left")
    grid.add_column("")
    for mind in minds:
        grid.add_column(escape(mind), justify="right")
    cells = iter(rows)
    for mind in minds:
        grid.add_row(mind, *(number(next(cells)["summary"].get(which)) for _ in minds))
    console().print(grid)


def _show_cross(world: World, matrix: Mapping[str, Any], json: bool) -> None:
    """The matrix of a batch engine."""
    if json:
        print_json({"world": world.id, "matrix": matrix})
        return
    first, second = world.sides
    grid = Grid(title=f"score: {', '.join(first)} by row, {', '.join(second)} by column", title_justify="left")
    grid.add_column("")
    for mind in matrix["minds"]:
        grid.add_column(escape(mind), justify="right")
    for mind, row in zip(matrix["minds"], matrix["score"], strict=True):
        grid.add_row(escape(mind), *map(number, row))
    console().print(grid)


def number(value: float | None) -> str:
    """A number for a table."""
    if value is None:
        return "-"
    return f"{value:g}" if value == int(value) else f"{value:.3f}" if abs(value) < 10 else f"{value:.2f}"


def _file_name(specs: Mapping[str, str], attempts: int | None) -> str:
    """A file for the episodes of a table: readable, and another one for every other table."""
    name = options.named_minds(specs)
    plain = "".join(letter if letter.isalnum() or letter in "-_.=," else "_" for letter in name)[:80]
    if plain == name and attempts is None:
        return f"{name}.jsonl"
    return f"{plain}-{sha256(json_text.dumps([dict(specs), attempts]).encode()).hexdigest()[:8]}.jsonl"
