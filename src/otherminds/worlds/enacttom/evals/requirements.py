"""What people would have had to know for their parts of the goal, and of whom (spec 6.5).

The guards of spec 4.3 look at deeds one by one. Here a deed is looked at together with the deeds that must follow it:
who pulls a lever relies on those whose deeds are called for by it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from otherminds.worlds.enacttom.formulas import is_true, shared
from otherminds.worlds.enacttom.grounded_task import Deed, Effect, Ground, Tests
from otherminds.worlds.enacttom.seat_view import People
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.stakes import Stake, deciding, settings, stakes

_LONGEST = 2  # others in a chain: messages establish no longer ones
Knows = Callable[[People, int], bool]


class Known(NamedTuple):
    """A secret that the last of a chain of people knows, as each knows of the next."""

    chain: People
    secret: int


@lru_cache(maxsize=2048)
def helpful(ground: Ground, world: World) -> tuple[tuple[Deed, Stake], ...]:
    """The deeds that repair a part of the goal in a world, by people who can ever come to do them."""
    at, can = ground.task.worlds.index(world), _feasible(ground, world)
    return tuple(
        (ground.deeds[stake.deed], stake)
        for stake in stakes(ground)
        if stake.deed in can and any(w == at for _, w in stake.repairs)
    )


def _feasible(ground: Ground, world: World) -> set[int]:
    """The deeds that could be done at some time, if nothing ever ceased to be so."""
    ever, can = set(enumerate(ground.starts[world])), set[int]()

    def is_met(tests: Tests) -> bool:
        return all(
            (test.variable, test.value) in ever
            if test.is_equal
            else any((test.variable, x) in ever for x in range(len(ground.domains[test.variable])) if x != test.value)
            for test in tests
        )

    def made(effects: tuple[Effect, ...]) -> set[tuple[int, int]]:
        return {(effect.variable, effect.value) for effect in effects if is_met(effect.tests)}

    size = -1
    while len(ever) + len(can) > size:
        size = len(ever) + len(can)
        ever |= made(ground.ticks)
        for number, deed in enumerate(ground.deeds):
            if number in can or any(is_met(way.tests) for way in deed.ways):
                can.add(number)
                ever |= made(deed.effects)
    return can


def backing(
    ground: Ground, world: World, deed: Deed, values: Mapping[int, int], chain: People = ()
) -> Iterator[list[set[Known]]]:
    """For each part of the goal that a deed breaks, the ways in which others can repair it, by what has to be known.

    Args:
        ground: the task.
        world: its world.
        deed: done in a state.
        values: that state.
        chain: the others relied on so far, the last of whom does the deed.
    """
    after = {**values, **settings(deed, values)}
    for part in shared(ground)[1]:
        if is_true(part, values) and not is_true(part, after):
            yield [
                needs
                for helper, _ in helpful(ground, world)
                if helper.agent != deed.agent and len(chain) < _LONGEST
                if is_true(part, {**after, **settings(helper, after)})
                for needs in _relying(ground, world, part, helper, after, (*chain, helper.agent))
            ]


def _relying(
    ground: Ground, world: World, part: object, helper: Deed, values: Mapping[int, int], chain: People
) -> Iterator[set[Known]]:
    """What has to be known of a helper and of those it relies on in turn."""
    after = {**values, **settings(helper, values)}
    fails = frozenset(
        w
        for w, other in enumerate(ground.task.worlds)
        if not is_true(part, {**after, **dict(enumerate(other))})  # the first variables are the secrets
    )
    ways = [{Known(chain, secret) for secret in deciding(ground, fails)}]
    for options in backing(ground, world, helper, values, chain):
        ways = [way | option for way in ways for option in options]
    yield from ways


def is_backed(ground: Ground, world: World, deed: Deed, values: Mapping[int, int], knows: Knows) -> bool:
    """Whether for each part that a deed breaks somebody is known to know how to repair it."""
    return all(
        any(all(knows(chain, secret) for chain, secret in needs) for needs in ways)
        for ways in backing(ground, world, deed, values)
    )
