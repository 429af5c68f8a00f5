"""Can a task be done at all, if nothing is hidden? The fewest turns in each world, by search (spec 4.2)."""

from __future__ import annotations

from itertools import product

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.goals import is_reached
from otherminds.worlds.enacttom.ground import Deed, Ground, Values
from otherminds.worlds.enacttom.rules import WAIT, Act, State, begin, step
from otherminds.worlds.enacttom.types import World

MOST_STATES = 200_000


def calibrate(ground: Ground, world: World, most: int = MOST_STATES) -> tuple[tuple[Act, ...], ...] | None:
    """The shortest plan in a world whose secrets all know; ``None`` if there is none within the horizon.

    A goal that holds from the start needs no turn.

    Raises:
        UserError: if there is too much to search.
    """
    first = begin(ground, world)
    plans: dict[Values, tuple[tuple[Act, ...], ...]] = {first.values: ()}
    reached: list[State] = [first]
    if is_reached(ground, first.values):
        return ()
    for _ in range(ground.task.horizon):
        found: dict[Values, tuple[tuple[Act, ...], ...]] = {}
        nexts: list[State] = []
        for state in reached:
            for acts in _joint(ground, state):
                after, _ = step(ground, state, acts)
                # Windows and timers make a state worth visiting again later; a turn is part of what it is.
                if after.values in found:
                    continue
                found[after.values] = (*plans[state.values], acts)
                if is_reached(ground, after.values):
                    return found[after.values]
                nexts.append(after)
            if len(found) > most:
                raise UserError(f"task {ground.task.id!r} has more than {most:,} states; make the house smaller")
        plans, reached = found, nexts
    return None


def _joint(ground: Ground, state: State) -> product[tuple[Act, ...]]:
    """All that people can do at once, without what changes nothing."""
    turn = state.turn + 1
    choices = [
        [WAIT, *(deed.name for deed in mine.values() if deed.is_possible(state.values, turn) and _matters(deed, state))]
        for mine in ground.by_name
    ]
    return product(*choices)


def _matters(deed: Deed, state: State) -> bool:
    return any(state.values[effect.variable] != effect.value for effect in deed.effects)
