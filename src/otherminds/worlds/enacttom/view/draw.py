"""The house as a picture: as it is, or as one person sees and remembers it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot, inf

from otherminds.view.shapes import Circle, Label, Line, Polygon, Rect, Scene, Shape
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import HOLDS
from otherminds.worlds.enacttom.mechanics import STATE_WORDS
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.record import TaskInWorld
from otherminds.worlds.enacttom.session import Moment
from otherminds.worlds.enacttom.text.task_text import atom_words
from otherminds.worlds.enacttom.types import Furniture, Task
from otherminds.worlds.enacttom.view.belief_view import Look, truth
from otherminds.worlds.enacttom.view.floor_plan import (  # fmt: skip
    HEAD,
    ICON,
    LINE,
    MARGIN,
    PLAIN,
    SMALL,
    Box,
    Doorway,
    FloorPlan,
    chip_width,
    flow,
    plan_of,
    short,
    width_of,
)

PAPER, FLOOR, FOG, WALL = "#fdfdfc", "#fefefe", "#eceef1", "#4a4f59"
INK, QUIET, RULE, CHIP_FILL, LIT = "#1c1f26", "#646b77", "#dcdfe4", "#fff3d6", "#f0b400"
# Okabe and Ito's colours, safe for colour-blind readers; the number is always written too.
PEOPLE = ("#0072b2", "#d55e00", "#009e73", "#a34f83", "#7a5c00")
_FADED = 0.45
Point = tuple[float, float]
_SHOWN = {"container": "open", "switch": "power", "sign": "secret"}  # the variable that is written beside furniture


def house_scene(moment: Moment, house: TaskInWorld, look: Look | None = None) -> Scene:
    """The house after a turn, with what was said in it; as it is, or as one person knows it."""
    drawing = _Drawing(house.ground, moment, look or truth(moment.state))
    plan = plan_of(house.ground.task)
    return Scene(plan.width, plan.height, tuple(drawing.shapes(plan)), PAPER, drawing.in_words())


@dataclass
class _Drawing:
    """The house as one person knows it, or as it is."""

    ground: Ground
    moment: Moment
    look: Look
    spots: dict[int, Point] = field(default_factory=dict)  # the places of people in the picture

    def shapes(self, plan: FloorPlan) -> Iterator[Shape]:
        task, who = self.ground.task, self.look.who
        own = None if who is None else self._room_of(who)
        barred = [] if who is None else task.barred(task.names[who])
        for name, (x, y, width, height) in plan.rooms.items():
            yield Rect(x, y, width, height, FLOOR if own in (None, name) else FOG)
            if name in barred:
                yield from _hatching(plan.rooms[name])
        for box in plan.rooms.values():
            yield Rect(*box, stroke=WALL, stroke_width=3)
        for opening in plan.openings:
            yield from self._door(opening)
        for name, box in plan.rooms.items():
            yield from self._room(name, box, name in barred)
        if self.moment.outcome:
            messages = [
                message for message in self.moment.outcome.messages if who in (None, message.sender, *message.to)
            ]
            for number, message in enumerate(messages):
                yield from _arc(message, self.ground.task, self.spots, plan, number)

    def in_words(self) -> str:
        """A description for people who cannot see the picture: everybody's room, where it is known."""
        names = self.ground.task.names
        places = [f"{name} in {room}" for agent, name in enumerate(names) if (room := self._room_of(agent))]
        view = "" if self.look.who is None else f", as {names[self.look.who]} has it"
        return f"The house after turn {self.moment.state.turn}{view}: {', '.join(places)}."

    def _room_of(self, agent: int) -> str | None:
        return self._value(f"at {self.ground.task.names[agent]}")

    def _value(self, variable: str) -> str | None:
        at = self.ground.index.get(variable)
        return self.ground.domains[at][self.look.known[at]] if at is not None and at in self.look.known else None

    def _opacity(self, variable: str) -> float:
        return 1.0 if self.ground.index.get(variable) in self.look.seen else _FADED

    def _door(self, opening: Doorway) -> Iterator[Shape]:
        (ax, ay), (bx, by) = opening.start, opening.end
        variable = f"open {opening.door.name}"
        is_open = self._value(variable) if variable in self.ground.index else "yes"
        if opening.is_gap:
            yield Line(ax, ay, bx, by, FLOOR, 5)
            if is_open == "no":
                yield Line(ax, ay, bx, by, PEOPLE[1], 4, self._opacity(variable))
            elif is_open == "yes" and variable in self.ground.index:
                yield Line(ax, ay, ax + (by - ay) * 0.55, ay + (bx - ax) * 0.55, PEOPLE[2], 3)
        else:
            yield Line(ax, ay, bx, by, RULE if is_open == "yes" else PEOPLE[1], 3)
        middle = ((ax + bx) / 2, (ay + by) / 2)
        if is_open is None:
            yield Label(*middle, "?", SMALL, QUIET, "middle")
        if self._value(f"locked {opening.door.name}") == "yes":
            yield from _lock(*middle)
        if opening.door.one_way:
            yield Label(middle[0], middle[1] - 10, "one way", 10, QUIET, "middle")

    def _room(self, name: str, box: Box, is_barred: bool) -> Iterator[Shape]:
        x, y, width, height = box
        yield Label(x + MARGIN + 2, y + HEAD / 2 + 2, short(name), PLAIN, QUIET, is_bold=True)
        if is_barred:
            yield Label(x + width - MARGIN, y + HEAD / 2 + 2, "barred", SMALL, PEOPLE[1], "end", is_bold=True)
        at = y + HEAD + LINE / 2
        for furniture in self.ground.task.furniture:
            if furniture.room == name:
                shapes, after = self._furniture(furniture, x + MARGIN, at)
                things = self._things(f"{HOLDS.get(furniture.kind)} {furniture.name}")
                chips, lines = _chips(things, after, at, x + MARGIN + ICON, x + width - MARGIN)
                yield from (*shapes, *chips)
                at += LINE * lines
        if loose := list(self._things(f"floor {name}")):
            yield Label(x + MARGIN + 4, at, "floor", SMALL, QUIET)
            yield from _chips(loose, x + MARGIN + 44, at, x + MARGIN + ICON, x + width - MARGIN)[0]
        here = [agent for agent in range(len(self.ground.task.people)) if self._room_of(agent) == name]
        for place, agent in enumerate(here):
            self.spots[agent] = (x + MARGIN + 12, y + height - 4 - LINE * (len(here) - place - 0.5))
            yield from self._person(agent, *self.spots[agent])

    def _furniture(self, furniture: Furniture, x: float, y: float) -> tuple[list[Shape], float]:
        """A piece of furniture with its state, and where the things on or in it begin."""
        kind, name = furniture.kind, short(furniture.name)
        variable = f"{_SHOWN.get(kind)} {furniture.shows or furniture.name}"
        state = self._value(variable)
        fade = 1.0 if state is None else self._opacity(variable)
        word = ""
        if furniture.shows:
            word = f"= {short(state)}" if state else "= ?"
        elif kind in _SHOWN:
            word = STATE_WORDS[_SHOWN[kind], state] if state else "?"
        shapes = [*_icon(furniture, x + 12, y, state, fade), Label(x + ICON, y, name, PLAIN, INK)]
        at = x + ICON + width_of(name, PLAIN) + 6
        if word:
            shapes.append(Label(at, y, word, SMALL, INK if furniture.shows and state else QUIET, opacity=fade))
            at += width_of(word, SMALL) + 6
        if kind == "container" and self._value(f"locked {furniture.name}") == "yes":
            shapes += _lock(at + 6, y)
            at += 20
        return shapes, at

    def _things(self, place: str) -> Iterator[tuple[str, float]]:
        """The things in a place, or remembered there unless one can see that they are gone, with their opacity."""
        for thing in self.ground.task.things:
            variable = f"place {thing.name}"
            if self._value(variable) == place:
                opacity = self._opacity(variable)
                if opacity == 1.0 or not self._is_in_view(place):
                    yield thing.name, opacity

    def _is_in_view(self, place: str) -> bool:
        """Whether the person who looks would see a thing in that place."""
        if self.look.who is None:
            return False
        how, _, name = place.partition(" ")
        own = self._room_of(self.look.who)
        if how == "held":
            return self._value(f"at {name}") == own
        room = next((furniture.room for furniture in self.ground.task.furniture if furniture.name == name), name)
        return own == room and (how != "in" or self._value(f"open {name}") == "yes")

    def _person(self, agent: int, x: float, y: float) -> Iterator[Shape]:
        name, colour = self.ground.task.names[agent], PEOPLE[agent]
        fade = self._opacity(f"at {name}")
        if self.look.who == agent:
            yield Circle(x, y, 13, None, colour, 2)
        yield Circle(x, y, 10, colour, opacity=fade)
        yield Label(x, y, str(agent + 1), PLAIN, "#ffffff", "middle", is_bold=True, opacity=fade)
        yield Label(x + 17, y, short(name), PLAIN, INK, is_bold=True, opacity=fade)
        at = x + 17 + width_of(short(name), PLAIN) + 8
        if self.ground.task.talk.budgets.get(name, 0) and self.look.who in (None, agent):
            yield from _envelope(at + 7, y, fade)
            yield Label(at + 17, y, str(self.moment.state.budgets[agent]), SMALL, QUIET, opacity=fade)
            at += 32
        yield from _chips(self._things(f"held {name}"), at, y, x, inf)[0]


