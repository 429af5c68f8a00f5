"""EnactToM on the command line: tables and figures of recorded minds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.options import Figure, Json, OutFile
from otherminds.cli.output import console, print_result, skipped_text
from otherminds.core.errors import UserError, nearest
from otherminds.results.table import Cell, Table
from otherminds.worlds.enacttom.evals.measures import LEAST_TASKS

_TABLES = ("published", "minds", "statistics")


def figure(
    name: Annotated[str, typer.Argument(help="Figure: functional-literal or depth.")],
    records: Annotated[list[Path], typer.Argument(help="Folders or files of episodes, as 'evaluate' writes them.")],
    out: Figure = None,
    json: Json = False,
) -> None:
    """Plot functional against literal success, or success by depth."""
    from otherminds.worlds.enacttom.evals.figures import FIGURES

    if name not in FIGURES:
        raise UserError(f"EnactToM has no figure {name!r}{nearest(name, FIGURES)}")
    path = out or Path(f"enacttom_{name}.svg")
    drawn = FIGURES[name](recorded(records), path)
    print_result(json, {"file": str(path), "drawn": drawn}, f"wrote {path}")


def table(
    name: Annotated[
        str,
        typer.Argument(
            help="Table: published, minds (every measure of the recorded episodes), or statistics (of tasks)."
        ),
    ] = "published",
    records: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Folders or files of episodes, as 'evaluate' writes them; for statistics, suites or folders of tasks. "
            "[default for statistics: all suites]"
        ),
    ] = None,
    out: OutFile = None,
    json: Json = False,
) -> None:
    """Print the published table with recorded results added, every measure of the recorded episodes, or statistics."""
    from otherminds.worlds.enacttom.cli.statistics import statistics
    from otherminds.worlds.enacttom.evals.published import as_tables, table

    if name not in _TABLES:
        raise UserError(f"EnactToM has no table {name!r}{nearest(name, _TABLES)}")
    if name == "statistics":
        statistics(list(map(str, records or [])), out, json)
        return
    if name == "minds":
        _minds(records or [], out, json)
        return
    rows = table(recorded(records or []))
    print_result(json, rows, *as_tables(rows))


def _minds(records: Sequence[Path], out: Path | None, json: bool) -> None:
    """Summarize recorded episodes by the minds that played them."""
    from otherminds.worlds.enacttom.evals.scores import summary

    if not records:
        raise UserError("the table 'minds' needs records; name folders or files of episodes")
    teams = recorded(records)
    scored = [task for tasks in teams.values() for task in tasks]
    numbers = sorted({len(task.headline) for task in scored})
    report = {
        "tasks": sorted({task.entry.task.id for task in scored}),
        "runs": " to ".join(map(str, dict.fromkeys((numbers[0], numbers[-1])))),
        "teams": [summary(team, runs) for team, runs in teams.items()],
    }
    print_result(json, report, *_tables(report), out=out)


def recorded(paths: Sequence[Path]) -> dict[str, Any]:
    """The scored episodes in some records, by the minds that played them."""
    from otherminds.core.episodes import read_episodes, record_files
    from otherminds.worlds.enacttom.evals.scores import score_records

    files = record_files(paths)
    if paths and not files:
        raise UserError(f"no episodes in {', '.join(map(str, paths))}; expected records that 'evaluate --out' wrote")
    episodes = [episode for file in files for episode in read_episodes(file)]
    finished = [episode for episode in episodes if episode.end is not None]
    if episodes and not finished:
        raise UserError(f"no episode in {', '.join(map(str, files))} is finished; nothing to summarise")
    if len(finished) < len(episodes):
        console(stderr=True).print(skipped_text(len(episodes) - len(finished)))
    return score_records(episodes)


def _tables(report: Mapping[str, Any]) -> list[Table]:
    """Tables of every measure that some minds have a number for."""
    teams, tasks = report["teams"], report["tasks"]
    number = f"{len(tasks)} task{'s' if len(tasks) > 1 else ''}"
    about = f"{number}, {report['runs']} episodes each; percent with 95 % intervals, resampled by task"
    guess = [task["guess_chance"] for task in teams[0]["per_task"]]
    chance = f"a sweep passes by guessing with probability {100 * sum(guess) / len(guess):.2g} % (mean over tasks)"
    answering = [{**team, **team["accuracy"]} for team in teams]
    failing = [{"team": team["team"], **team["failures"]} for team in teams]
    labels = {label: label for label in teams[0]["failures"] if any(team["failures"][label] for team in teams)}
    balanced = "* accuracy by expected answer, chance at 0"
    few = f"no interval is given for fewer than {LEAST_TASKS} tasks; n is the number of tasks"
    doubts = {task["task"]: task["doubt"] for team in teams for task in team["per_task"] if task["doubt"]}
    warnings = [f"WARNING: results in {name} may be meaningless: {reason}" for name, reason in doubts.items()]
    tables = [
        _by_team(f"{about}\nacts: reaches the goal", teams, _ACTS, *warnings, chance, few),
        _published(teams),
        _by_team("says: answers all probes of an episode correctly", answering, _SAYS, balanced),
        _by_team("acts on what it says", teams, _GAPS),
        _by_group(teams),
    ]
    return [*tables, _by_team("what goes wrong: percent of episodes", failing, labels)] if labels else tables


_ACTS = {
    "average": "functional",
    "@3": "functional@3",
    "^3": "functional^3",
    "sweep": "sweep",
    "K-goals": "epistemic",
    "private": "private",
    "unharmed": "private_undamaged",
}
_SAYS = {
    "average": "literal",
    "@3": "literal@3",
    "^3": "literal^3",
    "paper's format": "original",
    "knows*": "knows",
    "values*": "values",
}
_GAPS = {"says - acts": "raw_gap", "conditional gap": "conditional_gap", "consistency": "consistency"}


def _by_team(title: str, teams: Sequence[Mapping[str, Any]], columns: Mapping[str, str], *notes: str) -> Table:
    """A row for each team of minds, without empty columns."""
    used = {head: name for head, name in columns.items() if any(team[name] is not None for team in teams)}
    rows = [[team["team"], *(_percent(team[name]) for name in used.values())] for team in teams]
    return Table(title, ["minds", *used], rows, notes)


def _published(teams: Sequence[Mapping[str, Any]]) -> Table:
    """Success as the paper counts it."""
    rows = []
    for team in teams:
        row: list[Any] = [team["team"]]
        for kind in ("functional", "literal"):
            account = team["published"][kind]
            numbers = [100 * account[name] if account else None for name in ("average", "error", "at3", "all3")]
            row += [Cell(numbers[0], numbers[1]), Cell(numbers[2]), Cell(numbers[3])]
        rows.append([*row, sum(task["missing"] for task in team["per_task"])])
    title = "computed as in the paper: three runs per task; percent with binomial standard error"
    heads = ["minds", "acts", "@3", "^3", "says", "@3", "^3", "missing"]
    return Table(title, heads, rows, ["missing runs count as failures in this table"])


def _by_group(teams: Sequence[Mapping[str, Any]]) -> Table:
    """Average, sweep and literal by depth, category, number of people and mechanic."""

    def shares(group: Mapping[str, Any]) -> str:
        values = [group[name] and group[name]["value"] for name in ("functional", "sweep", "literal")]
        return "/".join(_percent(value).figure for value in values)

    rows: list[list[str]] = []
    for axis, groups in teams[0]["by"].items():
        for value, mine in groups.items():
            rows.append([f"{axis} {value} ({mine['tasks']})", *(shares(team["by"][axis][value]) for team in teams)])
        rows.append([])
    return Table("average / sweep / literal by groups of tasks", ["", *(team["team"] for team in teams)], rows)


def _percent(value: Mapping[str, Any] | float | None) -> Cell:
    """A number in percent, with its interval, or with the number of tasks if they are too few for one."""
    if isinstance(value, Mapping):
        if value["low"] is None:
            return Cell(100 * value["value"], note=f"n = {value['tasks']}")
        return Cell(100 * value["value"], interval=(100 * value["low"], 100 * value["high"]))
    return Cell(None if value is None else 100 * value, digits=0)
