"""What each role may know, and nothing else: the one file to review for leaks (spec 1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from otherminds.worlds.decrypto.rules import code_of, hints_by_digit, tokens
from otherminds.worlds.decrypto.types import HIDDEN, Code, Game, Hints, Intervention, Role, Rules, Turn


class View(NamedTuple):
    """What one role sees before it acts; what it may not see is empty."""

    role: Role
    rules: Rules
    past: tuple[Turn, ...]  # everything about past turns is public, unless somebody intervened
    keywords: tuple[str, ...] = ()  # not Eve
    code: Code = ()  # Alice only
    hints: Hints = ()  # of this turn, once Alice has given them
    shown: tuple[tuple[int, str], ...] = ()  # digits and words that Eve was shown as keywords
    notices: tuple[Intervention, ...] = ()  # what it was told of changes to what Eve saw

    @property
    def turn(self) -> int:
        """The number of the turn to be played, from 1."""
        return len(self.past) + 1

    @property
    def used(self) -> tuple[Code, ...]:
        """Codes that cannot come again."""
        return tuple(turn.code for turn in self.past)

    @property
    def hints_by_digit(self) -> tuple[tuple[str, ...], ...]:
        """All past hints of each digit, in the order they were given."""
        return hints_by_digit(self.past, self.rules.keywords)

    @property
    def miscommunications(self) -> int:
        """How often Bob was wrong."""
        return tokens(self.past)[0]

    @property
    def interceptions(self) -> int:
        """How often Eve was right."""
        return tokens(self.past)[1]


def view(game: Game, role: Role, hints: Hints = ()) -> View:
    """What a role sees in the turn to be played.

    Args:
        game: so far.
        role: whose view it is.
        hints: of this turn, once Alice has given them.
    """
    turns, changes = game.turns, game.interventions
    notices = tuple(one for one in changes if role in one.told and one.turn <= len(turns)) if changes else ()
    if role == "eve":
        return View(role, game.rules, _as_eve_saw(turns, changes), (), (), hints, _shown(turns, changes), notices)
    return View(role, game.rules, turns, game.keywords, code_of(game) if role == "alice" else (), hints, (), notices)


def eve_as_seen_by(own: View, hints: Hints = ()) -> View:
    """What Eve sees, as far as another role can tell: what is public, and the changes that it was told of."""
    past, shown = _as_eve_saw(own.past, own.notices), _shown(own.past, own.notices)
    return View("eve", own.rules, past, hints=hints or own.hints, shown=shown)


def _as_eve_saw(turns: tuple[Turn, ...], interventions: Sequence[Intervention]) -> tuple[Turn, ...]:
    if not interventions:
        return turns
    found = list(turns)
    for one in interventions:
        if one.kind == "reveal" or one.turn > len(found):
            continue
        turn = found[one.turn - 1]
        word = HIDDEN if one.kind == "hide" else one.word
        hints = tuple(word if digit == one.digit else hint for digit, hint in zip(turn.code, turn.hints, strict=True))
        found[one.turn - 1] = replace(turn, hints=hints)
    return tuple(found)


def _shown(turns: Sequence[Turn], interventions: Sequence[Intervention]) -> tuple[tuple[int, str], ...]:
    return tuple((one.digit, one.word) for one in interventions if one.kind == "reveal" and one.turn <= len(turns))
