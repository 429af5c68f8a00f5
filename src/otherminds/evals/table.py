"""A table of results for people: made once from a record, shown in a terminal or written as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cell:
    """A number with what belongs beside it.

    Attributes:
        value: the number; ``None`` if there is none.
        error: a standard error or deviation.
        interval: its ends.
        published: the number it is compared with.
        note: further lines.
        digits: after the decimal point.
        is_signed: whether positive numbers have a sign.
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
        title: what it shows.
        columns: heads.
        rows: text, numbers or cells; an empty row stands for a line between sections.
        notes: below the table.
        texts: how many columns hold text; those after them hold numbers.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    notes: Sequence[str] = ()
    texts: int = 1

    @classmethod
    def of(cls, title: str, *sections: Sequence[Mapping[str, Any]], notes: Sequence[str] = (), texts: int = 1) -> Table:
        """A table of sections of rows, each row with what it has under which head."""
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
    """What a row has under a head as text: whole numbers as they are, others to about three digits."""
    if item is None:
        return "–"
    if not isinstance(item, float):
        return str(item)
    return f"{item:g}" if item == int(item) else f"{item:.3f}" if abs(item) < 10 else f"{item:.2f}"
