"""SymmToM in words, for language models and people: observations, as sentences and as a small map, and the rules.

Observations are described from the vector alone, so that the text reveals nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.worlds.symmtom.observe import layout
from otherminds.worlds.symmtom.types import MOVE_NAMES, MOVES, SIZES, Params

Cell = tuple[int, int]
_SIDES = {(0, 1): "above", (0, -1): "below", (1, 0): "right", (-1, 0): "left"}  # as in the block of walls
_DELAY = {1: "in the next turn", 2: "two turns later"}
_RULES = Path(__file__).parent / "prompts" / "v1" / "rules.txt"
_GOAL = "Your aim is to earn as much as you can"
_WATCHING = (
    "At first you only watch what happens and stay as you are told; you will be asked when it is your turn to choose."
)


class ObservationBlocks:
    """One agent's observation vector, split into blocks of integers."""

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

    def rows(self, block: str, scale: int = 1) -> dict[int, list[int]]:
        """A block by agent: the observer's own, or one about the others."""
        agents = self.others if block.startswith("other_") or block == "seen" else [self.seat]
        rows = np.rint(self._blocks[block] * scale).astype(int).reshape(len(agents), -1)
        return dict(zip(agents, rows.tolist(), strict=True))

    def pieces(self, block: str, agent: int | None = None) -> list[int]:
        """The pieces in a block, by default of the observer."""
        row = self.rows(block)[self.seat if agent is None else agent]
        return [piece for piece, flag in enumerate(row) if flag]

    def cells(self, block: str) -> dict[int, Cell]:
        return {j: (x, y) for j, (x, y) in self.rows(block, self.params.width - 1).items()}

    def reward(self) -> float:
        return float(self._blocks["last_reward"][0])

    def walls(self) -> dict[Cell, bool]:
        return dict(zip(_SIDES, map(bool, self._blocks["walls"]), strict=True))

    def places(self) -> dict[int, Cell]:
        """Offsets of the visible others from the observer."""
        x, y = self.cells("own_position")[self.seat] if self.has("own_position") else (0, 0)
        unseen = [j for j, flag in self.rows("seen").items() if flag == [0]] if self.has("seen") else []
        return {j: (cx - x, cy - y) for j, (cx, cy) in self.cells("other_positions").items() if j not in unseen}

    def bases(self) -> dict[int, Cell]:
        """Offsets of the observer's base and of those of the visible others from the observer."""
        bases, places = self.cells("own_base"), self.places()
        for j, (x, y) in self.cells("other_bases").items():
            if j in places:
                from_x, from_y = places[j] if self.params.other_bases == "owner" else (0, 0)
                bases[j] = (x + from_x, y + from_y)
        return bases


def describe(observation: Any, params: Params, seat: int) -> str:
    """The observation of an agent in plain sentences."""
    view = ObservationBlocks(observation, params, seat)
    n, w, c = params.num_agents, params.width, params.num_pieces
    lines = [f"You are agent {seat} of {n} on a {w} by {w} board with {c} pieces of information (0 to {c - 1})."]
    if view.has("turn"):
        lines.append(f"Turn {view.rows('turn', params.num_turns)[seat][0]} of {params.num_turns} has been played.")
    if view.has("own_position"):
        x, y = view.cells("own_position")[seat]
        lines.append(f"You stand on cell ({x}, {y}).")
    moved = _moved("You", view.rows("own_direction")[seat])
    lines.append(f"You own {_pieces(view.pieces('own_first_hand'))} first-hand. {moved}")
    if view.has("own_knowledge"):
        lines.append(f"Your knowledge is shown as {_pieces(view.pieces('own_knowledge'))}.")
    if view.has("speakable"):
        lines.append(f"You can now say {_pieces(view.pieces('speakable'))}.")
    if view.has("own_utterance"):
        said = view.pieces("own_utterance")
        lines.append(f"You said {_pieces(said)}." if said else "You said nothing.")
    if view.has("last_reward"):
        lines.append(f"Your last reward was {view.reward():g}.")
    walls = " and ".join(name for side, name in _SIDES.items() if view.walls()[side])
    beside = f"There is wall {walls}." if walls else "There is no wall next to you."
    lines.append(f"Your base is {_offset(view.bases()[seat], 'where you stand', 'you')}. {beside}")
    lines += [_other(view, j) for j in view.others]
    return "\n".join(lines)


def _other(view: ObservationBlocks, j: int) -> str:
    places, bases = view.places(), view.bases()
    owned = "" if view.params.private_first_hand else f" It owns {_pieces(view.pieces('other_first_hand', j))}."
    knows = f" It knows {_pieces(view.pieces('other_knowledge', j))}." if view.has("other_knowledge") else ""
    said = view.pieces("other_utterances", j)
    heard = f" You heard it say {_pieces(said)}." if said else " You heard nothing from it."
    if j not in places:
        return f"Agent {j} is out of sight.{owned}{knows}{heard}"
    x, y = places[j]
    base_x, base_y = bases[j]
    moved = _moved("It", view.rows("other_directions")[j])
    base = _offset((base_x - x, base_y - y), "where it stands", "it")
    return f"Agent {j} is {_offset((x, y), 'where you are', 'you')}. {moved} Its base is {base}.{owned}{knows}{heard}"


def board(observation: Any, params: Params, seat: int) -> str:
    """A map of what an agent sees: agents by number, bases by letter (``a`` is agent 0's), ``#`` wall, ``.`` the rest.

    Without absolute positions an agent does not know where on the board it is, so the map is centred on the agent and
    shows only what the agent knows of.
    """
    view = ObservationBlocks(observation, params, seat)
    agents = {(0, 0): str(seat)} | {cell: str(j) for j, cell in view.places().items()}
    bases = {cell: chr(ord("a") + j) for j, cell in view.bases().items()}
    walls = {side for side, is_wall in view.walls().items() if is_wall}
    if view.has("own_position"):
        x, y = view.cells("own_position")[seat]
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
    """A list in words, such as ``0, 1 and 2``."""
    *most, last = (*map(str, words),)
    return f"{', '.join(most)} and {last}" if most else last


def _pieces(pieces: list[int]) -> str:
    return f"piece{'s' if len(pieces) > 1 else ''} {listing(pieces)}" if pieces else "no piece"


def _offset(cell: Cell, here: str, whom: str) -> str:
    x, y = cell
    ways = ((x, "right" if x > 0 else "left"), (y, "up" if y > 0 else "down"))
    parts = [f"{abs(gap)} {way}" for gap, way in ways if gap]
    return f"{' and '.join(parts)} from {whom}" if parts else here


def _moved(who: str, step: list[int]) -> str:
    move = MOVES.index((step[0], step[1]))
    return f"{who} moved {MOVE_NAMES[move]} last turn." if move else f"{who} did not move last turn."


def rule_fields(params: Params, agent: int, turns: int, is_trial: bool) -> dict[str, Any]:
    """Values for the placeholders of the prompt ``rules``."""
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
    """The rules for a person: those of the prompt, and how to answer."""
    rules = _RULES.read_text("utf-8").format(**rule_fields(params, agent, turns, is_trial))
    return re.sub(r"\n{3,}", "\n\n", rules) + (
        f"On the map your base is the letter {chr(ord('a') + agent)}. Answer with a move (stay, right, left, up, down, "
        f"or the first letter) and a piece (0 to {params.num_pieces - 1}, or - for silence), such as 'right 0'."
    )
