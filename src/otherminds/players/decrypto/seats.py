"""What the minds of Decrypto have in common: each hints or guesses by its view, and may answer probes."""

from __future__ import annotations

from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, CannotAnswer, Reply
from otherminds.core.world import Ask
from otherminds.worlds.decrypto.lexicon import Lexicon
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.questions import Answer
from otherminds.worlds.decrypto.types import Code, Hints, Role, role_of


class _Scripted(BaseMind):
    def act(self, view: View) -> Hints | Code:
        """What it does in a turn."""
        raise NotImplementedError

    def reply(self, ask: Ask) -> Reply:
        if ask.probe is not None:
            return Reply(self.answer(ask))
        return Reply(self.act(ask.view.data), None, self.thoughts(ask.view.data))

    def answer(self, ask: Ask) -> Answer:
        """The answer to a probe, from the ask alone: it must leave no trace in how the mind plays on."""
        raise CannotAnswer(f"{self.name} cannot be asked; name a control such as simulating")

    def lexica(self) -> tuple[Lexicon, ...]:
        """What it knows of words."""
        return ()

    def thoughts(self, view: View) -> dict[str, Any]:
        """What went on as it acted: ``reasoning``, ``keywords`` (probable words for each digit), and more.

        All minds say which hints and keywords are ``unknown`` words to them.
        """
        if not (lexica := self.lexica()):
            return {}
        texts = (*view.hints, *view.keywords)
        unknown = dict.fromkeys(word for meaning in lexica for word in meaning.unknown(texts))
        return {"unknown": list(unknown)} if unknown else {}


class Hinter(_Scripted):
    """A mind that can only be Alice."""

    def hint(self, view: View) -> Hints:
        """A hint for each digit of the code, in its order."""
        raise NotImplementedError

    def act(self, view: View) -> Hints:
        return self.hint(view)


class Guesser(_Scripted):
    """A mind that can only be Bob or Eve."""

    def guess(self, view: View) -> Code:
        """The code, as it looks."""
        raise NotImplementedError

    def act(self, view: View) -> Code:
        return self.guess(view)


def asked_of_alice(ask: Ask) -> tuple[str, View]:
    """What a probe asks of an Alice who has given her hints, and her view: a guess of Eve's, or its chance.

    Raises:
        CannotAnswer: if it asks anything else.
    """
    view: View = ask.view.data
    if ask.probe is None or ask.probe.about == "keywords" or not view.hints:
        raise CannotAnswer("Alice can be asked what Eve will make of her hints, once she has given them")
    return ask.probe.about, view


def check_seat(name: str, seat: str, *roles: Role) -> None:
    """Refuse a mind in a seat whose role it cannot play.

    Raises:
        UserError: says what it can be.
    """
    if role_of(seat) not in roles:
        raise UserError(f"mind {name!r} is made to be {' or '.join(roles)}; it cannot be {seat}")
