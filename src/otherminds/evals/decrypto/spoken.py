"""Scripted minds in the place of language models: they are told in words and reply in words.

What they know of the game is read from the prompt, and what they answer goes through the parser. So a control that
hits its expected score this way shows that prompts say what they should, and that nothing is lost on the way back.
Only what was asked for is told beside the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from otherminds.core.mind import BaseMind, Briefing, Mind, Reply
from otherminds.core.world import Ask, Outcome
from otherminds.minds.language import Conversation, LanguageMind
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.telling import DecryptoView
from otherminds.worlds.decrypto.types import Hints, Rules


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


class Spoken(BaseMind):
    """A mind behind a :class:`LanguageMind`.

    Args:
        mind: who thinks.
        words: the prompts.
    """

    def __init__(self, mind: Mind, words: Mapping[str, str]) -> None:
        self.mind, self.name = mind, mind.name
        self._speaker = LanguageMind(mind.name, self._said, words)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        for one in (self.mind, self._speaker):
            getattr(one, "begin", lambda *_: None)(seat, briefing, seed)

    def reply(self, ask: Ask) -> Reply:
        return self._speaker.reply(ask)._replace(thoughts=None)  # its words say nothing that it has thought

    def end(self, outcome: Outcome) -> None:
        getattr(self.mind, "end", lambda _: None)(outcome)

    def _said(self, conversation: Conversation) -> str:
        ask = conversation.ask
        assert ask is not None
        view: View = ask.view.data
        heard = listen(conversation[-1].text, view.rules)
        probe = ask.probe
        if probe is not None and view.role == "eve":
            probe = replace(probe, shown=heard.shown)
        known = DecryptoView(_seen(view, heard), probe)
        value = self.mind.reply(ask._replace(view=known, probe=probe)).value
        return f"I have thought about it.\nANSWER: {json.dumps({_name(ask): _plain(value)})}"


def _name(ask: Ask) -> str:
    return ask.form.alternatives[0][0].name


def _plain(value: Any) -> Any:
    is_code = isinstance(value, tuple) and all(isinstance(one, int) for one in value)
    return "-".join(map(str, value)) if is_code else value


def _seen(view: View, heard: Heard) -> View:
    """What is seen by the text alone: Eve has no other source; the others' past is that of the game."""
    if view.role == "alice":
        return replace(view, keywords=heard.shown or view.keywords, hints=heard.hints)
    if view.role == "bob":
        return replace(view, hints=heard.hints)
    return replace(view, hints=heard.hints, hints_by_digit=heard.history)
