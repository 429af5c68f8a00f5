"""Task files of the original benchmark: a PDDL problem, with mechanics and secrets in their own fields (spec 1.2, 1.5).

Secrets are sentences. An object of the goal that the public text does not name and a secret does is hidden, and told to
those whose secrets name it; if no secret names it either, nobody is told (W3).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.enacttom.pddl.forms import Form, fact
from otherminds.worlds.enacttom.pddl.read import Hidden, Problem, facts_of, parse_problem
from otherminds.worlds.enacttom.pddl.words import LITERALS, PLACES, RULES, facts_said


def read_original(path: str | Path) -> Problem:
    """The problem of a task file of the original.

    Raises:
        UserError: if it is none; the message names the field.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path} is not JSON: {error}") from error
    return parse_original(content, str(path))


def parse_original(content: Any, where: str = "task") -> Problem:
    """The same from its content."""
    if not isinstance(content, dict) or not isinstance(content.get("problem_pddl"), str):
        raise UserError(f"{where} has no problem_pddl; expected a task file of the original")
    problem = parse_problem(content["problem_pddl"], f"{where}: problem_pddl")
    facts, limits = list(problem.init), dict(problem.limits)
    for at, binding in enumerate(content.get("mechanic_bindings", ())):
        here = f"{where}: mechanic_bindings[{at}]"
        try:
            added = list(_facts(binding, here))
            limits.update({str(who): int(number) for who, number in binding.get("message_limits", {}).items()})
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UserError(f"{here} cannot be read: {type(error).__name__} {error}") from error
        for name in (name for one in added for name in one.arguments if name not in problem.objects):
            raise UserError(f"{here} names {name!r}{nearest(name, problem.objects)}")
        known = set(map(str, facts))
        facts += [one for one in added if str(one) not in known]
    hidden = problem.hidden or tuple(_hidden(problem, content))
    return replace(problem, init=tuple(facts), limits=limits, hidden=hidden)


def _facts(binding: Mapping[str, Any], where: str) -> Iterator[Form]:
    """What a mechanic says, in facts of the problem; a limit on messages is none."""
    kind = binding["mechanic_type"]
    if kind == "restricted_communication":
        for who, others in binding["allowed_targets"].items():
            yield from (fact("can_communicate", who, other) for other in others)
    elif kind in (rule.kind for rule in RULES.values()):
        state = LITERALS[binding["target_state"]] if kind == "remote_control" else None
        yield from facts_said(kind, state, binding, is_original=True)
    elif kind != "limited_bandwidth":
        raise UserError(f"{where}: mechanic {kind!r} is not one of the original's")


def _hidden(problem: Problem, content: Mapping[str, Any]) -> Iterator[Hidden]:
    """Furniture of the goal that is not in the public text: whoever's secrets name it is told."""
    public = str(content.get("task", ""))
    secrets = {who: " ".join(map(str, lines)) for who, lines in content.get("agent_secrets", {}).items()}
    seen: set[str] = set()
    for _, one in facts_of(problem.goal):
        target = one.arguments[-1] if one.arguments else ""
        is_place = one.head in PLACES and problem.objects[target] == "furniture"
        if is_place and target not in seen and not _names(public, target):
            seen.add(target)
            told = tuple(who for who, said in secrets.items() if _names(said, target))
            yield Hidden(target, one.line, f"which_{target}", told=told)


def _names(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None
