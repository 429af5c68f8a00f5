"""What a person must know to commit itself to a deed, derived from the goal (spec 4.3).

A deed is *wrong* in a world in which the goal cannot hold after it. It *owes* a conjunct of the goal that held and that
it breaks; another deed *repairs* that conjunct. A deed *needs* the secrets that decide where it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import is_true, literals, shared, spoken, variables
from otherminds.worlds.enacttom.grounded_task import Deed, Ground
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.task_facts import formula_facts

_MOST = 200_000  # assignments of the variables of a goal


@dataclass(frozen=True)
class Stake:
    """What depends on a deed that affects the goal.

    Attributes:
        deed: its number.
        wrong: worlds in which the goal cannot hold after it.
        needs: secrets that decide where it is wrong.
        sets: variables of the goal that it sets, with their values.
        owes: conjuncts of the goal that it breaks, by their place in the goal, with the world.
        repairs: conjuncts that hold after it, with the world.
    """

    deed: int
    wrong: frozenset[int]
    needs: tuple[int, ...]
    sets: frozenset[tuple[int, int]]
    owes: tuple[tuple[int, int], ...]
    repairs: tuple[tuple[int, int], ...]


@lru_cache(maxsize=256)
def stakes(ground: Ground) -> tuple[Stake, ...]:
    """The stakes of all deeds that affect the goal."""
    goal = shared(ground)
    starts = [dict(enumerate(ground.starts[world])) for world in ground.task.worlds]
    affecting = []
    for number, deed in enumerate(ground.deeds):
        # Variables outside the goal, such as a cup in the hand, are only means to it.
        changes = [{v: x for v, x in settings(deed, start).items() if (v, x) in spoken(ground)} for start in starts]
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
        affecting.append(Stake(number, wrong, tuple(deciding(ground, wrong)), sets, tuple(owes), tuple(repairs)))
    return tuple(affecting)


@lru_cache(maxsize=256)
def simple_parts(ground: Ground) -> tuple[int, ...]:
    """The conjuncts of the goal that somebody can see to in every world without knowing any secret."""
    every = range(len(ground.task.worlds))
    easy = [set(stake.repairs) for stake in stakes(ground) if not (stake.needs or stake.wrong or stake.owes)]
    parts = range(len(shared(ground)[1]))
    return tuple(at for at in parts if any(all((at, w) in repairs for w in every) for repairs in easy))


def guards(ground: Ground, possible: Sequence[World] | None = None) -> Iterator[str]:
    """Facts about deeds that affect the goal, and about notes, for the logic program, in the possible worlds."""
    possible = ground.task.worlds if possible is None else possible
    _, numbers = formula_facts(shared(ground))
    at_all = {world: at for at, world in enumerate(ground.task.worlds)}
    new = {at_all[world]: at for at, world in enumerate(possible)}  # the numbers of worlds in the program
    for stake in stakes(ground):
        name = f"d({stake.deed})"
        yield from (f"wrong({name},{new[w]})." for w in sorted(stake.wrong) if w in new)
        yield from (f"need({name},{secret})." for secret in stake.needs)
        yield from (f"sets({name},{v},{x})." for v, x in sorted(stake.sets))
        yield from (f"owes({name},{numbers[at]},{new[w]})." for at, w in stake.owes if w in new)
        yield from (f"repairs({name},{numbers[at]},{new[w]})." for at, w in stake.repairs if w in new)
    yield from (f"simple({numbers[at]})." for at in simple_parts(ground))
    task = ground.task
    for note in task.notes:
        chain = ",".join(map(str, task.numbers((note.to, *note.knower))))
        worlds = [w for w, world in enumerate(possible) if task.applies(note, world)]
        yield from (f"noted({w},ch({chain}),{task.secret(note.about)})." for w in worlds)


def settings(deed: Deed, start: Mapping[int, int]) -> dict[int, int]:
    """The variables that a deed sets when it is the first in a world."""
    return {
        effect.variable: effect.value
        for effect in deed.effects
        if all((start[test.variable] == test.value) == test.is_equal for test in effect.tests)
    }


def _can_hold(ground: Ground, goal: Any, values: Mapping[int, int], changed: Mapping[int, int]) -> bool:
    """Whether the goal can hold if the changed variables, flags and secrets stay, and all others are free."""
    stays = ("secret ", "flag ")
    free = [v for v in variables(goal) if v not in changed and not ground.variables[v].startswith(stays)]
    # Only the values that the goal names make a difference; one other value stands for all the rest.
    named = {v: sorted({x for variable, x in literals(goal) if variable == v}) for v in free}
    others = {v: next((x for x in range(len(ground.domains[v])) if x not in named[v]), None) for v in free}
    domains = [[*named[v], *([] if others[v] is None else [others[v]])] for v in free]
    if prod(map(len, domains)) > _MOST:
        raise UserError(f"the goal of task {ground.task.id!r} has too many variables to reason about; make it smaller")
    return any(is_true(goal, {**values, **dict(zip(free, chosen, strict=True))}) for chosen in product(*domains))


def deciding(ground: Ground, wrong: frozenset[int]) -> list[int]:
    """The secrets that decide in which worlds a deed is wrong.

    These are secrets in which alone a wrong and a right world differ. If no two worlds differ in one secret only, they
    are all secrets in which wrong and right worlds differ.
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
