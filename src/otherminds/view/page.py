"""A replay as one HTML file that needs nothing else: no network, no build step, no server.

The page is common to all worlds. It shows a board, everyone's rewards and scores and a log, and it moves through the
turns. A world adds panels, and either fills them for each frame with HTML or brings a script that draws them from the
data of page and frame.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from typing import Any

_HERE = "otherminds.view"


@dataclass(frozen=True)
class Entry:
    """A line of the log; with the number of an agent it shows that agent's colour."""

    text: str
    agent: int | None = None


@dataclass(frozen=True)
class Panel:
    """A part of the page that a world fills. ``html`` is trusted: escape what came from outside."""

    name: str
    title: str
    html: str = ""


@dataclass(frozen=True)
class Frame:
    """The content of the page at one turn."""

    board: str  # SVG; trusted, as made by ``to_svg``
    label: str = ""
    log: tuple[Entry, ...] = ()
    rewards: tuple[float, ...] = ()  # of this turn, one an agent
    scores: tuple[float, ...] = ()  # summed so far, one an agent
    panels: Mapping[str, str] = field(default_factory=dict)  # panel name -> trusted HTML
    data: Any = None  # JSON values, for the world's script


@dataclass(frozen=True)
class Page:
    """A whole replay. Its files and style are a world's own code and are trusted; everything else is escaped."""

    title: str
    frames: list[Frame]
    subtitle: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    minds: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()  # one an agent, #rrggbb
    first_number: int = 0  # number shown for the first agent
    knowledge_title: str = ""  # heading of the column of agents' minds; no such column if empty
    panels: tuple[Panel, ...] = ()
    data: Any = None  # JSON values, for the world's script
    package: str = ""  # with a page.js and a page.css of the world's own
    style: str = ""  # beside them
    dark: Mapping[str, str] = field(default_factory=dict)  # replacement of each colour of pictures in dark mode


def render(page: Page) -> str:
    """The HTML text of a replay. Open it at a turn with ``#turn=12``."""
    if not page.frames:
        raise ValueError("a replay page needs at least one frame")
    episode = {
        "minds": page.minds,
        "colours": page.colours,
        "firstNumber": page.first_number,
        "knowledgeTitle": page.knowledge_title,
        "data": page.data,
        "frames": frames_data(page.frames),
    }
    parts = {
        "title": escape(page.title),
        "subtitle": escape(page.subtitle),
        "facts": "".join(
            f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in page.facts.items()
        ),
        "panels": "".join(map(_panel, page.panels)),
        "last": str(len(page.frames) - 1),
        "style": _file(_HERE, "replay.css") + _file(page.package, "page.css") + page.style + _dark(page.dark),
        "episode": embed(episode),
        "script": _file(_HERE, "replay.js"),
        "world": _file(page.package, "page.js"),
    }
    # One pass, so that a placeholder inside a title or a fact stays what it is.
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _file(_HERE, "replay.html"))


def embed(value: Any) -> str:
    """JSON that can stand in a script element whatever the strings in it say."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def frames_data(frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """Frames as the page's script has them; a world that shows several runs keeps the others in its data."""
    return [
        {
            **vars(frame),
            "label": frame.label or f"turn {turn} of {len(frames) - 1}",
            "log": [[entry.agent, entry.text] for entry in frame.log],
        }
        for turn, frame in enumerate(frames)
    ]


def _panel(panel: Panel) -> str:
    name = escape(panel.name)
    return (
        f'<section class="panel" id="panel-{name}" aria-labelledby="title-{name}">'
        f'<h2 id="title-{name}">{escape(panel.title)}</h2><div class="content">{panel.html}</div></section>'
    )


def _dark(colours: Mapping[str, str]) -> str:
    rules = (
        f'main svg [fill="{light}"] {{ fill: {dark}; }} main svg [stroke="{light}"] {{ stroke: {dark}; }}'
        for light, dark in colours.items()
    )
    return "@media (prefers-color-scheme: dark) {\n" + "\n".join(rules) + "\n}\n"


def _file(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8") if package else ""
