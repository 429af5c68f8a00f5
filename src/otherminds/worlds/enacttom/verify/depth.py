"""Can a task be done, and how deep must a mind look for it?

The fewest turns for who knows everything, by search (spec 4.2); the least depth at which a policy exists, and the
worlds that show it (spec 4.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import is_reached
from otherminds.worlds.enacttom.ground import Deed, Ground, Values, Way
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.observe import opening, perceive_all
from otherminds.worlds.enacttom.rules import WAIT, State, begin, step
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.policy import SECONDS, Search

DEEPEST = 3
MOST_STATES = 200_000
Policy = tuple[tuple[tuple[Act, ...], ...], ...]
History = tuple[object, ...]  # notes and first look, then acts and percepts in turn


@dataclass(frozen=True)
class Depth:
    """What was proved.

    Attributes:
        is_solvable: by any policy whatever; ``None`` if the solver ran out of time.
        depth: the least that some policy can do with; ``None`` if there is none up to 3, or it is not known.
        refuted: the depths that no policy can do with.
        policy: one of that depth, ``[world][turn][person]``.
        contrast: worlds of which every shallower policy fails at least one, none of them to spare.
    """

    is_solvable: bool | None
    depth: int | None = None
    refuted: tuple[int, ...] = ()
    policy: Policy = ()
    contrast: tuple[World, ...] = ()


def required_depth(
    ground: Ground,
    *,
    is_plain: bool = False,
    secrets_only: bool = False,
    known: int | None = None,
    seconds: float = SECONDS,
    seed: int = 0,
    on_step: Callable[[str], None] = lambda _: None,
) -> Depth:
    """The depth that a task requires of any team, conventions included; or of teams without them.

    Args:
        ground: the task.
        is_plain: of teams without conventions.
        secrets_only: theories are about secrets alone.
        known: a depth whose contrast worlds are known and need not be found.
        seconds: for each question to the solver.
        seed: of the solver.
        on_step: is told what is being looked for.
    """
    if not is_plain:
        on_step("any policy")
        free = Search(ground, seed=seed).find(seconds=seconds)
        if not free.is_solvable:
            return Depth(free.is_solvable)
    below: Search | None = None
    for depth in range(DEEPEST + 1):
        on_step(f"a policy of depth {depth}{' without conventions' if is_plain else ''}")
        search = Search(ground, depth, is_plain=is_plain, secrets_only=secrets_only, seed=seed)
        found = search.find(seconds=seconds)
        if found.is_solvable is None:
            return Depth(True, None, tuple(range(depth)))
        if found.is_solvable:
            on_step("worlds that show it")
            contrast = contrast_worlds(ground, below, seconds) if below and depth != known else ()
            return Depth(True, depth, tuple(range(depth)), found.policy, contrast)
        below = search
    return Depth(True, None, tuple(range(DEEPEST + 1)))


def contrast_worlds(ground: Ground, search: Search, seconds: float = SECONDS) -> tuple[World, ...]:
    """Worlds that no policy which is searched for can all solve, from which none can be left out.

    Raises:
        UserError: if there is a policy that solves them all.
    """
    found = search.find(seconds=seconds)
    if found.is_solvable is not False:
        raise UserError(f"such policies are not refuted for task {ground.task.id!r}; there is nothing to contrast")
    kept = [world for world in ground.task.worlds if world in found.core]
    for world in list(kept):
        without = [one for one in kept if one != world]
        smaller = search.find(without, seconds)
        if world in kept and smaller.is_solvable is False:
            kept = [one for one in without if one in smaller.core]
    return tuple(kept)


def check_policy(ground: Ground, policy: Policy) -> str:
    """Play a policy in the simulator, in every world: what is wrong with it, or nothing.

    It must reach the goal, and whoever has perceived the same must do the same.
    """
    if len(policy) != len(ground.task.worlds) or any(len(turns) != ground.task.horizon for turns in policy):
        return f"it is not for {len(ground.task.worlds)} worlds and {ground.task.horizon} turns"
    seen: dict[tuple[int, History], Act] = {}
    for number, (world, turns) in enumerate(zip(ground.task.worlds, policy, strict=True)):
        for state, histories, acts in follow_policy(ground, world, turns):
            for agent, act in enumerate(acts):
                if seen.setdefault((agent, histories[agent]), act) != act:
                    who = ground.task.names[agent]
                    return f"{who} does two things after the same history, in turn {state.turn + 1}"
        if not is_reached(ground, state.values):
            return f"the goal is not reached in world {number}"
    return ""


def follow_policy(
    ground: Ground, world: World, turns: Sequence[tuple[Act, ...]]
) -> Iterator[tuple[State, list[History], tuple[Act, ...]]]:
    """The house before each turn of a policy, what each person has perceived until then, and what they do.

    The last is the house at the end, in which nobody does anything.
    """
    state = begin(ground, world)
    histories: list[History] = [opening(ground, world, agent) for agent in range(len(ground.task.people))]
    for acts in turns:
        yield state, histories, acts
        after, outcome = step(ground, state, acts)
        percepts = perceive_all(ground, state, after, outcome)
        histories = [(*one, act, seen) for one, act, seen in zip(histories, acts, percepts, strict=True)]
        state = after
    yield state, histories, ()


def calibrate(ground: Ground, world: World) -> tuple[tuple[Act, ...], ...] | None:
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
    seen = set(plans)
    # Windows and timers make a state worth visiting again later.
    is_timed = bool(ground.ticks) or any(way != Way(way.tests) for deed in ground.deeds for way in deed.ways)
    for _ in range(ground.task.horizon):
        found: dict[Values, tuple[tuple[Act, ...], ...]] = {}
        nexts: list[State] = []
        for state in reached:
            for acts in _joint(ground, state):
                after, _ = step(ground, state, acts)
                if after.values in found or (after.values in seen and not is_timed):
                    continue
                found[after.values] = (*plans[state.values], acts)
                if is_reached(ground, after.values):
                    return found[after.values]
                nexts.append(after)
            if len(found) > MOST_STATES:
                raise UserError(f"task {ground.task.id!r} has more than {MOST_STATES:,} states; make the house smaller")
        plans, reached = found, nexts
        seen |= found.keys()
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
