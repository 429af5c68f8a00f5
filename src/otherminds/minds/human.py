"""A person at the terminal, in any seat of any world: shown what the seat perceives, and asked by the form."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from otherminds.core.form_fields import Unreadable
from otherminds.core.mind import BaseMind, Briefing, Reply
from otherminds.core.world import Ask, Outcome

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_LEAVES = ("q", "quit")


class Quit(KeyboardInterrupt):
    """The person has left the table. Unlike a mind's error, this ends the episode."""


def _ask(prompt: str) -> str:
    return input(prompt)


@dataclass
class Terminal:
    """A terminal that one or more people share.

    Args:
        people: Number of people who share it.
        ask: Function that prompts for a line; raises ``EOFError`` when there is no input.
        show: Function that prints text.
    """

    people: int = 1
    ask: Callable[[str], str] = _ask
    show: Callable[[str], None] = print
    _with: object = None

    def hand_to(self, person: object, name: str) -> None:
        """Clear the screen if another person used it last."""
        if self.people > 1 and self._with is not person:
            self.show(CLEAR)
            self.line(f"{name.capitalize()}, your turn. Others, please look away. Press Enter to continue> ")
        self._with = person

    def line(self, prompt: str) -> str:
        """Read a line.

        Raises:
            Quit: if the person leaves or the input ends.
        """
        try:
            typed = self.ask(prompt).strip()
        except (EOFError, KeyboardInterrupt) as error:
            raise Quit from error
        if typed.lower() in _LEAVES:
            raise Quit
        return typed

    def say(self, text: str) -> None:
        """Show text, in lines that fit."""
        width = min(shutil.get_terminal_size().columns, 100)
        self.show("\n".join(textwrap.fill(line, width) if line else "" for line in text.splitlines()))


_HELP = ("help", "h", "?")


@dataclass
class HumanMind(BaseMind):
    """Asks a person for every reply.

    Args:
        notes: Whether to keep a scratch pad, shown at every ask.
        rewatch: Whether the person may page back through past turns.
        terminal: Terminal to read from and write to.
        name: Name in records.
    """

    notes: bool = False
    rewatch: bool = False
    terminal: Terminal = field(default_factory=Terminal)
    name: str = "human"
    is_patient = True  # a person is asked until the reply fits

    def begin(self, seat: str, briefing: Briefing, seed: int) -> None:
        self._briefing, self._is_new = briefing, True
        self._pad, self._past = list[str](), list[str]()

    def reply(self, ask: Ask) -> Reply:
        page = self._page(ask)
        self._show(ask, page)
        looking_at = len(self._past)
        while True:
            typed = self.terminal.line(f"{ask.seat}> ")
            command, _, rest = typed.partition(" ")
            if not typed or typed.lower() in _HELP:
                self.terminal.say(self._help(ask))
            elif typed.lower() == "rules":
                self.terminal.say(self._briefing.rules())
            elif self.notes and command in ("n", "note") and rest:
                self._pad.append(rest)
                self.terminal.say(f"Noted ({len(self._pad)}).")
            elif self.rewatch and self._past and command in ("b", "back", "f", "forward"):
                looking_at = min(max(looking_at + (1 if command[0] == "f" else -1), 0), len(self._past))
                self.terminal.show([*self._past, page][looking_at])
            else:
                try:
                    value = ask.form.parse(typed)
                except Unreadable as problem:
                    self.terminal.say(f"Not accepted: {problem}. Type 'help' to see the possible answers.")
                    continue
                self._past.append(f"{page}\nYou answered: {typed}")
                return Reply(value)

    def end(self, outcome: Outcome) -> None:
        score = outcome.score.get(self._briefing.seat)
        points = "" if score is None else f" Your score: {score:g}."
        result = {True: " It was a success.", False: " It was not a success.", None: ""}[outcome.success]
        self.terminal.say(f"The episode is over.{result}{points}")

    def _page(self, ask: Ask) -> str:
        parts = [f"--- turn {ask.turn}, {ask.seat} ---", ask.view.text(), ask.view.picture()]
        if ask.probe is not None:
            parts.append(f"A question for you only: {ask.view.question(ask.probe)}")
        return "\n".join(part for part in parts if part)

    def _show(self, ask: Ask, page: str) -> None:
        self.terminal.hand_to(self, ask.seat)
        if self._is_new:
            self.terminal.say(f"{self._briefing.rules()}\nType 'help' to see the possible answers, 'q' to quit.")
            self._is_new = False
        if ask.complaint:
            self.terminal.say(f"Not accepted: {ask.complaint}.")
        self.terminal.show(page)
        if self.notes:
            self.terminal.say(
                "Notes:\n" + ("\n".join(f"  {line}" for line in self._pad) or "  (none; add one with 'n TEXT')")
            )
        self.terminal.say(f"[{ask.form.offer()}]")

    def _help(self, ask: Ask) -> str:
        lines = [f"Answer with {ask.form.offer()}."]
        options = ", ".join(map(str, ask.form.closed() or ()))
        if options not in lines[0]:
            lines.append(f"Possible answers: {options}.")
        lines.append("'rules' shows the rules again; 'q' quits and keeps the turns played so far.")
        if self.notes:
            lines.append("'n TEXT' adds a note.")
        if self.rewatch:
            lines.append("'b' and 'f' page back and forward through your turns.")
        return "\n".join(lines)
