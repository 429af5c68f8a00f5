"""How a goal can end: each ending says for some variables which values they may have, and all fit together.

If nothing ever ceases to be so, a lever that was off and is on now counts as both, and a goal such as "not the lever
unless the cup is put away" holds at once. An ending never asks for both, so whoever wants the lever on puts the cup
away as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.types import World

MOST = 64  # endings that are told apart; a goal with more is taken part by part

Ending = dict[int, frozenset[int]]  # for each variable that matters, the values that it may have


def endings(ground: Ground, world: World, formula: Any) -> list[Ending] | None:
    """The endings in which a formula holds in a world, none part of another; ``None`` if there are too many."""
    return _endings(ground, world, formula, True)


def _endings(ground: Ground, world: World, formula: Any, is_so: bool) -> list[Ending] | None:
    kind, *rest = formula
    if kind == "not":
        return _endings(ground, world, rest[0], not is_so)
    if kind == "is":
        variable, value = rest
        if variable < len(world):  # a secret: it is so or not, whatever people do
            return [{}] if (world[variable] == value) == is_so else []
        every = frozenset(range(len(ground.domains[variable])))
        return [{variable: frozenset({value}) if is_so else every - {value}}]
    is_all = (kind == "and") == is_so
    possible: list[Ending] = [{}] if is_all else []
    for part in rest[0]:
        more = _endings(ground, world, part, is_so)
        if more is None:
            return None
        if is_all:
            joined = (_joined(first, second) for first, second in product(possible, more))
            possible = _widest(ending for ending in joined if ending is not None)
        else:
            possible = _widest([*possible, *more])
        if len(possible) > MOST:
            return None
    return possible


def _joined(first: Ending, second: Ending) -> Ending | None:
    """What two endings ask for together; ``None`` if they contradict each other."""
    joined = dict(first)
    for variable, values in second.items():
        joined[variable] = joined.get(variable, values) & values
        if not joined[variable]:
            return None
    return joined


def _widest(candidates: Iterable[Ending]) -> list[Ending]:
    """The endings that are not part of another one, in the same order."""
    kept: list[Ending] = []
    for ending in candidates:
        if not any(_is_part(ending, other) for other in kept):
            kept = [other for other in kept if not _is_part(other, ending)] + [ending]
    return kept


def _is_part(part: Ending, whole: Ending) -> bool:
    return all(variable in part and part[variable] <= values for variable, values in whole.items())
