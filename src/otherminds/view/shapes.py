"""A small display list, and the same as SVG; :mod:`otherminds.view.pixels` draws it as PNG and GIF.

Units are pixels at scale 1, the origin is the upper left corner and y points down. Colours are ``#rrggbb``. Shapes are
painted in order. A stroke is centred on its outline, as in SVG, and ``opacity`` fades fill and stroke together.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Literal

# Helvetica and Arial come closest to the face that Pillow brings along.
FONT_FAMILY = "Helvetica, Arial, sans-serif"
# From the middle of a line of capitals and digits down to the baseline, in ems.
BASELINE = 0.36


@dataclass(frozen=True)
class Rect:
    """A rectangle; x and y are its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 1.0
    corner: float = 0.0
    opacity: float = 1.0


@dataclass(frozen=True)
class Circle:
    """A disc or ring about its centre."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 1.0
    opacity: float = 1.0


@dataclass(frozen=True)
class Polygon:
    """A closed shape through its points."""

    points: tuple[tuple[float, float], ...]
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 1.0
    opacity: float = 1.0


@dataclass(frozen=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str
    stroke_width: float = 1.0
    opacity: float = 1.0


@dataclass(frozen=True)
class Label:
    """One line of text, centred on ``y``; ``anchor`` says which part of it is at ``x``."""

    x: float
    y: float
    text: str
    size: float = 12.0
    fill: str = "#000000"
    anchor: Literal["start", "middle", "end"] = "start"
    is_bold: bool = False
    opacity: float = 1.0


Shape = Rect | Circle | Polygon | Line | Label


@dataclass(frozen=True)
class Scene:
    """A picture. ``description`` is what a screen reader says in its place."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    background: str = "#ffffff"
    description: str = ""


def to_svg(scene: Scene) -> str:
    """The picture as one standalone SVG element."""
    size = f'width="{_number(scene.width)}" height="{_number(scene.height)}"'
    view = f'viewBox="0 0 {_number(scene.width)} {_number(scene.height)}"'
    looks = f'font-family="{FONT_FAMILY}" stroke-linejoin="round" role="img"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} {looks}>'
    title = [f"<title>{escape(scene.description)}</title>"] if scene.description else []
    ground = f'<rect {size} fill="{escape(scene.background)}"/>'
    return "\n".join([head, *title, ground, *map(_element, scene.shapes), "</svg>"])


def _number(value: float) -> str:
    text = f"{float(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _element(shape: Shape) -> str:
    if isinstance(shape, Label):
        place = _attributes(x=shape.x, y=shape.y + BASELINE * shape.size, font_size=shape.size)
        looks = _attributes(
            fill=shape.fill,
            text_anchor=None if shape.anchor == "start" else shape.anchor,
            font_weight="bold" if shape.is_bold else None,
            opacity=None if shape.opacity >= 1 else shape.opacity,
        )
        return f"<text{place}{looks}>{escape(shape.text)}</text>"
    looks = _attributes(
        fill=None if isinstance(shape, Line) else shape.fill or "none",
        stroke=shape.stroke,
        stroke_width=shape.stroke_width if shape.stroke and shape.stroke_width != 1 else None,
        opacity=None if shape.opacity >= 1 else shape.opacity,
    )
    if isinstance(shape, Rect):
        place = _attributes(x=shape.x, y=shape.y, width=shape.width, height=shape.height, rx=shape.corner or None)
        return f"<rect{place}{looks}/>"
    if isinstance(shape, Circle):
        return f"<circle{_attributes(cx=shape.x, cy=shape.y, r=shape.radius)}{looks}/>"
    if isinstance(shape, Polygon):
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
        return f'<polygon points="{points}"{looks}/>'
    return f"<line{_attributes(x1=shape.x1, y1=shape.y1, x2=shape.x2, y2=shape.y2)}{looks}/>"


def _attributes(**values: str | float | None) -> str:
    shown = {
        name: value if isinstance(value, str) else _number(value) for name, value in values.items() if value is not None
    }
    return "".join(f' {name.replace("_", "-")}="{escape(value)}"' for name, value in shown.items())
