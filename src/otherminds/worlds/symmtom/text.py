"""SymmToM for language models and people: what one agent observes, in words and as a small map, and the rules.

What is observed is told from the observation vector alone, so that nothing is said that the vector does not say.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from otherminds.worlds.symmtom.observe import layout
from otherminds.worlds.symmtom.types import MOVE_NAMES, MOVES, SIZES, Params

Cell = tuple[int, int]
_SIDES = {(0, 1): "above", (0, -1): "below", (1, 0): "right", (-1, 0): "left"}  # as in the block of walls
_DELAY = {1: "in the next turn", 2: "two turns later"}
_GOAL = "Your aim is to earn as much as you can"
_WATCHING = (
    "At first you only watch what happens and stay as you are told; you will be asked when it is your turn to choose."
)


class Reading:
    """One agent's observation vector taken apart into whole numbers."""

    def __init__(self, observation: Any, params: Params, seat: int) -> None:
        self.params, self.seat = params, seat
        self.others = [j for j in range(params.num_agents) if j != seat]
        vector, at = np.asarray(observation), 0
        self._blocks: dict[str, Any] = {}
        for name, size in layout(params):
            self._blocks[name] = vector[at : at + size]
            at += size

    def has(self, block: str) -> bool:
        return block in self._blocks

    def number(self, block: str) -> float:
        return float(self._blocks[block][0])

    def pieces(self, block: str) -> list[int]:
        """A block of the agent's own."""
        return [int(p) for p in np.flatnonzero(self._blocks[block])]

    def pieces_by_agent(self, block: str) -> dict[int, list[int]]:
        rows = self._blocks[block].reshape(len(self.others), -1)
        return {j: [int(p) for p in np.flatnonzero(row)] for j, row in zip(self.others, rows, strict=True)}

    def cell(self, block: str, scale: int) -> Cell:
        x, y = (int(v) for v in np.rint(self._blocks[block] * scale))
        return x, y

    def cells_by_agent(self, block: str, scale: int) -> dict[int, Cell]:
        rows = np.rint(self._blocks[block].reshape(len(self.others), 2) * scale).astype(int)
        return {j: (int(x), int(y)) for j, (x, y) in zip(self.others, rows, strict=True)}

    def seen(self) -> dict[int, bool]:
        if not self.has("seen"):
            return dict.fromkeys(self.others, True)
        return {j: bool(flag) for j, flag in zip(self.others, self._blocks["seen"], strict=True)}

    def walls(self) -> dict[Cell, bool]:
        """Neighbouring cells, and whether each is wall."""
        return {side: bool(flag) for side, flag in zip(_SIDES, self._blocks["walls"], strict=True)}

    def places(self) -> dict[int, Cell]:
        """Offsets of the seen others from this agent."""
        span = self.params.width - 1
        cells = self.cells_by_agent("other_positions", span)
        if self.has("own_position"):
            x, y = self.cell("own_position", span)
            cells = {j: (cx - x, cy - y) for j, (cx, cy) in cells.items()}
        return {j: cell for j, cell in cells.items() if self.seen()[j]}

    def bases(self) -> dict[int, Cell]:
        """Offsets from this agent of its own base and those of the seen others."""
        span = self.params.width - 1
        found = {self.seat: self.cell("own_base", span)}
        places = self.places()
        for j, (x, y) in self.cells_by_agent("other_bases", span).items():
            if j in places:
                from_x, from_y = places[j] if self.params.other_bases == "owner" else (0, 0)
                found[j] = (x + from_x, y + from_y)
        return found


def describe(observation: Any, params: Params, seat: int) -> str:
    """The observation of an agent in plain sentences."""
    view = Reading(observation, params, seat)
    n, w, c = params.num_agents, params.width, params.num_pieces
    lines = [f"You are agent {seat} of {n} on a {w} by {w} board with {c} pieces of information (0 to {c - 1})."]
    if view.has("turn"):
        lines.append(f"Turn {round(view.number('turn') * params.num_turns)} of {params.num_turns} has been played.")
    if view.has("own_position"):
        x, y = view.cell("own_position", w - 1)
        lines.append(f"You stand on cell ({x}, {y}).")
    lines.append(
        f"You own {_pieces(view.pieces('own_first_hand'))} first-hand. {_moved('You', view.cell('own_direction', 1))}"
    )
    if view.has("own_knowledge"):
        lines.append(f"Your knowledge is shown as {_pieces(view.pieces('own_knowledge'))}.")
    if view.has("speakable"):
        lines.append(f"You can now say {_pieces(view.pieces('speakable'))}.")
    if view.has("own_utterance"):
        said = view.pieces("own_utterance")
        lines.append(f"You said {_pieces(said)}." if said else "You said nothing.")
    if view.has("last_reward"):
        lines.append(f"Your last reward was {view.number('last_reward'):g}.")
    walls = [name for side, name in _SIDES.items() if view.walls()[side]]
    lines.append(f"Your base is {_offset(view.cell('own_base', w - 1), 'where you stand', 'you')}. {_walls(walls)}")
    lines += [_other(view, j) for j in view.others]
    return "\n".join(lines)


