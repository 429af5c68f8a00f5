"""A story as a picture: one column an event, one lane a person, and bands for where the object is and is thought to be.

A lane has the colour of the room its person is in, and is empty while the person is in no room. A band has the colour
of a container, and is underlined while the belief is false. Long stories continue on further lines, as music does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import wrap
from typing import Any

from otherminds.view.layout import moved
from otherminds.view.shapes import Circle, Label, Line, Polygon, Rect, Scene, Shape
from otherminds.worlds.tomi.timeline import Timeline
from otherminds.worlds.tomi.types import Move, Tell, members

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
    colours: dict[str, str] = {}
    for name in dict.fromkeys(names):
        shades = _SHADES.get(name.partition("_")[0].partition(" ")[0].lower(), ())
        free = [colour for colour in (*shades, *_OTHERS) if colour not in colours.values()]
        colours[name] = free[0] if free else _OTHERS[len(colours) % len(_OTHERS)]
    return colours


def text_on(colour: str) -> str:
    """The colour of text that is easy to read on another colour."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    # Where black and white contrast alike (WCAG 2.2).
    return ON_LIGHT if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else ON_DARK


_COLUMN, _MARGIN, _GAP = 112.0, 16.0, 9.0
_LINE, _SIZE, _LETTERS = 13.5, 10.5, 20  # of the sentences: height of a line, of the type, and letters a line
_LANE, _BAR = 23.0, 17.0  # pitch of the rows and thickness of what is in them
_LETTER = 5.9  # width of a letter of a label, with some to spare
_BETWEEN = 26.0  # systems
_LEGEND = 44.0
MOST_COLUMNS = 10  # events beside each other


@dataclass(frozen=True)
class Row:
    """Where somebody is, where an object is, or where it is thought to be."""

    label: str
    y: float  # of its middle, from the top of the system, under its sentences
    values: tuple[tuple[str, str] | None, ...]  # after each event, the name and colour of a room or container
    colour: str = QUIET  # of the label
    is_bold: bool = False
    false: frozenset[int] = frozenset()  # events after which the belief is false


@dataclass(frozen=True)
class Layout:
    """Positions of systems, rows and columns."""

    columns: int  # of each system but perhaps the last
    left: float  # width of the names
    heads: tuple[float, ...]  # height of the sentences of each system
    tops: tuple[float, ...]  # y of each system
    rows: tuple[Row, ...]  # of people first
    body: float  # height of a system without its sentences

    def box(self, event: int) -> tuple[float, float, float, float]:
        """The column of an event: x, y, width and height."""
        system, column = divmod(event, self.columns)
        return self.left + column * _COLUMN, self.tops[system], _COLUMN, self.heads[system] + self.body


