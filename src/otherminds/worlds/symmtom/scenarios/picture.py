"""Draw a case of a scenario, in the style of the paper's Figures 3 and 4.

The board is that of the trial. Thin lines are the paths of the history, with the turn at every dot; arrows are paths of
the trial, green to the right choice and grey to a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Literal

import numpy as np

from otherminds.view import layout
from otherminds.view.shapes import Circle, Label, Line, Polygon, Rect, Scene, Shape
from otherminds.worlds.symmtom import draw
from otherminds.worlds.symmtom.bits import first_piece
from otherminds.worlds.symmtom.scenarios.solver.plans import shortest_play
from otherminds.worlds.symmtom.scenarios.staging import history_of, play_turns, trial_state
from otherminds.worlds.symmtom.scenarios.types import Case, Cell, Deed, Scenario
from otherminds.worlds.symmtom.text import listing
from otherminds.worlds.symmtom.types import MOVE_NAMES, SILENT, State

RIGHT = "#2b8a3e"
WRONG = "#858b95"
_NAMED = {
    "red": draw.COLOURS[0],
    "blue": draw.COLOURS[1],
    "yellow": draw.COLOURS[2],
    "green": draw.COLOURS[3],
    "grey": "#9aa0aa",
    "gray": "#9aa0aa",
}
_GAP = 16.0
_PANEL = 400.0

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
Place = Callable[[Cell, float, float], Point]  # of a cell, shifted right and up by parts of its width


def twins_scene(scenario: Scenario) -> Scene:
    """All cases of a scenario side by side."""
    columns = [
        layout.column(_title(case.name, 15), _board(scenario, case), _panel(scenario, case), gap=8)
        for case in scenario.cases
    ]
    body = layout.row(*columns, gap=_GAP)
    kind = f"order {scenario.order}{', reproduction only' if scenario.reproduction else ''}"
    title, order = (
        Label(0, 12, scenario.name, 17, draw.INK, is_bold=True),
        Label(body.width, 12, kind, 14, draw.QUIET, "end"),
    )
    foot = [scenario.about, *([f"Reproduction only: {scenario.reproduction}"] if scenario.reproduction else [])]
    below = layout.text(foot, body.width, 12.5, draw.QUIET)
    inside = layout.column(Scene(body.width, 24, (title, order)), body, below, gap=10)
    shapes, description = layout.moved(inside.shapes, _GAP, _GAP), f"{scenario.name}. {scenario.about}"
    return Scene(inside.width + 2 * _GAP, inside.height + 2 * _GAP, tuple(shapes), draw.PAPER, description)


def board_scene(scenario: Scenario, state: State) -> Scene:
    """The board alone, with agents named and coloured as in the scenario's file, ``[role]``."""
    scene = draw.board(state, scenario.params, role_colours(scenario))
    place, shapes = _places(scene, scenario), list(scene.shapes)
    side = place((1, 0), 0, 0)[0] - place((0, 0), 0, 0)[0]
    size = max(9.0, min(12.0, side * 0.16))
    for role, name in enumerate(scenario.agents):
        x, y = place(_way([state], role)[0], 0, 0)
        shapes += _tag(name, x, y + max(6.0, side * 0.29) + size * 0.75, "middle", size)  # below its disc
    return replace(scene, shapes=tuple(shapes))


def role_colours(scenario: Scenario) -> tuple[str, ...]:
    """A colour for every role: the one in its name, or an unused one."""
    called = [_NAMED.get(name) for name in scenario.agents]
    left = (colour for colour in draw.COLOURS if colour not in called)
    return tuple(colour or next(left) for colour in called)


