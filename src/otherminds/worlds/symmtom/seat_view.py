"""Views and reply forms of SymmToM: what a seat is shown when it is asked, and how it may answer.

Everything in a view comes from ``observe``. Views are lazy, since policies read neither words nor vectors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.errors import UserError, nearest
from otherminds.core.form import Choice, Form, Several
from otherminds.core.form_fields import Unreadable
from otherminds.core.mind import Policy
from otherminds.core.world import Probe, View
from otherminds.worlds.symmtom import text
from otherminds.worlds.symmtom.envs.env import action_mask
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import MOVE_NAMES, SILENT, Action, Array, Params, State

QUIET = "-"  # no piece
KNOWS = "knows"  # the only kind of probe: who knows a piece?
_ANSWER = re.compile(r"([a-z]+)[\s,]+(?:piece\s+)?(\d+|-1?)\W*", re.IGNORECASE)
_MOVES = {name[: length or None]: name for name in MOVE_NAMES for length in (0, 1)}


class Perceived(NamedTuple):
    """What a seat perceives after the last turn."""

    observation: Array  # float32 [entry], see ``observe.layout``
    mask: dict[str, Array] | None  # moves and pieces with an effect, if the world shows them
    params: Params


class Seen(NamedTuple):
    """Log entry: the observation after a turn."""

    turn: int
    observation: Array


class Did(NamedTuple):
    """Log entry: the seat's own act in a turn."""

    turn: int
    move: str
    piece: str
    is_scripted: bool  # the seat was not asked


class EpisodeCourse:
    """The course of an episode so far: ``states[t]`` after turn t. Views show parts of it."""

    def __init__(self, params: Params, state: State, first_free: int = 0) -> None:
        self.params, self.first_free = params, first_free  # turns before it are scripted for all seats
        self.states, self.actions = [state], list[Action]()
        self._observations: dict[int, Array] = {}

    def observation(self, turn: int, agent: int) -> Array:
        if turn not in self._observations:
            self._observations[turn] = observe(self.states[turn], self.params)
        return self._observations[turn][agent]

    def words(self, turn: int, agent: int) -> str:
        return text.describe(self.observation(turn, agent), self.params, agent)


class SymmToMView(View):
    """What one agent has perceived when its seat is asked."""

    __slots__ = ("_agent", "_course", "_turn")

    def __init__(self, course: EpisodeCourse, agent: int) -> None:
        self._course, self._agent, self._turn = course, agent, len(course.actions)

    @property
    def data(self) -> Perceived:
        course, params = self._course, self._course.params
        mask = None
        if params.mask_actions:
            masks = action_mask(course.states[self._turn], params)
            mask = {name: values[self._agent] for name, values in masks.items()}
        return Perceived(course.observation(self._turn, self._agent), mask, params)

    @property
    def log(self) -> tuple[Seen | Did, ...]:  # type: ignore[override]
        """Every observation and every own act, oldest first."""
        entries: list[Seen | Did] = [Seen(0, self._course.observation(0, self._agent))]
        for turn in range(1, self._turn + 1):
            act = reply_of(self._course.actions[turn - 1], self._agent)
            entries.append(Did(turn, act["move"], act["piece"], turn <= self._course.first_free))
            entries.append(Seen(turn, self._course.observation(turn, self._agent)))
        return tuple(entries)

    def text(self) -> str:
        """The last observation; at the first ask, also those of all turns that the seat only watched."""
        past = range(self._turn) if self._turn == self._course.first_free else ()
        watched = (f"{self._course.words(turn, self._agent)}\n\n(You cannot choose in this turn.)" for turn in past)
        return "\n\n".join([*watched, self._course.words(self._turn, self._agent)])

    def picture(self) -> str:
        return text.board(self._course.observation(self._turn, self._agent), self._course.params, self._agent)

    def question(self, probe: Probe) -> str:
        return f"which agents know {probe.about} at this moment, as far as you can tell? Count yourself too."

    def fields(self) -> dict[str, Any]:
        return {"last_piece": self._course.params.num_pieces - 1}

    # What policies need, see ``minds.policy``.

    def looks(self, policy: Policy, since: int = 0) -> list[Any]:
        """The policy's inputs for the turns from ``since`` on."""
        states = self._course.states[since : self._turn + 1]
        return [policy.look(state, self._course.params) for state in states]

    def action_of(self, action: Action) -> dict[str, str]:
        return reply_of(action, self._agent)

    def answer_of(self, likely: Array, probe: Probe) -> tuple[tuple[str, ...], list[float]]:
        """The agents that know the piece of a probe, and the probability of each, by ``[observer, subject, piece]``."""
        shares = [float(share) for share in np.asarray(likely)[self._agent, :, piece_of(probe.about)]]
        return tuple(str(agent) for agent, share in enumerate(shares) if share > 0.5), shares


def reply_of(action: Action, agent: int) -> dict[str, str]:
    """An agent's part of a joint action, as a reply."""
    return in_reply(int(action.move[agent]), int(action.piece[agent]))


@lru_cache(maxsize=1024)
def in_reply(move: int, piece: int) -> dict[str, str]:
    """A move and a piece, as a reply."""
    return {"move": MOVE_NAMES[move], "piece": QUIET if piece == SILENT else str(piece)}


def chosen(reply: dict[str, str]) -> tuple[int, int]:
    """The inverse of :func:`in_reply`: the numbers of a move and a piece."""
    piece = reply["piece"]
    return MOVE_NAMES.index(reply["move"]), SILENT if piece == QUIET else int(piece)


@lru_cache(maxsize=64)
def act_form(params: Params) -> Form:
    """The form of acts, such as ``right 0``; people may write ``r 0``."""
    move = Choice("move", MOVE_NAMES)
    piece = Choice("piece", (*map(str, range(params.num_pieces)), QUIET))

    def read(line: str) -> dict[str, str]:
        match = _ANSWER.fullmatch(line)
        if match is None:
            raise Unreadable(f"the answer is {line[:40]!r}; expected a move and a piece, such as 'right 0' or 'stay -'")
        word, said = match[1].lower(), QUIET if match[2] == "-1" else match[2]
        return {"move": move.take(_MOVES.get(word, word)), "piece": piece.take(said)}

    return Form(((move, piece),), "ACTION", read)


@lru_cache(maxsize=64)
def knows_form(params: Params) -> Form:
    """The form of answers to probes: the numbers of the agents that know."""
    numbers = tuple(map(str, range(params.num_agents)))
    field = Several("knows", numbers, is_set=True)

    def read(line: str) -> tuple[str, ...]:
        return field.take(re.sub(r"\bagents?\b", "", line, flags=re.IGNORECASE))

    return Form.of(field, mark="KNOWS", reader=read)


def about_piece(piece: int) -> str:
    """The ``about`` of a probe of a piece."""
    return f"piece {piece}"


def piece_of(about: str) -> int:
    """The piece that a probe is about."""
    return int(about.removeprefix("piece "))


def seat_names(params: Params) -> tuple[str, ...]:
    """The seats of a world, in order."""
    return tuple(f"agent_{agent}" for agent in range(params.num_agents))


def agents_of(seats: Sequence[str], params: Params) -> tuple[int, ...]:
    """The agents in seats, which may also be given by number."""
    known = seat_names(params)
    numbers = [str(agent) for agent in range(len(known))]
    for seat in map(str, seats):
        if seat not in (*known, *numbers):
            raise UserError(f"there is no seat {seat!r}{nearest(seat, known)}")
    return tuple(int(str(seat).removeprefix("agent_")) for seat in seats)
