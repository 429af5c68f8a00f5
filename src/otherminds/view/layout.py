"""Layout of pictures: rows, columns and wrapped text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from textwrap import wrap

from otherminds.view.shapes import Label, Line, Polygon, Scene, Shape

LETTER = 0.5  # mean width of a letter, in ems


def row(*scenes: Scene, gap: float) -> Scene:
    """Pictures beside each other."""
    left = _offsets([scene.width for scene in scenes], gap)
    shapes = (shape for scene, x in zip(scenes, left, strict=False) for shape in moved(scene.shapes, x, 0))
    return Scene(left[-1] - gap, max(scene.height for scene in scenes), tuple(shapes))


def column(*scenes: Scene, gap: float) -> Scene:
    """Pictures below each other."""
    top = _offsets([scene.height for scene in scenes], gap)
    shapes = (shape for scene, y in zip(scenes, top, strict=False) for shape in moved(scene.shapes, 0, y))
    return Scene(max(scene.width for scene in scenes), top[-1] - gap, tuple(shapes))


def _offsets(sizes: Sequence[float], gap: float) -> list[float]:
    return list(accumulate((size + gap for size in sizes), initial=0.0))


def text(lines: Sequence[str], width: float, size: float, colour: str, *, is_bold: bool = False) -> Scene:
    """Lines of text, wrapped to the width."""
    broken = [part for line in lines for part in wrap(line, int(width / (LETTER * size)))]
    step = size * 1.4
    shapes = [Label(0, (i + 0.5) * step, part, size, colour, is_bold=is_bold) for i, part in enumerate(broken)]
    return Scene(width, len(broken) * step, tuple(shapes))


def moved(shapes: Sequence[Shape], dx: float, dy: float) -> Iterator[Shape]:
    """The same shapes, moved."""
    for shape in shapes:
        if isinstance(shape, Polygon):
            yield replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
        elif isinstance(shape, Line):
            yield replace(shape, x1=shape.x1 + dx, y1=shape.y1 + dy, x2=shape.x2 + dx, y2=shape.y2 + dy)
        else:
            yield replace(shape, x=shape.x + dx, y=shape.y + dy)
