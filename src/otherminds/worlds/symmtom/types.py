"""The types of SymmToM: parameters, state and action.

Arrays have agents on the first axis and parallel worlds on the trailing axes (written ``*worlds``, possibly none).
Sets of pieces are bit masks: bit *p* of a ``uint32`` is set if piece *p* is in the set.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

import numpy as np

from otherminds.core.errors import UserError, nearest

# Arrays come from NumPy or JAX; neither has a type that covers both.
Array = Any

MOVES = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
MOVE_NAMES = ("stay", "right", "left", "up", "down")
SILENT = -1

SIZES = ("num_agents", "width", "num_pieces", "num_turns")  # all other parameters are switches
# The paper's twelve settings, in the order of its tables.
PAPER_SETTINGS = tuple(f"n{n}_w{w}_c{m * n}" for n in (3, 4) for w in (6, 12) for m in (1, 2, 3))


class Action(NamedTuple):
    """The choices of all agents in a turn."""

    move: Array  # int32 [agent, *worlds], an index into MOVES
    piece: Array  # int32 [agent, *worlds], SILENT for "say nothing"


class State(NamedTuple):
    """Everything that determines the future and what agents perceive now."""

    x: Array  # int32 [agent, *worlds]
    y: Array  # int32 [agent, *worlds]
    base_x: Array  # int32 [agent, *worlds]
    base_y: Array  # int32 [agent, *worlds]
    direction_x: Array  # int32 [agent, *worlds], displacement of the last turn
    direction_y: Array  # int32 [agent, *worlds]
    chosen_move: Array  # int32 [agent, *worlds], of the last turn, blocked or not
    first_hand: Array  # uint32 [agent, *worlds]
    knowledge: Array  # uint32 [agent, *worlds], k(t)
    previous_knowledge: Array  # uint32 [agent, *worlds], k(t-1)
    utterance: Array  # uint32 [agent, *worlds], one bit, or 0 for silence
    earshot: Array  # uint32 [agent, *worlds], bit j: this agent was in range of agent j in the last turn
    uses_base: Array  # bool [agent, *worlds], the agent used its base in the last turn
    correct_uses: Array  # int32 [agent, *worlds], base uses with complete knowledge so far
    last_reward: Array  # float32 [agent, *worlds]
    heard_turn: Array  # int32 [agent, piece, *worlds] when last heard; no pieces unless memories decay
    turn: Array  # int32 [*worlds], turns played


@dataclass(frozen=True)
class Params:
    """Parameters of a SymmToM world. Defaults are the paper's rules; docs/worlds/symmtom.md explains each switch."""

    num_agents: int = 3
    width: int = 6
    num_pieces: int = 3
    hearing: int = 1
    num_turns: int = 0  # 0: five times the width

    # Readings of the paper
    hear_before_move: bool = False
    speech_delay: int = 2
    count_duplicates: bool = True
    base_pays_at_once: bool = False
    base_needs_entering: bool = False
    speak_forgotten: bool = True
    random_collisions: bool = True
    swaps: bool = True
    start_on_base: bool = True

    # Options of the rules
    vision: int | None = None
    interference: bool = False
    middle_block: bool = False
    move_cost: float = 0.0
    listening_reward: bool = True
    speaking_reward: bool = True
    base: Literal["complete", "proportional", "constant"] = "complete"
    base_reward: float | None = None
    private_first_hand: bool = False
    owners: int = 1
    decay: int | None = None
    competitive: int | None = None
    bonus: float | None = None

    # What the observation shows
    mask_actions: bool = False
    positions: Literal["relative", "absolute"] = "relative"
    other_bases: Literal["owner", "observer"] = "owner"
    directions: Literal["realised", "intended"] = "realised"
    displayed_knowledge: Literal["delayed", "current"] = "delayed"
    oracle: bool = False
    show_own_knowledge: bool = False
    show_speakable: bool = False
    show_own_utterance: bool = False
    show_last_reward: bool = False
    show_turn: bool = False

    def __post_init__(self) -> None:
        if self.num_turns == 0:
            object.__setattr__(self, "num_turns", 5 * self.width)
        _check(self)

    @property
    def setting(self) -> str:
        return f"n{self.num_agents}_w{self.width}_c{self.num_pieces}"

    @property
    def all_pieces(self) -> np.uint32:
        """The set of all pieces. Not a Python int, since JAX takes at most 31 bits."""
        return np.uint32((1 << self.num_pieces) - 1)

    @property
    def full_base_reward(self) -> float:
        """The reward of a recharge: (n-1)c unless set (paper section 4)."""
        return float((self.num_agents - 1) * self.num_pieces) if self.base_reward is None else self.base_reward

    @property
    def full_bonus(self) -> float:
        return float((self.num_agents - 1) * self.num_pieces) if self.bonus is None else self.bonus

    @property
    def block(self) -> tuple[int, int]:
        """First and one-past-last coordinate of the central wall on both axes; (0, 0) without a wall."""
        if not self.middle_block:
            return (0, 0)
        side = round(self.width / 2)
        start = (self.width - side) // 2
        return (start, start + side)

    @cached_property
    def free_cells(self) -> tuple[tuple[int, int], ...]:
        """All cells without a wall, in row order."""
        low, high = self.block
        board = range(self.width)
        return tuple((x, y) for x in board for y in board if not (low <= x < high and low <= y < high))

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Pairs of agents in the order in which collisions are scanned; pair q uses coin bit q."""
        agents = range(self.num_agents)
        return tuple((a, b) for a in agents for b in agents if a < b)

    @property
    def num_coin_words(self) -> int:
        return -(-len(self.pairs) // 32)

    def to_dict(self) -> dict[str, Any]:
        """The values that differ from the defaults; sizes are always included."""
        values = asdict(self)
        return {f.name: values[f.name] for f in fields(self) if f.name in SIZES or values[f.name] != f.default}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Params:
        """Params from names and values. An error for an unknown name suggests the nearest."""
        known = [f.name for f in fields(cls)]
        for name in values:
            if name not in known:
                raise UserError(f"symmtom has no option {name!r}{nearest(name, ['setting', *known])}")
        return cls(**values)

    @classmethod
    def from_setting(cls, setting: str | None, params: Params | None = None, **switches: Any) -> Params:
        """Params of a setting such as ``n3_w6_c3``, or other params, or the defaults, with switches set by name."""
        if params is not None:
            if setting is not None:
                raise UserError("both a setting and params were given; pass only one")
            return params.replace(**switches) if switches else params
        if setting is None:
            return cls.from_dict(switches)
        match = re.fullmatch(r"n(\d+)_w(\d+)_c(\d+)", setting)
        if not match:
            raise UserError(
                f"setting {setting!r} is not of the form n<agents>_w<width>_c<pieces>{nearest(setting, PAPER_SETTINGS)}"
            )
        sizes = dict(zip(("num_agents", "width", "num_pieces"), map(int, match.groups()), strict=True))
        for name, size in sizes.items():
            if switches.get(name, size) != size:
                raise UserError(
                    f"{name} is {switches[name]!r}, but setting {setting!r} says {size}; change the setting"
                )
        return cls.from_dict(sizes | switches)

    def replace(self, **changes: Any) -> Params:
        if "width" in changes and "num_turns" not in changes and self.num_turns == 5 * self.width:
            changes["num_turns"] = 0
        return Params.from_dict({f.name: getattr(self, f.name) for f in fields(self)} | changes)


# The types, or the words, that each parameter accepts; computed once, since parameters are created often.
_KINDS = {name: get_args(hint) or (hint,) for name, hint in get_type_hints(Params).items()}


def _check(p: Params) -> None:
    for name, kinds in _KINDS.items():
        _check_type(p, name, kinds)
    rules = (
        (2 <= p.num_agents <= 10, f"num_agents is {p.num_agents}; expected 2 to 10"),
        (1 <= p.num_pieces <= 32, f"num_pieces is {p.num_pieces}; expected 1 to 32"),
        (2 <= p.width <= 64, f"width is {p.width}; expected 2 to 64"),
        (p.hearing >= 0, f"hearing is {p.hearing}; a radius cannot be negative"),
        (
            2 * p.hearing + 1 < p.width,
            f"hearing is {p.hearing}; expected at most {max(p.width // 2 - 1, 0)} on a board of width {p.width}, "
            f"or agents would hear everything (paper, section 4)",
        ),
        (p.num_turns >= 1, f"num_turns is {p.num_turns}; an episode needs at least one turn"),
        (p.speech_delay in (1, 2), f"speech_delay is {p.speech_delay}; expected 1 or 2"),
        (
            p.vision is None or p.vision >= p.hearing,
            f"vision is {p.vision}; expected at least the hearing range, {p.hearing} (agents must see what they hear)",
        ),
        (
            1 <= p.owners < p.num_agents,
            f"owners is {p.owners} with {p.num_agents} agents; expected 1 to {p.num_agents - 1}, "
            f"so that some agent has something to learn",
        ),
        (p.decay is None or p.decay >= 1, f"decay is {p.decay}; expected at least one turn"),
        (
            p.competitive is None or p.competitive >= 2,
            f"competitive is {p.competitive}; expected at least 2, since an agent can complete its first "
            f"recharge without ever having lost knowledge (paper, footnote 1)",
        ),
    )
    for holds, reason in rules:
        if not holds:
            raise UserError(f"symmtom: {reason}")
    room = len(p.free_cells)
    needed = p.num_agents * (1 if p.start_on_base else 2)
    if needed > room:
        users = "agents" if p.start_on_base else "agents and their separate bases"
        raise UserError(f"symmtom: {p.num_agents} {users} need {needed} cells, but only {room} are free")


def _check_type(p: Params, name: str, kinds: tuple[Any, ...]) -> None:
    value = getattr(p, name)
    if isinstance(value, np.generic):  # from a sweep over NumPy values
        value = value.item()
        object.__setattr__(p, name, value)
    if isinstance(kinds[0], str):
        if value not in kinds:
            raise UserError(f"symmtom: {name} is {value!r}{nearest(str(value), kinds)}")
        return
    # An int is accepted for a float, but a bool is not.
    if type(value) not in kinds and not (float in kinds and type(value) is int):
        names = "a number" if float in kinds else "true or false" if bool in kinds else "a whole number"
        raise UserError(f"symmtom: {name} is {value!r}; expected {names}")
    if isinstance(value, float) and not math.isfinite(value):
        raise UserError(f"symmtom: {name} is {value!r}; expected a finite number")
