"""The depth that a task requires (spec 4.3, 4.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import is_reached, shared
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.observe import opening, perceive_all
from otherminds.worlds.enacttom.rules import State, begin, step
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.joint_policy import Policy, Search, SearchResult
from otherminds.worlds.enacttom.verify.solver import SECONDS

DEEPEST = 3  # largest depth that is searched
History = tuple[object, ...]  # notes and first percept, then own act and percept of each turn


class Depth(NamedTuple):
    """What was proved about the depth of a task.

    Attributes:
        is_solvable: by any policy; ``None`` if time ran out.
        depth: smallest depth with a policy; ``None`` if there is none up to 3, or it is unknown.
        refuted: number of depths without a policy, from 0 on.
        policy: a policy of that depth.
        contrast: minimal set of worlds of which every shallower policy fails at least one.
    """

    is_solvable: bool | None
    depth: int | None = None
    refuted: int = 0
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
) -> Depth:
    """The depth that a task requires of minds with any conventions, or of minds without conventions.

    Args:
        ground: the task.
        is_plain: whether minds have no conventions.
        secrets_only: whether theories are about secrets alone.
        known: a depth whose contrast worlds are not needed again.
        seconds: time limit for each query to the solver.
        seed: of the solver.
    """
    if not is_plain:
        free = Search(ground, secrets_only=secrets_only, seconds=seconds, seed=seed).find(seconds=seconds)
        if not free.is_solvable:
            return Depth(free.is_solvable)
    below: Search | None = None
    for depth in range(DEEPEST + 1):
        search, result = _search(ground, depth, is_plain, secrets_only, seconds, seed)
        if result.is_solvable is None:
            return Depth(True, None, depth)
        if result.is_solvable:
            contrast = contrast_worlds(ground, below, seconds) if below and depth != known else ()
            return Depth(True, depth, depth, result.policy, contrast)
        below = search
    return Depth(True, None, DEEPEST + 1)


def find_plain(ground: Ground, depth: int, seconds: float = SECONDS) -> SearchResult:
    """A policy without conventions up to a depth."""
    few = find_few(ground, depth, seconds)
    if few.is_solvable is False or few_worlds(ground) == ground.task.worlds:
        return few
    return _found(Alike(ground), depth, ground.task.worlds, seconds)


def find_few(ground: Ground, depth: int, seconds: float = SECONDS) -> SearchResult:
    """A policy without conventions up to a depth for a few of the worlds; if there is none, there is none for all."""
    return _found(Alike(ground), depth, few_worlds(ground), seconds)


class Alike:
    """A house, equal to all houses that the solver cannot tell from it."""

    def __init__(self, ground: Ground) -> None:
        task = ground.task
        self.ground = ground
        self._content = (
            *(ground.variables, ground.domains, ground.deeds, ground.ticks, ground.sights, ground.audible),
            *(tuple(ground.starts.items()), shared(ground), task.names, task.notes, task.secrets, task.horizon),
            repr(task.talk),
        )
        self._hash = hash(self._content)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alike) and self._content == other._content


@lru_cache(maxsize=1024)
def _found(house: Alike, depth: int, worlds: tuple[World, ...], seconds: float) -> SearchResult:
    return Search(house.ground, depth, is_plain=True, worlds=worlds, seconds=seconds).find(seconds=seconds)


def search_plain(ground: Ground, depth: int, seconds: float = SECONDS) -> tuple[Search, SearchResult]:
    """A search for a policy without conventions up to a depth, and its result."""
    return _search(ground, depth, True, False, seconds, 0)


def _search(
    ground: Ground, depth: int, is_plain: bool, secrets_only: bool, seconds: float, seed: int
) -> tuple[Search, SearchResult]:
    """A search and its result. Plain policies are sought in a few worlds first, where refuting them is cheap."""
    every = ground.task.worlds
    few = few_worlds(ground) if is_plain else every
    for worlds in [few, every] if len(few) < len(every) else [every]:
        search = Search(
            ground, depth, is_plain=is_plain, secrets_only=secrets_only, worlds=worlds, seconds=seconds, seed=seed
        )
        result = search.find(seconds=seconds)
        if result.is_solvable is False:
            break
    return search, result


def few_worlds(ground: Ground) -> tuple[World, ...]:
    """The worlds in which every secret has one of its first two values: often enough to refute plain policies."""
    worlds = ground.task.worlds
    firsts = [set(list(dict.fromkeys(world[at] for world in worlds))[:2]) for at in range(len(ground.task.secrets))]
    return tuple(world for world in worlds if all(value in firsts[at] for at, value in enumerate(world)))


def contrast_worlds(ground: Ground, search: Search, seconds: float = SECONDS) -> tuple[World, ...]:
    """A minimal set of worlds that no policy of the search solves together.

    Raises:
        UserError: if some policy solves all worlds.
    """
    result = search.find(seconds=seconds)
    if result.is_solvable is not False:
        raise UserError(f"task {ground.task.id!r} has no contrast worlds: policies of this depth are not refuted")
    kept = [world for world in ground.task.worlds if world in result.core]
    for world in list(kept):
        rest = [other for other in kept if other != world]
        smaller = search.find(rest, seconds)
        if world in kept and smaller.is_solvable is False:
            kept = [other for other in rest if other in smaller.core]
    return tuple(kept)


def check_policy(ground: Ground, policy: Policy) -> str:
    """What is wrong with a policy, found by playing it in every world; empty if nothing is.

    It must reach the goal, and a person must act identically after identical histories.
    """
    if len(policy) != len(ground.task.worlds) or any(len(turns) != ground.task.horizon for turns in policy):
        return f"it does not have {len(ground.task.worlds)} worlds and {ground.task.horizon} turns"
    seen: dict[tuple[int, History], Act] = {}
    for number, (world, turns) in enumerate(zip(ground.task.worlds, policy, strict=True)):
        for state, histories, acts in follow_policy(ground, world, turns):
            for agent, act in enumerate(acts):
                if seen.setdefault((agent, histories[agent]), act) != act:
                    name = ground.task.names[agent]
                    return f"{name} does two things after the same history, in turn {state.turn + 1}"
        if not is_reached(ground, state.values):
            return f"the goal is not reached in world {number}"
    return ""


def follow_policy(
    ground: Ground, world: World, turns: Sequence[tuple[Act, ...]]
) -> Iterator[tuple[State, list[History], tuple[Act, ...]]]:
    """State, histories of all persons and their acts, for each turn of a policy; last, the end without acts."""
    state = begin(ground, world)
    histories: list[History] = [opening(ground, world, agent) for agent in range(len(ground.task.people))]
    for acts in turns:
        yield state, histories, acts
        after, outcome = step(ground, state, acts)
        percepts = perceive_all(ground, state, after, outcome)
        histories = [(*history, act, seen) for history, act, seen in zip(histories, acts, percepts, strict=True)]
        state = after
    yield state, histories, ()
