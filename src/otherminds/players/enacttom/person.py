"""A person as one person of a house, at the terminal: sees what that person perceives and nothing more."""

from __future__ import annotations

from dataclasses import dataclass, field

from otherminds.minds.terminal import Terminal
from otherminds.players.conversation import Unreadable
from otherminds.players.enacttom.replies import parse_act
from otherminds.worlds.enacttom import messages
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.observe import Note, Percept
from otherminds.worlds.enacttom.probes import Probe, options
from otherminds.worlds.enacttom.rules import DONE, WAIT, Act
from otherminds.worlds.enacttom.texts import SAYING, opening_text, percept_text, probe_text, public_text, speakers

HELP, TASK = ("help", "h", "?"), "task"
_HOW = "Type an act. 'help' lists what you can do, 'task' shows the task again, 'q' leaves; what was played is kept."


@dataclass
class Person:
    """Asks a person for every act."""

    name: str = "human"
    terminal: Terminal = field(default_factory=Terminal)

    def begin(self, ground: Ground, agent: int, notes: tuple[Note, ...], first: Percept, seed: int) -> None:
        self._ground, self._agent = ground, agent
        self._who, self._is_new = ground.task.names[agent], True
        self._budget = ground.task.talk.budgets.get(self._who, 0) if self._who in speakers(ground.task) else 0
        self._news = opening_text(ground, agent, notes, first)

    def act(self, turn: int) -> Act:
        self._page(f"--- turn {turn} of {self._ground.task.horizon}, {self._who} ---")
        while True:
            typed = self.terminal.line(f"{self._who}> ")
            if not typed or typed.lower() in HELP:
                self.terminal.say(self._help())
            elif typed.lower() == TASK:
                self.terminal.say(public_text(self._ground.task))
            else:
                try:
                    return parse_act(typed, self._ground, self._agent)
                except Unreadable as error:
                    self.terminal.say(f"That was not taken: {error}")

    def perceive(self, own: Act, percept: Percept) -> None:
        if isinstance(own, messages.Message) and not percept.refused:
            self._budget -= messages.cost(self._ground.task, own)
        self._news = percept_text(self._ground, own, percept)

    def report(self, probe: Probe) -> str:
        task = self._ground.task
        choices = options(task, probe)
        self._page(f"--- a question to {self._who} ---\n{probe_text(task, probe)}")
        while True:
            typed = self.terminal.line(f"{', '.join(choices)}> ").lower()
            for choice in choices:
                if typed == choice.lower():
                    return choice
            self.terminal.say("That is none of the answers.")

    def _page(self, title: str) -> None:
        self.terminal.hand_to(self, self._who)
        if self._is_new:
            self.terminal.say(f"{public_text(self._ground.task)}\n\n{_HOW}\n")
            self._is_new = False
        left = f"Messages that you can still send: {self._budget}." if self._budget else ""
        self.terminal.say("\n".join(filter(None, (title, self._news, left))))

    def _help(self) -> str:
        """All that the person can ever do: what is possible now is for it to see."""
        acts = [*self._ground.by_name[self._agent], WAIT, DONE]
        lines = [f"You can do: {', '.join(acts)}."]
        if self._who in speakers(self._ground.task):
            talk = self._ground.task.talk
            lines.append(f"You can tell({', '.join(talk.channels[self._who][: talk.fanout])}, CONTENT).")
            lines += [sentence for kind, sentence in SAYING.items() if kind in talk.kinds]
        return "\n".join(lines)
