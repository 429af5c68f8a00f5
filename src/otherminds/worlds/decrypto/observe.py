"""What each role may know, and nothing else: the one file to review for leaks (spec 1.1)."""

from __future__ import annotations

from dataclasses import dataclass

from otherminds.worlds.decrypto.rules import code_of, hints_by_digit, interceptions, miscommunications
from otherminds.worlds.decrypto.types import Code, Game, Hints, Role, Rules, Turn


@dataclass(frozen=True, slots=True)
class View:
    """What one role sees before it acts."""

    role: Role
    rules: Rules
    turn: int  # from 1
    keywords: tuple[str, ...] | None  # not Eve
    code: Code | None  # Alice only
    hints: Hints | None  # of this turn; not Alice, who is about to give them
    past: tuple[Turn, ...]  # everything about past turns is public
    hints_by_digit: tuple[tuple[str, ...], ...]
    miscommunications: int
    interceptions: int

    @property
    def used(self) -> tuple[Code, ...]:
        """Codes that cannot come again."""
        return tuple(turn.code for turn in self.past)


def view(game: Game, role: Role, hints: Hints | None = None) -> View:
    """What a role sees in the turn to be played, after Alice has spoken for the others."""
    return View(
        role=role,
        rules=game.rules,
        turn=len(game.turns) + 1,
        keywords=None if role == "eve" else game.keywords,
        code=code_of(game) if role == "alice" else None,
        hints=None if role == "alice" else hints,
        past=game.turns,
        hints_by_digit=hints_by_digit(game.turns, game.rules.keywords),
        miscommunications=miscommunications(game),
        interceptions=interceptions(game),
    )
