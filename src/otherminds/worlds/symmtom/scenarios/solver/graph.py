"""The state graph of a trial: all states that the tested agent can reach by the rules, and its rewards.

Others follow the scenario's script. When plans are valued, they also *talk*: each says the lowest piece that the tested
agent in its range lacks. In trials in which others move, they also tell each other (spec section 12.1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.bits import contains, unpack
from otherminds.worlds.symmtom.scenarios.staging import no_coins
from otherminds.worlds.symmtom.scenarios.types import Condition, Scenario, any_holds
from otherminds.worlds.symmtom.types import MOVES, SILENT, Action, Array, Params, State

MOST_STEPS = 200_000_000  # states times actions times turns; takes minutes
_KEPT = ("x", "y", "knowledge", "previous_knowledge")  # the fields that determine the future


@dataclass(frozen=True)
class Graph:
    """States as nodes, the actions of role 0 as edges."""

    params: Params
    roots: Array  # int32 [root], their nodes
    states: State  # [role, node]
    follows: Array  # int32 [action, node]
    rewards: Array  # float32 [action, node], of role 0
    ends: Array  # bool [action, node], an agent won a competitive episode

    def holds(self, conditions: tuple[Condition, ...]) -> Array:
        """Where one of the conditions holds, ``bool [node]``."""
        return any_holds(conditions, self.states, self.params)


def check_covered(scenario: Scenario) -> None:
    """Refuse rules that depend on more than a node represents."""
    for name in ("decay", "hear_before_move", "vision"):
        if value := getattr(scenario.params, name):
            scenario.refuse("switches", f"the solver does not support {name} = {value}; remove that switch")


def actions(params: Params) -> list[tuple[int, int]]:
    """The choices of role 0: a move with a piece; the last of each move is silence."""
    return [(move, piece) for move in range(len(MOVES)) for piece in (*range(params.num_pieces), SILENT)]


def explore(scenario: Scenario, roots: State, *, talk: bool, turns: int) -> Graph:
    """All states reachable from the roots, ``[role, root]``, the start of the trial, in a number of turns.

    States after the last turn follow themselves.
    """
    params = scenario.params
    check_covered(scenario)
    script = [scenario.deeds(t) for t in range(max(1, len(scenario.script)))]
    choices = actions(params)
    nodes = _Nodes(scenario, MOST_STEPS // (len(choices) * max(1, turns)))
    begin = nodes.add(roots._replace(turn=np.zeros(roots.x.shape[1], dtype=np.int32)))
    frontier = np.arange(len(nodes))
    follows, rewards, ends = [], [], []
    for _ in range(turns):
        if not len(frontier):
            break
        states, batch = nodes.take(frontier), len(frontier)
        wide = State(*(np.repeat(a, len(choices), axis=-1) for a in states))
        moves = np.empty((params.num_agents, batch, len(choices)), dtype=np.int32)
        pieces = np.full_like(moves, SILENT)
        for role in range(1, params.num_agents):
            moves[role] = np.asarray([turn[role].move for turn in script], dtype=np.int32)[states.turn][:, None]
            pieces[role] = np.asarray([turn[role].piece for turn in script], dtype=np.int32)[states.turn][:, None]
        moves[0], pieces[0] = np.asarray(choices, dtype=np.int32).T[:, None]
        action = Action(moves.reshape(params.num_agents, -1), pieces.reshape(params.num_agents, -1))
        coins = no_coins(params, (batch * len(choices),))
        if talk:
            action = _talking(wide, action, coins, params, to_all=bool(scenario.script))
        after, outcome = rules.step(wide, action, coins, params)
        known = len(nodes)
        reached = nodes.add(after._replace(turn=np.minimum(after.turn, len(script) - 1)))
        shape = (batch, len(choices))
        follows.append(reached.reshape(shape))
        rewards.append(outcome.rewards[0].reshape(shape))
        ends.append(outcome.terminated.reshape(shape))
        frontier = np.arange(known, len(nodes))
    rest = (len(frontier), len(choices))
    follows.append(np.broadcast_to(frontier.astype(np.int32)[:, None], rest))
    rewards.append(np.zeros(rest, dtype=np.float32))
    ends.append(np.zeros(rest, dtype=bool))
    return Graph(
        params,
        begin,
        nodes.take(np.arange(len(nodes))),
        *(np.ascontiguousarray(np.concatenate(parts).T) for parts in (follows, rewards, ends)),
    )


def _talking(state: State, action: Action, coins: Array, params: Params, *, to_all: bool) -> Action:
    """The same action, with all but role 0 saying the most useful piece at their next cell."""
    x, y = rules.move(state, action.move, coins, params)
    near, can_say = rules.earshot(x, y, params), rules.speakable(state, params)
    pieces = action.piece.copy()
    listeners = range(params.num_agents) if to_all else (0,)
    for speaker in range(1, params.num_agents):
        worth = np.zeros((params.num_pieces, *x.shape[1:]), dtype=np.int32)
        for i in listeners:
            lacks = np.where(contains(near[speaker], i), can_say[speaker] & ~state.knowledge[i], 0)
            worth += unpack(np, lacks[None], params.num_pieces)[0] * (10 if i == 0 else 1)
        pieces[speaker] = np.where(worth.max(axis=0) > 0, worth.argmax(axis=0), SILENT)
    return Action(action.move, pieces)


class _Nodes:
    """The states found so far. States with the same future are one node."""

    def __init__(self, scenario: Scenario, most: int) -> None:
        self._scenario, self._most = scenario, most
        verbs = {condition.verb for conditions in scenario.choices.values() for condition in conditions}
        self._further = [
            *(["correct_uses"] if scenario.params.competitive else []),
            *(["utterance"] if "tells" in verbs else []),
        ]
        self._index: dict[bytes, int] = {}
        self._states: list[State] = []

    def __len__(self) -> int:
        return len(self._index)

    def add(self, states: State) -> Array:
        """The nodes of states, ``int32 [state]``; new ones come last."""
        kept = [np.asarray(getattr(states, name)) for name in (*_KEPT, *self._further, "turn")]
        rows = np.concatenate([field.reshape(-1, states.turn.size) for field in kept]).astype(np.uint32).T
        keys, first, inverse = np.unique(
            np.ascontiguousarray(rows).view(f"V{rows.shape[1] * 4}").ravel(), return_index=True, return_inverse=True
        )
        numbers, fresh = np.empty(len(keys), dtype=np.int32), []
        for place, (key, at) in enumerate(zip(keys.tolist(), first.tolist(), strict=True)):
            number = self._index.get(key)
            if number is None:
                number = self._index[key] = len(self._index)
                fresh.append(at)
            numbers[place] = number
        if len(self._index) > self._most:
            self._scenario.refuse(
                "setting",
                f"the trial has more than {self._most:,} states, too many for {MOST_STEPS:,} steps of search; "
                f"use a smaller board, fewer pieces or agents, or a lower 'limit'",
            )
        if fresh:
            self._states.append(State(*(a[..., fresh] for a in states)))
        return numbers[inverse]

    def take(self, nodes: Array) -> State:
        """The states of nodes; their turn is that of the script."""
        self._states = [State(*(np.concatenate(parts, axis=-1) for parts in zip(*self._states, strict=True)))]
        return State(*(a[..., nodes] for a in self._states[0]))
