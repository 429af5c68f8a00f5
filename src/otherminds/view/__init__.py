"""Pictures and replay pages, common to all worlds."""

from __future__ import annotations

from otherminds.view.page import Entry, Frame, Page, Panel, render
from otherminds.view.shapes import Circle, Label, Line, Polygon, Rect, Scene, save_gif, save_png, to_image, to_svg

__all__ = [
    "Circle",
    "Entry",
    "Frame",
    "Label",
    "Line",
    "Page",
    "Panel",
    "Polygon",
    "Rect",
    "Scene",
    "render",
    "save_gif",
    "save_png",
    "to_image",
    "to_svg",
]
