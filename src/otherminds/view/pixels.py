"""Pictures as PNG and GIF, drawn to agree with what SVG prescribes. Needs Pillow."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from otherminds.core.errors import need
from otherminds.core.files import write_whole
from otherminds.view.shapes import BASELINE, Circle, Label, Line, Polygon, Scene, Shape

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

# Pixels are drawn this much larger and then averaged, since Pillow's own edges are jagged.
_SMOOTH = 3
_PALETTE_SAMPLES = 12
_LAST_FRAME_HOLDS = 4
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def to_image(scene: Scene, scale: float = 1.0) -> Image.Image:
    """The picture as an RGB image of ``scale`` times its size.

    Raises:
        MissingExtra: if Pillow is not installed.
    """
    need("PIL.Image", "drawing PNG and GIF needs Pillow", "view")
    from PIL import Image, ImageDraw

    size = (max(1, round(scene.width * scale)), max(1, round(scene.height * scale)))
    canvas = Image.new("RGB", (size[0] * _SMOOTH, size[1] * _SMOOTH), scene.background)
    draw = ImageDraw.Draw(canvas, "RGBA")  # inks with an opacity mix with what lies under them
    for shape in scene.shapes:
        _paint(draw, shape, scale * _SMOOTH)
    return canvas.reduce(_SMOOTH)


def save_png(scene: Scene, path: str | Path, scale: float = 1.0) -> None:
    """Write the picture to a PNG file.

    Raises:
        MissingExtra: if Pillow is not installed.
        UserError: if the file cannot be written.
    """
    image = to_image(scene, scale)
    file = io.BytesIO()
    image.save(file, format="PNG", optimize=True)
    write_whole(path, file.getvalue())


def save_gif(scenes: Sequence[Scene], path: str | Path, seconds_per_frame: float = 0.5, scale: float = 1.0) -> None:
    """Write pictures of one size to a GIF that loops and rests on the last one. Equal neighbours become one frame.

    Raises:
        MissingExtra: if Pillow is not installed.
        UserError: if the file cannot be written.
    """
    need("PIL.Image", "drawing PNG and GIF needs Pillow", "view")
    from PIL import Image

    if not scenes or len({(scene.width, scene.height) for scene in scenes}) > 1:
        raise ValueError("a GIF needs one or more scenes of one size")
    # One palette for all frames: colours chosen frame by frame would flicker.
    stride = -(-len(scenes) // _PALETTE_SAMPLES)
    samples = [to_image(scene, scale) for scene in scenes[::stride]]
    width, height = samples[0].size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for place, sample in enumerate(samples):
        sheet.paste(sample, (0, place * height))
    palette = sheet.quantize(255, dither=Image.Dither.NONE)
    frames = [to_image(scene, scale).quantize(palette=palette, dither=Image.Dither.NONE) for scene in scenes]
    milliseconds = max(20, round(seconds_per_frame * 1000))
    durations = [milliseconds] * (len(frames) - 1) + [milliseconds * _LAST_FRAME_HOLDS]

    file = io.BytesIO()
    frames[0].save(file, format="GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
    write_whole(path, file.getvalue())


def _paint(draw: ImageDraw.ImageDraw, shape: Shape, unit: float) -> None:
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
    from PIL import ImageFont

    return ImageFont.load_default(size=size)
