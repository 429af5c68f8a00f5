"""A planner for SymmToM that acts on what it believes: where to go and what to say, by the expected worth of tours.

A *tour* visits other agents in some order and goes home as soon as knowledge is complete. Its worth follows from what
each agent is thought to know, so the order of theory of mind (``worlds/symmtom/minds.py``) is a parameter and nothing
else changes with it. Others are taken to stay where they are: tours are made anew every turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

from otherminds.core.seeds import random_words
from otherminds.players.symmtom.scripted import own_of, slot_of
from otherminds.worlds.symmtom import minds
from otherminds.worlds.symmtom.bits import contains, namespace, pack, unpack
from otherminds.worlds.symmtom.observe import Percept, perceive
from otherminds.worlds.symmtom.particles import shares
from otherminds.worlds.symmtom.rules import displacement, speakable_from, within_hearing
from otherminds.worlds.symmtom.types import MOVES, SILENT, Action, Array, Params, State

DISCOUNT = 0.95
_BARELY = 1e-3  # worth less than this is nothing: it is what chance leaves of an estimate


class Look(NamedTuple):
    """What a planner takes in: its percepts and its own reward."""

    sight: Percept
    reward: Array  # float32 [agent, *worlds]


class Memory(NamedTuple):
    """What a planner carries from turn to turn."""

    mind: Any
    knew: Array  # uint32 [agent, *worlds], what it knew itself a turn ago
    recharges: Array  # float32 [observer, agent, *worlds], how often each is thought to have recharged


class Place(NamedTuple):
    """Where each planner would be on a tour, when, and with what: ``[agent, *worlds]`` each."""

    x: Array
    y: Array
    turn: Array
    knows: Array  # float32 [agent, piece, *worlds], how probably
    complete: Array  # float32, how probably
    worth: Array


@dataclass(frozen=True)
class Planner:
    """Plans over its belief.

    Args:
        name: what records and tables call it.
        order: of its theory of mind, one of ``minds.MINDS``.
        particles: possible worlds it keeps, for orders 1 and 2.
    """

    name: str = "planner"
    order: str = "2"
    particles: int = 128
    sees_truth: bool = False

    @property
    def _rule(self) -> Any:
        return minds.rule_of(self.order, self.particles)

    def look(self, state: State, params: Params) -> Look:
        return Look(perceive(state, params), state.last_reward)

    def begin(self, look: Look, params: Params) -> Memory:
        xp = namespace(look.sight.x)
        return Memory(
            minds.begin(look.sight, params, self._rule),
            own_of(xp, look.sight.first_hand),
            xp.zeros(look.sight.x.shape, dtype=xp.float32),
        )

    def act(self, memory: Memory, look: Look, params: Params, key: Any) -> tuple[Action, Memory]:
        xp = namespace(look.sight.x)
        before = self._likely(memory.mind, look.sight, params)
        mind = minds.update(memory.mind, look.sight, params, self._rule, key, look.reward)
        knows = self._likely(mind, look.sight, params)
        own = own_of(xp, knows)
        now = pack(xp, own > 0.5)
        can_say = unpack(xp, speakable_from(now, memory.knew, params), params.num_pieces).astype(xp.float32)
        recharges = memory.recharges + _recharged(xp, look.sight, before, params)
        danger = _danger(xp, recharges, params)
        target_x, target_y, reach = _best_tour(xp, look.sight, own, knows, can_say, danger, params)
        move = _step(xp, look.sight, target_x, target_y, reach, params)
        words = random_words(key, (params.num_agents, params.num_pieces, *look.sight.turn.shape), stream="planner")
        piece = _speech(xp, look.sight, move, knows, can_say, danger, words, params)
        return Action(move, piece), Memory(mind, now, recharges)

    def believes(self, memory: Memory, look: Look, params: Params) -> Array:
        """How probably each agent knows each piece, to each, ``float32 [observer, subject, piece, *worlds]``."""
        return self._likely(memory.mind, look.sight, params)

    def _likely(self, mind: Any, sight: Percept, params: Params) -> Array:
        possible = minds.possible(mind, sight, self._rule)
        return shares(possible.weight, [contains(possible.knowledge, p) for p in range(params.num_pieces)])


def _best_tour(
    xp: Any, sight: Percept, own: Array, knows: Array, can_say: Array, danger: Array, params: Params
) -> tuple[Array, Array, Array]:
    """The next goal of the best tour: a cell, and how near to it is near enough, ``int32 [agent, *worlds]`` each."""
    n = params.num_agents
    x, y, base_x, base_y = (own_of(xp, a) for a in (sight.x, sight.y, sight.base_x, sight.base_y))
    zero = xp.zeros(x.shape, dtype=xp.float32)
    complete = _product(xp, own)
    home = xp.abs(base_x - x) + xp.abs(base_y - y)
    recharge = zero + params.full_base_reward
    best = recharge * complete * DISCOUNT ** xp.maximum(home, 1)  # of going home at once
    goal_x, goal_y = xp.where(complete > 0.5, base_x, x), xp.where(complete > 0.5, base_y, y)
    begin = Place(x, y, zero, own, zero, zero)
    reach = xp.zeros_like(x)
    for length in range(1, n):
        for slots in permutations(range(n - 1), length):
            place, first = begin, None
            for slot in slots:
                there = _slot(xp, sight, knows, danger, slot)
                first = first or there
                place = _visit(xp, place, there, base_x, base_y, can_say if place is begin else None, recharge, params)
            assert first is not None
            is_better = place.worth > best + _BARELY
            best = xp.where(is_better, place.worth, best)
            goal_x, goal_y = xp.where(is_better, first.x, goal_x), xp.where(is_better, first.y, goal_y)
            reach = xp.where(is_better, params.hearing, reach)
    return goal_x, goal_y, reach


class _Other(NamedTuple):
    """The agent in a slot of each planner, ``[agent, *worlds]`` each."""

    x: Array
    y: Array
    knows: Array  # float32 [agent, piece, *worlds]
    danger: Array


def _slot(xp: Any, sight: Percept, knows: Array, danger: Array, slot: int) -> _Other:
    return _Other(*(slot_of(xp, pairs, slot) for pairs in (sight.x, sight.y, knows, danger)))


def _visit(
    xp: Any,
    place: Place,
    there: _Other,
    base_x: Array,
    base_y: Array,
    can_say: Array | None,
    recharge: Array,
    params: Params,
) -> Place:
    """Go into somebody's hearing range, tell and hear everything of use there, and go home if that completes."""
    step_x, step_y = _toward(xp, place.x, there.x, params.hearing), _toward(xp, place.y, there.y, params.hearing)
    x, y = place.x + step_x, place.y + step_y
    arrival = place.turn + xp.maximum(xp.abs(step_x) + xp.abs(step_y), 1)
    tellable = place.knows if can_say is None else xp.minimum(place.knows, xp.maximum(can_say, _BARELY))
    news = there.knows * (1 - place.knows)
    told = tellable * (1 - there.knows)
    # Who would win with complete knowledge is left to lack a piece.
    is_safe = there.danger * _product(xp, xp.maximum(there.knows, place.knows)) < 0.5
    hears, tells = news.sum(axis=1), told.sum(axis=1)
    tells = xp.where(is_safe, tells, xp.maximum(tells - 1, 0))
    worth = _paid(xp, hears, arrival) + _paid(xp, tells, arrival)
    # Nobody walks on before all is said; as a plan one more turn for each further piece.
    leaves = arrival + xp.maximum(xp.maximum(hears, tells) - 1, 0)
    knows = xp.maximum(place.knows, there.knows)
    complete = _product(xp, knows)
    home = xp.maximum(xp.abs(base_x - x) + xp.abs(base_y - y), 1)
    worth = worth * (1 - place.complete) + (complete - place.complete) * recharge * DISCOUNT ** (leaves + home)
    return Place(x, y, leaves, knows, complete, place.worth + worth)


