"""A task as facts of a logic program, for the solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import reportable, shared
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.mechanics import MANIPULATIONS
from otherminds.worlds.enacttom.observe import notes
from otherminds.worlds.enacttom.types import World

_COVERED = ("value", "knows", "ignorant", "ack", "fact")


def facts(ground: Ground, possible: Sequence[World] | None = None, secrets_only: bool = False) -> Iterator[str]:
    """The task as facts of the logic program, with the worlds that are possible."""
    possible = ground.task.worlds if possible is None else possible
    task = ground.task
    people, worlds = range(len(task.people)), range(len(possible))
    yield from (f"agent({i})." for i in people)
    for w, world in enumerate(possible):
        yield f"world({w})."
        yield from (f"start({w},{v},{x})." for v, x in enumerate(ground.starts[world]))
    yield from (f"where({i},{v})." for i, v in enumerate(ground.rooms_of))
    yield from (f"mark({v})." for v in ground.marks)
    for s, secret in enumerate(task.secrets):
        yield f"secret({s},{ground.index[f'secret {secret.name}']})."
    for number, deed in enumerate(ground.deeds):
        name = f"d({number})"
        yield f"deed({name},{deed.agent}). option({deed.agent},{name})."
        if deed.verb in MANIPULATIONS:
            yield f"shows({name})."
        for k, way in enumerate(deed.ways):
            yield f"way({name},{k},{way.first},{way.last})."
            yield from (f"waytest({name},{k},{t.variable},{t.value},{int(t.is_equal)})." for t in way.tests)
        yield from _effects(deed.effects, name, f"{number}")
    yield from _effects(ground.ticks, "tick", "tick")
    for number, sight in enumerate(ground.sights):
        yield f"sight({number},{sight.room},{sight.variable},{sight.value})."
        yield from (f"sighttest({number},{t.variable},{t.value},{int(t.is_equal)})." for t in sight.tests)
    yield from (f"audible({n},{test.variable},{test.value})." for n, (_, test) in enumerate(ground.audible))
    yield from (f"option({i},wait)." for i in people)
    yield from _speech(ground)
    for i in people:
        views = [notes(ground, world, i) for world in possible]
        yield from (f"note({i},{w},{u})." for w in worlds for u in worlds if views[w] != views[u])
    objective = [f"secret {secret.name}" for secret in task.secrets if secret.sort == "objective"]
    physical = [name for name in ground.variables if not name.startswith("secret ")]
    yield from (f"matters({ground.index[name]})." for name in (objective if secrets_only else [*objective, *physical]))
    yield from formula_facts(shared(ground))[0]


def _effects(effects: Sequence[Any], name: str, prefix: str) -> Iterator[str]:
    for k, effect in enumerate(effects):
        yield f"effect(e({prefix},{k}),{name},{effect.variable},{effect.value})."
        yield from (f"efftest(e({prefix},{k}),{t.variable},{t.value},{int(t.is_equal)})." for t in effect.tests)


def _speech(ground: Ground) -> Iterator[str]:
    """Who can say what to whom.

    Raises:
        UserError: if more can be said than the programs cover, since a refutation must cover everything.
    """
    task = ground.task
    unknown = sorted(set(task.talk.kinds) - set(_COVERED))
    if any(task.talk.budgets.values()) and (task.talk.fanout > 1 or task.talk.atoms > 1 or unknown):
        talk = f"fanout {task.talk.fanout}, atoms {task.talk.atoms}, kinds {', '.join(task.talk.kinds)}"
        raise UserError(
            f"task {task.id!r} has {talk}; proofs cover messages of one atom ({', '.join(_COVERED)}) to one listener"
        )
    for i, name in enumerate(task.names):
        budget = task.talk.budgets.get(name, 0)
        first, last = task.talk.windows.get(name, (1, task.horizon))
        yield f"budget({i},{budget}). speech({i},{first},{last})."
        if not budget or "tell" not in task.people[i].verbs:
            continue
        for other in task.talk.channels.get(name, ()):
            j = task.names.index(other)
            for content in _contents(ground):
                yield f"option({i},tell({j},{content}))."
                yield f"is_text({content},{int(content.startswith('value'))})."


def _contents(ground: Ground) -> Iterator[str]:
    task = ground.task
    secrets = range(len(task.secrets))
    if "value" in task.talk.kinds:
        yield from (f"value({s})" for s in secrets)
    for kind in ("knows", "ignorant"):
        if kind in task.talk.kinds:
            yield from (f"{kind}({k},{s})" for k in range(len(task.people)) for s in secrets)
    if "ack" in task.talk.kinds:
        yield "ack"
    if "fact" in task.talk.kinds:
        yield from (f"fact({variable},{value})" for variable, value in reportable(ground))


def formula_facts(goal: Any) -> tuple[list[str], list[int]]:
    """The goal and its numbered parts as facts, and the numbers of its conjuncts."""
    numbers, conjuncts = count(), list[int]()

    def emit(formula: Any, number: int) -> Iterator[str]:
        kind, *rest = formula
        if kind == "is":
            yield f"formula({number},is,{rest[0]},{rest[1]})."
        elif kind == "not":
            inner = next(numbers)
            yield f"formula({number},neg,{inner},0)."
            yield from emit(rest[0], inner)
        else:
            yield f"formula({number},{kind},0,0)."
            for part in rest[0]:
                inner = next(numbers)
                yield f"part({number},{inner})."
                yield from emit(part, inner)
                if number == whole:
                    conjuncts.append(inner)

    whole = next(numbers)
    return [*emit(goal, whole), f"goal({whole}).", f"conjunct(F) :- part({whole},F)."], conjuncts
