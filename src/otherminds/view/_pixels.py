"""Shapes as pixels, drawn to agree with what SVG prescribes. Needs Pillow; use it through ``shapes``."""

from __future__ import annotations

from functools import lru_cache

from PIL import ImageDraw, ImageFont

from otherminds.view.shapes import BASELINE, Circle, Label, Line, Polygon, Shape

_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def paint(draw: ImageDraw.ImageDraw, shape: Shape, unit: float) -> None:
    """Draw one shape; ``unit`` is the number of pixels a unit of the scene takes."""

    def ink(colour: str | None) -> str | None:
        return colour and f"{colour}{round(255 * shape.opacity):02x}"

    if isinstance(shape, Label):
        font = _font(shape.size * unit)
        place = (shape.x * unit, (shape.y + BASELINE * shape.size) * unit)
        # The face has one weight; a thin stroke in the same colour makes it bold.
        weight = max(1, round(shape.size * unit * 0.025)) if shape.is_bold else 0
        draw.text(place, shape.text, ink(shape.fill), font, _ANCHORS[shape.anchor], stroke_width=weight)
        return
    thickness = max(1, round(shape.stroke_width * unit))
    half = shape.stroke_width / 2 if shape.stroke else 0.0
    if isinstance(shape, Line):
        ends = [(shape.x1 * unit, shape.y1 * unit), (shape.x2 * unit, shape.y2 * unit)]
        draw.line(ends, fill=ink(shape.stroke), width=thickness)
    elif isinstance(shape, Polygon):
        points = [(x * unit, y * unit) for x, y in shape.points]
        if shape.fill:
            draw.polygon(points, fill=ink(shape.fill))
        if shape.stroke:
            # Two extra points: the joint at the start is rounded like the others.
            draw.line([*points, *points[:2]], fill=ink(shape.stroke), width=thickness, joint="curve")
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
            draw.ellipse(box, fill=ink(shape.fill), outline=ink(shape.stroke), width=width)
        else:
            corner = (shape.corner + half) * unit if shape.corner else 0
            draw.rounded_rectangle(box, corner, fill=ink(shape.fill), outline=ink(shape.stroke), width=width)


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)
