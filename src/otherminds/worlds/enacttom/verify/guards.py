"""What it takes to commit oneself: which deeds are wrong where, which break the goal unless another follows (spec 4.3).

All of it follows from the goal. A deed is *wrong* in a world in which the goal cannot hold after it. It *owes* a part
of the goal that held and that it breaks; another deed *repairs* that part. A deed *needs* the secrets that decide where
it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import is_true, shared, spoken, variables
from otherminds.worlds.enacttom.ground import Deed, Ground
from otherminds.worlds.enacttom.verify.facts import formula_facts

_MOST = 200_000  # ways that the variables of a goal can be


@dataclass(frozen=True)
class Stake:
    """What depends on a deed that touches the goal.

    Attributes:
        deed: its number.
        wrong: worlds in which the goal cannot hold after it.
        needs: secrets that decide where it is wrong.
        sets: what it sets of what the goal speaks of.
        owes: parts of the goal that it breaks, by their place in the goal, with the world.
        repairs: parts that hold after it, likewise.
    """

    deed: int
    wrong: frozenset[int]
    needs: tuple[int, ...]
    sets: frozenset[tuple[int, int]]
    owes: tuple[tuple[int, int], ...]
    repairs: tuple[tuple[int, int], ...]


@lru_cache(maxsize=256)
def stakes(ground: Ground) -> tuple[Stake, ...]:
    """All deeds that touch the goal."""
    goal = shared(ground)
    starts = [dict(enumerate(ground.starts[world])) for world in ground.task.worlds]
    found = []
    for number, deed in enumerate(ground.deeds):
        # What the goal does not speak of, such as a cup in the hand, is only on the way to it.
        changes = [{v: x for v, x in _settings(deed, start).items() if (v, x) in spoken(ground)} for start in starts]
        if not any(changes):
            continue
        wrong = frozenset(
            w for w, changed in enumerate(changes) if not _can_hold(ground, goal, {**starts[w], **changed}, changed)
        )
        owes, repairs = [], []
        for w, (start, changed) in enumerate(zip(starts, changes, strict=True)):
            for at, part in enumerate(goal[1]):
                after = is_true(part, {**start, **changed})
                if is_true(part, start) and not after:
                    owes.append((at, w))
                if after and w not in wrong and variables(part) & set(changed):
                    repairs.append((at, w))
        sets = frozenset((v, x) for changed in changes for v, x in changed.items())
        found.append(Stake(number, wrong, tuple(_needs(ground, wrong)), sets, tuple(owes), tuple(repairs)))
    return tuple(found)


def guards(ground: Ground) -> Iterator[str]:
    """Facts about deeds that touch the goal, and about notes, for the logic program."""
    _, numbers = formula_facts(shared(ground))
    for stake in stakes(ground):
        name = f"d({stake.deed})"
        yield from (f"wrong({name},{w})." for w in sorted(stake.wrong))
        yield from (f"need({name},{secret})." for secret in stake.needs)
        yield from (f"sets({name},{v},{x})." for v, x in sorted(stake.sets))
        yield from (f"owes({name},{numbers[at]},{w})." for at, w in stake.owes)
        yield from (f"repairs({name},{numbers[at]},{w})." for at, w in stake.repairs)
    yield from _notes(ground)


def _settings(deed: Deed, start: Mapping[int, int]) -> dict[int, int]:
    """What a deed sets when it is the first to be done in a world."""
    return {
        effect.variable: effect.value
        for effect in deed.effects
        if all((start[test.variable] == test.value) == test.is_equal for test in effect.tests)
    }


def _can_hold(ground: Ground, goal: Any, values: Mapping[int, int], changed: Mapping[int, int]) -> bool:
    """Whether the goal can hold if what was set stays, with all else as one likes; flags and secrets stay as well."""
    stays = ("secret ", "flag ")
    free = [v for v in variables(goal) if v not in changed and not ground.variables[v].startswith(stays)]
    domains = [range(len(ground.domains[variable])) for variable in free]
    if prod(map(len, domains)) > _MOST:
        raise UserError(f"the goal of task {ground.task.id!r} has too many variables to reason about; make it smaller")
    return any(is_true(goal, {**values, **dict(zip(free, chosen, strict=True))}) for chosen in product(*domains))


def _needs(ground: Ground, wrong: frozenset[int]) -> list[int]:
    """The secrets that decide in which worlds it is wrong.

    Those in which alone two worlds differ, of which it is wrong in one; where the task has no such worlds, all in which
    such worlds differ.
    """
    worlds = ground.task.worlds
    alone: set[int] = set()
    together: set[int] = set()
    for w in wrong:
        for u in set(range(len(worlds))) - wrong:
            differ = [at for at, (a, b) in enumerate(zip(worlds[w], worlds[u], strict=True)) if a != b]
            together.update(differ)
            if len(differ) == 1:
                alone.update(differ)
    return sorted(alone or together)


def _notes(ground: Ground) -> Iterator[str]:
    task = ground.task
    for note in task.notes:
        chain = ",".join(map(str, task.numbers((note.to, *note.knower))))
        for w, world in enumerate(task.worlds):
            if task.applies(note, world):
                yield f"noted({w},ch({chain}),{task.secret(note.about)})."
