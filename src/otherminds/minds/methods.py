"""Inference-time methods: how a language model is led to its answer. Each is a prompt file and a few lines of code.

- ``plain``: asked at once.
- ``stepwise``: thinks step by step first, in a separate call.
- ``perspective``: first says what each of the others has perceived, then answers.
- ``notes``: keeps notes on who knows what, which it rewrites before each act and reads before each answer. A seat that
  is probed before its first act takes notes for the probes alone, once for each view.

Thinking is a separate call, so that every method also works with structured output.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from otherminds.core.secrets import redact
from otherminds.minds.language import Conversation, Exchange, Message

if TYPE_CHECKING:
    from otherminds.core.world import Ask
    from otherminds.minds.language import LanguageMind, _Seat

FOLDER = Path(__file__).parent / "prompts" / "methods" / "v1"


def lead_up(
    mind: LanguageMind, seat: _Seat, ask: Ask, opening: Sequence[Message], message: str
) -> Generator[Conversation, str | Exception, str]:
    """The conversations before the ask itself. Returns the message of the ask, extended by the result."""
    if mind.method == "plain":
        return message
    if mind.method == "notes" and ask.probe is not None:  # a probe reads the notes and leaves those of acts alone
        notes = seat.notes or seat.aside.get(ask.view.text(), "")
        if notes:
            return _with_notes(message, notes)
    others = ", ".join(other for other in seat.briefing.seats if other != ask.seat) or "the people of the story"
    fields = {"seat": ask.seat, "others": others, "notes": seat.notes or "(none yet)", "told": message}
    prompt = (FOLDER / f"{mind.method}.txt").read_text(encoding="utf-8").format(**fields).strip()
    thinking = Exchange(ask.id, ask.seat, ask.turn, mind.method)
    mind.exchanges.append(thinking)
    thought = yield Conversation([*opening, Message("user", prompt)], ask, is_thought=True)
    if isinstance(thought, Exception):
        thinking.problem = redact(f"the call failed: {type(thought).__name__}: {thought}")
        return message  # the ask itself decides what a failing call costs
    thinking.reply, thinking.reasoning = str(thought), getattr(thought, "reasoning", "")
    if mind.method == "notes":
        notes = str(thought).strip()
        if ask.probe is None:
            seat.notes = notes
        else:
            seat.aside[ask.view.text()] = notes
        return _with_notes(message, notes)
    return f"{message}\n\nYou have thought about it:\n{str(thought).strip()}"


def _with_notes(message: str, notes: str) -> str:
    return f"Your notes on who knows what:\n{notes}\n\n{message}" if notes else message
