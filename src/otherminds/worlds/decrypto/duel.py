"""Two teams against each other: both have keywords, both hint, and each listens to the other (spec 14.8).

A duel is two games played in parallel. In each, Alice and Bob belong to the team that owns the keywords, and Eve to the
other. It ends with the first game that ends, after both have played the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.seeds import child_seed
from otherminds.core.summary import mean
from otherminds.core.world import Anchors, Item, Outcome, Played, Script, World
from otherminds.worlds.decrypto.draw import board
from otherminds.worlds.decrypto.record import Seating, dealt, game_dealt, play_again, replies_of
from otherminds.worlds.decrypto.rules import deal, ending, tokens
from otherminds.worlds.decrypto.session import GameSession
from otherminds.worlds.decrypto.text import PROMPTS
from otherminds.worlds.decrypto.types import ROLES, Game, Rules, role_of
from otherminds.worlds.decrypto.world import Decrypto

WORLD = "decrypto-duel-v0"
SIDES = ("first", "second")
SEATS = tuple(f"{side}.{role}" for side in SIDES for role in ROLES)


@dataclass(frozen=True, slots=True)
class Duel:
    """The games of the first and of the second team."""

    games: tuple[Game, Game]


def deal_duel(bank: Sequence[str], seed: int, rules: Rules = Rules()) -> Duel:  # noqa: B008  # it is frozen
    """A duel with different keywords for both teams.

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
    """Interceptions made minus own miscommunications, of each team."""
    (missed, suffered), (others_missed, made) = (tokens(game.turns) for game in duel.games)
    return made - missed, suffered - others_missed


def winner(duel: Duel) -> str | None:
    """``first``, ``second`` or ``draw``; ``None`` while the duel goes on.

    A team that has made its interceptions wins, one that has used up its miscommunications loses. Otherwise points
    decide.
    """
    if not is_over(duel):
        return None
    enough = duel.games[0].rules.tokens
    (missed, suffered), (others_missed, made) = (
        tuple(number >= enough for number in tokens(game.turns)) for game in duel.games
    )
    first, second = points(duel)
    margin = (made - suffered + others_missed - missed) or first - second
    return "draw" if not margin else SIDES[margin < 0]


def side_of(seat: str) -> int:
    """0 for a seat of the first team, 1 for one of the second."""
    return SIDES.index(seat.partition(".")[0])


def game_of(duel: Duel, seat: str) -> Game:
    """The game of a seat: its own team's, or for Eve the other team's, to which she listens."""
    side = side_of(seat)
    return duel.games[1 - side if role_of(seat) == "eve" else side]


# The seat of each role in the game of a team: the other team's Eve listens.
SEATING: tuple[Seating, ...] = tuple(
    {role: f"{other if role == 'eve' else own}.{role}" for role in ROLES} for own, other in (SIDES, SIDES[::-1])
)


class DuelSession(GameSession):
    """One duel. Both teams are asked at the same time, and a turn ends when both games have played it."""

    def __init__(self, duel: Duel, episode: Episode, repeat: int = 0) -> None:
        self.duel = duel
        super().__init__(duel.games[0].rules, episode, SEATS, repeat)

    def script(self) -> Script:
        while not is_over(self.duel):
            steps = [self.turn(game, seating) for game, seating in zip(self.duel.games, SEATING, strict=True)]
            asks = [next(step) for step in steps]
            ended: list[Any] = []
            while not ended:  # both have the same steps: hints, then guesses
                replies = yield [ask for some in asks for ask in some]
                for side, step in enumerate(steps):
                    try:
                        asks[side] = step.send(replies)
                    except StopIteration as end:
                        ended.append(end.value)
            (first, line), (second, other_line) = ended
            self.duel = Duel((first, second))
            self.episode.turns.append({"turn": len(first.turns), "first": line, "second": other_line})
        success, score = self.outcome()
        self.episode.end = {
            "winner": winner(self.duel),
            "turns": len(self.duel.games[0].turns),
            "points": list(points(self.duel)),
            "outcome": {"success": success, "score": dict(score)},
        }

    def outcome(self) -> Outcome:
        """1 for the team that has won, -1 for the other, 0 for a draw; a duel has no notion of success."""
        margin = {"first": 1, "second": -1}.get(str(winner(self.duel)), 0)
        return Outcome(None, {seat: margin * (1 - 2 * side_of(seat)) for seat in SEATS})

    def truth(self) -> Duel:
        return self.duel


class DecryptoDuel(World):
    """Two teams against each other.

    Args:
        bank: file of keywords; the shipped bank by default.
        rules: fields of :class:`otherminds.worlds.decrypto.types.Rules` that differ from the default.

    Raises:
        UserError: if a rule does not exist, or the bank cannot be read.
    """

    id = WORLD
    prompts = PROMPTS
    default_mind = "glove"
    seats = SEATS
    # Random teams mostly draw. By the rules of the game, each wins this share of duels.
    anchors = Anchors("perfect", 1.0, 0.139, measure="first_won", seats=("first.bob", "first.eve"))

    def __init__(self, bank: str | Path | None = None, **rules: Any) -> None:
        if not rules.get("stops_at_interceptions", True):
            raise UserError("interceptions always end a duel; leave out stops_at_interceptions")
        single = Decrypto(bank, **rules)
        self.words, self.rules = single.words, single.rules

    @classmethod
    def of(cls, episode: Episode) -> DecryptoDuel:
        """The world with the rules of a duel."""
        return cls(**episode.config)

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The two teams."""
        return SEATS[:3], SEATS[3:]

    def open(self, seed: int, item: Item | None = None, repeat: int = 0) -> DuelSession:
        duel = item.data if item else deal_duel(self.words, seed, self.rules)
        start = {side: dealt(game) for side, game in zip(SIDES, duel.games, strict=True)}
        name = f"decrypto-duel-{seed}" + (f"-{repeat}" if repeat else "")
        return DuelSession(duel, Episode(name, WORLD, duel.games[0].rules.plain(), {}, seed, start), repeat)

    def item_of(self, episode: Episode) -> Item:
        first, second = (game_dealt(episode, episode.start[side]) for side in SIDES)
        return Item(episode.id, Duel((first, second)))

    def replay(self, episode: Episode) -> Played:
        return Played(self.rules, play_again(self, episode))

    def replies(self, episode: Episode) -> dict[str, Any]:
        pairs = [(turn[side], seats) for turn in episode.turns for side, seats in zip(SIDES, SEATING, strict=True)]
        return replies_of(pairs)

    def summary(self, episodes: Sequence[Episode]) -> dict[str, float | None]:
        """Share of duels won by each team and drawn, and the mean number of turns."""
        ends = [episode.end for episode in episodes if episode.end is not None]
        return {
            **super().summary(episodes),
            "turns": mean(end["turns"] for end in ends),
            **{f"{side}_won": mean(float(end["winner"] == side) for end in ends) for side in SIDES},
            "drawn": mean(float(end["winner"] == "draw") for end in ends),
        }

    def terminal(self, state: Duel, params: Any) -> str:
        return "\n".join(f"{side} team\n{board(game)}" for side, game in zip(SIDES, state.games, strict=True))
