"""What it takes to commit oneself: which deeds would be wrong where, which break the goal unless another follows (4.3).

All of it follows from the goal. A deed is *wrong* in a world in which the goal cannot hold after it. It *owes* a part
of the goal that held and that it breaks; another deed *repairs* that part. A deed *needs* the secrets that decide where
it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.goals import shared, variables
from otherminds.worlds.enacttom.ground import Deed, Ground

_MOST = 200_000  # ways that the variables of a goal can be


def guards(ground: Ground) -> Iterator[str]:
    """Facts about deeds that touch the goal, and about notes, for the logic program."""
    task, goal = ground.task, shared(ground)
    parts = goal[1]
    numbers = _numbers(goal)
    worlds = range(len(task.worlds))
    spoken = {(v, x) for v, x in _literals(goal)} | {
        (v, x) for v in variables(goal) if len(ground.domains[v]) == 2 for x in (0, 1)
    }
    for number, deed in enumerate(ground.deeds):
        name = f"d({number})"
        # What the goal does not speak of, such as a cup in the hand, is only on the way to it.
        changed = {v: x for v, x in _settings(ground, deed).items() if (v, x) in spoken}
        if not changed:
            continue
        yield from (f"sets({name},{variable},{value})." for variable, value in changed.items())
        wrong = [w for w in worlds if not _can_hold(ground, goal, w, changed)]
        yield from (f"wrong({name},{w})." for w in wrong)
        yield from (f"need({name},{secret})." for secret in _needs(ground, set(wrong)))
        for w in worlds:
            start = dict(enumerate(ground.starts[task.worlds[w]]))
            for part, at in zip(parts, numbers, strict=True):
                before, after = _true(part, start), _true(part, {**start, **changed})
                if before and not after:
                    yield f"owes({name},{at},{w})."
                if w not in wrong and _settles(part, start, changed):
                    yield f"repairs({name},{at},{w})."
    yield from _notes(ground)


def _settings(ground: Ground, deed: Deed) -> dict[int, int]:
    """What a deed sets when it is first done, whatever the world; a switch is thought of as off."""
    found: dict[int, int] = {}
    start = next(iter(ground.starts.values()))
    for effect in deed.effects:
        if all(test.holds(start) for test in effect.tests if not ground.variables[test.variable].startswith("secret ")):
            found.setdefault(effect.variable, effect.value)
    return found


def _can_hold(ground: Ground, goal: Any, world: int, changed: Mapping[int, int]) -> bool:
    """Whether the goal can hold in a world, with some variables as they were set."""
    start = ground.starts[ground.task.worlds[world]]
    raised = {
        variable: value
        for variable, value in changed.items()
        if not ground.variables[variable].startswith("flag ") or _is_raised(ground, variable, start, changed)
    }
    free = [v for v in variables(goal) if v not in raised and not ground.variables[v].startswith(("secret ", "flag "))]
    size = 1
    for variable in free:
        size *= len(ground.domains[variable])
    if size > _MOST:
        raise UserError(f"the goal of task {ground.task.id!r} has too many variables to reason about; make it smaller")
    fixed = {**dict(enumerate(start)), **raised}
    return any(
        _true(goal, {**fixed, **dict(zip(free, values, strict=True))})
        for values in product(*(range(len(ground.domains[variable])) for variable in free))
    )


def _is_raised(ground: Ground, variable: int, start: tuple[int, ...], changed: Mapping[int, int]) -> bool:
    """Whether some deed that sets all this raises a flag in this world, where that depends on secrets."""
    for deed in ground.deeds:
        for effect in deed.effects:
            if effect.variable == variable and all(
                test.holds(start) for test in effect.tests if ground.variables[test.variable].startswith("secret ")
            ):
                settings = _settings(ground, deed)
                if all(settings.get(one) == changed[one] for one in changed if one in settings):
                    return True
    return False


def _needs(ground: Ground, wrong: set[int]) -> list[int]:
    """The secrets that decide in which worlds it is wrong: some pair of worlds differs in this one alone."""
    worlds = ground.task.worlds
    found = []
    for secret in range(len(ground.task.secrets)):
        for w, one in enumerate(worlds):
            for u, other in enumerate(worlds):
                differ = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
                if differ == [secret] and (w in wrong) != (u in wrong):
                    found.append(secret)
                    break
            else:
                continue
            break
    return found


def _settles(part: Any, start: Mapping[int, int], changed: Mapping[int, int]) -> bool:
    """Whether a deed alone can make a part of the goal true, whatever else is done: it sets what the part asks for."""
    asked = variables(part) & set(changed)
    if not asked or not _true(part, {**start, **changed}):
        return _makes(part, start, changed)
    return True


def _makes(part: Any, start: Mapping[int, int], changed: Mapping[int, int]) -> bool:
    """Whether one side of an alternative is met by it."""
    kind, *rest = part
    if kind == "or":
        return any(_makes(one, start, changed) for one in rest[0])
    if kind == "and":
        touched = [one for one in rest[0] if variables(one) & set(changed)]
        return bool(touched) and all(_true(one, {**start, **changed}) for one in rest[0])
    return bool(variables(part) & set(changed)) and _true(part, {**start, **changed})


def _true(formula: Any, values: Mapping[int, int]) -> bool:
    kind, *rest = formula
    if kind == "is":
        return bool(values[rest[0]] == rest[1])
    if kind == "not":
        return not _true(rest[0], values)
    return (all if kind == "and" else any)(_true(part, values) for part in rest[0])


def _literals(formula: Any) -> Iterator[tuple[int, int]]:
    kind, *rest = formula
    if kind == "is":
        yield rest[0], rest[1]
    else:
        for part in rest[0] if kind in ("and", "or") else rest:
            yield from _literals(part)


def _numbers(goal: Any) -> list[int]:
    """The numbers that the parts of the goal have as facts."""

    def size(formula: Any) -> int:
        kind, *rest = formula
        parts = rest[0] if kind in ("and", "or") else rest if kind == "not" else ()
        return 1 + sum(map(size, parts))

    found, number = [], 1
    for part in goal[1]:
        found.append(number)
        number += size(part)
    return found


def _notes(ground: Ground) -> Iterator[str]:
    task = ground.task
    for note in task.notes:
        people = [task.names.index(name) for name in (note.to, *note.knower)]
        chain = ",".join(map(str, people))
        for w, world in enumerate(task.worlds):
            if all(task.value(world, secret) == value for secret, value in note.when):
                yield f"noted({w},ch({chain}),{task.secret(note.about)})."
