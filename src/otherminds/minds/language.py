"""A language model in any seat of any world.

The mind does no I/O: it says what to send (:meth:`LanguageMind.exchanges_of`) and reads the answer. ``call`` makes the
call to Inspect, a local server or a test.

There is one conversation per seat and episode. Each act adds a message and a reply to it. An exchange that failed is
dropped once another attempt has succeeded, and a probe leaves no trace.

Inference-time methods lead a model to its answer. Each is a prompt file and a few lines of code:

- ``plain``: asked at once.
- ``stepwise``: thinks step by step first.
- ``perspective``: first says what each of the others has perceived, then answers.
- ``notes``: keeps notes on who knows what, which it rewrites before each act and reads before each answer. A seat that
  is probed before its first act takes notes for the probes alone, once for each view.

Thinking is a separate call, so that every method also works with structured output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from otherminds.core.errors import UserError, nearest
from otherminds.core.form_fields import Unreadable
from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.secrets import redact
from otherminds.core.world import Ask


class Message(NamedTuple):
    """One part of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


class Conversation(list[Message]):
    """The messages so far, and the ask that the reply answers.

    ``ask`` is ``None`` where the model only thinks; its reply then has no form.
    """

    def __init__(self, messages: Sequence[Message], ask: Ask, *, is_thought: bool = False) -> None:
        super().__init__(messages)
        self.ask = None if is_thought else ask
        self.is_probe = ask.probe is not None  # acts and answers may have temperatures of their own


class Said(str):
    """A model's reply, with its reasoning if the provider gives it separately."""

    reasoning: str

    def __new__(cls, text: str, reasoning: str = "") -> Said:
        """A text with its reasoning."""
        made = super().__new__(cls, text)
        made.reasoning = reasoning
        return made


Call = Callable[[Conversation], str]
NO_ANSWER = "(There was no valid answer.)"  # stands for the reply in the conversation when every attempt failed


@dataclass
class Exchange:
    """One attempt to get an answer, with the reply as it came; ``None`` if the call failed."""

    ask: str
    seat: str
    turn: int
    about: str  # "act", or the kind of the probe
    reply: str | None = None
    reasoning: str = ""
    problem: str = ""

    def note(self) -> dict[str, Any]:
        """The exchange as records keep it."""
        return {name: value for name, value in asdict(self).items() if value or name not in ("reasoning", "problem")}


@dataclass
class _Seat:
    """The conversation of one seat in one episode."""

    briefing: Briefing
    past: list[list[Message]] = field(default_factory=list)  # one entry for each act that is done
    pending: tuple[Ask, list[Message]] | None = None  # the last act, until it is known to be done
    tries: list[Exchange] = field(default_factory=list)  # at the ask that is open
    message: str = ""  # for the ask that is open
    notes: str = ""  # what the model keeps for itself, with the method "notes"
    aside: dict[str, str] = field(default_factory=dict)  # notes for probes alone, by the view: acts never read them


Method = Literal["plain", "stepwise", "perspective", "notes"]
METHODS = Path(__file__).parent / "prompts" / "methods" / "v1"  # what all but "plain" send first


