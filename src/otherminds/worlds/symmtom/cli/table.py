"""SymmToM on the command line: table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.options import Json, Seed, parse_settings
from otherminds.cli.output import print_result, progress
from otherminds.core.errors import UserError, nearest
from otherminds.core.mind import Policy
from otherminds.worlds.symmtom.cli.figure import Greedy, Out, Results, records_for
from otherminds.worlds.symmtom.cli.options import Minds, Switches, parse_names
from otherminds.worlds.symmtom.evals.agents import find_agents, load_policy
from otherminds.worlds.symmtom.evals.claims import claim_rows, claims_table, lookup_in
from otherminds.worlds.symmtom.evals.error_analysis import split_row, split_table
from otherminds.worlds.symmtom.evals.runs import Record, by_cell
from otherminds.worlds.symmtom.evals.tables import (
    metric_of,
    published,
    published_table,
    scripted_table,
    summary_rows,
    table_rows,
    trained_notes,
    trained_rows,
    trained_table,
)
from otherminds.worlds.symmtom.minds import PAPER_MODELS
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params

Content = tuple[dict[str, Any], list[Any]]  # for programs, and what is printed for people
_TESTS = ("2", "3", "battery")


@dataclass(frozen=True)
class _Request:
    """What was asked for, as all tables take it."""

    minds: list[str]
    settings: list[str]  # empty for all settings
    switches: dict[str, Any]
    episodes: int | None
    seed: int
    engine: str | None
    results: list[Path] | None
    only: str | None
    greedy: bool

    @property
    def scripted(self) -> list[str]:
        return self.minds if self.only != "trained" else []

    @property
    def everywhere(self) -> list[str]:
        return self.settings or list(PAPER_SETTINGS)

    def count(self, usual: int) -> int:
        return usual if self.episodes is None else self.episodes

    def records(self) -> list[Record]:
        return records_for(self.results, self.only, self.settings, self.switches)


def table(
    name: Annotated[
        str, typer.Argument(metavar="TABLE", help="Number of the paper's table, 1 to 7; or claims, beliefs or battery.")
    ],
    mind: Minds = None,
    settings: Annotated[
        str, typer.Option(help="Settings, separated by commas. [default: the paper's twelve settings]")
    ] = "",
    episodes: Annotated[
        int | None,
        typer.Option(help="Number of episodes for each row. [default: 20000; with --split or for beliefs, 1000]"),
    ] = None,
    seed: Seed = 0,
    engine: Annotated[str | None, typer.Option(help="Engine: jax or numpy. [default: jax if it is installed]")] = None,
    set: Switches = None,
    results: Results = None,
    only: Annotated[str | None, typer.Option(help="Rows to show: scripted or trained. [default: both]")] = None,
    greedy: Greedy = False,
    reading: Annotated[
        str,
        typer.Option(
            help="Alternative metric: entries for table 4, current for 5, chebyshev or after for 7. "
            "[default: the paper's]"
        ),
    ] = "",
    split: Annotated[bool, typer.Option("--split", help="Split tables 5 and 6 by what the agents believed.")] = False,
    beliefs: Annotated[
        str, typer.Option(help="Belief rules to compare in 'beliefs', separated by commas. [default: all]")
    ] = "",
    suite: Annotated[
        str, typer.Option(help="Scenarios for 'battery', separated by commas: names, files, twins, paper or all.")
    ] = "all",
    out: Out = None,
    json: Json = False,
) -> None:
    """Reproduce a table from the SymmToM paper, with scripted minds and trained agents next to the published figures.

    'claims' checks what the paper says about its tables; 'beliefs' shows how accurate each belief rule is;
    'battery' plays the theory-of-mind tests under all symmetries.
    """
    if only not in (None, "scripted", "trained"):
        raise UserError(f"--only is {only!r}{nearest(only or '', ['scripted', 'trained'])}")
    if reading and (split or name not in ("4", "5", "7")):
        raise UserError("--reading applies only to tables 4, 5 and 7 without --split; leave it out")
    if split and name not in ("5", "6"):
        raise UserError(f"table {name} cannot be split; --split applies only to tables 5 and 6")
    is_battery = name == "battery"
    for flag, is_idle in (
        ("--beliefs", beliefs and name != "beliefs"),
        ("--suite", suite != "all" and not is_battery),
        ("--settings", settings and is_battery),
        ("--set", set and is_battery),
        ("--only", only and is_battery),
        ("--results", results and is_battery),
        ("--engine", engine and (split or name == "beliefs")),
    ):
        if is_idle:
            raise UserError(f"{flag} has no effect on table {name} with these options; leave it out")
    chosen = parse_names(settings)
    for setting in chosen:
        Params.from_setting(setting)  # raises an error for an invalid setting
    usual = "planner,planner:order=1,planner:order=0,random" if name in _TESTS else "heuristic,belief,oracle"
    minds = parse_names(*([usual] if mind is None else mind))
    request = _Request(minds, chosen, parse_settings(set), episodes, seed, engine, results, only, greedy)
    if name in _TESTS:
        content, pages = _tests(name, request, parse_names(suite))
    elif name == "claims":
        content, pages = _claims(request)
    elif name == "beliefs":
        content, pages = _beliefs(request, parse_names(beliefs))
    else:
        if not name.isdecimal() or not 1 <= int(name) <= 7:
            raise UserError(f"unknown table {name!r}; expected 1 to 7, claims, beliefs or battery")
        metric_of(int(name), reading)
        content, pages = _split(int(name), request) if split else _metrics(int(name), request, reading)
    print_result(json, content, *pages, out=out)


def _tests(number: str, request: _Request, suite: Sequence[str]) -> Content:
    from otherminds.worlds.symmtom.cli.scenarios import battery_pages

    episodes = request.count(1000)
    if number == "battery":
        agents = find_agents(request.minds, greedy=request.greedy or None)
        return battery_pages(agents, suite, episodes, request.seed, request.engine)
    records = records_for(request.results, request.only, request.settings)
    usual = [str(record.actor) for record in records if not record.differs and record.actor is not None]
    scripted = find_agents(request.scripted) if request.scripted else []  # first: a wrong name is found at once
    agents = [*(find_agents(usual) if usual else []), *scripted]
    return battery_pages(agents, ["paper"], episodes, request.seed, request.engine, int(number))


def _metrics(number: int, request: _Request, reading: str) -> Content:
    scripted, records, episodes = request.scripted, request.records(), request.count(20_000)
    if request.only != "trained" and not scripted:
        raise UserError("no mind was named; to see the minds, run 'otherminds list minds'")
    rows = []
    if scripted:
        with progress("playing", len(request.everywhere) * len(scripted)) as advance:
            rows = table_rows(
                number, scripted, request.everywhere, episodes, request.seed, request.engine, request.switches, reading,
                advance,
            )  # fmt: skip
    trained = trained_rows(number, records, greedy=request.greedy, reading=reading)
    summaries = summary_rows(number, records, greedy=request.greedy, reading=reading)
    pages: list[Any] = []
    if reading:
        pages.append(f"counted: {metric_of(number, reading).replace('_', ' ')}")
    if rows:
        note = f"{episodes} episodes each, seed {request.seed}; ± sd over episodes"
        pages.append(scripted_table(number, rows, [note]))
    if trained:
        pages.append(trained_table(number, trained, summaries, trained_notes(trained, request.greedy)))
    covered = {(row["paper_row"], row["setting"]) for row in trained}
    theirs = [setting for setting in request.everywhere if setting in PAPER_SETTINGS]
    if not request.switches and not {(model, s) for model in PAPER_MODELS.values() for s in theirs} <= covered:
        pages.append(published_table(number, theirs))
    metric = metric_of(number, reading)
    return {"table": number, "metric": metric, "rows": rows, "trained": trained, "summaries": summaries}, pages


def _claims(request: _Request) -> Content:
    records, heuristic = request.records(), {}
    if any(record.setting in PAPER_SETTINGS for record in records):
        # Ratios between settings need the heuristic in both; it is quick.
        with progress("playing", len(PAPER_SETTINGS)) as advance:
            rows = table_rows(
                1, ["heuristic"], PAPER_SETTINGS, request.count(2000), request.seed, request.engine, advance=advance
            )
        heuristic = {row["setting"]: row["mean"] for row in rows}
    claims = claim_rows(lookup_in(records, heuristic, greedy=request.greedy), request.seed)
    return {"claims": claims}, [claims_table(claims)]


def _beliefs(request: _Request, beliefs: Sequence[str]) -> Content:
    from otherminds.worlds.symmtom.evals.belief_errors import belief_rows, beliefs_table, rules

    names = list(beliefs) or rules()
    with progress("playing", len(names) * len(request.everywhere) * len(request.minds)) as advance:
        rows = belief_rows(
            request.minds, names, request.everywhere, request.count(1000), request.seed, request.switches, advance
        )
    return {"beliefs": rows}, [beliefs_table(rows)]


def _split(number: int, request: _Request) -> Content:
    models: list[tuple[str, Params, list[Policy], str | None]] = [
        (name, Params.from_setting(setting, **request.switches), [load_policy(name)], None)
        for name in request.scripted
        for setting in request.everywhere
    ]
    for (model, _), runs in by_cell(record for record in request.records() if record.actor is not None).items():
        agents = find_agents([str(record.actor) for record in runs], greedy=request.greedy or None)
        models.append((model, runs[0].params, [agent.policy for agent in agents], runs[0].paper_model))
    if not models:
        raise UserError("there is no mind to play: name scripted minds, or keep the actor files next to the records")
    rows = []
    with progress("playing", len(models)) as advance:
        for name, params, policies, row in models:
            paper = {"wrong": published(5, row, params.setting)[0], "useless": published(6, row, params.setting)[0]}
            rows.append(split_row(name, params, policies, paper, request.count(1000), request.seed))
            advance(f"{name} in {params.setting}")
    return {"table": number, "split": rows}, [split_table(number, rows)]
