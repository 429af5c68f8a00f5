"""What agents of SymmToM appear to perceive in each other's eyes: percepts for beliefs of higher order.

A belief of ``beliefs.py`` that is revised by them holds what, for all an observer can tell, another thinks that others
know: of speech, what both heard; of ranges and bases, what the observer saw and saw the other see. So it is the
ledger's belief of a chain of two, and as there, forgetting is believed forgetting: whom the other would wrongly think
complete, the other would wrongly think to have forgotten.
"""

from __future__ import annotations

from typing import Any

from otherminds.worlds.symmtom.bits import bit_of, contains, members, namespace, numbers
from otherminds.worlds.symmtom.observe import Percept
from otherminds.worlds.symmtom.types import Array, Params


def within(sight: Percept, params: Params) -> Percept:
    """What each agent appears to perceive in the eyes of each other.

    The first axis of the result is the agent that is thought to perceive; the one who thinks so comes before the
    trailing axes, as if its view were a world of its own: ``[believer, subject, observer, *worlds]``. Applied again,
    it gives the percepts of the next order.
    """
    xp = namespace(sight.x)
    n, worlds = params.num_agents, sight.turn.shape
    earshot = xp.moveaxis(sight.earshot, 0, 1)  # uint32 [believer, observer, *worlds], as the sets below
    believer = numbers(earshot)
    sees = _apparent_sight(xp, sight, params)
    aware = sees | earshot | bit_of(xp, believer)
    is_self = believer[:, None] == believer[None]  # [believer, subject, 1, …]

    def shown(values: Array, to: Array) -> Array:
        """``[observer, subject, *worlds]`` to ``[believer, subject, observer, *worlds]``, 0 where not shown."""
        rows = xp.broadcast_to(xp.moveaxis(values, 0, 1), (n, n, n, *worlds))
        return xp.where(to, rows, xp.zeros_like(rows))

    is_seen, is_known = (contains(sets[:, None], believer[None]) for sets in (sees, aware))
    pieces = xp.broadcast_to(xp.moveaxis(sight.first_hand, 0, 1), (n, n, n, *worlds))
    if params.private_first_hand:
        pieces = xp.where(is_self, pieces, xp.zeros_like(pieces))
    return Percept(
        x=shown(sight.x, is_seen),
        y=shown(sight.y, is_seen),
        base_x=shown(sight.base_x, is_seen),
        base_y=shown(sight.base_y, is_seen),
        direction_x=shown(sight.direction_x, is_seen),
        direction_y=shown(sight.direction_y, is_seen),
        first_hand=pieces,
        utterance=shown(sight.utterance, contains(earshot[:, None], believer[None]) | is_self),
        earshot=shown(sight.earshot, is_known) & aware[:, None],
        uses_base=sees & sight.uses_base,
        sees=sees,
        turn=xp.broadcast_to(sight.turn, (n, *worlds)),
    )


def _apparent_sight(xp: Any, sight: Percept, params: Params) -> Array:
    """Whom each agent sees as far as each observer can tell, ``uint32 [subject, observer, *worlds]``.

    An observer sees the cells of two agents, so it sees whether they see each other.
    """
    x, y = (xp.moveaxis(a, 0, 1) for a in (sight.x, sight.y))
    seen = contains(sight.sees[None], numbers(x))
    if params.vision is None:
        return xp.where(seen, sight.sees, xp.zeros_like(sight.sees))
    v = params.vision
    near = [(xp.abs(x - x[j]) <= v) & (xp.abs(y - y[j]) <= v) & seen & seen[j] for j in range(params.num_agents)]
    return members(xp, near)
