"""EnactToM on the command line: put teams to tasks, and set them beside the published table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otherminds.cli.enacttom_models import evaluate_language_models, show_validity
from otherminds.cli.models import Connections, LogDir, PriceIn, PriceOut, Temperature, Yes, option
from otherminds.cli.output import console, print_json, progress
from otherminds.core.errors import UserError, nearest

TEAMS = "oracle,tracker:depth=1,tracker:depth=2,tracker:depth=3,greedy,decoupled,random"
_NONE = "–"
Json = Annotated[bool, typer.Option("--json", help="Print for programs.")]


def evaluate(
    tasks: Annotated[
        list[str] | None, typer.Argument(help="Files of tasks, or names of shipped ones; all shipped by default.")
    ] = None,
    team: Annotated[str, typer.Option("--team", "--teams", help="Players by commas, each filling all seats.")] = TEAMS,
    seats: Annotated[
        str,
        typer.Option(help="Somebody else in some seats of every team, as ann=tracker:depth=2,ben=greedy or 2=greedy."),
    ] = "",
    runs: Annotated[int, typer.Option(help="Of each task; three as published.", min=1)] = 3,
    seed: Annotated[int, typer.Option(help="Of the order of worlds, and of players that draw.")] = 0,
    seconds: Annotated[float, typer.Option(help="Time for each question to the solver.", min=0)] = 120.0,
    out: Annotated[
        Path | None, typer.Option(help="A folder for all runs and the summary; the same command goes on there.")
    ] = None,
    model: Annotated[
        str | None, option(help="In place of teams: local, or any model of Inspect, in all seats that name nobody.")
    ] = None,
    form: Annotated[str, option(help="free: in words; schema: structured output; auto: as suits.")] = "auto",
    attempts: Annotated[int, option(help="Before waiting stands for an act.", min=1)] = 3,
    timeout: Annotated[int, option(help="Seconds after which a call costs an attempt; 0: none.", min=0)] = 120,
    limit: Annotated[int | None, option(help="At most so many runs.", min=1)] = None,
    max_tokens: Annotated[int | None, option(help="That a model may write in a reply.", min=1)] = None,
    connections: Connections = None,
    temperature: Temperature = None,
    log_dir: LogDir = Path("logs"),
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Put teams to tasks: do they act on what they know, can they say it, and what goes wrong?"""
    from otherminds.core.files import write_whole
    from otherminds.evals.enacttom.bench import Team, run_team, schedule
    from otherminds.evals.enacttom.scores import score_tasks, summary
    from otherminds.players.enacttom.find import find_seat

    if model:
        asking = {
            "connections": connections,
            "temperature": temperature,
            "log_dir": log_dir,
            "price_in": price_in,
            "price_out": price_out,
            "yes": yes,
            "json": json,
            "limit": limit,
        }
        how: dict[str, Any] = {"form": form, "attempts": attempts, "timeout": timeout, "max_tokens": max_tokens}
        said = evaluate_language_models(model, tasks, seats, runs=runs, seed=seed, out=out, asking=asking, **how)
        if json:
            print_json(said)
        else:
            _show(said)
            show_validity(said)
        return
    mixed = _seats(seats)
    teams = [Team(name, mixed) for name in _names(team)]
    for name in [*(one.player for one in teams), *(player for _, player in mixed)]:
        find_seat(name)  # before anything that takes long
    entries = _entries(tasks, seconds, json)
    for one in teams:
        for entry in entries:
            one.players(entry.task)
    total = len(teams) * sum(len(schedule(entry, runs, seed)) for entry in entries)
    found: list[dict[str, Any]] = []
    with progress("playing", total, hidden=json) as advance:
        for one in teams:
            played = run_team(entries, one, out, runs, seed, advance)
            found.append(summary(one.name, score_tasks(entries, played, runs)))
    report = {"tasks": [entry.task.id for entry in entries], "runs": runs, "seed": seed, "teams": found}
    if out:
        import json as text

        write_whole(out / "summary.json", text.dumps(report, indent=1) + "\n")
    if json:
        print_json(report)
    else:
        _show(report)