def said(scenario: Scenario, case: Case) -> list[str]:
    """Lines with what was said in the history and who heard it."""
    turns_of: dict[tuple[int, int, tuple[int, ...]], list[int]] = {}
    for turn, state in enumerate(history_of(scenario, case)):
        for role in range(len(scenario.agents)):
            piece = first_piece(state.utterance[role])
            if piece is not None:
                clear, _ = draw.hearers(state, role, scenario.params)
                turns_of.setdefault((role, piece, tuple(clear)), []).append(turn)
    lines = []
    for (role, piece, hearers), turns in turns_of.items():
        for _, run in groupby(enumerate(turns), key=lambda pair: pair[1] - pair[0]):
            first, *rest = [turn for _, turn in run]
            when = f"turns {first} to {rest[-1]}" if rest else f"turn {first}"
            whom = listing(scenario.agents[i] for i in hearers) if hearers else "nobody"
            lines.append((first, f"{when}: {scenario.agents[role]} says {piece}, heard by {whom}"))
    return [text for _, text in sorted(lines, key=lambda line: line[0])]


def in_words(deeds: Sequence[Deed]) -> str:
    """Consecutive deeds in words, such as ``left 3 times, then up and say 2``."""
    parts = []
    for deed, same in groupby(deeds):
        speech = "" if deed.piece == SILENT else f"say {deed.piece}"
        move = "" if deed.move == 0 and speech else MOVE_NAMES[deed.move]
        often = len(list(same))
        parts.append(" and ".join(filter(None, [move, speech])) + (f" {often} times" if often > 1 else ""))
    return ", then ".join(parts)


def _board(scenario: Scenario, case: Case) -> Scene:
    """The board when the trial begins, with the paths before and after."""
    state = _silenced(trial_state(scenario, case))
    scene = board_scene(scenario, state)
    place, colours = _places(scene, scenario), role_colours(scenario)
    agents = next(i for i, shape in enumerate(scene.shapes) if isinstance(shape, Circle))
    below, above = list(scene.shapes[:agents]), list(scene.shapes[agents:])
    for choice in sorted(scenario.choices, key=lambda name: name == case.right):
        is_right = choice == case.right
        play = shortest_play(scenario, case, choice)
        turns = [(deed, *scenario.deeds(turn)[1:]) for turn, deed in enumerate(play)]
        future = play_turns(scenario, state, turns)
        for role in range(1, len(scenario.agents)) if is_right else ():
            below += _ahead(_way(future, role), place, colours[role], 0.22)
        way = _way(future, 0)
        below += _ahead(way, place, RIGHT if is_right else WRONG, 0.04 if is_right else 0.13)
        x, y = place(way[-1], 0.34, 0.34 if play[-1].piece == SILENT else 0.48)
        above += _badge(x, y, is_right)
        if play[-1].piece != SILENT:
            is_last = way[-1][0] == scenario.params.width - 1
            above += _tag(f"says {play[-1].piece}", x + (-12 if is_last else 12), y, "end" if is_last else "start")
    past = history_of(scenario, case)
    for role in reversed(range(len(scenario.agents))):
        below += _walked(_way(past, role), place, colours[role], role)
    return replace(scene, shapes=(*below, *above), description=f"{scene.description}; {scenario.name}, {case.name}")


def _panel(scenario: Scenario, case: Case) -> Scene:
    heard = said(scenario, case) or ["nothing"]
    return layout.column(
        _title("What everyone knows when the trial begins"),
        draw.knowledge(
            _silenced(trial_state(scenario, case)), scenario.params, role_colours(scenario), scenario.agents
        ),
        _title("What was said before"),
        layout.text(heard, _PANEL, 12, draw.INK),
        _title(f"The trial, in which {scenario.agents[0]} is tested"),
        *_choices(scenario, case),
        gap=7,
    )


def _choices(scenario: Scenario, case: Case) -> Iterator[Scene]:
    for choice in sorted(scenario.choices, key=lambda name: name != case.right):
        is_right, conditions = choice == case.right, scenario.choices[choice]
        goal = " or ".join(condition.to_text(scenario.agents) for condition in conditions)
        lines = [f"{'right' if is_right else 'wrong'}: {goal}"]
        if is_right:
            how = ", such as" if case.turns == int(case.turns) else " on average; in hindsight"
            turns = f"{case.turns:g} turn{'' if case.turns == 1 else 's'}"
            lines.append(f"at best in {turns}{how}: {in_words(shortest_play(scenario, case))}")
        text = layout.text(lines, _PANEL - 24, 12, draw.INK)
        yield Scene(_PANEL, text.height, (*layout.moved(text.shapes, 24, 0), *_badge(9, 9, is_right)))
    for role, name in enumerate(scenario.agents):
        if role and any(turn[role] != Deed() for turn in scenario.script):
            script = f"{name}, by script: {in_words([turn[role] for turn in scenario.script])}"
            yield layout.text([script], _PANEL, 12, draw.INK)


