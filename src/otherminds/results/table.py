"""A table of results, printed in a terminal or written as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cell:
    """A number with its error, interval and published value.

    Attributes:
        value: Number; ``None`` if there is none.
        error: Standard error or deviation.
        interval: Both ends of the interval.
        published: Published number to compare with.
        note: Further lines of text.
        digits: Digits after the decimal point.
        is_signed: Whether positive numbers have a sign.
    """

    value: float | None = None
    error: float | None = None
    interval: tuple[float | None, float | None] = (None, None)
    published: float | None = None
    note: str = ""
    digits: int = 1
    is_signed: bool = False

    @property
    def figure(self) -> str:
        """The number alone; a dash where there is none."""
        return "–" if self.value is None else f"{self.value:{'+' if self.is_signed else ''}.{self.digits}f}"

    @property
    def beside(self) -> str:
        """Everything but the number."""
        low, high = self.interval
        error = "" if self.error is None else f" ±{self.error:.{self.digits}f}"
        interval = "" if low is None or high is None else f" {low:.{self.digits}f}…{high:.{self.digits}f}"
        published = "" if self.published is None else f" ({self.published:g})"
        return error + interval + published + (self.note and f"\n{self.note}")

    def __str__(self) -> str:
        return self.figure + self.beside


@dataclass(frozen=True)
class Table:
    """Rows under heads.

    Attributes:
        title: Title.
        columns: Heads of the columns.
        rows: Text, numbers or cells; an empty row is a line between sections.
        notes: Lines below the table.
        texts: Number of leading columns with text; the others hold numbers.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    notes: Sequence[str] = ()
    texts: int = 1

    @classmethod
    def of(cls, title: str, *sections: Sequence[Mapping[str, Any]], notes: Sequence[str] = (), texts: int = 1) -> Table:
        """A table of sections of rows, each row a mapping from head to content."""
        heads = list(dict.fromkeys(head for rows in sections for row in rows for head in row))
        lines = [[*([row.get(head, "") for head in heads] for row in rows), []] for rows in sections]
        return cls(title, heads, [line for section in lines for line in section][:-1], notes, texts)

    def to_markdown(self) -> str:
        """Head and rows, without title and notes."""
        rule = "|" + "---|" * self.texts + "---:|" * (len(self.columns) - self.texts)
        head, *rows = (
            "|" + "|".join(f" {text_of(item)} ".replace("  ", " ") for item in row) + "|"
            for row in (self.columns, *filter(None, self.rows))
        )
        return "\n".join([head, rule, *rows])


def text_of(item: Any) -> str:
    """The content of a cell as text: whole numbers as they are, others with about three digits."""
    if item is None:
        return "–"
    if not isinstance(item, float):
        return str(item)
    return f"{item:g}" if item == int(item) else f"{item:.3f}" if abs(item) < 10 else f"{item:.2f}"
