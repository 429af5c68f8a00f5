"""``otherminds evolve WORLD --against MIND…``: breed items that a panel of minds fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli import options
from otherminds.cli.output import counted, print_result, progress
from otherminds.core.errors import UserError
from otherminds.core.json_lines import Row
from otherminds.core.world import World
from otherminds.minds.find import check_minds, is_spoken
from otherminds.results.table import Cell, Table

_STEPS_AN_ITEM = 100  # most steps for each item, unless set


@options.with_models
def evolve(
    world: Annotated[str, typer.Argument(metavar="WORLD", help="World whose items to evolve, such as tomi.")],
    against: Annotated[
        list[str],
        typer.Option(
            "--against",
            metavar="MIND",
            help="Mind on the panel. Every mind on the panel plays every item. May be repeated.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for the pool. Run the same command again to resume.")],
    set: options.Settings = None,
    failures: Annotated[
        float,
        typer.Option("--failures", help="Probability of choosing a parent among the items that the panel failed."),
    ] = 0.8,
    band: Annotated[
        str, typer.Option("--band", metavar="LOW,HIGH", help="Lowest and highest pass rate of the items to keep.")
    ] = "0,0.34",
    size: Annotated[int, typer.Option("--size", help="Number of items to evolve.", min=1)] = 150,
    first: Annotated[
        int | None,
        typer.Option("--first", help="Number of newly generated items to start from. [default: same as --size]", min=1),
    ] = None,
    episodes: Annotated[
        int, typer.Option("--episodes", help="Number of episodes that each mind plays per item.", min=1)
    ] = 3,
    steps: Annotated[
        int | None,
        typer.Option("--steps", help=f"Maximum number of steps. [default: {_STEPS_AN_ITEM} per item]", min=1),
    ] = None,
    outside: Annotated[
        list[str] | None,
        typer.Option(
            "--outside", metavar="MIND", help="Mind outside the panel to include in the report. May be repeated."
        ),
    ] = None,
    seed: options.Seed = 0,
    json: options.Json = False,
    *,
    models: dict[str, Any],
    budget: dict[str, Any],
) -> None:
    """Evolve test items that a panel of minds fails.

    Every item kept is proved, differs from all others, and has a pass rate within --band.
    """
    from otherminds.run.breeder import breeder_of
    from otherminds.run.evolve import EVOLVED, FIRST, Evolution, Plan
    from otherminds.run.evolve_report import play_held_out, report

    table = options.open_world(world, set)
    options.check_models(table, models)
    breeder = breeder_of(table)
    panel, beside = (tuple(dict.fromkeys(names or ())) for names in (against, outside))
    plan = Plan(panel, seed, failures, _band(band), episodes, first or size)
    _check(table, (*panel, *beside), yes=bool(budget["yes"]))
    pool = Evolution(table, breeder, plan, out, options.parse_settings(set), models)
    most, whole = steps or _STEPS_AN_ITEM * (size + plan.first), size + plan.first
    with progress("evolving", whole, hidden=json) as advance:
        pool.run(size, most, lambda row: advance(_note(row), by=bool(row["name"])))
    if pool.count(EVOLVED) < size:
        raise UserError(
            f"{out} has {pool.count(FIRST)} of {plan.first} fresh and {pool.count(EVOLVED)} of {size} evolved items "
            f"after {counted(len(pool.rows), 'step')}{_why(pool.rows)}. Widen --band, change the panel, or raise "
            f"--steps and run the command again"
        )
    with progress("playing with held-out seeds", len(pool.members), hidden=json) as advance:
        rates = play_held_out(pool, beside, advance)
    result = report(pool, rates, beside)
    print_result(json, result, _table(result), out=out / "report.json")


def _band(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise UserError(f"--band is {text!r}; expected two pass rates, such as 0,0.34") from None
    return low, high


def _check(world: World, minds: tuple[str, ...], *, yes: bool) -> None:
    """Refuse minds that do not exist, and paid models without consent."""
    for mind in minds:
        check_minds(world, dict.fromkeys(world.seats, mind))
    spoken = [mind for mind in minds if is_spoken(mind, world)]
    if spoken:
        from otherminds.cli.cost import confirm

        confirm(spoken, yes=yes)


def _note(row: Row) -> str:
    return f"step {row['step']} ({row['operator']}): {row['against'] or 'kept as ' + row['name']}"


def _why(rows: list[Row]) -> str:
    """The most frequent reasons against candidates."""
    reasons = Counter(row["against"] for row in rows if row["against"]).most_common(3)
    return "; refused: " + ", ".join(f"{number} ({reason})" for reason, number in reasons) if reasons else ""


def _table(result: Mapping[str, Any]) -> Table:
    def cell(share: Mapping[str, Any] | None, scale: float = 100.0) -> Cell:
        if share is None or share["value"] is None:
            low = None if share is None else share["low"]
            return Cell(note="" if low is None else f"at least {low:.1f}")
        ends = tuple(None if share[end] is None else scale * share[end] for end in ("low", "high"))
        return Cell(scale * share["value"], interval=(ends[0], ends[1]))

    rows = [
        [row["minds"] if row["in_panel"] else f"{row['minds']} (outside)", cell(row["first"]), cell(row["evolved"]),
         cell(row["factor"], 1.0)]
        for row in result["success"]
    ]  # fmt: skip
    first, bred = (result["in_band"][part] for part in ("first", "bred"))
    notes = [
        f"{counted(result['evolved'], 'item')} in {result['out']}, evolved in {counted(result['steps'], 'step')}",
        f"in the band: {100 * first['value']:.0f} % of the first items, "
        f"{100 * bred['value']:.0f} % of the evolved items",
    ]
    title = f"{result['world']}: percent of episodes passed, with held-out seeds"
    return Table(title, ["minds", "first", "evolved", "factor"], rows, notes)
