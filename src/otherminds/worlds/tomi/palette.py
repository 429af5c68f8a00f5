"""Colours for the containers and rooms of a story, told apart by the colour-blind too.

A container whose name begins with a colour is drawn in it: a yellow jar in blue would be read wrong. Where several
share one, they differ in lightness. All fills are opaque, and what is written on them says their name anyway.
"""

from __future__ import annotations

from collections.abc import Iterable

PAPER, INK, QUIET, GRID = "#fdfdfc", "#1c1f26", "#646b77", "#e1e4e9"
FALSE = "#b3261e"
ON_LIGHT, ON_DARK = "#15181e", "#fefefe"

_SHADES = {
    "yellow": ("#f2cf3b", "#8a6000", "#fbeaa0"),
    "silver": ("#b9c1cb", "#5c6877", "#e2e7ec"),
    "purple": ("#8e5bb0", "#4f2378", "#d3b9e6"),
    "red": ("#cc3d24", "#86190d", "#f3ab9d"),
    "green": ("#3aa57e", "#0b5a3f", "#abe0ca"),
    "blue": ("#3a80c2", "#124884", "#aed0f0"),
}
# Okabe and Ito's, for names without a colour.
_OTHERS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7a7f87")
_ROOMS = ("#a9cbe8", "#f4dcb5", "#cde6d3", "#e4d4ec", "#ebe5d2", "#d8dce2")


def container_colours(names: Iterable[str]) -> dict[str, str]:
    """A colour for each container, by name."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        shades = _SHADES.get(name.partition("_")[0].partition(" ")[0].lower(), ())
        free = [colour for colour in (*shades, *_OTHERS) if colour not in found.values()]
        found[name] = free[0] if free else _OTHERS[len(found) % len(_OTHERS)]
    return found


def room_colours(names: Iterable[str]) -> dict[str, str]:
    """A pale colour for each room; the first, which should be the one that matters, is the strongest."""
    return {name: _ROOMS[number % len(_ROOMS)] for number, name in enumerate(dict.fromkeys(names))}


def text_on(colour: str) -> str:
    """The colour of text that is easy to read on another colour."""
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    lightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # Where black and white contrast alike (WCAG 2.2).
    return ON_LIGHT if lightness > 0.18 else ON_DARK


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
