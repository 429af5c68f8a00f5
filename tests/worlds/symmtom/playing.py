"""Worlds built by hand and episodes played at random, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from otherminds.core.episodes import Episode
from otherminds.worlds.symmtom import chance, metrics, record, rules
from otherminds.worlds.symmtom.types import Action, Params, State

Cell = tuple[int, int]
STAY, RIGHT, LEFT, UP, DOWN = range(5)
FAR_BASES: tuple[Cell, ...] = ((0, 5), (5, 5), (5, 0))


class Played(NamedTuple):
    """One turn of many worlds."""

    before: State
    action: Action
    coins: Any
    after: State
    outcome: rules.TurnResult


def bits(*pieces: int) -> int:
    return sum(1 << piece for piece in pieces)


def sets_of(masks: Any) -> list[set[int]]:
    return [{p for p in range(32) if int(mask) >> p & 1} for mask in masks]


def start(
    params: Params,
    cells: Sequence[Cell],
    bases: Sequence[Cell] = FAR_BASES,
    first_hand: Sequence[set[int]] = ({0}, {1}, {2}),
) -> State:
    """One world, set up by hand."""
    return record.start_state(params, {"cells": cells, "bases": bases, "first_hand": [sorted(f) for f in first_hand]})


def knowing(state: State, *known: set[int]) -> State:
    """The world as it is when everyone has known these pieces for some turns."""
    masks = np.asarray([bits(*pieces) for pieces in known], dtype=np.uint32)
    return state._replace(knowledge=masks, previous_knowledge=masks)


def turn(
    state: State, params: Params, moves: Sequence[int] = (), pieces: Sequence[int] = (), coins: int = 0
) -> tuple[State, rules.TurnResult]:
    """Play one turn; whoever is not told otherwise stays and is silent. Bit q of ``coins`` is the coin of pair q."""
    n = params.num_agents
    move = np.asarray([*moves, *[STAY] * (n - len(moves))], dtype=np.int32)
    piece = np.asarray([*pieces, *[-1] * (n - len(pieces))], dtype=np.int32)
    words = np.asarray([coins >> 32 * k & 0xFFFFFFFF for k in range(params.num_coin_words)], dtype=np.uint32)
    return rules.step(state, Action(move, piece), words, params)


def lively_action(rng: np.random.Generator, state: State, params: Params) -> Action:
    """Random moves, homeward ones more often and mostly when everything is known; mostly pieces that can be said."""
    shape = state.x.shape
    away_x, away_y = state.base_x - state.x, state.base_y - state.y
    home = np.where(away_x > 0, 1, np.where(away_x < 0, 2, np.where(away_y > 0, 3, np.where(away_y < 0, 4, 0))))
    pull = np.where(state.knowledge == params.all_pieces, 0.8, 0.2)
    moves = np.where(rng.random(shape) < pull, home, rng.integers(0, 5, shape))
    can_say = rules.legal_pieces(state, params)
    wished = np.argmax(can_say * rng.random(can_say.shape), axis=1)
    pieces = np.where(rng.random(shape) < 0.85, wished, rng.integers(-1, params.num_pieces, shape))
    return Action(moves.astype(np.int32), pieces.astype(np.int32))


def play(
    params: Params, rng: np.random.Generator, worlds: tuple[int, ...] = (), first: State | None = None
) -> Iterator[Played]:
    """An episode of lively agents, turn by turn, to its full length."""
    state = rules.deal(chance.draw_deal(rng, params, worlds), params) if first is None else first
    for _ in range(params.num_turns):
        action, coins = lively_action(rng, state, params), chance.draw_coins(rng, params, worlds)
        after, outcome = rules.step(state, action, coins, params)
        yield Played(state, action, coins, after, outcome)
        state = after


def huddle(worlds: int, num_turns: int, **switches: Any) -> tuple[Params, list[Played]]:
    """Four agents that walk about as a square of side 2, which a wall stops as a whole: everyone hears everyone."""
    params = Params(num_agents=4, width=4, num_pieces=5, num_turns=num_turns, **switches)
    rng = np.random.default_rng(0)
    state = rules.deal(chance.draw_deal(rng, params, (worlds,)), params)
    square = np.asarray([(0, 0), (1, 0), (0, 1), (1, 1)], dtype=np.int32)
    state = state._replace(x=np.repeat(square[:, :1], worlds, 1), y=np.repeat(square[:, 1:], worlds, 1))
    turns = []
    for _ in range(num_turns):
        can_say = rules.legal_pieces(state, params)
        pieces = np.argmax(can_say * rng.random(can_say.shape), axis=1).astype(np.int32)
        pieces = np.where(rng.random(pieces.shape) < 0.5, pieces, np.int32(-1))
        moves = np.broadcast_to(rng.integers(0, 5, (1, worlds), dtype=np.int32), pieces.shape)
        action, coins = Action(moves, pieces), chance.draw_coins(rng, params, (worlds,))
        after, outcome = rules.step(state, action, coins, params)
        turns.append(Played(state, action, coins, after, outcome))
        state = after
    return params, turns


def recharges_in(turns: Sequence[Played]) -> int:
    return sum(int((turn.outcome.base > 0).sum()) for turn in turns)


def states_of(turns: Sequence[Played], world: int) -> list[State]:
    """The states of one world of an episode, from its start."""
    return [one_world(state, world) for state in (turns[0].before, *(t.after for t in turns))]


def one_world(arrays: Any, world: int) -> Any:
    """One of many worlds."""
    return type(arrays)(*(np.asarray(a)[..., world] for a in arrays))


def recorded(turns: Sequence[Played], params: Params, world: int | None = None, id: str = "one") -> Episode:
    """The record of an episode, of one world of it if it was played in many."""
    chosen = [t if world is None else Played(*(_pick(part, world) for part in t)) for t in turns]
    episode = Episode(
        id,
        record.WORLD,
        params.to_dict(),
        {f"agent_{agent}": "lively" for agent in range(params.num_agents)},
        0,
        record.start_line(chosen[0].before),
    )
    total = metrics.nothing(chosen[0].before)
    for before, action, coins, after, outcome in chosen:
        episode.turns.append(record.turn_line(action, coins, after, outcome))
        total = metrics.add(total, metrics.measure(before, action, after, outcome, params))
        if outcome.terminated or outcome.truncated:
            break
    episode.end = record.end_line(outcome, total)
    return episode


def _pick(part: Any, world: int) -> Any:
    return one_world(part, world) if isinstance(part, tuple) else part[..., world]


def keys_of(engine: str, seed: int, number: int) -> list[Any]:
    if engine == "jax":
        return list(jax.random.split(jax.random.key(seed), number))
    rng = np.random.default_rng(seed)
    return [rng] * number
