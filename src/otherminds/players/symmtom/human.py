"""A person in a seat of SymmToM, at the terminal.

The person sees what the seat's observation holds and nothing more. The paper's conclusion asks how people fare, and
what notes and re-watching past turns change; both are options here.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from otherminds.core.players import Glimpse
from otherminds.worlds.symmtom.types import MOVE_NAMES, SILENT, Params

_MOVES = {name: i for i, name in enumerate(MOVE_NAMES)} | {name[0]: i for i, name in enumerate(MOVE_NAMES)}


class Quit(Exception):
    """The person has left the table."""


def _ask(prompt: str) -> str:
    return input(prompt)


@dataclass
class Human:
    """Asks a person for every choice.

    Args:
        notes: keep a scratch pad, shown every turn.
        rewatch: allow paging back through the own past turns.
        ask: how to ask; raises ``EOFError`` when there is nobody to answer.
        show: how to show text.
    """

    name: str = "human"
    notes: bool = False
    rewatch: bool = False
    ask: Callable[[str], str] = _ask
    show: Callable[[str], None] = print
    _pad: list[str] = field(default_factory=list)
    _past: list[str] = field(default_factory=list)

    def begin(self, seat: int, params: Params, rng: np.random.Generator) -> None:
        self._params = params
        self._pad, self._past = [], []
        self.show("\n".join(textwrap.fill(line, _width()) for line in (*_rules(seat, params), self._help())))

    def act(self, glimpse: Glimpse) -> tuple[int, int]:
        told = "\n".join(textwrap.fill(line, _width()) for line in glimpse.text.splitlines())
        page = f"--- before turn {glimpse.turn + 1} of {self._params.num_turns} ---\n{told}\n\n{glimpse.board}"
        self.show(page)
        if self.notes:
            self.show("Notes:\n" + ("\n".join(f"  {line}" for line in self._pad) or "  (none yet: 'n TEXT' adds one)"))
        looking_at = len(self._past)
        while True:
            try:
                words = self.ask("move and piece> ").split()
            except (EOFError, KeyboardInterrupt) as error:
                raise Quit from error
            match words:
                case ["q" | "quit"]:
                    raise Quit
                case ["n" | "note", *rest] if self.notes and rest:
                    self._pad.append(" ".join(rest))
                    self.show(f"Noted ({len(self._pad)}).")
                case ["b" | "back"] if self.rewatch and self._past:
                    looking_at = max(0, looking_at - 1)
                    self.show(self._past[looking_at])
                case ["f" | "forward"] if self.rewatch and self._past:
                    looking_at = min(len(self._past), looking_at + 1)
                    self.show([*self._past, page][looking_at])
                case [move, piece] if (choice := self._read(move, piece)) is not None:
                    self._past.append(f"{page}\nYou chose: {MOVE_NAMES[choice[0]]}, {_speech(choice[1])}.")
                    return choice
                case _:
                    self.show(f"'{' '.join(words)}' was not understood. {self._help()}")

    def end(self, score: float) -> None:
        self.show(f"The episode is over. Your reward: {score:g}.")

    def _read(self, move: str, piece: str) -> tuple[int, int] | None:
        if move.lower() not in _MOVES:
            return None
        if piece in ("-", "-1"):
            return _MOVES[move.lower()], SILENT
        if not piece.isdecimal() or int(piece) >= self._params.num_pieces:
            return None
        return _MOVES[move.lower()], int(piece)

    def _help(self) -> str:
        last = self._params.num_pieces - 1
        lines = [
            f"Type a move (stay, right, left, up, down, or the first letter) and a piece "
            f"(0 to {last}, or - for silence), such as 'right 0'."
        ]
        if self.notes:
            lines.append("'n TEXT' adds a note.")
        if self.rewatch:
            lines.append("'b' and 'f' page back and forward through your turns.")
        return " ".join([*lines, "'q' leaves; the record so far is kept."])


def _rules(seat: int, params: Params) -> list[str]:
    """What a person must know before the first turn."""
    delay = {1: "at once", 2: "two turns after you heard it"}[params.speech_delay]
    return [
        f"You are agent {seat} of {params.num_agents}. There are {params.num_pieces} pieces of information and "
        f"{params.num_turns} turns. Hearing a new piece earns 1; so does telling somebody a piece that is new to them.",
        f"Whoever is within {params.hearing} of you on both axes hears you. A piece you heard can be said {delay}; "
        f"choosing a piece that you cannot say is silence.",
        f"When you know every piece, step on your base (the letter {chr(ord('a') + seat)}): it earns "
        f"{params.full_base_reward:g}, and you forget all but your first-hand pieces.",
    ]


def _width() -> int:
    return min(shutil.get_terminal_size().columns, 100)


def _speech(piece: int) -> str:
    return "silence" if piece == SILENT else f"piece {piece}"
