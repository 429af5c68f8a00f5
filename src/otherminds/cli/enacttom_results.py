"""EnactToM on the command line: what recorded minds come to, beside the published table and in figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otherminds.cli.output import console, keep_result, print_json
from otherminds.core.errors import UserError, nearest

_NONE = "–"
_TABLES = ("published", "minds")
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def figure(
    what: Annotated[str, typer.Argument(help="functional-literal: what minds do against what they say; or depth.")],
    records: Annotated[list[Path], typer.Argument(help="Folders or files of episodes, as 'evaluate' keeps them.")],
    out: Annotated[Path | None, typer.Option(help="A .svg, .png or .pdf file.")] = None,
    json: Json = False,
) -> None:
    """Draw what minds do against what they say, or how often they succeed at each depth."""
    from otherminds.evals.enacttom.figures import FIGURES

    if what not in FIGURES:
        raise UserError(f"there is no figure {what!r} of EnactToM{nearest(what, FIGURES)}")
    path = out or Path(f"enacttom_{what}.svg")
    drawn = FIGURES[what](recorded(records), path)
    if json:
        print_json({"file": str(path), "drawn": drawn})
    else:
        typer.echo(f"wrote {path}")


def table(
    what: Annotated[str, typer.Argument(help="published, or minds: every measure of recorded minds.")] = "published",
    records: Annotated[
        list[Path] | None, typer.Argument(help="Folders or files of episodes, as 'evaluate' keeps them.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="File for the table of minds, with its command.")] = None,
    json: Json = False,
) -> None:
    """The published table of EnactToM with ours beside it; or every measure of recorded minds, with intervals."""
    from otherminds.evals.enacttom.published import SPLITS, table

    if what not in _TABLES:
        raise UserError(f"there is no table {what!r} of EnactToM{nearest(what, _TABLES)}")
    if what == "minds":
        _minds(records or [], out, json)
        return
    rows = table(recorded(records or []))
    if json:
        print_json(rows)
        return
    for split in SPLITS:
        _show_split(split, rows)


def _minds(records: Sequence[Path], out: Path | None, json: bool) -> None:
    """Sum up recorded episodes by who played: people, language models, minds of ours."""
    from otherminds.evals.enacttom.scores import summary

    if not records:
        raise UserError("the table of minds needs records; name folders or files of episodes")
    teams = recorded(records)
    numbers = sorted({len(one.headline) for runs in teams.values() for one in runs})
    report = {
        "tasks": sorted({one.entry.task.id for runs in teams.values() for one in runs}),
        "runs": " to ".join(map(str, dict.fromkeys((numbers[0], numbers[-1])))),
        "teams": [summary(team, runs) for team, runs in teams.items()],
    }
    keep_result(out, report)
    if json:
        print_json(report)
    else:
        _show(report)


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


def recorded(paths: Sequence[Path]) -> dict[str, Any]:
    """The scored episodes of each team of minds in some records."""
    from otherminds.core.episodes import read_episodes
    from otherminds.evals.enacttom.scores import score_records

    files = [file for path in paths for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    if paths and not files:
        raise UserError(
            f"there are no episodes in {', '.join(map(str, paths))}; expected what 'evaluate' keeps with --out"
        )
    every = [episode for file in files for episode in read_episodes(file)]
    whole = [episode for episode in every if episode.end is not None]
    if every and not whole:
        raise UserError(f"no episode in {', '.join(map(str, files))} was played to its end; there is nothing to sum up")
    if len(whole) < len(every):
        console(stderr=True).print(f"{len(every) - len(whole)} unfinished episodes were left out")
    return score_records(whole)


def _show(report: Mapping[str, Any]) -> None:
    teams, out = report["teams"], console()
    tasks = f"{len(report['tasks'])} task{'s' if len(report['tasks']) > 1 else ''}"
    out.print(f"{tasks}, {report['runs']} episodes each; percent with 95 % intervals, resampled by task")
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
    out.print(_grid("says: answers all probes of an episode rightly", teams, columns))
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
    """A row for each team of minds, without columns that nobody has a number in."""
    rows = [[cell(one) for cell in columns.values()] for one in teams]
    used = [at for at in range(len(columns)) if any(row[at] != _NONE for row in rows)]
    grid = Table(title=title, title_justify="left")
    grid.add_column("minds")
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
    grid = Table(title="what goes wrong: percent of episodes", title_justify="left")
    grid.add_column("minds")
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
