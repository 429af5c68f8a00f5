"""How SymmToM worlds are dealt: pieces evenly, bases and agents on distinct cells, on both engines."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import jax
import numpy as np
import pytest

from otherminds.worlds.symmtom import chance, rules
from otherminds.worlds.symmtom.types import Params, State
from tests.worlds.symmtom.playing import keys_of

PLAIN = Params()
SHORT = Params(num_agents=2, width=4, num_pieces=1, num_turns=3)
DUEL = Params(num_agents=2, width=4, num_pieces=1, competitive=2, hearing=1)


@lru_cache(maxsize=16)
def dealt(engine: str, params: Params, worlds: int = 20_000) -> State:
    def deal(key: Any) -> State:
        return rules.deal(chance.draw_deal(key, params, (worlds,)), params)

    state = (jax.jit(deal) if engine == "jax" else deal)(keys_of(engine, 11, 1)[0])
    return State(*(np.asarray(a) for a in state))


def chi_square(found: Any, bins: int) -> float:
    """Standard deviations from what uniform draws would give."""
    counts = np.bincount(np.asarray(found).reshape(-1), minlength=bins)
    assert len(counts) == bins
    expected = counts.sum() / bins
    return float((((counts - expected) ** 2 / expected).sum() - (bins - 1)) / np.sqrt(2 * (bins - 1)))


DEALS = {
    "n3_w6_c3": Params(),
    "n4_w6_c6": Params(num_agents=4, num_pieces=6),
    "n5_w6_c3": Params(num_agents=5),
    "two owners": Params(num_agents=3, num_pieces=4, owners=2),
    "apart": Params(num_agents=4, width=4, start_on_base=False),
    "around a block": Params(middle_block=True, start_on_base=False),
}
ENGINES_AND_DEALS = [(engine, name) for engine in ("numpy", "jax") for name in DEALS]


@pytest.mark.parametrize(("engine", "name"), ENGINES_AND_DEALS)
def test_pieces_are_dealt_evenly_and_each_has_its_number_of_owners(engine: str, name: str) -> None:
    params = DEALS[name]
    hands = dealt(engine, params).first_hand
    owns = hands[:, None] >> np.arange(params.num_pieces, dtype=np.uint32)[:, None] & 1  # [agent, piece, world]
    assert np.all(owns.sum(axis=0) == params.owners)
    held = owns.sum(axis=1)
    assert np.all(held.max(axis=0) - held.min(axis=0) <= 1)
    assert np.all(hands >> params.num_pieces == 0)


@pytest.mark.parametrize(("engine", "name"), ENGINES_AND_DEALS)
def test_every_agent_owns_every_piece_equally_often(engine: str, name: str) -> None:
    params = DEALS[name]
    hands = dealt(engine, params).first_hand
    owns = hands[:, None] >> np.arange(params.num_pieces, dtype=np.uint32)[:, None] & 1
    assert np.all(np.abs(owns.mean(axis=2) - params.owners / params.num_agents) < 0.025)


@pytest.mark.parametrize(("engine", "name"), ENGINES_AND_DEALS)
def test_agents_and_bases_are_on_distinct_free_cells_all_equally_likely(engine: str, name: str) -> None:
    params, state = DEALS[name], dealt(engine, DEALS[name])
    order = np.full(params.width**2, -1)
    for rank, (x, y) in enumerate(params.free_cells):
        order[x * params.width + y] = rank
    for x, y in ((state.x, state.y), (state.base_x, state.base_y)):
        place = order[x * params.width + y]
        assert place.min() >= 0
        assert all(np.all(place[a] != place[b]) for a, b in params.pairs)
        for agent in range(params.num_agents):
            assert abs(chi_square(place[agent], len(params.free_cells))) < 8


@pytest.mark.parametrize("engine", ["numpy", "jax"])
@pytest.mark.parametrize(("setting", "share"), [("n3_w6_c3", 1 - (35 / 36) ** 3), ("n4_w6_c4", 1 - (35 / 36) ** 4)])
def test_somebody_starts_at_home_as_often_as_chance_has_it(engine: str, setting: str, share: float) -> None:
    """Spec section 1: about 8-10 % of episodes."""
    state = dealt(engine, Params.from_setting(setting))
    at_home = ((state.x == state.base_x) & (state.y == state.base_y)).any(axis=0).mean()
    assert abs(at_home - share) < 0.012


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_agents_can_be_kept_off_all_bases_at_the_start(engine: str) -> None:
    params = DEALS["apart"]
    state = dealt(engine, params)
    cell, base = state.x * params.width + state.y, state.base_x * params.width + state.base_y
    assert np.all(cell[:, None] != base[None])


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_bases_and_agents_are_drawn_apart_from_each_other(engine: str) -> None:
    state = dealt(engine, PLAIN)
    pair = (state.x[0] * 6 + state.y[0]) * 36 + state.base_x[0] * 6 + state.base_y[0]
    assert abs(chi_square(pair, 36 * 36)) < 8
