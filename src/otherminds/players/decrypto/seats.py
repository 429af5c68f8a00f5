"""What players of Decrypto can do: hint, guess, and say what they think."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.questions import Answer, Question
from otherminds.worlds.decrypto.types import Code, Hints, Role, Rules


@runtime_checkable
class Seat(Protocol):
    """Fills one role of a game. Alice is asked for hints, Bob and Eve for guesses."""

    @property
    def name(self) -> str:
        """What records call it."""

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        """Take a role in a new game, and forget the last one."""

    def hint(self, view: View) -> Hints:
        """A hint for each digit of the code, in its order."""

    def guess(self, view: View) -> Code:
        """The code, as it looks."""


@runtime_checkable
class Answering(Protocol):
    """Can be asked what it thinks. Answers leave no trace in how it plays on."""

    def answer(self, view: View, question: Question) -> Answer:
        """Its answer to a question on the side."""


@runtime_checkable
class Thinking(Protocol):
    """Can show what went on in it, for records and pages."""

    def thoughts(self) -> dict[str, Any]:
        """Of its last act: ``reasoning`` (text), ``keywords`` (probable words for each digit), and more."""


class Hinter:
    """A player that can only be Alice."""

    def guess(self, view: View) -> Code:
        raise TypeError(f"{type(self).__name__} only gives hints; it cannot be {view.role}")


class Guesser:
    """A player that can only be Bob or Eve."""

    def hint(self, view: View) -> Hints:
        raise TypeError(f"{type(self).__name__} only guesses; it cannot be {view.role}")
