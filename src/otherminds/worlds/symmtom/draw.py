"""Draw a SymmToM state as in the paper's Figure 2, or as text for a terminal.

Agents are discs, hearing ranges are tinted, and bases are fully coloured cells. A diamond is a piece of information:
black if known first-hand, grey if second-hand, white if unknown. A black circle marks the piece being said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otherminds.view.layout import moved
from otherminds.view.shapes import Circle, Label, Line, Polygon, Rect, Scene, Shape
from otherminds.worlds.symmtom import text
from otherminds.worlds.symmtom.bits import first_piece, pieces_of
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import Params, State

# Agent 0 is red, as in the paper. The first six colours are distinguishable with red-green blindness.
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
_LEGEND_WORDS = (
    (20, 8, "first-hand"),
    (110, 8, "second-hand"),
    (216, 8, "not known"),
    (309, 8, "being said"),
    (20, 32, "base"),
    (110, 32, "hearing range"),
)


def scene(state: State, params: Params) -> Scene:
    """The board, and beside it one row per agent with the pieces it knows and the one it says."""
    side = _cell(params) * params.width
    left = _MARGIN + side + _GAP
    width = left + _NAMES + _PIECES + _MARGIN / 2
    rows = knowledge(state, params, COLOURS, [f"agent {agent}" for agent in range(params.num_agents)])
    turn = Label(width - _MARGIN / 2, 23, f"turn {int(state.turn)} of {params.num_turns}", 15, QUIET, "end")
    shapes = (*moved([*_board(state, params, COLOURS)], _MARGIN, _HEAD), turn, *moved(rows.shapes, left, _HEAD))
    return Scene(width, _HEAD + max(side, rows.height) + _MARGIN, shapes, PAPER, _describe(state, params))


def knowledge(state: State, params: Params, colours: Sequence[str], names: Sequence[str]) -> Scene:
    """What each agent knows, one row per agent, with the legend."""
    pitch, per_line = _piece_grid(params)
    row = -(-params.num_pieces // per_line) * pitch + 18
    height = params.num_agents * row

    def rows() -> Iterator[Shape]:
        for agent, (colour, name) in enumerate(zip(colours, names, strict=False)):
            upper = agent * row
            if agent:
                yield Line(0, upper - 5, _NAMES + _PIECES, upper - 5, GRID)
            middle = upper + 4 + (row - 18) / 2
            yield Circle(11, middle, 11, colour)
            yield Label(11, middle, str(agent), 12, _ink_on(colour), "middle", is_bold=True)
            yield Label(30, middle, name, min(13.0, 116 / len(name)), INK)
            for piece in range(params.num_pieces):
                x = _NAMES + (piece % per_line + 0.5) * pitch
                y = upper + 4 + (piece // per_line + 0.5) * pitch
                degree = _degree(state, agent, piece)
                fill, ink = ((UNKNOWN, QUIET), (SECOND_HAND, FIRST_HAND), (FIRST_HAND, LIGHT))[degree]
                yield _diamond(x, y, pitch * 0.39, fill, FIRST_HAND if fill != UNKNOWN else QUIET)
                yield Label(x, y, str(piece), pitch * 0.34, ink, "middle")
                if first_piece(state.utterance[agent]) == piece:
                    yield Circle(x, y, pitch * 0.5, None, FIRST_HAND, 2.2)

    return Scene(_NAMES + _PIECES, height + _LEGEND, (*rows(), *moved([*_legend()], 0, height + 12)), PAPER)


def board(state: State, params: Params, colours: Sequence[str] = COLOURS) -> Scene:
    """The board alone, for pages that show knowledge elsewhere."""
    side = _cell(params) * params.width
    shapes = tuple(moved([*_board(state, params, colours)], 22, 8))
    return Scene(side + 30, side + 30, shapes, PAPER, _describe(state, params))


def terminal(state: State, params: Params) -> str:
    """The whole board (see ``text.board``) and the knowledge of all agents as text."""
    shown = params.replace(positions="absolute", vision=None)
    lines = [f"turn {int(state.turn)} of {params.num_turns}", text.board(observe(state, shown)[0], shown, 0)]
    for agent in range(params.num_agents):
        marks = "".join("◇◈◆"[_degree(state, agent, piece)] for piece in range(params.num_pieces))
        said = first_piece(state.utterance[agent])
        lines.append(f"{agent} {marks}  {'silent' if said is None else f'says {said}'}")
    lines.append("0-9 agents, a-j their bases, # wall; ◆ first-hand ◈ second-hand ◇ not known")
    return "\n".join(lines)


def hearers(state: State, speaker: int, params: Params) -> tuple[list[int], list[int]]:
    """Agents in range of a speaker in the last turn: those who understood it, and those who heard several at once."""
    near = pieces_of(state.earshot[speaker])
    voices = {i: sum(1 for j in pieces_of(state.earshot[i]) if state.utterance[j]) for i in near}
    jammed = [i for i in near if params.interference and voices[i] > 1]
    return [i for i in near if i not in jammed], jammed


def _degree(state: State, agent: int, piece: int) -> int:
    """2 for first-hand, 1 for second-hand, 0 for unknown."""
    is_known = int(state.knowledge[agent]) >> piece & 1
    return is_known + (is_known & int(state.first_hand[agent]) >> piece)


def _cell(params: Params) -> float:
    return min(_LARGEST_CELL, _BOARD / params.width)


def _piece_grid(params: Params) -> tuple[float, int]:
    """Size of the square around a diamond, and the number of squares per line."""
    pitch = max(_PIECES / 16, min(_LARGEST_PIECE, _PIECES / params.num_pieces))
    return pitch, min(params.num_pieces, int(_PIECES / pitch + 1e-6))


def _ink_on(colour: str) -> str:
    """Black or white, whichever is legible on the colour."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return FIRST_HAND if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else LIGHT


