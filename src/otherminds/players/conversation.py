"""Conversations with a language model, for players of any world.

How the model is called is not known here: ``ask`` takes a conversation and gives the reply. A reply that cannot be read
is told to the model and asked for again; what stands in the end for an answer that never came, the world decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple


class Message(NamedTuple):
    """One part of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


class Conversation(list[Message]):
    """What was said so far, and what the reply must hold, for those who can constrain it."""

    def __init__(self, messages: Sequence[Message], wanted: Any) -> None:
        super().__init__(messages)
        self.wanted = wanted


class Reply(str):
    """What was replied, and the reasoning beside it, of models that give it apart."""

    reasoning: str

    def __new__(cls, text: str, reasoning: str = "") -> Reply:
        """A text with its reasoning."""
        made = super().__new__(cls, text)
        made.reasoning = reasoning
        return made


Ask = Callable[[Conversation], str]


class Unreadable(ValueError):
    """A reply that is not of the form that was asked for."""


@dataclass
class Exchange:
    """One attempt to get an answer, with the reply as it came; ``None`` if the call failed."""

    role: str
    turn: int
    about: str  # an act, or what a question on the side was about
    reply: str | None = None
    reasoning: str = ""
    problem: str = ""
    found: Any = None

    def note(self) -> dict[str, Any]:
        """What records keep of it."""
        kept = {name: value for name, value in asdict(self).items() if name != "found"}
        return {name: value for name, value in kept.items() if value or name != "reasoning"}


def attempt(ask: Ask, conversation: Conversation, one: Exchange, read: Callable[[object], Any]) -> Any:
    """Ask once, and write down what came of it.

    Args:
        ask: gives the reply.
        conversation: so far.
        one: is filled with the reply, and with what was wrong with it.
        read: the answer in the reply.

    Raises:
        Unreadable: if the reply is not of the form that was asked for.
    """
    try:
        reply: object = ask(conversation)
        one.reply = str(reply) if isinstance(reply, str) else None
        one.reasoning = reply.reasoning if isinstance(reply, Reply) else ""
        one.found = read(reply)
    except Unreadable as error:
        one.problem = str(error)
        raise
    except Exception as error:
        one.problem = f"the call failed: {type(error).__name__}: {error}"
        raise
    return one.found


def asked_again(told: str, tries: Sequence[Exchange], complaint: Callable[[str], str]) -> list[Message]:
    """A message, and every failed reply to it with what was wrong with it.

    Without the complaint, a model at temperature 0 would make the same mistake again.
    """
    messages = [Message("user", told)]
    for one in tries:
        if one.reply is None:
            continue  # the call failed: that is not the model's to mend
        said = complaint(one.problem)
        if one.reply.strip():
            messages += [Message("assistant", one.reply), Message("user", said)]
        else:  # providers refuse empty messages
            messages[-1] = Message("user", f"{messages[-1].text}\n\n{said}")
    return messages