def score(
    records: Annotated[list[Path], typer.Argument(help="Records of 'play' or 'evaluate', or folders of them.")],
    json: Json = False,
) -> None:
    """Sum up recorded runs of the household by team, whoever played: people, language models, players of ours."""
    from otherminds.evals.enacttom.scores import summary

    teams = recorded(records)
    numbers = sorted({len(one.headline) for runs in teams.values() for one in runs})
    report = {
        "tasks": sorted({one.entry.task.id for runs in teams.values() for one in runs}),
        "runs": " to ".join(map(str, dict.fromkeys((numbers[0], numbers[-1])))),
        "teams": [summary(team, runs) for team, runs in teams.items()],
    }
    if json:
        print_json(report)
    else:
        _show(report)


def table(
    what: Annotated[str, typer.Argument(help="published")] = "published",
    records: Annotated[
        list[Path] | None, typer.Argument(help="Folders or files of runs to set beside it, as 'evaluate' keeps them.")
    ] = None,
    json: Json = False,
) -> None:
    """The published table of EnactToM in its own layout, with our teams beside it."""
    from otherminds.evals.enacttom.published import SPLITS, table

    if what != "published":
        raise UserError(f"there is no table {what!r} of EnactToM{nearest(what, ['published'])}")
    rows = table(recorded(records or []))
    if json:
        print_json(rows)
        return
    for split in SPLITS:
        _show_split(split, rows)


def _show_split(split: str, rows: Sequence[Mapping[str, Any]]) -> None:
    from otherminds.evals.enacttom.published import KINDS

    columns = [f"{split} {kind}" for kind in KINDS]
    grid = Table(title=f"{split} tasks; percent, ± is the binomial standard error", title_justify="left")
    grid.add_column("model", no_wrap=True)
    for column in columns:
        for part in (column.removeprefix(f"{split} "), "@3", "^3"):
            grid.add_column(part, justify="right")
    for source in ("published", "ours"):
        for row in rows:
            if row["source"] == source and any(column in row for column in columns):
                grid.add_row(row["model"], *(text for column in columns for text in _cell(row.get(column))))
        grid.add_section()
    console().print(grid)


def _cell(cell: Mapping[str, float] | None) -> tuple[str, str, str]:
    if cell is None:
        return "", "", ""
    return f"{cell['average']:.1f}±{cell['error']:.1f}", f"{cell['at3']:.1f}", f"{cell['all3']:.1f}"


def _names(text: str) -> list[str]:
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise UserError("there is no team; name at least one, such as oracle")
    return found


def _seats(text: str) -> tuple[tuple[str, str], ...]:
    found = []
    for part in (part.strip() for part in text.split(",") if part.strip()):
        person, _, player = part.partition("=")
        if not person or not player:
            raise UserError(f"--seats has {part!r}; expected a person and a player, such as ann=greedy")
        found.append((person, player))
    return tuple(found)


def _entries(tasks: Sequence[str] | None, seconds: float, is_quiet: bool) -> list[Any]:
    from otherminds.evals.enacttom.bench import enter
    from otherminds.worlds.enacttom.read import find_task, read_task, task_names

    found = []
    names = tasks or task_names()
    with progress("reading tasks", len(names), hidden=is_quiet) as advance:
        for name in names:
            found.append(enter(read_task(find_task(name)), seconds))
            advance(name)
    ids = [entry.task.id for entry in found]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise UserError(f"several tasks are called {', '.join(twice)}; give each its own id")
    return found


