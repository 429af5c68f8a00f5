"""Figures in one style, written to a file whose name says its kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, need

FORMATS = (".png", ".svg", ".pdf")
_STYLE: Any = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 9.5}


@contextmanager
def drawing(size: tuple[float, float], path: str | Path) -> Iterator[Any]:
    """Yield an empty figure, which is written to a file when the block ends.

    Args:
        size: width and height in inches.
        path: ends in .png, .svg or .pdf. Its folder is made where needed.

    Raises:
        MissingExtra: without matplotlib.
        UserError: if the suffix is another, or the file cannot be written.
    """
    path = Path(path)
    if path.suffix not in FORMATS:
        raise UserError(f"{path} has no known suffix; expected a name ending in {', '.join(FORMATS)}")
    mpl = need("matplotlib", "figures need matplotlib", "figures")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        yield figure
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(path, dpi=160)
        except OSError as error:
            raise UserError(f"cannot write {path}: {error.strerror}; choose another path") from error
