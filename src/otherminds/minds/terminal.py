"""The terminal that people share, for any world with a person in a seat."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

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
