"""The view of each role: the one file to review for leaks (spec 1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from otherminds.worlds.decrypto.rules import code_of, hints_by_digit, tokens
from otherminds.worlds.decrypto.types import HIDDEN, Code, Game, Hints, Intervention, Role, Rules, Turn


class RoleView(NamedTuple):
    """Everything that one role sees before it acts; fields that it may not see are empty."""

    role: Role
    rules: Rules
    past: tuple[Turn, ...]  # past turns are public, apart from interventions
    keywords: tuple[str, ...] = ()  # not Eve
    code: Code = ()  # Alice only
    hints: Hints = ()  # of this turn, once Alice has given them
    shown: tuple[tuple[int, str], ...] = ()  # digits and words shown to Eve as keywords
    notices: tuple[Intervention, ...] = ()  # interventions that it was told of

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
        """All past hints of each digit, in the order in which they were given."""
        return hints_by_digit(self.past, self.rules.keywords)

    @property
    def tokens(self) -> tuple[int, int]:
        """Numbers of miscommunications (Bob was wrong) and of interceptions (Eve was right)."""
        return tokens(self.past)


def view(game: Game, role: Role, hints: Hints = ()) -> RoleView:
    """The view of a role in the turn to be played, with its hints once Alice has given them."""
    turns, changes = game.turns, game.interventions
    notices = tuple([change for change in changes if role in change.told and change.turn <= len(turns)])
    if role == "eve":
        return RoleView(role, game.rules, _as_eve_saw(turns, changes), (), (), hints, _shown(turns, changes), notices)
    return RoleView(
        role, game.rules, turns, game.keywords, code_of(game) if role == "alice" else (), hints, (), notices
    )


def eve_as_seen_by(own: RoleView, hints: Hints = ()) -> RoleView:
    """Eve's view as far as another role can tell: what is public, and the interventions that it was told of."""
    past, shown = _as_eve_saw(own.past, own.notices), _shown(own.past, own.notices)
    return RoleView("eve", own.rules, past, hints=hints or own.hints, shown=shown)


def _as_eve_saw(turns: tuple[Turn, ...], interventions: Sequence[Intervention]) -> tuple[Turn, ...]:
    if not interventions:
        return turns
    seen = list(turns)
    for change in interventions:
        if change.kind == "reveal" or change.turn > len(seen):
            continue
        turn = seen[change.turn - 1]
        word = HIDDEN if change.kind == "hide" else change.word
        pairs = zip(turn.code, turn.hints, strict=True)
        seen[change.turn - 1] = replace(turn, hints=tuple(word if d == change.digit else hint for d, hint in pairs))
    return tuple(seen)


def _shown(turns: Sequence[Turn], interventions: Sequence[Intervention]) -> tuple[tuple[int, str], ...]:
    made = [change for change in interventions if change.kind == "reveal" and change.turn <= len(turns)]
    return tuple([(change.digit, change.word) for change in made])
