"""SymmToM on the command line: theory-of-mind tests, from a new file to its proof and everybody's scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.options import Json
from otherminds.cli.output import print_result, progress
from otherminds.cli.verify import Verifier
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.evals.symmtom_agents import Agent
from otherminds.evals.symmtom_tests import (
    BatteryRow,
    battery_rows,
    best_published,
    check_floor,
    left_out,
    paper_form,
    untrained,
)
from otherminds.evals.table import Table
from otherminds.worlds.symmtom.scenarios.items import SEVERAL, find_scenarios
from otherminds.worlds.symmtom.scenarios.read import SUFFIX, TEMPLATE, find_scenario, load_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.solver.certify import certify
from otherminds.worlds.symmtom.scenarios.solver.claims import check_certificate, is_order_proved, with_certificate
from otherminds.worlds.symmtom.scenarios.stage import stagings
from otherminds.worlds.symmtom.scenarios.types import Scenario


def new_scenario(
    name: Annotated[str, typer.Argument(help="What to call it; the file gets this name.")],
    out: Annotated[Path | None, typer.Option(help="The file to write; NAME.yaml by default.")] = None,
    json: Json = False,
) -> None:
    """Write a new scenario: a working example to change, with every field explained."""
    path = out or Path(f"{name}{SUFFIX}")
    if path.suffix != SUFFIX:
        raise UserError(f"{path} should end in {SUFFIX}")
    if path.stem in (*scenario_names(), *SEVERAL, "none"):
        raise UserError(f"{path.stem!r} means something already where scenarios are named; choose another name")
    if path.exists():
        raise UserError(f"{path} exists already; choose another name, or remove it")
    write_whole(path, TEMPLATE.read_text("utf-8"))
    load_scenario(path)
    told = f"wrote {path}; change it, then prove it with: otherminds verify {path}"
    print_result(json, {"file": str(path)}, told)


def draw_scenario(name: str, out: Path | None, json: bool) -> None:
    """All cases of a scenario in one picture."""
    from otherminds.view.shapes import save_png, to_svg
    from otherminds.worlds.symmtom.scenarios.picture import twins_scene

    scenario = find_scenario(name)
    path, scene = out or Path(f"{scenario.name}.svg"), twins_scene(scenario)
    if path.suffix == ".png":
        save_png(scene, path, scale=2)
    elif path.suffix == ".svg":
        write_whole(path, to_svg(scene))
    else:
        raise UserError(f"{path} should end in .svg or .png")
    print_result(json, {"file": str(path)}, f"{scenario.name} drawn into {path}")


def verify_scenarios(
    words: Sequence[str], *, write: bool = False, json: bool = False, **_: Any
) -> list[dict[str, Any]]:
    """Prove scenarios again and compare with their certificates; what does not hold is refused by an error.

    So are twins that a rule without any mind passes.
    """
    found, results = find_scenarios(words), []
    with progress("proving", len(found)) as advance:
        for scenario in found:
            certificate = certify(scenario)
            check_floor(scenario)
            if write:
                _write(scenario, certificate)
            else:
                check_certificate(scenario, certificate)
            results.append(
                {
                    "scenario": scenario.name,
                    "holds": True,
                    "order": scenario.order,
                    "order_proved": is_order_proved(scenario, certificate),
                    "certificate": certificate,
                }
            )
            advance(scenario.name)
            if not json:
                typer.echo(f"{scenario.name}: {_summary(scenario, certificate)}")
    return results


VERIFIER = Verifier(verify_scenarios, find_scenarios, lambda path: path.suffix == SUFFIX)


def battery_pages(
    agents: Sequence[Agent], words: Sequence[str], episodes: int, seed: int, engine: str | None = None
) -> tuple[dict[str, Any], list[Any]]:
    """All scores of agents in scenarios, for programs and for people."""
    scenarios = find_scenarios(words)
    rows, absent = _played(agents, scenarios, episodes, seed, engine), left_out(agents, scenarios)
    if not rows:
        raise UserError("; ".join(["none of the agents was trained in the setting of a scenario", *absent]))
    notes = [
        f"{_stagings_played(rows, scenarios)}; as written: only the layout of the file.",
        "pair-joint: both twins passed, in at most 1.5 times the best number of turns.",
        "literal: the belief at the start of the trial was right; luck: passed without knowing.",
        *dict.fromkeys(f"* {row.model} in {row.scenario}: {row.note}" for row in rows if row.note),
        *absent,
    ]
    content = {"battery": list(map(asdict, rows)), "left_out": absent}
    return content, [_battery_table(rows, notes)]


def table_pages(
    number: int, agents: Sequence[Agent], episodes: int, seed: int, engine: str | None = None
) -> tuple[dict[str, Any], list[Any]]:
    """The paper's table 2 or 3: its six tests, agents of ours, the same models untrained, and the published figures."""
    scenarios = [paper_form(scenario) for scenario in find_scenarios(["paper"])]
    controls = [untrained(agent, agent.seed or 0) for agent in agents if agent.model.startswith("maddpg")]
    rows, absent = _played([*agents, *controls], scenarios, episodes, seed, engine), left_out(agents, scenarios)
    notes = [
        "the paper's layouts are lost: ours follow its words, so its figures (in brackets) are indicative",
        *absent,
    ]
    content = {"table": number, "rows": list(map(asdict, rows)), "left_out": absent}
    return content, [_table2(rows, notes) if number == 2 else _table3(rows, notes)]


