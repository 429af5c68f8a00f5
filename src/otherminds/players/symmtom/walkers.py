"""Rules without any theory of mind: they walk by where agents stand, and say their pieces in turn.

On the same board they do the same whatever anybody knows, so they fail one of two twins: the floor of the battery.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from otherminds.players.symmtom.scripted import Memory, Reciter, along_x, along_y, slot_of
from otherminds.worlds.symmtom.bits import own_of
from otherminds.worlds.symmtom.observe import Percept
from otherminds.worlds.symmtom.types import Array, Params


@dataclass(frozen=True)
class Walker(Reciter):
    """Walks to the nearest or farthest agent, after the lowest-numbered one (``chase``), or to the centre.

    Who walks to an agent keeps to it until it is in range or something made it stand, and then chooses again.
    """

    goal: Literal["nearest", "farthest", "chase", "centre"]

    @property
    def name(self) -> str:
        """What records and tables call it."""
        return self.goal

    def begin(self, sight: Percept, params: Params) -> Memory:
        memory = super().begin(sight, params)
        return memory._replace(slot=memory.last_piece)

    def walk(self, xp: Any, slot: Any, sight: Percept, can_say: Array, params: Params) -> tuple[Array, Any]:
        x, y = own_of(xp, sight.x), own_of(xp, sight.y)
        slot, goal_x, goal_y = self._goal(xp, slot, sight, x, y, params)
        dx, dy = goal_x - x, goal_y - y
        return xp.where(xp.abs(dx) >= xp.abs(dy), along_x(xp, dx), along_y(xp, dy)), slot

    def _goal(
        self, xp: Any, slot: Array, sight: Percept, x: Array, y: Array, params: Params
    ) -> tuple[Array, Array, Array]:
        """Whom it walks to, and the cell to walk to."""
        if self.goal == "centre":
            middle = xp.zeros_like(x) + params.width // 2
            return slot, middle, middle
        cells = [[slot_of(xp, a, s) for a in (sight.x, sight.y)] for s in range(params.num_agents - 1)]
        far = xp.stack([xp.abs(ox - x) + xp.abs(oy - y) for ox, oy in cells])
        wide = xp.stack([xp.maximum(xp.abs(ox - x), xp.abs(oy - y)) for ox, oy in cells])
        cost = {"nearest": far, "farthest": -far, "chase": 0 * far}[self.goal]
        has_come = xp.take_along_axis(wide, xp.maximum(slot, 0)[None], axis=0)[0] <= params.hearing
        stands = (own_of(xp, sight.direction_x) == 0) & (own_of(xp, sight.direction_y) == 0)
        slot = xp.where((slot < 0) | has_come | stands, xp.argmin(cost, axis=0).astype(slot.dtype), slot)
        goal = (xp.take_along_axis(xp.stack([c[k] for c in cells]), slot[None], axis=0)[0] for k in (0, 1))
        return slot, *goal


NEAREST = Walker("nearest")
FARTHEST = Walker("farthest")
CHASE = Walker("chase")
CENTRE = Walker("centre")
WALKERS = (NEAREST, FARTHEST, CHASE, CENTRE)
