"""Reads task files of the original benchmark: PDDL, with mechanics and secrets in other fields (spec 1.2, 1.5).

Secrets are sentences. An object of the goal that the public text does not name is hidden, and told to the agents whose
secrets name it; if no secret names it, nobody is told (W3).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.core.files import unreadable
from otherminds.worlds.enacttom.mechanics import listed
from otherminds.worlds.enacttom.pddl.read import CONTROLS, LITERALS, PLACES, Problem, facts_of, parse_problem
from otherminds.worlds.enacttom.pddl.s_expressions import Expression, make_fact

# The predicate of each mechanic, and the fields with its objects.
_PAIR = ("trigger_object", "target_object")
_MECHANICS = {
    "room_restriction": ("is_restricted", ("for_agents", "restricted_rooms")),
    "inverse_state": ("is_inverse", ("trigger_object",)),
    "state_mirroring": ("mirrors", _PAIR),
    "remote_control": ("", _PAIR),  # by the state that it sets
}
_CONTROLS = {state: predicate for predicate, state in CONTROLS.items()}


def read_problem(path: Path) -> Problem:
    """The problem in a file: PDDL, or a task file of the original (.json).

    Raises:
        UserError: if it cannot be read; the message names the line or field.
    """
    is_task = path.suffix == ".json"
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text) if is_task else None
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:
        raise UserError(f"cannot read {path}: {error}") from error
    return parse_original(content, str(path)) if is_task else parse_problem(text, str(path))


def parse_original(content: Any, source: str = "task") -> Problem:
    """The problem in the content of a task file."""
    if not isinstance(content, dict) or not isinstance(content.get("problem_pddl"), str):
        raise UserError(f"{source} has no problem_pddl; expected a task file of the original benchmark")
    problem = parse_problem(content["problem_pddl"], f"{source}: problem_pddl")
    facts, limits = {str(fact): fact for fact in problem.init}, dict[str, int]()
    for at, binding in enumerate(content.get("mechanic_bindings", ())):
        field = f"{source}: mechanic_bindings[{at}]"
        try:
            added = list(_facts(binding, field))
            limits.update({str(name): int(number) for name, number in binding.get("message_limits", {}).items()})
        except UserError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UserError(f"{field} cannot be read: {type(error).__name__} {error}") from error
        for name in (name for fact in added for name in fact.arguments if name not in problem.objects):
            raise UserError(f"{field} names {name!r}{nearest(name, problem.objects)}")
        facts |= {str(fact): fact for fact in added if str(fact) not in facts}
    return replace(problem, init=tuple(facts.values()), limits=limits, hidden=_hidden(problem, content))


def _facts(binding: Mapping[str, Any], field: str) -> Iterator[Expression]:
    """The facts that express a mechanic; a message limit has none."""
    kind = binding["mechanic_type"]
    if kind == "restricted_communication":
        for name, others in binding["allowed_targets"].items():
            yield from (make_fact("can_communicate", name, other) for other in others)
    elif kind in _MECHANICS:
        predicate, fields = _MECHANICS[kind]
        predicate = predicate or _CONTROLS[LITERALS[binding["target_state"]]]
        yield from (make_fact(predicate, *names) for names in product(*(listed(binding[name]) for name in fields)))
    elif kind != "limited_bandwidth":
        raise UserError(f"{field}: mechanic {kind!r} is not one of the original's")


def _hidden(problem: Problem, content: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Furniture of the goal that is not in the public text, told to the agents whose secrets name it."""
    public = str(content.get("task", ""))
    secrets = {name: " ".join(map(str, lines)) for name, lines in content.get("agent_secrets", {}).items()}
    targets = [fact.arguments[-1] for _, fact in facts_of(problem.goal) if fact.head in PLACES]
    return {
        target: tuple(name for name, text in secrets.items() if _names(text, target))
        for target in targets
        if problem.objects[target] == "furniture" and not _names(public, target)
    }


def _names(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None
