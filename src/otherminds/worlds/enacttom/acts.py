"""Acts as plain data, for records and certificates."""

from __future__ import annotations

from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.messages import Message, parse_atom, written
from otherminds.worlds.enacttom.rules import Act
from otherminds.worlds.enacttom.types import Task


def act_content(act: Act) -> Any:
    """The name of a deed, or whom is told what."""
    return {"tell": list(act.to), "atoms": [written(atom) for atom in act.atoms]} if isinstance(act, Message) else act


def act_of(task: Task, agent: int, act: Any, where: str) -> Act:
    """An act from plain data.

    Raises:
        UserError: if it is none.
    """
    if isinstance(act, str):
        return act
    try:
        to = tuple(int(listener) for listener in act["tell"])
        atoms = tuple(parse_atom(atom, task) for atom in act["atoms"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{where}: {act!r} is no act; expected the name of a deed, or tell and atoms") from error
    if not all(0 <= listener < len(task.people) for listener in to):
        raise UserError(f"{where}: {act!r} tells people 0 to {len(task.people) - 1} only")
    return Message(agent, to, atoms)
