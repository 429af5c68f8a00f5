"""How results of Decrypto look in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from otherminds.worlds.decrypto.types import ROLES

Cells = Sequence[Mapping[str, Any]]


def result_grids(cells: Cells) -> Iterator[Table]:
    """How games went, casts compared, the measures, arms compared, and kinds of keywords; those that have rows."""
    names = [escape(name) for name in cast_names(list(map(_minds, cells)), "\n")]
    for make in (_games, _against, _measures, _differences, _kinds):
        grid = make(cells, names)
        if grid.row_count:
            yield grid


def cast_names(casts: Sequence[Sequence[str]], separator: str = ", ") -> list[str]:
    """A short name for each cast of three minds: the seats in which they differ, or all if there is one cast only."""
    seats = _differing(casts) or range(len(ROLES))
    return [separator.join(f"{ROLES[at]} {cast[at]}" for at in seats) for cast in casts]


def _games(cells: Cells, names: Sequence[str]) -> Table:
    """Length and end of games, rates per turn, and how often answers were taken."""
    casts = list(map(_minds, cells))
    same = [at for at in range(len(ROLES)) if at not in _differing(casts)] if len(casts) > 1 else []
    common = ", ".join(f"{ROLES[at]} {casts[0][at]}" for at in same)
    title = f"games{f' with {escape(common)}' if common else ''}; turns with 95 % intervals over games"
    heads = ("games", "turns", "inter-\ncepts", "mis-\ncomm.", "wins", "decoded\na turn", "caught\na turn", "valid")
    grid = _table(title, "minds", heads, no_wrap=True)
    for name, arm in _arms(cells, names):
        grid.add_row(
            name,
            str(arm["games"]),
            _number(arm["turns"]),
            *(f"{arm[figure]['value']:.2f}" for figure in ("intercepts", "miscommunications", "wins")),
            *(f"{arm['per_turn'][figure]['value']:.2f}" for figure in ("decoded", "intercepted")),
            f"{min(arm['validity'][role]['valid'] for role in ROLES):.2f}",
        )
    return grid


def _against(cells: Cells, names: Sequence[str]) -> Table:
    """Every cast compared with the first, on the same games."""
    figures = ("turns", "intercepts", "miscommunications", "wins")
    grid = _table("compared with the first, game by game", "minds", figures)
    for name, cell in zip(names, cells, strict=True):
        if cell["against_first"]:
            grid.add_row(name, *(_number(cell["against_first"][figure], signed=True) for figure in figures))
    return grid


def _measures(cells: Cells, names: Sequence[str]) -> Table:
    """The experiment's measures, a column for each cast and arm."""
    arms = list(_arms(cells, names))
    grid = _table("measures: means within games, then over games", "measure", [name for name, _ in arms])
    for label in dict.fromkeys(label for _, arm in arms for label in arm["measures"]):
        grid.add_row(escape(label), *(_number(arm["measures"][label]["estimate"]) for _, arm in arms))
    return grid


def _differences(cells: Cells, names: Sequence[str]) -> Table:
    """Arms compared on the same games."""
    columns = {
        f"{name}\n{escape(arms)}": rows
        for name, cell in zip(names, cells, strict=True)
        for arms, rows in cell["differences"].items()
    }
    grid = _table("differences between arms, game by game", "measure", columns)
    for label in dict.fromkeys(label for rows in columns.values() for label in rows):
        grid.add_row(escape(label), *(_number(rows.get(label), signed=True) for rows in columns.values()))
    return grid


def _kinds(cells: Cells, names: Sequence[str]) -> Table:
    """Concrete and abstract keywords apart; nothing where all are of one kind."""
    rates = ("decoded", "intercepted", "named")
    grid = _table("by kind of keyword: hints whose digit was got right", "minds", ("keywords", "hints", *rates))
    if any(len(cell["kinds"]) > 1 for cell in cells):
        for name, cell in zip(names, cells, strict=True):
            for kind, row in cell["kinds"].items():
                grid.add_row(name, kind, str(row["hints"]), *(_number(row.get(rate)) for rate in rates))
    return grid


def _table(title: str, first: str, others: Iterable[str], no_wrap: bool = False) -> Table:
    grid = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    grid.add_column(first, overflow="fold", no_wrap=first == "measure")
    for head in others:
        grid.add_column(head, justify="right", overflow="fold", no_wrap=no_wrap)
    return grid


def _arms(cells: Cells, names: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for cell, name in zip(cells, names, strict=True):
        for arm, content in cell["arms"].items():
            yield name + (f"\n{escape(arm)}" if arm else ""), content


def _minds(cell: Mapping[str, Any]) -> list[str]:
    return [next(iter(cell["arms"].values()))["minds"][role] for role in ROLES]


def _differing(casts: Sequence[Sequence[str]]) -> list[int]:
    """The seats that are not filled by the same mind throughout."""
    return [at for at in range(len(ROLES)) if len({cast[at] for cast in casts}) > 1]


def _number(found: Mapping[str, Any] | None, signed: bool = False) -> str:
    if found is None:
        return "–"
    value = f"{found['value']:+.2f}" if signed else f"{found['value']:.2f}"
    if found["low"] is None:
        return value
    return f"{value} [dim]{found['low']:.2f}–{found['high']:.2f}[/dim]"