def _diamond(x: float, y: float, radius: float, fill: str, stroke: str) -> Polygon:
    return Polygon(((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)), fill, stroke, 1.2)


def _board(state: State, params: Params, colours: Sequence[str]) -> Iterator[Shape]:
    """The board with its upper left corner at the origin; the ground comes first, agents and speech last."""
    cell, agents, edge, h = _cell(params), range(params.num_agents), params.width - 1, params.hearing
    side = cell * params.width

    def box(x0: int, y0: int, x1: int, y1: int) -> tuple[float, float, float, float]:
        """The rectangle from the lower left to the upper right cell, as left, top, width and height."""
        return x0 * cell, (edge - y1) * cell, (x1 - x0 + 1) * cell, (y1 - y0 + 1) * cell

    yield Rect(0, 0, side, side, UNKNOWN)
    cells = [(int(state.x[agent]), int(state.y[agent])) for agent in agents]
    ranges = [box(max(0, x - h), max(0, y - h), min(edge, x + h), min(edge, y + h)) for x, y in cells]
    for agent in agents:
        yield Rect(*ranges[agent], fill=colours[agent], opacity=0.2)
    for k in range(1, params.width):
        yield Line(k * cell, 0, k * cell, side, GRID)
        yield Line(0, k * cell, side, k * cell, GRID)
    for agent in agents:
        yield Rect(*ranges[agent], stroke=colours[agent], stroke_width=1.6, opacity=0.6)
    for agent in agents:
        yield from _base(
            agent, *box(*2 * (int(state.base_x[agent]), int(state.base_y[agent])))[:2], cell, colours[agent]
        )
    low, high = params.block
    if high > low:
        yield Rect(*box(low, low, high - 1, high - 1), WALL)
    yield Rect(0, 0, side, side, None, INK, 1.6)
    stride = next(s for s in (1, 2, 4, 8) if s * cell >= 22)
    for k in range(0, params.width, stride):
        yield Label((k + 0.5) * cell, side + 12, str(k), 10, QUIET, "middle")
        yield Label(-7, side - (k + 0.5) * cell, str(k), 10, QUIET, "end")
    centres = [((x + 0.5) * cell, (edge - y + 0.5) * cell) for x, y in cells]
    radius = max(6.0, cell * 0.29)
    for agent, (x, y) in enumerate(centres):
        yield Circle(x, y, radius + max(1.5, cell * 0.035), LIGHT, INK, 1)
        yield Circle(x, y, radius, colours[agent])
        yield Label(x, y, str(agent), radius * 1.1, _ink_on(colours[agent]), "middle", is_bold=True)
    for agent, (x, y) in enumerate(centres):
        piece = first_piece(state.utterance[agent])
        if piece is not None:
            # Near the board's right or upper edge a bubble turns to the other side.
            right, up = (-1 if place == edge else 1 for place in cells[agent])
            yield from _bubble(piece, x, y, right, up, radius, max(13.0, cell * 0.27))


def _base(agent: int, x: float, y: float, cell: float, colour: str) -> Iterator[Shape]:
    yield Rect(x, y, cell, cell, colour)
    if cell >= 24:
        inset, ink = cell * 0.09, _ink_on(colour)
        yield Rect(x + inset, y + inset, cell - 2 * inset, cell - 2 * inset, None, ink, 1.4, 2, 0.8)
        yield Label(x + cell * 0.22, y + cell * 0.23, str(agent), cell * 0.2, ink, "middle")


def _bubble(piece: int, x: float, y: float, right: int, up: int, reach: float, height: float) -> Iterator[Shape]:
    """A speech bubble to the upper right of an agent; -1 for ``right`` or ``up`` turns it left or down."""
    width = height * (1.25 if piece < 10 else 1.55)
    bx, by = x + right * (reach * 0.7 + width * 0.4), y - up * (reach * 0.8 + height * 0.42)
    tip = (x + right * reach * 0.62, y - up * reach * 0.5)
    yield Polygon(((bx - right * width * 0.3, by), (bx + right * width * 0.12, by), tip), LIGHT, INK, 1.2)
    yield Rect(bx - width / 2, by - height / 2, width, height, LIGHT, INK, 1.2, height * 0.35)
    yield Label(bx, by, str(piece), height * 0.68, INK, "middle", is_bold=True)


def _legend() -> Iterator[Shape]:
    yield _diamond(8, 8, 7, FIRST_HAND, FIRST_HAND)
    yield _diamond(98, 8, 7, SECOND_HAND, FIRST_HAND)
    yield _diamond(204, 8, 7, UNKNOWN, QUIET)
    yield Circle(296, 8, 8, None, FIRST_HAND, 2.2)
    yield Rect(1, 25, 14, 14, COLOURS[0])
    yield Rect(91, 25, 14, 14, COLOURS[0], opacity=0.25)
    for x, y, word in _LEGEND_WORDS:
        yield Label(x, y, word, 11, QUIET)


def _describe(state: State, params: Params) -> str:
    places = ", ".join(f"{i} at ({int(state.x[i])}, {int(state.y[i])})" for i in range(params.num_agents))
    return f"Board of {params.width} by {params.width} cells after turn {int(state.turn)}; agents: {places}"
