"""SymmToM episodes as records: what a turn's line holds, and the way back from a record to states.

Sets of pieces are lists of numbers and everything an outsider needs is spelled out, yet a record is replayed rather
than trusted: start, actions and coins give every state again by the rules, and a line that says otherwise is
reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.symmtom import metrics, rules
from otherminds.worlds.symmtom.types import Action, Params, State

WORLD = "symmtom-v0"


@dataclass(frozen=True)
class Played:
    """An episode played again from its record: NumPy states of one world, ``states[t]`` after turn t."""

    params: Params
    states: list[State]
    actions: list[Action]
    outcomes: list[rules.Outcome]

    def tally(self) -> metrics.Tally:
        """The post-hoc metrics of the episode, ``[agent]`` each."""
        total = metrics.nothing(self.states[0])
        turns = zip(self.states, self.actions, self.states[1:], self.outcomes, strict=False)
        for before, action, after, outcome in turns:
            total = metrics.add(total, metrics.measure(before, action, after, outcome, self.params))
        return total


def start_line(state: State) -> dict[str, Any]:
    """Where everything is before the first turn."""
    return {
        "cells": _cells(state.x, state.y),
        "bases": _cells(state.base_x, state.base_y),
        "first_hand": [pieces_of(f) for f in state.first_hand],
    }


def turn_line(action: Action, coins: Any, state: State, outcome: rules.Outcome) -> dict[str, Any]:
    """One turn: what was chosen, what chance did, and what came of it."""
    return {
        "turn": int(state.turn),
        "actions": [[int(m), int(p)] for m, p in zip(action.move, action.piece, strict=True)],
        "coins": [int(word) for word in coins],
        "cells": _cells(state.x, state.y),
        "said": [min(pieces_of(u), default=None) for u in state.utterance],
        "in_range": [pieces_of(e) for e in state.earshot],
        "knowledge": [pieces_of(k) for k in state.knowledge],
        "uses_base": [bool(u) for u in state.uses_base],
        "rewards": [float(r) for r in outcome.rewards],
    }


def end_line(outcome: rules.Outcome, tally: metrics.Tally) -> dict[str, Any]:
    """How the episode ended, and every count of it."""
    return {
        "terminated": bool(outcome.terminated),
        "truncated": bool(outcome.truncated),
        "scores": [float(r) for r in tally.reward],
        "metrics": {name: [float(v) for v in values] for name, values in tally._asdict().items()},
    }


def start_state(params: Params, start: Mapping[str, Any]) -> State:
    """The state a start line describes.

    Raises:
        UserError: if it does not fit the world.
    """
    n = params.num_agents
    cells, bases, first_hand = (_listed(start, name, n) for name in ("cells", "bases", "first_hand"))
    for name, places in {"cells": cells, "bases": bases}.items():
        found = [tuple(place) for place in places]
        if len(set(found)) != n or not set(found) <= set(params.free_cells):
            raise UserError(f"the start's {name} should be {n} different free cells of the board, found {found}")
    known = {piece for hand in first_hand for piece in hand}
    if not known <= set(range(params.num_pieces)):
        raise UserError(f"the start's first_hand names pieces {sorted(known)}; expected 0 to {params.num_pieces - 1}")
    template = rules.deal(_any_deal(params), params)
    hands = np.asarray([sum(1 << piece for piece in hand) for hand in first_hand], dtype=np.uint32)
    x, y = np.asarray(cells, dtype=np.int32).T
    base_x, base_y = np.asarray(bases, dtype=np.int32).T
    return template._replace(
        x=x, y=y, base_x=base_x, base_y=base_y, first_hand=hands, knowledge=hands, previous_knowledge=hands
    )


def _listed(start: Mapping[str, Any], name: str, num_agents: int) -> list[Any]:
    value = start.get(name)
    if not isinstance(value, Sequence) or len(value) != num_agents:
        raise UserError(f"the start's {name} should list {num_agents} agents, found {value!r}")
    return list(value)


def play_again(episode: Episode) -> Played:
    """Replay a record by the rules, to its last whole turn.

    Raises:
        UserError: if the record is of another world, or what it says happened is not what the rules make of it.
    """
    if episode.world != WORLD:
        raise UserError(f"episode {episode.id!r} is of world {episode.world!r}, expected {WORLD!r}")
    params = Params.from_dict(episode.config)
    played = Played(params, [start_state(params, episode.start)], [], [])
    for line in episode.turns:
        action, coins = _choices(line, params, episode.id)
        state, outcome = rules.step(played.states[-1], action, coins, params)
        again = turn_line(action, coins, state, outcome)
        differing = [name for name in again if line.get(name) != again[name]]
        if differing:
            name = differing[0]
            raise UserError(
                f"episode {episode.id!r}, turn {again['turn']}: the record says {name} {line.get(name)!r}, "
                f"the rules give {again[name]!r}; the file was changed or written by other rules"
            )
        played.states.append(state)
        played.actions.append(action)
        played.outcomes.append(outcome)
    return played


def pieces_of(mask: Any) -> list[int]:
    """A bit mask as a list of numbers."""
    return [p for p in range(32) if int(mask) >> p & 1]


def _choices(line: Mapping[str, Any], params: Params, id: str) -> tuple[Action, Any]:
    try:
        move, piece = np.asarray(line["actions"], dtype=np.int32).reshape(params.num_agents, 2).T
        return Action(move, piece), np.asarray(line["coins"], dtype=np.uint32).reshape(params.num_coin_words)
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise UserError(
            f"episode {id!r}: a turn without {params.num_agents} actions and its coins ({error})"
        ) from error


def _any_deal(params: Params) -> Any:
    from otherminds.worlds.symmtom.chance import draw_deal

    return draw_deal(np.random.default_rng(0), params)


def _cells(x: Any, y: Any) -> list[list[int]]:
    return [[int(a), int(b)] for a, b in zip(x, y, strict=True)]
