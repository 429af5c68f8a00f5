"""Messages between people: a few atoms of content, to a few listeners, a few times (spec 3.6, W12)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import literal_of, named, reportable
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.types import Task

WAIT, DONE = "wait()", "done()"
Atom = tuple[str, ...]
# ("value", secret, value) · ("fact", literal) · ("knows", person, …, secret) · ("ignorant", person, secret)
# ("request", person, act) · ("intent", act) · ("ack", sender)
FORMS_OF_ATOMS = {
    "value": "value(SECRET, VALUE)",
    "fact": "fact(LITERAL)",
    "knows": "knows(PERSON, SECRET)",
    "ignorant": "ignorant(PERSON, SECRET)",
    "request": "request(PERSON, ACT)",
    "intent": "intent(ACT)",
    "ack": "ack(PERSON)",
}
ATOMS = {kind: form.count(",") + 1 for kind, form in FORMS_OF_ATOMS.items()}  # the parts of each
_ATOM = re.compile(r"(\w+)\((.*)\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Message:
    """A message from one person to others."""

    sender: int
    to: tuple[int, ...]
    atoms: tuple[Atom, ...]


Act = str | Message  # the name of a deed, wait(), done(), or a message


def cost(task: Task, message: Message) -> int:
    """The cost of a message in units of budget (W9: the same for simulator and verifier)."""
    return len(message.to) if task.talk.broadcast_cost == "each" else 1


def facts(task: Task) -> tuple[str, ...]:
    """The facts that can be told."""
    house = ground(task)
    return tuple(literal_of(house.variables[v], house.domains[v][x]) for v, x in reportable(house))


def forbids(task: Task, agent: int, message: Message, budget: int, turn: int) -> str:
    """Why a message cannot be sent; empty if it can."""
    talk, names = task.talk, task.names
    if message.sender != agent:
        return f"{names[agent]} cannot speak as {names[message.sender]}"
    if "tell" not in task.people[agent].verbs:
        return f"{names[agent]} cannot send messages"
    if not message.to or len(set(message.to)) < len(message.to) or agent in message.to:
        return "a message needs at least one listener, each named once, and not the sender"
    if len(message.to) > talk.fanout:
        expected = "1 listener" if talk.fanout == 1 else f"1 to {talk.fanout} listeners"
        return f"a message must have {expected}; this one has {len(message.to)}"
    if not 1 <= len(message.atoms) <= talk.atoms:
        expected = "1 thing" if talk.atoms == 1 else f"1 to {talk.atoms} things"
        return f"a message must say {expected}; this one says {len(message.atoms)}"
    for atom in message.atoms:
        if atom[0] not in talk.kinds:
            return f"{atom[0]!r} cannot be said here; expected one of {', '.join(talk.kinds)}"
        if atom[0] == "ack" and atom[1] not in (names[listener] for listener in message.to):
            return f"an acknowledgement names the listener, as in ack({names[message.to[0]]})"
        if atom[0] == "fact" and atom[1] not in facts(task):
            return f"{atom[1]!r} cannot be reported; expected one of {', '.join(facts(task))}"
        if atom[0] == "knows" and len(atom) > 3:
            return "a message can say only that one person knows something; for deeper chains, tell one another in turn"
    reach = talk.channels.get(names[agent], ())
    for listener in message.to:
        if names[listener] not in reach:
            return f"{names[agent]} cannot reach {names[listener]}"
    first, last = talk.windows.get(names[agent], (1, turn))
    if not first <= turn <= last:
        return f"{names[agent]} can send messages only in turns {first} to {last}"
    if cost(task, message) > budget:
        return f"{names[agent]} can send {budget} more; this message costs {cost(task, message)}"
    return ""


def parse_atom(text: str, task: Task) -> Atom:
    """The atom of a text such as ``value(target, table1)``, ``knows(ben, target)``, ``request(ben, open(fridge))``.

    Raises:
        UserError: if it is not an atom, or is about something that does not exist.
    """
    match = _ATOM.fullmatch(text.strip())
    if not match or match[1] not in ATOMS:
        raise UserError(f"{text!r} cannot be said; expected one of {', '.join(ATOMS)}, such as value(secret, word)")
    kind = match[1]
    limit = {"fact": 0, "intent": 0, "request": 1}.get(kind, -1)  # the last part may hold commas
    parts = [part.strip() for part in match[2].split(",", limit)] if limit else [match[2].strip()]
    secrets = {secret.name: secret.values for secret in task.secrets}
    people = parts[:-1] if kind == "knows" else parts[:1] if kind in ("ignorant", "request", "ack") else []
    if len(parts) < ATOMS[kind] or (kind != "knows" and len(parts) > ATOMS[kind]) or not all(parts):
        raise UserError(f"{text!r} has {len(parts)} parts; expected {ATOMS[kind]}")
    for person in people:
        if person not in task.names:
            raise UserError(f"{text!r} names {person!r}; expected one of {', '.join(task.names)}")
    about = parts[0] if kind == "value" else parts[-1] if kind in ("knows", "ignorant") else None
    if about is not None and about not in secrets:
        raise UserError(f"{text!r} names {about!r}; expected one of {', '.join(secrets)}")
    if kind == "value" and parts[1] not in secrets[parts[0]]:
        raise UserError(f"{text!r} gives {parts[0]} the value {parts[1]!r}; expected {', '.join(secrets[parts[0]])}")
    house = ground(task)
    if kind == "fact":
        house.test(*named(parts[0]))
    if kind in ("request", "intent") and not any(parts[-1] in (WAIT, DONE, *deeds) for deeds in house.by_name):
        raise UserError(f"{parts[-1]} is not an act that anybody can do")
    return (kind, *parts)


def written(atom: Atom) -> str:
    """The text of an atom, which :func:`parse_atom` reads."""
    return f"{atom[0]}({', '.join(atom[1:])})"


def act_words(act: Act, names: Sequence[str]) -> str:
    """The text of an act. In ``tell``, the content follows the listeners."""
    if isinstance(act, str):
        return act
    return f"tell({', '.join((*(names[listener] for listener in act.to), *map(written, act.atoms)))})"


def act_content(act: Act) -> Any:
    """An act as plain data: the name of a deed, or the listeners and atoms of a message."""
    return {"tell": list(act.to), "atoms": [written(atom) for atom in act.atoms]} if isinstance(act, Message) else act


def act_of(task: Task, agent: int, act: Any, place: str) -> Act:
    """An act from plain data.

    Raises:
        UserError: if it is not an act.
    """
    if isinstance(act, str):
        return act
    try:
        to = tuple(int(listener) for listener in act["tell"])
        atoms = tuple(parse_atom(atom, task) for atom in act["atoms"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{place}: {act!r} is not an act; expected the name of an act, or tell and atoms") from error
    if not all(0 <= listener < len(task.people) for listener in to):
        raise UserError(f"{place}: {act!r} has an unknown listener; expected people 0 to {len(task.people) - 1}")
    return Message(agent, to, atoms)