def layout(timeline: Timeline) -> Layout:
    """Lay a story out in systems of about the same length."""
    count = max(1, len(timeline.events))
    systems = -(-count // MOST_COLUMNS)
    columns = -(-count // systems)
    rows = tuple(_rows(timeline))
    body = rows[-1].y + _LANE / 2 + _GAP
    lines = [sum(len(wrap(sentence, _LETTERS)) for sentence in spoken) for spoken in timeline.sentences] or [0]
    heads = [max(lines[i * columns : (i + 1) * columns]) * _LINE + 22 for i in range(systems)]
    tops = [_MARGIN + sum(heads[:i]) + i * (body + _BETWEEN) for i in range(systems)]
    left = _MARGIN + max(len(row.label) for row in rows) * _LETTER + 8
    return Layout(columns, left, tuple(heads), tuple(tops), rows, body)


def _rows(timeline: Timeline) -> Iterator[Row]:
    """A lane for each person, then bands for each object: where it is, and where each chain expects it."""
    names, steps = timeline.names, range(1, len(timeline.moments))
    boxes, rooms = colours_of(timeline)

    def values(places: Iterable[int | None], words: Sequence[str], colours: Mapping[str, str]) -> Any:
        named = (None if place is None or place < 0 else words[place] for place in places)
        return tuple(None if name is None else (name, colours[name]) for name in named)

    y = _LANE / 2
    for agent, name in enumerate(names.agents):
        places = [timeline.moments[step].places[agent] for step in steps]
        yield Row(name, y, values(places, names.rooms, rooms), INK)
        y += _LANE
    for thing in timeline.things:
        y += _GAP
        real = [timeline.moments[step].contents[thing] for step in steps]
        yield Row(f"{names.objects[thing]}, really", y, values(real, names.containers, boxes), INK, is_bold=True)
        depth = 0
        for chain in timeline.chains:
            y += _LANE + (_GAP if len(chain) != depth else 0.0)
            depth = len(chain)
            people = [names.agents[agent] for agent in chain]
            label = f"{people[0]} thinks" if depth == 1 else " about ".join(people)
            thought = [timeline.belief(chain, thing, step) for step in steps]
            false = frozenset(step - 1 for step in steps if timeline.is_false(chain, thing, step))
            yield Row(label, y, values(thought, names.containers, boxes), false=false)
        y += _LANE


def colours_of(timeline: Timeline) -> tuple[dict[str, str], dict[str, str]]:
    """Colours of containers and of rooms; those that the objects asked about are in come first."""
    names, homes, last = timeline.names, timeline.parsed.story.homes, timeline.moments[-1]
    boxes = [box for thing in timeline.things for box in last.trail[thing]]
    boxes += [box for box in range(len(names.containers)) if homes[box] in {homes[used] for used in boxes}]
    # Pale colours for rooms: the first, which should be the one that matters, is the strongest.
    rooms = dict.fromkeys((*(names.rooms[homes[box]] for box in boxes), *names.rooms))
    return (
        container_colours([*(names.containers[box] for box in boxes), *names.containers]),
        {name: _ROOMS[number % len(_ROOMS)] for number, name in enumerate(rooms)},
    )


def story_scene(timeline: Timeline) -> Scene:
    """The whole story."""
    plan = layout(timeline)
    shapes: list[Shape] = []
    for system, top in enumerate(plan.tops):
        first = system * plan.columns
        events = range(first, min(first + plan.columns, len(timeline.events)))
        for event in events:
            shapes += _sentences(timeline, plan, event)
        for row in plan.rows:
            shapes += _row(plan, row, events, top + plan.heads[system] + row.y)
        for event in events:
            shapes += _marks(timeline, event, plan.box(event)[0] + _COLUMN - 13, top + plan.heads[system])
    bottom = plan.tops[-1] + plan.heads[-1] + plan.body
    width = max(plan.left + plan.columns * _COLUMN + _MARGIN, 660)
    shapes += _legend(timeline, bottom + 12)
    who = ", ".join(timeline.names.agents)
    about = f"A story of {len(timeline.events)} events with {who}: who is where, where things are and are thought to be"
    return Scene(width, bottom + _LEGEND, tuple(shapes), PAPER, about)


def _sentences(timeline: Timeline, plan: Layout, event: int) -> Iterator[Shape]:
    """The sentences of an event at the head of its column, and the line beside it."""
    x, y, _, height = plan.box(event)
    yield Line(x, y, x, y + height - _GAP, GRID)
    yield Label(x + 7, y + 8, timeline.number(event), 10, QUIET, is_bold=True)
    lines = [line for sentence in timeline.sentences[event] for line in wrap(sentence, _LETTERS)]
    for number, line in enumerate(lines, 1):
        yield Label(x + 7, y + 8 + number * _LINE, line, _SIZE, INK)


def _row(plan: Layout, row: Row, events: range, y: float) -> Iterator[Shape]:
    """Bars over the columns in which a value lasts, with its name; a dotted line where there is none."""
    yield Label(plan.left - 10, y, row.label, 11.5, row.colour, "end", row.is_bold)
    for value, lasting in groupby(events, row.values.__getitem__):
        start, *others = lasting
        x, width = plan.box(start)[0], (1 + len(others)) * _COLUMN
        if value is None:
            yield Line(x + 4, y, x + width - 3, y, GRID, 1.5)
        else:
            name, fill = value
            yield Rect(x + 1.5, y - _BAR / 2, width - 2, _BAR, fill, corner=3)
            yield Label(x + 7, y, name, 11, text_on(fill))
    for event in row.false.intersection(events):
        yield Rect(plan.box(event)[0] + 1, y + _BAR / 2 - 0.5, _COLUMN, 3.5, FALSE)


def _marks(timeline: Timeline, event: int, x: float, top: float) -> Iterator[Shape]:
    """Marks of people who move, see, miss or tell something, each on its own lane."""
    happened = timeline.events[event]
    # Whichever objects an event is about, its witnesses are the same.
    real, apparent = max(timeline.evidence(thing, event + 1) for thing in timeline.things)
    lanes = {agent: top + agent * _LANE + _LANE / 2 for agent in members(real | apparent)}
    if isinstance(happened, Tell) and lanes:
        yield Line(x, min(lanes.values()), x, max(lanes.values()), INK, 1.5)
    for agent, y in lanes.items():
        if isinstance(happened, Move | Tell) and agent == happened.agent:
            mark = "mover" if isinstance(happened, Move) else "speaker"
        elif not apparent >> agent & 1:
            mark = "peeker"
        else:
            mark = "witness" if real >> agent & 1 else "distracted"
        yield from moved(_MARKS[mark], x, y)


# What is drawn on the lane of somebody, about its middle.
_LIGHT = "#fefefe"
_EYE = ((-7.5, 0.0), (-4.0, -4.0), (0.0, -5.2), (4.0, -4.0), (7.5, 0.0), (4.0, 4.0), (0.0, 5.2), (-4.0, 4.0))
_MARKS: dict[str, tuple[Shape, ...]] = {
    "mover": (Circle(0, 0, 5.5, ON_LIGHT, _LIGHT, 1),),
    "witness": (Circle(0, 0, 3.2, _LIGHT, ON_LIGHT, 1.3),),
    "peeker": (Polygon(_EYE, _LIGHT, ON_LIGHT, 1.4), Circle(0, 0, 2.4, ON_LIGHT)),
    "distracted": (
        Circle(0, 0, 5.8, _LIGHT, ON_LIGHT, 1.3),
        Line(-3, 3, 3, -3, ON_LIGHT, 1.6),
        Line(-3, -3, 3, 3, ON_LIGHT, 1.6),
    ),
    "speaker": (Polygon(((-6, 0), (0, -6), (6, 0), (0, 6)), ON_LIGHT, _LIGHT, 1),),
}


def _legend(timeline: Timeline, y: float) -> Iterator[Shape]:
    """The marks that the story has."""
    thing = " or ".join(timeline.names.objects[thing] for thing in timeline.things)
    moves = [event for event in timeline.events if isinstance(event, Move)]
    entries = (
        ("mover", f"moves the {thing}", bool(moves)),
        ("witness", "sees or hears where it is", True),
        ("peeker", "watches in secret", any(move.peekers for move in moves)),
        ("distracted", "is there and misses it, unnoticed", any(move.distracted for move in moves)),
        ("speaker", "tells", any(isinstance(event, Tell) for event in timeline.events)),
    )
    x = _MARGIN + 8
    for mark, words, is_there in entries:
        if is_there:
            yield from moved(_MARKS[mark], x, y + 8)
            yield Label(x + 12, y + 8, words, 10.5, QUIET)
            x += 12 + len(words) * 5.2 + 24
    yield Rect(x - 8, y + 6, 22, 3.5, FALSE)
    yield Label(x + 20, y + 8, "false", 10.5, QUIET)
