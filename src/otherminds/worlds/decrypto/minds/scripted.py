"""Base class of Decrypto's scripted minds: they act by their view, may answer probes, and report unknown words."""

from __future__ import annotations

from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.mind import BaseMind, CannotAnswer, Reply
from otherminds.core.world import Ask
from otherminds.worlds.decrypto.observe import RoleView
from otherminds.worlds.decrypto.probes import Answer
from otherminds.worlds.decrypto.types import Role, role_of
from otherminds.worlds.decrypto.words.lexicon import Lexicon


class ScriptedMind(BaseMind):
    """A mind that plays by its view of the game alone."""

    def act(self, view: RoleView) -> Any:
        """A hint for each digit of the code (Alice), or a guess at the code (Bob and Eve)."""
        raise NotImplementedError

    def reply(self, ask: Ask) -> Reply:
        if ask.probe is not None:
            return Reply(self.answer(ask))
        return Reply(self.act(ask.view.data), None, self.thoughts(ask.view.data))

    def answer(self, ask: Ask) -> Answer:
        """The answer to a probe, from the ask alone: it must leave no trace in how the mind plays on."""
        raise CannotAnswer(f"{self.name} cannot answer probes; use a mind that can, such as simulating")

    def lexica(self) -> tuple[Lexicon, ...]:
        """The lexica by which it understands words."""
        return ()

    def thoughts(self, view: RoleView) -> dict[str, Any]:
        """What the record keeps of its thinking: ``reasoning``, ``keywords`` (likely words for each digit), and more.

        Every mind lists the hints and keywords that are ``unknown`` to its lexica.
        """
        texts = (*view.hints, *view.keywords)
        unknown = [word for meaning in self.lexica() for word in meaning.unknown(texts)]
        return {"unknown": list(dict.fromkeys(unknown))} if unknown else {}


def asked_of_alice(ask: Ask) -> tuple[str, RoleView]:
    """What a probe asks of an Alice who has given her hints (a guess of Eve's, or its chance), and her view.

    Raises:
        CannotAnswer: if it asks for anything else.
    """
    view: RoleView = ask.view.data
    if ask.probe is None or ask.probe.about == "keywords" or not view.hints:
        raise CannotAnswer("Alice can only predict Eve's guess or its chance, after giving her hints")
    return ask.probe.about, view


def check_seat(name: str, seat: str, *roles: Role) -> None:
    """Refuse a mind in a seat that it cannot fill.

    Raises:
        UserError: names the seats that it can fill.
    """
    if role_of(seat) not in roles:
        raise UserError(f"mind {name!r} cannot play {seat}; it can only play {' or '.join(roles)}")