def _played(
    agents: Sequence[Agent], scenarios: Sequence[Scenario], episodes: int, seed: int, engine: str | None
) -> list[BatteryRow]:
    with progress("playing", len(scenarios) * len({agent.model for agent in agents})) as advance:
        return battery_rows(
            agents, scenarios, episodes, seed, engine, lambda row: advance(f"{row.model} in {row.scenario}")
        )


def _stagings_played(rows: Sequence[BatteryRow], scenarios: Sequence[Scenario]) -> str:
    """In how many symmetries and orders of seats cases were played, of how many there are."""
    agents = {scenario.name: scenario.params.num_agents for scenario in scenarios}
    counts = sorted({(agents[row.scenario], row.episodes) for row in rows})
    parts = []
    for number, episodes in counts:
        every = len(stagings(number))
        ways = f"all {every}" if episodes >= every else f"{episodes} of the {every}"
        parts.append(f"{episodes} episodes of each case with {number} agents, in {ways} symmetries and orders of seats")
    return "; ".join(parts)


def _table2(rows: Sequence[BatteryRow], notes: Sequence[str]) -> Table:
    columns = {"success": "SR", "failure": "FR", "unfinished": "unfinished", "RATSO": "RATSO"}  # as the paper has them
    lines = []
    for row in sorted(rows, key=lambda row: row.scenario):
        line = {"test": row.scenario, "model": row.model, "runs": str(len(row.seeds))}
        for name, key in columns.items():
            line[name] = _figure(row, name.lower()) + _published((row.paper or {}).get(key))
        lines.append(line)
    title = "SymmToM, table 2: theory-of-mind tests, mean over runs (percent)"
    return Table.of(title, lines, notes=notes, texts=2)


def _table3(rows: Sequence[BatteryRow], notes: Sequence[str]) -> Table:
    tests = list(dict.fromkeys(row.scenario for row in rows))
    best = {(row.model, row.scenario): f"{100 * row.best:.0f}" for row in rows}
    lines = [
        {"model": model}
        | {test: best.get((model, test), "") + _published(best_published(model, test)) for test in tests}
        for model in dict.fromkeys(row.model for row in rows)
    ]
    return Table.of("SymmToM, table 3: success of the best run (percent)", lines, notes=notes)


def _battery_table(rows: Sequence[BatteryRow], notes: Sequence[str]) -> Table:
    columns = {
        "success": "success",
        "failure": "failure",
        "unfinished": "unfinished",
        "RATSO": "ratso",
        "pair-joint": "pair_joint",
        "as written": "as_written",
        "its RATSO": "as_written_ratso",
        "its joint": "as_written_joint",
        "literal": "literal",
        "knew, passed": "knew_and_passed",
        "luck": "passed_unknowing",
    }
    lines = [
        {"scenario": row.scenario, "model": f"{row.model}{' *' if row.note else ''}"}
        | {head: _figure(row, name) for head, name in columns.items()}
        for row in sorted(rows, key=lambda row: row.scenario)
    ]
    return Table.of("SymmToM, theory-of-mind battery (percent)", lines, notes=notes, texts=2)


def _published(figure: float | None) -> str:
    return "" if figure is None else f" ({figure:g})"


def _figure(row: BatteryRow, name: str) -> str:
    """A rate in percent with its interval, or a ratio."""
    rate = row.rates[name]
    if rate is None:
        return "-"
    if name.endswith("ratso"):
        return f"{rate.value:.2f}"
    interval = "" if rate.low is None or rate.high is None else f" {100 * rate.low:.0f}-{100 * rate.high:.0f}"
    return f"{100 * rate.value:.0f}{interval}"


def _summary(scenario: Scenario, certificate: dict[str, Any]) -> str:
    turns = ", ".join(f"{name} {found['turns']:g}" for name, found in certificate.items())
    kind = "reproduction only, " if scenario.reproduction else ""
    order = f"order {scenario.order} holds" if is_order_proved(scenario, certificate) else "order not proved"
    return f"{kind}{order}; best number of turns: {turns}"


def _write(scenario: Scenario, certificate: dict[str, Any]) -> None:
    assert scenario.path is not None
    text = scenario.path.read_text(encoding="utf-8")
    write_whole(scenario.path, with_certificate(text, certificate))
