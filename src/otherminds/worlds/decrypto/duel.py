"""Two teams against each other: both have keywords, both hint, and each listens to the other (spec 14.8).

A duel is two games in step. In each, the team that owns the keywords is Alice and Bob, and the other team is Eve. It is
over with the first game that is, after both have played the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from otherminds.core.errors import UserError
from otherminds.core.seeds import child_seed
from otherminds.worlds.decrypto.rules import deal, ending, interceptions, miscommunications
from otherminds.worlds.decrypto.types import ROLES, Game, Rules, role_of

Winner = Literal["first", "second", "draw"]
SIDES = ("first", "second")
SEATS = tuple(f"{side}.{role}" for side in SIDES for role in ROLES)


@dataclass(frozen=True, slots=True)
class Duel:
    """The games of the first and of the second team."""

    games: tuple[Game, Game]


def deal_duel(bank: Sequence[str], seed: int, rules: Rules = Rules()) -> Duel:  # noqa: B008  # it is frozen
    """Keywords for both teams, none of them twice, and their codes.

    Raises:
        UserError: if the bank is too small.
    """
    if len(set(bank)) < 2 * rules.keywords:
        raise UserError(f"the bank has {len(set(bank))} words; two teams need {2 * rules.keywords}")
    first = deal(bank, child_seed(seed, "duel/first"), rules)
    second = deal([w for w in bank if w not in first.keywords], child_seed(seed, "duel/second"), rules)
    return Duel((replace(first, seed=seed), replace(second, seed=seed)))


def is_over(duel: Duel) -> bool:
    """Whether one of the games has ended."""
    return any(ending(game) is not None for game in duel.games)


def points(duel: Duel) -> tuple[int, int]:
    """Interceptions made, less own miscommunications, of each team."""
    first, second = duel.games
    return (
        interceptions(second) - miscommunications(first),
        interceptions(first) - miscommunications(second),
    )


def winner(duel: Duel) -> Winner | None:
    """Who has won; ``None`` while it goes on.

    A team that has made its interceptions wins, one that has used up its miscommunications loses. Where that decides
    nothing, points do.
    """
    if not is_over(duel):
        return None
    first, second = duel.games
    tokens = first.rules.tokens
    made = (interceptions(second) >= tokens) - (interceptions(first) >= tokens)
    kept = (miscommunications(second) >= tokens) - (miscommunications(first) >= tokens)
    by_points = points(duel)[0] - points(duel)[1]
    margin = (made + kept) or by_points
    return "draw" if margin == 0 else "first" if margin > 0 else "second"


def side_of(seat: str) -> int:
    """0 for a seat of the first team, 1 for one of the second."""
    return SIDES.index(seat.partition(".")[0])


def game_of(duel: Duel, seat: str) -> Game:
    """The game that a seat plays in: its own team's, and for Eve the other's, to which she listens."""
    side = side_of(seat)
    return duel.games[1 - side if role_of(seat) == "eve" else side]
