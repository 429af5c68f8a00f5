"""A model of how agents choose what to say, by which Bayesian beliefs interpret speech and silence.

A *manner* gives odds to silence and to every piece that can be said. Odds are integers, so that both engines draw and
weigh the same. The manner of another agent is not known: several are assumed, and evidence selects among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from otherminds.worlds.symmtom.bits import contains, count, namespace, repeat
from otherminds.worlds.symmtom.types import Array, Params

UNIT = 16  # integer odds of 1. With odds up to 64 times that, the sum of 32 stays below 2^16 and draws are exact.


@dataclass(frozen=True)
class Manner:
    """One way to choose what to say, by odds of at most 64. All but ``blunder`` are positive: anything may be heard.

    Args:
        greed: odds of a piece that one listener in range lacks; squared for more than one.
        blunder: odds of each piece that cannot be said, which comes out as silence.
        silence: odds of silence on purpose.
        stale: odds of a piece that nobody in range lacks.
    """

    greed: float = 1.0
    blunder: float = 0.0
    silence: float = 0.125
    stale: float = 1.0

    def table(self) -> tuple[int, ...]:
        """Integer odds of a piece that 0, 1, or 2 and more lack, of a piece that cannot be said, and of silence."""
        values = (self.stale, self.greed, self.greed**2, self.blunder, self.silence)
        return tuple(round(UNIT * value) for value in values)


BABBLE = Manner(blunder=1.0)  # any piece, whether it can be said or not: the random mind
RECITE = Manner()  # any piece that can be said: the heuristic, over time
TELL = Manner(greed=8.0)  # what those in range lack: the belief minds
OBLIGE = Manner(greed=8.0, silence=0.5, stale=1 / UNIT)  # what those in range lack, or nothing: optimal speech
MANNERS = (BABBLE, RECITE, TELL)


class Odds(NamedTuple):
    """Odds of what each agent says next, ``uint32 [agent, …]`` each."""

    pieces: tuple[Array, ...]  # for each piece, 0 if it cannot be said
    silence: Array
    total: Array


def odds(
    can_say: Array, listeners: Array, in_range: Array, manner: Array, manners: tuple[Manner, ...], params: Params
) -> Odds:
    """The odds of everything each agent might say.

    Args:
        can_say: speakable pieces, ``uint32 [agent, …]``.
        listeners: believed knowledge of all agents before the turn, by speaker, ``uint32 [agent or 1, listener, …]``.
        in_range: agents in range of each agent, ``uint32 [agent, …]``.
        manner: index of each agent's manner, ``uint32 [agent, …]``.
        manners: the manners.
        params: parameters of the world.
    """
    xp, c = namespace(can_say), params.num_pieces
    stale, once, often, blunder, silence = (
        _pick(xp, manner, column) for column in zip(*(m.table() for m in manners), strict=True)
    )
    pieces = []
    for p, number in enumerate(lacking(xp, listeners, in_range, params)):
        value = xp.where(number == 0, stale, xp.where(number == 1, once, often))
        pieces.append(xp.where(contains(can_say, p), value, xp.zeros_like(value)))
    quiet = silence + blunder * (c - count(xp, can_say)).astype(xp.uint32)
    return Odds(tuple(pieces), quiet, sum(pieces, start=quiet))


def lacking(xp: Any, listeners: Array, in_range: Array, params: Params) -> list[Array]:
    """For each piece, the number of agents in range that lack it, ``uint32 [agent, …]`` each; see :func:`odds`."""
    agents = range(params.num_agents)
    hears = [contains(in_range, i) for i in agents]  # hears[i][j]: i is in range of speaker j
    return [
        sum((hears[i] & ~contains(listeners[:, i], p)).astype(xp.uint32) for i in agents)
        for p in range(params.num_pieces)
    ]


def draw(xp: Any, chances: Odds, words: Array) -> Array:
    """Draw what agents say, one bit or none, ``uint32 [agent, …]``, by the upper halves of random words."""
    point = ((words >> 16) * chances.total) >> 16
    said, upto = xp.zeros_like(point), xp.zeros_like(point)
    for p, value in enumerate(chances.pieces):
        begins, upto = upto, upto + value
        said = xp.where((point >= begins) & (point < upto), xp.asarray(1 << p, dtype=xp.uint32), said)
    # This changes nothing, but makes the compiler keep the draws instead of repeating them per listener: twice as fast.
    return repeat(lambda sets: sets & (~sets + 1), 2, said)


def likelihood(xp: Any, chances: Odds, said: Array) -> Array:
    """The probability of what was said, ``float32 [agent, …]``."""
    value = xp.where(said == 0, chances.silence, xp.zeros_like(chances.silence))
    for p, odds_of_piece in enumerate(chances.pieces):
        value = value + xp.where(contains(said, p), odds_of_piece, xp.zeros_like(odds_of_piece))
    return value.astype(xp.float32) / chances.total.astype(xp.float32)


def _pick(xp: Any, manner: Array, column: tuple[int, ...]) -> Array:
    """The entry of a column for each agent's manner."""
    value = xp.zeros_like(manner) + column[0]
    for index, entry in enumerate(column[1:], start=1):
        value = xp.where(manner == index, xp.asarray(entry, dtype=xp.uint32), value)
    return value
