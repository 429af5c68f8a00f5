"""One SymmToM state as a picture in the visual language of the paper's Figure 2, or as text for a terminal.

Agents are discs, hearing ranges are tinted, bases are fully coloured cells. A diamond is a piece of information: black
if known first-hand, grey if second-hand, white if not known; a black circle marks the piece being said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otherminds.view.shapes import Circle, Label, Line, Polygon, Rect, Scene, Shape
from otherminds.worlds.symmtom.bits import first_piece, pieces_of
from otherminds.worlds.symmtom.types import Params, State

# Agent 0 is red, as in the paper. Told apart also with red-green blindness; above six agents the numbers help.
COLOURS = (
    "#d42a24",
    "#1862c6",
    "#f5b800",
    "#2a8579",
    "#74b8f2",
    "#7d2a91",
    "#d9cf9a",
    "#2a2d36",
    "#f0a0c0",
    "#6b2412",
)
PAPER = "#fdfdfc"
INK = "#1c1f26"
QUIET = "#6d7480"
GRID = "#dcdfe4"
WALL = "#4a4f5a"
LIGHT = "#ffffff"
FIRST_HAND = "#000000"
SECOND_HAND = "#9a9fa8"
UNKNOWN = "#fffffe"

_BOARD = 460.0
_LARGEST_CELL = 76.0
_MARGIN = 30.0
_HEAD = 46.0
_GAP = 34.0
_PIECES = 304.0
_LARGEST_PIECE = 32.0
_NAMES = 92.0
_LEGEND = 58.0


def scene(state: State, params: Params, *, title: str | None = None) -> Scene:
    """The board, and beside it a row an agent with the pieces it knows and the one it says."""
    side = _cell(params) * params.width
    left = _MARGIN + side + _GAP
    width = left + _NAMES + _PIECES + _MARGIN / 2
    height = _HEAD + max(side, params.num_agents * _row_height(params) + _LEGEND) + _MARGIN
    turn = f"turn {int(state.turn)} of {params.num_turns}"
    shapes: list[Shape] = [*_board(state, params, _MARGIN, _HEAD, COLOURS)]
    if title:
        room = int((width - 180) / 9)
        shapes.append(
            Label(_MARGIN, 23, title if len(title) <= room else f"{title[: room - 3]}...", 17, INK, is_bold=True)
        )
    shapes.append(Label(width - _MARGIN / 2, 23, turn, 15, QUIET, "end"))
    names = [f"agent {agent}" for agent in range(params.num_agents)]
    shapes.extend(_knowledge(state, params, left, _HEAD, COLOURS, names))
    return Scene(width, height, tuple(shapes), PAPER, _describe(state, params))


def knowledge(state: State, params: Params, colours: Sequence[str], names: Sequence[str]) -> Scene:
    """What each agent knows, a row an agent, with the legend."""
    shapes = tuple(_knowledge(state, params, 0, 0, colours, names))
    return Scene(_NAMES + _PIECES, params.num_agents * _row_height(params) + _LEGEND, shapes, PAPER)


def board(state: State, params: Params, colours: Sequence[str] = COLOURS) -> Scene:
    """The board alone, for pages that show knowledge in their own way."""
    side = _cell(params) * params.width
    shapes = tuple(_board(state, params, 22, 8, colours))
    return Scene(side + 30, side + 30, shapes, PAPER, _describe(state, params))


def terminal(state: State, params: Params) -> str:
    """The board and everyone's knowledge in plain characters: ``1b`` is agent 1 on the base of agent 1."""
    wide = params.width <= 24
    low, high = params.block
    agents = {(int(state.x[i]), int(state.y[i])): str(i) for i in range(params.num_agents)}
    bases = {(int(state.base_x[i]), int(state.base_y[i])): "abcdefghij"[i] for i in range(params.num_agents)}
    rule = "─" * (params.width * (3 if wide else 2) + wide)
    lines = [f"turn {int(state.turn)} of {params.num_turns}", f"┌{rule}┐"]
    for y in reversed(range(params.width)):
        cells = []
        for x in range(params.width):
            if low <= x < high and low <= y < high:
                cells.append("██")
            else:
                here = agents.get((x, y), "") + bases.get((x, y), "")
                cells.append(here.rjust(2) if (x, y) in bases else here.ljust(2) if here else "· ")
        lines.append("│ " + " ".join(cells) + " │" if wide else "│" + "".join(cells) + "│")
    lines.append(f"└{rule}┘")
    for agent in range(params.num_agents):
        marks = "".join("◇◈◆"[_degree(state, agent, piece)] for piece in range(params.num_pieces))
        groups = " ".join(marks[start : start + 8] for start in range(0, len(marks), 8))
        said = first_piece(state.utterance[agent])
        lines.append(f"{agent} {groups}  {'silent' if said is None else f'says {said}'}")
    lines.append("0-9 agents, a-j their bases; ◆ first-hand ◈ second-hand ◇ not known")
    return "\n".join(lines)


