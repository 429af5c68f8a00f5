"""A language model at the table of Decrypto, in any role (spec 2).

How the model is called is not known here: ``ask`` takes a conversation and gives the reply. There is one conversation a
role and game. Each turn adds one message and one reply to it; an exchange that failed is gone once another attempt has
succeeded, and a question on the side leaves no trace. Who asks again, how often, and what stands for an answer that
never came is decided by :mod:`otherminds.players.decrypto.match`, for all players alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from otherminds.core.errors import UserError
from otherminds.players.conversation import Ask, Conversation, Exchange, Message, asked_again, attempt
from otherminds.players.decrypto.replies import (
    Wanted,
    read_reply,
    reasoning_of,
    wanted_answer,
    wanted_guess,
    wanted_hints,
)
from otherminds.players.decrypto.telling import (
    change_fields,
    lettered,
    numbered,
    rule_fields,
    turn_fields,
    view_fields,
)
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.questions import Answer, Question
from otherminds.worlds.decrypto.types import HIDDEN, Code, Hints, Role, Rules


@dataclass
class _Talk:
    """The conversation of one role in one game."""

    system: str
    past: list[Message] = field(default_factory=list)  # turns that are done
    turn: int = 0
    told: str = ""  # in this turn
    tries: list[Exchange] = field(default_factory=list)  # at the act of this turn
    side: list[Exchange] = field(default_factory=list)  # at the question that is being asked
    every: list[Exchange] = field(default_factory=list)  # of the game


@dataclass
class LanguagePlayer:
    """Fills a role with whatever answers.

    Args:
        name: what records call it.
        ask: gives the reply to a conversation; whatever it raises costs that attempt only.
        words: what it is told, by name; a name that ends in the role goes before the plain one.
        is_bare: replies are JSON objects alone, as structured output gives them.
    """

    name: str
    ask: Ask
    words: Mapping[str, str]
    is_bare: bool = False
    _talks: dict[Role, _Talk] = field(default_factory=dict)
    _last: list[Exchange] = field(default_factory=list)

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        numbers = rule_fields(rules)
        text = "\n\n".join(self._fill(name, role, numbers) for name in ("rules", "role"))
        self._talks[role] = _Talk(text)
        self._last = []

    def hint(self, view: View) -> Hints:
        return cast(Hints, self._act(view, wanted_hints(view.rules)))

    def guess(self, view: View) -> Code:
        return cast(Code, self._act(view, wanted_guess(view.rules)))

    def answer(self, view: View, question: Question) -> Answer:
        talk = self._talk_of(view)
        if not view.complaint:
            talk.side = []
        # Alice is asked right after her hints: they are part of what she goes by, if they are the ones that stand.
        stands = bool(talk.tries) and question.hints is not None and talk.tries[-1].found == question.hints
        past = [*talk.past, *_done(talk)] if stands else talk.past
        wanted = wanted_answer(question, view.rules)
        told = self._question(view, question, wanted)
        about = f"{question.about} of {question.whose}"
        return self._attempt(view, wanted, told, talk.side, Conversation([_system(talk), *past], wanted), about)

    def thoughts(self) -> dict[str, Any]:
        """The reasoning of the last act, and all replies to it as they came."""
        if not self._last:
            return {}
        last = self._last[-1]
        reasoning = "\n\n".join(filter(None, (last.reasoning, reasoning_of(last.reply or ""))))
        return {**({"reasoning": reasoning} if reasoning else {}), "replies": [one.reply for one in self._last]}

    def notes(self) -> list[dict[str, Any]]:
        """Every attempt of the game, those at questions on the side too, to be kept with the record."""
        return [one.note() for talk in self._talks.values() for one in talk.every]

    def _act(self, view: View, wanted: Wanted) -> Answer:
        talk = self._talk_of(view)
        if not view.complaint:
            talk.tries = []
            talk.told = self._turn(view, wanted)
        self._last = talk.tries
        before = Conversation([_system(talk), *talk.past], wanted)
        return self._attempt(view, wanted, talk.told, talk.tries, before, wanted.kind)

    def _talk_of(self, view: View) -> _Talk:
        """The conversation, with the last turn settled: what was done is kept if it is what became public."""
        talk = self._talks[view.role]
        if talk.turn != view.turn:
            if talk.tries and talk.turn == view.turn - 1 and talk.tries[-1].found == _own_act(view):
                talk.past += _done(talk)
            talk.turn, talk.told, talk.tries, talk.side = view.turn, "", [], []
        return talk

    def _attempt(
        self, view: View, wanted: Wanted, told: str, tries: list[Exchange], before: Conversation, about: str
    ) -> Answer:
        if tries:
            tries[-1].problem = tries[-1].problem or view.complaint  # it could be read, but broke a rule
        one = Exchange(view.role, view.turn, about)
        before.extend(self._asked_again(told, tries, view, wanted))
        tries.append(one)
        self._talks[view.role].every.append(one)
        return cast(Answer, attempt(self.ask, before, one, partial(read_reply, wanted=wanted, is_bare=self.is_bare)))

    def _asked_again(self, told: str, tries: Sequence[Exchange], view: View, wanted: Wanted) -> list[Message]:
        fields = {"format": self._format(wanted, view.role)}
        return asked_again(
            told, tries, lambda problem: self._fill("complaint", view.role, {"problem": problem, **fields})
        )

    def _turn(self, view: View, wanted: Wanted) -> str:
        fields = {**self._fields(view), "format": self._format(wanted, view.role)}
        return self._fill("turn", view.role, fields)

    def _question(self, view: View, question: Question, wanted: Wanted) -> str:
        shown = {"shown_keywords": numbered(question.shown or ())}
        fields = {
            **self._fields(view),
            "hints": lettered(question.hints or view.hints or ()),
            "shown": self._fill("shown", view.role, shown) if question.shown else "",
            "format": self._format(wanted, view.role),
        }
        return self._fill(f"probe_{question.about}_{question.whose}", view.role, fields)

    def _fields(self, view: View) -> dict[str, object]:
        found = view_fields(view)
        if view.past:
            last = turn_fields(view.past[-1], len(view.past))
            found["past"] = self._fill("past", view.role, {**found, **last})
        else:
            found["past"] = self._fill("first", view.role, found)
        told = [self._fill(f"told_{one.kind}", view.role, change_fields(one, view)) for one in view.notices]
        known = [self._fill("told_keyword", view.role, {"digit": d, "word": word}) for d, word in view.shown]
        blots = any(HIDDEN in turn.hints for turn in view.past)
        blotted = [self._fill("told_blot", view.role, {"blot": HIDDEN})] if blots else []
        found["told"] = "\n".join([*told, *known, *blotted])
        return found

    def _format(self, wanted: Wanted, role: Role) -> str:
        return self._fill("format_bare" if self.is_bare else "format", role, {"example": wanted.example(self.is_bare)})

    def _fill(self, name: str, role: Role, fields: Mapping[str, object]) -> str:
        text = self.words.get(f"{name}_{role}", self.words.get(name))
        if text is None:
            raise UserError(f"there are no words for {name!r}; give the player words of that name")
        return re.sub(r"\n{3,}", "\n\n", text.format(**fields)).strip()


def _system(talk: _Talk) -> Message:
    return Message("system", talk.system)


def _done(talk: _Talk) -> list[Message]:
    """What stays of a turn: the message and the reply that counted."""
    return [Message("user", talk.told), Message("assistant", talk.tries[-1].reply or "")]


def _own_act(view: View) -> Answer | None:
    """What the role did in the last turn, as everybody has seen it."""
    if not view.past:
        return None
    last = view.past[-1]
    if view.role == "alice":
        return last.hints
    return last.bob if view.role == "bob" else last.eve
