"""What evolution achieved: how both parts of a pool fare with seeds that played no part in choosing the items."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import read_text
from otherminds.core.json_lines import JsonLines, read_rows
from otherminds.core.registry import find
from otherminds.results.statistics import wilson
from otherminds.run.breeder import breeder_of
from otherminds.run.evolve import EVOLVED, FIRST, FRESH, Evolution, Member, Plan

PANEL = "panel"  # the row of the whole panel in a report
HELD_OUT = "held_out.jsonl"
Rates = Mapping[tuple[str, str], float]  # pass rates by mind and item


def open_pool(out: Path) -> Evolution[Any]:
    """The pool of a folder, as far as it has got.

    Raises:
        UserError: if the folder is not a pool.
    """
    path = out / "config.json"
    if not path.exists():
        raise UserError(f"{out} has no config.json; expected a pool that 'evolve' made")
    try:
        config = json.loads(read_text(path, "a pool that 'evolve' made"))
        options: dict[str, Any] = {field.name: config[field.name] for field in fields(Plan)}
        plan = Plan(**{**options, "panel": tuple(options["panel"]), "band": tuple(options["band"])})
        world = find("world", config["world"]).load()(**config["settings"])
    except (KeyError, TypeError, ValueError) as error:
        message = f"{path} is not the configuration of a pool ({error}); expected a folder that 'evolve' made"
        raise UserError(message) from error
    pool = Evolution(world, breeder_of(world), plan, out, config["settings"])
    pool.run(0, 0)
    return pool


def held_out(pool: Evolution[Any]) -> dict[tuple[str, str], float]:
    """The pass rates of a pool with held-out seeds, as far as they were played."""
    return {(row["mind"], row["item"]): float(row["pass_rate"]) for row in read_rows(pool.out / HELD_OUT)}


def play_held_out(
    pool: Evolution[Any], outside: Sequence[str] = (), on_item: Callable[[], None] = lambda: None
) -> dict[tuple[str, str], float]:
    """Play every item of a pool with seeds of its own, and return pass rates by mind and item.

    What was played before is read from ``held_out.jsonl``.

    Args:
        pool: Pool to play.
        outside: Names of minds beside the panel.
        on_item: Called after each item.
    """
    with closing(JsonLines(pool.out / HELD_OUT, b'{"mind":', "the record of a pool")) as log:
        rates = held_out(pool)
        for member in pool.members:
            for mind in dict.fromkeys((*pool.plan.panel, *outside)):
                if (mind, member.name) not in rates:
                    rate = pool.play(pool.read(member.name), mind, f"held out/{member.name}")
                    log.append({"mind": mind, "item": member.name, "pass_rate": rate})
                    rates[mind, member.name] = rate
            on_item()
    return rates


def report(pool: Evolution[Any], rates: Rates, outside: Sequence[str] = ()) -> dict[str, Any]:
    """The result of an evolution as plain data (docs/reference/json.md).

    Args:
        pool: Pool, finished or not.
        rates: Pass rates by mind and item, from :func:`play_held_out`.
        outside: Names of minds beside the panel.
    """
    bred = [row for row in pool.rows if row["operator"] != FRESH and "pass_rate" in row]
    low, high = pool.plan.band
    operators = dict.fromkeys(row["operator"] for row in pool.rows)
    return {
        "world": pool.world.id,
        "settings": dict(pool.settings),
        **{name: getattr(pool.plan, name) for name in ("panel", "seed", "failures", "band", "runs")},
        "outside": list(outside),
        "out": str(pool.out),
        "first": pool.count(FIRST),
        "evolved": pool.count(EVOLVED),
        "steps": len(pool.rows),
        "generations": dict(sorted(Counter(str(member.generation) for member in pool.of(EVOLVED)).items())),
        "operators": {
            name: {
                "tried": sum(row["operator"] == name for row in pool.rows),
                "kept": sum(row["operator"] == name and bool(row["name"]) for row in pool.rows),
            }
            for name in operators
        },
        "in_band": {
            FIRST: _share([float(low <= member.pass_rate <= high) for member in pool.of(FIRST)]),
            "bred": _share([float(low <= row["pass_rate"] <= high) for row in bred]),
        },
        "success": compare(pool, pool.members, rates, outside),
    }


def compare(
    pool: Evolution[Any], members: Sequence[Member], rates: Rates, outside: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """How the panel, each of its minds, and others fare with some fresh and evolved items of a pool."""
    panel = list(pool.plan.panel)
    minds = {PANEL: panel, **{mind: [mind] for mind in dict.fromkeys((*panel, *outside))}}
    return [_compared(pool, members, rates, name, of) for name, of in minds.items()]


def _compared(
    pool: Evolution[Any], members: Sequence[Member], rates: Rates, name: str, minds: Sequence[str]
) -> dict[str, Any]:
    """How minds fare with items of both parts of a pool, and by what factor those of the second are harder."""
    first, evolved = (
        success([member for member in members if member.part == part], rates, minds) for part in (FIRST, EVOLVED)
    )
    factor: dict[str, float | None] | None = None
    if first and evolved:
        # The ends are those of the two intervals, which is wider than need be. No upper end if nothing may be passed.
        pairs = {"value": ("value", "value"), "low": ("low", "high"), "high": ("high", "low")}
        factor = {end: first[a] / evolved[b] if evolved[b] else None for end, (a, b) in pairs.items()}
    in_panel = name == PANEL or name in pool.plan.panel
    return {"minds": name, "in_panel": in_panel, FIRST: first, EVOLVED: evolved, "factor": factor}


def success(members: Sequence[Member], rates: Rates, minds: Sequence[str]) -> dict[str, float] | None:
    """The share of episodes with some items that minds pass, with its interval; ``None`` without items."""
    return _share([sum(rates[mind, member.name] for mind in minds) / len(minds) for member in members])


def _share(values: Sequence[float]) -> dict[str, float] | None:
    """The mean of shares with Wilson's interval, in which each item counts once; ``None`` without items.

    Episodes of one item hang together, and shares vary less than successes and failures do: the interval is wide
    enough for both.
    """
    if not values:
        return None
    value = sum(values) / len(values)
    low, high = wilson(value, len(values))
    return {"value": value, "low": low, "high": high, "items": len(values)}