def _paid(xp: Any, number: Array, arrival: Array) -> Array:
    """An expected number of rewards, one a turn from the arrival on, discounted."""
    return number * DISCOUNT ** (arrival + xp.maximum(number - 1, 0) / 2)


def _toward(xp: Any, here: Array, there: Array, reach: int) -> Array:
    """How far to go along an axis to come within reach."""
    gap = there - here
    return xp.sign(gap) * xp.maximum(xp.abs(gap) - reach, 0)


def _step(xp: Any, sight: Percept, goal_x: Array, goal_y: Array, reach: Array, params: Params) -> Array:
    """The move that comes nearest to the goal, the longer way first, around agents in the way."""
    x, y = own_of(xp, sight.x), own_of(xp, sight.y)
    best, move = None, xp.zeros_like(x)
    for choice, (dx, dy) in enumerate(MOVES):
        to_x, to_y = x + dx, y + dy
        gap_x, gap_y = xp.abs(goal_x - to_x), xp.abs(goal_y - to_y)
        left = xp.maximum(gap_x - reach, 0) + xp.maximum(gap_y - reach, 0)
        # Ties: the straighter way keeps both axes in play longest.
        cost = left * 1000 + xp.maximum(gap_x, gap_y) * 10 + (choice > 0)
        blocked = (to_x < 0) | (to_y < 0) | (to_x >= params.width) | (to_y >= params.width)
        for j in range(params.num_agents):
            blocked = blocked | ((sight.x[:, j] == to_x) & (sight.y[:, j] == to_y) & (choice > 0))
        cost = xp.where(blocked, 1_000_000, cost)
        if best is None:
            best = cost
        else:
            move, best = xp.where(cost < best, choice, move), xp.minimum(cost, best)
    return move


