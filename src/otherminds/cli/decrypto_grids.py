"""How results of Decrypto look in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from otherminds.worlds.decrypto.types import ROLES

Cells = Sequence[Mapping[str, Any]]


def games_grid(cells: Cells) -> Table:
    """Length and end of games, rates per turn, and how often answers were taken."""
    common = _common(cells)
    grid = _table(f"games{f' with {common}' if common else ''}; turns with 95 % intervals over games")
    grid.add_column("minds", overflow="fold")
    heads = ("games", "turns", "inter-\ncepts", "mis-\ncomm.", "wins", "decoded\na turn", "caught\na turn", "valid")
    for head in heads:
        grid.add_column(head, justify="right", no_wrap=True)
    for name, arm in _arms(cells):
        grid.add_row(
            name,
            str(arm["games"]),
            _number(arm["turns"]),
            *(f"{arm[figure]['value']:.2f}" for figure in ("intercepts", "miscommunications", "wins")),
            *(f"{arm['per_turn'][figure]['value']:.2f}" for figure in ("decoded", "intercepted")),
            f"{min(arm['validity'][role]['valid'] for role in ROLES):.2f}",
        )
    return grid


def against_grid(cells: Cells) -> Table | None:
    """Every cast compared with the first, on the same games."""
    found = [(who, cell["against_first"]) for who, cell in zip(_names(cells), cells, strict=True)]
    if not any(rows for _, rows in found):
        return None
    grid = _table("compared with the first, game by game")
    grid.add_column("minds", overflow="fold")
    names = ("turns", "intercepts", "miscommunications", "wins")
    for name in names:
        grid.add_column(name, justify="right")
    for who, rows in found:
        if rows:
            grid.add_row(who, *(_number(rows[name], signed=True) for name in names))
    return grid


def measures_grid(cells: Cells) -> Table | None:
    """The experiment's measures, a column for each cast and arm."""
    columns = list(_arms(cells))
    labels = list(dict.fromkeys(label for _, arm in columns for label in arm["measures"]))
    if not labels:
        return None
    grid = _table("measures: means within games, then over games")
    grid.add_column("measure", no_wrap=True)
    for name, _ in columns:
        grid.add_column(name, justify="right", overflow="fold")
    for label in labels:
        grid.add_row(escape(label), *(_number(arm["measures"][label]["estimate"]) for _, arm in columns))
    return grid


def differences_grid(cells: Cells) -> Table | None:
    """Arms compared on the same games."""
    named = list(zip(_names(cells), cells, strict=True))
    found = [(who, name, rows) for who, cell in named for name, rows in cell["differences"].items()]
    if not found:
        return None
    grid = _table("differences between arms, game by game")
    grid.add_column("measure", no_wrap=True)
    for who, name, _ in found:
        grid.add_column(f"{who}\n{escape(name)}", justify="right", overflow="fold")
    for label in dict.fromkeys(label for *_, rows in found for label in rows):
        grid.add_row(escape(label), *(_number(rows.get(label), signed=True) for *_, rows in found))
    return grid


def kinds_grid(cells: Cells) -> Table | None:
    """Concrete and abstract keywords apart."""
    if all(len(cell["kinds"]) < 2 for cell in cells):
        return None
    grid = _table("by kind of keyword: hints whose digit was got right")
    grid.add_column("minds", overflow="fold")
    grid.add_column("keywords")
    for head in ("hints", "decoded", "intercepted", "named"):
        grid.add_column(head, justify="right")
    for who, cell in zip(_names(cells), cells, strict=True):
        for kind, row in cell["kinds"].items():
            rates = [_number(row.get(name)) for name in ("decoded", "intercepted", "named")]
            grid.add_row(who, kind, str(row["hints"]), *rates)
    return grid


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))


def _arms(cells: Cells) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for cell, who in zip(cells, _names(cells), strict=True):
        for name, arm in cell["arms"].items():
            yield who + (f"\n{escape(name)}" if name else ""), arm


def _minds(cell: Mapping[str, Any]) -> tuple[str, ...]:
    first = next(iter(cell["arms"].values()))
    return tuple(first["minds"][role] for role in ROLES)


def _differing(cells: Cells) -> list[int]:
    """The roles that are not played by the same throughout; all of them if there is one cast only."""
    casts = [_minds(cell) for cell in cells]
    return [i for i in range(len(ROLES)) if len({cast[i] for cast in casts}) > 1] or list(range(len(ROLES)))


def _names(cells: Cells) -> list[str]:
    """Short names of casts: the roles in which they differ."""
    roles = _differing(cells)
    return [escape("\n".join(f"{ROLES[i]} {_minds(cell)[i]}" for i in roles)) for cell in cells]


def _common(cells: Cells) -> str:
    """Who plays throughout."""
    roles = [i for i in range(len(ROLES)) if i not in _differing(cells)]
    return escape(", ".join(f"{ROLES[i]} {_minds(cells[0])[i]}" for i in roles)) if cells else ""


def _number(found: Mapping[str, Any] | None, signed: bool = False) -> str:
    if found is None:
        return "–"
    value = f"{found['value']:+.2f}" if signed else f"{found['value']:.2f}"
    if found["low"] is None:
        return value
    return f"{value} [dim]{found['low']:.2f}–{found['high']:.2f}[/dim]"
