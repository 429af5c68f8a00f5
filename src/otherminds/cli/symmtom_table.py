"""SymmToM on the command line: table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, cast

import typer
from rich.markup import escape

from otherminds.cli import symmtom_grids as grids
from otherminds.cli.output import keep_result, print_json, progress
from otherminds.cli.symmtom import Json, Minds, Seed, Switches, parse_names, parse_switches
from otherminds.cli.symmtom_results import Greedy, Out, Runs, print_pages, records_for
from otherminds.core.errors import UserError, nearest
from otherminds.core.mind import Policy
from otherminds.evals.records import Record, by_cell
from otherminds.evals.symmtom_agents import find_agents
from otherminds.evals.symmtom_claims import claim_rows, lookup_in
from otherminds.evals.symmtom_split import Lens, split_row
from otherminds.evals.symmtom_tables import load_policy, metric_of, paper_tables, published, table_rows
from otherminds.evals.symmtom_trained import TrainedCell, trained_cells, trained_summaries
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params

Content = tuple[dict[str, Any], list[Any]]  # for programs, and what is printed for people


def table(
    number: Annotated[
        str, typer.Argument(help="The paper's table 1 to 7; its 'claims'; 'beliefs'; or 'battery', all scenarios.")
    ],
    mind: Minds = None,
    settings: Annotated[str, typer.Option(help="Settings by commas; all twelve by default.")] = "",
    episodes: Annotated[
        int | None, typer.Option(help="For each row; 20000, or 1000 of a run with --split or for beliefs.")
    ] = None,
    seed: Seed = 0,
    engine: Annotated[str | None, typer.Option(help="jax or numpy; JAX where it is installed.")] = None,
    set: Switches = None,
    runs: Runs = None,
    only: Annotated[str | None, typer.Option(help="scripted or trained; both by default.")] = None,
    greedy: Greedy = False,
    reading: Annotated[
        str, typer.Option(help="What else a metric may mean: entries (4), current (5), chebyshev or after (7).")
    ] = "",
    split: Annotated[bool, typer.Option("--split", help="Tables 5 and 6 by what the agents believed.")] = False,
    lens: Annotated[str, typer.Option(help="With --split: by their own belief, or by the evidence.")] = "own",
    listeners: Annotated[str, typer.Option(help="With --split: those in range before or after moving.")] = "before",
    beliefs: Annotated[str, typer.Option(help="For 'beliefs': which are judged; all rules by default.")] = "",
    suite: Annotated[
        str, typer.Option(help="For 'battery': which scenarios, by commas: names, files, twins, paper or all.")
    ] = "all",
    out: Out = None,
    json: Json = False,
) -> None:
    """Reproduce a table of the SymmToM paper, scripted players and trained agents beside the published figures.

    'claims' recomputes what the paper says of its tables; 'beliefs' shows how near the truth each belief rule is;
    'battery' plays theory-of-mind tests in all symmetries.
    """
    if only not in (None, "scripted", "trained"):
        raise UserError(f"--only {only!r} is not known{nearest(only or '', ['scripted', 'trained'])}")
    if reading and (split or number not in ("4", "5", "7")):
        raise UserError("--reading goes with tables 4, 5 and 7, undivided; leave it out")
    if split and number not in ("5", "6"):
        raise UserError(f"table {number} is not about pieces; --split goes with table 5 or 6")
    for flag, is_idle in (
        ("--lens", lens != "own" and not split),
        ("--listeners", listeners != "before" and not split),
        ("--beliefs", beliefs and number != "beliefs"),
        ("--suite", suite != "all" and number != "battery"),
        ("--settings", settings and number == "battery"),
        ("--set", set and number == "battery"),
        ("--only", only and number == "battery"),
        ("--runs", runs and number == "battery"),
        ("--engine", engine and (split or number == "beliefs")),
    ):
        if is_idle:
            raise UserError(f"{flag} has no effect on table {number} as asked for; leave it out")
    chosen, switches = parse_names(settings), parse_switches(set or [])
    for setting in chosen:
        Params.from_setting(setting)  # refuses what is none
    usual = "planner,planner-1,planner-0,random" if number in ("2", "3", "battery") else "heuristic,belief,oracle"
    names = parse_names(*([usual] if mind is None else mind))
    if number == "battery":
        agents = find_agents(names, greedy=greedy or None)
        from otherminds.cli.symmtom_scenarios import battery_pages

        content, pages = battery_pages(agents, parse_names(suite), _count(episodes, 1000), seed, engine)
    elif number in ("2", "3"):
        content, pages = _tests(
            int(number), names, records_for(runs, only, chosen), only, _count(episodes, 1000), seed, engine
        )
    elif number == "claims":
        content, pages = _claims(
            records_for(runs, only, chosen, switches), _count(episodes, 2000), seed, engine, greedy
        )
    elif number == "beliefs":
        content, pages = _beliefs(names, parse_names(beliefs), chosen, switches, _count(episodes, 1000), seed)
    else:
        metric_of(which := _table_number(number), reading)
        scripted = names if only != "trained" else []
        if split:
            played = (scripted, records_for(runs, only, chosen, switches))
            count = _count(episodes, 1000)
            content, pages = _split(which, played, chosen, switches, count, seed, greedy, lens, listeners)
        else:
            if only != "trained" and not scripted:
                raise UserError("no mind was named; 'otherminds list minds' shows them")
            records = records_for(runs, only, chosen, switches)
            count = _count(episodes, 20_000)
            content, pages = _tables(which, scripted, records, chosen, switches, count, seed, engine, greedy, reading)
    keep_result(out, content)
    if json:
        print_json(content)
        return
    print_pages(pages)


def _tests(
    number: int,
    players: Sequence[str],
    records: Sequence[Record],
    only: str | None,
    episodes: int,
    seed: int,
    engine: str | None,
) -> Content:
    from otherminds.cli.symmtom_scenarios import table_pages

    usual = [record for record in records if not record.differs and record.actor is not None]
    agents = find_agents([str(record.actor) for record in usual]) if usual else []
    scripted = find_agents(players) if players and only != "trained" else []
    return table_pages(number, [*agents, *scripted], episodes, seed, engine)


def _tables(
    number: int,
    players: Sequence[str],
    records: Sequence[Record],
    settings: Sequence[str],
    switches: dict[str, Any],
    episodes: int,
    seed: int,
    engine: str | None,
    greedy: bool,
    reading: str,
) -> Content:
    chosen = list(settings) or list(PAPER_SETTINGS)
    rows = []
    if players:
        with progress("playing", len(chosen) * len(players)) as advance:
            rows = table_rows(
                number, players, chosen, episodes, seed, engine, switches, reading,
                on_row=lambda row: advance(f"{row.player} in {row.setting}"),
            )  # fmt: skip
    cells = trained_cells(number, records, greedy=greedy, reading=reading)
    summaries = trained_summaries(number, records, greedy=greedy, reading=reading)
    pages: list[Any] = []
    if reading:
        pages.append(f"[dim]counted: {metric_of(number, reading).replace('_', ' ')}[/dim]")
    if rows:
        pages += [
            grids.players_grid(number, rows),
            f"[dim]{episodes} episodes each, seed {seed}; ± sd over episodes[/dim]",
        ]
    if cells:
        pages += [grids.trained_grid(number, cells, summaries), _trained_note(cells, greedy)]
    covered = {(cell.paper_row, cell.setting) for cell in cells}
    models = paper_tables()[f"table{number}"]["models"]
    wanted = [setting for setting in chosen if setting in PAPER_SETTINGS]
    is_covered = all((model, s) in covered for model in models if model != "Heuristic" for s in wanted)
    if not switches and wanted and not is_covered:
        pages.append(grids.published_grid(models, chosen))
    content = {
        "table": number,
        "metric": metric_of(number, reading),
        "rows": [row.to_dict() for row in rows],
        "trained": [cell.to_dict() for cell in cells],
        "summaries": [summary.to_dict() for summary in summaries],
    }
    return content, pages


def _trained_note(cells: Sequence[TrainedCell], greedy: bool) -> str:
    how = "most likely" if greedy else "sampled"
    played = max(cell.evaluation_episodes for cell in cells)
    lines = [f"{played} fresh episodes of each run's best checkpoint, {how} actions; ± sd over runs; IQM over all runs"]
    notes: dict[str, list[str]] = {}
    for cell in cells:
        world = "".join(f", {name}={value}" for name, value in cell.switches.items())
        players = notes.setdefault(f"{cell.training_episodes:,} training episodes{world}", [])
        if cell.player not in players:
            players.append(cell.player)
    return _dim([*lines, *(f"{note}: {', '.join(players)}" for note, players in notes.items())])


def _dim(lines: Sequence[str]) -> str:
    return "[dim]" + escape("\n".join(lines)) + "[/dim]"


def _claims(records: Sequence[Record], episodes: int, seed: int, engine: str | None, greedy: bool) -> Content:
    used = [setting for setting in PAPER_SETTINGS if any(record.setting == setting for record in records)]
    heuristic = {}
    if used:
        # Ratios between settings need the heuristic in both; it is quick.
        with progress("playing", len(PAPER_SETTINGS)) as advance:
            rows = table_rows(
                1, ["heuristic"], PAPER_SETTINGS, episodes, seed, engine, on_row=lambda row: advance(row.setting)
            )
        heuristic = {row.setting: row.mean for row in rows}
    found = claim_rows(lookup_in(records, heuristic, greedy=greedy), seed)
    note = "[dim]a cell counts only if we have trained every model in it; 95 % bootstrap over runs[/dim]"
    return {"claims": [row.to_dict() for row in found]}, [grids.claims_grid(found), note]


def _beliefs(
    players: Sequence[str],
    beliefs: Sequence[str],
    settings: Sequence[str],
    switches: dict[str, Any],
    episodes: int,
    seed: int,
) -> Content:
    from otherminds.evals.symmtom_beliefs import belief_rows, rules

    names, where = list(beliefs) or rules(), list(settings) or list(PAPER_SETTINGS)
    with progress("playing", len(names) * len(where) * len(players)) as advance:
        rows = belief_rows(
            players, names, where, episodes, seed, switches,
            on_row=lambda row: advance(f"{row.belief}, {row.player} in {row.setting}"),
        )  # fmt: skip
    lines = [
        "Brier score of what each belief says others know, after every turn: 0 is the truth, 0.25 a coin's",
        f"{episodes} episodes each, seed {seed}; ± standard error",
    ]
    return {"beliefs": [row.to_dict() for row in rows]}, [grids.beliefs_grid(rows), _dim(lines)]


def _split(
    number: int,
    agents: tuple[Sequence[str], Sequence[Record]],
    settings: Sequence[str],
    switches: dict[str, Any],
    episodes: int,
    seed: int,
    greedy: bool,
    lens: str,
    listeners: str,
) -> Content:
    players, records = agents
    kinds: list[tuple[str, Params, list[Policy], str | None]] = [
        (name, Params.from_setting(setting, **switches), [load_policy(name)], None)
        for name in players
        for setting in (settings or PAPER_SETTINGS)
    ]
    for (model, _), found in by_cell(record for record in records if record.actor is not None).items():
        kinds.append((model, found[0].params, [_actor(record, greedy) for record in found], found[0].paper_model))
    if not kinds:
        raise UserError("there is nobody to play: name scripted players, or keep the actor files beside the records")
    rows = []
    with progress("playing", len(kinds)) as advance:
        for name, params, policies, row in kinds:
            paper = {"wrong": published(5, row, params.setting)[0], "useless": published(6, row, params.setting)[0]}
            view = cast(Lens, lens)
            rows.append(split_row(name, params, policies, episodes, seed, view, listeners, paper))
            advance(f"{name} in {params.setting}")
    beliefs = dict.fromkeys((row.player, row.belief) for row in rows)
    legend = {
        5: "shown: no piece it thought it knew itself; delay: it knew the piece, too newly to say it",
        6: "shown: its belief said that all listeners knew it; not: by its belief one lacked it, or none was there",
    }[number]
    lines = [
        f"{legend}; better: its belief offered something of use to say; idle: it did not; alone: nobody to listen",
        f"use: turns in which it did offer something; listeners: in range {listeners} moving",
        f"{episodes} episodes of each run; ×: several runs",
        *(f"{player}: by {belief}" for player, belief in beliefs),
    ]
    return {"table": number, "split": [row.to_dict() for row in rows]}, [grids.split_grid(number, rows), _dim(lines)]


def _actor(record: Record, greedy: bool) -> Policy:
    from otherminds.players.symmtom.learned import load_agent

    assert record.actor is not None
    agent = load_agent(record.actor)
    return agent.greedy() if greedy else agent


def _count(asked: int | None, usual: int) -> int:
    return usual if asked is None else asked


def _table_number(text: str) -> int:
    if not text.isdecimal():
        raise UserError(f"there is no table {text!r}; expected 1 to 7, claims, beliefs or battery")
    return int(text)
