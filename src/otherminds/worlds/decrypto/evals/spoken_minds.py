"""Scripted minds in the place of language models: they read prompts and reply in words.

What they know of the game is read from the prompt, and their answers are parsed. A control that reaches its expected
score this way shows that the prompts are complete, and that nothing is lost in parsing. Only the kind of the question
is passed beside the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.world import Ask
from otherminds.minds.language import Conversation, LanguageMind
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.text import DecryptoView
from otherminds.worlds.decrypto.types import Hints, Rules


class Heard(NamedTuple):
    """The content of a message."""

    history: tuple[tuple[str, ...], ...]  # past hints by digit
    shown: tuple[str, ...] | None  # keywords
    hints: Hints


def listen(text: str, rules: Rules) -> Heard:
    """The content of a message, from its lines."""
    digits = [str(digit) for digit in range(1, rules.keywords + 1)]
    past = dict(re.findall(r"^(\d): (.+)$", text, re.MULTILINE))
    history = tuple(tuple(past[digit].split(", ")) if past.get(digit, "-") != "-" else () for digit in digits)
    named = dict(re.findall(r"^(\d) = (.+)$", text, re.MULTILINE))
    hints = re.findall(r"^[a-i]\) (.+)$", text, re.MULTILINE)
    return Heard(history, tuple(named[digit] for digit in digits) if named else None, tuple(hints))


class Spoken(BaseMind):
    """A mind behind a :class:`LanguageMind`.

    Args:
        mind: the scripted mind.
        words: the prompts.
    """

    def __init__(self, mind: Any, words: Mapping[str, str]) -> None:
        self.mind, self.name = mind, mind.name
        self._speaker = LanguageMind(mind.name, self._generate, words)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self.mind.begin(seat, briefing, seed)
        self._speaker.begin(seat, briefing, seed)

    def reply(self, ask: Ask) -> Reply:
        return self._speaker.reply(ask)._replace(thoughts=None)  # its words hold no reasoning

    def _generate(self, conversation: Conversation) -> str:
        ask = conversation.ask
        assert ask is not None
        view: View = ask.view.data
        heard = listen(conversation[-1].text, view.rules)
        probe = ask.probe
        if probe is not None and view.role == "eve":
            probe = replace(probe, shown=heard.shown)
        known = DecryptoView(_seen(view, heard), probe)
        value = self.mind.reply(ask._replace(view=known, probe=probe)).value
        if ask.form.alternatives[0][0].name == "guess":
            value = "-".join(map(str, value))
        return f"I have thought about it.\nANSWER: {json.dumps({ask.form.alternatives[0][0].name: value})}"


def _seen(view: View, heard: Heard) -> View:
    """The view according to the text: all of Eve's; of the others, the past is taken from the game."""
    if view.role == "alice":
        return view._replace(keywords=heard.shown or view.keywords, hints=heard.hints)
    if view.role == "bob":
        return view._replace(hints=heard.hints)
    unread = [iter(hints) for hints in heard.history]
    past = [replace(turn, hints=tuple(next(unread[digit - 1]) for digit in turn.code)) for turn in view.past]
    return view._replace(hints=heard.hints, past=tuple(past))