def recorded(paths: Sequence[Path]) -> dict[str, Any]:
    """The scored runs of each team in some records."""
    from otherminds.core.episodes import read_episodes
    from otherminds.evals.enacttom.scores import score_records

    files = [file for path in paths for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    if paths and not files:
        raise UserError(f"there are no runs in {', '.join(map(str, paths))}; expected what 'evaluate' keeps with --out")
    every = [episode for file in files for episode in read_episodes(file)]
    whole = [episode for episode in every if episode.end is not None]
    if every and not whole:
        raise UserError(f"no run in {', '.join(map(str, files))} was played to its end; there is nothing to sum up")
    if len(whole) < len(every):
        console(stderr=True).print(f"{len(every) - len(whole)} unfinished runs were left out")
    return score_records(whole)


def _show(report: Mapping[str, Any]) -> None:
    teams, out = report["teams"], console()
    tasks = f"{len(report['tasks'])} task{'s' if len(report['tasks']) > 1 else ''}"
    out.print(f"{tasks}, {report['runs']} runs each; percent with 95 % intervals, resampled by task")
    acts = {"average": "functional", "@3": "functional@3", "^3": "functional^3", "sweep": "sweep"}
    rest = {"K-goals": "epistemic", "private": "private", "unharmed": "private_undamaged"}
    out.print(_grid("acts: reaches the goal", teams, _shares({**acts, **rest})))
    guess = [one["guess_chance"] for one in teams[0]["per_task"]]
    out.print(f"by guessing, a sweep passes with a chance of {100 * sum(guess) / len(guess):.2g} % (mean over tasks)")
    says = {"average": "literal", "@3": "literal@3", "^3": "literal^3", "paper's format": "original"}
    columns: dict[str, Callable[[Mapping[str, Any]], str]] = {
        **_shares(says),
        "knows*": lambda one: _percent(one["accuracy"]["knows"]),
        "values*": lambda one: _percent(one["accuracy"]["values"]),
    }
    out.print(_grid("says: answers all questions of a run rightly", teams, columns))
    out.print("* accuracy by expected answer, chance at 0")
    gaps = {"conditional gap": "conditional_gap", "consistency": "consistency"}
    columns = {"says - acts": lambda one: _percent(one["raw_gap"]), **_shares(gaps)}
    out.print(_grid("acts on what it says", teams, columns))
    _show_groups(teams)
    _show_failures(teams)


def _shares(columns: Mapping[str, str]) -> dict[str, Callable[[Mapping[str, Any]], str]]:
    def cell(name: str) -> Callable[[Mapping[str, Any]], str]:
        return lambda one: _share(one[name])

    return {head: cell(name) for head, name in columns.items()}


def _grid(
    title: str, teams: Sequence[Mapping[str, Any]], columns: Mapping[str, Callable[[Mapping[str, Any]], str]]
) -> Table:
    """A row for each team, without columns that nobody has a number in."""
    rows = [[cell(one) for cell in columns.values()] for one in teams]
    used = [at for at in range(len(columns)) if any(row[at] != _NONE for row in rows)]
    grid = Table(title=title, title_justify="left")
    grid.add_column("team")
    for at in used:
        grid.add_column(list(columns)[at], justify="right")
    for one, row in zip(teams, rows, strict=True):
        grid.add_row(one["team"], *(row[at] for at in used))
    return grid


def _show_groups(teams: Sequence[Mapping[str, Any]]) -> None:
    """Average, sweep and literal by depth, category, number of people and mechanic."""
    grid = Table(title="average / sweep / literal by groups of tasks", title_justify="left")
    grid.add_column("")
    for one in teams:
        grid.add_column(one["team"], justify="right")
    for axis, groups in teams[0]["by"].items():
        for value, mine in groups.items():
            cells = [one["by"][axis][value] for one in teams]
            grid.add_row(
                f"{axis} {value} ({mine['tasks']})",
                *("/".join(_percent(_value(c[name])) for name in ("functional", "sweep", "literal")) for c in cells),
            )
        grid.add_section()
    console().print(grid)


def _show_failures(teams: Sequence[Mapping[str, Any]]) -> None:
    labels = [label for label in teams[0]["failures"] if any(one["failures"][label] for one in teams)]
    if not labels:
        return
    grid = Table(title="what goes wrong: percent of runs", title_justify="left")
    grid.add_column("team")
    for label in labels:
        grid.add_column(label, justify="right")
    for one in teams:
        grid.add_row(one["team"], *(_percent(one["failures"][label]) for label in labels))
    console().print(grid)


def _value(one: Mapping[str, float] | None) -> float | None:
    return one["value"] if one else None


def _percent(value: float | None) -> str:
    return _NONE if value is None else f"{100 * value:.0f}"


def _share(one: Mapping[str, float] | None) -> str:
    if one is None:
        return _NONE
    return f"{100 * one['value']:.1f} [{100 * one['low']:.0f}, {100 * one['high']:.0f}]"
