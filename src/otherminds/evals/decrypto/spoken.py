"""Players of ours at the table of language models: they are told in words and reply in words.

What they know of the game is read from the prompt, and what they answer goes through the parser. So a control agent
that hits its expected score this way shows that prompts say what they should, and that nothing is lost on the way back.
Only which question was asked is told beside the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from otherminds.core.errors import UserError
from otherminds.players.conversation import Conversation
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.language import LanguagePlayer
from otherminds.players.decrypto.seats import Answering, Seat
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.questions import Answer, Question
from otherminds.worlds.decrypto.types import Code, Hints, Role, Rules


@dataclass(frozen=True)
class Heard:
    """What a message says, as far as it is written in lines of its own."""

    history: tuple[tuple[str, ...], ...]  # past hints by digit
    shown: tuple[str, ...] | None  # keywords
    hints: Hints | None


def listen(text: str, rules: Rules) -> Heard:
    """Read a message."""
    past = dict(re.findall(r"^(\d): (.+)$", text, re.MULTILINE))
    history = [tuple(past[str(d)].split(", ")) if past.get(str(d), "-") != "-" else () for d in _digits(rules)]
    named = dict(re.findall(r"^(\d) = (.+)$", text, re.MULTILINE))
    hints = re.findall(r"^[a-i]\) (.+)$", text, re.MULTILINE)
    return Heard(tuple(history), tuple(named[str(d)] for d in _digits(rules)) if named else None, tuple(hints) or None)


def _digits(rules: Rules) -> range:
    return range(1, rules.keywords + 1)


class Spoken:
    """A seat behind a :class:`LanguagePlayer`.

    Args:
        seat: who thinks.
        words: the prompts.
    """

    def __init__(self, seat: Seat, words: Mapping[str, str]) -> None:
        self.seat, self.name = seat, seat.name
        self._player = LanguagePlayer(seat.name, self._reply, words)
        self._act: Callable[[Heard], Any] = lambda _: None
        self._rules = Rules()

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        self._rules = rules
        self.seat.begin(role, rules, seed)
        self._player.begin(role, rules, seed)

    def hint(self, view: View) -> Hints:
        self._act = lambda heard: self.seat.hint(replace(view, keywords=heard.shown))
        return self._player.hint(view)

    def guess(self, view: View) -> Code:
        self._act = lambda heard: self.seat.guess(_seen(view, heard))
        return self._player.guess(view)

    def answer(self, view: View, question: Question) -> Answer:
        seat = cast(Answering, self.seat)

        def act(heard: Heard) -> Answer:
            asked = replace(question, shown=heard.shown if view.role == "eve" else None, hints=heard.hints)
            return seat.answer(_seen(view, heard), asked)

        if not hasattr(seat, "answer"):
            raise UserError(f"{self.name} cannot be asked; name a control agent, such as simulating")
        self._act = act
        return self._player.answer(view, question)

    def _reply(self, conversation: Conversation) -> str:
        found = self._act(listen(conversation[-1].text, self._rules))
        kind = conversation.wanted.kind
        value = "-".join(map(str, found)) if kind == "guess" else list(found) if kind != "chance" else found
        return f"I have thought about it.\nANSWER: {json.dumps({kind: value})}"


def _seen(view: View, heard: Heard) -> View:
    """What is seen by the text alone: Eve has no other source; the others' past is that of the game."""
    if view.role != "eve":
        return replace(view, hints=heard.hints)
    return replace(view, hints=heard.hints, hints_by_digit=heard.history)


def spoken_seating(phrasing: str = "") -> Callable[[str, Role], Seat]:
    """Seats players so that all of them speak; see :func:`otherminds.evals.decrypto.matrix.run`.

    Raises:
        UserError: if there is no such phrasing.
    """
    from otherminds.evals.inspect.decrypto_words import PLAIN, load_words

    words = {name: prompt.text for name, prompt in load_words(phrasing or PLAIN).items()}
    return lambda spec, role: Spoken(find_seat(spec, role), words)
