"""SymmToM on the command line: theory-of-mind tests, from a new file to its proof and the scores of minds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.options import Json
from otherminds.cli.output import print_result, progress
from otherminds.cli.verify import Verifier, count_fields
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.results.table import Table
from otherminds.worlds.symmtom.evals.agents import Agent
from otherminds.worlds.symmtom.evals.battery_tables import (
    battery_rows,
    battery_table,
    check_floor,
    left_out,
    paper_form,
    paper_table,
    untrained,
)
from otherminds.worlds.symmtom.scenarios.items import SEVERAL, find_scenarios
from otherminds.worlds.symmtom.scenarios.read import SUFFIX, TEMPLATE, find_scenario, load_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.solver.certify import certify
from otherminds.worlds.symmtom.scenarios.solver.claims import check_certificate, is_order_proved, with_certificate
from otherminds.worlds.symmtom.scenarios.types import Scenario


def new_scenario(
    name: Annotated[str, typer.Argument(help="Name of the scenario.")],
    out: Annotated[Path | None, typer.Option(help="File to write. [default: NAME.yaml]")] = None,
    json: Json = False,
) -> None:
    """Write a file for a new SymmToM scenario: a working example with every field explained."""
    path = out or Path(f"{name}{SUFFIX}")
    if path.suffix != SUFFIX:
        raise UserError(f"{path} should end in {SUFFIX}")
    if path.stem in (*scenario_names(), *SEVERAL, "none"):
        raise UserError(f"{path.stem!r} is already the name of a scenario or suite; choose another name")
    if path.exists():
        raise UserError(f"{path} already exists; choose another name, or remove it")
    write_whole(path, TEMPLATE.read_text("utf-8"))
    load_scenario(path)
    message = f"wrote {path}; edit it, then prove it with: otherminds verify {path}"
    print_result(json, {"file": str(path)}, message)


def draw_scenario(name: str, out: Path | None, json: bool) -> None:
    """All cases of a scenario in one picture."""
    from otherminds.view.pixels import save_png
    from otherminds.view.shapes import to_svg
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
    """Prove scenarios again and compare the proofs with their certificates."""
    scenarios, results = find_scenarios(words), []
    with progress("proving", len(scenarios)) as advance:
        for scenario in scenarios:
            certificate = certify(scenario)
            check_floor(scenario)
            if write:
                assert scenario.path is not None
                write_whole(scenario.path, with_certificate(scenario.path.read_text("utf-8"), certificate))
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


_FIELDS = ("about", "order", "setting", "agents", "choices", "cases")


def resembles(path: Path) -> int:
    """The number of scenario fields in a file, plus one, so that an empty file is taken for a scenario."""
    return 1 + count_fields(path, _FIELDS) if path.suffix == SUFFIX else 0


VERIFIER = Verifier(verify_scenarios, find_scenarios, resembles)


def battery_pages(
    agents: Sequence[Agent], words: Sequence[str], episodes: int, seed: int, engine: str | None = None, number: int = 0
) -> tuple[dict[str, Any], list[Table]]:
    """All scores of agents in scenarios, for programs and for people.

    With a number, the paper's table 2 or 3: its six tests, with the same models untrained and the published figures.
    """
    scenarios, players = find_scenarios(words), list(agents)
    if number:
        scenarios = [paper_form(scenario) for scenario in scenarios]
        players += [untrained(agent, agent.seed or 0) for agent in agents if agent.model.startswith("maddpg")]
    with progress("playing", len(scenarios) * len({agent.model for agent in players})) as advance:
        rows = battery_rows(players, scenarios, episodes, seed, engine, advance)
    absent = left_out(agents, scenarios)
    if number:
        return {"table": number, "rows": rows, "left_out": absent}, [paper_table(number, rows, absent)]
    if not rows:
        raise UserError("; ".join(["no agent was trained in the setting of any of the scenarios", *absent]))
    return {"battery": rows, "left_out": absent}, [battery_table(rows, scenarios, absent)]


def _summary(scenario: Scenario, certificate: dict[str, Any]) -> str:
    turns = ", ".join(f"{name} {case['turns']:g}" for name, case in certificate.items())
    kind = "reproduction only, " if scenario.reproduction else ""
    order = f"order {scenario.order} holds" if is_order_proved(scenario, certificate) else "order not proved"
    return f"{kind}{order}; best number of turns: {turns}"
