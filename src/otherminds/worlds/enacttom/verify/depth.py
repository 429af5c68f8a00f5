"""How deep must a mind look? The least depth at which a policy exists, and the worlds that show it (spec 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.goals import is_reached
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.observe import Percept, first_look, notes, perceive
from otherminds.worlds.enacttom.rules import Act, State, begin, step
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.policy import SECONDS, Search

DEEPEST = 3
Policy = tuple[tuple[tuple[Act, ...], ...], ...]


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
    secrets_only: bool = False,
    seconds: float = SECONDS,
    seed: int = 0,
    on_step: Callable[[str], None] = lambda _: None,
) -> Depth:
    """The depth that a task requires of any team, conventions included.

    Args:
        ground: the task.
        secrets_only: theories are about secrets alone.
        seconds: for each question to the solver.
        seed: of the solver.
        on_step: is told what is being looked for.
    """
    on_step("any policy")
    free = Search(ground, seed=seed).find(seconds=seconds)
    if not free.is_solvable:
        return Depth(free.is_solvable)
    refuted: list[int] = []
    below: Search | None = None
    for depth in range(DEEPEST + 1):
        on_step(f"a policy of depth {depth}")
        search = Search(ground, depth, secrets_only=secrets_only, seed=seed)
        found = search.find(seconds=seconds)
        if found.is_solvable is None:
            return Depth(True, None, tuple(refuted))
        if found.is_solvable:
            on_step("worlds that show it")
            contrast = contrast_worlds(ground, below, seconds) if below else ()
            return Depth(True, depth, tuple(refuted), found.policy, contrast)
        refuted.append(depth)
        below = search
    return Depth(True, None, tuple(refuted))


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
    seen: dict[tuple[int, tuple[object, ...]], Act] = {}
    for world, acts in zip(ground.task.worlds, policy, strict=True):
        state = begin(ground, world)
        histories: list[list[object]] = [
            [notes(ground, world, agent), first_look(ground, state, agent)] for agent in range(len(ground.task.people))
        ]
        for turn in acts:
            for agent, act in enumerate(turn):
                if seen.setdefault((agent, tuple(histories[agent])), act) != act:
                    return (
                        f"{ground.task.names[agent]} does two things after the same history, in turn {state.turn + 1}"
                    )
            state, percepts = _played(ground, state, turn)
            for history, percept, act in zip(histories, percepts, turn, strict=True):
                history += [act, percept]
        if not is_reached(ground, state.values):
            return f"the goal is not reached in world {ground.task.worlds.index(world)}"
    return ""


def _played(ground: Ground, state: State, acts: Sequence[Act]) -> tuple[State, list[Percept]]:
    after, outcome = step(ground, state, acts)
    return after, [perceive(ground, state, after, outcome, agent) for agent in range(len(acts))]
