"""Reads what a language model, or a person, says that it does; strictly, and apart from play.

An act is written as ``navigate(kitchen)``, ``place(cup, on, table)`` or ``tell(ben, value(target, table))``.
What can be read but not be done is an act that the house refuses; what cannot be read is :class:`Unreadable`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.players.conversation import Unreadable
from otherminds.players.enacttom.speech import LONGEST, check_atom, understood_atoms
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.messages import ATOMS, Atom, Message, facts, parse_atom, written
from otherminds.worlds.enacttom.rules import DONE, WAIT, Act
from otherminds.worlds.enacttom.texts import speakers

MARK, ANSWER = "ACTION:", "ANSWER:"
TELL, NOTHING = "tell", "nothing"
_CALL = re.compile(r"(\w+)\s*(?:\((.*)\))?", re.DOTALL)


class Unspoken(Unreadable):
    """A text to others of which nothing could be understood."""


@dataclass(frozen=True)
class Wanted:
    """What a reply must hold: fields, each one of some words. Nothing here tells what is possible now."""

    fields: Mapping[str, tuple[str, ...]]


def wanted_act(ground: Ground, agent: int) -> Wanted:
    """An act: any that the person can ever do or say. What else a message says has a field for each further atom."""
    task, name = ground.task, ground.task.names[agent]
    acts = (WAIT, DONE, *ground.by_name[agent])
    if name not in speakers(task):
        return Wanted({"action": acts})
    reach, atoms = task.talk.channels[name], [written(atom) for atom in sayable(ground, agent)]
    listeners = [", ".join(some) for number in range(1, task.talk.fanout + 1) for some in combinations(reach, number)]
    messages = [f"{TELL}({to}, {atom})" for to in listeners for atom in atoms]
    further = {f"says_{number}": (NOTHING, *atoms) for number in range(2, task.talk.atoms + 1)}
    return Wanted({"action": (*acts, *messages), **further})


def sayable(ground: Ground, agent: int) -> list[Atom]:
    """Every atom that a person may say, true or not."""
    task = ground.task
    secrets = [secret.name for secret in task.secrets]
    people = [name for name in task.names if name != task.names[agent]]
    found: dict[str, list[Atom]] = {
        "value": [("value", secret.name, value) for secret in task.secrets for value in secret.values],
        "knows": [("knows", person, secret) for person in task.names for secret in secrets],
        "ignorant": [("ignorant", person, secret) for person in task.names for secret in secrets],
        "request": [
            ("request", person, deed) for person in people for deed in ground.by_name[task.names.index(person)]
        ],
        "intent": [("intent", deed) for deed in ground.by_name[agent]],
        "ack": [("ack", person) for person in people],
        "fact": [("fact", literal) for literal in facts(task)],
    }
    return [atom for kind in ATOMS if kind in task.talk.kinds for atom in found[kind]]


def read_act(reply: object, ground: Ground, agent: int, *, is_bare: bool = False) -> Act:
    """The act in a reply.

    Args:
        reply: as it came, whatever it is.
        ground: the task.
        agent: whose act it is.
        is_bare: the reply is a JSON object alone, as structured output gives it.

    Raises:
        Unreadable: says what was found and what was expected.
        Unspoken: if it tells others a text that says nothing.
    """
    text = _text(reply)
    if is_bare:
        return _from_object(_object(text), ground, agent)
    _, mark, after = text.rpartition(MARK)
    if not mark:
        raise Unreadable(f"there is no {MARK!r} with an act after it")
    line = next((line for line in after.splitlines() if line.strip(" `*")), "")
    return parse_act(line.strip(" `*"), ground, agent)


def read_answer(reply: object, options: Sequence[str], *, is_bare: bool = False) -> str:
    """The answer in a reply to a question on the side.

    Raises:
        Unreadable: if it is none of the options.
    """
    text = _text(reply)
    if is_bare:
        said = str(_object(text).get("answer", ""))
    else:
        _, mark, said = text.rpartition(ANSWER)
        if not mark:
            raise Unreadable(f"there is no {ANSWER!r} with an answer after it")
    plain = said.strip().strip(" .`*\"'").lower()
    for option in options:
        if plain == option.lower():
            return option
    raise Unreadable(f"the answer is {_short(said.strip())}; expected one of {', '.join(options)}")


def parse_act(text: str, ground: Ground, agent: int) -> Act:
    """An act as it is written.

    Raises:
        Unreadable: if there is no such act in this house.
    """
    match = _CALL.fullmatch(text.strip().rstrip(".").strip())
    if not match:
        raise Unreadable(
            f"{_short(text)} is no act; expected a verb and what it is done to, such as {_example(ground)}"
        )
    verb, inner = match[1].lower(), match[2] or ""
    if verb == TELL:
        return _told(_parts(inner), ground, agent)
    name = f"{verb}({', '.join(_parts(inner))})"
    known = {one.lower(): one for deeds in ground.by_name for one in (*deeds, WAIT, DONE)}
    if name.lower() in known:
        return known[name.lower()]  # what only others can do is refused by the house, and costs the turn
    raise Unreadable(f"there is no act {_short(name)}{nearest(name, [*ground.by_name[agent], WAIT, DONE])}")


def _told(parts: list[str], ground: Ground, agent: int) -> Message:
    """Listeners, then atoms or a text."""
    names, to = ground.task.names, list[int]()
    numbers = {name.lower(): number for number, name in enumerate(names)}
    while parts and parts[0].lower() in numbers:
        to.append(numbers[parts.pop(0).lower()])
    if not to:
        raise Unreadable(f"tell names no listener; expected one of {', '.join(names)} before what is said")
    if not parts:
        raise Unreadable("tell says nothing; expected what is said after the listener")
    try:
        atoms = tuple(parse_atom(part, ground.task) for part in parts)
    except UserError as error:
        if all(_CALL.fullmatch(part) and "(" in part for part in parts):
            raise Unreadable(str(error)) from None
        return Message(agent, tuple(to), _spoken(", ".join(parts), ground, agent, to))
    for atom in atoms:
        if problem := check_atom(ground, atom):
            raise Unreadable(problem)
    return Message(agent, tuple(to), atoms)


def _spoken(text: str, ground: Ground, agent: int, to: Sequence[int]) -> tuple[Atom, ...]:
    plain = text.strip().strip("\"'“”").strip()
    if len(plain) > LONGEST:
        raise Unreadable(f"the text has {len(plain)} characters; at most {LONGEST} can be sent")
    atoms = understood_atoms(plain, ground, agent, to)
    if not atoms:
        raise Unspoken(
            f"nothing could be understood of the text {_short(plain)}; say it as {', '.join(_kinds(ground))}"
        )
    return atoms


def _kinds(ground: Ground) -> list[str]:
    forms = {
        "value": "value(SECRET, VALUE)",
        "fact": "fact(LITERAL)",
        "knows": "knows(PERSON, SECRET)",
        "ignorant": "ignorant(PERSON, SECRET)",
        "request": "request(PERSON, ACT)",
        "intent": "intent(ACT)",
        "ack": "ack(PERSON)",
    }
    return [form for kind, form in forms.items() if kind in ground.task.talk.kinds]


def _from_object(found: dict[str, Any], ground: Ground, agent: int) -> Act:
    action = found.get("action")
    if not isinstance(action, str):
        raise Unreadable("the reply has no 'action'")
    act = parse_act(action, ground, agent)
    further = [str(value) for name, value in sorted(found.items()) if name.startswith("says_") and value != NOTHING]
    if not isinstance(act, Message) or not further:
        return act
    return parse_act(f"{action.rstrip().removesuffix(')')}, {', '.join(further)})", ground, agent)


def _parts(text: str) -> list[str]:
    """What stands between commas that are in no brackets and no quotes."""
    found, depth, quote = [""], 0, ""
    for mark in text:
        if quote:
            quote = "" if mark == quote else quote
        elif mark in '"“':
            quote = "”" if mark == "“" else mark
        depth += (mark == "(") - (mark == ")") if not quote else 0
        if mark == "," and not depth and not quote:
            found.append("")
        else:
            found[-1] += mark
    return [part.strip() for part in found if part.strip()]


def _text(reply: object) -> str:
    if not isinstance(reply, str) or not reply.strip():
        raise Unreadable("there was no reply")
    return reply


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("the reply is not JSON") from None
    if not isinstance(found, dict):
        raise Unreadable("the reply is not a JSON object")
    return found


def _example(ground: Ground) -> str:
    return next((name for deeds in ground.by_name for name in deeds), WAIT)


def _short(value: str) -> str:
    return repr(value if len(value) <= 60 else f"{value[:57]}…")
