"""Results of experiments with Decrypto as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from otherminds.results.table import Cell, Table
from otherminds.worlds.decrypto.types import ROLES


def result_tables(cells: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Tables of games, compared casts, measures and compared arms; empty ones are left out."""
    casts = [[next(iter(cell["arms"].values()))["minds"][role] for role in ROLES] for cell in cells]
    named = list(zip(cast_names(casts, "\n"), cells, strict=True))
    arms = [(f"{name}\n{arm}".strip(), content) for name, cell in named for arm, content in cell["arms"].items()]
    measures = [(name, {label: _cell(row["estimate"]) for label, row in arm["measures"].items()}) for name, arm in arms]
    differences = [
        (f"{name}\n{arms}", {label: _cell(row, is_signed=True) for label, row in rows.items()})
        for name, cell in named
        for arms, rows in cell["differences"].items()
    ]
    published = ("turns", "intercepts", "miscommunications", "wins")
    compared = [
        [name, *(_cell(cell["against_first"].get(figure), is_signed=True) for figure in published)]
        for name, cell in named
        if cell["against_first"]
    ]
    heads = ("inter-\ncepts", "mis-\ncomm.", "wins", "decoded\na turn", "caught\na turn", "valid")
    tables = [
        Table(
            f"games{_common(casts)}; turns with 95 % intervals over games",
            ["minds", "games", "turns", *heads],
            [_game_row(name, arm) for name, arm in arms],
        ),
        Table("compared with the first, game by game", ["minds", *published], compared),
        _by_label("measures: means within games, then over games", measures),
        _by_label("differences between arms, game by game", differences),
    ]
    return [table for table in tables if table.rows]


def cast_names(casts: Sequence[Sequence[str]], separator: str = ", ") -> list[str]:
    """A short name for each cast: the minds of the seats in which casts differ, or of all seats for a single cast."""
    seats = _differing(casts) or range(len(ROLES))
    return [separator.join(f"{ROLES[at]} {cast[at]}" for at in seats) for cast in casts]


def _common(casts: Sequence[Sequence[str]]) -> str:
    """The minds that all casts share."""
    same = [at for at in range(len(ROLES)) if at not in _differing(casts)] if len(casts) > 1 else []
    return " with " + ", ".join(f"{ROLES[at]} {casts[0][at]}" for at in same) if same else ""


def _differing(casts: Sequence[Sequence[str]]) -> list[int]:
    """Indices of the seats that are filled by different minds."""
    return [at for at in range(len(ROLES)) if len({cast[at] for cast in casts}) > 1]


def _game_row(name: str, arm: Mapping[str, Any]) -> list[Any]:
    """Length and endings of games, rates per turn, and the share of valid replies."""
    shares = [arm[figure]["value"] for figure in ("intercepts", "miscommunications", "wins")]
    shares += [arm["per_turn"][figure]["value"] for figure in ("decoded", "intercepted")]
    shares.append(min(arm["validity"][role]["valid"] for role in ROLES))
    return [name, arm["games"], _cell(arm["turns"]), *(Cell(share, digits=2) for share in shares)]


def _by_label(title: str, columns: Sequence[tuple[str, Mapping[str, Cell]]]) -> Table:
    labels = dict.fromkeys(label for _, column in columns for label in column)
    rows = [[label, *(column.get(label) for _, column in columns)] for label in labels]
    return Table(title, ["measure", *(name for name, _ in columns)], rows)


def _cell(estimate: Mapping[str, Any] | None, is_signed: bool = False) -> Cell:
    if estimate is None:
        return Cell()
    return Cell(estimate["value"], interval=(estimate["low"], estimate["high"]), digits=2, is_signed=is_signed)
