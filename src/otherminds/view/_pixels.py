"""Shapes as pixels, drawn to agree with what SVG prescribes. Needs Pillow; use it through ``shapes``."""

from __future__ import annotations

from functools import lru_cache

from PIL import ImageDraw, ImageFont

from otherminds.view.shapes import BASELINE, Circle, Label, Line, Polygon, Rect, Shape

_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def bounds(shape: Shape, unit: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """A box of pixels around all that a shape can touch."""
    if isinstance(shape, Label):
        return (0, 0, *size)
    if isinstance(shape, Circle):
        points = [(shape.x - shape.radius, shape.y - shape.radius), (shape.x + shape.radius, shape.y + shape.radius)]
    elif isinstance(shape, Rect):
        points = [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
    elif isinstance(shape, Polygon):
        points = list(shape.points)
    else:
        points = [(shape.x1, shape.y1), (shape.x2, shape.y2)]
    margin = shape.stroke_width + 1
    left, right = (round((f(x for x, _ in points) + by) * unit) for f, by in ((min, -margin), (max, margin)))
    upper, lower = (round((f(y for _, y in points) + by) * unit) for f, by in ((min, -margin), (max, margin)))
    return max(0, left), max(0, upper), min(size[0], right), min(size[1], lower)


def paint(draw: ImageDraw.ImageDraw, shape: Shape, unit: float) -> None:
    """Draw one opaque shape; ``unit`` is the number of pixels a unit of the scene takes."""
    if isinstance(shape, Label):
        _paint_label(draw, shape, unit)
        return
    thickness = max(1, round(shape.stroke_width * unit))
    half = shape.stroke_width / 2 if shape.stroke else 0.0
    if isinstance(shape, Line):
        ends = [(shape.x1 * unit, shape.y1 * unit), (shape.x2 * unit, shape.y2 * unit)]
        draw.line(ends, fill=shape.stroke, width=thickness)
    elif isinstance(shape, Polygon):
        points = [(x * unit, y * unit) for x, y in shape.points]
        if shape.fill:
            draw.polygon(points, fill=shape.fill)
        if shape.stroke:
            # Two extra points: the joint at the start is rounded like the others.
            draw.line([*points, *points[:2]], fill=shape.stroke, width=thickness, joint="curve")
    else:
        if isinstance(shape, Circle):
            sides = (shape.x - shape.radius, shape.y - shape.radius, shape.x + shape.radius, shape.y + shape.radius)
        else:
            sides = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
        # Pillow strokes inside the box and counts its last pixel in.
        box = [
            (sides[0] - half) * unit,
            (sides[1] - half) * unit,
            (sides[2] + half) * unit - 1,
            (sides[3] + half) * unit - 1,
        ]
        width = thickness if shape.stroke else 0
        if isinstance(shape, Circle):
            draw.ellipse(box, fill=shape.fill, outline=shape.stroke, width=width)
        else:
            corner = (shape.corner + half) * unit if shape.corner else 0
            draw.rounded_rectangle(box, corner, fill=shape.fill, outline=shape.stroke, width=width)


def _paint_label(draw: ImageDraw.ImageDraw, label: Label, unit: float) -> None:
    font = _font(label.size * unit)
    place = (label.x * unit, (label.y + BASELINE * label.size) * unit)
    # The face has one weight; a thin stroke in the same colour makes it bold.
    weight = max(1, round(label.size * unit * 0.025)) if label.is_bold else 0
    draw.text(place, label.text, fill=label.fill, font=font, anchor=_ANCHORS[label.anchor], stroke_width=weight)


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)
