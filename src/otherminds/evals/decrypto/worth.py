"""What hints are worth: would a literal Bob read them, and would an Eve who sees what Eve really sees?

The judge is a Bayesian reader of a lexicon (spec 9), the same for all minds, so that hints of two Alices can be
compared. It shows whether an Alice who is told of a change to what Eve has seen makes use of it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.observe import view
from otherminds.worlds.decrypto.record import play_again
from otherminds.worlds.decrypto.rules import all_codes
from otherminds.worlds.decrypto.types import Game

_LEAST = 1e-6  # a probability below this counts as this, so that no logarithm is infinite


def game_before(episode: Episode, number: int) -> Game:
    """The game of a record before one of its turns, with the changes that were made by then.

    Raises:
        UserError: if it has no such turn.
    """
    played = play_again(episode)
    if not 1 <= number < len(played.states):
        raise UserError(f"{episode.id} has no turn {number}; expected 1 to {len(played.states) - 1}")
    before: Game = played.states[number - 1]
    return replace(before, interventions=played.states[number].interventions)


def worth_of(episode: Episode, number: int, lexicon: str = "glove") -> dict[str, float]:
    """How probable the code of a turn is to Bob and to Eve by its hints, and the value of both to Alice.

    ``value`` is ``log decode + log(1 - intercept)``: what an Alice would have as high as possible.
    """
    game, hints = game_before(episode, number), tuple(episode.turns[number - 1]["hints"])
    at = all_codes(game.rules).index(tuple(episode.turns[number - 1]["code"]))
    reader = _reader(lexicon)
    decode, intercept = (
        math.exp(float(reader.posterior(view(game, role, hints), hints)[at])) for role in ("bob", "eve")
    )
    value = math.log(max(decode, _LEAST)) + math.log(max(1 - intercept, _LEAST))
    return {"decode": decode, "intercept": intercept, "value": value}


def _reader(lexicon: str) -> Any:
    from otherminds.players.decrypto.bayes import BayesianGuesser
    from otherminds.players.decrypto.production import production

    return BayesianGuesser(production(lexicon))
