"""What each role may know, and nothing else: the one file to review for leaks (spec 1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from otherminds.worlds.decrypto.rules import code_of, hints_by_digit, tokens
from otherminds.worlds.decrypto.types import HIDDEN, Code, Game, Hints, Intervention, Role, Rules, Turn


@dataclass(frozen=True, slots=True)
class View:
    """What one role sees before it acts."""

    role: Role
    rules: Rules
    turn: int  # from 1
    keywords: tuple[str, ...] | None  # not Eve
    code: Code | None  # Alice only
    hints: Hints | None  # of this turn; not Alice, who is about to give them
    past: tuple[Turn, ...]  # everything about past turns is public, unless somebody intervened
    hints_by_digit: tuple[tuple[str, ...], ...]
    miscommunications: int
    interceptions: int
    shown: tuple[tuple[int, str], ...] = ()  # digits and words that Eve was shown as keywords
    notices: tuple[Intervention, ...] = ()  # what it was told of changes to what Eve saw

    @property
    def used(self) -> tuple[Code, ...]:
        """Codes that cannot come again."""
        return tuple(turn.code for turn in self.past)


def view(game: Game, role: Role, hints: Hints | None = None, like: View | None = None) -> View:
    """What a role sees in the turn to be played, after Alice has spoken for the others.

    Args:
        game: so far.
        role: whose view it is.
        hints: of this turn.
        like: another role's view of the same turn, which has counted already what both see.
    """
    turns, changes = game.turns, game.interventions
    past = _as_eve_saw(turns, changes) if changes and role == "eve" else turns
    missed, caught = (like.miscommunications, like.interceptions) if like else tokens(game)
    return View(
        role=role,
        rules=game.rules,
        turn=len(turns) + 1,
        keywords=None if role == "eve" else game.keywords,
        code=code_of(game) if role == "alice" else None,
        hints=None if role == "alice" else hints,
        past=past,
        hints_by_digit=like.hints_by_digit if like and like.past is past else hints_by_digit(past, game.rules.keywords),
        miscommunications=missed,
        interceptions=caught,
        shown=_shown(turns, changes) if changes and role == "eve" else (),
        notices=tuple(one for one in changes if role in one.told and one.turn <= len(turns)) if changes else (),
    )


def eve_as_seen_by(own: View, hints: Hints | None = None) -> View:
    """What Eve sees, as far as another role can tell: what is public, and the changes that it was told of."""
    past = _as_eve_saw(own.past, own.notices)
    return replace(
        own,
        role="eve",
        keywords=None,
        code=None,
        hints=hints if hints is not None else own.hints,
        past=past,
        hints_by_digit=hints_by_digit(past, own.rules.keywords),
        shown=_shown(own.past, own.notices),
        notices=(),
    )


def _as_eve_saw(turns: Sequence[Turn], interventions: Sequence[Intervention]) -> tuple[Turn, ...]:
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