def _speech(
    xp: Any,
    sight: Percept,
    move: Array,
    knows: Array,
    can_say: Array,
    danger: Array,
    words: Array,
    params: Params,
) -> Array:
    """The piece most likely news to those in range after the move; silence if that might hand somebody the win."""
    n = params.num_agents
    x, y = own_of(xp, sight.x), own_of(xp, sight.y)
    dx, dy = displacement(xp, move)
    value = xp.zeros(can_say.shape, dtype=xp.float32)
    for j in range(n):
        near = within_hearing(sight.x[:, j] - x - dx, sight.y[:, j] - y - dy, params)
        near = near & xp.stack([xp.ones_like(near[0]) if i != j else near[0] & ~near[0] for i in range(n)])
        lacks = 1 - knows[:, j]
        # Whether the one piece would complete it: all the others known.
        rest = xp.stack([_product(xp, _without(xp, knows[:, j], p)) for p in range(params.num_pieces)], axis=1)
        gain = lacks - lacks * rest * danger[:, j][:, None] * 2 * params.full_bonus
        value = value + xp.where(near[:, None], gain, 0.0)
    noise = (words >> 8).astype(xp.float32) * float(2.0**-24) * _BARELY
    score = xp.where(can_say > 0.5, value + noise, -1e9)
    best = xp.argmax(score, axis=1).astype(xp.int32)
    worst = xp.max(score, axis=1) < -_BARELY
    return xp.where(worst, SILENT, best)


def _recharged(xp: Any, sight: Percept, before: Array, params: Params) -> Array:
    """How probably each agent has just recharged, ``float32 [observer, agent, *worlds]``."""
    uses = xp.stack([contains(sight.uses_base, j) for j in range(params.num_agents)], axis=1)
    return xp.where(uses, xp.stack([_product(xp, before[:, j]) for j in range(params.num_agents)], axis=1), 0.0)


def _danger(xp: Any, recharges: Array, params: Params) -> Array:
    """Whether one more recharge would win somebody else a competitive trial, ``float32 [observer, agent, *worlds]``."""
    if params.competitive is None:
        return xp.zeros_like(recharges)
    return xp.where(recharges > params.competitive - 1.5, 1.0, 0.0)


def _product(xp: Any, likely: Array) -> Array:
    """How probably all pieces are known, as if they were independent: ``[agent, piece, …] -> [agent, …]``."""
    return xp.prod(likely, axis=1)


def _without(xp: Any, likely: Array, piece: int) -> Array:
    return xp.stack([likely[:, p] for p in range(likely.shape[1]) if p != piece], axis=1)


PLANNER = Planner()
PLANNER_1 = Planner("planner-1", "1")
PLANNER_EVIDENCE = Planner("planner-evidence", "evidence")
PLANNER_0 = Planner("planner-0", "0")
PLANNER_NONE = Planner("planner-none", "none")
