"""Games as records: the way back from a record to the game, turn by turn.

A record is replayed rather than trusted: what it says of its end must follow from its turns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.rules import ending
from otherminds.worlds.decrypto.types import Game, Intervention, Rules, Turn

WORLD = "decrypto-v0"


@dataclass(frozen=True)
class Played:
    """A game played again from its record; ``states[t]`` is the game after turn t."""

    params: Rules
    states: list[Game]

    @property
    def actions(self) -> list[Turn]:
        """The turns."""
        return list(self.states[-1].turns)


def play_again(episode: Episode) -> Played:
    """Every state of a recorded game.

    Raises:
        UserError: if the record cannot be read as a game, or says something else than its turns do.
    """
    where = f"episode {episode.id!r}"
    try:
        rules = Rules(**episode.config)
        codes = tuple(tuple(int(digit) for digit in code) for code in episode.start["codes"])
        game = Game(rules, episode.seed, tuple(map(str, episode.start["keywords"])), codes)
        states = [game]
        for line in episode.turns:
            changes = tuple(
                Intervention(**{**one, "told": tuple(one["told"])}) for one in line.get("interventions", ())
            )
            game = replace(game, turns=(*game.turns, _turn(line)), interventions=changes)
            states.append(game)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{where} cannot be read as a game of Decrypto: {type(error).__name__} {error}") from error
    for before, after in pairwise(states):
        number = len(after.turns)
        if ending(before) is not None:
            raise UserError(f"{where}: turn {number} was played after the game had ended ({ending(before)})")
        if number <= len(codes) and after.turns[-1].code != codes[number - 1]:
            raise UserError(
                f"{where}: turn {number} has the code {after.turns[-1].code}; dealt was {codes[number - 1]}"
            )
    if episode.end is not None and episode.end.get("ending") != ending(game):
        raise UserError(f"{where} says that it ended as {episode.end.get('ending')!r}; by its turns, {ending(game)!r}")
    return Played(rules, states)


def _turn(line: dict[str, Any]) -> Turn:
    code, bob, eve = (tuple(int(digit) for digit in line[name]) for name in ("code", "bob", "eve"))
    return Turn(code, tuple(map(str, line["hints"])), bob, eve)
