"""Values of tours and of pieces to say in SymmToM, given a belief.

A *tour* visits other agents in some order and goes home as soon as knowledge is complete. Its value depends on
positions and on the probability that each agent knows each piece. ``planner.py`` takes the best tour; imitators are
taught all that are equally good. Others are assumed to stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any, NamedTuple

from otherminds.worlds.symmtom.bits import contains, own_of
from otherminds.worlds.symmtom.minds.scripted import slot_of
from otherminds.worlds.symmtom.observe import Percept
from otherminds.worlds.symmtom.rules import displacement, within_hearing
from otherminds.worlds.symmtom.types import MOVES, Array, Params

DISCOUNT = 0.95
BARELY = 1e-3  # smaller values are treated as noise of estimates


class PlanInputs(NamedTuple):
    """The inputs of planning: a percept and beliefs."""

    sight: Percept
    knows: Array  # float32 [observer, subject, piece, *worlds], probability
    can_say: Array  # float32 [agent, piece, *worlds], 1 or 0
    danger: Array  # float32 [observer, agent, *worlds]: see ``danger_of``


class Goal(NamedTuple):
    """The first goal of a tour and its value: ``[agent, *worlds]`` each."""

    x: Array
    y: Array
    reach: Array  # distance along each axis that is near enough
    worth: Array


class _Place(NamedTuple):
    """Position, turn and knowledge of each planner on a tour: ``[agent, *worlds]`` each."""

    x: Array
    y: Array
    turn: Array
    knows: Array  # float32 [agent, piece, *worlds], probability
    complete: Array  # float32, probability
    worth: Array


def tours(xp: Any, inputs: PlanInputs, params: Params) -> Iterator[Goal]:
    """Every tour by its first goal: first going home at once (or staying, if incomplete), then all visits."""
    sight, own = inputs.sight, own_of(xp, inputs.knows)
    x, y, base_x, base_y = (own_of(xp, a) for a in (sight.x, sight.y, sight.base_x, sight.base_y))
    zero = xp.zeros(x.shape, dtype=xp.float32)
    complete = _product(xp, own)
    home = xp.abs(base_x - x) + xp.abs(base_y - y)
    recharge = zero + params.full_base_reward
    yield Goal(
        xp.where(complete > 0.5, base_x, x),
        xp.where(complete > 0.5, base_y, y),
        xp.zeros_like(x),
        recharge * complete * DISCOUNT ** xp.maximum(home, 1),
    )
    others = [
        [slot_of(xp, pairs, slot) for pairs in (sight.x, sight.y, inputs.knows, inputs.danger)]
        for slot in range(params.num_agents - 1)
    ]

    def visit(place: _Place, slot: int, is_first: bool) -> _Place:
        """Go into hearing range of an agent, tell and hear everything useful, and go home if knowledge is complete."""
        there_x, there_y, theirs, danger = others[slot]
        step_x, step_y = _toward(xp, place.x, there_x, params.hearing), _toward(xp, place.y, there_y, params.hearing)
        x, y = place.x + step_x, place.y + step_y
        arrival = place.turn + xp.maximum(xp.abs(step_x) + xp.abs(step_y), 1)
        tellable = xp.minimum(place.knows, xp.maximum(inputs.can_say, BARELY)) if is_first else place.knows
        hears = (theirs * (1 - place.knows)).sum(axis=1)
        tells = (tellable * (1 - theirs)).sum(axis=1)
        knows = xp.maximum(place.knows, theirs)
        complete = _product(xp, knows)
        # An agent that would win with complete knowledge is not told its last piece.
        tells = xp.where(danger * complete < 0.5, tells, xp.maximum(tells - 1, 0))
        worth = _paid(xp, hears, arrival) + _paid(xp, tells, arrival)
        # A planner leaves when everything is said: one more turn for each further piece.
        leaves = arrival + xp.maximum(xp.maximum(hears, tells) - 1, 0)
        home = xp.maximum(xp.abs(base_x - x) + xp.abs(base_y - y), 1)
        worth = worth * (1 - place.complete) + (complete - place.complete) * recharge * DISCOUNT ** (leaves + home)
        return _Place(x, y, leaves, knows, complete, place.worth + worth)

    for length in range(1, params.num_agents):
        for slots in permutations(range(params.num_agents - 1), length):
            place = _Place(x, y, zero, own, zero, zero)
            for number, slot in enumerate(slots):
                place = visit(place, slot, is_first=number == 0)
            first_x, first_y, _, _ = others[slots[0]]
            yield Goal(first_x, first_y, xp.zeros_like(x) + params.hearing, place.worth)


def _paid(xp: Any, number: Array, arrival: Array) -> Array:
    """Discounted value of an expected number of rewards, one per turn from the arrival on."""
    return number * DISCOUNT ** (arrival + xp.maximum(number - 1, 0) / 2)


def _toward(xp: Any, here: Array, goal: Array, reach: int) -> Array:
    """The offset along an axis to come within reach."""
    gap = goal - here
    return xp.sign(gap) * xp.maximum(xp.abs(gap) - reach, 0)


def step_costs(xp: Any, sight: Percept, goal: Goal, params: Params) -> list[Array]:
    """The cost of each move towards a goal, ``int32 [agent, *worlds]`` each.

    The longer axis comes first, and paths lead around other agents.
    """
    x, y = own_of(xp, sight.x), own_of(xp, sight.y)
    costs = []
    for choice, (dx, dy) in enumerate(MOVES):
        to_x, to_y = x + dx, y + dy
        gap_x, gap_y = xp.abs(goal.x - to_x), xp.abs(goal.y - to_y)
        left = xp.maximum(gap_x - goal.reach, 0) + xp.maximum(gap_y - goal.reach, 0)
        # Ties: shortening the longer axis keeps both axes open longest.
        cost = left * 1000 + xp.maximum(gap_x, gap_y) * 10 + (choice > 0)
        blocked = (to_x < 0) | (to_y < 0) | (to_x >= params.width) | (to_y >= params.width)
        for j in range(params.num_agents):
            blocked = blocked | ((sight.x[:, j] == to_x) & (sight.y[:, j] == to_y) & (choice > 0))
        costs.append(xp.where(blocked, 1_000_000, cost))
    return costs


def piece_worths(xp: Any, inputs: PlanInputs, move: Array, params: Params) -> Array:
    """Expected news of each piece to those in range after a move, ``float32 [agent, piece, *worlds]``.

    Negative where the piece might let another agent win.
    """
    n, sight, knows = params.num_agents, inputs.sight, inputs.knows
    x, y = own_of(xp, sight.x), own_of(xp, sight.y)
    dx, dy = displacement(xp, move)
    worth = xp.zeros(inputs.can_say.shape, dtype=xp.float32)
    for j in range(n):
        near = within_hearing(sight.x[:, j] - x - dx, sight.y[:, j] - y - dy, params)
        near = near & xp.stack([xp.ones_like(near[0]) if i != j else near[0] & ~near[0] for i in range(n)])
        lacks = 1 - knows[:, j]
        # The probability that the piece would complete its knowledge: all others are known.
        rest = xp.stack([_product(xp, _without(xp, knows[:, j], p)) for p in range(params.num_pieces)], axis=1)
        gain = lacks - lacks * rest * inputs.danger[:, j][:, None] * 2 * params.full_bonus
        worth = worth + xp.where(near[:, None], gain, 0.0)
    return worth


def recharged(xp: Any, sight: Percept, was_complete: Array, params: Params) -> Array:
    """Probability that each agent has just recharged, ``float32 [observer, agent, *worlds]``.

    ``was_complete`` is the probability that each knew everything before. It is not the product over pieces, which are
    not independent: an agent that heard one of two pieces knows both in no possible world.
    """
    uses = xp.stack([contains(sight.uses_base, j) for j in range(params.num_agents)], axis=1)
    return xp.where(uses, was_complete, 0.0)


def danger_of(xp: Any, recharges: Array, params: Params) -> Array:
    """Whether an agent's next recharge would win a competitive episode, ``float32 [observer, agent, *worlds]``."""
    if params.competitive is None:
        return xp.zeros_like(recharges)
    return xp.where(recharges > params.competitive - 1.5, 1.0, 0.0)


def _product(xp: Any, likely: Array) -> Array:
    """Probability that all pieces are known, if they were independent: ``[agent, piece, …] -> [agent, …]``."""
    return xp.prod(likely, axis=1)


def _without(xp: Any, likely: Array, piece: int) -> Array:
    return xp.stack([likely[:, p] for p in range(likely.shape[1]) if p != piece], axis=1)