def _hatching(box: Box) -> Iterator[Shape]:
    x, y, width, height = box
    for start in range(-int(height), int(width), 14):
        left, right = max(0.0, float(start)), min(width, start + height)
        if right > left:
            yield Line(x + left, y + height - (left - start), x + right, y + height - (right - start), RULE, 2)


def _lock(x: float, y: float) -> Iterator[Shape]:
    yield Circle(x, y - 3, 4, None, INK, 1.6)
    yield Rect(x - 6, y - 2, 12, 9, INK, corner=2)


def _icon(furniture: Furniture, x: float, y: float, state: str | None, fade: float) -> Iterator[Shape]:
    if furniture.kind == "surface":
        yield Line(x - 9, y - 3, x + 9, y - 3, INK, 3)
        for leg in (-6, 6):
            yield Line(x + leg, y - 2, x + leg, y + 7, INK, 2)
    elif furniture.kind == "container":
        yield Rect(x - 8, y - 4, 16, 11, CHIP_FILL if state == "yes" else None, INK, 1.8)
        if state == "yes":
            yield Line(x - 8, y - 4, x - 2, y - 11, INK, 2.2, fade)
        else:
            yield Line(x - 10, y - 4, x + 10, y - 4, INK, 2.6, fade)
    elif furniture.kind == "switch":
        yield Circle(x, y, 7, LIT if state == "yes" else None, INK, 1.8, fade)
    elif furniture.kind == "sign":
        yield Rect(x - 9, y - 8, 18, 12, None, INK, 1.8, corner=2)
        yield Line(x, y + 4, x, y + 9, INK, 2)
        yield Label(x, y - 2, "i", 10, INK, "middle", is_bold=True)
    else:
        yield Rect(x - 6, y - 6, 12, 12, None, QUIET, 1.8)