def hearers(state: State, speaker: int, params: Params) -> tuple[list[int], list[int]]:
    """Who was in range of a speaker in the last turn: those who understood it, and those who heard several at once."""
    near = pieces_of(state.earshot[speaker])
    jammed = [i for i in near if params.interference and _voices(state, i) > 1]
    return [i for i in near if i not in jammed], jammed


def _voices(state: State, listener: int) -> int:
    return sum(1 for j in pieces_of(state.earshot[listener]) if state.utterance[j])


def _degree(state: State, agent: int, piece: int) -> int:
    """2 for first-hand, 1 for second-hand, 0 for not known."""
    is_known = int(state.knowledge[agent]) >> piece & 1
    return is_known + (is_known & int(state.first_hand[agent]) >> piece)


def _cell(params: Params) -> float:
    return min(_LARGEST_CELL, _BOARD / params.width)


def _piece_grid(params: Params) -> tuple[float, int]:
    """Size of a diamond's place, and how many go on a line."""
    pitch = max(_PIECES / 16, min(_LARGEST_PIECE, _PIECES / params.num_pieces))
    return pitch, min(params.num_pieces, int(_PIECES / pitch + 1e-6))


def _ink_on(colour: str) -> str:
    """Black or white, whichever is legible on a colour."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return FIRST_HAND if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else LIGHT


def _diamond(x: float, y: float, radius: float, fill: str, stroke: str, stroke_width: float = 1.2) -> Polygon:
    points = ((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y))
    return Polygon(points, fill, stroke, stroke_width)


def _row_height(params: Params) -> float:
    pitch, per_line = _piece_grid(params)
    return -(-params.num_pieces // per_line) * pitch + 18


def _knowledge(
    state: State, params: Params, left: float, top: float, colours: Sequence[str], names: Sequence[str]
) -> Iterator[Shape]:
    pitch, per_line = _piece_grid(params)
    row = _row_height(params)
    for agent, (colour, name) in enumerate(zip(colours, names, strict=False)):
        upper = top + agent * row
        if agent:
            right = left + _NAMES + _PIECES
            yield Line(left, upper - 5, right, upper - 5, GRID)
        middle = upper + 4 + (row - 18) / 2
        yield Circle(left + 11, middle, 11, colour)
        yield Label(left + 11, middle, str(agent), 12, _ink_on(colour), "middle", is_bold=True)
        yield Label(left + 30, middle, name, min(13.0, 116 / len(name)), INK)
        for piece in range(params.num_pieces):
            x = left + _NAMES + (piece % per_line + 0.5) * pitch
            y = upper + 4 + (piece // per_line + 0.5) * pitch
            yield from _piece(state, agent, piece, x, y, pitch)
    yield from _legend(left, top + params.num_agents * row + 12)


def _piece(state: State, agent: int, piece: int, x: float, y: float, pitch: float) -> Iterator[Shape]:
    fill, ink = ((UNKNOWN, QUIET), (SECOND_HAND, FIRST_HAND), (FIRST_HAND, LIGHT))[_degree(state, agent, piece)]
    yield _diamond(x, y, pitch * 0.39, fill, FIRST_HAND if fill != UNKNOWN else QUIET)
    yield Label(x, y, str(piece), pitch * 0.34, ink, "middle")
    if first_piece(state.utterance[agent]) == piece:
        yield Circle(x, y, pitch * 0.5, None, FIRST_HAND, 2.2)


def _board(state: State, params: Params, left: float, top: float, colours: Sequence[str]) -> Iterator[Shape]:
    cell = _cell(params)
    side = cell * params.width

    def corner(x: int, y: int) -> tuple[float, float]:
        return left + x * cell, top + side - (y + 1) * cell

    yield Rect(left, top, side, side, UNKNOWN)
    ranges = [_range(state, params, agent, left, top) for agent in range(params.num_agents)]
    for agent, box in enumerate(ranges):
        yield Rect(*box, fill=colours[agent], opacity=0.2)
    for k in range(1, params.width):
        yield Line(left + k * cell, top, left + k * cell, top + side, GRID)
        yield Line(left, top + k * cell, left + side, top + k * cell, GRID)
    for agent, box in enumerate(ranges):
        yield Rect(*box, stroke=colours[agent], stroke_width=1.6, opacity=0.6)
    for agent in range(params.num_agents):
        x, y = corner(int(state.base_x[agent]), int(state.base_y[agent]))
        yield Rect(x, y, cell, cell, colours[agent])
        if cell >= 24:
            inset = cell * 0.09
            yield Rect(
                x + inset, y + inset, cell - 2 * inset, cell - 2 * inset, None, _ink_on(colours[agent]), 1.4, 2, 0.8
            )
            yield Label(x + cell * 0.22, y + cell * 0.23, str(agent), cell * 0.2, _ink_on(colours[agent]), "middle")
    low, high = params.block
    if high > low:
        x, y = corner(low, high - 1)
        yield Rect(x, y, (high - low) * cell, (high - low) * cell, WALL)
    yield Rect(left, top, side, side, None, INK, 1.6)
    stride = next(s for s in (1, 2, 4, 8) if s * cell >= 22)
    for k in range(0, params.width, stride):
        yield Label(left + (k + 0.5) * cell, top + side + 12, str(k), 10, QUIET, "middle")
        yield Label(left - 7, top + side - (k + 0.5) * cell, str(k), 10, QUIET, "end")
    for agent in range(params.num_agents):
        yield from _agent(state, params, agent, left, top, colours[agent])
    for agent in range(params.num_agents):
        yield from _bubble(state, params, agent, left, top)


def _range(state: State, params: Params, agent: int, left: float, top: float) -> tuple[float, float, float, float]:
    """The part of the board in which an agent hears, as left, top, width and height."""
    cell, edge, h = _cell(params), params.width - 1, params.hearing
    x0, x1 = max(0, int(state.x[agent]) - h), min(edge, int(state.x[agent]) + h)
    y0, y1 = max(0, int(state.y[agent]) - h), min(edge, int(state.y[agent]) + h)
    return left + x0 * cell, top + (edge - y1) * cell, (x1 - x0 + 1) * cell, (y1 - y0 + 1) * cell


def _centre(state: State, params: Params, agent: int, left: float, top: float) -> tuple[float, float]:
    cell = _cell(params)
    return left + (int(state.x[agent]) + 0.5) * cell, top + (params.width - int(state.y[agent]) - 0.5) * cell


def _agent(state: State, params: Params, agent: int, left: float, top: float, colour: str) -> Iterator[Shape]:
    cell = _cell(params)
    x, y = _centre(state, params, agent, left, top)
    radius = max(6.0, cell * 0.29)
    yield Circle(x, y, radius + max(1.5, cell * 0.035), LIGHT, INK, 1)
    yield Circle(x, y, radius, colour)
    yield Label(x, y, str(agent), radius * 1.1, _ink_on(colour), "middle", is_bold=True)


def _bubble(state: State, params: Params, agent: int, left: float, top: float) -> Iterator[Shape]:
    """What an agent says, up and right of it; near the board's right or upper edge it turns to the other side."""
    piece = first_piece(state.utterance[agent])
    if piece is None:
        return
    cell, edge = _cell(params), params.width - 1
    x, y = _centre(state, params, agent, left, top)
    height = max(13.0, cell * 0.27)
    width = height * (1.25 if piece < 10 else 1.55)
    right = -1 if int(state.x[agent]) == edge else 1
    up = -1 if int(state.y[agent]) == edge else 1
    reach = max(6.0, cell * 0.29)
    bx, by = x + right * (reach * 0.7 + width * 0.4), y - up * (reach * 0.8 + height * 0.42)
    yield Polygon(
        (
            (bx - right * width * 0.3, by),
            (bx + right * width * 0.12, by),
            (x + right * reach * 0.62, y - up * reach * 0.5),
        ),
        LIGHT,
        INK,
        1.2,
    )
    yield Rect(bx - width / 2, by - height / 2, width, height, LIGHT, INK, 1.2, height * 0.35)
    yield Label(bx, by, str(piece), height * 0.68, INK, "middle", is_bold=True)


