"""What the household is called in PDDL, one table for each kind of word; problems are read and written by the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, NamedTuple

from otherminds.worlds.enacttom.mechanics import listed
from otherminds.worlds.enacttom.pddl.forms import Form, fact, read_form

# Literals of the household and their predicates.
PREDICATES = {
    "at": "agent_in_room", "open": "is_open", "closed": "is_closed", "locked": "is_locked", "unlocked": "is_unlocked",
    "powered": "is_powered_on", "unpowered": "is_powered_off", "on": "is_on_top", "in": "is_inside",
    "held": "is_held_by",
}  # fmt: skip
LITERALS = {predicate: literal for literal, predicate in PREDICATES.items()}
PLACES = ("is_on_top", "is_inside")  # of what is put somewhere: in the original it is both (W5)
KINDS = {"surface": "is_surface", "container": "is_container", "switch": "is_switch", "sign": "is_sign"}
# What a remote control sets.
CONTROLS = {
    "controls": "open",
    "controls_closed": "closed",
    "controls_unlocked": "unlocked",
    "controls_locks": "locked",
}
MIRRORS = ("mirrors", "mirrors_closed")


class Rule(NamedTuple):
    """A mechanic that is a fact in PDDL: its fields in the order of the fact's objects, here and in the original."""

    kind: str
    fields: tuple[str, ...]
    originals: tuple[str, ...]


RULES = {
    "is_restricted": Rule("room_restriction", ("agents", "rooms"), ("for_agents", "restricted_rooms")),
    "is_inverse": Rule("inverse_state", ("furniture",), ("trigger_object",)),
    **dict.fromkeys(CONTROLS, Rule("remote_control", ("trigger", "target"), ("trigger_object", "target_object"))),
    **dict.fromkeys(MIRRORS, Rule("state_mirroring", ("between",), ("trigger_object", "target_object"))),
}
_FACTS = {rule.kind: predicate for predicate, rule in reversed(RULES.items())}  # the first of those of a kind
_SETS = {state: predicate for predicate, state in CONTROLS.items()}


def facts_said(kind: str, state: str | None, fields: Mapping[str, Any], *, is_original: bool = False) -> Iterator[Form]:
    """The facts that a mechanic is: one for each combination of names, where its fields have several.

    Args:
        kind: of the mechanic.
        state: that a remote control sets.
        fields: of the mechanic.
        is_original: whether the fields are called as in the original.
    """
    predicate = _FACTS[kind] if state is None else _SETS[state]
    rule = RULES[predicate]
    names = [listed(fields[name]) for name in (rule.originals if is_original else rule.fields)]
    rows = names if rule.fields == ("between",) and not is_original else product(*names)
    return (fact(predicate, *row) for row in rows)


def domain_text() -> str:
    """The household as a PDDL domain."""
    return files("otherminds.worlds.enacttom.pddl").joinpath("household.pddl").read_text(encoding="utf-8")


@cache
def arities() -> dict[str, int]:
    """How many objects each predicate is of that the household has a meaning for."""
    sections = {part.head: part.parts[1:] for part in read_form(domain_text(), "household.pddl").parts}
    counts = {one.head: sum(word.startswith("?") for word in one.arguments) for one in sections[":predicates"]}
    return counts | dict.fromkeys(MIRRORS, counts[MIRRORS[0]])
