"""EnactToM on the command line: what recorded minds come to, beside the published table and in figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otherminds.cli.output import console, keep_result, print_json
from otherminds.core.errors import UserError, nearest

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

    def section(source: str) -> list[list[str]]:
        mine = [row for row in rows if row["source"] == source and any(column in row for column in columns)]
        return [[row["model"], *(text for column in columns for text in _cell(row.get(column)))] for row in mine]

    header = ["model", *(part for kind in KINDS for part in (kind, "@3", "^3"))]
    title = f"{split} tasks; percent, ± is the binomial standard error"
    _print_table(title, header, section("published"), section("ours"))


def _print_table(title: str, header: Sequence[str], *sections: Sequence[Sequence[str]]) -> None:
    """A table for people: names to the left, numbers to the right, a line between sections."""
    grid = Table(title=title, title_justify="left")
    for at, name in enumerate(header):
        grid.add_column(name, justify="right" if at else "left", no_wrap=not at)
    for rows in sections:
        for row in rows:
            grid.add_row(*row)
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
    _show_teams("acts: reaches the goal", teams, {**acts, **rest})
    guess = [one["guess_chance"] for one in teams[0]["per_task"]]
    out.print(f"by guessing, a sweep passes with a chance of {100 * sum(guess) / len(guess):.2g} % (mean over tasks)")
    says = {"average": "literal", "@3": "literal@3", "^3": "literal^3", "paper's format": "original"}
    answering = [{**one, **{f"{kind}*": one["accuracy"][kind] for kind in ("knows", "values")}} for one in teams]
    _show_teams(
        "says: answers all probes of an episode rightly", answering, {**says, "knows*": "knows*", "values*": "values*"}
    )
    out.print("* accuracy by expected answer, chance at 0")
    gaps = {"says - acts": "raw_gap", "conditional gap": "conditional_gap", "consistency": "consistency"}
    _show_teams("acts on what it says", teams, gaps)
    _show_groups(teams)
    labels = [label for label in teams[0]["failures"] if any(one["failures"][label] for one in teams)]
    if labels:
        rows = [[one["team"], *(_percent(one["failures"][label]) for label in labels)] for one in teams]
        _print_table("what goes wrong: percent of episodes", ["minds", *labels], rows)


def _show_teams(title: str, teams: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> None:
    """A row for each team of minds, without columns that nobody has a number in."""
    used = {head: name for head, name in columns.items() if any(one[name] is not None for one in teams)}
    rows = [[one["team"], *(_percent(one[name]) for name in used.values())] for one in teams]
    _print_table(title, ["minds", *used], rows)


def _show_groups(teams: Sequence[Mapping[str, Any]]) -> None:
    """Average, sweep and literal by depth, category, number of people and mechanic."""

    def cell(group: Mapping[str, Any]) -> str:
        shares = [group[name] for name in ("functional", "sweep", "literal")]
        return "/".join(_percent(share["value"] if share else None) for share in shares)

    sections = [
        [
            [f"{axis} {value} ({mine['tasks']})", *(cell(one["by"][axis][value]) for one in teams)]
            for value, mine in groups.items()
        ]
        for axis, groups in teams[0]["by"].items()
    ]
    _print_table("average / sweep / literal by groups of tasks", ["", *(one["team"] for one in teams)], *sections)


def _percent(value: Mapping[str, float] | float | None) -> str:
    """A number in percent, with its interval if it has one."""
    if isinstance(value, Mapping):
        return f"{100 * value['value']:.1f} [{100 * value['low']:.0f}, {100 * value['high']:.0f}]"
    return "–" if value is None else f"{100 * value:.0f}"
