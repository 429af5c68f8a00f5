"""The forms of acts and answers, and a strict parser of acts.

An act is written as ``navigate(kitchen)``, ``place(cup, on, table)`` or ``tell(ben, value(target, table))``.
An act that can be read but not done is refused by the house. A text that cannot be read raises :class:`Unreadable`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.core.form import Choice, Field, Form, Unreadable
from otherminds.core.form_fields import short
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import (
    ATOMS,
    DONE,
    FORMS_OF_ATOMS,
    WAIT,
    Act,
    Atom,
    Message,
    act_content,
    act_of,
    facts,
    parse_atom,
    written,
)
from otherminds.worlds.enacttom.text.message_grammar import LONGEST, understood_atoms

TELL, NOTHING = "tell", "nothing"
_CALL = re.compile(r"(\w+)\s*(?:\((.*)\))?", re.DOTALL)
_TALKS = 0.25  # the share of a random mind's acts that are messages, if it can send any


class Unspoken(Unreadable):
    """A message in free text in which nothing was understood."""


class ActForm(Form):
    """The form of one person's acts: all that it can ever do or say. It does not reveal what is possible now.

    The value is what the rules take: the name of a deed, or a :class:`Message`. Language models and people may write
    acts as text; structured output has the fields ``action`` and ``says_2``, …, one for each further atom.
    """

    def __init__(self, ground: Ground, agent: int) -> None:
        super().__init__((), "ACTION", lambda text: parse_act(text, ground, agent))
        self.ground, self.agent = ground, agent
        self._names = frozenset([WAIT, DONE, *(name for deeds in ground.by_name for name in deeds)])
        self._deeds = (WAIT, *ground.by_name[agent])
        self._said = _values(ground, agent)
        self._taken = {message for about in self._said for message in about}  # messages that were checked

    def take(self, value: Any) -> Act:
        if type(value) is str:
            return value if value in self._names else parse_act(value, self.ground, self.agent)
        if isinstance(value, Message):
            if value not in self._taken:
                self._check(value)
                self._taken.add(value)
            return value
        if isinstance(value, Mapping):
            return self._from_object(value)
        raise Unreadable(f"the act is {short(value)}; expected the name of an act, or a message")

    def plain(self, value: Any) -> Any:
        return act_content(value)

    def sample(self, draw: Any) -> Act:
        """A random deed, possible now or not; sometimes a message that tells a value, true or not."""
        if self._said and draw.happens(_TALKS):
            return draw.pick(draw.pick(self._said))  # type: ignore[no-any-return]
        return draw.pick(self._deeds)  # type: ignore[no-any-return]

    def json_schema(self) -> dict[str, Any]:
        return Form(self.offered).json_schema()

    def example(self, *, is_structured: bool = False) -> str:
        return Form(self.offered).example(is_structured=is_structured)

    def offer(self) -> str:
        task, name = self.ground.task, self.ground.task.names[self.agent]
        acts = ", ".join([*self.ground.by_name[self.agent], WAIT, DONE])
        if name not in task.speakers:
            return f"an act: {acts}"
        listeners = task.talk.channels[name]
        tells = ", ".join(f"{TELL}({listener}, CONTENT)" for listener in listeners)
        at_once = min(task.talk.fanout, len(listeners))
        several = f", or up to {at_once} of these listeners, separated by commas" if at_once > 1 else ""
        forms = ", ".join(_forms(self.ground))
        return f"an act: {acts}, {tells}{several}; CONTENT is {forms} or a short text"

    def closed(self) -> None:
        return None

    @cached_property
    def offered(self) -> tuple[tuple[Field, ...], ...]:
        """The fields of structured output."""
        ground, agent = self.ground, self.agent
        task, name = ground.task, ground.task.names[agent]
        acts = (WAIT, DONE, *ground.by_name[agent])
        if name not in task.speakers:
            return ((Choice("action", acts),),)
        reach, atoms = task.talk.channels[name], tuple(written(atom) for atom in sayable(ground, agent))
        listeners = [
            ", ".join(some) for number in range(1, task.talk.fanout + 1) for some in combinations(reach, number)
        ]
        messages = [f"{TELL}({to}, {atom})" for to in listeners for atom in atoms]
        further = [Choice(f"says_{number}", (NOTHING, *atoms)) for number in range(2, task.talk.atoms + 1)]
        return ((Choice("action", (*acts, *messages)), *further),)

    def _check(self, message: Message) -> None:
        """Refuse a message about something that does not exist. Who may tell whom what is for the house to judge."""
        names = self.ground.task.names
        if message.sender != self.agent:
            raise Unreadable(f"the message is of person {message.sender}; expected {self.agent}, {names[self.agent]}")
        if not all(type(listener) is int and 0 <= listener < len(names) for listener in message.to):
            raise Unreadable(f"the message is to {short(message.to)}; expected numbers from 0 to {len(names) - 1}")
        try:
            for atom in message.atoms:
                parse_atom(written(atom), self.ground.task)
        except (UserError, TypeError, IndexError) as error:
            raise Unreadable(str(error)) from None

    def _from_object(self, reply: Mapping[str, Any]) -> Act:
        if "tell" in reply:
            try:
                return act_of(self.ground.task, self.agent, reply, "the reply")
            except UserError as error:
                raise Unreadable(str(error)) from None
        action = reply.get("action")
        if not isinstance(action, str):
            raise Unreadable("the reply has no 'action'")
        act = parse_act(action, self.ground, self.agent)
        further = [str(value) for name, value in sorted(reply.items()) if name.startswith("says_") and value != NOTHING]
        if not isinstance(act, Message) or not further:
            return act
        return parse_act(f"{action.rstrip().removesuffix(')')}, {', '.join(further)})", self.ground, self.agent)


@lru_cache(maxsize=4096)
def answer_form(options: tuple[str, ...]) -> Form:
    """The form of an answer to a probe."""
    return Form.of(Choice("answer", options))


def _values(ground: Ground, agent: int) -> tuple[tuple[Message, ...], ...]:
    """Every value that a person may tell somebody, true or not, by secret."""
    task, name = ground.task, ground.task.names[agent]
    if name not in task.speakers or "value" not in task.talk.kinds:
        return ()
    listeners = [task.names.index(listener) for listener in task.talk.channels[name]]
    return tuple(
        tuple(Message(agent, (to,), (("value", secret.name, value),)) for value in secret.values for to in listeners)
        for secret in task.secrets
    )


def sayable(ground: Ground, agent: int) -> list[Atom]:
    """Every atom that a person may say, true or not."""
    task = ground.task
    secrets = [secret.name for secret in task.secrets]
    people = [name for name in task.names if name != task.names[agent]]
    atoms: dict[str, list[Atom]] = {
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
    return [atom for kind in ATOMS if kind in task.talk.kinds for atom in atoms[kind]]


def parse_act(text: str, ground: Ground, agent: int) -> Act:
    """The act of a text.

    Raises:
        Unreadable: if there is no such act in this house.
    """
    match = _CALL.fullmatch(text.strip().rstrip(".").strip())
    if not match:
        example = next((name for deeds in ground.by_name for name in deeds), WAIT)
        raise Unreadable(f"{short(text)} is not an act; expected a verb and its object, such as {example}")
    verb, inner = match[1].lower(), match[2] or ""
    if verb == TELL:
        return _told(_parts(inner), ground, agent)
    name = f"{verb}({', '.join(_parts(inner))})"
    known = {deed.lower(): deed for deeds in ground.by_name for deed in (*deeds, WAIT, DONE)}
    if name.lower() in known:
        return known[name.lower()]  # the house refuses the deeds of others, at the cost of the turn
    raise Unreadable(f"there is no act {short(name)}{nearest(name, [*ground.by_name[agent], WAIT, DONE])}")


def _told(parts: list[str], ground: Ground, agent: int) -> Message:
    """The message of the arguments of ``tell``: listeners, then atoms or free text."""
    names, to = ground.task.names, list[int]()
    numbers = {name.lower(): number for number, name in enumerate(names)}
    while parts and parts[0].lower() in numbers:
        to.append(numbers[parts.pop(0).lower()])
    if not to:
        raise Unreadable(f"tell names no listener; expected one of {', '.join(names)} before the content")
    if not parts:
        raise Unreadable("tell has no content; expected it after the listener")
    try:
        atoms = tuple(parse_atom(part, ground.task) for part in parts)
    except UserError as error:
        if all(_CALL.fullmatch(part) and "(" in part for part in parts):
            raise Unreadable(str(error)) from None
        return Message(agent, tuple(to), _spoken(", ".join(parts), ground, agent, to))
    return Message(agent, tuple(to), atoms)


def _spoken(text: str, ground: Ground, agent: int, to: Sequence[int]) -> tuple[Atom, ...]:
    plain = text.strip().strip("\"'“”").strip()
    if len(plain) > LONGEST:
        raise Unreadable(f"the text has {len(plain)} characters; at most {LONGEST} can be sent")
    atoms = understood_atoms(plain, ground, agent, to)
    if not atoms:
        forms = ", ".join(_forms(ground))
        raise Unspoken(f"the text {short(plain)} could not be understood; write it as {forms}")
    return atoms


def _forms(ground: Ground) -> list[str]:
    """The forms of what can be said in a task, such as ``value(SECRET, VALUE)``."""
    return [form for kind, form in FORMS_OF_ATOMS.items() if kind in ground.task.talk.kinds]


def _parts(text: str) -> list[str]:
    """The parts of a text between commas that are outside brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for mark in text:
        if quote:
            quote = "" if mark == quote else quote
        elif mark in '"“':
            quote = "”" if mark == "“" else mark
        depth += (mark == "(") - (mark == ")") if not quote else 0
        if mark == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += mark
    return [part.strip() for part in parts if part.strip()]