def _chips(
    names: Iterable[tuple[str, float]], x: float, y: float, left: float, right: float
) -> tuple[list[Shape], int]:
    """Things with their opacities, in as many lines as they need, and the number of lines."""
    shapes: list[Shape] = []
    line, things = 0, list(names)
    places = flow([chip_width(name) for name, _ in things], x, left, right)
    for (name, fade), (at, line) in zip(things, places, strict=True):
        width, middle = chip_width(name), y + line * LINE
        shapes.append(Rect(at, middle - 9, width, 18, CHIP_FILL, INK, 1, corner=9, opacity=fade))
        shapes.append(Label(at + width / 2, middle, short(name), SMALL, INK, "middle", opacity=fade))
    return shapes, line + 1


def _envelope(x: float, y: float, fade: float) -> Iterator[Shape]:
    yield Rect(x - 7, y - 5, 14, 10, None, QUIET, 1.3, opacity=fade)
    yield Line(x - 7, y - 5, x, y + 1, QUIET, 1.3, fade)
    yield Line(x + 7, y - 5, x, y + 1, QUIET, 1.3, fade)


def _arc(message: Message, task: Task, people: dict[int, Point], plan: FloorPlan, number: int) -> Iterator[Shape]:
    """Arrows from the sender to each listener, labelled with the message. A place that is not known has no arrow."""
    colour = PEOPLE[message.sender]
    near = [people[person] for person in (message.sender, *message.to) if person in people]
    if not near:
        return
    spot = near[0][0] + 30, near[0][1] - 26 - 22 * number
    for listener in message.to:
        if not {listener, message.sender} <= people.keys():
            continue
        (ax, ay), (bx, by) = people[message.sender], people[listener]
        lift = max(34.0, 0.22 * hypot(bx - ax, by - ay)) + 16 * number
        middle = ((ax + bx) / 2, max(18.0, (ay + by) / 2 - 2 * lift))
        points = [_bend((ax, ay), middle, (bx, by), step / 16) for step in range(17)]
        for (x1, y1), (x2, y2) in pairwise(points[1:-1]):
            yield Line(x1, y1, x2, y2, colour, 2.5)
        yield _head(points[-3], points[-2], colour)
        spot = points[8]
    text = short("; ".join(f"{a[1]} = {a[2]}" if a[0] == "value" else atom_words(a, task) for a in message.atoms), 44)
    width = width_of(text, SMALL) + 14
    x = min(max(spot[0], width / 2 + 4), plan.width - width / 2 - 4)
    yield Rect(x - width / 2, spot[1] - 10, width, 20, PAPER, colour, 1.6, corner=6)
    yield Label(x, spot[1], text, SMALL, INK, "middle")


def _bend(a: Point, b: Point, c: Point, t: float) -> Point:
    x, y = ((1 - t) ** 2 * p + 2 * t * (1 - t) * q + t * t * r for p, q, r in zip(a, b, c, strict=True))
    return x, y


def _head(back: Point, tip: Point, colour: str) -> Polygon:
    dx, dy = tip[0] - back[0], tip[1] - back[1]
    far = hypot(dx, dy) or 1.0
    dx, dy = dx / far, dy / far
    ends = ((tip[0] - 9 * dx + side * 5 * dy, tip[1] - 9 * dy - side * 5 * dx) for side in (1, -1))
    return Polygon((tip, *ends), colour)
