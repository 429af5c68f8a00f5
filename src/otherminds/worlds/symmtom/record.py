"""Write SymmToM episodes as records, and replay records.

Records spell out everything a reader needs, with sets of pieces as lists of numbers. They are replayed, not trusted:
start, actions and coins determine every state by the rules, and a line that differs is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherminds.core import world
from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.replay import check_same
from otherminds.worlds.symmtom import metrics, rules
from otherminds.worlds.symmtom.bits import first_piece, pieces_of
from otherminds.worlds.symmtom.envs.env import blank
from otherminds.worlds.symmtom.types import MOVES, SILENT, Action, Params, State

WORLD = "symmtom-v0"


@dataclass(frozen=True)
class Played(world.Played):
    """A replayed episode: NumPy states of one world, ``states[t]`` after turn t."""

    params: Params
    states: list[State]
    actions: list[Action]
    outcomes: list[rules.TurnResult]

    def tally(self) -> metrics.Tally:
        """The post-hoc metrics of the episode, ``[agent]`` each."""
        total = metrics.nothing(self.states[0])
        turns = zip(self.states, self.actions, self.states[1:], self.outcomes, strict=False)
        for before, action, after, outcome in turns:
            total = metrics.add(total, metrics.measure(before, action, after, outcome, self.params))
        return total


def start_line(state: State) -> dict[str, Any]:
    """The start: cells, bases and first-hand pieces."""
    return {
        "cells": _cells(state.x, state.y),
        "bases": _cells(state.base_x, state.base_y),
        "first_hand": [pieces_of(f) for f in state.first_hand],
    }


def turn_line(action: Action, coins: Any, state: State, outcome: rules.TurnResult) -> dict[str, Any]:
    """One turn: actions, coins and results."""
    return {
        "turn": int(state.turn),
        "actions": [[int(m), int(p)] for m, p in zip(action.move, action.piece, strict=True)],
        "coins": [int(word) for word in coins],
        "cells": _cells(state.x, state.y),
        "said": [first_piece(u) for u in state.utterance],
        "in_range": [pieces_of(e) for e in state.earshot],
        "knowledge": [pieces_of(k) for k in state.knowledge],
        "uses_base": [bool(u) for u in state.uses_base],
        "rewards": [float(r) for r in outcome.rewards],
    }


def end_line(outcome: rules.TurnResult, tally: metrics.Tally) -> dict[str, Any]:
    """The end of the episode, with all metrics."""
    return {
        "terminated": bool(outcome.terminated),
        "truncated": bool(outcome.truncated),
        "scores": [float(r) for r in tally.reward],
        "metrics": {name: [float(v) for v in values] for name, values in tally._asdict().items()},
    }


def start_state(params: Params, start: Mapping[str, Any]) -> State:
    """The state that a start line describes."""
    (x, y), (base_x, base_y) = (_places(start, name, params) for name in ("cells", "bases"))
    known, hands = range(params.num_pieces), _listed(start, "first_hand", params)
    for hand in hands:
        if not isinstance(hand, tuple) or not all(piece in known for piece in hand):
            raise UserError(
                f"first_hand of the start has {hand!r}; expected a list of pieces 0 to {known[-1]} for each agent"
            )
    owned = np.asarray([sum(1 << piece for piece in set(hand)) for hand in hands], dtype=np.uint32)
    return start_of(params, x, y, base_x, base_y, owned)


def start_of(params: Params, x: Any, y: Any, base_x: Any, base_y: Any, first_hand: Any) -> State:
    """The state of a start, from NumPy arrays ``[agent, *worlds]``."""
    known = {"first_hand": first_hand, "knowledge": first_hand, "previous_knowledge": first_hand}
    return blank(params, x.shape[1:])._replace(x=x, y=y, base_x=base_x, base_y=base_y, **known)


def play_again(episode: Episode) -> Played:
    """Replay a record by the rules, up to its last complete turn."""
    if episode.world != WORLD:
        raise UserError(f"episode {episode.id!r} is of world {episode.world!r}, expected {WORLD!r}")
    params = Params.from_dict(episode.config)
    if len(episode.minds) != params.num_agents:
        raise UserError(f"episode {episode.id!r} names {len(episode.minds)} minds; expected {params.num_agents}")
    played = Played(params, [start_state(params, episode.start)], [], [])
    for line in episode.turns:
        place = f"episode {episode.id!r}, turn {len(played.states)}"
        if played.outcomes and (played.outcomes[-1].terminated or played.outcomes[-1].truncated):
            raise UserError(f"{place}: the episode had already ended")
        action, coins = _choices(line, params, place)
        state, outcome = rules.step(played.states[-1], action, coins, params)
        check_same(line, turn_line(action, coins, state, outcome), f"{place}: ")
        played.states.append(state)
        played.actions.append(action)
        played.outcomes.append(outcome)
    if episode.end is not None:
        place = f"the end of episode {episode.id!r}"
        if not played.outcomes:
            raise UserError(f"{place} comes before its first turn")
        check_same(episode.end, end_line(played.outcomes[-1], played.tally()), f"{place}: ")
    return played


def _choices(line: Mapping[str, Any], params: Params, place: str) -> tuple[Action, Any]:
    try:
        move, piece = np.asarray(line["actions"], dtype=np.int32).reshape(params.num_agents, 2).T
        coins = np.asarray(line["coins"], dtype=np.uint32).reshape(params.num_coin_words)
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise UserError(f"{place}: expected {params.num_agents} actions and coins ({error})") from error
    if not (np.isin(move, range(len(MOVES))).all() and np.isin(piece, range(SILENT, params.num_pieces)).all()):
        raise UserError(f"{place}: actions {line['actions']} are not all moves 0 to 4 and pieces of the world")
    return Action(move, piece), coins


def _listed(start: Mapping[str, Any], name: str, params: Params) -> list[Any]:
    value = start.get(name)
    if not isinstance(value, list | tuple) or len(value) != params.num_agents:
        raise UserError(f"{name} of the start is {value!r}; expected a list of {params.num_agents}, one per agent")
    return [tuple(entry) if isinstance(entry, list | tuple) else entry for entry in value]


def _places(start: Mapping[str, Any], name: str, params: Params) -> Any:
    """Cells as their x and y, ``int32 [agent]`` each."""
    cells = _listed(start, name, params)
    if len(set(cells)) != len(cells) or not set(cells) <= set(params.free_cells):
        raise UserError(f"{name} of the start are {cells}; expected different free cells (x, y) of the board")
    return np.asarray(cells, dtype=np.int32).T


def _cells(x: Any, y: Any) -> list[list[int]]:
    return [[int(a), int(b)] for a, b in zip(x, y, strict=True)]