def _other(view: Reading, j: int) -> str:
    places, bases = view.places(), view.bases()
    owned = (
        "" if view.params.private_first_hand else f" It owns {_pieces(view.pieces_by_agent('other_first_hand')[j])}."
    )
    knows = f" It knows {_pieces(view.pieces_by_agent('other_knowledge')[j])}." if view.has("other_knowledge") else ""
    said = view.pieces_by_agent("other_utterances")[j]
    heard = f" You heard it say {_pieces(said)}." if said else " You heard nothing from it."
    if j not in places:
        return f"Agent {j} is out of sight.{owned}{knows}{heard}"
    x, y = places[j]
    base_x, base_y = bases[j]
    moved = _moved("It", view.cells_by_agent("other_directions", 1)[j])
    base = _offset((base_x - x, base_y - y), "where it stands", "it")
    return f"Agent {j} is {_offset((x, y), 'where you are', 'you')}. {moved} Its base is {base}.{owned}{knows}{heard}"


def board(observation: Any, params: Params, seat: int) -> str:
    """A map of what an agent sees: agents by number, bases by letter (``a`` is agent 0's), ``#`` wall, ``.`` the rest.

    Without absolute positions nobody knows where on the board it is, so the map is centred on the agent and shows
    only what is known to be there.
    """
    view = Reading(observation, params, seat)
    agents = {(0, 0): str(seat)} | {cell: str(j) for j, cell in view.places().items()}
    bases = {cell: chr(ord("a") + j) for j, cell in view.bases().items()}
    walls = {side for side, is_wall in view.walls().items() if is_wall}
    if view.has("own_position"):
        x, y = view.cell("own_position", params.width - 1)
        columns, rows = range(-x, params.width - x), range(-y, params.width - y)
        low, high = params.block
        walls = {(cx - x, cy - y) for cx in range(low, high) for cy in range(low, high)}
    else:
        known = [*agents, *bases, *walls, (1, 1), (-1, -1)]
        columns = range(min(x for x, _ in known), max(x for x, _ in known) + 1)
        rows = range(min(y for _, y in known), max(y for _, y in known) + 1)

    def is_wall(place: Cell) -> bool:
        # Without a middle block a wall next to the agent is the edge, and runs along the whole board.
        x, y = place
        is_edge = not params.middle_block and bool({(np.sign(x), 0), (0, np.sign(y))} & walls)
        return place in walls or is_edge

    def cell(place: Cell) -> str:
        if is_wall(place):
            return " # "
        return f" {agents.get(place, '')}{bases.get(place, '')}".ljust(3) if place in {**agents, **bases} else " . "

    return "\n".join("".join(cell((x, y)) for x in columns).rstrip() for y in reversed(rows))


def listing(words: Iterable[Any]) -> str:
    """Words as in ``0, 1 and 2``."""
    *most, last = (*map(str, words),)
    return f"{', '.join(most)} and {last}" if most else last


def _pieces(pieces: list[int]) -> str:
    return f"piece{'s' if len(pieces) > 1 else ''} {listing(pieces)}" if pieces else "no piece"


def _offset(cell: Cell, here: str, whom: str) -> str:
    x, y = cell
    ways = ((x, "right" if x > 0 else "left"), (y, "up" if y > 0 else "down"))
    parts = [f"{abs(gap)} {way}" for gap, way in ways if gap]
    return f"{' and '.join(parts)} from {whom}" if parts else here


def _moved(who: str, step: Cell) -> str:
    is_move = step in MOVES[1:]
    return f"{who} moved {MOVE_NAMES[MOVES.index(step)]} last turn." if is_move else f"{who} did not move last turn."


def _walls(walls: list[str]) -> str:
    return f"There is wall {' and '.join(walls)}." if walls else "There is no wall next to you."


def rule_fields(params: Params, agent: int, turns: int, is_trial: bool) -> dict[str, Any]:
    """What the prompt ``rules`` may fill in."""
    switches = [f"{name} = {value}" for name, value in params.to_dict().items() if name not in SIZES]
    return {
        "seat": agent,
        "agents": params.num_agents,
        "pieces": params.num_pieces,
        "last_piece": params.num_pieces - 1,
        "turns": turns,
        "hearing": params.hearing,
        "delay": _DELAY[params.speech_delay],
        "base_reward": f"{params.full_base_reward:g}",
        "switches": f"This world differs from the usual one in: {', '.join(switches)}." if switches else "",
        "goal": f"{_GOAL}, in as few turns as you can. {_WATCHING}" if is_trial else f"{_GOAL}.",
    }


def rules_in_words(params: Params, agent: int, turns: int, is_trial: bool) -> str:
    """The rules for a person."""
    told = rule_fields(params, agent, turns, is_trial)
    lines = (
        "You are agent {seat} of {agents}. There are {pieces} pieces of information and {turns} turns. Hearing a new "
        "piece earns 1; so does telling somebody a piece that is new to them.",
        "Whoever is within {hearing} of you on both axes hears you. A piece you heard can be said {delay}; choosing a "
        "piece that you cannot say is silence.",
        f"When you know every piece, step on your base (the letter {chr(ord('a') + agent)}): it earns {{base_reward}}, "
        "and you forget all but your first-hand pieces.",
        "Answer with a move (stay, right, left, up, down, or the first letter) and a piece (0 to {last_piece}, or - "
        "for silence), such as 'right 0'.",
        "{switches}",
        "{goal}",
    )
    return "\n".join(filter(None, (line.format(**told) for line in lines)))