def _legend(x: float, y: float) -> Iterator[Shape]:
    yield _diamond(x + 8, y + 8, 7, FIRST_HAND, FIRST_HAND)
    yield Label(x + 20, y + 8, "first-hand", 11, QUIET)
    yield _diamond(x + 98, y + 8, 7, SECOND_HAND, FIRST_HAND)
    yield Label(x + 110, y + 8, "second-hand", 11, QUIET)
    yield _diamond(x + 204, y + 8, 7, UNKNOWN, QUIET)
    yield Label(x + 216, y + 8, "not known", 11, QUIET)
    yield Circle(x + 296, y + 8, 8, None, FIRST_HAND, 2.2)
    yield Label(x + 309, y + 8, "being said", 11, QUIET)
    yield Rect(x + 1, y + 25, 14, 14, COLOURS[0])
    yield Label(x + 20, y + 32, "base", 11, QUIET)
    yield Rect(x + 91, y + 25, 14, 14, COLOURS[0], opacity=0.25)
    yield Label(x + 110, y + 32, "hearing range", 11, QUIET)


def _describe(state: State, params: Params) -> str:
    places = ", ".join(f"{i} at ({int(state.x[i])}, {int(state.y[i])})" for i in range(params.num_agents))
    return f"Board of {params.width} by {params.width} cells after turn {int(state.turn)}; agents: {places}"
