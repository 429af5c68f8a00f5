"""Shortest plans by breadth-first search over joint acts: slow, and written without the solver, to compare with."""

from __future__ import annotations

from itertools import product

from otherminds.worlds.enacttom.formulas import is_reached
from otherminds.worlds.enacttom.grounded_task import Deed, Ground, Values, Way
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.rules import WAIT, State, begin, step
from otherminds.worlds.enacttom.types import World

Plan = tuple[tuple[Act, ...], ...]  # [turn][person]


def plan_by_breadth(ground: Ground, world: World) -> Plan | None:
    """The shortest plan in a world with full information; ``None`` if there is none within the horizon."""
    first = begin(ground, world)
    plans: dict[Values, Plan] = {first.values: ()}
    reached: list[State] = [first]
    if is_reached(ground, first.values):
        return ()
    seen = set(plans)
    # Windows and timers make a state worth visiting again later.
    is_timed = bool(ground.ticks) or any(way != Way(way.tests) for deed in ground.deeds for way in deed.ways)
    for _ in range(ground.task.horizon):
        extended: dict[Values, Plan] = {}
        nexts: list[State] = []
        for state in reached:
            for acts in _joint(ground, state):
                after, _ = step(ground, state, acts)
                if after.values in extended or (after.values in seen and not is_timed):
                    continue
                extended[after.values] = (*plans[state.values], acts)
                if is_reached(ground, after.values):
                    return extended[after.values]
                nexts.append(after)
        plans, reached = extended, nexts
        seen |= extended.keys()
    return None


def _joint(ground: Ground, state: State) -> product[tuple[Act, ...]]:
    """All joint acts, without those that change nothing."""

    def is_useful(deed: Deed) -> bool:
        changes = any(state.values[effect.variable] != effect.value for effect in deed.effects)
        return changes and deed.is_possible(state.values, state.turn + 1)

    return product(*([WAIT, *(deed.name for deed in deeds.values() if is_useful(deed))] for deeds in ground.by_name))
