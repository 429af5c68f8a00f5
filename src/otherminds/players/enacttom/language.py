"""A language model as one person of a house.

There is one conversation a run. It begins with the task in words; each turn adds what was perceived and the act: the
conversation is the model's memory. An exchange that failed is gone once another attempt has succeeded, and a
question on the side leaves no trace. Where no attempt can be read the person waits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from otherminds.core.errors import UserError
from otherminds.players.conversation import (
    Ask,
    Conversation,
    Exchange,
    Message,
    Unreadable,
    asked_again,
    attempt,
)
from otherminds.players.enacttom.replies import (
    ANSWER,
    MARK,
    Unspoken,
    Wanted,
    read_act,
    read_answer,
    wanted_act,
)
from otherminds.worlds.enacttom import messages
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.observe import Note, Percept
from otherminds.worlds.enacttom.probes import Probe, options
from otherminds.worlds.enacttom.rules import WAIT, Act
from otherminds.worlds.enacttom.texts import opening_text, percept_text, probe_text, public_text, speakers

ATTEMPTS = 3  # at an act or an answer, before something stands for it
ACT, PROBE = "act", "probe"
COUNTS = ("acts", "attempts", "unreadable", "unspoken", "failed", "defaults", "refused", "asked", "unanswered")


@dataclass
class LanguagePlayer:
    """Fills a seat with whatever answers.

    Args:
        name: what records call it.
        ask: gives the reply to a conversation; whatever it raises costs that attempt only.
        words: what it is told, by name.
        is_bare: replies are JSON objects alone, as structured output gives them.
        attempts: at an act or an answer.
    """

    name: str
    ask: Ask
    words: Mapping[str, str]
    is_bare: bool = False
    attempts: int = ATTEMPTS
    counts: dict[str, int] = field(default_factory=dict)  # see COUNTS
    _every: list[Exchange] = field(default_factory=list)

    def begin(self, ground: Ground, agent: int, notes: tuple[Note, ...], first: Percept, seed: int) -> None:
        task, name = ground.task, ground.task.names[agent]
        self._ground, self._agent, self._role = ground, agent, name
        self._wanted, self._turn = wanted_act(ground, agent), 0
        self._budget = task.talk.budgets.get(name, 0) if name in speakers(task) else 0
        self._past = [Message("system", self._fill("rules", task=public_text(task), acts=self._verbs()))]
        self._news, self._last = opening_text(ground, agent, notes, first), list[Message]()
        self.counts, self._every = dict.fromkeys(COUNTS, 0), []

    def act(self, turn: int) -> Act:
        self._turn = turn
        told = self._fill(
            "turn",
            news=self._news,
            turn=turn,
            turns=self._ground.task.horizon,
            messages=self._budget,
            format=self._format(ACT),
        )
        self.counts["acts"] += 1
        read = partial(read_act, ground=self._ground, agent=self._agent, is_bare=self.is_bare)
        one = self._answer(told, ACT, self._wanted, read)
        if one is None:
            self.counts["defaults"] += 1
        stands = json.dumps({"action": WAIT}) if self.is_bare else f"{MARK} {WAIT}"
        self._last = [Message("user", told), Message("assistant", (one and one.reply) or stands)]
        found: Act = one.found if one else WAIT
        return found

    def perceive(self, own: Act, percept: Percept) -> None:
        self.counts["refused"] += bool(percept.refused)
        if isinstance(own, messages.Message) and not percept.refused:
            self._budget -= messages.cost(self._ground.task, own)
        self._past += self._last
        self._news, self._last = percept_text(self._ground, own, percept), []

    def report(self, probe: Probe) -> str:
        """Ask in a copy of the conversation, which goes on as if nothing had been asked.

        An act that is decided and not yet done is not part of it: the question is what led to it (6.3).
        """
        task = self._ground.task
        choices = options(task, probe)
        question = probe_text(task, probe)
        asked = {"question": question, "options": ", ".join(choices), "format": self._format(PROBE)}
        self.counts["asked"] += 1
        read = partial(read_answer, options=choices, is_bare=self.is_bare)
        told = self._fill("probe", news=self._news, **asked)
        one = self._answer(told, PROBE, Wanted({"answer": choices}), read, question)
        if one is None:
            self.counts["unanswered"] += 1
        return str(one.found) if one else ""

    def notes(self) -> list[dict[str, Any]]:
        """Every attempt of the run, those at questions on the side too, to be kept with the record."""
        return [one.note() for one in self._every]

    def _answer(self, told: str, kind: str, wanted: Wanted, read: Any, about: str = ACT) -> Exchange | None:
        """The first attempt that can be read; ``None`` if none can."""
        tries: list[Exchange] = []
        for _ in range(self.attempts):
            one = Exchange(self._role, self._turn, about)
            before = Conversation([*self._past, *asked_again(told, tries, partial(self._complaint, kind))], wanted)
            tries.append(one)
            self._every.append(one)
            if kind == ACT:
                self.counts["attempts"] += 1
            try:
                attempt(self.ask, before, one, read)
            except Unreadable as error:
                self._count(kind, "unspoken" if isinstance(error, Unspoken) else "unreadable")
            except Exception:  # the call's fault, whatever it was: it costs the attempt, as the record says
                self._count(kind, "failed")
            else:
                return one
        return None

    def _count(self, kind: str, what: str) -> None:
        if kind == ACT:
            self.counts[what] += 1

    def _complaint(self, kind: str, problem: str) -> str:
        return self._fill("complaint", problem=problem, format=self._format(kind))

    def _format(self, kind: str) -> str:
        name = f"format_{kind}{'_bare' if self.is_bare else ''}"
        return self._fill(name, mark=MARK if kind == ACT else ANSWER, fields=", ".join(self._wanted.fields))

    def _verbs(self) -> str:
        """A line for each verb that the person has."""
        verbs = dict.fromkeys(deed.verb for deed in self._ground.by_name[self._agent].values())
        has_tell = self._role in speakers(self._ground.task)
        names = [*verbs, *(["tell"] if has_tell else []), "wait", "done"]
        return "\n".join(self._fill(f"verb_{name}") for name in names)

    def _fill(self, name: str, **fields: object) -> str:
        if name not in self.words:
            raise UserError(f"there are no words for {name!r}; give the player words of that name")
        return self.words[name].format(**fields).strip()