@dataclass
class LanguageMind(BaseMind):
    """A language model as a mind, in one or more seats.

    Args:
        name: Name in records.
        call: Function that returns the reply to a conversation. An exception costs that attempt only.
        words: Prompts of the world by name. A prompt for the seat or the kind of probe takes precedence.
        method: Inference-time method.
        is_structured: Whether replies are JSON objects and nothing else, as in structured output.
        memory: Number of past turns that stay in the conversation; all by default.
    """

    name: str
    call: Call
    words: Mapping[str, str]
    method: Method = "plain"
    is_structured: bool = False
    memory: int | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    _seats: dict[str, _Seat] = field(default_factory=dict)

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._seats[seat] = _Seat(briefing)
        self.exchanges = []

    def reply(self, ask: Ask) -> Reply:
        steps = self.exchanges_of(ask)
        conversation = next(steps)
        while True:
            try:
                answer: str | Exception = self.call(conversation)
            except Exception as error:
                answer = error
            try:
                conversation = steps.send(answer)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    def exchanges_of(self, ask: Ask) -> Generator[Conversation, str | Exception, Reply]:
        """Yield the conversations to send for an ask, one after the other; send back the answer, or the error.

        Raises:
            Unreadable: if the answer is not of the ask's form.
        """
        seat = self._seats[ask.seat]
        if ask.attempt == 1:
            seat.tries, seat.message = [], self._message(ask)
            self._settle(seat, ask)
        elif seat.tries:
            seat.tries[-1].problem = seat.tries[-1].problem or ask.complaint  # readable, but against a rule
        past = seat.past if self.memory is None else seat.past[max(len(seat.past) - self.memory, 0) :]
        opening = [self._rules(seat), *(message for exchange in past for message in exchange)]
        if ask.attempt == 1:
            yield from self._lead_up(seat, ask, opening)
        self._keep(seat, ask, NO_ANSWER)  # until there is one
        exchange = Exchange(ask.id, ask.seat, ask.turn, "act" if ask.probe is None else ask.probe.kind)
        messages = [*opening, *self._with_complaints(seat.message, seat.tries, ask)]
        seat.tries.append(exchange)
        answer = yield from self._sent(Conversation(messages, ask), exchange)
        if isinstance(answer, Exception):
            raise answer
        try:
            value = ask.form.parse(answer, is_structured=self.is_structured)
        except Unreadable as problem:
            exchange.problem = str(problem)
            raise
        self._keep(seat, ask, answer)
        return Reply(value, thoughts=self._thoughts(seat, ask))

    def _lead_up(
        self, seat: _Seat, ask: Ask, opening: Sequence[Message]
    ) -> Generator[Conversation, str | Exception, None]:
        """The conversation before the ask itself, whose result extends the message of the ask."""
        if self.method == "plain":
            return
        # A probe reads the notes and leaves those of acts alone.
        notes = (seat.notes or seat.aside.get(ask.view.text(), "")) if ask.probe is not None else ""
        if self.method != "notes" or not notes:
            seated = ", ".join(other for other in seat.briefing.seats if other != ask.seat)
            others = seated or seat.briefing.fields().get("others", "the others")
            fields = {"seat": ask.seat, "others": others, "notes": seat.notes or "(none yet)", "told": seat.message}
            prompt = (METHODS / f"{self.method}.txt").read_text(encoding="utf-8").format(**fields).strip()
            thinking = Conversation([*opening, Message("user", prompt)], ask, is_thought=True)
            thought = yield from self._sent(thinking, Exchange(ask.id, ask.seat, ask.turn, self.method))
            if isinstance(thought, Exception):
                return  # the ask itself decides what a failing call costs
            notes = thought.strip()
        if self.method != "notes":
            seat.message = f"{seat.message}\n\nYou have thought about it:\n{notes}"
            return
        if ask.probe is None:
            seat.notes = notes
        elif not seat.notes:
            seat.aside[ask.view.text()] = notes
        if notes:
            seat.message = f"Your notes on who knows what:\n{notes}\n\n{seat.message}"

    def _sent(self, conversation: Conversation, exchange: Exchange) -> Generator[Conversation, str | Exception, Any]:
        """Yield a conversation and note the answer in its exchange; returns the answer, or the error."""
        self.exchanges.append(exchange)
        answer = yield conversation
        if isinstance(answer, Exception):
            exchange.problem = redact(f"the call failed: {type(answer).__name__}: {answer}")
            return answer
        exchange.reply, exchange.reasoning = str(answer), getattr(answer, "reasoning", "")
        return exchange.reply

    def fill(self, seat: str, names: Sequence[str], fields: Mapping[str, Any]) -> str:
        """The first prompt of these names, filled; where a field is empty, no gap is left."""
        role = seat.rpartition(".")[2]  # "first.alice" of a duel has the prompts of alice
        for name in names:
            for known in (f"{name}_{seat}", f"{name}_{role}", name):
                if known in self.words:
                    return self._filled(known, fields)
        raise UserError(f"there is no prompt {names[-1]!r}; add a file of that name to the prompts of the world")

    def _filled(self, name: str, fields: Mapping[str, Any]) -> str:
        try:
            return re.sub(r"\n{3,}", "\n\n", self.words[name].format(**fields)).strip()
        except KeyError as error:
            odd = str(error.args[0])
            raise UserError(f"prompt {name!r} has the unknown field {{{odd}}}{nearest(odd, fields)}") from None

    def _keep(self, seat: _Seat, ask: Ask, reply: str) -> None:
        """Remember the message and the reply, since the next message may contain only what is new."""
        if ask.probe is None:  # probes leave no trace
            seat.pending = ask, [Message("user", seat.message), Message("assistant", reply)]

    def _settle(self, seat: _Seat, ask: Ask) -> None:
        """Move the last act to the past once the log shows that it was carried out."""
        if seat.pending is not None and len(ask.view.log) > len(seat.pending[0].view.log):
            seat.past.append(seat.pending[1])
            seat.pending = None

    def _rules(self, seat: _Seat) -> Message:
        fields = {"rules": seat.briefing.rules(), **seat.briefing.fields()}
        rules = self.fill(seat.briefing.seat, ["rules"], fields)
        if any(name.startswith("role") for name in self.words):  # rules for this seat alone
            rules = f"{rules}\n\n{self.fill(seat.briefing.seat, ['role'], fields)}"
        return Message("system", rules)

    def _message(self, ask: Ask) -> str:
        fields = {"view": ask.view.text(), **ask.view.fields(), "turn": ask.turn, "format": self._format(ask)}
        if ask.probe is None:
            return self.fill(ask.seat, ["turn"], fields)
        options = ask.form.closed()
        fields["question"] = ask.view.question(ask.probe)
        fields["options"] = ", ".join(map(str, options)) if options else ask.form.offer()
        return self.fill(ask.seat, [f"probe_{ask.probe.kind}", "probe"], fields)

    def _format(self, ask: Ask) -> str:
        end = "_structured" if self.is_structured else ""
        kind = "act" if ask.probe is None else "probe"
        fields = {"example": ask.form.example(is_structured=self.is_structured), "mark": f"{ask.form.mark}:"}
        return self.fill(ask.seat, [f"format_{kind}{end}", f"format{end}"], {**fields, "offer": ask.form.offer()})

    def _with_complaints(self, message: str, tries: Sequence[Exchange], ask: Ask) -> list[Message]:
        """A message, and every failed reply to it with what was wrong with it.

        Without the complaint, a model at temperature 0 would make the same mistake again.
        """
        messages = [Message("user", message)]
        for exchange in tries:
            if exchange.reply is None:
                continue  # the call failed: that is not the model's to fix
            fields = {"problem": exchange.problem, "format": self._format(ask)}
            complaint = self.fill(ask.seat, ["complaint"], fields)
            if exchange.reply.strip():
                messages += [Message("assistant", exchange.reply), Message("user", complaint)]
            else:  # providers refuse empty messages
                messages[-1] = Message("user", f"{messages[-1].text}\n\n{complaint}")
        return messages

    def _thoughts(self, seat: _Seat, ask: Ask) -> dict[str, Any]:
        """The reasoning behind the last reply, and all replies to the ask as they came."""
        last = seat.tries[-1]
        before = re.split(rf"{re.escape(ask.form.mark)}\s*:", last.reply or "", flags=re.IGNORECASE)[0].strip()
        has_mark = before != (last.reply or "").strip()
        reasoning = "\n\n".join(filter(None, (last.reasoning, before if has_mark else "")))
        return {**({"reasoning": reasoning} if reasoning else {}), "replies": [attempt.reply for attempt in seat.tries]}
