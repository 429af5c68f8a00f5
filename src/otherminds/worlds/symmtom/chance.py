"""Random draws of SymmToM, made outside the rules.

The kind of generator picks the engine: a ``numpy.random.Generator`` draws NumPy arrays, a JAX key draws JAX arrays.
The rules run on the arrays they get, so the same draws give the same episode on both engines.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from otherminds.core.seeds import random_words
from otherminds.worlds.symmtom.types import Array, Params


class Deal(NamedTuple):
    """Draws for one start. ``draws[i]`` is uniform in ``[i, m)`` for a shuffle of m places."""

    bases: Array  # int32 [agent, *worlds], of the free cells
    agents: Array  # int32 [agent, *worlds], of the free cells (of those without a base, if agents may not start on one)
    pieces: Array  # int32 [piece, *worlds]
    order: Array  # int32 [agent, *worlds]


def draw_deal(key: Any, params: Params, worlds: tuple[int, ...] = ()) -> Deal:
    """All random draws of a reset."""
    n, c, room = params.num_agents, params.num_pieces, len(params.free_cells)
    first_agent = 0 if params.start_on_base else n
    lows = [*range(n), *range(first_agent, first_agent + n), *range(c), *range(n)]
    highs = [room] * (2 * n) + [c] * c + [n] * n
    low = np.asarray(lows, dtype=np.uint32).reshape((-1, *(1 for _ in worlds)))
    high = np.asarray(highs, dtype=np.uint32).reshape(low.shape)
    words = random_words(key, (len(lows), *worlds), stream="deal")
    # At most 4096 outcomes of 2^32 words, so the bias of the remainder is below one in a million.
    draws = (words % (high - low) + low).astype("int32")
    return Deal(draws[:n], draws[n : 2 * n], draws[2 * n : 2 * n + c], draws[2 * n + c :])


def draw_coins(key: Any, params: Params, worlds: tuple[int, ...] = ()) -> Array:
    """All random draws of a turn: who yields in a collision, ``uint32 [word, *worlds]``, one bit per pair of agents."""
    return random_words(key, (params.num_coin_words, *worlds), stream="coins")
