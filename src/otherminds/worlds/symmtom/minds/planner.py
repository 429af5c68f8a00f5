"""A planner for SymmToM that acts on its beliefs: it chooses moves and pieces by the expected value of tours.

The value of a tour (``tour_values.py``) depends on what each agent is believed to know, so the order of theory of mind
(``beliefs/tom_orders.py``) is a parameter and nothing else changes with it. Tours are planned anew in every turn.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

from otherminds.core.errors import UserError
from otherminds.core.seeds import random_words
from otherminds.minds.baselines import DecoupledMind
from otherminds.minds.policy import PolicyMind
from otherminds.worlds.symmtom.beliefs import bayes, tom_orders
from otherminds.worlds.symmtom.bits import namespace, own_of, pack, unpack
from otherminds.worlds.symmtom.minds.scripted import HEURISTIC, Scripted
from otherminds.worlds.symmtom.minds.tour_values import (
    BARELY,
    PlanInputs,
    danger_of,
    piece_worths,
    recharged,
    step_costs,
    tours,
)
from otherminds.worlds.symmtom.observe import Percept, perceive
from otherminds.worlds.symmtom.rules import speakable_from
from otherminds.worlds.symmtom.types import SILENT, Action, Array, Params, State


class Look(NamedTuple):
    """The inputs of a planner: its percepts and its own reward."""

    sight: Percept
    reward: Array  # float32 [agent, *worlds]


class PlannerMemory(NamedTuple):
    """The memory of a planner."""

    mind: Any
    knew: Array  # uint32 [agent, *worlds], own knowledge one turn ago
    recharges: Array  # float32 [observer, agent, *worlds], believed number of recharges


@dataclass(frozen=True)
class Planner(Scripted):
    """Plans over its belief.

    Args:
        order: order of theory of mind, one of ``tom_orders.MINDS``.
        particles: number of possible worlds, for orders 1 and 2.
    """

    order: str = "2"
    particles: int = 128

    @property
    def name(self) -> str:
        """Its name in records and tables: ``planner`` and the options that are not the default."""
        options = [f"{f.name}={getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name) != f.default]
        return ":".join(filter(None, ("planner", ",".join(options))))

    @property
    def _rule(self) -> Any:
        return tom_orders.rule_of(self.order, self.particles)

    def look(self, state: State, params: Params) -> Look:
        return Look(perceive(state, params), state.last_reward)

    def begin(self, look: Look, params: Params) -> PlannerMemory:
        xp = namespace(look.sight.x)
        return PlannerMemory(
            tom_orders.begin(look.sight, params, self._rule),
            own_of(xp, look.sight.first_hand),
            xp.zeros(look.sight.x.shape, dtype=xp.float32),
        )

    def act(self, memory: PlannerMemory, look: Look, params: Params, key: Any) -> tuple[Action, PlannerMemory]:
        xp = namespace(look.sight.x)
        was_complete = bayes.completeness(tom_orders.possible(memory.mind, look.sight, self._rule), params)
        mind = tom_orders.update(memory.mind, look.sight, params, self._rule, key, look.reward)
        knows = tom_orders.likely(mind, look.sight, params, self._rule)
        own = own_of(xp, knows)
        now = pack(xp, own > 0.5)
        can_say = unpack(xp, speakable_from(now, memory.knew, params), params.num_pieces).astype(xp.float32)
        recharges = memory.recharges + recharged(xp, look.sight, was_complete, params)
        inputs = PlanInputs(look.sight, knows, can_say, danger_of(xp, recharges, params))
        move = _best_move(xp, inputs, params)
        words = random_words(key, (params.num_agents, params.num_pieces, *look.sight.turn.shape), stream="planner")
        noise = (words >> 8).astype(xp.float32) * float(2.0**-24) * BARELY
        score = xp.where(inputs.can_say > 0.5, piece_worths(xp, inputs, move, params) + noise, -1e9)
        # The piece most likely to be news to those in range after the move; silence if it might let another agent win.
        piece = xp.where(xp.max(score, axis=1) < -BARELY, SILENT, xp.argmax(score, axis=1).astype(xp.int32))
        return Action(move, piece), PlannerMemory(mind, now, recharges)

    def believes(self, memory: PlannerMemory, look: Look, params: Params) -> Array:
        """Probability that each agent knows each piece, ``float32 [observer, subject, piece, *worlds]``."""
        return tom_orders.likely(memory.mind, look.sight, params, self._rule)


def _best_move(xp: Any, inputs: PlanInputs, params: Params) -> Array:
    """The first step of the best tour, ``int32 [agent, *worlds]``."""
    best, *rest = tours(xp, inputs, params)
    for goal in rest:
        is_better = goal.worth > best.worth + BARELY
        best = type(best)(*(xp.where(is_better, new, old) for new, old in zip(goal, best, strict=True)))
    least, move = None, xp.zeros_like(best.x)
    for choice, cost in enumerate(step_costs(xp, inputs.sight, best, params)):
        if least is None:
            least = cost
        else:
            move, least = xp.where(cost < least, choice, move), xp.minimum(cost, least)
    return move


PLANNER = Planner()


def planner(order: Literal["2", "1", "0", "none", "evidence"] = "2", particles: int | None = None) -> Planner:
    """The planner with the options of its name, such as ``planner:order=1,particles=64``."""
    if particles is None:
        return Planner(order)
    if order not in ("1", "2"):
        raise UserError(f"option 'particles' has no effect on a planner with order={order}; leave it out")
    tom_orders.rule_of(order, particles)
    return Planner(order, particles)


def decoupled() -> DecoupledMind:
    """A control whose words and acts differ: it says what the planner believes and acts like the paper's heuristic."""
    return DecoupledMind(PolicyMind(HEURISTIC), PolicyMind(PLANNER))