def _title(text: str, size: float = 13) -> Scene:
    return layout.text([text], _PANEL, size, draw.INK, is_bold=True)


def _silenced(state: State) -> State:
    """The state without the last utterances, which are listed with the history."""
    return state._replace(utterance=np.zeros_like(state.utterance))


def _way(states: Sequence[State], role: int) -> list[Cell]:
    return [(int(state.x[role]), int(state.y[role])) for state in states]


def _places(scene: Scene, scenario: Scenario) -> Place:
    ground = scene.shapes[0]
    assert isinstance(ground, Rect)
    side = ground.width / scenario.params.width

    def place(cell: Cell, right: float, up: float) -> Point:
        x, y = cell
        return ground.x + (x + 0.5 + right) * side, ground.y + ground.height - (y + 0.5 + up) * side

    return place


def _tag(text: str, x: float, y: float, anchor: Anchor, size: float = 11.0) -> Iterator[Shape]:
    width = layout.LETTER * size * len(text) + 4
    left = {"start": x - 2, "middle": x - width / 2, "end": x + 2 - width}[anchor]
    yield Rect(left, y - size * 0.55, width, size * 1.1, draw.LIGHT, corner=2, opacity=0.8)
    yield Label(x, y, text, size, draw.INK, anchor)


def _walked(way: Sequence[Cell], place: Place, colour: str, role: int) -> Iterator[Shape]:
    """A path of the history. Each agent has its own lane, so that no path hides another."""
    if len(set(way)) == 1:
        return
    shift = -0.065 * (role + 1)
    points = [place(cell, shift, shift) for cell in way]
    for a, b in pairwise(points):
        if a != b:
            yield Line(*a, *b, draw.LIGHT, 4.6, 0.7)
            yield Line(*a, *b, colour, 2.2)
    yield Circle(*points[0], 4.5, draw.LIGHT, colour, 2)
    arrivals: dict[Cell, list[int]] = {}
    for turn, (before, now) in enumerate(pairwise(way), start=1):
        if now != before and now != way[-1]:  # where the disc is
            arrivals.setdefault(now, []).append(turn)
    for cell, turns in arrivals.items():
        x, y = place(cell, shift, shift)
        yield Circle(x, y, 3.8, colour, draw.LIGHT, 0.9)
        yield from _tag(",".join(map(str, turns)), x + 5, y + 8, "start", 9)


def _ahead(way: Sequence[Cell], place: Place, colour: str, shift: float) -> Iterator[Shape]:
    """A path of the trial, with an arrow at its end."""
    points = [place(cell, shift, shift) for cell, _ in groupby(way)]
    for a, b in pairwise(points):
        yield Line(*a, *b, draw.LIGHT, 5.4, 0.7)
        yield Line(*a, *b, colour, 3)
    if len(points) > 1:
        (x1, y1), (x2, y2) = points[-2:]
        dx, dy = np.sign(x2 - x1), np.sign(y2 - y1)
        head = ((x2 + 6 * dx, y2 + 6 * dy), *((x2 - 5 * dx + s * 6 * dy, y2 - 5 * dy - s * 6 * dx) for s in (1, -1)))
        yield Polygon(head, colour)


def _badge(x: float, y: float, is_right: bool) -> Iterator[Shape]:
    yield Circle(x, y, 8, RIGHT if is_right else WRONG, draw.LIGHT, 1.2)
    strokes = ((-4, 0, -1, 3), (-1, 3, 4, -3)) if is_right else ((-3, -3, 3, 3), (-3, 3, 3, -3))
    for x1, y1, x2, y2 in strokes:
        yield Line(x + x1, y + y1, x + x2, y + y2, draw.LIGHT, 2)
