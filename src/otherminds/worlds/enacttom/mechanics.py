"""The mechanics of houses, one pure function each: the six of the paper, and four that make depth provable.

A function takes a draft of a deed and a mechanic, and returns the draft under the mechanic. Simulator and verifier both
use the result, so that they cannot disagree on what a mechanic does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import cases, named
from otherminds.worlds.enacttom.types import Mechanic, Task

Named = tuple[str, str, bool]  # variable, value, and whether the variable has the value
Ways = tuple[tuple[Named, ...], ...]


@dataclass(frozen=True)
class Draft:
    """A deed by names, before variables are numbered, as far as it is done at one place.

    ``touches`` is that furniture or door. ``variant`` holds the tests that distinguish it from the same deed at another
    place: a cup can be picked up wherever it is.
    """

    agent: str
    verb: str
    name: str
    ways: Ways
    effects: tuple[tuple[tuple[Named, ...], str, str], ...]
    window: tuple[int, int] | None = None
    touches: str | None = None
    variant: tuple[Named, ...] = ()

    def only_if(self, *tests: Named) -> Draft:
        """The draft with further tests."""
        return replace(self, ways=tuple((*way, *tests) for way in self.ways))


MANIPULATIONS = ("open", "close", "toggle", "pick", "place")
# The words of task files for states: variable and value of each.
SETTINGS = {
    "open": ("open", "yes"),
    "closed": ("open", "no"),
    "locked": ("locked", "yes"),
    "unlocked": ("locked", "no"),
    "on": ("power", "yes"),
    "off": ("power", "no"),
}
STATE_WORDS = {state: word for word, state in SETTINGS.items()}


def listed(value: str | Sequence[str]) -> list[str]:
    """One name or several, as a list."""
    return [value] if isinstance(value, str) else list(value)


def inverse_state(draft: Draft, mechanic: Mechanic, _: Task) -> Draft:
    """Swap open and close (W6)."""
    if draft.touches != mechanic.fields["furniture"] or draft.verb not in ("open", "close"):
        return draft
    other = "close" if draft.verb == "open" else "open"
    return replace(draft, verb=other, name=f"{other}({draft.touches})")


def time_window(draft: Draft, mechanic: Mechanic, _: Task) -> Draft:
    """Allow the deed in some turns only."""
    first, last = mechanic.fields["turns"]
    return replace(draft, window=(int(first), int(last))) if _concerns(draft, mechanic) else draft


def interlock(draft: Draft, mechanic: Mechanic, _: Task) -> Draft:
    """Allow the deed only while other literals hold."""
    if not _concerns(draft, mechanic):
        return draft
    return draft.only_if(*((*named(text), True) for text in mechanic.fields["while"]))


def commit(draft: Draft, mechanic: Mechanic, task: Task) -> Draft:
    """Make the deed irreversible: the place cannot be used again. Under a condition, it also raises a flag for good."""
    place = mechanic.fields["furniture"]
    if draft.verb not in MANIPULATIONS or draft.touches != place:
        return draft
    flag = f"flag {flag_of(mechanic)}"
    draft = draft.only_if((flag, "yes", False))
    if draft.verb not in mechanic.fields.get("verbs", MANIPULATIONS):
        return draft
    raised: list[tuple[tuple[Named, ...], str, str]] = [(draft.variant, flag, "yes")]
    if "raises" in mechanic.fields:
        for when in _conditions(mechanic.fields.get("when", ()), task):
            raised.append(((*draft.variant, *when), f"flag {mechanic.fields['raises']}", "yes"))
    return replace(draft, effects=(*draft.effects, *raised))


# The mechanics that change deeds.
CHANGES: dict[str, Callable[[Draft, Mechanic, Task], Draft]] = {
    "inverse_state": inverse_state,
    "interlock": interlock,
    "commit": commit,
    "time_window": time_window,
}


def flag_of(mechanic: Mechanic) -> str:
    """The flag that is raised when a committing place is used."""
    return f"used {mechanic.fields['furniture']}"


def _concerns(draft: Draft, mechanic: Mechanic) -> bool:
    is_there = "furniture" not in mechanic.fields or draft.touches in listed(mechanic.fields["furniture"])
    return is_there and draft.verb in mechanic.fields.get("verbs", MANIPULATIONS)


def _conditions(texts: Any, task: Task) -> Iterator[tuple[Named, ...]]:
    """The tests of a list of literals, once for each value of the secrets in them; ``not`` negates a literal."""
    conditions: list[tuple[Named, ...]] = [()]
    for text in listed(texts):
        is_equal = not text.startswith("not ")
        conditions = [
            (*before, *when, (*named(literal), is_equal))
            for before in conditions
            for when, literal in cases(text.removeprefix("not "), task)
        ]
    yield from conditions


Setting = tuple[str, str]  # a variable and its new value
Follow = tuple[tuple[Named, ...], Setting, int]  # tests, the setting that follows, and the delay in turns


def follows(task: Task, main: Callable[[str], str]) -> dict[Setting, list[Follow]]:
    """What follows from each setting, by remote control and mirrors.

    Args:
        task: the task.
        main: a function that gives the variable which says whether furniture or a door is open or on.

    Raises:
        UserError: if settings lead in a circle.
    """
    edges: dict[Setting, list[Follow]] = {}
    mirrors: set[tuple[str, str]] = set()  # both directions of two-way mirrors
    for mechanic in task.mechanics:
        fields = mechanic.fields
        if mechanic.kind == "remote_control":
            word, value = SETTINGS[fields["when"]]
            aim, wanted = SETTINGS[fields["set"]]
            delay = int(fields.get("delay", 0))
            for when, trigger in _triggers(str(fields["trigger"]), task):
                edges.setdefault((f"{word} {trigger}", value), []).append(
                    (when, (f"{aim} {fields['target']}", wanted), delay)
                )
        elif mechanic.kind == "state_mirroring":
            first, second = map(main, fields["between"])
            pairs = [(first, second)]
            if not fields.get("one_way"):
                pairs.append((second, first))
                mirrors.update(pairs)
            for (source, target), value in product(pairs, ("yes", "no")):
                edges.setdefault((source, value), []).append(((), (target, value), 0))
    _refuse_loops(edges, mirrors)
    return edges


def _triggers(text: str, task: Task) -> Iterator[tuple[tuple[Named, ...], str]]:
    """The trigger, or each one that a secret may name, with the tests on the secret."""
    if not text.startswith("$"):
        yield (), text
        return
    for value in task.secrets[task.secret(text[1:])].values:
        yield ((f"secret {text[1:]}", value, True),), value


def _refuse_loops(edges: Mapping[Setting, list[Follow]], pairs: set[tuple[str, str]]) -> None:
    def walk(setting: Setting, path: tuple[str, ...]) -> None:
        for _, (variable, value), _ in edges.get(setting, ()):
            if len(path) > 1 and variable == path[-2] and (path[-1], variable) in pairs:
                continue  # a mirror does not reflect its own image
            if variable in path:
                raise UserError(f"remote controls and mirrors form a cycle: {' -> '.join((*path, variable))}")
            walk((variable, value), (*path, variable))

    for setting in edges:
        walk(setting, (setting[0],))


def consequences(
    setting: Setting,
    edges: Mapping[Setting, list[Follow]],
    tests: tuple[Named, ...] = (),
    seen: frozenset[str] = frozenset(),
) -> Iterator[tuple[tuple[Named, ...], Setting, int]]:
    """Everything that follows from a setting, with its tests. Only a real change has further consequences."""
    seen = seen | {setting[0]}
    for when, target, delay in edges.get(setting, ()):
        if target[0] in seen:
            continue
        yield (*tests, *when), target, delay
        if not delay:
            variable, value = target
            yield from consequences(target, edges, (*tests, *when, (variable, value, False)), seen)
